"""The room Beam: a beam search as a tree, step by step, beside greedy decoding."""

from viz_app.rooms.beam import sheets
from viz_app.rooms.beam.answer import answer
from viz_app.rooms.beam.view import BeamView
from viz_app.rooms.room import Room, Shown, asked

ROOM = Room(
    "beam",
    BeamView,
    answer,
    {
        "beam": Shown(
            "a beam search as a tree: what was kept, pruned and finished",
            sheets=sheets.beam,
            named=("step",),
        )
    },
    needs=("runs", "decoder"),
    # The tree is the same whichever head is looked at.
    asks=asked("width", "alpha", "begin", "node"),
    shows=lambda seen: seen.placed("cross"),
    beforehand=lambda seen, whole: ({},),
)
