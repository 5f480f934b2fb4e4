"""What changes when the order of the words or the positions do, and what cannot.

Everything goes through the model itself: a model around the same weights gets other positions, or
none, and is run as the model is run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import torch

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.decoding.choosing import choose
from model_core.decoding.queue import check_time
from model_core.models.protocol import Model
from model_core.studies.compare import Comparison, WeightChange, compare
from model_core.studies.full_pass import SentencePass, rows_at_once, sentence_pass
from model_core.values.edits import Edits
from model_core.values.recipe import MAX_TARGET, Settings, Strategy
from model_core.values.trace import COLUMNS, ROWS, Side, Site, Tokens, copied, frozen
from model_core.values.verdict import Verdict, verdict

MOST_DOUBLE = 150_000_000  # parameters of a model that is copied in float64

Reason = Literal["positions", "causal", "tied", "pairs", "joined", "asks", "dropout", "place"]


@dataclass(frozen=True)
class Translated:
    """A translation as text."""

    text: str
    is_cut: bool  # the limit of steps ended it
    written: Tokens = field(compare=False)  # what was chosen, which the text says
    before: tuple[int, ...]  # the tokens of the target before it


@dataclass(frozen=True, eq=False)
class Effect:
    """One sentence as it was, and with its tokens or their positions changed."""

    before: SentencePass
    after: SentencePass
    put_back: SentencePass  # `after`, its rows and columns in the order of `before`
    comparison: Comparison  # of `before` and `put_back`
    # Why order can matter to this model as it is edited; None where it cannot.
    reason: Reason | None
    # What must be the same up to rounding, whatever the weights are.
    cannot_change: frozenset[tuple[Site, int]]  # sub-layers, by site and layer

    def verdict_of(self, change: WeightChange) -> Verdict:
        """What may be said of the weights of a sub-layer."""
        return verdict(change.largest, (change.site, change.layer) in self.cannot_change)

    @property
    def of_predictions(self) -> Verdict:
        """What may be said of the predictions."""
        moved = self.comparison.predictions
        return verdict(0.0 if moved is None else float(moved.largest_T.max()), self.reason is None)


@torch.inference_mode()
def effect(
    model: Model,
    source: Tokens,
    target_ids: Sequence[int],
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    double: bool = False,
    cache: StudyCache = NO_CACHE,
    edits: Edits = (),
) -> Effect:
    """The same sentence twice: as it is, and with token order[t] standing at place t.

    Place t has position rows[t], by default t. Without `positions` both runs have none. `double`
    computes in float64, where rounding is nine digits smaller. `cache`, of this model alone,
    keeps the runs. `edits` are those that the model has already. The source of a model that only
    writes is how its target begins.
    """
    rows = None if rows is None or not positions else tuple(rows)
    alone = model.anatomy.kind == "decoder"
    more = tuple(target_ids)[len(source) :] if alone else tuple(target_ids)

    def run(tokens: Tokens, rows: tuple[int, ...] | None) -> SentencePass:
        fed = (*tokens.ids, *more) if alone else more
        return cache.of(
            ("order", positions, double, tokens.ids, rows, fed),
            lambda: sentence_pass(model.placed(rows, positions, double), tokens, fed),
        )

    before, after = run(source, None), run(_taken(source, order), rows)
    put_back = _put_back(after, source, order, model.anatomy.predicting, alone)
    places = list(range(len(source)))
    untouched = list(order) == places and (rows is None or list(rows) == places)
    reason: Reason | None = None
    if not untouched and positions and model.anatomy.positions != "none":
        reason = "positions"
    elif not untouched:
        reason = _reason(model, edits, order, before, put_back)
    comparison = compare(before, put_back)
    cannot = frozenset(
        (change.site, change.layer)
        for change in comparison.weights
        # Beside cross-attention, the first self-attention has read nothing of the source; and what
        # cross-attention asks with reaches no encoder.
        if reason is None
        or (change.site == "decoder" and change.layer == 0 and not alone)
        or (change.site == "encoder" and reason == "asks")
    )
    return Effect(before, after, put_back, comparison, reason, cannot)


def _reason(
    model: Model, edits: Edits, order: Sequence[int], before: SentencePass, after: SentencePass
) -> Reason | None:
    """Why an order of the source can matter without positions; None where none can.

    A causal mask tells an order. So does hard attention, which takes the first of the keys that
    score highest, and equal tokens tie; what is added marks the second of two sentences. Where
    heads are split or joined as they lie, or the source asks in cross-attention, a row holds what
    stood at other places; dropout draws for every place, and some edits name one.
    """
    anatomy, S = model.anatomy, len(order)
    named = [edit.token for edit in edits if edit.kind in ("hide", "zero-value")]
    one, other = before.segment_SD, after.segment_SD
    holds: dict[Reason, bool] = {
        "causal": anatomy.kind == "decoder" and all(edit.causal != "none" for edit in edits),
        "tied": model.facts["attention"] != "soft",
        "pairs": one is not None and other is not None and not np.array_equal(one, other),
        "joined": not {"split", "joined"}.isdisjoint(anatomy.unusual),
        "asks": "cross_queries" in anatomy.unusual,
        "dropout": any(edit.kind == "dropout" for edit in edits),
        "place": any(order[place] != place for place in named if place < S),
    }
    return next((reason for reason, found in holds.items() if found), None)


def translation(
    model: Model,
    source: Tokens,
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    cache: StudyCache = NO_CACHE,
    most_steps: int = MAX_TARGET,
    settings: Settings = (),
) -> Translated:
    """What the model writes by greedy search with the tokens, or their positions, changed.

    `cache` is that of `effect`.
    """
    rows = None if rows is None or not positions else tuple(rows)
    moved = _taken(source, order)
    return cache.of(
        ("translation", positions, moved.ids, rows, most_steps, settings),
        lambda: _greedy(model.placed(rows, positions), moved, most_steps, settings),
    )


def _greedy(model: Model, source: Tokens, most_steps: int, settings: Settings) -> Translated:
    state, never = model.start(source, settings), model.anatomy.special.never
    # Far longer than the source it is only repeating itself.
    enough = 2 * len(source) + 7
    for _ in range(min(enough, most_steps)):
        if state.decoding.finished is not None:
            break
        check_time()
        token, how = choose(state.decoding.step, Strategy(), never)
        state = model.advance(state, token, how)
    is_cut = state.decoding.finished is None and most_steps < enough
    written = [choice.token for choice in state.decoding.chosen]
    before = state.decoding.target.ids[: state.decoding.prompt]
    return Translated(model.text(written), is_cut, model.labels(written), before)


@torch.inference_mode()
def first_to_change(
    model: Model, source: Tokens, orders: Sequence[Sequence[int]], typed: Translated
) -> int | None:
    """The place of the first of several orders of the source that changes its translation.

    `typed` is what the model writes of the source as it is. Greedy search writes the same where it
    would choose the same token after each of these, which one pass says of all orders. None where
    it would under every order, and where nothing is written. What leaves the tokens as they are,
    as two equal words that change places, is not run, and what makes the same of them only once.
    """
    written = typed.written.ids
    if not orders or not written or not typed.before:
        return None
    fed = (*typed.before, *written)[:-1]
    never = list(model.anatomy.special.never)
    first_of = {source.ids: -1}
    for place, order in enumerate(orders):
        first_of.setdefault(_taken(source, order).ids, place)
    others = list(first_of)[1:]
    most = rows_at_once(model, fed)
    for first in range(0, len(others), most):
        check_time()
        sources = others[first : first + most]
        passed = model.full_pass(sources, [fed] * len(sources))
        logits_BTV = np.array(copied(passed.logits_BTV)[:, len(typed.before) - 1 :])
        logits_BTV[..., never] = -np.inf
        changed_B = (logits_BTV.argmax(-1) != np.array(written)).any(-1)
        if changed_B.any():
            return first_of[sources[int(changed_B.argmax())]]
    return None


@dataclass(frozen=True, eq=False)
class _Made(Sequence[np.ndarray]):
    """Layers, each changed when it is read: all at once would be as much memory again."""

    layers: Sequence[np.ndarray]
    change: Callable[[np.ndarray], np.ndarray]

    def __len__(self) -> int:
        return len(self.layers)

    def __getitem__(self, layer: Any) -> Any:
        return frozen(self.change(self.layers[layer]))


def _put_back(
    run: SentencePass, source: Tokens, order: Sequence[int], predicting: Side, alone: bool
) -> SentencePass:
    """The run with what belongs to a token of the source where that token stood before."""
    place_S = np.argsort(np.array(order))

    def back(array: np.ndarray, axis: int, side: Side) -> np.ndarray:
        if side == "target" and not alone:
            return array
        rest = np.arange(len(place_S), array.shape[axis])
        return np.take(array, np.concatenate([place_S, rest]), axis)

    def both(site: Site, layers: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        return _Made(layers, lambda one: back(back(one, -2, ROWS[site]), -1, COLUMNS[site]))

    segment_SD = run.segment_SD
    return replace(
        run,
        source=source,
        weights={site: both(site, layers) for site, layers in run.weights.items()},
        allowed={site: both(site, layers) for site, layers in run.allowed.items()},
        log_probabilities_TV=frozen(back(run.log_probabilities_TV, 0, predicting)),
        segment_SD=None if segment_SD is None else frozen(back(segment_SD, 0, "source")),
    )


def _taken(tokens: Tokens, order: Sequence[int]) -> Tokens:
    return Tokens(*(tuple(values[i] for i in order) for values in vars(tokens).values()))
