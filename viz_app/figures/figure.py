"""Sheets as one Plotly figure: where each sheet stands, and what is said around them."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from viz_app.figures.canvas import Box, Canvas
from viz_app.figures.kinds import Place, place_of, rows_of
from viz_app.figures.labels import said, said_under, widest, width_of, wrapped
from viz_app.figures.look import SLIDE, Look
from viz_app.values.phrases import BLANK
from viz_app.values.sheets import Map, Panel, Scale, Sheets

Grid = list[list[Place]]


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
    note = wrapped(said(sheets.note, look), look.sized(0.8), inner)
    note_room = (1.3 + 1.1 * note.count("<br>")) * size * bool(note)
    grid = _grid(sheets, look)
    foot = _key_room(grid, look, inner) + note_room
    bottom = _lay_out(canvas, grid, sheets.aligned, top, foot)
    if look.size == "slide":
        bottom = max(bottom, SLIDE[1] - foot - 0.6 * size)
    if note:
        canvas.text(margin, bottom + 0.2 * size, note, 0.8, "quiet")
    canvas.grow(0, bottom + foot - 0.6 * size)
    # Further lines of a title grow upwards, whatever its anchor.
    y = 1 - (0.75 * margin + 1.65 * size * title.count("<br>")) / canvas.height
    heading = {"text": title, "y": y, "xanchor": "left", "yanchor": "top"}
    return canvas.figure(heading, bottom + note_room)


def _grid(sheets: Sheets, look: Look) -> Grid:
    """The sheets as they stand: in a narrow picture those below one another that share nothing."""
    rows: list[Sequence[Panel]] = list(sheets.panels)
    every = [sheet for row in rows for sheet in row]
    are_bare = any(isinstance(sheet, Map) and sheet.bare for sheet in every)
    if look.size == "column" and not sheets.aligned and not are_bare:
        rows = [[sheet] for sheet in every]
    last: dict[Scale, Place] = {}
    grid: Grid = []
    for row in rows:
        before = [None, *map(rows_of, row)]
        places = [
            place_of(sheet, look, sheets.aligned, one is None or rows_of(sheet) != one)
            for sheet, one in zip(row, before, strict=False)
        ]
        for place in places:
            has_scale = isinstance(place.sheet, Map) and not place.sheet.lines
            if has_scale and not (are_bare and grid):  # of many alike the first row has it
                last[place.sheet.scale] = place
        grid.append(places)
    for scale, place in last.items():
        place.scale = scale if said(scale.unit, look) or sheets.aligned else None
    return grid


def _key_room(grid: Grid, look: Look, inner: float) -> float:
    """The pixels that the legend takes below: none where there is nothing to say."""
    names = dict.fromkeys(name for row in grid for place in row for name in place.key())
    if not names:
        return 0.0
    item = max(width_of(name, look.sized(0.8)) for name in names) + 46  # as wide as the widest
    rows = math.ceil(len(names) / max(1, int(inner / item)))
    return rows * max(19, 1.5 * look.sized(0.8)) + 0.6 * look.type_size


def _lay_out(canvas: Canvas, grid: Grid, is_aligned: bool, top: float, foot: float) -> float:
    """Draw all sheets below `top` and above a foot of so many pixels; gives where they end."""
    look, size = canvas.look, canvas.look.type_size
    margin, room = 1.1 * size, look.paper_width - 2.2 * size
    height = None if look.size == "column" else canvas.height - top - foot - 0.8 * size
    for _ in range(6):  # what is said takes room from the cells, and cells say how much is said
        _measure(grid)
        _fit(grid, is_aligned, room, height)
    _measure(grid)
    wide = max(sum(one.left + one.width + one.right for one in row) for row in grid)
    is_alone = len(grid[0]) == 1 and look.size == "slide"
    start = margin + max(0, (room - wide) / 2 if is_alone else 0)
    for row in grid:
        left, above = start, max(one.top for one in row)
        for place in row:
            box = Box(left + place.left, top + above, place.width, place.height)
            _draw(canvas, place, box, top)
            if place.scale is not None:
                _print(canvas, place.scale, place, box, grid)
            left = box.right + place.right
        top += above + max(one.height + one.bottom for one in row)
    canvas.grow(wide + margin, 0)
    return top


def _measure(grid: Grid) -> None:
    """Set how many pixels each place takes around its cells."""
    for row in grid:
        for at, place in enumerate(row):
            _measure_place(place, at == 0)
        lines = max(place.title.count("<br>") + bool(place.title) for place in row)
        for place in row:
            place.top += 1.25 * lines * place.look.sized(0.85) + 0.3 * place.size * bool(lines)
    for places in _columns(grid):
        left, right = (max(getattr(one, side) for one in places) for side in ("left", "right"))
        for place in places:
            place.left, place.right = left, right


def _measure_place(place: Place, is_first: bool) -> None:
    size, look, sheet = place.size, place.look, place.sheet
    is_close = place.is_aligned and not place.is_slide
    place.left, place.right, place.top = 0.0, (0.3 if is_close else 0.5) * size, 0.0
    place.bottom = (0.5 if place.is_slide else 1.0) * size
    place.around()
    title, sign = said(sheet.title, look), said(sheet.sign, look)
    if is_first:  # what is before it stands above
        title, sign = f"{sign} {title}".strip(), ""
    place.sign = sign.replace(" ", "<br>")
    if sign:
        place.left += widest(sign.split(" "), look.sized(0.9)) + 0.6 * size
    elif not is_first:
        place.left += (0.1 if is_close or getattr(sheet, "bare", False) else 0.8) * size
    if place.scale is not None and place.is_aligned:
        place.bottom += 2.2 * size
    elif place.scale is not None:
        digits = 3.8 if 0 < place.scale.high < 0.001 else 2.8  # powers of ten
        unit = width_of(said(place.scale.unit, look), look.sized(0.9))
        place.right += max((1.2 + digits) * size, unit) + 0.5 * size
    room = place.width + place.right - 0.6 * size
    place.title = f"<b>{wrapped(title, look.sized(0.9), room)}</b>" if title else ""


def _columns(grid: Grid) -> list[list[Place]]:
    """The places that stand below one another, of rows that have as many."""
    found: dict[tuple[int, int], list[Place]] = {}
    for row in grid:
        for at, place in enumerate(row):
            if not place.has_own_width:
                found.setdefault((len(row), at), []).append(place)
    return list(found.values())


def _fit(grid: Grid, is_aligned: bool, room: float, height: float | None) -> None:
    """Set the size of the cells of each place, within a width and a height, as far as it can be."""
    around = sum(max(p.top for p in row) + max(p.bottom for p in row) for row in grid)
    parts = [max(place.part for place in row) for row in grid]
    for row, part in zip(grid, parts, strict=True):
        size = row[0].size
        tall = height and max(2 * size, (height - around) * part / sum(parts))
        wide = room - sum(place.left + place.right for place in row)
        for place, width in zip(row, _widths(row, wide), strict=True):
            place.fit(max(1.5 * size, width), tall)
        if is_aligned:  # one line all the way
            for place in row:
                place.height, place.label = row[0].height, row[0].label
    for places in _columns(grid):
        width = max(place.width for place in places)
        for place in places:
            place.width = width


def _widths(row: Sequence[Place], room: float) -> list[float]:
    """The width of each sheet of a row: what its texts take, and the rest as is usual."""
    widths = [0.0] * len(row)
    free, shares = room, {at: place.share for at, place in enumerate(row)}
    for at in sorted(shares, key=lambda at: row[at].least() / row[at].share, reverse=True):
        if row[at].least() > free * shares[at] / sum(shares.values()):
            widths[at] = row[at].least()
            free -= widths[at]
            del shares[at]
    return [
        free * shares[at] / sum(shares.values()) if at in shares else width
        for at, width in enumerate(widths)
    ]


def _draw(canvas: Canvas, place: Place, box: Box, top: float) -> None:
    """A sheet in its box with its sign; its title stands at `top`."""
    if place.title:
        canvas.text(box.left, top, place.title, 0.85)
    if place.sign:
        centred = {"xanchor": "center", "yanchor": "middle", "align": "center"}
        wide = widest(place.sign.split("<br>"), canvas.look.sized(0.9))
        left, middle = box.left - place.left + 0.5 * wide, box.top + box.height / 2
        canvas.text(left, middle, place.sign, 0.9, "quiet", **centred)
    place.draw(canvas, box)


def _print(canvas: Canvas, scale: Scale, place: Place, box: Box, grid: Grid) -> None:
    """The scale of a place: right of its cells, or below them where rows go on beside it."""
    size, high = place.size, box.height
    if place.is_aligned:
        below = Box(box.left, box.bottom + 0.5 * size, min(box.width, 12 * size), 0.5 * size)
        canvas.print_scale(scale, below, "")
        return
    if place.sheet.bare:
        high = sum(row[0].height + row[0].top + row[0].bottom for row in grid)
    bar = Box(box.right + size, box.top, 0.8 * size, max(5 * size, min(high, 14 * size)))
    canvas.print_scale(scale, bar, said(scale.unit, canvas.look))
