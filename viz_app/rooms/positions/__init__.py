"""The room Positions: how a model knows where a token stands, and what order does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model_core.values.recipe import Recipe
from model_core.values.trace import ROWS
from viz_app.rooms.positions import sheets
from viz_app.rooms.positions.answer import Studied, answer
from viz_app.rooms.positions.view import PositionsView
from viz_app.rooms.room import Answer, Room, Said, Seen, Shown

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

_ASKED = {
    "sum": ("side",),
    "order": ("order", "rows", "site", "layer", "head", "at"),
    "outcome": ("order", "rows"),
    "rotary": ("site", "layer", "head", "query", "key"),
}


def _asks(view: PositionsView) -> tuple[Said, ...]:
    if view.study == "table":
        kinds = dict.fromkeys(("own", view.kind))  # the page shows the model's own beside another
        return tuple({"study": "table", "kind": kind, "side": view.side} for kind in kinds)
    studies = ("order", "outcome") if view.study == "order" else (view.study or "",)
    return tuple({"study": study} | view.parts(_ASKED[study]) for study in studies)


def _shows(seen: Seen) -> Said:
    study = seen.said.get("study", "table")
    if study == "table" and "column" in seen.said:  # the marked dimension has its curve too
        kept = [*seen.said.get("dimensions", []), seen.said["column"]]
        return seen.said | {"dimensions": list(dict.fromkeys(kept))}
    if study in ("table", "sum"):
        return seen.said
    said = seen.placed("encoder")
    counts = {"source": len(seen.decoding.source), "target": len(seen.decoding.fed)}
    side = ROWS[said["site"]]
    last = counts[side] - 1
    stack = "encoder" if side == "source" else "decoder"
    pairs = seen.model.facts[f"{stack}_head_width"] // 2
    at = counts[seen.model.anatomy.predicting] - 1
    most = {"at": at, "query": last, "key": last, "pair": pairs - 1}
    return said | {name: min(said[name], most[name]) for name in most if name in said}


def _beforehand(seen: Seen, whole: bool) -> Iterator[Said]:
    """The order of the words; the sum and the rotation."""
    if seen.model.anatomy.has("encoder"):
        order = {"study": "order", **seen.of_site("encoder")}
        yield order
        if whole:
            yield from ({"study": "sum"}, order | {"study": "rotary"})


def _of_model(tracer: "Tracer", recipe: Recipe) -> Iterator[tuple[Said, Answer[Studied]]]:
    """The table of positions."""
    (asked,) = _asks(PositionsView())
    yield asked, answer(tracer, recipe, PositionsView.from_json(asked))


ROOM = Room(
    "positions",
    PositionsView,
    answer,
    {
        "positions": Shown("the table of positions", {"study": "table"}, sheets.table),
        "curves": Shown("dimensions of the table as curves", {"study": "table"}, sheets.curves),
        "similarity": Shown("how alike two positions are", {"study": "table"}, sheets.similarity),
        "sum": Shown(
            "embedding + position = what enters the first layer", {"study": "sum"}, sheets.sums
        ),
        "order": Shown(
            "attention before and after words change places", {"study": "order"}, sheets.order
        ),
        "rotary": Shown(
            "queries and keys turned by their positions", {"study": "rotary"}, sheets.rotary
        ),
    },
    needs=("runs", "parameters"),
    asks=_asks,
    shows=_shows,
    beforehand=_beforehand,
    of_model=_of_model,
)
