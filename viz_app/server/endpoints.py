"""What programs may ask: functions with flat, typed parameters, each of which has a default.

A sentence is `text`, with the `model` and how tokens are chosen; or all of that is a `recipe`, as
an answer holds it, to go on from there. They stay within the service's limits as the page does.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, cast

from model_core.errors import RecipeError
from model_core.values.config import shown
from model_core.values.recipe import Recipe, strategy_of
from model_core.values.trace import Site
from viz_app.figures.look import Language, Palette, Size, Theme
from viz_app.files.picture import picture
from viz_app.files.wish import TYPES
from viz_app.rooms import ROOMS, pictures
from viz_app.server.desk.answering import Answering
from viz_app.server.desk.requests import Answer, answered

Endpoint = Callable[..., Any]
SENTENCE = "The old cat sleeps."
ASKED = tuple(room.name for room in ROOMS if room.name != "translate")


class Translation(TypedDict):
    """A translation so far."""

    recipe: dict[str, Any]
    text: str
    finished: Literal["end", "limit"] | None


class Step(Translation):
    """One token more, and what could come after it."""

    candidates: list[dict[str, Any]]


class File(TypedDict):
    """A file of the export."""

    name: str
    type: str
    data: str


def endpoints(service: Answering) -> tuple[Endpoint, ...]:
    """The functions, in the order in which programs are told of them."""
    first = service.first or ""
    return (*_translating(service, first), *_looking(service, first))


def _translating(service: Answering, first: str) -> tuple[Endpoint, ...]:
    """Which models there are, a translation to its end, and one token more."""

    def models() -> list[dict[str, Any]]:
        """The models there are now: name, languages, layers, heads, and the longest sentence. One
        that is closed says the rest when it is asked for.
        """
        unsaid = ("examples", "lessons")
        return [{key: model[key] for key in model if key not in unsaid} for model in service.models]

    def translate(
        text: str = SENTENCE,
        model: str = first,
        beam: int | None = None,
        temperature: float | None = None,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int | None = None,
        pads: int = 0,
        recipe: dict[str, Any] | None = None,
        edits: list[str] | None = None,
        settings: dict[str, str] | None = None,
    ) -> Translation:
        """Translate to the end: greedily, with a beam, or by drawing tokens where a temperature,
        top_k, top_p or seed is given. `pads` are added behind the sentence; `edits` change
        the model's arithmetic, such as "head-off:cross.2.5"; `settings` are what a model of
        transformers lets one set, such as {"to": "fra_Latn"}. The recipe in the answer can be given
        to every endpoint, instead of text and all the rest.
        """
        drawn = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed}
        chosen = _recipe(text, model, recipe, pads, beam, drawn, edits, settings)
        return cast(Translation, service.translate(chosen))

    def step(
        text: str = SENTENCE,
        token: int | None = None,
        model: str = first,
        beam: int | None = None,
        temperature: float | None = None,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int | None = None,
        pads: int = 0,
        recipe: dict[str, Any] | None = None,
        edits: list[str] | None = None,
        settings: dict[str, str] | None = None,
    ) -> Step:
        """Choose one token more, or take `token`, an id. Give the answer's recipe for the next.
        The candidates are for the token after it, with log-probabilities in nats.
        """
        drawn = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed}
        chosen = _recipe(text, model, recipe, pads, beam, drawn, edits, settings)
        return cast(Step, service.step(chosen, token))

    return models, translate, step


def _looking(service: Answering, first: str) -> tuple[Endpoint, ...]:
    """The arrays of a translation, what a room shows of it, and a file."""

    def trace(
        text: str = SENTENCE,
        site: Site = "cross",
        layer: int = 1,
        model: str = first,
        beam: int | None = None,
        pads: int = 0,
        recipe: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Every array of one attention sub-layer as nested lists: q_HQE, k_HKE, v_HKE, scores_HQK,
        mask_QK, weights_HQK, and the tokens of `queries` and `keys`. Layers count from 1. A text is
        translated to its end first; a recipe is taken as it is.
        """
        return service.trace(_at_end(text, model, recipe, pads, beam), site, layer)

    def room(
        name: Literal[*ASKED] = "inside",  # type: ignore[valid-type]
        text: str = SENTENCE,
        model: str = first,
        request: dict[str, Any] | None = None,
        pads: int = 0,
        recipe: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """What a room is answered, for the view that is its `request`; what is left open there is
        as the room opens. Layers, heads and queries count from 0 here. Arrays are base64 of
        little-endian float32.
        """
        if request is not None and not isinstance(request, dict):
            raise RecipeError(f"request is {shown(request)}; it must be a JSON object.")
        done = _at_end(text, model, recipe, pads)
        return service.room((request or {}) | {"room": name, "recipe": done})

    def file(
        text: str = SENTENCE,
        view: Literal[*pictures()] = "cross",  # type: ignore[valid-type]
        format: Literal[*TYPES] = "csv",  # type: ignore[valid-type]
        site: Site = "cross",
        layer: int | None = None,
        head: int | None = None,
        step: int | None = None,
        model: str = first,
        beam: int | None = None,
        pads: int = 0,
        size: Size = "slide",
        theme: Theme = "light",
        palette: Palette = "colour",
        language: Language = "en",
        recipe: dict[str, Any] | None = None,
        link: str | None = None,
    ) -> File:
        """A file of the export: its name, its type, and its bytes in base64. Layers, heads and
        steps count from 1. A link is the address of a page: what it shows is drawn, and only
        format, size, theme, palette and language are taken from here.
        """
        if link is None:
            shown = picture(view, site, layer, head, step=step).to_json()
            shown["recipe"] = _at_end(text, model, recipe, pads, beam)
        else:
            shown = service.linked(link)
        look = {"size": size, "theme": theme, "palette": palette, "language": language}
        return cast(File, service.file(shown | {"format": format, "look": look}))

    def _at_end(
        text: Any, model: str, recipe: Any, pads: int, beam: int | None = None
    ) -> dict[str, Any]:
        """The recipe as it is given, or that of the text's translation."""
        if recipe is not None or isinstance(text, dict):
            return _recipe(text, model, recipe)
        return service.translate(_recipe(text, model, None, pads, beam))["recipe"]

    return trace, room, file


def answer_of(service: Answering, endpoint: Endpoint, values: Sequence[Any]) -> Answer:
    """What the endpoint answers to these values; its error, or that it is too large."""
    check = None if endpoint.__name__ == "file" else service.limits.check_bytes  # it has its own
    return answered(lambda: endpoint(*values), check)


def in_full(endpoint: Endpoint, given: Any) -> list[Any]:
    """The values of all parameters, for a list of the first ones or for some of them by name.

    RecipeError where there are too many, or one that the endpoint does not have.
    """
    parameters = inspect.signature(endpoint).parameters
    names = list(parameters)
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) <= len(names):
        given = dict(zip(names, given, strict=False))
    if not isinstance(given, dict) or set(given) - set(names):
        raise RecipeError(
            f"A request is a list or an object with some of {', '.join(names) or 'nothing'}."
        )
    return [given.get(name, parameter.default) for name, parameter in parameters.items()]


def _recipe(
    text: Any,
    model: str,
    recipe: Any,
    pads: int = 0,
    beam: int | None = None,
    drawn: dict[str, Any] | None = None,
    edits: list[str] | None = None,
    settings: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The recipe that is given, in the place of the text too; otherwise that of a new sentence."""
    if recipe is not None or isinstance(text, dict):
        return text if recipe is None else recipe
    strategy = strategy_of(beam, drawn or {})
    values = {"model": model, "source": text, "pads": pads, "edits": edits or []}
    values |= {"settings": settings or {}}
    return Recipe.from_json(values).to_json() | {"strategy": vars(strategy)}
