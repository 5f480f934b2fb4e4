"""What the room Positions is answered about order: words and positions that change places."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from model_core.errors import RecipeError
from model_core.studies.checks import check_place
from model_core.values.recipe import Recipe
from model_core.values.trace import COLUMNS, ROWS, Side, Site, Tokens, largest
from model_core.values.verdict import Verdict
from viz_app.rooms.axes import axes_of
from viz_app.rooms.compare.aligned import words_beside, words_written
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.positions.view import PositionsView
from viz_app.rooms.room import Answer, cut_notice
from viz_app.rooms.swapping import movable, swapped_words, swaps, tokens_in
from viz_app.values.tables import TableOf
from viz_app.values.wire import Floats, Mask, Noticed

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.studies.full_pass import SentencePass
    from model_core.studies.order import Effect

CANDIDATES = 5


class Likely(TypedDict):
    """A token and its probability."""

    token: int
    piece: str
    text: str
    kind: str
    probability: float


class _Change(TypedDict):
    site: Site
    layer: int
    largest: float
    verdict: Verdict


class _Maps(TypedDict):
    """Weights of one head, and which cells a mask left open, (Q, K) each.

    A cell of the difference is open where it was before or is now.
    """

    before: Floats
    after: Floats
    difference: Floats
    before_allowed: Mask
    after_allowed: Mask
    difference_allowed: Mask


# Without positions the scale stays that of the model with them: rounding is no picture.
_LEAST_LIMIT = 0.05


class _Said(TypedDict):
    """What may be said, as the end of a key of words, and the difference that this is about."""

    says: str
    largest: float


class _Effect(_Maps, _Said):
    """What a new order does."""

    candidates_before: list[Likely]
    candidates_after: list[Likely]
    predictions: list[float]
    predictions_verdict: Verdict
    changes: list[_Change]


class PositionOrder(TypedDict):
    """The weights of a head before and after the tokens change places, with positions and without.

    `text` is the sentence in its new order, or None where no text has these tokens. `at` is the
    token whose prediction is shown. It is one of the target, of an encoder alone of the source, and
    None where nothing is predicted.
    """

    study: str
    words: list[list[int]]
    movable: list[int]
    order: list[int]
    rows: list[int] | None
    text: str | None
    at: int | None
    site: Site
    layer: int
    head: int
    # How many swaps of two words were tried in vain, all there are, before it was left at `order`;
    # None where one changes the translation, `order` was asked for, or nothing is translated.
    tried: int | None
    models_kind: str
    source: Tokens
    target: Tokens
    predicting: Side
    is_two_sided: bool
    reads_whole: bool
    limit: float  # what the ends of the scale of differences stand for, with positions and without
    on: _Effect
    off: _Effect


class PositionOutcome(Noticed):
    """Translations of the sentence as it was typed and in its new order.

    `words` are those of both side by side, None where the other has more.
    """

    study: str
    order: list[int]
    rows: list[int] | None
    translations: dict[str, list[str]]
    words: dict[str, list[tuple[str | None, str | None]]]
    double_off: float | None
    double_off_prediction: float | None


def order_answer(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Answer[PositionOrder]:
    """What a new order does.

    Left open, two words change places, so that the translation changes where any two can change it,
    and `at` is where most changes.
    """
    from model_core.studies.order import effect

    model = tracer.model
    decoding = tracer.evaluate(recipe)
    source, target = decoding.source, decoding.fed
    words, order, rows, tried = _chosen(tracer, recipe, source, view)
    site: Any = view.site or model.anatomy.sites[0].site
    layer, head = placed(model, site, view.layer, view.head)
    predicting = source if model.anatomy.predicting == "source" else target
    at = view.at
    if at is not None:
        check_place(at, len(predicting), "row")
    effects: dict[str, _Effect] = {}
    for name, positions in (("on", True), ("off", False)):
        study = effect(
            model, source, target.ids, order, rows, positions, False, tracer.studied, tracer.edits
        )
        predictions = study.comparison.predictions
        if predictions is None:
            at = None
        elif at is None:
            changes = study.of_predictions == "differs"  # by more than rounding
            at = int(predictions.largest_T.argmax()) if changes else 0
        effects[name] = _effect(model, study, (site, layer, head), at, positions)
    values: PositionOrder = {
        "study": "order",
        "words": words,
        "movable": movable(words, source),
        "order": order,
        "rows": rows,
        "text": _text_of(model, source, order, recipe),
        "tried": tried,
        "at": at,
        "site": site,
        "layer": layer,
        "head": head,
        "models_kind": model.anatomy.positions,
        "source": source,
        "target": target,
        "predicting": model.anatomy.predicting,
        "is_two_sided": model.anatomy.kind != "decoder",
        "reads_whole": model.anatomy.reads_whole and model.anatomy.is_stepped(site),
        "limit": max(_LEAST_LIMIT, float(np.abs(effects["on"]["difference"]).max(initial=0))),
        "on": effects["on"],
        "off": effects["off"],
    }
    sides = {"source": source, "target": target}
    axes = axes_of(site, sides[ROWS[site]], sides[COLUMNS[site]])
    parts = ("before", "after", "difference")
    table = TableOf("order", axes, {f"{part}_QK": f"{{mode}}.{part}" for part in parts})
    moved = tuple(order), None if rows is None else tuple(rows)
    made = replace(view, site=site, layer=layer, head=head, order=moved[0], rows=moved[1])
    return Answer(made, values, {"order": (table,)})


def outcome_answer(
    tracer: "Tracer", recipe: Recipe, view: PositionsView
) -> Answer[PositionOutcome]:
    """All four translations of an order, and the comparison in float64.

    Of an encoder alone there are none; of a model too large to be copied there is no comparison.
    """
    from model_core.studies.order import MOST_DOUBLE, effect, translation

    model = tracer.model
    decoding = tracer.evaluate(recipe)
    source, target_ids = decoding.source, decoding.fed.ids
    _, order, rows, _ = _chosen(tracer, recipe, source, view)
    typed, cache, most = list(range(len(source))), tracer.studied, tracer.most_steps
    translations = {
        mode: [
            translation(model, source, *how, mode == "on", cache, most, recipe.settings)
            for how in ((typed, None), (order, moved))
        ]
        for mode, moved in (("on", rows), ("off", None))  # without positions none can move
        if model.anatomy.kind != "encoder"
    }
    values: PositionOutcome = {
        "study": "outcome",
        "order": order,
        "rows": rows,
        "translations": {mode: [one.text for one in both] for mode, both in translations.items()},
        "words": {
            mode: words_beside(*(words_written(one.written) for one in both))
            for mode, both in translations.items()
        },
        **cut_notice(any(one.is_cut for both in translations.values() for one in both), most),
        "double_off": None,
        "double_off_prediction": None,
    }
    if model.facts.get("parameters", 0) <= MOST_DOUBLE:
        double = effect(
            model, source, target_ids, order, rows, False, True, cache, tracer.edits
        ).comparison
        values["double_off"] = max(change.largest for change in double.weights)
        if double.predictions is not None:
            values["double_off_prediction"] = float(double.predictions.largest_T.max())
    return Answer(view, values)


def _maps(study: "Effect", site: Site, layer: int, head: int) -> _Maps:
    before, after, back = study.before, study.after, study.put_back
    was_QK = before.weights[site][layer][head]
    return {
        "before": was_QK,
        "after": after.weights[site][layer][head],
        "difference": back.weights[site][layer][head] - was_QK,
        "before_allowed": before.allowed[site][layer],
        "after_allowed": after.allowed[site][layer],
        "difference_allowed": before.allowed[site][layer] | back.allowed[site][layer],
    }


def _text_of(model: "Model", source: Tokens, order: list[int], recipe: Recipe) -> str | None:
    """A text that is read as just these tokens, if the sentence in its new order has one."""
    ids = tuple(source.ids[place] for place in order)
    typed = [source.ids[place] for place in order if source.spans[place] is not None]
    text = model.source_text(typed)
    found = model.source(text, recipe.pads, recipe.settings)
    return text if found.ids == ids else None


def _effect(
    model: "Model", study: "Effect", place: tuple[Site, int, int], at: int | None, positions: bool
) -> _Effect:
    def candidates(run: "SentencePass") -> list[Likely]:
        if at is None:
            return []
        log_probabilities_V = run.log_probabilities_TV[at]
        best = largest(log_probabilities_V, CANDIDATES)
        probabilities = np.exp(log_probabilities_V[best]).tolist()
        labels = model.labels(best)
        columns = (best, labels.pieces, labels.texts, labels.kinds, probabilities)
        return [
            {"token": token, "piece": piece, "text": text, "kind": kind, "probability": p}
            for token, piece, text, kind, p in zip(*columns, strict=True)
        ]

    predictions = study.comparison.predictions
    return {
        **_maps(study, *place),
        "candidates_before": candidates(study.before),
        "candidates_after": candidates(study.put_back),
        "predictions": [] if predictions is None else predictions.largest_T.tolist(),
        "predictions_verdict": study.of_predictions,
        **_says(model, study, positions),
        "changes": [
            {
                "site": change.site,
                "layer": change.layer,
                "largest": change.largest,
                "verdict": study.verdict_of(change),
            }
            for change in study.comparison.weights
        ],
    }


def _says(model: "Model", study: "Effect", positions: bool) -> _Said:
    """Why order matters, or that it does not, and the largest difference that this is about.

    It is about the first stack, but where something beyond it shows an order. "same" and "off": it
    cannot matter, with positions and without. "exact": it did not here. "apart": it should not, and
    something differs.
    """
    first, everywhere = model.anatomy.sites[0].site, ("joined", "asks", "dropout", "place")
    moved = [
        change
        for change in study.comparison.weights
        if study.reason in everywhere or change.site == first
    ]
    verdicts = {study.verdict_of(change) for change in moved}
    says: str = study.reason or ("same" if positions else "off")
    if verdicts == {"exact"}:
        says = "exact"
    elif study.reason is None and "differs" in verdicts:
        says = "apart"
    return {"says": says, "largest": max(change.largest for change in moved)}


def _chosen(
    tracer: "Tracer", recipe: Recipe, source: Tokens, view: PositionsView
) -> tuple[list[list[int]], list[int], list[int] | None, int | None]:
    """The words, the order of the tokens, their positions, and `tried`; see PositionOrder."""
    words, usual = swapped_words(source, recipe.source)
    tried = None
    if view.order is None and view.rows is None and tracer.anatomy.kind == "encoder-decoder":
        usual, tried = tracer.studied.of(
            ("swap", recipe.source, source.ids, recipe.settings),
            lambda: _telling(tracer, recipe, source, words, usual),
        )
    order, rows = _changed(tracer.model, tokens_in(usual, words), view)
    return words, order, rows, tried


def _telling(
    tracer: "Tracer", recipe: Recipe, source: Tokens, words: list[list[int]], usual: list[int]
) -> tuple[list[int], int | None]:
    """The usual order of the words; where it leaves the translation, the first swap that does not.

    Where every swap of two words leaves it: the usual order, and how many swaps there are.
    """
    from model_core.studies.order import first_to_change, translation

    places, most = list(range(len(source))), tracer.most_steps
    how = (None, True, tracer.studied, most, recipe.settings)
    typed = translation(tracer.model, source, places, *how)
    every = swaps(words, source)
    for orders in ([usual], every[: len(words)], every[len(words) :]):  # mostly the first does
        asked = [tokens_in(order, words) for order in orders]
        found = first_to_change(tracer.model, source, asked, typed)
        if found is not None:
            return orders[found], None
    return usual, len(every)


def _changed(
    model: "Model", swapped: list[int], view: PositionsView
) -> tuple[list[int], list[int] | None]:
    """Which token stands at each place, and which position each place has; None: its own.

    Where positions alone are moved the tokens stay; where nothing is chosen two words have
    `swapped` their places.
    """
    S = len(swapped)
    if view.order is None and view.rows is not None:
        order = list(range(S))
    else:
        order = list(swapped if view.order is None else view.order)
    if sorted(order) != list(range(S)):
        message = f"order must name each of the {S} tokens of the sentence exactly once."
        raise RecipeError(message, "place")
    if view.rows is None:
        return order, None
    if len(view.rows) != S:
        raise RecipeError(f"rows must give each of the {S} places a position.", "place")
    for row in view.rows:
        check_place(row, model.anatomy.max_positions, "position", first=0)
    rows = list(view.rows)
    return order, None if rows == list(range(S)) else rows  # every place has its own
