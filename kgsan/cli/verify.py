"""`kgsan verify`: what a file still discloses, and whether its certificate holds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.batch import Setup
from kgsan.cli.output import DONE, FINDINGS, format_option
from kgsan.cli.sanitize import chosen_fields, compiled, field_options, guarded, policy_of, policy_options
from kgsan.cli.work import texts_in
from kgsan.formats.kinds import by_name
from kgsan.report.answers import REACHED, remaining, row
from kgsan.report.certificate import check_certificate
from kgsan.report.output import FileError, read_lines, write_out
from kgsan.report.sentences import printable
from kgsan.report.shape import fault, read_certificate
from kgsan.sanitize.sanitizer import OTHER_LANGUAGE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from kgsan.cli.output import Commands

_RULES = {
    "naming": "'{entity}' is named",
    "identifier": "an identifier stands here: {entity}",
    "specificity": "a term is too specific",
    "deny": "a term stands here that the policy always hides",
    "inference": "'{entity}' is given away",
    "group": "'{entity}' is given away by several terms together",
    "correlation": "'{entity}' is given away by a neighbour",
    "spans": "something stands here that was marked",
}

_UNREAD = "a paragraph stands here in a language that the reader does not know"


def add_commands(commands: Commands) -> None:
    """`kgsan verify`."""
    command = commands.add_parser(
        "verify",
        help="tell what a text still discloses, and whether its certificate holds",
        description="Read a text of any origin as a policy does, and tell what discloses more than it allows. The original is "
        "not needed. With --certificate, make the certificate again and tell what differs.",
    )
    command.add_argument("text", metavar="FILE", help="a text, a document or a table; - for standard input")
    policy_options(command)
    field_options(command)
    command.add_argument("--certificate", type=Path, metavar="FILE", help="the certificate that came with the text")
    command.add_argument("--reveal", action="store_true", help="tell the words and figures too")
    format_option(command)
    command.set_defaults(run=guarded(_run))


def _run(given: argparse.Namespace) -> int:
    path = None if given.text == "-" else Path(given.text)
    fields, keep = chosen_fields(given)
    setup = Setup(policy_of(given), fields=fields, keep=keep)
    held = None if given.certificate is None else _certificates(given.certificate, path)
    sanitizer = compiled(setup)
    found: list[dict[str, Any]] = []
    differences: list[str] = []
    for number, (is_many, line, text) in enumerate(texts_in(sanitizer, setup, path), 1):
        told = remaining(text, sanitizer.verify(text), reveal=given.reveal)
        found += ({"record": line, **one} if is_many else one for one in told)
        if held is not None:
            one = next(held, None)
            wrong = ["There is none for it."] if one is None else check_certificate(one, sanitizer, text)
            differences += (f"Record {number}: {each}" if is_many else each for each in wrong)
    if held is not None and next(held, None) is not None:
        differences.append("It speaks of more records than there are.")
    if given.format == "json":
        holds = None if held is None else not differences
        write_out(row({"discloses": found, "certificate_holds": holds, "certificate_differences": differences}, indent=2))
    else:
        _print("standard input" if path is None else path.name, found, None if held is None else differences)
    return FINDINGS if found or differences else DONE


def _certificates(path: Path, of: Path | None) -> Iterator[dict[str, Any]]:
    """The certificate of a text, or those of a file of records: one in every line."""
    kind = None if of is None else by_name(of.name)
    return iter([read_certificate(path)]) if kind is None or not kind.is_records else _by_line(path)


def _by_line(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in read_lines(path):
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            raise FileError(path.name, "The line is not a certificate: it is not JSON.", line=number) from None
        wrong = fault(one)
        if wrong is not None:
            raise FileError(path.name, wrong, line=number)
        yield one


def _print(name: str, found: list[dict[str, Any]], differences: list[str] | None) -> None:
    for one in found:
        told = _UNREAD if one["entity"] == OTHER_LANGUAGE else _RULES[one["rule"]].format(entity=one["entity"])
        share = "" if one["share"] is None else f", {REACHED}"
        revealed = f" ('{one['words']}'). {one['because']}" if "words" in one else "."
        place = f"{one['record']}: record {one['line']}:{one['column']}" if "record" in one else f"{one['line']}:{one['column']}"
        print(printable(f"{name}:{place}: {one['rule']}: {told}{share}{revealed}"))
    if found:
        print(f"{len(found)} part{'s' * (len(found) > 1)} of the text disclose{'s' * (len(found) == 1)} more than allowed.")
    else:
        print("Nothing in the text discloses more than the policy allows, as far as it was checked.")
    for sentence in differences or ():
        print(f"The certificate: {sentence}")
    if differences is not None and not differences:
        print("The certificate holds. It says itself what was not checked.")
    sys.stdout.flush()
