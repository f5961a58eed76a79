"""Addresses of the internet: mail, web, handles, IP and MAC addresses."""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import Numeric, Rule, introductions, words

_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59})(?![^\W_])")
_NUMBERED = re.compile(r"\[[0-9A-Fa-f:.]{7,45}\]|localhost\b")
_HANDLE = re.compile(r"@[A-Za-z_][A-Za-z0-9_.]{0,28}[A-Za-z0-9_](?![^\W_])")
_NOT_HANDLES = frozenset(
    words(
        "@bedtime @home @night @noon @work @all @least @the @discharge @admission @rest @baseline @time "
        "@media @property @dataclass @override"
    )
)
_WEB = re.compile(r"[^\s<>\"{}|\\^`]{1,65536}")
_COLONS = re.compile(r"[:-][0-9A-Fa-f]{0,4}[:-]")
_MAC = re.compile(r"[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}")
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_HEX = frozenset("0123456789abcdefABCDEF")
_LOCAL_MARKS = frozenset(".!#$%&'*+-/=?^_`{|}~")
_TOP_LEVEL = words("com org net edu gov mil info biz io uk health ca au eu")


def _behind(plain: str, at: int, marks: frozenset[str], most: int, letters: bool = True) -> int:
    """How far back from an offset the letters, digits and marks reach."""
    start = at
    while start > 0 and at - start < most and (plain[start - 1] in marks or (letters and plain[start - 1].isalnum())):
        start -= 1
    return start


def _mail(plain: str) -> Iterator[Identifier]:
    at = plain.find("@")
    while at >= 0:
        domain = _DOMAIN.match(plain, at + 1) or _NUMBERED.match(plain, at + 1)
        start = _behind(plain, at, _LOCAL_MARKS, 64)
        while start < at and plain[start] in ".'/(=#*{|`":
            start += 1
        if domain and start < at:
            yield Identifier(
                start, domain.end(), "email", "a name, an at sign and a domain", (("domain", domain.start(), domain.end()),)
            )
        elif start == at:
            handle = _HANDLE.match(plain, at)
            if handle and handle[0].lower() not in _NOT_HANDLES and plain[at - 1 : at] not in ("@", ")"):
                yield Identifier(at, handle.end(), "username", "an at sign before a word")
        at = plain.find("@", at + 1)


def _web(plain: str) -> Iterator[Identifier]:
    at = plain.find("://")
    while at >= 0:
        start = _behind(plain, at, frozenset("+-"), 12)
        rest = _WEB.match(plain, at + 3)
        if start < at and rest:
            end = _without_punctuation(plain, start, rest.end())
            if end > at + 3:
                yield Identifier(start, end, "url", "a scheme before an address")
        at = plain.find("://", rest.end() if rest else at + 3)


def _without_punctuation(plain: str, start: int, end: int) -> int:
    unopened = plain.count(")", start, end) - plain.count("(", start, end)
    while end > start and (plain[end - 1] in ".,;:!?]'*" or (plain[end - 1] == ")" and unopened > 0)):
        unopened -= plain[end - 1] == ")"
        end -= 1
    return end


def _bare_web(plain: str, at: int) -> Identifier | None:
    """A web address without its scheme, known by its top level ('example.org/a') or by 'www'."""
    if plain[at - 1 : at] == ".":
        start = _behind(plain, at, frozenset(".-_"), 120)
    elif plain.startswith(("www.", "WWW."), at):
        start = at
    else:
        return None
    while start < at and plain[start] in ".-_":
        start += 1
    domain = _DOMAIN.match(plain, start)
    if domain is None or domain.end() <= at or plain[start - 1 : start] == "@":
        return None
    rest = (
        _WEB.match(plain, domain.end(), domain.end() + 2048)
        if plain[domain.end() : domain.end() + 1] in ("/", "?", ":", "#")
        else None
    )
    end = _without_punctuation(plain, start, rest.end() if rest else domain.end())
    return Identifier(start, end, "url", "a domain with a known ending", (("domain", *domain.span()),))


def _hexadecimal(plain: str) -> Iterator[Identifier]:
    """Whatever is written in hexadecimal between colons or hyphens: IPv6, MAC, UUID."""
    past = 0
    for found in _COLONS.finditer(plain):
        if found.start() < past:
            continue
        start = max(past, _behind(plain, found.start(), _HEX | {":", "-"}, 40, letters=False))
        end = found.end()
        while end < len(plain) and end - found.end() < 45 and (plain[end] in _HEX or plain[end] in ":-."):
            end += 1
        past = end
        # A label's colon ("IP:fe80::1") is no part of the address.
        if plain[start] == ":" and plain[start + 1] != ":":
            start += 1
        elif plain[start - 1 : start].isalnum():
            continue
        if plain[end : end + 1].isalnum():
            continue
        yield from _address(plain, start, _without_punctuation(plain, start, end))


def _address(plain: str, start: int, end: int) -> Iterator[Identifier]:
    written = plain[start:end]
    if _MAC.fullmatch(written):
        yield Identifier(start, end, "device", "six pairs of hexadecimal digits")
    elif _UUID.fullmatch(written):
        yield Identifier(start, end, "number", "the shape of a universally unique identifier")
    elif written.count(":") >= 2 and len(written) - written.count(":") >= 4 and any("0" <= sign <= "9" for sign in written):
        try:
            IPv6Address(written)
        except AddressValueError:
            return
        yield Identifier(start, end, "ip", "a valid IPv6 address", (("network", start, start + written.find(":")),))


def _ipv4(plain: str, at: int) -> Identifier | None:
    match = _IPV4.match(plain, at)
    if match is None:
        return None
    try:
        IPv4Address(match["four"])
    except AddressValueError:
        return None
    certain = any(len(part) > 1 for part in match["four"].split("."))
    return Identifier(match.start(), match.end(), "ip", "a valid IPv4 address", (("network", *match.span("network")),), certain)


_IPV4 = re.compile(
    r"(?P<four>(?P<network>[0-9]{1,3}\.[0-9]{1,3})\.[0-9]{1,3}\.[0-9]{1,3})(?:/[0-9]{1,2}|:[0-9]{1,5})?(?![0-9]|\.[0-9])"
)
_SPELLED = Rule(
    "email",
    re.compile(r"(?P<it>[\w.+-]{1,64} ?[\[({](?i:at)[\])}] ?[\w-]{1,63}(?: ?(?:[\[({](?i:dot)[\])}]|\.) ?[\w-]{1,63}){1,4})"),
    "a name, 'at' in brackets and a domain",
)


def _spelled_mail(plain: str, at: int) -> Identifier | None:
    if plain[at - 1 : at] not in ("(", "[", "{") or at < 2:
        return None
    name_end = at - 2 if plain[at - 2] == " " else at - 1
    return _SPELLED(plain, _behind(plain, name_end, frozenset(".+-_"), 64))


NUMBERS = (Numeric((1, 2, 3), ".", _ipv4),)
SCANS = (_mail, _web, _hexadecimal)
WORDS = introductions((_TOP_LEVEL, _bare_web), (("www",), _bare_web), (("at",), _spelled_mail))
