"""How a page without a server opens on a view: what the stage is told, and what its room asks.

A request is word for word that of the room in the page (stage/rooms.js finds its answer by it), so
the page holds each answer once and shows what the page of a server would.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from model_core.config import shown
from model_core.errors import RecipeError
from model_core.recipe import Recipe
from viz_app.export.content import Content, fill
from viz_app.export.translation import site_of
from viz_app.export.view import View
from viz_app.standalone import Opening

if TYPE_CHECKING:
    from model_core.tracer import Library

Values = dict[str, Any]


def opening(
    library: "Library", recipe: Recipe, view: View, stage: Mapping[str, Any] | None = None
) -> Opening:
    """What opens on a view; RecipeError where the model or the decoding has no such place.

    `stage` is what a link says of the stage, of which the view is a picture; it says more.
    """
    content = fill(library, recipe, view)
    view = content.view
    if view.room == "translate":
        return Opening(_translate(view) if stage is None else dict(stage))
    from viz_app.rooms import ROOMS

    room, recipe_json = view.room, content.recipe.to_json()
    answers = []
    for asked in _REQUESTS[room](view):
        request = {"recipe": recipe_json, **asked}
        answer = ROOMS[room](library, dict(request))
        answers.append({"room": room, "request": request, "answer": answer})
        # The model's own table is enough where it is of the kind that is shown.
        if asked.get("study") == "table" and answer["models_kind"] == view.kind:
            break
    told = _placed(view) | {"room": room, "spelled": view.spelled} | dict(stage or {})
    if view.view in ("head", "output"):
        told["cells"] = {view.site: _cell(library, content)}
    return Opening(told, {room: _KEPT[room](view, content.recipe)}, tuple(answers))


def _translate(view: View) -> Values:
    told: Values = {"site": view.attention, "rows": view.rows, "spelled": view.spelled}
    for name, number in (("layer", view.layer), ("head", view.head), ("at", view.step)):
        if number is not None:
            told[name] = number - 1
    return told | ({"view": "lines"} if view.view == "lines" else {})


def _placed(view: View) -> Values:
    layer, head = (view.layer or 1) - 1, (view.head or 1) - 1
    return {"site": view.site, "locks": {view.site: {"layer": layer, "head": head}}}


def _cell(library: "Library", content: Content) -> Values:
    """The chosen cell; without a key the one that the query reads most."""
    view, query = content.view, (content.view.query or 1) - 1
    if view.key is not None:
        return {"query": query, "key": view.key - 1}
    trace = library.extend(content.recipe, 0)[1].trace(site_of(view), (view.layer or 1) - 1)
    return {"query": query, "key": int(trace.weights_HQK[(view.head or 1) - 1, query].argmax())}


def _masks_requests(view: View) -> Iterator[Values]:
    breaks = {"causal": view.causal, "pads": view.pads, "fill": view.fill}
    batch = {"sentences": list(view.sentences or ()), "shown": (view.shown or 1) - 1}
    if view.view == "passes":
        yield {"view": "passes", "site": view.site, **batch}
    else:
        yield {"view": "masks", "site": view.site, **batch, "breaks": breaks}


def _masks_kept(view: View, recipe: Recipe) -> Values:
    (kept,) = _masks_requests(view)
    if kept["sentences"][0] != recipe.source:
        raise RecipeError(
            f"The page shows {shown(recipe.source)}, so its batch must begin with that sentence."
        )
    cell = None
    if view.query is not None and view.key is not None:
        cell = {"query": view.query - 1, "key": view.key - 1}
    places = {"cell": cell, "step": _at(view), "unfolded": False}
    return kept | {"model": recipe.model, "places": places}


def _head(view: View) -> Values:
    return {"site": view.site, "layer": (view.layer or 1) - 1, "head": (view.head or 1) - 1}


def _change(view: View) -> Values:
    rows = None if view.places is None else list(view.places)
    if rows == list(range(len(view.order or ()))):
        rows = None  # every place has its own position
    return {"order": [place - 1 for place in view.order or ()], "rows": rows}


def _at(view: View) -> int | None:
    return None if view.step is None else view.step - 1


def _positions_requests(view: View) -> Iterator[Values]:
    if view.view == "sum":
        yield {"study": "sum", "side": view.side}
    elif view.view == "order":
        yield {"study": "order", **_change(view), **_head(view), "at": _at(view)}
        yield {"study": "outcome", **_change(view)}
    elif view.view == "rotary":
        pair = {"query": (view.query or 1) - 1, "key": (view.key or 1) - 1}
        yield {"study": "rotary", **_head(view), **pair}
    else:
        yield {"study": "table", "kind": "own"}
        if view.kind != "own":
            yield {"study": "table", "kind": view.kind}


def _positions_kept(view: View, recipe: Recipe) -> Values:
    marked: Values = {"row": view.row, "column": view.column}
    if view.view == "sum":
        own = {"side": view.side, **marked}
    elif view.view == "order":
        change = _change(view)
        given = {"tokens": change["order"], "rows": change["rows"], "at": _at(view)}
        own = {"site": view.site, "mode": "off" if view.positions_off else "on", "given": given}
    elif view.view == "rotary":
        (request,) = _positions_requests(view)
        own = {name: request[name] for name in ("site", "query", "key")} | {"pair": view.pair}
    else:
        dimensions = list(view.dimensions or ())
        if view.column is None and dimensions:
            marked["column"] = dimensions[-1]
        others = [dimension for dimension in dimensions if dimension != marked["column"]]
        own = {"kind": None if view.kind == "own" else view.kind, "kept": others, **marked}
    study = view.view if view.view in ("sum", "order", "rotary") else "table"
    said = {name: value for name, value in own.items() if value is not None}
    return {"open": study, study: said}


def _inside_requests(view: View) -> Iterator[Values]:
    if view.view == "way":
        yield {"view": "way", "side": view.side, "position": (view.query or 1) - 1}
    else:
        yield {"view": "cell", **_head(view), "query": (view.query or 1) - 1}


def _inside_kept(view: View, recipe: Recipe) -> Values:
    if view.view != "way":
        return {"view": "cell", "place": None}
    return {"view": "way", "place": {"side": view.side, "position": (view.query or 1) - 1}}


_REQUESTS = {
    "masks": _masks_requests,
    "positions": _positions_requests,
    "inside": _inside_requests,
}
_KEPT = {"masks": _masks_kept, "positions": _positions_kept, "inside": _inside_kept}
