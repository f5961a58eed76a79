"""Whole notes: everything that kgsan does, against a tool that looks for identifiers only.

Each works in a process of its own, on one core; those take turns, and the best of their runs counts. "First" are the
first notes that a process sees, with all that is worked out once; "others" are notes that follow them, none seen before;
"again" are the first ones once more.
"""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import kgsan
from benchmarks.contest import OURS, Contest

if TYPE_CHECKING:
    from collections.abc import Callable

POLICY = "us-hiv"
NOTES, SHORTEST, LONGEST = 4_000, 150, 400
MOST_MEGABYTES, MOST_SECONDS, MOST_GROWTH = 500, 2.0, 11.0
#: One note in so many names what the policy protects.
SENSITIVE = 14
#: Characters of one text that grows tenfold.
SMALL = 100_000
RUNS = 3
ROUNDS = 5
PRESIDIO, GROWTH = "Presidio", "growth"

_SENTENCES = """{person} was seen on {date} for {disease}, which began {days} days ago after a journey to {place}.
There is a history of {disease} in the family, and the {job} asks whether it may come back.
The patient, aged {age}, denies fever; {disease} was ruled out and the blood pressure was normal.
Results were sent to {person}, who can be reached at {phone} or by letter at the office in {place}.
Treatment of {disease} goes on as before, and the next appointment is on {date} at nine.
{person} works as a {job} and has not smoked since the year of the wedding.
An X-ray showed no {disease}, but a second look at the left side is advised within {days} days.
The nurse explained the new tablets and asked about sleep, appetite and pain after {disease}.""".splitlines()
_SENSITIVE = "An HIV test was offered to {person} on {date} and declined, although the {job} had been exposed to the virus."
_PEOPLE = "Mr. Alder|Ms. Rowan|Dr. Okafor|Helen Marsh|Tomas Lind|Mrs. Vance|Priya Nair|J. Whitlock".split("|")
_PLACES = "Albany|Fresno|Leeds|Turin|Dayton|Bergen|Tucson|Halifax".split("|")
_JOBS = "teacher|bus driver|carpenter|librarian|welder|cook|surveyor|violinist".split("|")


def run(_folder: Path) -> bool:
    """The contest, and what one text ten times as long costs."""
    known, _ = notes()
    print(f"\n{len(known):,} notes of {sum(map(len, known)) / len(known):.0f} characters under {POLICY}, one core each")
    _run_alone(OURS)  # ontologies are compiled once on a machine
    told: dict[str, list[dict[str, float]]] = {}
    for name in [OURS, PRESIDIO] * RUNS:
        if (figures := _run_alone(name)) is not None:
            told.setdefault(name, []).append(figures)
    best = {name: {what: min(one[what] for one in runs) for what in runs[0]} for name, runs in told.items()}
    met = True
    for what in ("first", "others", "again"):
        contest = Contest(f"Notes, {what}", {PRESIDIO: 3})
        contest.seconds = {name: figures[what] for name, figures in best.items()}
        met &= contest.report()
        print("  " + ", ".join(f"{name} {len(known) / figures[what]:,.0f} notes/s" for name, figures in best.items()))
    ours = best[OURS]
    met &= _within("First note answered, seconds after the process began", ours["start"], MOST_SECONDS)
    met &= _within("Memory, MB", ours["megabytes"], MOST_MEGABYTES)
    for what, times in (_run_alone(GROWTH) or {}).items():
        met &= _within(f"{what}, ten times the text, times the time", times, MOST_GROWTH)
    return met


def notes() -> tuple[list[str], list[str]]:
    """Notes of people who do not exist, or the paragraphs of such a length in the file that KGSAN_BENCH_TEXT names; and others."""
    if path := os.environ.get("KGSAN_BENCH_TEXT"):
        paragraphs = Path(path).read_text("utf-8").split("\n\n")
        fitting = [text for text in paragraphs if SHORTEST < len(text) < LONGEST]
        return fitting[:NOTES], fitting[NOTES : 2 * NOTES]
    chance = random.Random(0)
    diseases = [
        name for name in kgsan.load_ontology("icd10cm")[0].name_texts() if name.replace(" ", "").isalpha() and len(name) < 30
    ]
    made = []
    for number in range(2 * NOTES):
        text = " ".join([*chance.sample(_SENTENCES, 3 - (number % SENSITIVE == 0)), *[_SENSITIVE] * (number % SENSITIVE == 0)])
        made.append(
            text.format(
                person=chance.choice(_PEOPLE),
                place=chance.choice(_PLACES),
                job=chance.choice(_JOBS),
                disease=chance.choice(diseases).lower(),
                date=f"{chance.randint(1, 12)}/{chance.randint(1, 28)}/20{chance.randint(10, 24)}",
                phone=f"({chance.randint(200, 989)}) 555-0{chance.randint(100, 199)}",
                age=chance.randint(19, 88),
                days=chance.randint(2, 30),
            )
        )
    return made[:NOTES], made[NOTES:]


def _within(what: str, found: float, most: float) -> bool:
    print(f"  {what}: {found:.1f}, wanted at most {most:g}: {'met' if found <= most else 'MISSED'}")
    return found <= most


def _run_alone(name: str) -> dict[str, float] | None:
    """What a process of its own tells of a contender; None when it is not installed."""
    # Its own threads would fight over the core that it has to itself.
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.sanitizing", name, str(time.time())]
    done = subprocess.run(command, env=alone, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  ({name} left out: {(done.stderr.strip().splitlines() or ['it failed'])[-1]})")
        return None
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


# --- in a process of its own --------------------------------------------------------------------------------------------------


def _measure(name: str, began: float) -> dict[str, float]:
    work = {OURS: _kgsan, PRESIDIO: _presidio}[name]()
    work([_SENSITIVE.format(person="Mr. Alder", date="3/4/2021", job="cook")])  # that is more work than a note without it
    figures = {"start": time.time() - began}
    known, others = notes()
    for what, texts in (("first", known), ("others", others), ("again", known)):
        figures[what] = _seconds(partial(work, texts))
    figures["megabytes"] = _megabytes()
    return figures


def _growth() -> dict[str, float]:
    """What one text costs that is ten times as long as another, in all and for each time that it is read."""
    known, _ = notes()
    size = 10 * SMALL
    note = "\n".join(known[:4]) + "\n\n"
    long_texts = {
        "Paragraphs": "\n\n".join(known),
        "One line": " ".join(known),
        "Copies of a note": note * (size // len(note) + 1),
    }
    sanitizer = kgsan.Sanitizer(kgsan.load_policy(POLICY))
    told = {}
    for what, text in long_texts.items():
        sanitizer.sanitize(text[:size])  # its words are asked about once
        parts = text[:SMALL], text[:size]
        # The long text stands amid ten short ones, for the machine is not always as fast; the middle of some rounds counts.
        short, long = (partial(sanitizer.sanitize, part) for part in parts)
        times = [[_seconds(work) for work in (*[short] * 5, long, *[short] * 5)] for _ in range(ROUNDS)]
        told[what] = median(one[5] / mean(one[:5] + one[6:]) for one in times)
        rounds = [sanitizer.sanitize(part).rounds for part in parts]
        if rounds[0] != rounds[1]:
            told[f"{what} (a reading)"] = told[what] * rounds[0] / rounds[1]
    return told


def _seconds(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def _megabytes() -> float:
    """The most memory that this process had; what the system tells of children would count the parent's."""
    try:
        told = Path("/proc/self/status").read_text()
    except OSError:
        return 0.0
    return int(told.partition("VmHWM:")[2].split()[0]) / 1024


def _kgsan() -> Callable[[list[str]], Any]:
    sanitizer = kgsan.Sanitizer(kgsan.load_policy(POLICY))
    return lambda texts: list(sanitizer.sanitize_many(texts))


def _presidio() -> Callable[[list[str]], Any]:
    """The patterns that it looks for unless told otherwise, with a model that only splits words, and what it writes in their place."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine
    from presidio_anonymizer import AnonymizerEngine

    nlp_engine: Any = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "blank"}])
    nlp_engine.nlp = {"en": spacy.blank("en")}
    analyzer, anonymizer = AnalyzerEngine(nlp_engine=nlp_engine, supported_languages=["en"]), AnonymizerEngine()

    def work(texts: list[str]) -> list[str]:
        found = ((text, analyzer.analyze(text, language="en")) for text in texts)
        return [anonymizer.anonymize(text=text, analyzer_results=spans).text for text, spans in found]

    return work


if __name__ == "__main__":
    print(json.dumps(_growth() if sys.argv[1] == GROWTH else _measure(sys.argv[1], float(sys.argv[2]))))
