"""Sheets as one Plotly figure: where each sheet stands, and what is said around them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from viz_app.figures.canvas import Box, Canvas
from viz_app.figures.draw import (
    CAPTION,
    bar_rooms,
    circles_beside,
    draw_arrows,
    draw_bars,
    draw_curves,
    draw_lines,
    draw_map,
    draw_points,
    has_rows,
    labels_along,
)
from viz_app.figures.labels import said, said_under, stacked, widest, width_of, wrapped
from viz_app.figures.look import SLIDE, Look
from viz_app.figures.tree import Plan, draw_tree, plan_of
from viz_app.values.phrases import BLANK
from viz_app.values.sheets import (
    Arrows,
    Bars,
    Curves,
    Map,
    Panel,
    Points,
    Scale,
    Sheets,
    Tree,
)

_ROW_ASPECT, _COLUMN_ASPECT = 1.3, 1.7  # a cell is at most so much higher than wide, and wider


@dataclass(eq=False)
class _Place:
    """A sheet, the size of its cells and the pixels around them that what is said takes."""

    sheet: Panel
    is_named: bool  # its rows have labels of their own
    scale: Scale | None = None  # that is printed beside it
    width: float = 100.0
    height: float = 100.0
    label: float = 0.0  # pixels of type
    angle: int = 0  # of the column labels
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    title: str = ""
    plan: Plan | None = None  # of a tree

    @property
    def lines(self) -> int:
        """Of the title."""
        return self.title.count("<br>") + 1 if self.title else 0


def figure_of(sheets: Sheets, look: Look, about: str = "") -> go.Figure:
    """The figure of sheets; `about` is a line under the title, as Plotly reads it."""
    size = look.type_size
    margin = 1.1 * size
    inner = look.paper_width - 2 * margin
    title = wrapped(said(sheets.title, look), 1.38 * size, inner)  # bold is wider
    title = title.replace(BLANK, "") if look.title else ""
    if sheets.about is not None:
        lines = [said(one, look) for one in sheets.about]
        room = (0.95 * size, inner)
        about = lines[0] if len(lines) == 1 else "<br>".join(wrapped(one, *room) for one in lines)
    about = said_under(look, about) if look.title else ""
    canvas = Canvas(look, look.paper_width, SLIDE[1] if look.size == "slide" else 0.0)
    top = 0.6 * margin + (2.2 + 1.8 * title.count("<br>")) * size * bool(title)
    if about:
        canvas.text(margin, top, about, 0.9, "quiet")
        top += (2.0 + 1.2 * about.count("<br>")) * size
    note = wrapped(said(sheets.note, look), look.sized(0.8), inner) if sheets.note else ""
    foot = _key_room(sheets, look, inner) + (1.3 + 1.1 * note.count("<br>")) * size * bool(note)
    bottom = _lay_out(canvas, sheets, top, foot)
    if look.size == "slide":
        bottom = max(bottom, SLIDE[1] - foot - 0.6 * size)
    if note:
        canvas.text(margin, bottom + 0.2 * size, note, 0.8, "quiet")
    canvas.grow(0, bottom + foot - 0.6 * size)
    # Further lines of a title grow upwards, whatever its anchor.
    y = 1 - (0.75 * margin + 1.65 * size * title.count("<br>")) / canvas.height
    heading = {"text": title, "y": y, "xanchor": "left", "yanchor": "top"}
    key_top = bottom + (1.3 + 1.1 * note.count("<br>")) * size * bool(note)
    return canvas.figure(heading, key_top)


def _key_room(sheets: Sheets, look: Look, inner: float) -> float:
    """The pixels that the legend takes below: none where there is nothing to say."""
    names = [name for sheet in _each(sheets) for name in _key_of(sheet, look)]
    if not names:
        return 0.0
    names = list(dict.fromkeys(names))
    item = max(width_of(name, look.sized(0.8)) for name in names) + 46  # as wide as the widest
    rows = math.ceil(len(names) / max(1, int(inner / item)))
    line = max(19, 1.5 * look.sized(0.8))
    return rows * line + 0.6 * look.type_size


def _key_of(sheet: Panel, look: Look) -> list[str]:
    """What the legend says of a sheet."""
    if isinstance(sheet, Curves):
        return [said(one.name, look) for one in sheet.lines]
    if isinstance(sheet, Points):
        return [said(one.name, look) for one in sheet.clouds]
    if isinstance(sheet, Arrows):
        return [said(one, look) for one in sheet.names]
    if isinstance(sheet, Tree):
        return [said(one, look) for one in sheet.names.values()]
    if isinstance(sheet, Map) and sheet.lines:
        return [said(sheet.scale.unit, look), "0.1", "0.5", "1"]
    hidden = getattr(sheet, "hidden_RC", getattr(sheet, "hidden_N", None))
    names = [look.word("masked")] if hidden is not None and hidden.any() else []
    is_below = look.marks_negative and isinstance(sheet, Map) and sheet.scale.low < 0
    return [*names, look.word("figure_below")] if is_below else names


def _each(sheets: Sheets) -> Iterator[Panel]:
    return (sheet for row in sheets.panels for sheet in row)


def _lay_out(canvas: Canvas, sheets: Sheets, top: float, foot: float) -> float:
    """Draw all sheets below `top` and above a foot of so many pixels; gives where they end."""
    look, size = canvas.look, canvas.look.type_size
    margin, room = 1.1 * size, look.paper_width - 2.2 * size
    grid = _grid(sheets, look)
    height = None if look.size == "column" else canvas.height - top - foot - 0.8 * size
    for _ in range(6):  # what is said takes room from the cells, and cells say how much is said
        _measure(grid, look, sheets.aligned)
        _size(grid, look, sheets.aligned, room, height)
    _measure(grid, look, sheets.aligned)
    wide = max(sum(one.left + one.width + one.right for one in row) for row in grid)
    is_alone = len(grid[0]) == 1 and look.size == "slide"
    start = margin + max(0, (room - wide) / 2 if is_alone else 0)
    cells = Box(0, 0, 0, 0)
    for row in grid:
        left, above = start, max(one.top for one in row)
        for place in row:
            box = Box(left + place.left, top + above, place.width, place.height)
            _draw(canvas, place, box, top, sheets.aligned)
            if place.scale is not None:
                _print(canvas, place, box, grid, sheets.aligned)
            left = box.right + place.right
            cells = box
        top += above + max(one.height + one.bottom for one in row)
    canvas.grow(wide + margin, cells.bottom)
    return top


def _grid(sheets: Sheets, look: Look) -> list[list[_Place]]:
    """The sheets as they stand: in a narrow picture those below one another that share nothing."""
    rows: list[Sequence[Panel]] = list(sheets.panels)
    bare = any(isinstance(sheet, Map) and sheet.bare for sheet in _each(sheets))
    if look.size == "column" and not sheets.aligned and not bare:
        rows = [[sheet] for sheet in _each(sheets)]
    last: dict[Scale, _Place] = {}
    grid: list[list[_Place]] = []
    for row in rows:
        places: list[_Place] = []
        for at, sheet in enumerate(row):
            before = has_rows(row[at - 1]) if at else None
            place = _Place(sheet, before is None or has_rows(sheet) != before)
            places.append(place)
            if isinstance(sheet, Map) and not sheet.lines:
                first_row = sheet.bare and grid  # of many alike the first row has the scale
                last[sheet.scale] = last[sheet.scale] if first_row else place
        grid.append(places)
    for scale, place in last.items():
        place.scale = scale if said(scale.unit, look) or sheets.aligned else None
    return grid


def _measure(grid: list[list[_Place]], look: Look, is_aligned: bool) -> None:
    """Set how many pixels each place takes around its cells."""
    size = look.type_size
    below = (1.0 if look.size == "column" else 0.5) * size
    apart = 0.3 * size if is_aligned and look.size == "column" else 0.5 * size
    for row in grid:
        for at, place in enumerate(row):
            sheet = place.sheet
            place.left, place.right, place.top, place.bottom = 0.0, apart, 0.0, below
            _measure_axes(place, look, is_aligned)
            if sheet.sign:
                sign = said(sheet.sign, look).split(" ")
                place.left += widest(sign, look.sized(0.9)) + 0.6 * size
            elif at:
                is_close = getattr(sheet, "bare", False) or apart < 0.5 * size
                place.left += (0.1 if is_close else 0.8) * size
            if place.scale is not None:
                if is_aligned:
                    place.bottom += 2.2 * size
                else:
                    title = said(place.scale.unit, look)
                    digits = 3.8 if 0 < place.scale.high < 0.001 else 2.8  # powers of ten
                    bar = max((1.2 + digits) * size, width_of(title, look.sized(0.9)))
                    place.right += bar + 0.5 * size
            title = said(sheet.title, look)
            room = place.width + place.right - 0.6 * size
            place.title = f"<b>{wrapped(title, look.sized(0.9), room)}</b>" if title else ""
        lines = max(place.lines for place in row)
        for place in row:
            place.top += 1.25 * lines * look.sized(0.85) + (0.3 * size if lines else 0)
    for places in _columns(grid):
        for side in ("left", "right"):
            most = max(getattr(place, side) for place in places)
            for place in places:
                setattr(place, side, most)


def _columns(grid: list[list[_Place]]) -> list[list[_Place]]:
    """The places that stand below one another, of rows that have as many."""
    found: dict[tuple[int, int], list[_Place]] = {}
    for row in grid:
        for at, place in enumerate(row):
            if not isinstance(place.sheet, Arrows):  # which need the whole width
                found.setdefault((len(row), at), []).append(place)
    return list(found.values())


def _measure_axes(place: _Place, look: Look, is_aligned: bool) -> None:
    sheet, size = place.sheet, look.type_size
    rows = has_rows(sheet)
    place.label = place.label or size
    if rows is not None and place.is_named:
        labels = labels_along(rows, look)
        if isinstance(sheet, Map) and sheet.bare:
            place.left += width_of(said(rows.title, look), look.sized(0.8)) + 0.6 * size
        else:
            wide = widest(labels, place.label) + 0.6 * size if labels else 2.4 * size
            title = 1.6 * size if isinstance(sheet, Map) and said(rows.title, look) else 0
            place.left += wide + title * (not is_aligned)
    if isinstance(sheet, Map) and sheet.lines:
        place.right += widest(labels_along(sheet.columns, look), place.label) + 0.5 * size
        place.top += 1.9 * size
    elif isinstance(sheet, Map) and not sheet.bare and not is_aligned:
        labels = labels_along(sheet.columns, look)
        reach = _reach(place, labels)
        place.top += 0.5 * size + (reach if labels else 1.3 * size)
        place.top += 1.6 * size if said(sheet.columns.title, look) else 0
        place.right += 0.5 * reach if place.angle == -45 else 0
    elif isinstance(sheet, Bars) and not sheet.upright:
        place.bottom += (1.2 if is_aligned else 3.2) * size
    elif isinstance(sheet, Bars | Curves | Points):
        place.left += 4.4 * size
        place.bottom += 3.2 * size
    elif isinstance(sheet, Map) and sheet.bare:
        place.right -= 0.2 * size
        place.bottom -= 0.2 * size


def _reach(place: _Place, labels: Sequence[str]) -> float:
    """The height of the labels of columns; sets none."""
    standing = stacked(labels)
    flat = widest(labels, place.label) + 0.5 * place.label
    signs = max((label.count("<br>") + 1 for label in standing or ()), default=0)
    upright = 1.35 * signs * place.label if standing else flat
    return {0: 1.35 * place.label, -45: 0.74 * (flat + place.label), -90: upright}[place.angle]


def _size(
    grid: list[list[_Place]], look: Look, is_aligned: bool, room: float, height: float | None
) -> None:
    """Set the size of the cells of each place, within a width and a height, as far as it can be."""
    size = look.type_size
    free = None
    if height is not None:
        around = sum(max(p.top for p in row) + max(p.bottom for p in row) for row in grid)
        free = height - around
    parts = [_part(row, is_aligned) for row in grid]
    for row, part in zip(grid, parts, strict=True):
        wide = room - sum(place.left + place.right for place in row)
        tall = None if free is None else max(2 * size, free * part / sum(parts))
        for place, width in zip(row, _widths(row, look, wide), strict=True):
            _fit(place, look, is_aligned, max(1.5 * size, width), tall)
        rows = [place for place in row if has_rows(place.sheet) is not None]
        if is_aligned and rows:  # one line all the way
            for place in rows:
                place.height, place.label = rows[0].height, rows[0].label
    for places in _columns(grid):
        widths = [place.width for place in places]
        for place in places:
            place.width = max(widths)


def _part(row: Sequence[_Place], is_aligned: bool) -> float:
    """What part of the height a row of sheets gets, beside others."""
    if is_aligned:
        axes = [has_rows(place.sheet) for place in row]
        return float(max((axis.length for axis in axes if axis is not None), default=1))
    sheet = row[0].sheet
    return (
        3.0 if isinstance(sheet, Bars) and sheet.upright else 6 if isinstance(sheet, Arrows) else 10
    )


def _widths(row: Sequence[_Place], look: Look, room: float) -> list[float]:
    """The width of each sheet of a row: what its texts take, and the rest as is usual."""
    weights, least = [], []
    for place in row:
        sheet, are_bars = place.sheet, isinstance(place.sheet, Bars) and not place.sheet.upright
        weights.append(0.62 if are_bars else 1.0)
        texts = 0.0
        if isinstance(sheet, Bars) and are_bars:
            texts = 1.1 * sum(bar_rooms(sheet, look, look.sized(0.8)))
        least.append(texts)
    free = room
    for at in sorted(
        range(len(row)), key=lambda at: least[at] / (weights[at] or 1e-9), reverse=True
    ):
        if least[at] > free * weights[at] / (sum(weights) or 1):
            free, weights[at] = free - least[at], 0.0
        else:
            least[at] = 0.0
    return [
        texts or free * w / (sum(weights) or 1) for texts, w in zip(least, weights, strict=True)
    ]


def _fit(place: _Place, look: Look, is_aligned: bool, width: float, height: float | None) -> None:
    """Set the cells of a place in a room, larger than it where labels need it."""
    sheet, size, least = place.sheet, look.type_size, look.least_type_size
    slide = look.size == "slide"
    place.width, place.height = width, height or 0.6 * width
    if isinstance(sheet, Tree):
        place.plan = plan_of(sheet, look, width, height)
        place.height = place.plan.height
    elif isinstance(sheet, Arrows):
        tall = height or 0.6 * width
        beside = circles_beside(len(sheet.said), width, tall)
        below = math.ceil(len(sheet.said) / beside) * (1 + CAPTION)
        place.height = min(width / beside, tall / below) * below
    elif isinstance(sheet, Bars) and sheet.upright:
        low = 4 * size if sheet.places.labels else 0.58 * width  # under a map, or alone
        place.height = height or low
    elif isinstance(sheet, Bars):
        rows = sheet.places.length
        most = (2.2 if is_aligned else 3.4 if slide else 2.2) * size
        usual = 1.5 * size if is_aligned else most
        pitch = max(1.2 * least, min(most, height / rows if height else usual))
        place.height = rows * pitch
        place.label = max(least, min((0.8 if is_aligned else 1) * size, 0.8 * pitch))
    elif isinstance(sheet, Map):
        _fit_map(place, sheet, look, is_aligned, width, height)


def _fit_map(
    place: _Place, sheet: Map, look: Look, is_aligned: bool, width: float, height: float | None
) -> None:
    size, least = look.type_size, look.least_type_size
    R, C = sheet.values_RC.shape
    rows, columns = (labels_along(axis, look) for axis in (sheet.rows, sheet.columns))
    if sheet.bare:
        across = width / C
        down = 1.4 * across if height is None else min(height / R, 1.6 * across)
        place.width, place.height = C * min(across, 1.6 * down), R * down
        return
    if sheet.lines:
        most = max(R, C)
        room = math.inf if height is None else height / most
        pitch = max(1.2 * least, min(room, (2.6 if look.size == "slide" else 1.9) * size))
        place.label = max(least, min(size, 0.8 * pitch))
        place.width, place.height = min(width, 36 * size), most * pitch
        return
    is_numbers = not columns or all(isinstance(one, str) for one in sheet.columns.labels or ())
    across = max(0.4 if is_numbers else 1.1 * least, width / C)
    usual = 0.9 * width / R if not rows else 1.5 * size if is_aligned else 2.6 * size
    down = max(1.15 * least if rows else 1.0, usual if height is None else height / R)
    if columns and rows and not is_numbers:
        across = min(across, _COLUMN_ASPECT * down, 4.2 * size)
    if sheet.square:
        across = down = min(across, down)
    elif rows and not (is_numbers and not is_aligned and look.size == "slide"):
        limit = 2.2 * size if is_aligned else 2.6 * size
        down = min(down, limit if is_numbers else _ROW_ASPECT * across, limit)
        down = max(down, 1.15 * least)
    flat = widest(columns, place.label) + 0.5 * place.label
    place.angle = (
        0 if flat <= across or is_numbers else -45 if across >= 1.35 * place.label else -90
    )
    by_rows = 0.82 * down if rows else 0.8 * size
    most = min(0.8 * size if is_aligned else size, by_rows)
    place.label = max(least, min(most, across if place.angle == -90 else size))
    place.width, place.height = C * across, R * down


def _draw(canvas: Canvas, place: _Place, box: Box, top: float, is_aligned: bool) -> None:
    """A sheet in its box; its title stands at `top`."""
    sheet, look, size = place.sheet, canvas.look, canvas.look.type_size
    left = box.left - (place.left if isinstance(sheet, Curves | Points) else 0)
    if place.title:
        canvas.text(left, top, place.title, 0.85)
    middle = box.top + box.height / 2
    if sheet.sign:
        text = said(sheet.sign, look).replace(" ", "<br>")
        centred = {"xanchor": "center", "yanchor": "middle", "align": "center"}
        at = box.left - place.left + 0.5 * widest(text.split("<br>"), look.sized(0.9))
        canvas.text(at, middle, text, 0.9, "quiet", **centred)
    rows = has_rows(sheet)
    if isinstance(sheet, Map) and rows is not None and said(rows.title, look) and place.is_named:
        text = said(rows.title, look)
        if sheet.bare:
            where: dict[str, Any] = {"xanchor": "right", "yanchor": "middle", "align": "right"}
            canvas.text(box.left - 0.4 * size, middle, text, 0.8, "quiet", **where)
        elif not is_aligned and not sheet.lines:
            # Not the axis's own title, which moves with its labels.
            turned: dict[str, Any] = {"textangle": -90, "xanchor": "center", "yanchor": "middle"}
            canvas.text(box.left - place.left + 0.8 * size, middle, text, 0.9, "quiet", **turned)
    if isinstance(sheet, Map) and sheet.lines:
        draw_lines(canvas, sheet, box, place.label)
    elif isinstance(sheet, Map):
        angle = None if sheet.bare or is_aligned else place.angle
        draw_map(canvas, sheet, box, place.label, angle, place.is_named)
    elif isinstance(sheet, Bars):
        draw_bars(canvas, sheet, box, place.label, place.is_named, is_aligned)
    elif isinstance(sheet, Curves):
        draw_curves(canvas, sheet, box)
    elif isinstance(sheet, Points):
        draw_points(canvas, sheet, box)
    elif isinstance(sheet, Arrows):
        draw_arrows(canvas, sheet, box)
    elif isinstance(sheet, Tree) and place.plan is not None:
        draw_tree(canvas, sheet, place.plan, box)


def _print(
    canvas: Canvas, place: _Place, box: Box, grid: list[list[_Place]], is_aligned: bool
) -> None:
    """The scale of a place: right of its cells, or below them where rows go on beside it."""
    size = canvas.look.type_size
    if place.scale is None:
        return
    if is_aligned:
        wide = min(box.width, 12 * size)
        below = Box(box.left, box.bottom + 0.5 * size, wide, 0.5 * size)
        canvas.print_scale(place.scale, below, "")
        return
    high = box.height
    if isinstance(place.sheet, Map) and place.sheet.bare:
        high = sum(row[0].height + row[0].top + row[0].bottom for row in grid)
    slanted = 0.55 * place.top if place.angle == -45 else 0
    bar = Box(box.right + 0.8 * size, box.top, 0.8 * size, max(5 * size, min(high, 14 * size)))
    if slanted and place.angle == -45:
        bar = Box(bar.left + 0.3 * size, bar.top, bar.width, bar.height)
    canvas.print_scale(place.scale, bar, said(place.scale.unit, canvas.look))
