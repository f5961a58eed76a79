"""GreedySanitize put to the test: a publisher learns from some documents, an attacker from what became of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from kgsan.evaluate.attacker import Attack, attacked, best_attacker
from kgsan.evaluate.cost_sensitive import CostSensitive
from kgsan.sanitize.greedy.greedy import Costs, apply, learned_rounds, worth_adding
from kgsan.sanitize.greedy.learners import SELECTION, SINGLE, Lessons, folds_of
from kgsan.sanitize.greedy.problems import error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.features import Instances
    from kgsan.sanitize.greedy.greedy import CountOn, Round

#: How many times dearer a leak is than a word hidden needlessly.
RATIOS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
#: The ratio at which attackers with a budget are compared.
HEADLINE = 10.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one fold that nobody learned from."""

    sensitive: int
    instances: int
    classifiers: int
    attack: Attack  #: by the attacker that learned from the published training folds
    informed: Attack  #: by one that learned from texts which the publisher's classifiers had not seen either


@dataclass(frozen=True, slots=True)
class Outcome:
    """A publisher at one ratio of costs, over all folds."""

    learner: str
    ratio: float
    trials: tuple[Trial, ...] = field(repr=False)

    @property
    def classifiers(self) -> float:
        """How many rounds were worth it, on average."""
        return sum(trial.classifiers for trial in self.trials) / len(self.trials)

    @property
    def sensitive(self) -> int:
        """How many sensitive tokens there were."""
        return sum(trial.sensitive for trial in self.trials)

    @property
    def published(self) -> float:
        """The share of all tokens that is published, |P|/|X|."""
        return sum(trial.attack.published for trial in self.trials) / sum(trial.instances for trial in self.trials)

    @property
    def leaked(self) -> float:
        """The share of the sensitive tokens that is still there, whether or not anybody finds it."""
        return sum(trial.attack.leaked for trial in self.trials) / self.sensitive

    @property
    def found(self) -> float:
        """The share of the sensitive tokens that the attacker marks, TP_A/|S|."""
        return sum(trial.attack.true_positives for trial in self.trials) / self.sensitive

    @property
    def found_informed(self) -> float:
        """The same for the attacker that knows texts like those it attacks."""
        return sum(trial.informed.true_positives for trial in self.trials) / self.sensitive

    def bought(self, share: float) -> Bought:
        """What an informed attacker finds who looks at a share of the published words."""
        attacks = [(trial.informed, share * trial.informed.published) for trial in self.trials]
        return Bought(
            sum(attack.expected(budget) for attack, budget in attacks) / self.sensitive,
            sum(attack.by_score(budget) for attack, budget in attacks) / self.sensitive,
            sum(attack.at_random(budget) for attack, budget in attacks) / self.sensitive,
        )


@dataclass(frozen=True, slots=True)
class Bought:
    """The share of the sensitive words that a budget finds, by the order in which words are looked at."""

    marked_first: float  #: marked ones first, in any order among themselves
    surest_first: float
    at_random: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """One classifier that marks by cost, at one ratio, over all folds."""

    learner: str
    ratio: float
    published: float
    leaked: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that was measured on one collection."""

    name: str
    documents: int
    tokens: int
    sensitive: int
    folds: int
    outcomes: tuple[Outcome, ...]
    one_shot: tuple[Outcome, ...]  #: the usual sanitizer: the most accurate classifier, and no second one
    baselines: tuple[Baseline, ...]

    def outcome(self, learner: str, ratio: float) -> Outcome:
        """What one publisher reached."""
        return next(one for one in self.outcomes if (one.learner, one.ratio) == (learner, ratio))

    @property
    def learners(self) -> tuple[str, ...]:
        """The publishers."""
        return tuple(dict.fromkeys(one.learner for one in self.outcomes))

    @property
    def ratios(self) -> tuple[float, ...]:
        """The ratios of costs."""
        return tuple(dict.fromkeys(one.ratio for one in self.outcomes))


def steps(folds: int, learners: Sequence[str]) -> int:
    """How many steps an experiment has, for whoever watches it."""
    return folds * (len(learners) + 1)


def experiment(
    instances: Instances,
    name: str = "documents",
    *,
    ratios: Sequence[float] = RATIOS,
    learners: Sequence[str] = (SELECTION,),
    folds: int = 4,
    seed: int = 0,
    count_on: CountOn = "held_out",
    watch: Callable[[], None] = lambda: None,
) -> Experiment:
    """Cross-validation by document: what an attacker finds in documents that the publisher did not learn from."""
    documents = len(instances.tokens.documents) - 1
    if documents < folds:
        raise error(
            "E203", name, f"There are {documents} documents, and {folds} parts to deal them into.", "Give more documents."
        )
    everything = np.ones(len(instances.tokens), dtype=bool)
    parts = folds_of(instances.tokens, everything, folds, seed)
    trials: dict[tuple[str, float], list[Trial]] = defaultdict(list)
    single: dict[str, list[Trial]] = defaultdict(list)
    left: dict[tuple[str, float], list[tuple[int, int]]] = defaultdict(list)
    for part in range(folds):
        test = parts == part
        if not instances.sensitive[~test].any():
            raise error("E204", name, "Nearly all that is marked stands in one document.", "Mark more documents.")
        lessons = Lessons(instances, ~test, seed)
        for learner in learners:
            publisher = _Publisher(lessons, test, learner, max(ratios), count_on)
            single[learner].append(publisher.trial(1))
            for ratio in ratios:
                trials[learner, ratio].append(publisher.trial(publisher.kept(ratio)))
            watch()
        baselines = CostSensitive(lessons, test)
        for kind, ratio in product(SINGLE, ratios):
            marked = baselines.marked(kind, Costs(ratio, 1))
            left[kind, ratio].append((int((test & ~marked).sum()), int((test & ~marked & instances.sensitive).sum())))
        watch()
    tokens, sensitive = len(instances.tokens), int(instances.sensitive.sum())
    return Experiment(
        name,
        documents,
        tokens,
        sensitive,
        folds,
        tuple(Outcome(learner, ratio, tuple(found)) for (learner, ratio), found in trials.items()),
        tuple(Outcome(learner, 0.0, tuple(found)) for learner, found in single.items()),
        tuple(
            Baseline(kind, ratio, sum(all_ for all_, _ in found) / tokens, sum(leaks for _, leaks in found) / sensitive)
            for (kind, ratio), found in left.items()
        ),
    )


class _Publisher:
    """The rounds of one publisher on one fold. Costs decide only how many of them count, so they are learned once."""

    def __init__(self, lessons: Lessons, test: NDArray[np.bool_], learner: str, dearest: float, count_on: CountOn) -> None:
        self.instances, self.test, self.train, self.seed = lessons.instances, test, lessons.where, lessons.seed
        self.rounds: list[Round] = []
        for one in learned_rounds(learner, lessons, count_on):
            self.rounds.append(one)
            if not list(worth_adding(Costs(dearest, 1), [one])):
                break
        self._trials: dict[int, Trial] = {}

    def kept(self, ratio: float) -> int:
        """How many rounds are worth it at a ratio of costs."""
        return len(list(worth_adding(Costs(ratio, 1), self.rounds)))

    def trial(self, count: int) -> Trial:
        """What attackers find when so many rounds are kept."""
        if count not in self._trials:
            self._trials[count] = self._made(count)
        return self._trials[count]

    def _made(self, count: int) -> Trial:
        everything = np.ones(len(self.test), dtype=bool)
        published = apply([one.classifier for one in self.rounds[:count]], self.instances, everything)
        attack = attacked(best_attacker(published, self.train, self.seed), published, self.test)
        # What the publisher would have added next is what such an attacker would learn.
        following = self.rounds[count].classifier if count < len(self.rounds) else None
        informed = attack if following is None else attacked(following, published, self.test)
        sensitive = int((self.instances.sensitive & self.test).sum())
        return Trial(sensitive, int(self.test.sum()), count, attack, informed)
