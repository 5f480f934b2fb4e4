"""Beam search: the most probable translations that a search of a given width finds.

Many sentences are searched at once; which tokens are found for one does not depend on the others.
A beam of width 1 is greedy decoding.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from model_core.data.corpus import pad_rows
from model_core.decoding.queue import check_time
from model_core.models.batched import Batched
from model_core.models.protocol import Hypotheses
from model_core.transformer.evaluating import evaluating
from model_core.transformer.transformer import Transformer
from model_core.values.beam_tree import Ending, Fate

ALPHA = 0.6  # of the length penalty, at least 0; within the range Wu et al. 2016 recommend
_ROWS = 256  # hypotheses decoded together: many more do not fit into a core's cache


@dataclass(frozen=True)
class Hypothesis:
    """A translation that a search found, and how good the model finds it."""

    tokens: tuple[int, ...]  # without start and end
    ended: bool  # False where the limit cut it off
    log_probability: float  # nats, of all tokens, the end token among them
    score: float  # the same over the length penalty: what the search compares


@dataclass(frozen=True)
class Before:
    """What was chosen before a search, in every sentence."""

    tokens: int = 0
    log_probability: float = 0.0  # nats, of those


_NOTHING = Before()


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6) ** alpha (Wu et al. 2016, equation 14); the end token counts.

    A score is the log-probability over this: with alpha 0 it is the log-probability itself, and a
    larger alpha favours longer translations. `generate` of transformers divides by length ** alpha
    instead, so that the two agree at 0 only.
    """
    return ((5 + length) / 6) ** alpha


def output_limit(source_tokens: int, max_positions: int) -> int:
    """The largest number of tokens in an output: twice those of its source, end included, and 16.

    It depends on nothing but the source and the model, so neither does an output.
    """
    return min(2 * source_tokens + 16, max_positions)


def decode_with_beam(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    width: int,
    alpha: float = ALPHA,
    rows: int = _ROWS,
) -> tuple[tuple[int, ...], ...]:
    """The ids of the best hypothesis for every source, without the end token.

    The sources hold their end token. Those of like length are searched together, at most `rows`
    hypotheses at once.
    """
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    outputs: list[tuple[int, ...]] = [()] * len(sources)
    size = max(1, rows // width)
    for first in range(0, len(order), size):
        block = order[first : first + size]
        found = search(model, [sources[row] for row in block], width, alpha)
        for row, hypotheses in zip(block, found, strict=True):
            outputs[row] = hypotheses[0].tokens
    return tuple(outputs)


@evaluating
@torch.inference_mode()
def search(
    model: Transformer, sources: Sequence[Sequence[int]], width: int, alpha: float = ALPHA
) -> list[tuple[Hypothesis, ...]]:
    """For every source up to `width` hypotheses, the best first."""
    config, device = model.config, model.device
    encoded = model.encode(pad_rows(sources, config.pad_id).to(device))
    start_BT = torch.full((len(sources), 1), config.start_id, device=device)
    passed = model.decode(start_BT, encoded)
    start = Batched(model, encoded, passed.past, passed.logits_BTV[:, -1])
    limits = [output_limit(len(source), config.longest_target(len(source))) for source in sources]
    return search_from(start, limits, width, config.special.never, config.end_id, alpha)


def search_from(
    start: Hypotheses,
    limits: Sequence[int],
    width: int,
    never: Sequence[int],
    end: int | None,
    alpha: float = ALPHA,
    before: Before = _NOTHING,
) -> list[tuple[Hypothesis, ...]]:
    """For every row up to `width` hypotheses, the best first, without what came before.

    `limits` are in tokens, with those that came before. No hypothesis holds one of `never`; `end`
    ends one.

    A hypothesis that ends is finished; the `width` best of the others live on. The search of a
    sentence is over when `width` hypotheses are finished, when no living one can become better
    than the best of these, or at its limit; what lives then counts only where nothing is finished.
    """
    beams = [Beam(limit, width, alpha, before) for limit in limits]
    for _ in stepping(beams, start, never, end):
        pass
    return [beam.result() for beam in beams]


@torch.inference_mode()
def stepping(
    beams: Sequence["Beam"], start: Hypotheses, never: Sequence[int], end: int | None
) -> Iterator[None]:
    """Step searches that nothing was done in yet, one for each row, until all are over.

    It yields after every step: what became of a beam's candidates is in the beam.
    """
    width = beams[0].width if beams else 1
    living, logits_NV = start, start.logits_NV
    places = list(range(len(beams)))  # the beam that each group of rows belongs to
    excluded = torch.tensor(list(never), dtype=torch.long, device=logits_NV.device)
    group = 1  # rows of one beam; before the first choice all its hypotheses are the same
    while places:
        check_time()
        # Candidates are ranked by logits, as greedy decoding ranks them, and added up in float64.
        norm_N1 = logits_NV.double().logsumexp(dim=-1, keepdim=True)
        logits_NV = logits_NV.index_fill(1, excluded, -math.inf)
        several = min(2 * width, logits_NV.shape[1])
        best_NK, tokens_NK = logits_NV.topk(several, dim=-1)
        nats_NK = (best_NK.double() - norm_N1).tolist()
        ids_NK = tokens_NK.tolist()
        rows, newest, kept = [], [], []
        for number, place in enumerate(places):
            own = slice(number * group, (number + 1) * group)
            chosen = beams[place].advance(ids_NK[own], nats_NK[own], end)
            if chosen:
                kept.append(place)
                rows += [number * group + parent for parent, _ in chosen]
                newest += [token for _, token in chosen]
        yield
        if not kept:
            break
        living = living.fed(rows, newest)
        logits_NV = living.logits_NV
        places, group = kept, width


class Beam:
    """The search of one sentence: the hypotheses that live and those that are finished."""

    # What became of the last step's candidates (total, row, token), the best first; those beyond
    # the last fate were pruned.
    ranked: Sequence[tuple[float, int, int]] = ()
    fates: Sequence[Fate] = ()
    ending: Ending = "limit"  # why the search ended, once it has

    def __init__(self, limit: int, width: int, alpha: float, before: Before):
        self.limit, self.width, self.alpha = limit, width, alpha
        self.before, self.length = before, before.tokens
        self.living: list[tuple[float, tuple[int, ...]]] = [(before.log_probability, ())]
        self.finished: list[Hypothesis] = []

    def advance(
        self, ids_NK: list[list[int]], nats_NK: list[list[float]], end_id: int | None
    ) -> list[tuple[int, int]]:
        """The rows to go on with and the token that each is fed: `width` pairs, or none at the end.

        Where fewer hypotheses live, the last one is fed again and what comes of it is ignored.
        """
        self.length += 1
        candidates = [
            (total + nats, row, token)
            for row, (total, _) in enumerate(self.living)
            for token, nats in zip(ids_NK[row], nats_NK[row], strict=True)
            if nats > -math.inf
        ]
        candidates.sort(key=lambda candidate: -candidate[0])  # of equals the earlier row is first
        living: list[tuple[float, int, int]] = []
        fates: list[Fate] = []
        for rank, (total, row, token) in enumerate(candidates):
            if token != end_id:
                fates.append("kept")
                living.append((total, row, token))
                if len(living) == self.width:
                    break
            elif rank < self.width:
                fates.append("finished")
                self.finished.append(self._hypothesis(total, self.living[row][1], ended=True))
            else:
                fates.append("pruned")
        self.ranked, self.fates = candidates, fates
        self.living = [(total, (*self.living[row][1], token)) for total, row, token in living]
        if self._is_over():
            return []
        chosen = [(row, token) for _, row, token in living]
        return chosen + chosen[-1:] * (self.width - len(chosen))

    def result(self) -> tuple[Hypothesis, ...]:
        """The finished hypotheses, the best first; the living ones where none is finished."""
        found = self.finished or [
            self._hypothesis(total, tokens, ended=False) for total, tokens in self.living
        ]
        return tuple(sorted(found, key=lambda one: -one.score)[: self.width])

    def _is_over(self) -> bool:
        over: dict[Ending, bool] = {
            "nothing": not self.living,
            "limit": self.length >= self.limit,
            "enough": len(self.finished) >= self.width,
        }
        for ending, holds in over.items():
            if holds:
                self.ending = ending
                return True
        # More tokens only lower a log-probability; at its limit a hypothesis is divided by most.
        bound = self.living[0][0] / length_penalty(self.limit, self.alpha)
        self.ending = "best"
        return bool(self.finished) and max(one.score for one in self.finished) >= bound

    def _hypothesis(self, total: float, tokens: tuple[int, ...], ended: bool) -> Hypothesis:
        length = self.before.tokens + len(tokens) + ended
        return Hypothesis(tokens, ended, total, total / length_penalty(length, self.alpha))
