"""How byte-pair encoding made the pieces of a text: merge after merge, as it learnt them."""

import itertools
import json
from dataclasses import dataclass
from typing import Literal

from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.tokenizer import BYTES, Tokenizer

AssemblyKind = Literal["merges", "characters", "other"]
_BYTES = frozenset(BYTES)


@dataclass(frozen=True)
class Merge:
    """Two symbols joined: the merge's number as it was learnt, from 1, and what stood after it."""

    left: str
    right: str
    number: int
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class TokenizedPart:
    """What is tokenised by itself: the places of its tokens, its symbols, and what joined them."""

    places: tuple[int, ...]
    symbols: tuple[str, ...]
    merges: tuple[Merge, ...]


@dataclass(frozen=True)
class Assembly:
    """How a tokenizer makes pieces: by merges (how many), of single characters, or in another way.

    Only merges have parts, those of the text in their order.
    """

    kind: AssemblyKind
    learnt: int = 0
    parts: tuple[TokenizedPart, ...] = ()


def assembly_of(tokenizer: Tokenizer, text: str) -> Assembly:
    """How the pieces of a source came about.

    What the library itself made of the text is the measure: where the merges lead to other pieces,
    as with rules that it knows beside them, the kind is "other".
    """
    model = json.loads(tokenizer.to_json())["model"]
    if model["type"] != "BPE":
        return Assembly("other")
    pairs = [tuple(pair.split(" ") if isinstance(pair, str) else pair) for pair in model["merges"]]
    if not pairs:
        return Assembly("characters")
    ranks = {pair: number for number, pair in enumerate(pairs, 1)}
    parts = []
    for places, pieces in tokenizer.parts(text):
        symbols = tuple(
            symbol for piece in pieces for symbol in ([piece] if piece in _BYTES else piece)
        )
        merges = _merged(symbols, ranks)
        if (merges[-1].symbols if merges else symbols) != pieces:
            return Assembly("other")
        parts.append(TokenizedPart(places, symbols, merges))
    return Assembly("merges", len(pairs), tuple(parts))


def _merged(symbols: tuple[str, ...], ranks: dict[tuple[str, ...], int]) -> tuple[Merge, ...]:
    """Joins the pair that was learnt first, the leftmost one, until none is left."""
    merges: list[Merge] = []
    while True:
        known = [
            (ranks[pair], at)
            for at, pair in enumerate(itertools.pairwise(symbols))
            if pair in ranks
        ]
        if not known:
            return tuple(merges)
        number, at = min(known)
        left, right = symbols[at : at + 2]
        symbols = (*symbols[:at], left + right, *symbols[at + 2 :])
        merges.append(Merge(left, right, number, symbols))


def source_assembly(model: Model, text: str) -> Assembly:
    """How a model's tokenizer made the pieces of a source; "other" for foreign tokenizers."""
    if not isinstance(model, OwnModel):
        return Assembly("other")
    return assembly_of(model.checkpoint.source_tokenizer, text)
