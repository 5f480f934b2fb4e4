"""The room Masks: a batch under its masks, and what leaks when one is broken."""

from typing import Any

from viz_app.rooms.masks.answer import answer, to_page
from viz_app.rooms.masks.view import MasksView
from viz_app.rooms.room import Room, Shown


def _asks(view: MasksView) -> tuple[dict[str, Any], ...]:
    names = ["view", "site", "sentences", "shown"]
    if view.view == "masks":
        names.append("breaks")
    return (view.parts(names),)


ROOM = Room(
    "masks",
    MasksView,
    answer,
    {
        "masks": Shown("pad mask, causal mask and both together", {"view": "masks"}, ("site",)),
        "scores": Shown("scores before the mask, after it, and the weights", {"view": "masks"}),
        "broken": Shown("what a broken mask does to the predictions", {"view": "masks"}, ()),
        "passes": Shown("one teacher-forced pass beside many steps", {"view": "passes"}),
    },
    f"{__name__}.figures",
    asks=_asks,
    to_page=to_page,
)
