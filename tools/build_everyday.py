"""Words that everyone uses in small letters, counted in a corpus: `python tools/build_everyday.py CORPUS... > everyday.txt`.

A corpus is a `.jsonl.xz` file of `{"title", "paragraphs"}` lines. Only counts leave this program: a word is listed when
it is often written in small letters where a sentence does not begin, and not mostly in capitals. The most frequent
word stands first.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections import Counter

#: A word counts as everyday from so many occurrences in small letters, and when so many of all are.
_OFTEN = 25
_SHARE = 0.15
_INSIDE = re.compile(r"(?<=[\w,;] )(?<![\w'])[A-Za-z]{1,20}(?!['\w])")


def main(paths: list[str]) -> None:
    """Print the list."""
    counts: Counter[str] = Counter()
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                for paragraph in json.loads(line)["paragraphs"]:
                    counts.update(_INSIDE.findall(paragraph))
    every: Counter[str] = Counter()
    for word, count in counts.items():
        every[word.lower()] += count
    kept = [word for word in every if counts[word] >= _OFTEN and counts[word] >= _SHARE * every[word]]
    for word in sorted(kept, key=lambda w: (-counts[w], w)):
        print(word)


if __name__ == "__main__":
    main(sys.argv[1:])
