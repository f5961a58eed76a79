"""The command line.

Exit codes: 0 done; 1 findings, nothing found, or a text that could not be made safe; 2 wrong usage or policy; 3 an ontology or
knowledge is wrong; 4 an input or output file; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from kgsan.cli import attack, evaluate, greedy, knowledge, ontology, policy, review, sanitize, serve, verify
from kgsan.cli.output import DONE, INTERRUPTED, WRONG_FILE, WRONG_ONTOLOGY, WRONG_POLICY, colors, complain
from kgsan.errors import KgsanError, KnowledgeError, OntologyError, PolicyError
from kgsan.policy.show import render
from kgsan.report.output import drop_unfinished

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code. No error ends in a traceback."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except PolicyError as error:
        print(render(error.problems, color=colors(sys.stderr)), end="", file=sys.stderr)
        return WRONG_POLICY
    except (OntologyError, KnowledgeError) as error:
        complain(error.problems)
        return WRONG_ONTOLOGY
    except KgsanError as error:
        complain(error.problems)
        return WRONG_FILE
    except KeyboardInterrupt:
        print("Interrupted; nothing was written.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read the output has gone
        return DONE
    except MemoryError:
        print("There is not enough memory for this; nothing was written.", file=sys.stderr)
        return WRONG_FILE
    finally:
        drop_unfinished()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kgsan", description="Hide what the law says must be hidden in a text, and everything that gives it away."
    )
    parser.add_argument("--version", action="version", version=f"kgsan {_version()}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    sanitize.add_commands(commands)
    verify.add_commands(commands)
    review.add_commands(commands)
    serve.add_commands(commands)
    evaluate.add_commands(commands)
    attack.add_commands(commands)
    greedy.add_commands(commands)
    policy.add_commands(commands)
    ontology.add_commands(commands)
    knowledge.add_commands(commands)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kgsan")
    except PackageNotFoundError:
        return "(not installed)"
