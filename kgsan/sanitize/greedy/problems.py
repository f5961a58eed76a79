"""What can be wrong with documents to learn from, with the settings of a learner, and with a model that was saved."""

from __future__ import annotations

from kgsan.errors import KgsanError, Place, Problem

#: What is wrong with how a command was called, and not with a file.
USAGE = frozenset({"E205", "E206", "E208"})
#: More problems than a person reads.
TOLD = 20


class LearningError(KgsanError):
    """Nothing can be learned from what was given, or what was learned cannot be read."""


def error(code: str, file: str, message: str, hint: str | None = None, line: int | None = None) -> LearningError:
    """The error for one problem at one place."""
    return LearningError(Problem(code, Place(file, line), message, hint))


def require_packages() -> None:
    """Say what to install when learning cannot work."""
    from importlib.util import find_spec

    missing = [name for name, module in (("python-crfsuite", "pycrfsuite"), ("scikit-learn", "sklearn")) if not find_spec(module)]
    if missing:
        said = f"The learners need {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed."
        raise error("E208", "kgsan", said, "Install them with: pip install 'kgsan[evaluate]'")
