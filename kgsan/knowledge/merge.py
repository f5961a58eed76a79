"""Several knowledge files as one: the contexts of all, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.knowledge.build import KIND, VERSION
from kgsan.knowledge.opened import begins_of, contexts_of, in_portions
from kgsan.knowledge.postings import encode
from kgsan.ontology.arrays import ArrayFile

if TYPE_CHECKING:
    from collections.abc import Sequence


def merge(files: Sequence[ArrayFile], about: dict[str, Any]) -> ArrayFile:
    """The counts of all files added up."""
    keys = np.unique(np.concatenate([file["keys"] for file in files]))
    bound = sum(int(file.about["contexts"]) for file in files)
    owners, contexts = [], []
    before = 0
    for file in files:
        counts = file["counts"].astype(np.int64)
        owners.append(np.repeat(np.searchsorted(keys, file["keys"]), counts))
        begins = begins_of(file)
        contexts += [contexts_of(file, begins, rows) + before for rows in in_portions(begins, np.arange(len(counts)))]
        before += int(file.about["contexts"])
    owner, context = np.concatenate(owners), np.concatenate([np.zeros(0, np.int64), *contexts])
    order = np.lexsort((context, owner))
    arrays = {
        "keys": keys,
        "counts": np.bincount(owner, minlength=len(keys)).astype(np.uint32),
        "postings": encode(owner[order], context[order], bound),
    }
    return ArrayFile(KIND, VERSION, {**about, "contexts": bound, "names": len(keys)}, arrays)
