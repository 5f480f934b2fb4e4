"""A view filled with numbers: its tables, and the figure that shows them.

The numbers are the page's: those of the decoding, or of the same answers that the rooms are given.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from model_core.recipe import Recipe
from viz_app.export.tables import Table
from viz_app.export.translation import Make, translation
from viz_app.export.view import View
from viz_app.figures.look import Look

if TYPE_CHECKING:
    from model_core.tracer import Library


@dataclass(frozen=True, eq=False)
class Content:
    """One view of one recipe, ready to be drawn and written."""

    recipe: Recipe
    view: View  # with every choice that was left open
    tables: tuple[Table, ...]
    text: str  # the translation so far
    make: Make

    def figure(self, look: Look) -> go.Figure:
        """The picture; a pure function of what is in here."""
        return self.make(look)

    def about(self) -> dict[str, Any]:
        """What the numbers are of, as a JSON object."""
        return {
            "format": "attention-visualiser view 1",
            "model": self.recipe.model,
            "recipe": self.recipe.to_json(),
            "view": self.view.to_json(),
            "text": self.text,
        }


def fill(library: "Library", recipe: Recipe, view: View) -> Content:
    """The content of a view; RecipeError where the model or the decoding has no such place."""
    recipe, decoding = library.extend(recipe, 0)
    checkpoint = library.tracer(recipe.model).checkpoint
    text = checkpoint.target_tokenizer.decode(decoding.target.ids)
    if view.room == "translate":
        view, tables, make = translation(checkpoint, recipe, decoding, view)
    else:
        from viz_app.export.rooms import in_room

        view, tables, make = in_room(library, recipe, decoding, view)
    return Content(recipe, view, tables, text, make)
