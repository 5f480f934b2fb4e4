"""What sampling makes of a step, as the page shows it: in a payload, or asked for one step."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from model_core.errors import RecipeError
from model_core.studies.checks import check_place
from model_core.values.draw import Draw, draw, draws
from model_core.values.recipe import Recipe, Strategy
from model_core.values.trace import DecodeStep, TokenKind
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.view import TranslateView
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model

TRIED = tuple(round(0.05 * i, 2) for i in range(1, 101))  # temperatures that the page's slider has


class Named(TypedDict):
    """A token by its id, and what it is called."""

    token: int
    piece: str
    text: str
    kind: TokenKind


class _Beyond(TypedDict):
    token: int
    begin: float
    share: float


class Sampling(TypedDict):
    """A draw: the very numbers it was made with, of the tokens that are shown.

    `shares` are the probabilities after the temperature and the cuts: None for a token that is
    never drawn, 0 for one that is cut. They begin where those before them end. `hit` is the token
    that the dart is in, and `beyond` the part of a chosen token that is not among those shown.
    """

    temperature: float
    top_k: int
    top_p: float
    seed: int
    dart: float
    hit: Named
    kept: int
    log_total: float
    shares: list[float | None]
    beyond: _Beyond | None


class _Text(TypedDict):
    text: str
    count: int
    seed: int


class Draws(TypedDict):
    """Many draws, equal texts as one; those that came most often first."""

    count: int
    texts: list[_Text]


class StepNumbers(TypedDict):
    """All that a draw at one step is made of.

    `hits` names the tokens that the dart is in at the temperatures that the page has.
    """

    at: int
    log_probabilities_V: Floats
    never: list[int]
    seed: int
    dart: float
    hits: list[Named]


def named(model: "Model | Tracer", token: int) -> Named:
    """What a token is called."""
    tokens = model.labels([token])
    return {
        "token": token,
        "piece": tokens.pieces[0],
        "text": tokens.texts[0],
        "kind": tokens.kinds[0],
    }


def sampling_json(
    model: "Model",
    step: DecodeStep,
    strategy: Strategy,
    shown: list[int],
    chosen: int | None,
) -> Sampling:
    """A draw at a step, of the tokens that are `shown`."""
    never = model.anatomy.special.never
    drawn = draw(step, strategy, never)
    return {
        "temperature": strategy.temperature,
        "top_k": strategy.top_k,
        "top_p": strategy.top_p,
        "seed": strategy.seed,
        "dart": drawn.dart,
        "hit": named(model, drawn.token),
        "kept": len(drawn.tokens_N),
        "log_total": drawn.log_total,
        "shares": [None if token in never else drawn.part(token)[1] for token in shown],
        "beyond": _part(drawn, chosen) if chosen is not None and chosen not in shown else None,
    }


def _part(drawn: Draw, token: int) -> _Beyond:
    begin, share = drawn.part(token)
    return {"token": token, "begin": begin, "share": share}


def drawn_texts(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer[Draws]:
    """What the recipe's strategy draws with its seed and those after it, equal texts as one.

    Those that came most often are first; of as often those whose seed is the smallest.
    RecipeError where the strategy does not draw.
    """
    if recipe.strategy.kind != "sample":
        message = f"The strategy is {recipe.strategy.kind}; draws need sample."
        raise RecipeError(message, "choice", name="strategy", known="sample")
    count = view.draws or 1
    seeds: dict[str, list[int]] = {}
    for number, ids in enumerate(tracer.draws(recipe, count)):
        seeds.setdefault(tracer.model.text(ids), []).append(recipe.strategy.seed + number)
    often = sorted(seeds.items(), key=lambda one: (-len(one[1]), one[1][0]))
    texts: list[_Text] = [{"text": text, "count": len(of), "seed": of[0]} for text, of in often]
    return Answer(view, {"count": count, "texts": texts})


def step_numbers(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer[StepNumbers]:
    """The numbers with which the page tries other temperatures itself.

    RecipeError where the decoding has no such step.
    """
    steps, never = tracer.evaluate(recipe).steps, tracer.anatomy.special.never
    at = len(steps) - 1 if view.at is None else view.at
    check_place(at, len(steps), "step")
    strategy = recipe.strategy
    drawn = draws(
        steps[at], (replace(strategy, temperature=T) for T in (strategy.temperature, *TRIED)), never
    )
    values: StepNumbers = {
        "at": at,
        "log_probabilities_V": steps[at].log_probabilities_V,
        "never": list(never),
        "seed": strategy.seed,
        "dart": drawn[0].dart,
        "hits": [named(tracer, token) for token in dict.fromkeys(one.token for one in drawn)],
    }
    return Answer(view, values)
