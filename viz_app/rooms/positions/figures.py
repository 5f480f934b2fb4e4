"""The room Positions: tables, curves, similarity, sums, the effect of order, rotations."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_app.figures.labels import axis_titles, named, title_of, widest
from viz_app.figures.look import Look, colour_at
from viz_app.figures.maps import Sheet
from viz_app.figures.panels import Panel, draw_panels, limit_of
from viz_app.figures.paper import Box, Paper, number_axis
from viz_app.rooms.positions.dials import dials_box, draw_dials, key_of_dials
from viz_app.rooms.room import Answer

# Okabe and Ito's colours without yellow, which paper swallows; each with a line of its own.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_LINES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_DIALS = 0.31  # of the height of a slide


def figure(name: str, answer: Answer, look: Look, about: str) -> go.Figure:
    """A picture of the room by its name."""
    return _FIGURES[name](answer, look, about)


def table_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """The table: one row a position, one column a dimension."""
    paper = Paper(look, look.word("figure_positions", kind=_kind(answer, look)), about)
    sheet = _numbered(answer["table"], look, "figure_position", "figure_dimension")
    draw_panels(paper, [Panel(sheet, "", look.word("figure_value"), True)])
    return paper.figure()


def similarity_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """How alike the rows of two positions are."""
    title = look.word("figure_similarity", kind=_kind(answer, look))
    paper = Paper(look, title, about)
    sheet = _numbered(answer["similarity"], look, "figure_position", "figure_position")
    draw_panels(paper, [Panel(sheet, "", look.word("figure_cosine"), True)])
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
        else look.word("figure_dimension_plain", d=d)
        for d in dimensions
    ]
    right = widest(names, 0.8 * size) + 3.6 * size if look.size == "slide" else 0
    left = paper.margin + 3.6 * size
    top = paper.top + 0.8 * size
    height = paper.height - top - 5 * size if look.size == "slide" else 0.55 * paper.width
    box = Box(left, top, paper.width - left - right - paper.margin, height)
    limit = 1.08 * limit_of(table_PD[:, list(dimensions)])
    across = number_axis(look, [0, max(1, P - 1)], look.word("figure_position"))
    axes = paper.axes(box, across, number_axis(look, [-limit, limit], look.word("figure_value")))
    for at, (dimension, name) in enumerate(zip(dimensions, names, strict=True)):
        line = {
            "color": _curve_colour(look, at),
            "dash": _LINES[at % len(_LINES)],
            "width": size / 9,
        }
        values = table_PD[:, dimension].tolist()
        paper.lines(list(range(P)), values, line, axes, name=name, hoverinfo=None)
        if look.size == "slide":
            spot = Box(box.right + 0.8 * size, top + at * 1.9 * size, 2 * size, 1.2 * size)
        else:
            spot = Box(left, box.bottom + (3.2 + 1.5 * at) * size, 2 * size, 1.2 * size)
        paper.line_key(spot, line, name)
    paper.grow(box.right, box.bottom + 3.4 * size)
    return paper.figure()


def sum_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Embedding + position = what enters the first layer, one row a token."""
    paper = Paper(look, look.word("figure_sum"), about)
    arrays = [answer[name] for name in ("embedding", "position", "sum")]
    limit = limit_of(arrays[2])
    rows = named(answer["tokens"], look, answer["side"] == "target")
    titles = [
        look.word("positions_embedding", scale=f"{answer['scale']:.4g}"),
        look.word("positions_position"),
        look.word("positions_sum"),
    ]
    axes = look.word(f"positions_tokens_{answer['side']}"), look.word("figure_dimension")
    sheets = [Sheet(array, rows, (), *axes, -limit, limit) for array in arrays]
    bars = ("", "", look.word("figure_value"))
    parts = enumerate(zip(sheets, titles, bars, strict=True))
    draw_panels(paper, [Panel(*part, True, at > 0) for at, part in parts])
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
    limit = limit_of(held["difference"])
    weight = look.word("figure_weight")
    panels: list[Panel] = []
    for name, source in (("before", typed), ("after", moved), ("difference", typed)):
        apart = name == "difference"
        sheet = Sheet(
            held[name],
            source if site == "encoder" else target,
            target if site == "decoder" else source,
            *axis_titles(site, look),
            -limit if apart else 0,
            limit if apart else 1,
            hidden_RC=None if site != "decoder" else ~np.tri(len(target), dtype=bool),
        )
        bar = "" if name == "before" else look.word("masks_map_difference") if apart else weight
        same = site != "encoder" and bool(panels)
        panels.append(Panel(sheet, look.word(f"figure_order_{name}"), bar, apart, same))
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
    labels = named(answer["tokens"], look, site == "decoder")
    limit = limit_of(answer["scores"], answer["turned_scores"])
    score = look.word("figure_score")
    pair = {"query": labels[answer["query"]], "key": labels[answer["key"]]}
    placed = _numbered(answer["placed_scores"], look, "positions_axis_query", "positions_axis_key")
    before, after = (
        Sheet(answer[name], labels, labels, *axis_titles(site, look), -limit, limit)
        for name in ("scores", "turned_scores")
    )
    panels = [
        Panel(before, look.word("figure_unturned"), "", True),
        Panel(after, look.word("figure_turned"), score, True, True),
        Panel(placed, look.word("figure_placed").format(**pair), score, True),
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
    key_of_dials(paper, Box(left, top, 0, 0), names)
    top += 1.5 * size
    pairs = len(answer["frequencies"])
    box, across = dials_box(pairs, paper.margin, top, paper.inner_width, end - top - 0.6 * size)
    draw_dials(paper, answer, box, across, vars(answer.view)["pair"])


def _rounded(wavelength: float) -> str:
    return f"{wavelength:,.0f}" if wavelength >= 100 else f"{wavelength:.3g}"


def _kind(answer: Answer, look: Look) -> str:
    return look.word(f"figure_kind_{answer['kind']}")


def _numbered(values_RC: np.ndarray, look: Look, rows: str, columns: str) -> Sheet:
    limit = limit_of(values_RC)
    return Sheet(values_RC, (), (), look.word(rows), look.word(columns), -limit, limit)


def _curve_colour(look: Look, at: int) -> str:
    if look.palette == "grey":
        return colour_at(look.scale, (1, 0.6, 0.8, 0.45)[at % 4])
    return _COLOURS[at % len(_COLOURS)]


_FIGURES = {
    "positions": table_figure,
    "curves": curves_figure,
    "similarity": similarity_figure,
    "sum": sum_figure,
    "order": order_figure,
    "rotary": rotary_figure,
}
