"""`kgsan verify`: what a text still discloses, and whether its certificate holds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.batch import Setup
from kgsan.cli.output import DONE, FINDINGS, format_option
from kgsan.cli.sanitize import compiled, guarded, policy_of, policy_options
from kgsan.report.answers import REACHED, remaining, row
from kgsan.report.certificate import check_certificate
from kgsan.report.output import read_text, write_out
from kgsan.report.sentences import printable
from kgsan.report.shape import read_certificate

if TYPE_CHECKING:
    import argparse

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


def add_commands(commands: Commands) -> None:
    """`kgsan verify`."""
    command = commands.add_parser(
        "verify",
        help="tell what a text still discloses, and whether its certificate holds",
        description="Read a text of any origin as a policy does, and tell what discloses more than it allows. The original is "
        "not needed. With --certificate, make the certificate again and tell what differs.",
    )
    command.add_argument("text", metavar="TEXT", help="a text; - for standard input")
    policy_options(command)
    command.add_argument("--certificate", type=Path, metavar="FILE", help="the certificate that came with the text")
    command.add_argument("--reveal", action="store_true", help="tell the words and figures too")
    format_option(command)
    command.set_defaults(run=guarded(_run))


def _run(given: argparse.Namespace) -> int:
    path = None if given.text == "-" else Path(given.text)
    held = None if given.certificate is None else read_certificate(given.certificate)
    text = read_text(path)
    sanitizer = compiled(Setup(policy_of(given)))
    found = remaining(text, sanitizer.verify(text), reveal=given.reveal)
    differences = None if held is None else check_certificate(held, sanitizer, text)
    if given.format == "json":
        holds = None if differences is None else not differences
        told = {"discloses": found, "certificate_holds": holds, "certificate_differences": differences or []}
        write_out(row(told, indent=2))
    else:
        _print("standard input" if path is None else path.name, found, differences)
    return FINDINGS if found or differences else DONE


def _print(name: str, found: list[dict[str, Any]], differences: list[str] | None) -> None:
    for one in found:
        told = _RULES[one["rule"]].format(entity=one["entity"])
        share = "" if one["share"] is None else f", {REACHED}"
        revealed = f" ('{one['words']}'). {one['because']}" if "words" in one else "."
        print(printable(f"{name}:{one['line']}:{one['column']}: {one['rule']}: {told}{share}{revealed}"))
    if found:
        print(f"{len(found)} part{'s' * (len(found) > 1)} of the text disclose{'s' * (len(found) == 1)} more than allowed.")
    else:
        print("Nothing in the text discloses more than the policy allows, as far as it was checked.")
    for sentence in differences or ():
        print(f"The certificate: {sentence}")
    if differences is not None and not differences:
        print("The certificate holds. It says itself what was not checked.")
    sys.stdout.flush()
