"""A mail taken apart: its headers, its bodies in every form, its attachments by their own readers."""

from __future__ import annotations

import io
from email import errors, policy
from email.generator import BytesGenerator
from email.message import Message
from email.parser import BytesParser
from functools import partial
from typing import TYPE_CHECKING

from kgsan.formats.html.encoding import decode
from kgsan.formats.html.pages import page_source
from kgsan.formats.mail import carrying, headers
from kgsan.formats.mail.attachments import by_ending
from kgsan.formats.woven import BLOCK, LINE, Strand
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgsan.formats.documents import Reader, Rules, Taken
    from kgsan.formats.mail.carrying import Part

    Find = Callable[[str, bytes], Reader | None]

_DEPTH = 20
_LONGEST = 20_000  # of a header that says how a part is built
_PARAMETERS = {"content-type": ("charset", "boundary", "name", "format", "delsp"), "content-disposition": ("filename",)}
_ONCE = frozenset("from subject date content-type content-transfer-encoding content-disposition".split())
_SIGNATURES = frozenset("application/pgp-signature application/pkcs7-signature application/x-pkcs7-signature".split())
_LOCKED = frozenset("multipart/encrypted application/pkcs7-mime application/x-pkcs7-mime application/pgp-encrypted".split())
_MULTIPART = frozenset("mixed alternative related digest parallel report".split())
_HARMLESS = (errors.HeaderDefect, errors.MissingHeaderBodySeparatorDefect)
_UNREAD = "It has an attachment that is not read."
_PICTURE = "It holds a picture, and what a picture shows is not read."


def read_mail(content: bytes, name: str, rules: Rules) -> Mail:
    """Take a mail apart; attached pages, texts and Word documents are read too."""
    return Mail(content, name, rules, by_ending)


def mail_reader(find: Find) -> Reader:
    """A reader of mails that has attachments read by what `find` gives for their name and content."""

    def read(content: bytes, name: str, rules: Rules) -> Mail:
        return Mail(content, name, rules, find)

    return read


class Mail:
    """A mail taken apart. It is put together once."""

    def __init__(self, content: bytes, name: str, rules: Rules, find: Find) -> None:
        self._name, self._rules, self._find = name, rules, find
        self._content = content
        self._strands: list[Strand] = []
        self._writers: list[tuple[int, Callable[[Sequence[str]], None]]] = []
        self._boundaries = 0
        self._end = "\r\n" if b"\r\n" in content[:4096] else "\n"
        self._message = self._parsed(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))  # what mixes line ends gets one kind
        if not self._stays(self._message, 0):
            raise FileError(name, _UNREAD, "Nothing else is in it.")

    @property
    def strands(self) -> Sequence[Strand]:
        return self._strands

    def put(self, texts: Sequence[str]) -> bytes:
        at = 0
        for count, write in self._writers:
            write(texts[at : at + count])
            at += count
        made = io.BytesIO()
        rules = policy.compat32.clone(linesep=self._end)
        BytesGenerator(made, mangle_from_=False, maxheaderlen=0, policy=rules).flatten(self._message)
        return made.getvalue()

    def _parsed(self, content: bytes) -> Part:
        if b"\0" in content:
            raise FileError(self._name, "It holds bytes that no mail holds.")
        try:
            message = BytesParser(policy=policy.compat32).parsebytes(content)
        except (RecursionError, ValueError, LookupError):
            raise FileError(self._name, "It is damaged: its parts cannot be told apart.") from None
        known = {key.lower() for key, _ in message.raw_items()}
        if not known & {"from", "to", "subject", "date", "received", "message-id", "content-type"} or message.defects:
            raise FileError(self._name, "This is no mail, or it is damaged.")
        message.set_unixfrom("")
        return message

    # --- strands ---------------------------------------------------------------------------------------------------------

    def _say(self, text: str, joint: str, write: Callable[[str], None]) -> None:
        def changed(texts: Sequence[str]) -> None:
            if texts[0] != text:
                write(texts[0])

        if text:
            self._strands.append(Strand(text, joint))
            self._writers.append((1, changed))

    def _take(self, taken: Taken, part: Part) -> None:
        """A body or an attachment that has places of its own."""
        strands = list(taken.strands)
        self._strands += [Strand(one.text, BLOCK if number == 0 else one.joint) for number, one in enumerate(strands)]
        self._writers.append((len(strands), lambda texts: carrying.fill(part, taken.put(texts))))
        self._strands.append(Strand("", BLOCK))
        self._writers.append((1, lambda texts: None))

    # --- parts -----------------------------------------------------------------------------------------------------------

    def _part(self, part: Part, depth: int) -> bool:
        """Read a part; gives whether it stays."""
        if depth > _DEPTH:
            raise FileError(self._name, "Its parts lie too deep in each other.")
        if any(not isinstance(defect, _HARMLESS) for defect in part.defects):
            raise FileError(self._name, "It is damaged or cut short: its parts cannot be told apart.")
        self._headers(part, depth)
        kind = part.get_content_type()
        if kind in _LOCKED:
            raise FileError(self._name, "It is encrypted.")
        if kind in _SIGNATURES:
            return False
        if kind == "message/rfc822":
            inner = carrying.children(part)
            if len(inner) != 1:
                raise FileError(self._name, "It is damaged: a mail in it cannot be read.")
            return self._stays(inner[0], depth + 1)
        if part.is_multipart():
            return self._parts(part, depth)
        return self._leaf(part, kind)

    def _parts(self, part: Part, depth: int) -> bool:
        if part.get_content_maintype() != "multipart":
            return self._unread(part, "")
        if part.get_content_subtype() not in _MULTIPART:
            part.set_type("multipart/mixed")
        self._boundaries += 1
        while f"=_{self._boundaries}_=".encode() in self._content and f'"=_{self._boundaries}_="'.encode() not in self._content:
            self._boundaries += 1
        boundary = f"=_{self._boundaries}_="
        children = [child for child in carrying.children(part) if self._stays(child, depth + 1)]
        if not children:
            children = [Message()]
            children[0].set_payload("")
        part.set_payload([*children])
        part.set_boundary(boundary)
        part.preamble, part.epilogue = None, ""
        return True

    def _stays(self, part: Part, depth: int) -> bool:
        """Read a part of several; of one that is taken out, nothing is said."""
        strands, writers = len(self._strands), len(self._writers)
        if self._part(part, depth):
            return True
        del self._strands[strands:], self._writers[writers:]
        return False

    def _leaf(self, part: Part, kind: str) -> bool:
        held = carrying.held(part, self._name)
        filename = self._filename(part)
        attached = part.get_content_disposition() == "attachment" or bool(filename)
        if kind == "text/html":
            text, encoding = decode(held, self._name, part.get_content_charset())
            self._take(page_source(text, encoding, self._name, self._rules), part)
            return True
        reader = self._find(filename, held) if attached else None
        if reader is not None:
            self._take(reader(held, filename or self._name, self._rules), part)
            return True
        if kind in ("text/plain", "text/csv", "text/markdown") or (kind == "text/x-markdown"):
            self._plain(part, held)
            return True
        return self._unread(part, kind)

    def _unread(self, part: Part, kind: str) -> bool:
        picture = kind.startswith("image/") and kind != "image/svg+xml"
        if self._rules.pictures == "remove":
            return False
        if picture and self._rules.pictures == "keep":
            return True
        raise FileError(self._name, _PICTURE if picture else _UNREAD, "Take it out, or choose to remove such parts.")

    def _plain(self, part: Part, held: bytes) -> None:
        charset = part.get_content_charset("us-ascii")
        text, encoding = decode(held, self._name, "utf-8" if charset in ("us-ascii", "ascii") else charset)

        def write(new: str) -> None:
            try:
                made = encoding.mark + new.encode("ascii" if charset in ("us-ascii", "ascii") else encoding.codec)
            except UnicodeError:
                made = new.encode("utf-8")
                carrying.set_charset(part)
            carrying.fill(part, made)

        self._say(text, BLOCK, write)

    # --- headers ---------------------------------------------------------------------------------------------------------

    def _headers(self, part: Part, depth: int) -> None:
        seen = [name.lower() for name, _ in part.raw_items()]
        if any(seen.count(name) > 1 for name in _ONCE):
            raise FileError(self._name, "It has a header twice that may stand once.")
        kept: list[tuple[str, str]] = []
        for name, value in part.raw_items():
            raw, word = str(value), name.lower()
            if word in headers.SAID or headers.is_plain(word, raw) or word in headers.STRUCTURAL:
                if word in headers.STRUCTURAL and len(raw) > _LONGEST:
                    raise FileError(self._name, "It has a header that is far too long.")
                if headers.is_broken(raw):
                    raise FileError(self._name, "A header holds signs that no header holds.")
                kept.append((name, headers.structure(word, raw)))
        carrying.set_headers(part, kept)
        for name, raw in kept:
            if name.lower() in headers.SAID:
                write = partial(carrying.set_header, part, name, raw)
                self._say(headers.spoken(raw, self._name), LINE if self._strands else BLOCK, write)
        self._strands.append(Strand("", BLOCK))
        self._writers.append((1, lambda texts: None))
        try:
            self._parameters(part)
        except (LookupError, ValueError):  # letters of the mail library's own reading
            raise FileError(self._name, "It is damaged: a part of it does not say what it is.") from None

    def _parameters(self, part: Part) -> None:
        """Of what describes a part, only what is needed to read it, and its name, which is read."""
        for header, names in _PARAMETERS.items():
            if header not in part:
                continue
            for parameter, _ in part.get_params(failobj=[], header=header)[1:]:
                if parameter.lower() not in names or not headers.is_usual(
                    parameter.lower(), part.get_param(parameter, header=header)
                ):
                    part.del_param(parameter, header=header)
            if len(names) > 1 and "/" not in str(part[header]):
                raise FileError(self._name, "It is damaged: a part of it does not say what it is.")
            for parameter in ("name", "filename"):
                said = part.get_param(parameter, header=header)
                if said is not None:
                    write = partial(carrying.set_parameter, part, parameter, header)
                    self._say(headers.parameter(said, self._name), BLOCK, write)

    def _filename(self, part: Part) -> str:
        for parameter, header in (("filename", "content-disposition"), ("name", "content-type")):
            said = part.get_param(parameter, header=header)
            if said is not None:
                return headers.parameter(said, self._name)
        return ""
