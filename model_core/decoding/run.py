"""A recipe carried out, with the model that did it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model


@dataclass(frozen=True, eq=False)
class Run:
    """A recipe, its decoding, and the tracer of its model with its edits."""

    tracer: "Tracer"
    recipe: Recipe
    decoding: Decoding

    @property
    def model(self) -> "Model":
        """The model, with the recipe's edits."""
        return self.tracer.model

    @property
    def text(self) -> str:
        """What was written, as plain text."""
        return self.tracer.text(self.decoding)


def run_of(tracer: "Tracer", recipe: Recipe) -> Run:
    """The run of a recipe, carried to its end where it names no tokens; of any model beside."""
    its = tracer.beside(recipe)
    return Run(its, *its.extend(recipe, 0 if recipe.target else None))
