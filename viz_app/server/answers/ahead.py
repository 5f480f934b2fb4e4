"""What a visitor may ask for next, answered before it is: several answers in one.

Each is the very answer to a later request, so that it only saves time. No visitor waits for it: it
is refused where there is a line, and ends where one forms.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from model_core.decoding.queue import Queue
from model_core.errors import RecipeError, VisualiserError
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding
from viz_app.rooms.translate.payload import VERSION, payload
from viz_app.server.answers.backend import Decoded
from viz_app.server.answers.requests import checked
from viz_app.values.wire import Json, Noticed

if TYPE_CHECKING:
    from model_core.models.protocol import Model

MOST = 4  # steps one after the other; and tokens in place of the next

Extend = Callable[[Recipe, int | None, int | None], tuple[Recipe, Decoding, Noticed]]


class Ahead(TypedDict):
    """The answers to one step after the other, and those by token, None for what has none."""

    version: int
    next: list[Decoded]
    others: list[Decoded | None]


def checked_ahead(request: Json) -> tuple[Recipe, int, int, tuple[int, ...]]:
    """The recipe, how many of its steps the browser holds, how many more, and other tokens.

    A request is {"recipe", "have", "next": a number of steps, "others": tokens}.
    """
    recipe, _, _, have = checked(request)
    steps, others = request.get("next"), request.get("others", [])
    if type(steps) is not int or not 0 <= steps <= MOST:
        raise RecipeError(f"next must be a whole number from 0 to {MOST}.")
    tokens = others if isinstance(others, list) else [None]
    if len(tokens) > MOST or any(type(token) is not int for token in tokens):
        raise RecipeError(f"others must list at most {MOST} ids of tokens.")
    if recipe.strategy.kind == "beam":
        raise RecipeError("A beam is searched when it is asked for.")
    return recipe, have, steps, tuple(tokens)


def answers_ahead(
    asked: tuple[Recipe, int, int, tuple[int, ...]], model: "Model", extend: Extend, queue: Queue
) -> Ahead:
    """The answers to those questions.

    It ends as soon as a request waits in the queue, at the end of the translation, or where a limit
    forbids to go on.
    """
    recipe, have, steps, tokens = asked
    answers: list[Decoded] = []
    others: list[Decoded | None] = [None for _ in tokens]
    try:
        at, held = recipe, have
        for _ in range(steps):
            if queue.waiting:
                break
            at, decoding, notice = extend(at, 1, None)
            answers.append({**payload(at, decoding, model, held), **notice})
            held = len(decoding.steps)
            if decoding.finished is not None:
                break
        for place, token in enumerate(tokens):
            if queue.waiting:
                break
            forced, decoding, notice = extend(recipe, 1, token)
            others[place] = {**payload(forced, decoding, model, have), **notice}
    except VisualiserError:
        pass  # said when it is asked for
    return {"version": VERSION, "next": answers, "others": others}
