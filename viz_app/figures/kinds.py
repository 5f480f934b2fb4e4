"""The kinds of sheets: how much room each takes, and what draws it. One class a kind.

What is added is a class and its line in `_KINDS`.
"""

import math
from dataclasses import dataclass
from typing import Any

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
    draw_upright,
    labels_along,
)
from viz_app.figures.labels import said, stacked, widest, width_of
from viz_app.figures.look import Look
from viz_app.figures.tree import draw_tree, plan_of
from viz_app.values.sheets import Arrows, Bars, Curves, Map, Panel, Points, Scale, Tree
from viz_app.values.tables import Axis

_ROW_ASPECT, _COLUMN_ASPECT = 1.3, 1.7  # a cell is at most so much higher than wide, and wider


@dataclass(eq=False)
class Place:
    """A sheet, the size of its cells in pixels, and the pixels that what is said takes around."""

    sheet: Any
    look: Look
    is_aligned: bool  # its rows go on beside it
    is_named: bool = True  # its rows have labels of their own
    scale: Scale | None = None  # that is printed beside it
    width: float = 100.0
    height: float = 100.0
    label: float = 0.0  # pixels of type
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    title: str = ""
    sign: str = ""  # of an equation, on its left

    share = 1.0  # of the width, beside other sheets
    part = 10.0  # of the height, beside other sheets
    has_own_width = False  # whatever stands above it

    def __post_init__(self) -> None:
        self.label = self.size

    @property
    def size(self) -> float:
        """The size of the ordinary type."""
        return self.look.type_size

    @property
    def is_slide(self) -> bool:
        """Whether there is a height to be kept to."""
        return self.look.size == "slide"

    def key(self) -> list[str]:
        """What the legend says of it."""
        return []

    def least(self) -> float:
        """The width that its texts take."""
        return 0.0

    def around(self) -> None:
        """Add the pixels that the axes take around the cells."""

    def fit(self, width: float, height: float | None) -> None:
        """Set the size of the cells in a room, larger than it where labels need it."""
        self.width, self.height = width, height or 0.6 * width

    def draw(self, canvas: Canvas, box: Box) -> None:
        """Draw the cells in a box."""
        raise NotImplementedError


class _Rows(Place):
    """A sheet with rows, which the one beside it may share."""

    @property
    def part(self) -> float:  # type: ignore[override]
        return float(rows_of(self.sheet).length) if self.is_aligned else 10.0  # type: ignore[union-attr]

    def key(self) -> list[str]:
        sheet, look = self.sheet, self.look
        hidden = sheet.hidden_RC if isinstance(sheet, Map) else sheet.hidden_N
        return [look.word("masked")] if hidden is not None and hidden.any() else []

    def around(self) -> None:
        if self.is_named:
            labels = labels_along(rows_of(self.sheet), self.look)  # type: ignore[arg-type]
            numbers = 2.4 * self.size
            self.left += widest(labels, self.label) + 0.6 * self.size if labels else numbers


class _Map(_Rows):
    """A map with labels on both sides."""

    sheet: Map
    angle = 0  # of the labels of the columns

    def key(self) -> list[str]:
        is_below = self.look.marks_negative and self.sheet.scale.low < 0
        return super().key() + ([self.look.word("figure_below")] if is_below else [])

    def around(self) -> None:
        super().around()
        sheet, look, size = self.sheet, self.look, self.size
        if self.is_aligned:
            return
        self.left += 1.6 * size if self.is_named and said(sheet.rows.title, look) else 0
        labels = labels_along(sheet.columns, look)
        flat, standing = widest(labels, self.label) + 0.5 * self.label, stacked(labels)
        signs = max((label.count("<br>") + 1 for label in standing or ()), default=0)
        upright = 1.35 * signs * self.label if standing else flat
        slant = 0.74 * (flat + self.label)
        reach = {0: 1.35 * self.label, -45: slant, -90: upright}[self.angle]
        self.top += 0.5 * size + (reach if labels else 1.3 * size)
        self.top += 1.6 * size if said(sheet.columns.title, look) else 0
        self.right += 0.5 * reach if self.angle == -45 else 0

    def fit(self, width: float, height: float | None) -> None:
        sheet, size, least = self.sheet, self.size, self.look.least_type_size
        R, C = sheet.values_RC.shape
        rows, columns = (labels_along(axis, self.look) for axis in (sheet.rows, sheet.columns))
        # Plain texts are thinned where they do not fit.
        is_thin = not columns or all(isinstance(one, str) for one in sheet.columns.labels or ())
        across = max(0.4 if is_thin else 1.1 * least, width / C)
        usual = 0.9 * width / R if not rows else 1.5 * size if self.is_aligned else 2.6 * size
        down = max(1.15 * least if rows else 1.0, height / R if height else usual)
        if rows and not is_thin:
            across = min(across, _COLUMN_ASPECT * down, 4.2 * size)
        if sheet.square:
            across = down = min(across, down)
        elif rows and (self.is_aligned or not is_thin or not self.is_slide):
            limit = (2.2 if self.is_aligned else 2.6) * size
            limit = limit if is_thin else min(limit, _ROW_ASPECT * across)
            down = max(1.15 * least, min(down, limit))
        flat = widest(columns, self.label) + 0.5 * self.label
        lies = flat <= across or is_thin
        self.angle = 0 if lies else -45 if across >= 1.35 * self.label else -90
        by_rows = 0.82 * down if rows else 0.8 * size
        most = min(0.8 * size if self.is_aligned else size, by_rows)
        self.label = max(least, min(most, across) if self.angle == -90 else most)
        self.width, self.height = C * across, R * down

    def draw(self, canvas: Canvas, box: Box) -> None:
        title, size = said(self.sheet.rows.title, self.look), self.size
        if self.is_named and not self.is_aligned and title:
            # Not the axis's own title, which moves with its labels.
            turned: dict[str, Any] = {"textangle": -90, "xanchor": "center", "yanchor": "middle"}
            left, middle = box.left - self.left + 0.8 * size, box.top + box.height / 2
            canvas.text(left, middle, title, 0.9, "quiet", **turned)
        angle = None if self.is_aligned else self.angle
        draw_map(canvas, self.sheet, box, self.label, angle, self.is_named)


class _Bare(_Map):
    """One of many maps alike, which are named on the left and above."""

    def around(self) -> None:
        title = said(self.sheet.rows.title, self.look) if self.is_named else ""
        self.left += width_of(title, self.look.sized(0.8)) + 0.6 * self.size if title else 0
        self.right -= 0.2 * self.size
        self.bottom -= 0.2 * self.size

    def fit(self, width: float, height: float | None) -> None:
        R, C = self.sheet.values_RC.shape
        across = width / C
        down = min(height / R, 1.6 * across) if height else 1.4 * across
        self.width, self.height = C * min(across, 1.6 * down), R * down

    def draw(self, canvas: Canvas, box: Box) -> None:
        if self.is_named:
            where: dict[str, Any] = {"xanchor": "right", "yanchor": "middle", "align": "right"}
            left, middle = box.left - 0.4 * self.size, box.top + box.height / 2
            title = said(self.sheet.rows.title, self.look)
            canvas.text(left, middle, title, 0.8, "quiet", **where)
        draw_map(canvas, self.sheet, box, self.label, None, self.is_named)


class _Lines(_Rows):
    """A map as lines from its rows to its columns."""

    sheet: Map

    def key(self) -> list[str]:
        return [said(self.sheet.scale.unit, self.look), "0.1", "0.5", "1"]

    def around(self) -> None:
        super().around()
        columns = labels_along(self.sheet.columns, self.look)
        self.right += widest(columns, self.label) + 0.5 * self.size
        self.top += 1.9 * self.size

    def fit(self, width: float, height: float | None) -> None:
        least, count = self.look.least_type_size, max(self.sheet.values_RC.shape)
        most = (2.6 if self.is_slide else 1.9) * self.size
        pitch = max(1.2 * least, min(most, height / count if height else most))
        self.label = max(least, min(self.size, 0.8 * pitch))
        self.width, self.height = min(width, 36 * self.size), count * pitch

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_lines(canvas, self.sheet, box, self.label)


class _Bars(_Rows):
    """Bars across."""

    sheet: Bars
    share = 0.62

    def least(self) -> float:
        return 1.1 * sum(bar_rooms(self.sheet, self.look, self.look.sized(0.8)))

    def around(self) -> None:
        super().around()
        self.bottom += (1.2 if self.is_aligned else 3.2) * self.size

    def fit(self, width: float, height: float | None) -> None:
        size, least, rows = self.size, self.look.least_type_size, self.sheet.places.length
        most = (3.4 if self.is_slide and not self.is_aligned else 2.2) * size
        usual = 1.5 * size if self.is_aligned else most
        pitch = max(1.2 * least, min(most, height / rows if height else usual))
        self.label = max(least, min((0.8 if self.is_aligned else 1) * size, 0.8 * pitch))
        self.width, self.height = width, rows * pitch

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_bars(canvas, self.sheet, box, self.label, self.is_named, self.is_aligned)


class _OnNumbers(Place):
    """A sheet with a numbered axis on its left and an axis below."""

    def around(self) -> None:
        self.left += 4.4 * self.size
        self.bottom += 3.2 * self.size


class _Upright(_OnNumbers):
    """Upright bars, alone or under a map."""

    sheet: Bars
    part = 3.0

    def fit(self, width: float, height: float | None) -> None:
        low = 4 * self.size if self.sheet.places.labels else 0.58 * width
        self.width, self.height = width, height or low

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_upright(canvas, self.sheet, box, self.label)


class _Curves(_OnNumbers):
    sheet: Curves

    def key(self) -> list[str]:
        return [said(one.name, self.look) for one in self.sheet.lines]

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_curves(canvas, self.sheet, box)


class _Points(_OnNumbers):
    sheet: Points

    def key(self) -> list[str]:
        return [said(one.name, self.look) for one in self.sheet.clouds]

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_points(canvas, self.sheet, box)


class _Arrows(Place):
    """Circles with arrows, as large as a room lets them."""

    sheet: Arrows
    part = 6.0
    has_own_width = True

    def key(self) -> list[str]:
        return [said(one, self.look) for one in self.sheet.names]

    def fit(self, width: float, height: float | None) -> None:
        height, count = height or 0.6 * width, len(self.sheet.said)
        beside = circles_beside(count, width, height)
        below = math.ceil(count / beside) * (1 + CAPTION)
        self.width, self.height = width, min(width / beside, height / below) * below

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_arrows(canvas, self.sheet, box)


class _Tree(Place):
    sheet: Tree

    def key(self) -> list[str]:
        return [said(one, self.look) for one in self.sheet.names.values()]

    def fit(self, width: float, height: float | None) -> None:
        self.plan = plan_of(self.sheet, self.look, width, height)
        self.width, self.height = width, self.plan.height

    def draw(self, canvas: Canvas, box: Box) -> None:
        draw_tree(canvas, self.sheet, self.plan, box)


_KINDS = {Map: _Map, Bars: _Bars, Curves: _Curves, Points: _Points, Arrows: _Arrows, Tree: _Tree}


def place_of(sheet: Panel, look: Look, is_aligned: bool, is_named: bool) -> Place:
    """The place of a sheet, by its kind."""
    kind: type[Place] = _KINDS[type(sheet)]
    if isinstance(sheet, Map) and (sheet.lines or sheet.bare):
        kind = _Lines if sheet.lines else _Bare
    elif isinstance(sheet, Bars) and sheet.upright:
        kind = _Upright
    return kind(sheet, look, is_aligned, is_named)


def rows_of(sheet: Panel) -> Axis | None:
    """The rows of a sheet, which the one beside it may share."""
    if isinstance(sheet, Map):
        return sheet.rows
    return sheet.places if isinstance(sheet, Bars) and not sheet.upright else None
