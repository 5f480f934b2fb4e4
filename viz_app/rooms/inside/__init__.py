"""The room Inside a head: where a weight comes from, and what becomes of it."""

from typing import Any

from viz_app.rooms.inside.answer import answer
from viz_app.rooms.inside.view import InsideView
from viz_app.rooms.room import Room, Shown


def _asks(view: InsideView) -> tuple[dict[str, Any], ...]:
    way = ("view", "side", "position")
    names = way if view.view == "way" else ("view", "site", "layer", "head", "query")
    return (view.parts(names),)


ROOM = Room(
    "inside",
    InsideView,
    answer,
    {
        "head": Shown("one row of a head: products, scores, weights, values", {"view": "cell"}),
        "output": Shown(
            "what becomes of that row: output projection, residual, norm", {"view": "cell"}
        ),
        "way": Shown("one token through the whole model", {"view": "way"}, ()),
    },
    f"{__name__}.figures",
    asks=_asks,
)
