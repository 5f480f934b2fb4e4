"""Beam search: the most probable translations that a search of a given width finds.

Many sentences are searched at once; which tokens are found for one does not depend on the others.
A beam of width 1 is greedy decoding. `decode_with_beam` translates many sources to score a model;
`search_from` goes on from the state that is on the page.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import torch

from model_core.decoding.queue import check_time
from model_core.models.own import fed
from model_core.models.protocol import Hypotheses
from model_core.models.state import Batched
from model_core.transformer.evaluating import evaluating
from model_core.transformer.padding import pad_rows
from model_core.transformer.passes import no_past
from model_core.transformer.transformer import Transformer
from model_core.values.beam_tree import Ending, Fate, Rule

_RULE = Rule()
ALPHA = _RULE.alpha
_ROWS = 256  # hypotheses decoded together: many more do not fit into a core's cache


@dataclass(frozen=True)
class Hypothesis:
    """A translation that a search found, and how good the model finds it."""

    tokens: tuple[int, ...]  # without start and end
    end: int | None  # the token that ended it; None where the limit cut it off
    log_probability: float  # nats, of all tokens, the end token among them
    score: float  # the same over the length penalty: what the search compares

    @property
    def written(self) -> tuple[int, ...]:
        """The tokens with the one that ended them."""
        return self.tokens if self.end is None else (*self.tokens, self.end)


@dataclass(frozen=True)
class Before:
    """What was chosen before a search, in every sentence."""

    tokens: int = 0
    log_probability: float = 0.0  # nats, of those
    given: int = 0  # tokens of the prompt that count as written in the length penalty


_NOTHING = Before()


class SearchSpace(NamedTuple):
    """What a search in one sentence goes on from; see `search_from`."""

    start: Hypotheses
    limit: int
    never: tuple[int, ...]
    ends: tuple[int, ...]
    rule: Rule = _RULE
    before: Before = _NOTHING


def output_limit(source_tokens: int, max_positions: int) -> int:
    """The largest number of tokens in an output: twice the source's, end included, and 16 more.

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
    outputs: list[tuple[int, ...]] = [()] * len(sources)
    for block in of_like_length(sources, max(1, rows // width)):
        found = search(model, [sources[row] for row in block], width, alpha)
        for row, hypotheses in zip(block, found, strict=True):
            outputs[row] = hypotheses[0].tokens
    return tuple(outputs)


def of_like_length(sources: Sequence[Sequence[int]], rows: int = _ROWS) -> Iterator[Sequence[int]]:
    """The places of the sources in blocks of at most `rows`, each of similar length."""
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    for first in range(0, len(order), rows):
        yield order[first : first + rows]


@evaluating
@torch.inference_mode()
def search(
    model: Transformer, sources: Sequence[Sequence[int]], width: int, alpha: float = ALPHA
) -> list[tuple[Hypothesis, ...]]:
    """For every source up to `width` hypotheses, the best first."""
    special, (start, limits) = model.config.special, started(model, sources)
    return search_from(start, limits, width, special.never, special.ends, Rule(alpha))


def started(model: Transformer, sources: Sequence[Sequence[int]]) -> tuple[Batched, list[int]]:
    """Every source with nothing written yet, and how many tokens its output may have."""
    config, device = model.config, model.device
    encoded = model.encode(pad_rows(sources, config.pad_id).to(device))
    start_N1 = torch.full((len(sources), 1), config.start_id, device=device)
    first = fed(model, start_N1, encoded, no_past(config.decoder_layers))
    limits = [output_limit(len(source), config.longest_target(len(source))) for source in sources]
    feed, logits_NV = partial(fed, model), first.logits_NTV[:, -1]
    return Batched(feed, encoded, first.past, logits_NV, start_N1), limits


def search_from(
    start: Hypotheses,
    limits: Sequence[int],
    width: int,
    never: Sequence[int],
    ends: Sequence[int],
    rule: Rule = _RULE,
    before: Before = _NOTHING,
) -> list[tuple[Hypothesis, ...]]:
    """For every row up to `width` hypotheses, the best first, without what came before.

    `limits` are in tokens, with those that came before. No hypothesis holds one of `never`; each of
    `ends` ends one.

    A hypothesis that ends is finished; the `width` best of the others live on. The search of a
    sentence is over when the rule says so, or at its limit; what lives then counts only where
    nothing is finished, unless the rule is one of `generate`.
    """
    beams = [Beam(limit, width, rule, before) for limit in limits]
    for _ in stepping(beams, start, never, ends):
        pass
    return [beam.result() for beam in beams]


@torch.inference_mode()
def stepping(
    beams: Sequence["Beam"], start: Hypotheses, never: Sequence[int], ends: Sequence[int]
) -> Iterator[None]:
    """Step searches that nothing was done in yet, one for each row, until all are over.

    It yields after every step: what became of a beam's candidates is in the beam.
    """
    width = beams[0].width if beams else 1
    living, logits_NV = start, start.logits_NV
    places = list(range(len(beams)))  # the beam that each group of rows belongs to
    excluded = torch.tensor(list(never), dtype=torch.long, device=logits_NV.device)
    several = max(2, 1 + len(ends)) * width  # so that `width` live on, whatever ends
    group = 1  # rows of one beam; before the first choice all its hypotheses are the same
    while places:
        check_time()
        # Candidates are ranked by logits, as greedy decoding ranks them, and added up in float64.
        norm_N1 = 0 if living.ruled else logits_NV.double().logsumexp(dim=-1, keepdim=True)
        logits_NV = logits_NV.index_fill(1, excluded, -math.inf)
        best_NK, tokens_NK = logits_NV.topk(min(several, logits_NV.shape[1]), dim=-1)
        nats_NK = (best_NK.double() - norm_N1).tolist()
        ids_NK = tokens_NK.tolist()
        rows, newest, kept = [], [], []
        for number, place in enumerate(places):
            own = slice(number * group, (number + 1) * group)
            chosen = beams[place].advance(ids_NK[own], nats_NK[own], ends)
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

    def __init__(self, limit: int, width: int, rule: Rule, before: Before):
        self.limit, self.width, self.rule = limit, width, rule
        self.before, self.length = before, before.tokens
        self.living: list[tuple[float, tuple[int, ...]]] = [(before.log_probability, ())]
        self.finished: list[Hypothesis] = []

    def advance(
        self, ids_NK: list[list[int]], nats_NK: list[list[float]], ends: Sequence[int]
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
        cut = self.length >= self.limit and self.rule.stops != "best"
        for rank, (total, row, token) in enumerate(candidates):
            if cut and rank >= self.width:
                break
            if token not in ends:
                fates.append("kept")
                living.append((total, row, token))
                if len(living) == self.width:
                    break
            elif rank < self.width:
                fates.append("finished")
                self.finished.append(self._hypothesis(total, self.living[row][1], token))
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
        found = self.finished or [self._hypothesis(total, tokens) for total, tokens in self.living]
        return tuple(sorted(found, key=lambda one: -one.score)[: self.width])

    def divisor(self, tokens: int) -> float:
        """What a total is divided by; tokens before the search are counted too."""
        return self.rule.divisor(self.before.given + tokens)

    def _is_over(self) -> bool:
        whole = len(self.finished) >= self.width
        over: dict[Ending, bool] = {
            "nothing": not self.living,
            "limit": self.length >= self.limit,
            "enough": whole and (self.rule.stops in ("best", "full") or self.width == 1),
            "best": self.rule.stops == "best" and self._is_best(),
            "likely": whole and self.rule.stops == "likely" and self._is_beaten(self.length),
            "bound": whole and self.rule.stops == "never" and self._is_beaten(self._farthest),
        }
        ending = next((ending for ending, holds in over.items() if holds), None)
        if ending is None:
            return False
        self.ending = ending
        if ending == "limit" and self.rule.stops != "best":
            self.finished += [self._hypothesis(*one) for one in self.living]
        return True

    def _is_best(self) -> bool:
        """Whether no living hypothesis can become better than the best that is finished.

        More tokens only lower a log-probability; what it is divided by helps most at the limit, or
        where the penalty favours the short, now.
        """
        if not self.living or not self.finished:
            return False
        bound = self.living[0][0] / self.divisor(self._farthest)
        return max(one.score for one in self.finished) >= bound

    def _is_beaten(self, length: int) -> bool:
        """Whether the best living one, at this length, is no better than the worst that counts."""
        scores = sorted((one.score for one in self.finished), reverse=True)
        return (
            bool(self.living) and self.living[0][0] / self.divisor(length) <= scores[self.width - 1]
        )

    @property
    def _farthest(self) -> int:
        """The length at which the penalty helps most."""
        return self.limit if self.rule.alpha > 0 else self.length

    def _hypothesis(
        self, total: float, tokens: tuple[int, ...], end: int | None = None
    ) -> Hypothesis:
        length = self.before.tokens + len(tokens) + (end is not None)
        return Hypothesis(tokens, end, total, total / self.divisor(length))
