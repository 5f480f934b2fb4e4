"""What the room Positions shows: tables, curves, sums, the effect of order, rotations."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from model_core.values.trace import COLUMNS, ROWS
from viz_app.rooms.axes import head_named, picture_title
from viz_app.rooms.positions.answer import PositionSum, PositionTable, Rotation
from viz_app.rooms.positions.moved import PositionOrder
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Phrase, Text, labels_of, say
from viz_app.values.sheets import Arrows, Curve, Curves, Map, Scale, Sheets, alone
from viz_app.values.tables import Axis

_SMOOTH = 12  # points of a curve from position to position
_VALUE = say("figure_value")


def table(answer: Answer[PositionTable]) -> Sheets:
    """The table: a row per position, a column per dimension; of waves the sines, then the cosines.

    Of many waves those are drawn that the answer picks, and those the view names.
    """
    values = answer.values
    title, view = picture_title("positions", _kind(answer)), vars(answer.view)
    (found,) = answer.table("positions")
    places, _ = found.axes
    value_PD = found.values["value_PD"]
    scale, note = Scale.of(_VALUE, value_PD), _whose(answer, "positions_own_kind")
    if view["columns"] == "all" or not values["pairs"]:
        return alone(title, Map(value_PD, found.axes, scale, outlined=view["row"]), note=note)
    half = value_PD.shape[1] // 2
    kept = ((one % half if values["halves"] else one // 2) for one in _dimensions(answer))
    pairs = sorted({*values["pairs"], *kept})
    sine_first = values["kind"] == "sinusoidal"
    maps: list[Map] = []
    for wave, odd in (("sines", not sine_first), ("cosines", sine_first)):
        waves = [pair + odd * half if values["halves"] else 2 * pair + odd for pair in pairs]
        lengths = [_rounded(values["wavelengths"][one]) for one in waves]
        columns = Axis.of("dimension", lengths, say("figure_wavelength"))
        its = say(f"figure_{wave}")
        sheet = Map(value_PD[:, waves], (places, columns), scale, outlined=view["row"], title=its)
        maps.append(sheet)
    return alone(title, *maps, note=note)


def _dimensions(answer: Answer[PositionTable]) -> list[int]:
    """The dimensions of the curves: those that are kept, and the one that is marked."""
    view: Any = answer.view
    return list(dict.fromkeys([*view.dimensions, *([] if view.column is None else [view.column])]))


def _whose(answer: Answer[Any], own: str) -> Phrase:
    """Whether this is the model's own, under the key `own`, or what another model would have."""
    values = answer.values
    if values["own"]:
        return say(own)
    return say("positions_not_own", kind=say(f"positions_kind_{values['models_kind']}"))


def similarity(answer: Answer[PositionTable]) -> Sheets:
    """How alike the rows of two positions are, on a scale of its own where none is negative."""
    (found,) = answer.table("similarity")
    scale = Scale(say("figure_cosine"), answer.values["similarity_from"], 1.0)
    sheet = Map(found.values["similarity_PP"], found.axes, scale, square=True)
    note = _whose(answer, "positions_own_kind")
    return alone(picture_title("similarity", _kind(answer)), sheet, note=note)


def curves(answer: Answer[PositionTable]) -> Sheets:
    """Some dimensions of the table over all positions."""
    (found,) = answer.table("positions")
    places = found.axes[0]
    x_P = np.arange(places.start, places.start + places.length)
    lines = [
        Curve(_name(answer, at), x_P, values_P, _wave(answer, at, int(x_P[-1])))
        for at in _dimensions(answer)
        for values_P in (found.values["value_PD"][:, at],)
    ]
    title, note = picture_title("curves", _kind(answer)), _whose(answer, "positions_own_kind")
    return alone(title, Curves(lines, places.title, _VALUE), note=note)


def _name(answer: Answer[PositionTable], dimension: int) -> Phrase:
    """What a curve is called."""
    wavelengths = answer.values["wavelengths"]
    if dimension < len(wavelengths) and np.isfinite(wavelengths[dimension]):
        wavelength = _rounded(wavelengths[dimension])
        return say("figure_dimension_of", d=dimension, wavelength=wavelength)
    if answer.values["offsets"]:
        return say("figure_head_plain", h=dimension + 1)
    return say("figure_dimension_plain", d=dimension)


def _wave(
    answer: Answer[PositionTable], dimension: int, last: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """The wave that a dimension lies on, between its positions too; None where there is none."""
    values = answer.values
    if dimension >= len(values["wavelengths"]):
        return None
    half = values["table"].shape[1] // 2
    is_first = dimension < half if values["halves"] else dimension % 2 == 0
    x_N = np.linspace(0, last, _SMOOTH * last + 1)
    angles_N = 2 * np.pi * (x_N + values["first"]) / values["wavelengths"][dimension]
    is_sine = is_first == (values["kind"] == "sinusoidal")
    return x_N, np.sin(angles_N) if is_sine else np.cos(angles_N)


def sums(answer: Answer[PositionSum]) -> Sheets:
    """Embedding + position = what enters the first layer, one row per token."""
    (found,) = answer.table("sum")
    titles = {
        "embedding": say("positions_embedding", scale=f"{answer.values['scale']:.4g}"),
        "position": say("positions_position"),
        "sum": say("positions_sum"),
    }
    scale = Scale.of(_VALUE, *found.values.values())
    maps = (
        Map(found.values[f"{name}_TD"], found.axes, scale, title=title)
        for name, title in titles.items()
    )
    return alone(picture_title("sum"), *maps)


def order(answer: Answer[PositionOrder]) -> Sheets:
    """One head before and after the tokens changed places, and what differs once put back."""
    view: Any = answer.view
    values = answer.values
    held = values["off"] if view.mode == "off" else values["on"]
    (found,) = answer.table("order")
    title = picture_title("order", head_named(values["site"], values["layer"], values["head"]))
    note: Text = (say("positions_mode"), " · ", say(f"positions_{view.mode}"))
    moved = _moved(answer, *found.axes)
    difference, scale = say("masks_map_difference"), Scale(say("figure_weight"))
    apart = Scale.of(difference, values["on"]["difference"])
    if max(-apart.low, apart.high) < values["limit"]:
        apart = Scale(difference, -values["limit"], values["limit"], signed=True)
    maps = (
        Map(
            found.values[f"{name}_QK"],
            axes,
            its,
            hidden_RC=~allowed_QK,
            title=say(f"positions_map_{name}"),
        )
        for name, axes, its, allowed_QK in (
            ("before", found.axes, scale, held["before_allowed"]),
            ("after", moved, scale, held["after_allowed"]),
            ("difference", found.axes, apart, held["difference_allowed"]),
        )
    )
    return alone(title, *maps, note=note)


def _moved(answer: Answer[PositionOrder], rows: Axis, columns: Axis) -> tuple[Axis, Axis]:
    """The axes with the tokens in their new places.

    Where there is no encoder the source is how the target begins, and moves with it.
    """
    values = answer.values
    typed = labels_of(values["source"])
    moved = tuple(typed[place] for place in values["order"])

    def put(axis: Axis, side: str) -> Axis:
        labels = axis.labels or ()
        if side == "source":
            return replace(axis, labels=moved)
        is_whole = values["is_two_sided"]
        return axis if is_whole else replace(axis, labels=(*moved, *labels[len(moved) :]))

    return put(rows, ROWS[values["site"]]), put(columns, COLUMNS[values["site"]])


def rotary(answer: Answer[Rotation]) -> Sheets:
    """Scores before and after queries and keys are turned, a pair placed everywhere, its dials.

    Below, the score of that pair by distance. The pair of dimensions of the view is outlined.
    """
    values = answer.values
    site = values["site"]
    scores, placed, _ = answer.table("rotary")
    title = picture_title("rotary", head_named(site, values["layer"], values["head"]))
    score = say("figure_score")
    both = [scores.values[f"{name}_QQ"] for name in ("scores", "turned_scores")]
    scale = Scale.of(score, *both)
    labels = labels_of(values["tokens"], ROWS[site] == "target")
    query, key = labels[values["query"]], labels[values["key"]]
    placed_PP = placed.values["placed_scores_PP"]
    maps = (
        Map(both[0], scores.axes, scale, title=say("figure_unturned")),
        Map(both[1], scores.axes, scale, title=say("figure_turned")),
        Map(placed_PP, placed.axes, Scale.of(score, placed_PP), title=say("positions_placed")),
    )
    rows = (maps, (_dials(answer, query, key),), (_by_distance(placed_PP, score),))
    note = say("positions_rotary_own" if values["own"] else "positions_rotary_foreign")
    return Sheets(title, rows, note=note)


def _by_distance(placed_PP: np.ndarray, score: Text) -> Curves:
    """The score of every placed pair by its distance, and a line through one of each."""
    P = len(placed_PP)
    apart_N = np.arange(1 - P, P)
    line_N = np.concatenate([placed_PP[0, :0:-1], placed_PP[:, 0]])
    every_PP = np.subtract.outer(np.arange(P), np.arange(P))
    name = say("positions_by_distance")
    curve = Curve(name, every_PP.ravel(), placed_PP.ravel(), (apart_N, line_N))
    return Curves([curve], name, score)


def _dials(answer: Answer[Rotation], query: Text, key: Text) -> Arrows:
    """The pairs of dimensions of a query and a key, before they are turned and after."""
    values = answer.values
    pairs_P2, at, to = np.array(values["dimensions"]), values["query"], values["key"]
    notes = []
    for (first, second), frequency in zip(values["dimensions"], values["frequencies"], strict=True):
        angle = at * frequency
        notes.append(f"{first}, {second}; {math.degrees(angle):.{2 if angle < 0.2 else 0}f}°")
    return Arrows(
        (query, key),
        (values["turned_q"][at][pairs_P2], values["turned_k"][to][pairs_P2]),
        (values["q"][at][pairs_P2], values["k"][to][pairs_P2]),
        notes,
        vars(answer.view)["pair"],
        title=say("positions_dials"),
    )


def _rounded(wavelength: float) -> str:
    return f"{wavelength:,.0f}" if wavelength >= 100 else f"{wavelength:.3g}"


def _kind(answer: Answer[PositionTable]) -> Phrase:
    return say(f"positions_kind_{answer.values['kind']}")
