"""What is chosen in the room Heads."""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Items, OneOf, Within
from model_core.values.head_measures import MEASURES
from viz_app.values.view import Inner, View

ALL = tuple(dict.fromkeys(name for names in MEASURES.values() for name in names))
PATTERNS = ("diagonal", "previous", "itself", "next", "first", "end", "own")
CELLS = 8  # rows and columns of a pattern that is drawn by hand


@dataclass(frozen=True)
class HeadsView(View):
    """A measure that colours the heads, another one across, and the head that is looked at."""

    view: Literal["list", "grid", "scatter", "table", "here"] | None = "list"
    measure: Annotated[str | None, OneOf(ALL)] = None
    across: Annotated[str | None, OneOf(ALL)] = None
    order: Annotated[str | None, OneOf(("place", *ALL))] = None  # of the table
    pattern: Annotated[str | None, OneOf(PATTERNS)] = None  # what is looked for
    # That are drawn.
    cells: Annotated[tuple[int, ...] | None, Items(CELLS * CELLS), Within(0, CELLS * CELLS - 1)] = (
        None
    )
    # Of the answer; of no sentence.
    part: Annotated[Literal["all", "head"] | None, Inner("head")] = "all"
