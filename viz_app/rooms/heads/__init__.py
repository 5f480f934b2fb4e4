"""The room Heads: every head of the model, measured over a corpus; which one matters."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from model_core.values.recipe import Recipe
from viz_app.rooms.heads import sheets
from viz_app.rooms.heads.answer import answer
from viz_app.rooms.heads.view import HeadsView
from viz_app.rooms.room import Answer, Room, Said, Seen, Shown

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer


def _asks(view: HeadsView) -> tuple[Said, ...]:
    names = ("site", "layer", "head")
    return (view.parts(("view", *names) if view.view == "here" else names),)


def _beforehand(seen: Seen, whole: bool) -> list[Said]:
    """What the heads that the page opens on are worth here, and what all are."""
    places = [seen.of_site(site) for site in seen.sites]
    return [*places, *({"view": "here", **place} for place in places)]


def _of_model(tracer: "Tracer", recipe: Recipe) -> Iterator[tuple[Said, Answer]]:
    """The pages of all heads, less what a head is worth on a sentence."""
    for one in tracer.anatomy.sites:
        for layer, head in np.ndindex(one.layers, one.heads):
            place = {"site": one.site, "layer": layer, "head": head}
            made = answer(tracer, recipe, HeadsView.from_json(place | {"part": "head"}))
            if made["measured"] is None:  # nothing is known of any head
                yield {}, made
                return
            yield place, made


ROOM = Room(
    "heads",
    HeadsView,
    answer,
    {
        "measures": Shown(
            "every head in the colour of one measure", {"view": "grid"}, sheets.measures, ()
        ),
        "scatter": Shown("every head by two measures", {"view": "scatter"}, sheets.scatter, ()),
        "here": Shown(
            "what every head is worth on this sentence, and what all are together",
            {"view": "here"},
            sheets.here,
            (),
        ),
        "distances": Shown("how far one head looks", sheets=sheets.distances),
    },
    needs=("runs",),
    asks=_asks,
    beforehand=_beforehand,
    of_model=_of_model,
    may_change=True,
)
