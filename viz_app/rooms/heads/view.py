"""What is chosen in the room Heads."""

from dataclasses import dataclass

from model_core.values.head_measures import MEASURES
from viz_app.values.view import View, wholes, word

ALL = tuple(dict.fromkeys(name for names in MEASURES.values() for name in names))
PATTERNS = ("diagonal", "previous", "itself", "next", "first", "end", "own")
CELLS = 8  # rows and columns of a pattern that is drawn by hand


@dataclass(frozen=True)
class HeadsView(View):
    """A measure that colours the heads, another one across, and the head that is looked at."""

    view: str | None = word("grid", "scatter", "table", default="grid")
    measure: str | None = word(*ALL)
    across: str | None = word(*ALL)
    order: str | None = word("place", *ALL)  # of the table
    pattern: str | None = word(*PATTERNS)  # what is looked for
    cells: tuple[int, ...] | None = wholes(CELLS * CELLS, CELLS * CELLS - 1)  # that are drawn
    part: str | None = word("all", default="all", inner=("head",))  # of the answer; of no sentence
