"""`kgsan serve`: sanitizing and verifying over HTTP."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli.batch import unexpected
from kgsan.cli.output import DONE, WRONG_USAGE, complain
from kgsan.cli.sanitize import guarded
from kgsan.errors import Place, Problem

if TYPE_CHECKING:
    from kgsan.cli.output import Commands

_NEEDED = ("starlette", "uvicorn")
TOKEN = "KGSAN_TOKEN"
_LARGEST_TOKEN = 4096


def add_commands(commands: Commands) -> None:
    """`kgsan serve`."""
    command = commands.add_parser(
        "serve",
        help="sanitize and verify over HTTP",
        description="Answer POST /sanitize and POST /verify in JSON, for whoever has the token. GET /openapi.json describes it. "
        f"The token is read from the variable {TOKEN} or a file; without either one is made and told once. Nothing is logged "
        "of a text, and nothing kept.",
    )
    command.add_argument(
        "--policy",
        required=True,
        action="append",
        metavar="POLICY",
        help="a file, or the name of a shipped policy; several times",
    )
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="default: 127.0.0.1, this machine only")
    command.add_argument("--port", type=_whole(0), default=8080, help="default: 8080; 0 is any that is free")
    command.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="NAME",
        help="another name under which the service is asked, with its port if clients write one",
    )
    command.add_argument("--token-file", type=Path, metavar="FILE", help=f"the token, instead of the variable {TOKEN}")
    command.add_argument("--allow-strictness", action="store_true", help="let a request set its own strictness")
    command.add_argument("--largest", type=_whole(1), default=1 << 20, metavar="BYTES", help="of a request; default: 1 MiB")
    command.add_argument("--seconds", type=_whole(1), default=30, metavar="N", help="for a request; default: 30")
    command.add_argument("--threads", type=_whole(1), default=2, metavar="N", help="threads that work; default: 2")
    command.add_argument("--waiting", type=_whole(0), default=16, metavar="N", help="requests that wait; default: 16")
    command.add_argument(
        "--processes",
        type=_whole(1),
        metavar="N",
        help="work in N processes, which are ended when a text takes too long; not in threads",
    )
    command.add_argument("--log", action="store_true", help="tell method, address, status and time of every request")
    command.set_defaults(run=guarded(_run))


def _whole(least: int) -> type[int]:
    def whole(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"it is a whole number from {least} on")
        return number

    return whole  # type: ignore[return-value]


def _run(given: argparse.Namespace) -> int:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        said = f"The service needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed."
        complain([Problem("V101", Place("serve"), said, "Install them with: pip install 'kgsan[serve]'.")])
        return WRONG_USAGE
    from kgsan.plug import PlugError
    from kgsan.service.serve import ServiceError

    try:
        return _serve(given)
    except (ServiceError, PlugError) as error:
        complain(error.problems)
        return WRONG_USAGE


def _serve(given: argparse.Namespace) -> int:
    from kgsan.plug import policy_named
    from kgsan.service.serve import Address, checked_token, listening, refused, serve
    from kgsan.service.settings import Limits, Settings

    settings = Settings(tuple(map(policy_named, given.policy)), given.allow_strictness)
    if len(set(settings.names)) < len(settings.names):
        raise refused("V103", "Two policies have the same name.", "Requests choose a policy by its name.")
    address = Address(given.host, given.port, tuple(given.known_as))
    own = _given_token(given.token_file)
    if own is None and not address.is_local:
        raise refused("V102", "A service that others reach needs a token of yours.", f"Give it in {TOKEN} or with --token-file.")
    token = checked_token(own if own is not None else secrets.token_urlsafe(32))
    with listening(address) as opened:
        port = opened.getsockname()[1]

        def ready() -> None:
            shown = f"[{address.host}]" if ":" in address.host else address.host
            print(f"Serving at http://{shown}:{port} under {', '.join(settings.names)}. End with Ctrl-C.", flush=True)
            if own is None:
                print(f"Token, told once: {token}", flush=True)
            if not address.is_local:
                said = "What is sent can be read on the way: let others reach it only through a server with TLS."
                print(said, file=sys.stderr, flush=True)

        serve(
            settings,
            Limits(given.largest, given.seconds, given.processes or given.threads, given.waiting),
            opened,
            address.hosts(port),
            token,
            processes=given.processes is not None,
            ready=ready,
            tell=lambda error: print(unexpected(error), file=sys.stderr, flush=True),
            log=(lambda line: print(line, file=sys.stderr, flush=True)) if given.log else None,
        )
    print("The service was ended.", file=sys.stderr)
    return DONE


def _given_token(file: Path | None) -> str | None:
    """The token that was given; a file comes first."""
    from kgsan.service.serve import refused

    if file is None:
        return os.environ.get(TOKEN)
    try:
        with file.open("rb") as opened:
            return opened.read(_LARGEST_TOKEN).decode("ascii").strip()
    except (OSError, ValueError):
        raise refused("V102", "The file of the token cannot be read.") from None
