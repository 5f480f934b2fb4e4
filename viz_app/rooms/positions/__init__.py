"""The room Positions: how a model knows where a token stands, and what order does."""

from typing import Any

from viz_app.rooms.positions.answer import answer
from viz_app.rooms.positions.view import PositionsView
from viz_app.rooms.room import Room, Shown

_ASKED = {
    "sum": ("side",),
    "order": ("order", "rows", "site", "layer", "head", "at"),
    "outcome": ("order", "rows"),
    "rotary": ("site", "layer", "head", "query", "key"),
}


def _asks(view: PositionsView) -> tuple[dict[str, Any], ...]:
    if view.study == "table":
        kinds = dict.fromkeys(("own", view.kind))  # the page shows the model's own beside another
        return tuple({"study": "table", "kind": kind, "side": view.side} for kind in kinds)
    studies = ("order", "outcome") if view.study == "order" else (view.study or "",)
    return tuple({"study": study} | view.parts(_ASKED[study]) for study in studies)


ROOM = Room(
    "positions",
    PositionsView,
    answer,
    {
        "positions": Shown("the table of positions", {"study": "table"}),
        "curves": Shown("dimensions of the table as curves", {"study": "table"}),
        "similarity": Shown("how alike two positions are", {"study": "table"}),
        "sum": Shown("embedding + position = what enters the first layer", {"study": "sum"}),
        "order": Shown("attention before and after words change places", {"study": "order"}),
        "rotary": Shown("queries and keys turned by their positions", {"study": "rotary"}),
    },
    f"{__name__}.figures",
    asks=_asks,
)
