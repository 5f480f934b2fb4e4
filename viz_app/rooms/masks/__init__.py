"""The room Masks: a batch under its masks, and what leaks when one is broken."""

from collections.abc import Iterator

from model_core.values.edits import OF_PADS
from viz_app.rooms.masks import sheets
from viz_app.rooms.masks.answer import answer, to_page
from viz_app.rooms.masks.view import MasksView
from viz_app.rooms.room import Room, Said, Seen, Shown


def _asks(view: MasksView) -> tuple[Said, ...]:
    names = ["view", "site", "sentences", "shown"]
    if view.view == "masks":
        names.append("breaks")
    return (view.parts(names),)


def _shows(seen: Seen) -> Said:
    lets_pads_in = not {*OF_PADS}.isdisjoint(seen.said.get("breaks", ()))
    return seen.placed("cross" if lets_pads_in and seen.model.anatomy.has("cross") else "decoder")


def _beforehand(seen: Seen, whole: bool) -> Iterator[Said]:
    """The causal mask, whole and gone, and one pass beside steps; the masks of the other sites."""
    causal = [site for site in seen.sites if site == "decoder"]
    yield from ({"view": "masks", "site": site} for site in (seen.sites if whole else causal))
    for site in causal:
        yield {"view": "masks", "site": site, "breaks": ["causal-mask:none"]}
        yield {"view": "passes", "site": site}


ROOM = Room(
    "masks",
    MasksView,
    answer,
    {
        "scores": Shown(
            "scores before the mask, after it, and the weights", {"view": "masks"}, sheets.scores
        ),
        "masks": Shown(
            "pad mask, causal mask and both together", {"view": "masks"}, sheets.masks, ("site",)
        ),
        "broken": Shown(
            "what a broken mask does to the predictions", {"view": "masks"}, sheets.broken, ()
        ),
        "passes": Shown(
            "one teacher-forced pass beside many steps", {"view": "passes"}, sheets.passes
        ),
    },
    needs=("runs", "one-mask"),
    asks=_asks,
    to_page=to_page,
    shows=_shows,
    beforehand=_beforehand,
)
