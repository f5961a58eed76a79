"""A transformer that says whether a word means a concept where it stands, learned from judged words.

    python tools/train_meaning.py MODEL ROWS.yaml... [--running ARTICLES.jsonl.xz...] [--layers 3] [--hold-out] [--write FILE]

MODEL is the folder of all-MiniLM-L6-v2 (`model.safetensors`, `vocab.txt`); its first layers are what learning begins with. Rows
as in `tools/train_senses.py`. With --running, places in running text are learned from first. With --hold-out, one name in ten is
not learned from, and what is learned is measured on them; with --write, the weights go into a file, in whole numbers, as
`kgsan/risk/meant.py` reads them. Needs torch and safetensors.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import load_file
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn import functional
from training.judged import Judge
from training.running import Running

from kgsan.ontology.arrays import ArrayFile, pack
from kgsan.risk.meant import BEFORE, BEHIND, ITSELF, KIND, OF_CONCEPT, VERSION, Meanings
from kgsan.risk.signs import weigh
from kgsan.text.pieces import Pieces
from kgsan.text.transformer import HEADS, LINEAR, MOST, MOST_DOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from training.judged import Row

#: What the head says is learned of so many numbers; it may weigh as much as this, so that its sums stay exact.
_HIDDEN, _MOST_HIDDEN = 96, 57
_PLACES = 56
_BATCH, _WARM, _SMOOTH = 32, 60, 0.02
#: So many pieces before a word and behind it are learned from; where texts are read, fewer do about as well, in less time.
_LEARNED = (22, 16)
#: So many places in running text are learned from.
_PLACES_LEARNED = 24_000
#: The name of each matrix in the model.
_NAMES = dict(
    zip(
        LINEAR,
        (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
            "intermediate.dense",
            "output.dense",
        ),
        strict=True,
    )
)


class Reader(nn.Module):
    """The first layers of a model, and a head that compares what a word means with what a concept is."""

    def __init__(self, weights: dict[str, Tensor], layers: int) -> None:
        super().__init__()
        self.layers = layers
        kept = {name: one for name, one in weights.items() if name.startswith("embeddings.") and "position_ids" not in name}
        kept |= {name: one for at in range(layers) for name, one in weights.items() if name.startswith(f"encoder.layer.{at}.")}
        self.given = nn.ParameterDict({name.replace(".", "/"): nn.Parameter(one.float()) for name, one in kept.items()})
        size = weights["embeddings.LayerNorm.weight"].shape[0]
        self.hidden, self.out = nn.Linear(6 * size, _HIDDEN), nn.Linear(_HIDDEN, 1)

    def weight(self, name: str) -> Tensor:
        return self.given[name.replace(".", "/")]

    def read(self, pieces: Tensor, kind: int) -> Tensor:
        """What each piece of some texts means; pieces below 0 are none."""
        there = pieces >= 0
        rows = self.weight("embeddings.word_embeddings.weight")[pieces.clamp(min=0)]
        rows = rows + self.weight("embeddings.position_embeddings.weight")[: pieces.shape[1]]
        rows = self._norm(rows + self.weight("embeddings.token_type_embeddings.weight")[kind], "embeddings.LayerNorm")
        rows = functional.dropout(rows, 0.1, self.training)
        for at in range(self.layers):
            name = f"encoder.layer.{at}"
            asked, offered, said = (
                self._linear(rows, f"{name}.{_NAMES[one]}").unflatten(2, (HEADS, -1)).transpose(1, 2) for one in LINEAR[:3]
            )
            told = functional.scaled_dot_product_attention(asked, offered, said, attn_mask=there[:, None, None])
            told = self._linear(told.transpose(1, 2).flatten(2), f"{name}.{_NAMES['heard']}")
            rows = self._norm(rows + functional.dropout(told, 0.1, self.training), f"{name}.attention.output.LayerNorm")
            up = functional.gelu(self._linear(rows, f"{name}.{_NAMES['up']}"))
            down = functional.dropout(self._linear(up, f"{name}.{_NAMES['down']}"), 0.1, self.training)
            rows = self._norm(rows + down, f"{name}.output.LayerNorm")
        return rows

    def forward(self, places: tuple[Tensor, Tensor], concepts: Tensor) -> Tensor:
        pieces, marked = places
        rows, meaning = self.read(pieces, 0), self.read(concepts, 1)[:, 0]
        word, whole = (rows * marked[..., None]).sum(1) / marked.sum(1, keepdim=True), rows[:, 0]
        told = torch.cat((word, whole, meaning, word * meaning, (word - meaning).abs(), whole * meaning), dim=1)
        told = functional.dropout(told, 0.2, self.training)
        said: Tensor = self.out(functional.relu(self.hidden(told)))[:, 0]
        return said

    def _linear(self, rows: Tensor, name: str) -> Tensor:
        return functional.linear(rows, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))

    def _norm(self, rows: Tensor, name: str) -> Tensor:
        return functional.layer_norm(rows, rows.shape[-1:], self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), 1e-12)


class Rows:
    """Judged words in pieces."""

    def __init__(self, rows: list[Row], pieces: Pieces, reach: tuple[int, int] = (BEFORE, BEHIND)) -> None:
        self.rows, self._pieces, self._reach = rows, pieces, reach

    def batch(self, chosen: list[int]) -> tuple[tuple[Tensor, Tensor], Tensor, Tensor]:
        """The places, the concepts, and whether they are meant."""
        places, marked, concepts = [], [], []
        for row in [self.rows[one] for one in chosen]:
            of, known = self._pieces.of, self._pieces
            before = of(row.text[: row.start])[-self._reach[0] :]
            itself = of(row.text[row.start : row.end])[:ITSELF] or [known.unknown]
            behind = of(row.text[row.end :])[: self._reach[1]]
            places.append([known.begin, *before, *itself, *behind, known.end])
            marked.append([0] * (1 + len(before)) + [1] * len(itself) + [0] * (len(behind) + 1))
            concepts.append([known.begin, *of(row.described)[:OF_CONCEPT], known.end])
        meant = torch.tensor([float(self.rows[one].meant) for one in chosen])
        return (_padded(places, -1), _padded(marked, 0).float()), _padded(concepts, -1), meant


def main() -> None:
    """Learn, measure and, if asked, write."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("model", type=Path)
    arguments.add_argument("rows", nargs="+", type=Path)
    arguments.add_argument("--running", nargs="*", type=Path, default=[])
    arguments.add_argument("--layers", type=int, default=3)
    arguments.add_argument("--epochs", type=float, default=2.2)
    arguments.add_argument("--rate", type=float, default=2e-4)
    arguments.add_argument("--hold-out", action="store_true")
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    judge = Judge()
    judged = [row for path in given.rows for row in judge.rows(path)]
    left = [given.hold_out and _is_left_out(row) for row in judged]
    learned, others = ([row for row, out in zip(judged, left, strict=True) if out is side] for side in (False, True))
    known = given.model.joinpath("vocab.txt").read_text("utf-8").split("\n")[:-1]
    pieces = Pieces(known)
    reader = Reader(load_file(given.model / "model.safetensors"), given.layers)
    running = Running(judge.stack, judge.guard).rows(given.running)
    places = [row for row in running if not (given.hold_out and _is_left_out(row))]
    if places:
        _learn(reader, Rows(random.sample(places, min(len(places), _PLACES_LEARNED)), pieces, _LEARNED), 1.0, given.rate)
    _learn(reader, Rows(learned, pieces, _LEARNED), given.epochs, given.rate)
    if others:
        _measure(others, _said(reader, Rows(others, pieces)))
    if given.write:
        file = _in_whole_numbers(reader, known)
        file.save(given.write)
        meanings = Meanings(file)
        tried = random.sample(judged, 200)
        exact = np.array([meanings.leaning(row.text, row.start, row.end, row.described) for row in tried])
        print(f"in whole numbers off by {np.abs(exact - _said(reader, Rows(tried, pieces))).mean():.3f} on average")


def _is_left_out(row: Row) -> bool:
    return hashlib.sha256(row.name.lower().encode()).digest()[0] < 26


def _learn(reader: Reader, rows: Rows, epochs: float, rate: float) -> None:
    heads = [*reader.hidden.parameters(), *reader.out.parameters()]
    groups = [{"params": list(reader.given.parameters()), "lr": rate}, {"params": heads, "lr": 5 * rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = int(epochs * len(rows.rows) / _BATCH)
    slope = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda at: min((at + 1) / _WARM, max(0.0, (steps - at) / (steps - _WARM)))
    )
    order: list[int] = []
    reader.train()
    for step in range(steps):
        if len(order) < _BATCH:
            order += random.sample(range(len(rows.rows)), len(rows.rows))
        places, concepts, meant = rows.batch([order.pop(0) for _ in range(_BATCH)])
        with torch.autocast("cpu", torch.bfloat16):
            said = reader(places, concepts)
        loss = functional.binary_cross_entropy_with_logits(said.float(), meant * (1 - 2 * _SMOOTH) + _SMOOTH)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        slope.step()
        if step % 50 == 0:
            print(f"{step} of {steps}: {loss.item():.3f}", flush=True)
    reader.eval()


@torch.no_grad()
def _said(reader: Reader, rows: Rows) -> NDArray[np.float64]:
    found = []
    for first in range(0, len(rows.rows), _BATCH):
        places, concepts, _ = rows.batch(list(range(first, min(first + _BATCH, len(rows.rows)))))
        found.append(reader(places, concepts).double().numpy())
    return np.concatenate(found)


def _measure(rows: list[Row], said: NDArray[np.float64]) -> None:
    """How well names that were not learned from are judged, by the reader, and with the signs, which did learn from them."""
    meant = np.array([row.meant for row in rows])
    signs = np.array([weigh(row.signs) for row in rows])
    for what, scores in (("signs", signs), ("read", said), ("both", 0.42 * signs + 0.67 * said)):
        right = ((scores > 0) == meant).mean()
        print(f"{what}: area {roc_auc_score(meant, scores):.3f}, right {right:.3f} of {len(rows)}")


def _in_whole_numbers(reader: Reader, known: list[str]) -> ArrayFile:
    """The file: the pieces of ASCII letters only, and each matrix with how much a unit of each column weighs."""
    kept = [number for number, piece in enumerate(known) if piece.isascii() and not piece.startswith("[unused")]
    kept = [number for number in kept if known[number] != "[MASK]" and known[number] != "[PAD]"]
    blob, starts = pack(known[number] for number in kept)
    arrays: dict[str, Any] = {"pieces": blob, "starts": starts}
    words = reader.weight("embeddings.word_embeddings.weight").detach().numpy()[kept]
    arrays["words"], arrays["word steps"] = _whole(words, MOST, axis=1)
    arrays["places"] = reader.weight("embeddings.position_embeddings.weight").detach().numpy()[:_PLACES]
    arrays["kinds"] = reader.weight("embeddings.token_type_embeddings.weight").detach().numpy()

    def norm(name: str, weights: str) -> None:
        for part in ("weight", "bias"):
            arrays[f"{name} {part}"] = reader.weight(f"{weights}.{part}").detach().numpy()

    def linear(name: str, weight: Tensor, bias: Tensor, most: int) -> None:
        arrays[f"{name} weight"], arrays[f"{name} steps"] = _whole(weight.detach().numpy().T, most, axis=0)
        arrays[f"{name} bias"] = bias.detach().numpy()

    norm("norm", "embeddings.LayerNorm")
    for at in range(reader.layers):
        layer = f"encoder.layer.{at}"
        for name in LINEAR:
            weight, bias = (reader.weight(f"{layer}.{_NAMES[name]}.{part}") for part in ("weight", "bias"))
            linear(f"{at} {name}", weight, bias, MOST_DOWN if name == "down" else MOST)
        norm(f"{at} heard norm", f"{layer}.attention.output.LayerNorm")
        norm(f"{at} thought norm", f"{layer}.output.LayerNorm")
    linear("hidden", reader.hidden.weight, reader.hidden.bias, _MOST_HIDDEN)
    out, steps = _whole(reader.out.weight.detach().numpy()[0][None], MOST, axis=1)
    arrays["out"] = out
    about = {"layers": reader.layers, "out steps": round(1 / float(steps[0]), 6), "bias": round(float(reader.out.bias[0]), 6)}
    flat = {name: array.reshape(-1) for name, array in arrays.items()}
    return ArrayFile(
        KIND, VERSION, about, {name: one.astype("<f8") if one.dtype.kind == "f" else one for name, one in flat.items()}
    )


def _whole(matrix: NDArray[np.float32], most: int, axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix in whole numbers, and how much one is, of each row or column."""
    steps = np.abs(matrix).max(axis=axis, keepdims=True) / most
    return np.rint(matrix / steps).astype(np.int8), steps.reshape(-1)


def _padded(rows: list[list[int]], with_what: int) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [with_what] * (longest - len(row)) for row in rows])


if __name__ == "__main__":
    main()
