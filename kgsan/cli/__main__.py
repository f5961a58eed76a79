"""`python -m kgsan.cli`."""

from kgsan.cli import command

command()
