"""The room Inside a head: where a weight comes from, and what becomes of it."""

from collections.abc import Iterator

from model_core.values.trace import COLUMNS, ROWS
from viz_app.rooms.heads_shown import best_cells
from viz_app.rooms.inside import sheets
from viz_app.rooms.inside.answer import answer
from viz_app.rooms.inside.view import InsideView
from viz_app.rooms.room import Room, Said, Seen, Shown


def _asks(view: InsideView) -> tuple[Said, ...]:
    of_view = {"way": ("side", "position"), "norms": ("site", "layer")}
    names = of_view.get(view.view or "", ("site", "layer", "head", "query"))
    return (view.parts(("view", *names)),)


def _shows(seen: Seen) -> Said:
    """The cell that is kept there, and the position, where the run has them."""
    said = seen.placed()
    counts = {"source": len(seen.decoding.source), "target": len(seen.decoding.steps)}
    queries, keys = counts[ROWS[said["site"]]], counts[COLUMNS[said["site"]]]
    cell = seen.page["cells"].get(said["site"], {"query": queries, "key": keys})
    if cell["query"] < queries and cell["key"] < keys:
        said |= cell
    else:
        said = {name: value for name, value in said.items() if name not in ("query", "key")}
    if said.get("position", 0) >= counts[said.get("side", ROWS[said["site"]])]:
        said.pop("position", None)
    return said


def _beforehand(seen: Seen, whole: bool) -> Iterator[Said]:
    """The cell that the page opens on, the spread of its head, and the way of its token."""
    ways: list[Said] = []
    for site in seen.sites if whole else [seen.site]:
        place, query, side = seen.of_site(site), seen.page["at"], seen.model.anatomy.site(site).rows
        if side == "source":
            cells = best_cells(seen.decoding.trace(site, place["layer"]))
            query = cells[place["head"]][0]
        yield {"view": "cell", **place, "query": query}
        yield {"view": "spread", **place, "query": query}
        if whole:
            yield {"view": "norms", "site": site, "layer": place["layer"]}
        way = {"view": "way", "side": side, "position": query}
        if way not in ways:
            ways.append(way)
            yield way


ROOM = Room(
    "inside",
    InsideView,
    answer,
    {
        "head": Shown(
            "one row of a head: products, scores, weights, values", {"view": "cell"}, sheets.head
        ),
        "output": Shown(
            "what becomes of that row: output projection, residual, norm",
            {"view": "cell"},
            sheets.output,
        ),
        "spread": Shown(
            "all q . k of a head before and after the division, and the softmax of a row of both",
            {"view": "spread"},
            sheets.spread,
        ),
        "norms": Shown(
            "what enters a norm, and what layer and batch normalisation make of it",
            {"view": "norms"},
            sheets.norms,
            ("site", "layer"),
        ),
        "way": Shown(
            "one token through the whole model",
            {"view": "way"},
            sheets.way,
            (),
            {"query": "position"},
        ),
    },
    needs=("runs", "parameters", "single-rows"),
    asks=_asks,
    shows=_shows,
    beforehand=_beforehand,
    keeps_cell=True,
)
