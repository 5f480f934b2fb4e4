"""The run that a lesson asks about."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer


@dataclass(frozen=True, eq=False)
class Run:
    """The run that is asked about: a recipe carried out."""

    tracer: "Tracer"  # of the model with the recipe's edits
    recipe: Recipe
    decoding: Decoding


def run_of(tracer: "Tracer", recipe: Recipe) -> Run:
    """The run of a recipe, carried to its end where it names no tokens; of any model beside."""
    its = tracer.beside(recipe)
    return Run(its, *its.extend(recipe, 0 if recipe.target else None))
