"""The questions whose answers a static page must contain."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding
from viz_app.rooms import ROOMS
from viz_app.rooms.beforehand import Answered
from viz_app.rooms.heads_shown import placed, sharpest
from viz_app.rooms.room import Said, Seen
from viz_app.rooms.translate.highlight import highlight_step

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from model_core.models.protocol import Model


def first_view(model: "Model", decoding: Decoding) -> Said:
    """What a page opens on: the head that the model opens on, at the step worth looking at.

    Of a site that attends to itself, the head with the least entropy. A page gets all of it, so
    that its rooms ask what they were answered beforehand.
    """
    sites = [one.site for one in model.anatomy.sites]
    opens: Any = model.opens_on["site"]
    locks = {}
    for site in sites:
        layer, head = placed(model, site, None, None)
        if site not in ("cross", opens):
            layer, head = sharpest(decoding, site)
        locks[site] = {"layer": layer, "head": head}
    at = highlight_step(decoding, **locks["cross"]) if opens == "cross" else len(decoding.steps) - 1
    return {"site": opens, "locks": locks, "at": at}


def of_sentence(
    model: "Model", decoding: Decoding, view: Said, is_first: bool
) -> list[tuple[str, Said]]:
    """The rooms and their views that a page can show of its sentence.

    The first sentence of a model may have more: all of it for every sentence would make the site
    twice as large.
    """
    seen = Seen(model, decoding, view, {})
    return [(room.name, said) for room in ROOMS for said in room.beforehand(seen, is_first)]


def news(answers: list[Answered], known: list[Answered]) -> list[Answered]:
    """The answers, less what the same questions are answered in `known`."""
    before = {one.question: one.answer for one in known}
    found = []
    for one in answers:
        same = before.get(one.question, {})
        new = {name: said for name, said in one.answer.items() if said != same.get(name, ...)}
        found.append(Answered(one.room, one.asked, new))
    return found


def of_model(library: "Library", recipe: Recipe) -> list[Answered]:
    """What is the same whatever the sentence, of every room that has it."""
    tracer = library.tracer(recipe.model, recipe.edits)
    found: list[Answered] = []
    for room in ROOMS:
        if room.lacks(tracer.anatomy) is None:
            with suppress(RecipeError), library.calls():  # its control is greyed out
                for asked, answer in room.of_model(tracer, recipe):
                    found.append(Answered(room.name, asked, answer.to_json()))
    return found
