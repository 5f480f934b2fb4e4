"""Several maps in one picture: beside one another on a slide, under one another in a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_app.figures.labels import shortened, width_of
from viz_app.figures.maps import MOST_VECTORS, Place, Sheet, draw_bar, draw_map, place_map
from viz_app.figures.paper import Paper


@dataclass(frozen=True, eq=False)
class Panel:
    """One map, what it shows, and its printed scale."""

    sheet: Sheet
    title: str  # as Plotly reads it
    bar: str = ""  # of the scale; without it none is printed
    diverging: bool = False
    same_rows: bool = False  # as the panel before it: on a slide they are named once
    sign: str = ""  # of the equation, between the panel before it and this one


def draw_panels(paper: Paper, panels: Sequence[Panel], kept: float = 0) -> None:
    """Draw the panels; the paper grows where a column of them needs it.

    `kept` is the height that they leave free at the bottom of a slide.
    """
    if paper.look.size == "slide":
        _beside(paper, panels, kept)
    else:
        _below(paper, panels)


def limit_of(*arrays: np.ndarray) -> float:
    """The largest distance from 0 of any number: the ends of a scale on both sides of 0."""
    return max(float(np.abs(a[np.isfinite(a)]).max(initial=0)) for a in arrays) or 1.0


def _beside(paper: Paper, panels: Sequence[Panel], kept: float) -> None:
    size = paper.type
    top = paper.top + 1.9 * size
    height = paper.height - top - paper.margin - kept
    bars = sum(4.2 * size if panel.bar else 1.2 * size for panel in panels)
    signs = [_sign_room(paper, panel) for panel in panels]
    named = [not (panel.same_rows and at) for at, panel in enumerate(panels)]
    rooms = [
        place_map(paper.look, panel.sheet, 0, top, 400, height, named[at]).row_room
        for at, panel in enumerate(panels)
    ]
    width = (paper.inner_width - bars - sum(signs) - sum(rooms)) / len(panels)
    left = paper.margin
    for at, panel in enumerate(panels):
        left += signs[at]
        place = place_map(paper.look, panel.sheet, left, top, width + rooms[at], height, named[at])
        if panel.sign:
            middle = place.cells.top + place.cells.height / 2
            where: dict[str, Any] = {"xanchor": "center", "yanchor": "middle", "align": "center"}
            text = panel.sign.replace(" ", "<br>")
            paper.text(left - 0.5 * signs[at], middle, text, 0.9, "quiet", **where)
        title_left = left + (place.row_room if named[at] else 0)
        room = place.cells.width + (4.2 * size if panel.bar else 0)
        _title(paper, panel.title, title_left, paper.top + 0.3 * size, room)
        _draw(paper, panel, place, named[at])
        left = place.right + (4.2 * size if panel.bar else 1.2 * size)


def _below(paper: Paper, panels: Sequence[Panel]) -> None:
    size = paper.type
    top = paper.top + 0.3 * size
    for panel in panels:
        title = f"{panel.sign} {panel.title}".strip()
        _title(paper, title, paper.margin, top, paper.inner_width)
        top += 1.5 * size
        place = place_map(
            paper.look,
            panel.sheet,
            paper.margin,
            top,
            paper.inner_width - 4.4 * size,
            0.9 * paper.inner_width,
        )
        _draw(paper, panel, place, True)
        top = place.cells.bottom + 1.3 * size


def _sign_room(paper: Paper, panel: Panel) -> float:
    """The pixels that the sign before a panel takes, a word under another."""
    if not panel.sign:
        return 0.0
    return max(width_of(word, 0.9 * paper.type) for word in panel.sign.split()) + paper.type


def _title(paper: Paper, title: str, left: float, top: float, room: float) -> None:
    size = paper.type
    while width_of(title, 0.95 * size) > room * 1.04 and len(title) > 12 and "&" not in title:
        title = shortened(title, len(title) - 1)
    paper.text(left, top, f"<b>{title}</b>", 0.9)


def _draw(paper: Paper, panel: Panel, place: Place, named: bool) -> None:
    look, sheet = paper.look, panel.sheet
    scale = look.diverging if panel.diverging else look.scale
    vectors = sheet.values_RC.size <= MOST_VECTORS
    draw_map(paper, sheet, place, scale, (named, True), vectors)
    if panel.bar:
        hidden = sheet.hidden_RC is not None and bool(sheet.hidden_RC.any())
        masked = look.word("masked") if hidden else ""
        left = place.cells.right + 0.7 * paper.type
        draw_bar(paper, place.cells, left, panel.bar, scale, sheet, masked)
