"""`kgsan attack`: what attackers of four kinds make of a released text."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.batch import Setup
from kgsan.cli.evaluate import bar
from kgsan.cli.jobs import WrongUsage
from kgsan.cli.output import DONE, format_option
from kgsan.cli.sanitize import compiled, guarded, policy_of, policy_options
from kgsan.evaluate import attack_telling
from kgsan.evaluate.aware import AwareAttacker
from kgsan.evaluate.fill_in import FillInAttacker
from kgsan.evaluate.inference_attack import InferenceAttacker
from kgsan.evaluate.linkage import linked
from kgsan.evaluate.problems import error
from kgsan.report.answers import row
from kgsan.report.output import read_text, write_out
from kgsan.report.sentences import printable
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from kgsan.cli.output import Commands

_TEXTS = (".txt", ".md", ".text")
_STANDARD = "-"


@dataclass(frozen=True, slots=True)
class _Target:
    """A text that is attacked, with its original and what blacking out would have made of that, where they are known."""

    name: str
    released: str = field(repr=False)
    original: str | None = field(default=None, repr=False)
    redacted: str | None = field(default=None, repr=False)


def add_commands(commands: Commands) -> None:
    """`kgsan attack`."""
    command = commands.add_parser(
        "attack",
        help="tell what attackers make of a released text",
        description="Attack released texts: guess what they are about, what stood where something was replaced, which document "
        "they come from, and what a reader learns who knows the policy. Nothing is sanitized unless the original is given.",
    )
    command.add_argument("texts", nargs="+", metavar="TEXT", help="released texts; - for standard input")
    policy_options(command)
    command.add_argument(
        "--original", nargs="+", type=Path, default=[], metavar="FILE", help="the originals of the texts, in the same order"
    )
    command.add_argument(
        "--background", type=Path, metavar="FOLDER", help="documents among which the source of a text is looked for, by its name"
    )
    command.add_argument("--reveal", action="store_true", help="tell guesses and exact figures that need the original")
    format_option(command)
    command.set_defaults(run=guarded(_run))


def _run(given: argparse.Namespace) -> int:
    background = None if given.background is None else _background(given.background)
    targets = _targets(given.texts, given.original)
    sanitizer = compiled(Setup(policy_of(given)))
    if given.original:
        redacting = Sanitizer(sanitizer.policy, sanitizer.detector.stack, sanitizer.knowledge, redact=True)
        targets = [_with_redacted(target, redacting) for target in targets]
    inference, aware, fill_in = InferenceAttacker(sanitizer), AwareAttacker(sanitizer), FillInAttacker(sanitizer)
    told: dict[str, Any] = {"policy": sanitizer.policy.name, "ontology": inference.ontology, "texts": []}
    with bar("Attacking", len(targets)) as advance:
        for target in targets:
            versions = {"released": target.released, "original": target.original, "redacted": target.redacted}
            guesses = {name: inference.guesses(text) for name, text in versions.items() if text is not None}
            filled = None if target.original is None else fill_in.attack(target.original, target.released)
            tells = aware.tells(target.released)
            told["texts"].append(attack_telling.text(target.name, guesses, filled, tells, reveal=given.reveal))
            advance()
    if background is not None:
        texts = {
            "original": {target.name: target.original for target in targets if target.original is not None},
            "redacted": {target.name: target.redacted for target in targets if target.redacted is not None},
            "released": {target.name: target.released for target in targets},
        }
        told["linkage"] = attack_telling.linkage(linked(texts, background), len(targets))
    if given.format == "json":
        write_out(row(told, indent=2))
    else:
        for sentence in attack_telling.sentences(told):
            print(printable(sentence))
        sys.stdout.flush()
    return DONE


def _targets(texts: Sequence[str], originals: Sequence[Path]) -> list[_Target]:
    if originals and len(originals) != len(texts):
        said = f"There are {len(texts)} texts and {len(originals)} originals."
        raise error("E152", "--original", said, "Give one original for each text, in the same order.")
    if _STANDARD in texts and len(texts) > 1:
        raise WrongUsage("Standard input ('-') is given alone, not among other texts.")
    found = []
    for at, given in enumerate(texts):
        path = None if given == _STANDARD else Path(given)
        name = "standard input" if path is None else path.stem
        original = _text(originals[at]) if originals else None
        found.append(_Target(name, _text(path), original))
    if len({target.name for target in found}) < len(found):
        raise WrongUsage("Two texts have the same name: give them different ones.")
    return found


def _text(path: Path | None) -> str:
    text = read_text(path)
    if not any(map(str.isalnum, text)):
        raise error("E151", "standard input" if path is None else path.name, "There is no word in this text.")
    return text


def _with_redacted(target: _Target, redacting: Sanitizer) -> _Target:
    assert target.original is not None
    try:
        redacted = redacting.sanitize(target.original).text
    except NotSafe:
        return target
    return _Target(target.name, target.released, target.original, redacted)


def _background(folder: Path) -> dict[str, str]:
    """The texts of a folder by their name without ending, below folders of it by their path."""
    if not folder.is_dir():
        raise error("E153", folder.name, "There is no such folder.", "Check the spelling of its name.")
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in _TEXTS and not path.name.startswith("."):
            text = read_text(path)
            if any(map(str.isalnum, text)):
                found[path.stem if path.stem not in found else str(path.relative_to(folder))] = text
    if not found:
        raise error("E153", folder.name, "There is no text in it.", "A background is a folder of .txt or .md files.")
    return found
