"""Lexicons that are installed in the `wn` package on this machine, read without any network."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.errors import ontology_error
from kgsan.sources import wnlmf
from kgsan.sources.files import SourceFile

if TYPE_CHECKING:
    import wn

    from kgsan.errors import OntologyError
    from kgsan.sources.records import Options, Records


def read_lexicon(specifier: str, options: Options) -> Records:
    """The records of one installed lexicon, "oewn:2024" or "omw-fr": the same as those of its WN-LMF file.

    The lexicon goes through `wn.export`, because nothing else in wn's public interface tells the sense
    numbers (`n`). That takes about half a minute for a complete WordNet.
    """
    import wn

    try:
        lexicon = _lexicon(specifier)
        with tempfile.TemporaryDirectory(prefix="kgsan-") as folder:
            path = Path(folder) / "lexicon.xml"
            wn.export([lexicon], path, version="1.4")
            return wnlmf.read(SourceFile(specifier, path), options)
    except wn.DatabaseError:
        raise ontology_error(
            "O101", specifier, "The database of the wn package was made by another version of it.", "Add the lexicon again."
        ) from None
    except wn.Error as error:
        raise ontology_error("O103", specifier, f"The wn package cannot hand out the lexicon: {error}.") from None
    except (sqlite3.Error, OSError) as error:
        raise ontology_error("O101", specifier, f"The database of the wn package cannot be read: {error}.") from None


def state() -> str:
    """A word that changes whenever a lexicon is added to the database of wn, or removed."""
    from wn import config  # type: ignore[attr-defined]  # documented, and missing in its __all__

    try:
        told = config.database_path.stat()
    except OSError:
        return "none"
    return f"{config.database_path} {told.st_size} {told.st_mtime_ns}"


def _lexicon(specifier: str) -> wn.Lexicon:
    import wn
    from wn import config  # type: ignore[attr-defined]  # documented, and missing in its __all__

    # Only looking must not create a database where there is none.
    # wn.lexicons() would keep quiet about a database of another wn version, and warn of lexicons that borrow from others.
    installed = wn.Wordnet("*", expand="").lexicons() if config.database_path.is_file() else []
    found = [lexicon for lexicon in installed if specifier in (lexicon.id, lexicon.specifier())]
    if len(found) == 1:
        return found[0]
    if found:
        raise _choose(specifier, found)
    raise _missing(specifier, installed)


def _choose(specifier: str, found: list[wn.Lexicon]) -> OntologyError:
    names = ", ".join(sorted(lexicon.specifier() for lexicon in found))
    return ontology_error("O101", specifier, "Several versions of the lexicon are installed.", f"Name one of them: {names}.")


def _missing(specifier: str, installed: list[wn.Lexicon]) -> OntologyError:
    names = ", ".join(sorted(lexicon.specifier() for lexicon in installed)) or "none"
    return ontology_error(
        "O101",
        specifier,
        f"The lexicon is not installed in the wn package (installed: {names}).",
        f"Run 'python -m wn download {specifier}', or wn.add(...) with its file.",
    )
