"""The room Translate: one decoding, step by step, with every head of every attention."""

from viz_app.rooms.room import Room, Shown
from viz_app.rooms.translate.answer import answer, to_page
from viz_app.rooms.translate.readings import check_heads, check_lines
from viz_app.rooms.translate.view import TranslateView

ROOM = Room(
    "translate",
    TranslateView,
    answer,
    {
        "encoder": Shown("one head of encoder self-attention as a map", {"site": "encoder"}),
        "decoder": Shown("one head of decoder self-attention as a map", {"site": "decoder"}),
        "cross": Shown("one head of cross-attention as a map", {"site": "cross"}),
        "lines": Shown("one head as lines between two columns of tokens", check=check_lines),
        "heads": Shown("all heads of a site", named=("site", "at"), check=check_heads),
        "candidates": Shown("the most probable next tokens of a step", named=("at",)),
    },
    f"{__name__}.figures",
    to_page=to_page,
)
