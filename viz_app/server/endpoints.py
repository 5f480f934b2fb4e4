"""What programs may ask: functions with flat, typed parameters, each of which has a default.

A sentence is `text`, with the `model` and how tokens are chosen; or all of that is a `recipe`, as
an answer holds it, to go on from there. One of them is asked for and never both: the defaults are
the examples that gradio's page of the endpoints shows. They stay within the service's limits as the
page does.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Literal

from model_core.errors import RecipeError
from model_core.values.checked import shown
from model_core.values.recipe import DRAWING, Recipe, strategy_of
from model_core.values.trace import Site
from viz_app.figures.look import LOOKS, Look
from viz_app.files.file_request import TYPES, parted
from viz_app.files.picture import picture
from viz_app.rooms import HOME, ROOMS, HomeView, pictures
from viz_app.rooms.translate.view import By, Rows
from viz_app.server.answers.backend import Backend, LinkShown, Outcome, StepOutcome
from viz_app.server.answers.requests import Reply, reply_or_error
from viz_app.values.taking import options_of, parameters_of, takes
from viz_app.values.wire import File

Endpoint = Callable[..., Any]
SENTENCE = "The old cat sleeps."
ASKED = tuple(room.name for room in ROOMS if room is not HOME)
# What a recipe holds; a link holds the view too.
_IN_RECIPE = ("text", "model", "beam", *DRAWING, "pads", "edits", "settings")
# What can be said of a file, as the command line has it; the page's own view of a room it is for.
_SHOWN = options_of(HomeView)
_SHOWN |= {"site": _SHOWN["site"].replace(default="cross", annotation=Site)}
_LOOKS = parameters_of(Look, LOOKS)
# The parameters of a file as lists of values had them first; what is new comes after them.
_LISTED = (
    *("text", "view", "format", "site", "layer", "head", "step", "model", "beam", "pads", "size"),
    *("theme", "palette", "language", "recipe", "link", "edits", "settings", "width", "title"),
    *("scale", "reading", "choices"),
)
_HELD = {"recipe": _IN_RECIPE, "link": (*_IN_RECIPE, "view", *_SHOWN)}


def endpoints(service: Backend) -> tuple[Endpoint, ...]:
    """The functions, in the order in which they are listed."""
    first = service.first or ""
    return (*_translating(service, first), *_looking(service, first))


def _translating(service: Backend, first: str) -> tuple[Endpoint, ...]:
    """Which models there are, a translation to its end, and one token more."""

    def models() -> list[dict[str, Any]]:
        """The models there are now: name, languages, layers, heads, and the longest sentence. One
        that is closed says the rest when it is asked for.
        """
        unsaid = ("examples", "lessons")
        return [
            {name: one for name, one in model.items() if name not in unsaid}
            for model in service.models
        ]

    sentence = _sentence(first)

    @takes(sentence, (*sentence,))
    def translate(**said: Any) -> Outcome:
        """Translate to the end: greedily, with a beam, or by drawing tokens where a temperature,
        top_k, top_p or seed is given. `pads` are added behind the sentence; `edits` change
        the model's arithmetic, such as "head-off:cross.2.5"; `settings` are what a model of
        transformers lets one set, such as {"to": "fra_Latn"}. The recipe in the answer can be given
        to every endpoint, instead of text and all the rest.
        """
        return service.translate(_recipe(**said))

    @takes(sentence, ("text", "token", *sentence))
    def step(token: int | None = None, **said: Any) -> StepOutcome:
        """Choose one token more, or take `token`, an id. Give the answer's recipe for the next.
        The candidates are for the token after it, with log-probabilities in nats.
        """
        return service.step(_recipe(**said), token)

    return models, translate, step


def _looking(service: Backend, first: str) -> tuple[Endpoint, ...]:
    """The arrays of a translation, what a room shows of it, and a file."""

    undrawn = _sentence(first, less=DRAWING)
    greedy = _sentence(first, less=(*DRAWING, "beam"))

    @takes(undrawn, ("text", "site", "layer", *undrawn))
    def trace(
        site: Site = "cross",
        layer: int = 1,
        by: By = "pieces",
        rows: Rows | None = None,
        **said: Any,
    ) -> dict[str, Any]:
        """Every array of one attention sub-layer as nested lists: q_HQE, k_HKE, v_HKE, scores_HQK,
        mask_QK, weights_HQK, and the tokens of `queries` and `keys`. Layers count from 1. A text is
        translated to its end first; a recipe is taken as it is. By words there are mask_QK and
        weights_HQK between these, and the `rows` and `columns` that each is of, counted from 0; a
        word of the target is the steps that write its tokens, or that read them, `rows` "fed".
        """
        return service.trace(_at_end(service, said), site, layer, by, rows)

    @takes(greedy, ("name", "text", "model", "request", *greedy))
    def room(
        name: Literal[*ASKED] = "inside",  # type: ignore[valid-type]
        request: dict[str, Any] | None = None,
        **said: Any,
    ) -> dict[str, Any]:
        """What a room is answered, for the view that is its `request`; what is left open there is
        as the room opens. Layers, heads and queries count from 0 here. Arrays are base64 of
        little-endian float32.
        """
        if request is not None and not isinstance(request, dict):
            raise RecipeError(f"request is {shown(request)}; it must be a JSON object.")
        done = _at_end(service, said)
        return service.room((request or {}) | {"room": name, "recipe": done})

    @takes(undrawn | _SHOWN | _LOOKS, _LISTED)
    def file(
        view: Literal[*pictures()] = "cross",  # type: ignore[valid-type]
        format: Literal[*TYPES] = "csv",  # type: ignore[valid-type]
        link: str | None = None,
        choices: dict[str, Any] | None = None,
        **said: Any,
    ) -> File:
        """A file of the export: its name, its type, and its bytes in base64. Layers, heads and
        steps count from 1; `width` is in millimetres, of a column. `by` "words" or "pieces" is what
        rows and columns are; left open, pieces, which are tokens, in numbers, and in pictures what
        the page shows.
        `choices` are all others of the command line by name, such as {"query": 3}, or {"layers":
        [1, 2]} of a lesson pack. A link is the address of a page: what it shows is drawn, and only
        how it looks can be given too.
        """
        if choices is not None and not isinstance(choices, dict):
            raise RecipeError(f"choices is {shown(choices)}; it must be a JSON object.")
        of_text = {name: said.pop(name) for name in undrawn}
        looks, of_pack, seen = parted(said | (choices or {}))
        if link is None:
            done = _at_end(service, of_text)
            wished: LinkShown = {**picture(view, **seen).to_json(), "recipe": done}
        else:
            picture(view, **seen)
            _check_once("link", parted(choices or {})[2])
            wished = service.linked(link)
        return service.file({**wished, "format": format, "look": looks, **of_pack})

    return trace, room, file


def _at_end(service: Backend, said: dict[str, Any]) -> Any:
    """The recipe as given, or the recipe of the text's translation."""
    asked = _recipe(**said)
    is_text = said["recipe"] is None and not isinstance(said["text"], dict)
    return service.translate(asked)["recipe"] if is_text else asked


def endpoint_reply(
    service: Backend, endpoint: Endpoint, given: Callable[[], dict[str, Any]]
) -> Reply:
    """What the endpoint answers to what is `given` by name; an error, or that it is too large."""
    check = None if endpoint.__name__ == "file" else service.limits.check_bytes  # it has its own
    return reply_or_error(lambda: endpoint(**given()), check)


def in_full(endpoint: Endpoint, given: Any) -> dict[str, Any]:
    """All parameters by name, for a list of the first values or for some of them by name.

    RecipeError where there are too many, one that the endpoint does not have, no sentence where it
    reads one, or what another one of them holds already.
    """
    parameters = inspect.signature(endpoint).parameters
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    names, by_name = list(parameters), isinstance(given, dict)
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) <= len(names):
        given = dict(zip(names, given, strict=False))
    if not isinstance(given, dict) or set(given) - set(names):
        raise RecipeError(
            f"A request is a list or an object with some of {', '.join(names) or 'nothing'}."
        )
    if sources := sources_of(names):
        # Clients that post a list fill it up with the defaults.
        said = {one: given[one] for one in given if by_name or given[one] != defaults[one]}
        said = {one: value for one, value in said.items() if value is not None}
        _check_sentence(sources, given, said)
    return {**defaults, **given}


def sources_of(names: Iterable[str]) -> list[str]:
    """The parameters that say which sentence is meant: each is one way to say it."""
    return [one for one in names if one == "text" or one in _HELD]


def _check_sentence(sources: Sequence[str], given: dict[str, Any], said: dict[str, Any]) -> None:
    """Raise RecipeError where no sentence is given, or in two ways."""
    if all(given.get(one) is None for one in sources):
        raise RecipeError(f"text is missing: give {' or '.join(sources)}.")
    if isinstance(said.get("text"), dict):  # a recipe in the place of the text
        said = {name: value for name, value in said.items() if name != "text"} | {"recipe": 1}
    for source, held in _HELD.items():
        if source in said:
            _check_once(source, [one for one in (*held, "recipe") if one in said and one != source])


def _check_once(source: str, beside: Collection[str]) -> None:
    if beside:
        raise RecipeError(
            f"{source} is given, and {', '.join(beside)} beside it, which it holds already. Give "
            "one or the other."
        )


def _recipe(
    text: str = SENTENCE,
    model: str = "",
    beam: int | None = None,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int | None = None,
    pads: int = 0,
    recipe: dict[str, Any] | None = None,
    edits: list[str] | None = None,
    settings: dict[str, str] | None = None,
) -> Any:
    """The recipe that is given, also in the place of the text; else one of a new sentence."""
    if recipe is not None or isinstance(text, dict):
        return text if recipe is None else recipe
    drawn = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed}
    how: Any = (strategy_of(beam, drawn), settings or {}, edits or [])
    return Recipe(model, text, (), pads, *how).to_json()


def _sentence(first: str, less: Collection[str] = ()) -> dict[str, inspect.Parameter]:
    """What says which sentence is meant, by `first` where no model is named, as parameters."""
    parameters = dict(inspect.signature(_recipe).parameters)
    parameters["model"] = parameters["model"].replace(default=first)
    return {name: one for name, one in parameters.items() if name not in less}
