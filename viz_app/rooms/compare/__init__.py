"""The room Compare: the run at hand, A, beside another one, B, and their difference."""

from viz_app.rooms.compare import sheets
from viz_app.rooms.compare.answer import answer
from viz_app.rooms.compare.runs import beside
from viz_app.rooms.compare.view import CompareView
from viz_app.rooms.room import Room, Said, Seen, Shown, asked


def _beforehand(seen: Seen, whole: bool) -> list[Said]:
    """The usual run beside this one, and the head that the page opens on."""
    return [seen.of_site(site) for site in (seen.sites if whole else [seen.site])]


ROOM = Room(
    "compare",
    CompareView,
    answer,
    {
        "compare": Shown(
            "one head of two runs side by side, and their difference", sheets=sheets.compare
        )
    },
    needs=("runs",),
    asks=asked(
        *("site", "layer", "head", "b", "weights", "other_layer", "other_head"),
        *("align", "feed", "numbers"),
    ),
    beside=beside,
    beforehand=_beforehand,
)
