"""What is to be seen of an answer: sheets, numbers between named axes, and how they are read.

A room makes them of the tables of its answer; figures/ makes Plotly figures of them. A sheet knows
no colour, no pixel and no language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from viz_app.values.phrases import Text, say
from viz_app.values.tables import Axis, Table

LEAST_SAID = 0.095  # weights and differences that are smaller are not printed in their cell
OPEN_SHARE = 0.14  # of the scale of weights: the colour of an open cell of a mask
LEAST_SAID_FINELY = 0.05  # where small ones count: changes in nats, weights of a head that learns


@dataclass(frozen=True)
class Scale:
    """What a colour stands for, from `low` to `high`; one scale is printed once."""

    unit: Text
    low: float = 0.0
    high: float = 1.0
    signed: bool = False  # numbers of its kind may be below 0, though none here is

    @property
    def is_signed(self) -> bool:
        """Whether its colours go from -1 to 1."""
        return self.signed or self.low < 0

    @classmethod
    def of(cls, unit: Text, *arrays: np.ndarray) -> "Scale":
        """A signed scale that is no wider than the numbers and holds 0."""
        numbers_N = np.concatenate([a[np.isfinite(a)] for a in arrays] or [np.zeros(0)])
        low, high = float(numbers_N.min(initial=0)), float(numbers_N.max(initial=0))
        return cls(unit, low, high if high > low else low + 1.0, True)


@dataclass(frozen=True, eq=False)
class Panel:
    """What every kind of sheet has."""

    title: Text = field(default="", kw_only=True)
    sign: Text = field(default="", kw_only=True)  # of an equation, before the sheet


@dataclass(frozen=True, eq=False)
class Map(Panel):
    """Numbers as coloured cells, R rows down and C columns across; NaN is no cell."""

    values_RC: np.ndarray
    axes: tuple[Axis, ...]
    scale: Scale = Scale(say("figure_weight"))
    _: KW_ONLY
    hidden_RC: np.ndarray | None = None  # True: hatched; no colour, but a weight that is read is
    marks: tuple[tuple[int, int, str], ...] = ()  # row, column, sign over the cell
    drawn: int | None = None  # rows drawn; the others keep their room
    outlined: int | None = None  # a row
    digits: str | None = None  # how a cell's number is printed where there is room: ".2f"
    least: float = 0.0  # numbers nearer to 0 are not printed
    reads: str = "figure_cell"  # the words of a cell
    lines: bool = False  # drawn as lines between the rows and the columns, as wide as the weights
    square: bool = False  # the cells
    bare: bool = False  # one of many alike: its axes are named once, beside all of them

    @property
    def rows(self) -> Axis:
        """What stands below one another."""
        return self.axes[0]

    @property
    def columns(self) -> Axis:
        """What stands beside one another."""
        return self.axes[1]

    @property
    def shown_RC(self) -> np.ndarray:
        """The numbers as they are coloured: NaN where a cell is hidden or still to come.

        A weight above 0 is coloured all the same: it is read though the mask hides it.
        """
        hidden_RC = np.isnan(self.values_RC.astype(float))
        if self.hidden_RC is not None:
            is_read_RC = (self.values_RC > 0) & (not self.scale.is_signed)
            hidden_RC = hidden_RC | (self.hidden_RC & ~is_read_RC)
        if self.drawn is not None:
            hidden_RC = hidden_RC | (np.arange(len(hidden_RC)) >= self.drawn)[:, None]
        shown_RC: np.ndarray = np.where(hidden_RC, np.nan, self.values_RC.astype(float))
        return shown_RC


@dataclass(frozen=True, eq=False)
class Bars(Panel):
    """A bar for each place of an axis, from 0; NaN has none."""

    values_N: np.ndarray
    places: Axis
    amount: Text = ""  # what the length says
    most: float | None = None  # where the numbers end at least
    said: Sequence[Text] | None = None  # beside each bar; its number where nothing else is
    outlined_N: np.ndarray | None = None  # another number of each, as the edge of a bar
    taken: int | None = None  # a bar that stands out
    hidden_N: np.ndarray | None = None  # True: hatched
    upright: bool = False


@dataclass(frozen=True, eq=False)
class Curve:
    """One line: where it is known, and, where they are known, the points that it goes through."""

    name: Text
    x_N: np.ndarray
    y_N: np.ndarray
    fine: tuple[np.ndarray, np.ndarray] | None = None


@dataclass(frozen=True, eq=False)
class Curves(Panel):
    """Lines over one axis of numbers."""

    lines: Sequence[Curve]
    across: Text
    up: Text
    behind: Sequence[tuple[np.ndarray, np.ndarray]] = ()  # other lines, quietly: x and y of each
    is_logarithmic: bool = False  # places stand where log10(1 + x) is


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points of one kind: what the kind is called, where they are and what each is called."""

    name: Text
    x_N: np.ndarray
    y_N: np.ndarray
    names: Sequence[str]
    sign: str = "circle"  # circle, square, diamond


@dataclass(frozen=True, eq=False)
class Points(Panel):
    """Points of several kinds on two axes of numbers."""

    clouds: Sequence[Cloud]
    across: Text
    up: Text


@dataclass(frozen=True, eq=False)
class Arrows(Panel):
    """Circles, each with the same few arrows from its middle; their lengths compare in a circle."""

    names: Sequence[Text]  # of the kinds of arrows: the first stands out
    turned_P2: Sequence[np.ndarray]  # of each kind, one a circle
    before_P2: Sequence[np.ndarray]  # the same before they were turned
    said: Sequence[Text]  # under each circle
    outlined: int | None = None


@dataclass(frozen=True, eq=False)
class Tree(Panel):
    """A search from left to right: its nodes, column by column, the best of each first."""

    labels: Sequence[Text]
    numbers: Sequence[float]
    steps: Sequence[int]  # the column of each, from 1
    parents: Sequence[int]  # -1: what there was before
    fates: Sequence[str]  # kept, pruned, finished
    lost: frozenset[int]  # what is left behind at the last column
    won: frozenset[int]
    greedy: frozenset[int]  # the way of greedy decoding
    names: Mapping[str, Text]  # of kept, won, finished, pruned, greedy and dead, for the legend


@dataclass(frozen=True, eq=False)
class Sheets:
    """One picture: sheets beside and below one another.

    `about` is said under the title where it is not what every picture says of a decoding.
    """

    title: Text
    panels: Sequence[Sequence[Panel]]
    about: Sequence[Text] | None = None  # line by line
    note: Text = ""  # below


def alone(title: Text, *panels: Panel, **more: Any) -> Sheets:
    """A picture of one row of sheets."""
    return Sheets(title, (panels,), **more)


def sheets_of(title: Text, tables: Sequence[Table]) -> Sheets:
    """What tables show by themselves: bars of one axis, maps of two."""
    panels: list[Panel] = []
    for table in tables:
        for name, array in table.values.items():
            if len(table.axes) == 1:
                panels.append(Bars(array.astype(float), table.axes[0], title=name))
            elif len(table.axes) == 2:
                scale = Scale.of(name, array)
                panels.append(Map(array, table.axes, scale, title=name))
    return Sheets(title, (panels,))
