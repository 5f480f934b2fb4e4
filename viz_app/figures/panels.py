"""Several maps in one picture: beside one another on a slide, under one another in a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_app.figures.labels import widest
from viz_app.figures.look import Look
from viz_app.figures.maps import Place, Sheet, bar_room, draw_bar, draw_map, place_map
from viz_app.figures.paper import Paper, wrapped


@dataclass(frozen=True, eq=False)
class Panel:
    """One map, what it shows, and its printed scale."""

    sheet: Sheet
    title: str  # as Plotly reads it
    bar: str = ""  # of the scale; without it none is printed
    sign: str = ""  # of the equation, between the panel before it and this one


def draw_panels(paper: Paper, panels: Sequence[Panel], kept: float = 0) -> None:
    """Draw the panels; the paper grows where a column of them needs it.

    `kept` is the height that they leave free at the bottom of a slide.
    """
    if paper.look.size == "slide":
        _beside(paper, panels, kept)
    else:
        _below(paper, panels)


def ends_of(*arrays: np.ndarray) -> tuple[float, float]:
    """The ends of a scale that is no wider than the numbers and holds 0."""
    numbers_N = np.concatenate([a[np.isfinite(a)] for a in arrays] or [np.zeros(0)])
    low, high = float(numbers_N.min(initial=0)), float(numbers_N.max(initial=0))
    return low, high if high > low else low + 1.0


def _beside(paper: Paper, panels: Sequence[Panel], kept: float) -> None:
    size, look = paper.type, paper.look
    bars = [_bar_room(look, panel) for panel in panels]
    # The pixels that the sign before a panel takes, a word under another.
    signs = [widest(one.sign.split(), 0.9 * size) + size if one.sign else 0.0 for one in panels]
    # Rows like those of the map before it are named once.
    rows = [[panel.sheet.row_title, *panel.sheet.rows] for panel in panels]
    named = [at == 0 or rows[at] != rows[at - 1] for at in range(len(panels))]
    lines, rooms = 1, [0.0] * len(panels)
    width = least = paper.inner_width / len(panels)
    for _ in range(8):  # what is named takes room from the maps, and maps say how much is named
        top = paper.top + (0.6 + 1.3 * lines) * size
        height = paper.height - top - paper.margin - kept
        places = [
            place_map(look, panel.sheet, 0, top, width + rooms[at], height, named[at])
            for at, panel in enumerate(panels)
        ]
        titles = [
            _on_lines(paper, panel.title, place.cells.width + bars[at] - 0.6 * size)
            for at, (panel, place) in enumerate(zip(panels, places, strict=True))
        ]
        lines = max(title.count("<br>") + 1 for title in titles)
        rooms = [place.row_room for place in places]
        taken = sum(bars) + sum(signs)
        least = min(least, 0.5 * (paper.inner_width - taken - sum(rooms)) / len(panels))
        over = sum(place.right for place in places) + taken - paper.inner_width
        if -1 < over < 1:
            break
        width = max(least, width - over / len(panels))
    left = paper.margin
    for at, panel in enumerate(panels):
        left += signs[at]
        place = place_map(look, panel.sheet, left, top, width + rooms[at], height, named[at])
        if panel.sign:
            middle = place.cells.top + place.cells.height / 2
            where: dict[str, Any] = {"xanchor": "center", "yanchor": "middle", "align": "center"}
            text = panel.sign.replace(" ", "<br>")
            paper.text(left - 0.5 * signs[at], middle, text, 0.9, "quiet", **where)
        title_left = left + (place.row_room if named[at] else 0)
        paper.text(title_left, paper.top + 0.3 * size, titles[at], 0.9)
        _draw(paper, panel, place, named[at])
        left = place.right + bars[at]


def _below(paper: Paper, panels: Sequence[Panel]) -> None:
    size = paper.type
    top = paper.top + 0.3 * size
    for panel in panels:
        title = f"{panel.sign} {panel.title}".strip()
        title = _on_lines(paper, title, paper.inner_width)
        paper.text(paper.margin, top, title, 0.9)
        top += (1.5 + 1.2 * title.count("<br>")) * size
        place = place_map(
            paper.look,
            panel.sheet,
            paper.margin,
            top,
            paper.inner_width - max(_bar_room(paper.look, panel) for panel in panels),
            0.9 * paper.inner_width,
        )
        _draw(paper, panel, place, True)
        top = place.cells.bottom + 1.3 * size


def _bar_room(look: Look, panel: Panel) -> float:
    """The pixels right of a map: of its scale, or of nothing but what parts it from the next."""
    return bar_room(look, panel.bar, panel.sheet) if panel.bar else 1.2 * look.type_size


def _on_lines(paper: Paper, title: str, room: float) -> str:
    return f"<b>{wrapped(title, paper.look.sized(0.95), room)}</b>"


def _draw(paper: Paper, panel: Panel, place: Place, named: bool) -> None:
    draw_map(paper, panel.sheet, place, (named, True))
    if panel.bar:
        left = place.cells.right + 0.7 * paper.type
        draw_bar(paper, place.cells, left, panel.bar, panel.sheet)
