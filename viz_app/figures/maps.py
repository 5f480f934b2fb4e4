"""A map as cells, or as lines from its rows to its columns."""

import re
from typing import Any

import numpy as np

from viz_app.figures.axes import over, places_axis, quiet_axis, stacked, titled
from viz_app.figures.canvas import TYPE, Axes, Box, Canvas, Spec
from viz_app.figures.labels import room_of, said, spelled
from viz_app.figures.look import colour_at
from viz_app.values.sheets import Map

LEAST = 0.02  # a thinner line could not be seen; the data has every weight
_KEY = (0.1, 0.5, 1.0)  # weights whose lines the legend shows
_THINNEST, _WIDEST = 0.6, 10.0  # pixels of a line


def draw_map(canvas: Canvas, sheet: Map, box: Box, is_named: bool) -> None:
    """The cells as a heat map; with what is hatched, printed, marked and outlined on them.

    A bare map says its own name, and no labels: of many alike the first row and column do.
    """
    look, (R, C) = canvas.look, sheet.values_RC.shape
    x = places_axis(look, sheet.columns, not sheet.bare)
    y = places_axis(look, sheet.rows, is_named and not sheet.bare, sheet.drawn)
    cell, values_RC = (box.width / C, box.height / R), sheet.shown_RC
    named: Spec = {"hovertemplate": f"{look.word(sheet.reads)}<extra></extra>"}
    if labels := stacked(x.get("ticktext", ()), cell[0]):
        named["customdata"] = [x["ticktext"]] * R  # what is pointed at is read in one line
        named["hovertemplate"] = named["hovertemplate"].replace("%{x}", "%{customdata}")
        x |= {"ticktext": labels, "tickangle": 0}
    x["title"] = over(sheet, look, "" if sheet.bare else said(sheet.columns.title, look))
    y["title"] = titled(look, said(sheet.rows.title, look) if is_named else "")
    y["range"] = y["range"][::-1]
    frame = {"showline": True, "mirror": True, "linecolor": look["mask"], "linewidth": 1}
    axes = canvas.axes(box, x | {"side": "top"} | frame, y | frame, sheet.square)
    columns, rows = (0 if one.labels else one.start for one in (sheet.columns, sheet.rows))
    canvas.add(
        "heatmap",
        axes,
        z=values_RC,
        x0=columns,
        y0=rows,
        coloraxis=canvas.colours(sheet.scale, bool(said(sheet.scale.unit, look))),
        hoverongaps=False,
        xgap=1 if cell[0] > 12 else 0,
        ygap=1 if cell[1] > 12 else 0,
        name=said(sheet.title or sheet.scale.unit, look),
        **named,
        **_printed(sheet, values_RC, cell),
    )
    drawn_R = np.arange(R) < (R if sheet.drawn is None else sheet.drawn)
    below_RC = values_RC < 0 if look.marks_negative else None
    for mask_RC, is_below in ((sheet.hidden_RC, False), (below_RC, True)):
        runs = [] if mask_RC is None else _runs(mask_RC & drawn_R[:, None], rows, columns)
        if runs:
            canvas.hatch(runs, axes, is_below)
    if sheet.marks:
        at_y, at_x, signs = map(list, zip(*sheet.marks, strict=True))
        canvas.signs(at_x, at_y, signs, axes, textfont={"color": look["ink"], "weight": 700})
    if sheet.outlined is not None:
        at = rows + sheet.outlined
        ends = {"x0": columns - 0.5, "x1": columns + C - 0.5, "y0": at - 0.5, "y1": at + 0.5}
        canvas.shape(axes, "rect", line={"color": look["accent"], "width": 2}, **ends)


def _runs(mask_RC: np.ndarray, rows: int, columns: int) -> list[tuple[float, float, float]]:
    """The row, the beginning and the end of every run of cells."""
    found: list[tuple[float, float, float]] = []
    for at, mask_C in enumerate(mask_RC):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], mask_C.astype(int), [0]))))
        pairs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
        found += [(rows + at, columns + a - 0.5, columns + b - 0.5) for a, b in pairs]
    return found


def _printed(sheet: Map, values_RC: np.ndarray, cell: tuple[float, float]) -> dict[str, Any]:
    """The numbers in the cells, as on the page without the 0 before the point, where they fit."""
    if sheet.digits is None:
        return {}
    text_RC = printed_in(sheet, values_RC)
    if room_of(text for row in text_RC for text in row) > cell[0] or cell[1] < 14:
        return {}
    return {"text": text_RC, "texttemplate": "%{text}", "textfont": {"size": TYPE["small"]}}


def printed_in(sheet: Map, values_RC: np.ndarray | None = None) -> list[list[str]]:
    """What is printed in each cell where there is room; "" in one that is hidden or near 0.

    `values_RC` are the numbers as they are drawn, where they are known already.
    """
    values_RC = sheet.shown_RC if values_RC is None else values_RC
    if sheet.hidden_RC is not None:
        values_RC = np.where(sheet.hidden_RC, np.nan, values_RC)
    return [
        ["" if not abs(one) >= sheet.least else _number(one, sheet.digits or "") for one in row]
        for row in values_RC.tolist()
    ]


def _number(value: float, digits: str) -> str:
    text = spelled(value, digits)
    return text if digits.endswith(".1f") else re.sub(r"^([\u2212+]?)0(?=[.])", r"\1", text)


def draw_lines(canvas: Canvas, sheet: Map, box: Box) -> None:
    """A map as curves from its rows to its columns: the wider, the larger the number."""
    look, (R, C) = canvas.look, sheet.values_RC.shape
    axes = Axes()
    for side, axis, drawn in (("right", sheet.columns, None), ("left", sheet.rows, sheet.drawn)):
        y = places_axis(look, axis, drawn=drawn) | {"range": [max(R, C) - 0.5, -0.5]}
        y |= {"side": side, "title": titled(look, said(axis.title, look))}
        x = quiet_axis([0, 1], side="top", title=over(sheet, look))
        axes = canvas.axes(box, x, y)
        canvas.lines([None], [None], axes)
    ink = colour_at(look.sequential, 0.78)
    shares_RC = np.nan_to_num(sheet.shown_RC) / sheet.scale.high
    order = sorted(range(R), key=lambda row: row == sheet.outlined)  # the outlined one lies on top
    for row, column in ((r, c) for r in order for c in range(C) if shares_RC[r, c] >= LEAST):
        share, is_outlined = float(shares_RC[row, column]), row == sheet.outlined
        strength = 1 if sheet.outlined is None or is_outlined else 0.38
        line: Spec = {"color": look["accent"] if is_outlined else ink}
        line["width"] = _THINNEST + _WIDEST * share
        path = f"M 0,{row} C 0.45,{row} 0.55,{column} 1,{column}"  # from edge to edge
        opacity = min(1, strength * (0.08 + 0.92 * share))
        canvas.shape(axes, "path", path=path, line=line, opacity=opacity)
    canvas.key_title = said(sheet.scale.unit, look)
    for share in _KEY:
        line = {"color": ink, "width": _THINNEST + _WIDEST * share}
        nothing: Spec = {"x": [None], "y": [None], "mode": "lines", "opacity": 0.08 + 0.92 * share}
        canvas.add("scatter", axes, f"{share * sheet.scale.high:.3g}", line=line, **nothing)
