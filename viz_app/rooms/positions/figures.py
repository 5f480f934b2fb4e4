"""The room Positions: tables, curves, similarity, sums, the effect of order, rotations."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model_core.values.trace import COLUMNS, ROWS
from viz_app.figures.labels import axis_titles, named, title_of, widest
from viz_app.figures.look import Look, colour_at
from viz_app.figures.maps import Sheet
from viz_app.figures.panels import Panel, draw_panels, ends_of
from viz_app.figures.paper import Axes, Box, Paper, number_axis, quiet_axis
from viz_app.rooms.room import Answer

# Okabe and Ito's colours without yellow, which paper swallows; each with a line of its own.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_LINES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SMOOTH = 12  # points of a curve from position to position
_DIALS = 0.31  # of the height of a slide
_POSITION, _DIMENSION = "positions_axis_position", "positions_axis_dimension"
_CIRCLE = np.linspace(0, 2 * math.pi, 49)
_RADIUS = 0.44  # of a cell one wide
_SAID = 0.42  # of a cell under its dial, for what it says
Spot = tuple[float, float]  # x and y in units of the axes


def table_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """The table: a row per position, a column per dimension; of waves the sines, then the cosines.

    Of many waves those are drawn that the answer picks, and those the view names.
    """
    paper = Paper(look, look.word("figure_positions", kind=_kind(answer, look)), about)
    value, view = look.word("figure_value"), vars(answer.view)
    if answer["offsets"]:  # heads below one another
        sheet = replace(
            _numbered(answer["table"].T, look, "positions_axis_head", "positions_axis_distance"),
            rows=[str(head + 1) for head in range(answer["table"].shape[1])],
            counted=[str(one) for one in answer["offsets"]],
        )
        draw_panels(paper, [Panel(sheet, "", value)])
        return paper.figure()
    if view["columns"] == "all" or not answer["pairs"]:
        sheet = _numbered(answer["table"], look, _POSITION, _DIMENSION)
        draw_panels(paper, [Panel(sheet, "", value)])
        return paper.figure()
    half = answer["table"].shape[1] // 2
    low, high = ends_of(answer["table"])
    kept = ((one % half if answer["halves"] else one // 2) for one in view["dimensions"])
    pairs = sorted({*answer["pairs"], *kept})
    sine_first = answer["kind"] == "sinusoidal"
    panels: list[Panel] = []
    for wave, odd in (("sines", not sine_first), ("cosines", sine_first)):
        dimensions = [pair + odd * half if answer["halves"] else 2 * pair + odd for pair in pairs]
        sheet = replace(
            _numbered(answer["table"][:, dimensions], look, _POSITION, "figure_wavelength"),
            counted=[_rounded(answer["wavelengths"][d]) for d in dimensions],
            low=low,
            high=high,
        )
        panels.append(Panel(sheet, look.word(f"figure_{wave}"), value if panels else ""))
    draw_panels(paper, panels)
    return paper.figure()


def similarity_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """How alike the rows of two positions are, on a scale of its own where none is negative."""
    title = look.word("figure_similarity", kind=_kind(answer, look))
    paper = Paper(look, title, about)
    low = answer["similarity_from"]
    sheet = replace(
        _numbered(answer["similarity"], look, _POSITION, _POSITION),
        low=low,
        high=1,
        signed=False,
        square=True,
    )
    draw_panels(paper, [Panel(sheet, "", look.word("figure_cosine"))])
    return paper.figure()


def curves_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Some dimensions of the table over all positions."""
    view: Any = answer.view
    dimensions = view.dimensions
    paper = Paper(look, look.word("figure_curves", kind=_kind(answer, look)), about)
    size = paper.type
    table_PD = answer["table"]
    P = len(table_PD)
    names = [
        look.word("figure_dimension_of", d=d, wavelength=_rounded(answer["wavelengths"][d]))
        if d < len(answer["wavelengths"]) and np.isfinite(answer["wavelengths"][d])
        else look.word("figure_head_plain", h=d + 1)
        if answer["offsets"]
        else look.word("figure_dimension_plain", d=d)
        for d in dimensions
    ]
    right = widest(names, look.sized(0.8)) + 3.6 * size if look.size == "slide" else 0
    left = paper.margin + 3.6 * size
    top = paper.top + 0.8 * size
    height = paper.height - top - 5 * size if look.size == "slide" else 0.55 * paper.width
    box = Box(left, top, paper.width - left - right - paper.margin, height)
    low, high = ends_of(table_PD[:, list(dimensions)])
    limit = 1.08 * max(-low, high)  # between its positions a wave goes as far on either side
    span = [-limit if low < 0 else 0.0, limit if high > 0 else 0.0]
    ends, title = [0, max(1, P - 1)], _POSITION
    if answer["offsets"]:
        ends, title = [answer["offsets"][0], answer["offsets"][-1]], "positions_axis_distance"
    across = number_axis(look, ends, look.word(title))
    axes = paper.axes(box, across, number_axis(look, span, look.word("figure_value")))
    for at, (dimension, name) in enumerate(zip(dimensions, names, strict=True)):
        line = {
            "color": _curve_colour(look, at),
            "dash": _LINES[at % len(_LINES)],
            "width": size / 9,
        }
        _draw_wave(paper, answer, dimension, line, axes, name)
        if look.size == "slide":
            spot = Box(box.right + 0.8 * size, top + at * 1.9 * size, 2 * size, 1.2 * size)
        else:
            spot = Box(left, box.bottom + (3.2 + 1.5 * at) * size, 2 * size, 1.2 * size)
        paper.line_key(spot, line, name)
    paper.grow(box.right, box.bottom + 3.4 * size)
    return paper.figure()


def _draw_wave(
    paper: Paper, answer: Answer, dimension: int, line: dict[str, Any], axes: Axes, name: str
) -> None:
    """A dimension of the table: dots at the positions, and between them the wave they lie on."""
    values_P = answer["table"][:, dimension]
    places = answer["offsets"] or list(range(len(values_P)))
    dots = {"color": line["color"], "size": 2.2 * line["width"], "opacity": 1}
    if dimension >= len(answer["wavelengths"]):  # nothing lies between
        marked = {"mode": "lines+markers", "marker": dots}
        paper.lines(places, values_P.tolist(), line, axes, name=name, hoverinfo=None, **marked)
        return
    half = answer["table"].shape[1] // 2
    is_first = dimension < half if answer["halves"] else dimension % 2 == 0
    is_sine = is_first == (answer["kind"] == "sinusoidal")
    fine = np.linspace(0, places[-1], _SMOOTH * places[-1] + 1)
    angles = 2 * np.pi * (fine + answer["first"]) / answer["wavelengths"][dimension]
    wave = np.sin(angles) if is_sine else np.cos(angles)
    paper.lines(fine.tolist(), wave.tolist(), line, axes)
    at = {"mode": "markers", "marker": dots, "hoverinfo": None}
    paper.lines(places, values_P.tolist(), line, axes, name=name, **at)


def sum_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Embedding + position = what enters the first layer, one row per token."""
    paper = Paper(look, look.word("figure_sum"), about)
    arrays = [answer[name] for name in ("embedding", "position", "sum")]
    rows = named(answer["tokens"], look, answer["side"] == "target")
    titles = [
        look.word("positions_embedding", scale=f"{answer['scale']:.4g}"),
        look.word("positions_position"),
        look.word("positions_sum"),
    ]
    axes = look.word(f"positions_tokens_{answer['side']}"), look.word(_DIMENSION)
    sheets = [Sheet(array, rows, (), *axes, *ends_of(*arrays), True) for array in arrays]
    bars = ("", "", look.word("figure_value"))
    draw_panels(paper, list(map(Panel, sheets, titles, bars)))
    return paper.figure()


def order_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """One head before and after the tokens changed places, and what differs once put back."""
    view: Any = answer.view
    off = view.mode == "off"
    site = answer["site"]
    title = title_of(site, answer["layer"] + 1, answer["head"] + 1, look, "figure_order")
    if off:
        title += f" · {look.word('positions_off')}"
    paper = Paper(look, title, about)
    held = answer["off" if off else "on"]
    typed = named(answer["source"], look)
    moved = [typed[place] for place in answer["order"]]
    target = named(answer["target"], look, True)
    ends = ends_of(held["difference"])
    weight = look.word("figure_weight")
    panels: list[Panel] = []
    for name, source in (("before", typed), ("after", moved), ("difference", typed)):
        # Where there is no encoder the source is how the target begins, and moves with it.
        fed = target if answer["is_two_sided"] else [*source, *target[len(source) :]]
        apart = name == "difference"
        sheet = Sheet(
            held[name],
            source if ROWS[site] == "source" else fed,
            source if COLUMNS[site] == "source" else fed,
            *axis_titles(site, look),
            *(ends if apart else (0.0, 1.0)),
            signed=apart,
            hidden_RC=~held[f"{name}_allowed"],
        )
        bar = "" if name == "before" else look.word("masks_map_difference") if apart else weight
        panels.append(Panel(sheet, look.word(f"positions_map_{name}"), bar))
    draw_panels(paper, panels)
    return paper.figure()


def rotary_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Scores before and after queries and keys are turned, a pair placed everywhere, its dials.

    The pair of dimensions that the view names is outlined.
    """
    site = answer["site"]
    title = title_of(site, answer["layer"] + 1, answer["head"] + 1, look, "figure_rotary")
    paper = Paper(look, title, about)
    kept = _DIALS * paper.height
    labels = named(answer["tokens"], look, ROWS[site] == "target")
    ends = ends_of(answer["scores"], answer["turned_scores"])
    score = look.word("figure_score")
    pair = {"query": labels[answer["query"]], "key": labels[answer["key"]]}
    placed = _numbered(answer["placed_scores"], look, "positions_axis_query", "positions_axis_key")
    before, after = (
        Sheet(answer[name], labels, labels, *axis_titles(site, look), *ends, True)
        for name in ("scores", "turned_scores")
    )
    panels = [
        Panel(before, look.word("figure_unturned")),
        Panel(after, look.word("figure_turned"), score),
        Panel(placed, look.word("figure_placed").format(**pair), score),
    ]
    draw_panels(paper, panels, kept)
    top = max(paper.height - kept, paper.bottom) if kept else paper.bottom
    room = kept or 0.6 * paper.width
    _add_dials(paper, answer, (pair["query"], pair["key"]), top, room)
    return paper.figure()


def _add_dials(
    paper: Paper, answer: Answer, names: tuple[str, str], top: float, height: float
) -> None:
    """The dials under the maps, with what their two arrows stand for."""
    size, slide = paper.type, paper.look.size == "slide"
    end = top + height
    top += 0.9 * size
    paper.text(paper.margin, top, f"<b>{paper.look.word('figure_dials')}</b>", 0.9)
    if not slide:
        top += 1.4 * size
    left = paper.margin + (paper.inner_width / 2 if slide else 0)
    _key_of_dials(paper, Box(left, top, 0, 0), names)
    top += 1.5 * size
    pairs = len(answer["frequencies"])
    box, across = _dials_box(pairs, paper.margin, top, paper.inner_width, end - top - 0.6 * size)
    _draw_dials(paper, answer, box, across, vars(answer.view)["pair"])


def _rounded(wavelength: float) -> str:
    return f"{wavelength:,.0f}" if wavelength >= 100 else f"{wavelength:.3g}"


def _kind(answer: Answer, look: Look) -> str:
    return look.word(f"positions_kind_{answer['kind']}")


def _numbered(values_RC: np.ndarray, look: Look, rows: str, columns: str) -> Sheet:
    titles = look.word(rows), look.word(columns)
    return Sheet(values_RC, (), (), *titles, *ends_of(values_RC), True)


def _curve_colour(look: Look, at: int) -> str:
    if look.palette == "grey":
        return colour_at(look.sequential, (1, 0.6, 0.8, 0.45)[at % 4])
    return _COLOURS[at % len(_COLOURS)]


def _dials_box(pairs: int, left: float, top: float, width: float, height: float) -> tuple[Box, int]:
    """The largest dials for so many pairs in a room, and how many stand beside one another."""

    def cell(across: int) -> float:
        return min(width / across, height / (math.ceil(pairs / across) * (1 + _SAID)))

    across = max(range(1, pairs + 1), key=cell)
    rows = math.ceil(pairs / across)
    size = cell(across)
    return Box(left, top, across * size, rows * (1 + _SAID) * size), across


def _draw_dials(paper: Paper, answer: Answer, box: Box, across: int, pair: int | None) -> None:
    """The dials of the pair of tokens that `answer` places; `pair`, from 0, is outlined."""
    look, frequencies = paper.look, answer["frequencies"]
    query, key = answer["query"], answer["key"]
    rows = math.ceil(len(frequencies) / across)
    tall = 1 + _SAID
    axes = paper.axes(box, quiet_axis([0, across]), quiet_axis([rows * tall, 0]))
    middles = [(at % across + 0.5, at // across * tall + 0.5) for at in range(len(frequencies))]
    vectors = {
        name: answer[name][at][np.array(answer["dimensions"])]
        for name, at in (("q", query), ("turned_q", query), ("k", key), ("turned_k", key))
    }
    longest = np.max([np.hypot(*pairs_P2.T) for pairs_P2 in vectors.values()], axis=0)
    scale = _RADIUS / np.where(longest > 0, longest, 1)
    thin = paper.type / 18
    others = [middle for at, middle in enumerate(middles) if at != pair]
    _circles(paper, others, {"color": look["quiet"], "width": thin / 2}, axes)
    if pair is not None and pair < len(middles):
        _circles(paper, [middles[pair]], {"color": look["select"], "width": 2 * thin}, axes)
    before = {"color": look["quiet"], "width": thin, "dash": "dot"}
    for name, line, mark in (
        ("k", before, None),
        ("q", before, None),
        ("turned_k", {"color": _key_colour(look), "width": 1.4 * thin}, "circle-open"),
        ("turned_q", {"color": look["select"], "width": 2.6 * thin}, "circle"),
    ):
        _arrows(paper, middles, vectors[name] * scale[:, None], line, mark, axes)
    cell = box.width / across
    type_size = min(0.62 * paper.type, 0.16 * cell)
    for at, (x, y) in enumerate(middles):
        degrees = math.degrees(query * frequencies[at])
        first, second = answer["dimensions"][at]
        said = f"{first}, {second}<br>{degrees:.{0 if degrees >= 10 else 1}f}°"
        factor = type_size / paper.type
        left, top = box.left + x * cell, box.top + (y + 0.48) * cell
        paper.text(left, top, said, factor, "quiet", "center")


def _key_of_dials(paper: Paper, spot: Box, names: tuple[str, str]) -> None:
    """What the two arrows stand for, in one line."""
    look, size = paper.look, paper.type
    left = spot.left
    for name, colour, width, mark in (
        (names[0], look["select"], 2.6, "circle"),
        (names[1], _key_colour(look), 1.4, "circle-open"),
    ):
        box = Box(left, spot.top, 1.8 * size, 0.9 * size)
        axes = paper.axes(box, quiet_axis([0, 1]), quiet_axis([1, 0]))
        line = {"color": colour, "width": width * size / 18}
        _arrows(paper, [(0.05, 0.5)], np.array([[0.75, 0.0]]), line, mark, axes)
        paper.text(box.right + 0.3 * size, spot.top, name, 0.75, "quiet")
        left = box.right + (0.3 + 0.5 * len(name)) * size + 1.2 * size


def _circles(paper: Paper, middles: Sequence[Spot], line: dict[str, Any], axes: Axes) -> None:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for x, y in middles:
        xs += [*(x + _RADIUS * np.cos(_CIRCLE)).tolist(), None]
        ys += [*(y + _RADIUS * np.sin(_CIRCLE)).tolist(), None]
    paper.lines(xs, ys, line, axes)


def _arrows(
    paper: Paper,
    middles: Sequence[Spot],
    vectors_P2: np.ndarray,
    line: dict[str, Any],
    mark: str | None,
    axes: Axes,
) -> None:
    """Lines from the middles; y of a vector points up. `mark` stands at their ends."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, y), (a, b) in zip(middles, vectors_P2.tolist(), strict=True):
        xs += [x, x + a, None]
        ys += [y, y - b, None]
    sizes = [0, 1.6 * line["width"] + 2, 0] * len(middles)
    marker = {"symbol": mark, "size": sizes, "color": line["color"], "opacity": 1}
    ends = {} if mark is None else {"mode": "lines+markers", "marker": marker}
    paper.lines(xs, ys, line, axes, cliponaxis=False, **ends)


def _key_colour(look: Look) -> str:
    return colour_at(look.sequential, 0.6)


FIGURES = {
    "positions": table_figure,
    "curves": curves_figure,
    "similarity": similarity_figure,
    "sum": sum_figure,
    "order": order_figure,
    "rotary": rotary_figure,
}
