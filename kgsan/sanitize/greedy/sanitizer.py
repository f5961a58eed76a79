"""A sanitizer that learns from marked documents what to hide, and hides it in others."""

from __future__ import annotations

from itertools import chain
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.sanitize.greedy.features import Instances, tokens_of
from kgsan.sanitize.greedy.greedy import COUNT_ON, Costs, CountOn, apply, learned_rounds, worth_adding
from kgsan.sanitize.greedy.learners import LEARNERS, SELECTION, Lessons
from kgsan.sanitize.greedy.marked import instances_of
from kgsan.sanitize.greedy.problems import LearningError, error, require_packages
from kgsan.sanitize.greedy.stored import StoredModel, load_model, save_model
from kgsan.text.document import Span
from kgsan.text.foreign import ForeignSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgsan.sanitize.greedy.greedy import Round
    from kgsan.sanitize.greedy.prediction import Classifier

_SETTINGS = ("cost_of_leak", "cost_of_overhiding", "learner", "seed", "count_on", "placeholder")
#: Tokens that are looked at in one go, so that a long text needs no more room than a short one.
_BLOCK = 1 << 15


class GreedySanitizer:
    """Classifiers against an attacker who learns too: each hides what the ones before left, as long as that is worth it.

    After the conventions of scikit-learn: settings are kept as given and looked at by `fit`; what was learned ends in `_`.
    """

    def __init__(
        self,
        cost_of_leak: float = 10,
        cost_of_overhiding: float = 1,
        learner: str = SELECTION,
        seed: int = 0,
        count_on: CountOn = "held_out",
        placeholder: str = "[NAME]",
    ) -> None:
        self.cost_of_leak = cost_of_leak
        self.cost_of_overhiding = cost_of_overhiding
        self.learner = learner
        self.seed = seed
        self.count_on: CountOn = count_on
        self.placeholder = placeholder
        self.classifiers_: tuple[Classifier, ...]
        self.rounds_: tuple[Round, ...]

    def __repr__(self) -> str:
        return f"GreedySanitizer({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings."""
        return {name: getattr(self, name) for name in _SETTINGS}

    def set_params(self, **settings: Any) -> GreedySanitizer:
        """Change settings; what was learned stays until the next `fit`."""
        for name, value in settings.items():
            if name not in _SETTINGS:
                raise error("E206", "settings", f"There is no setting of that name; there are {', '.join(_SETTINGS)}.")
            setattr(self, name, value)
        return self

    def fit(self, documents: Sequence[str], spans: Sequence[Iterable[Sequence[int]]]) -> GreedySanitizer:
        """Learn from texts and, for each, the [start, end] of everything sensitive in it."""
        costs = check_settings(self)
        require_packages()
        instances = instances_of(documents, spans)
        where = np.ones(len(instances.tokens), dtype=bool)
        found = learned_rounds(self.learner, Lessons(instances, where, self.seed), self.count_on)
        self.rounds_ = tuple(worth_adding(costs, found))
        self.classifiers_ = tuple(one.classifier for one in self.rounds_)
        return self

    def predict(self, text: str) -> list[Span]:
        """Where something is sensitive, a span for each token."""
        return list(chain.from_iterable(self._marked(text)))

    def _marked(self, text: str) -> Iterable[list[Span]]:
        if not hasattr(self, "classifiers_"):
            raise error("E206", "settings", "Nothing was learned yet.", "Call fit first, or load a model.")
        for tokens in tokens_of([text]).blocks(_BLOCK):
            nothing = np.zeros(len(tokens), dtype=bool)
            hidden = apply(self.classifiers_, Instances(tokens, nothing, nothing), ~nothing).hidden
            yield list(map(Span, tokens.starts[hidden].tolist(), tokens.ends[hidden].tolist()))

    def spans(self, text: str) -> list[ForeignSpan]:
        """What is sensitive, neighbours as one, for whoever wants it as a first pass."""
        label = self.placeholder.strip("[]<>{}() ").lower() or "marked"
        return [ForeignSpan(start, end, label, source="greedy") for start, end in self._parts(text)]

    def sanitize(self, text: str) -> str:
        """The text with a placeholder for everything sensitive; neighbours share one, so that nobody counts names."""
        made, at = [], 0
        for start, end in self._parts(text):
            made += [text[at:start], self.placeholder]
            at = end
        return "".join([*made, text[at:]])

    def _parts(self, text: str) -> list[Span]:
        made: list[Span] = []
        for span in self.predict(text):
            if made and span.start - made[-1].end < 3 and not text[made[-1].end : span.start].strip(" "):
                made[-1] = Span(made[-1].start, span.end)
            else:
                made.append(span)
        return made

    def save(self, path: str | Path) -> None:
        """Write what was learned to one file. It holds words of the documents: keep it as private as they are."""
        if not hasattr(self, "classifiers_"):
            raise error("E206", "settings", "Nothing was learned yet.", "Call fit first.")
        costs = check_settings(self)
        plain = {"cost_of_leak": costs.leak, "cost_of_overhiding": costs.overhiding, "seed": int(self.seed)}
        save_model(Path(path), StoredModel(self.get_params() | plain, self.classifiers_))

    @classmethod
    def load(cls, path: str | Path) -> GreedySanitizer:
        """What `save` wrote."""
        require_packages()
        stored = load_model(Path(path))
        try:
            made = cls(**stored.settings)
            check_settings(made)
        except (TypeError, LearningError):
            said = "The model cannot be used: its settings are not in order."
            raise error("E207", Path(path).name, said, "Learn it again.") from None
        made.classifiers_ = stored.classifiers
        return made


def check_settings(given: GreedySanitizer) -> Costs:
    """The costs, when all settings make sense."""
    costs = (given.cost_of_leak, given.cost_of_overhiding)
    for what, cost in zip(("leak", "needlessly hidden word"), costs, strict=True):
        if not isinstance(cost, Real) or isinstance(cost, bool) or not isfinite(cost) or cost <= 0:
            raise error("E205", "settings", f"The cost of a {what} is no finite number above zero.", "10 and 1 are usual.")
    if given.learner not in LEARNERS:
        raise error("E206", "settings", "There is no such learner.", f"There are {', '.join(LEARNERS)}.")
    if given.count_on not in COUNT_ON:
        raise error("E206", "settings", "There is no such way of counting.", f"There are {', '.join(COUNT_ON)}.")
    if not isinstance(given.seed, Integral) or isinstance(given.seed, bool) or not 0 <= given.seed < 2**32:
        raise error("E206", "settings", "The seed is no whole number from 0 to 4294967295.")
    if not isinstance(given.placeholder, str) or not given.placeholder:
        raise error("E206", "settings", "The placeholder is no text.", "[NAME] is usual.")
    return Costs(float(given.cost_of_leak), float(given.cost_of_overhiding))
