"""The command line.

Exit codes: 0 done; 1 findings, nothing found, or a text that could not be made safe; 2 wrong usage or policy; 3 an ontology or
knowledge is wrong; 4 an input or output file; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from kgsan.cli import attack, evaluate, greedy, knowledge, ontology, policy, review, sanitize, serve, verify
from kgsan.cli.batch import unexpected
from kgsan.cli.machine import ended_like_an_interruption, lacking, leave, open_streams, silence
from kgsan.cli.output import DONE, FINDINGS, INTERRUPTED, WRONG_FILE, WRONG_ONTOLOGY, WRONG_POLICY, colors, complain
from kgsan.errors import KgsanError, KnowledgeError, OntologyError, PolicyError
from kgsan.policy.show import render
from kgsan.report.output import drop_unfinished
from kgsan.sanitize.quiet import quiet
from kgsan.sanitize.wordless import unforeseen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn


def command() -> NoReturn:
    """What the command `kgsan` runs."""
    leave(main())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code. No error ends in a traceback."""
    return ended(lambda: _run(arguments))


def ended(work: Callable[[], int]) -> int:
    """What a command comes to. An error that is met while another is being told is not told as Python would: with both."""
    try:
        with quiet():
            return _told(work)
    except SystemExit:
        raise  # by argparse, about the arguments
    except BaseException as error:
        told, code = "An unexpected error stopped the work.", FINDINGS
        with suppress(BaseException):
            told = unforeseen(error)
            code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else code
        with suppress(BaseException):
            print(told, file=sys.stderr)
        return code


def _run(arguments: Sequence[str] | None) -> int:
    open_streams()
    options = _parser().parse_args(arguments)
    with ended_like_an_interruption():
        code: int = options.run(options)
        if code != WRONG_FILE:  # of which a standard output that takes nothing may be the reason, and is told
            sys.stdout.flush()
        silence(sys.stdout)
        return code


def _told(work: Callable[[], int]) -> int:
    try:
        return work()
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
        silence(sys.stdout)  # whoever read the output has gone
        return DONE
    except OSError as error:
        silence(sys.stdout)
        print(lacking(error) or unexpected(error), file=sys.stderr)
        return FINDINGS if lacking(error) is None else WRONG_FILE
    except MemoryError:
        print("There is not enough memory for this; nothing was written.", file=sys.stderr)
        return WRONG_FILE
    except Exception as error:
        print(unexpected(error), file=sys.stderr)
        return FINDINGS
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
