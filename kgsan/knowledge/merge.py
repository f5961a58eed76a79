"""Several knowledge files as one: the contexts of all, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.knowledge.build import FREQUENT, KIND, VERSION
from kgsan.knowledge.postings import decode_all, encode
from kgsan.ontology.arrays import ArrayFile

if TYPE_CHECKING:
    from collections.abc import Sequence


def merge(files: Sequence[ArrayFile], about: dict[str, Any]) -> ArrayFile:
    """The counts of all files added up. A name whose contexts one of them does not list keeps its count only."""
    keys = np.unique(np.concatenate([file["keys"] for file in files]))
    counts = np.zeros(len(keys), dtype=np.int64)
    listed = np.ones(len(keys), dtype=bool)
    owners, contexts = [], []
    before = 0
    for file in files:
        at = np.searchsorted(keys, file["keys"])
        counts[at] += file["counts"]
        sizes = np.diff(file["starts"])
        listed[at[(sizes == 0) & (file["counts"] > 0)]] = False
        owner, context = decode_all(file["postings"], file["starts"])
        owners.append(at[owner])
        contexts.append(context + before)
        before += int(file.about["contexts"])
    listed &= counts <= FREQUENT * before
    owner, context = np.concatenate(owners), np.concatenate(contexts)
    kept = listed[owner]
    order = np.lexsort((context[kept], owner[kept]))
    owner, context = owner[kept][order], context[kept][order]
    names, renamed = np.unique(owner, return_inverse=True)
    data, begins = encode(renamed, context)
    sizes = np.zeros(len(keys), dtype=np.int64)
    sizes[names] = np.diff(begins)
    arrays = {
        "keys": keys,
        "counts": counts.astype(np.uint32),
        "postings": data,
        "starts": np.append(0, np.cumsum(sizes)).astype(np.int64),
    }
    return ArrayFile(KIND, VERSION, {**about, "contexts": before, "names": len(keys)}, arrays)
