"""The two runs that are compared: which B is where it is left open, and how far it is carried."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from model_core.checkpoints.snapshots import parted
from model_core.errors import SourceTooLong
from model_core.values.edits import Edit
from model_core.values.recipe import Choice, Recipe, Strategy
from model_core.values.trace import Decoding
from viz_app.rooms.compare.steps import has_same_vocabulary
from viz_app.rooms.compare.view import CompareView

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

_WIDTH = 5  # of the beam that a greedy run is compared with


@dataclass(frozen=True, eq=False)
class Run:
    """One of the two: its recipe carried out."""

    tracer: "Tracer"
    recipe: Recipe
    decoding: Decoding


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


def other_run(
    a: Run, view: CompareView
) -> tuple[Run, bool, Literal["target", "vocabulary"] | None]:
    """B carried to its end, whether its tokens are of other weights and were dropped, and why it
    cannot be fed those of A; None where it can.

    A decoder alone, which may go on for long, is carried as far as A.
    """
    (recipe,) = beside(a.tracer, a.recipe, view)
    tracer = a.tracer.beside(recipe)
    stale = view.weights is not None and tracer.model.fingerprint != view.weights
    if stale:
        recipe = replace(recipe, target=())
    unfed = _unfed(a.tracer, tracer)
    if view.feed == "a" and unfed is None:
        recipe = replace(recipe, target=_as_forced(a.recipe))
    elif view.feed == "own" and is_fed(a.recipe, recipe):
        recipe = replace(recipe, target=())
    is_bounded = tracer.anatomy.kind == "encoder-decoder"
    count = None if is_bounded else max(0, len(a.recipe.target) - len(recipe.target))
    try:
        done, decoding = tracer.studied.of(
            ("carried", recipe, count), lambda: tracer.extend(recipe, count)
        )
    except SourceTooLong as error:
        message = f"B is {recipe.model}. {error}"
        raise SourceTooLong(message, "compare_tokens", b=recipe.model, **error.values) from error
    return Run(tracer, done, decoding), stale, unfed


def _as_forced(a: Recipe) -> tuple[Choice, ...]:
    return tuple(Choice(one.token) for one in a.target)


def is_fed(a: Recipe, b: Recipe) -> bool:
    """Whether B reads the target tokens of A, as what was forced."""
    return a.target != () and b.target[: len(a.target)] == _as_forced(a)


def _unfed(a: "Tracer", b: "Tracer") -> Literal["target", "vocabulary"] | None:
    """Why a model cannot read the target tokens of another; None where it can."""
    if not all(one.anatomy.predicts and one.anatomy.kind != "encoder" for one in (a, b)):
        return "target"
    return None if has_same_vocabulary((a, b)) else "vocabulary"
