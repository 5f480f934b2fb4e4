"""The two runs that are compared: which B is where it is left open, and how far it is carried."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from model_core.checkpoints.snapshots import parted
from model_core.decoding.run import Run
from model_core.errors import SourceTooLong
from model_core.values.edits import Edit
from model_core.values.recipe import Choice, Recipe, Strategy
from viz_app.rooms.compare.steps import same_token
from viz_app.rooms.compare.view import CompareView
from viz_app.text import named_error

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

_WIDTH = 5  # of the beam that a greedy run is compared with


@dataclass(frozen=True)
class Unfed:
    """Why a model cannot read the target tokens of another: one writes no target, or has no token
    that is spelled as `token` is."""

    because: Literal["target", "vocabulary"]
    token: str | None = None


def beside(tracer: "Tracer", recipe: Recipe, view: CompareView) -> tuple[Recipe, ...]:
    """B, before it is carried to its end.

    Left open, it is the run without edits where A has some; else the same model earlier in its
    training, or another one for the same languages, on the same sentence; else the same model
    without positions, or by another strategy.
    """
    if view.b is not None:
        return (view.b,)
    given = next((n for n, one in enumerate(recipe.target) if one.how != "forced"), None)
    if recipe.edits:
        return (replace(recipe, edits=(), target=recipe.target[:given]),)
    comparable = tracer.others.comparable(recipe.model) if tracer.others is not None else ()
    if comparable:
        # At another update of its training it is fed A's tokens: every row has its like.
        is_same = parted(comparable[0])[0] == parted(recipe.model)[0]
        fed = tuple(Choice(one.token) for one in recipe.target) if is_same else ()
        return (Recipe(comparable[0], recipe.source, fed, recipe.pads, recipe.strategy),)
    if "no-positions" in tracer.anatomy.edits:
        edits = (Edit("no-positions"),)
        return (replace(recipe, edits=edits, target=recipe.target[:given]),)
    if not tracer.anatomy.predicts or tracer.anatomy.kind == "encoder":
        return (recipe,)
    by = Strategy() if recipe.strategy.kind == "beam" else Strategy("beam", width=_WIDTH)
    return (replace(recipe, target=recipe.target[:given], strategy=by),)


def other_run(a: Run, view: CompareView) -> tuple[Run, bool, bool, Unfed | None]:
    """B carried to its end, whether its tokens are of other weights and were dropped, whether it is
    fed those of A, and why it cannot be; None where it can.

    A decoder alone, which may go on for long, is carried as far as A.
    """
    (recipe,) = beside(a.tracer, a.recipe, view)
    tracer = a.tracer.beside(recipe)
    stale = view.weights is not None and tracer.model.fingerprint != view.weights
    if stale:
        recipe = replace(recipe, target=())
    forced, unfed = _forced(a, tracer)
    is_fed = forced != () and recipe.target[: len(forced)] == forced
    if view.feed == "a" and unfed is None:
        recipe, is_fed = replace(recipe, target=forced), forced != ()
    elif view.feed == "own" and is_fed:
        recipe, is_fed = replace(recipe, target=()), False
    is_bounded = tracer.anatomy.kind == "encoder-decoder"
    count = None if is_bounded else max(0, len(a.recipe.target) - len(recipe.target))
    try:
        done, decoding = tracer.studied.of(
            ("carried", recipe, count), lambda: tracer.extend(recipe, count)
        )
    except SourceTooLong as error:
        values = {"b": recipe.model, **error.values}
        raise named_error(SourceTooLong, "compare_tokens", **values) from error
    return Run(tracer, done, decoding), stale, is_fed, unfed


def _forced(a: Run, b: "Tracer") -> tuple[tuple[Choice, ...], Unfed | None]:
    """What is forced in B so that it reads the target tokens of A, spelled alike; () with why it
    cannot be."""
    if not all(one.anatomy.predicts and one.anatomy.kind != "encoder" for one in (a.tracer, b)):
        return (), Unfed("target")
    known = same_token((a.tracer, b))
    forced = []
    for choice in a.recipe.target:
        token = known(0, 1, choice.token)
        if token is None:
            return (), Unfed("vocabulary", a.tracer.labels([choice.token]).texts[0])
        forced.append(Choice(token))
    return tuple(forced), None
