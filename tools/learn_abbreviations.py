"""Words that seem to be abbreviations, learnt from a corpus by nltk's Punkt: candidates for `kgsan/text/abbreviations.txt`.

`python tools/learn_abbreviations.py CORPUS...`, each a `.jsonl.xz` file of `{"title", "paragraphs"}` lines. A person
decides which of them go into the list.
"""

from __future__ import annotations

import json
import lzma
import sys

from nltk.tokenize.punkt import PunktTrainer


def main(paths: list[str]) -> None:
    """Print the candidates, the surest first."""
    trainer = PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = False
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                trainer.train("\n\n".join(json.loads(line)["paragraphs"]), finalize=False)
    trainer.finalize_training()
    print(*sorted(trainer.get_params().abbrev_types), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
