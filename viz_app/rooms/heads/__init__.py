"""The room Heads: every head of the model, measured over a corpus; which one matters."""

from viz_app.rooms.heads.answer import answer
from viz_app.rooms.heads.view import HeadsView
from viz_app.rooms.room import Room, Shown, asked

ROOM = Room(
    "heads",
    HeadsView,
    answer,
    {
        "measures": Shown("every head in the colour of one measure", {"view": "grid"}, ()),
        "scatter": Shown("every head by two measures", {"view": "scatter"}, ()),
        "distances": Shown("how far one head looks"),
    },
    f"{__name__}.figures",
    asks=asked("site", "layer", "head"),
)
