"""How a page without a server opens on a picture: what the stage is told, and what its room asks.

The page holds each answer once, by the parts of the view that its room asks for, and shows what the
page of a server would.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model_core.errors import RecipeError
from model_core.values.config import shown
from model_core.values.recipe import Recipe
from viz_app.files.picture import Picture
from viz_app.files.standalone import Opening
from viz_app.rooms.inside.view import InsideView

if TYPE_CHECKING:
    from model_core.decoding.library import Library


def opening(
    library: "Library", recipe: Recipe, picture: Picture, stage: Mapping[str, Any] | None = None
) -> Opening:
    """What opens on a picture; RecipeError where the model or the decoding has no such place.

    `stage` is what a link says of the stage, of which the picture is one; it says more.
    """
    room, tracer = picture.room, library.tracer(recipe.model)
    with library.calls():
        answer = room.answer(tracer, recipe, picture.view)
        answer.table(picture.name)  # raises where there is nothing to be seen
        view: Any = answer.view
        if room.name == "translate":
            return Opening(_translate(picture, view) if stage is None else dict(stage))
        if room.name == "masks" and view.sentences[0] != recipe.source:
            raise RecipeError(
                f"The page shows {shown(recipe.source)}, so its batch must begin with that "
                "sentence."
            )
        answers: list[dict[str, Any]] = []
        for asked in room.asks(view):
            if "kind" in asked and asked["kind"] in [one["answer"]["kind"] for one in answers]:
                continue  # the model's own table is of this kind
            is_here = all(getattr(view, name) == value for name, value in asked.items())
            here = answer if is_here else room.answer(tracer, recipe, room.view.from_json(asked))
            answers.append({"room": room.name, "asked": asked, "answer": here.to_json()})
    told = {"room": room.name, "spelled": view.spelled, **_placed(view), **(stage or {})}
    return Opening(told | {"choices": view.to_json()}, tuple(answers))


def _placed(view: Any) -> dict[str, Any]:
    """The head that is locked, and the cell that is kept."""
    if view.site is None or view.layer is None:
        return {}
    told = {"site": view.site, "locks": {view.site: {"layer": view.layer, "head": view.head}}}
    if isinstance(view, InsideView) and view.query is not None:
        told["cells"] = {view.site: {"query": view.query, "key": view.key}}
    return told


def _translate(picture: Picture, view: Any) -> dict[str, Any]:
    """What the stage is told of a picture of the translation."""
    told = view.to_json()
    if picture.name == "lines":
        told["view"] = "lines"
    if picture.name == "candidates":
        told = {name: value for name, value in told.items() if name in ("at", "spelled")}
    return told
