"""A picture with its numbers, and from it to bytes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from model_core.values.recipe import Recipe
from viz_app.figures.labels import about_decoding, title_said
from viz_app.figures.look import Look
from viz_app.files.picture import PICTURES, Picture
from viz_app.files.tables import FORMATS
from viz_app.rooms.room import Answer
from viz_app.values.computed_by import computed_by
from viz_app.values.tables import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from model_core.decoding.library import Library
    from viz_app.files.chromium import Chromium
    from viz_app.files.drawing import Drawing
    from viz_app.files.signed import Signature

Progress = Callable[[Iterable[Any]], Iterable[Any]]


@dataclass(frozen=True, eq=False)
class Content:
    """One picture of one recipe, ready to be drawn and written."""

    recipe: Recipe
    picture: Picture  # with every choice that was left open
    answer: Answer
    tables: tuple[Table, ...]
    text: str  # the translation so far
    weights: str  # the fingerprint of the model's
    computed_by: str  # what computed the numbers; none: they were given
    library: "Library"

    def drawing(self, look: Look) -> "Drawing":
        """What a browser draws of it; a model may be asked for what else its page shows."""
        from viz_app.files.drawing import drawing_of

        return drawing_of(self.library, self.recipe, self.picture, look, self.answer)

    def at(self, step: int) -> "Content":
        """The same up to a step, from 0, of a picture whose rows are steps."""
        was: Any = self.answer.view
        view = replace(was, at=step, stepping=True)
        answer = replace(self.answer, view=view)
        return replace(self, picture=replace(self.picture, view=view), answer=answer)

    def figure(self, look: Look, about: str | None = None) -> "go.Figure":
        """The picture; a pure function of what is in here. `about` is a line under the title."""
        look = replace(look, spelled=self.picture.view.spelled)
        if about is None:
            about = about_decoding(self.recipe, self.text, look)
        return self.picture.room.figure(self.picture.name, self.answer, look, about)

    def title(self, look: Look) -> str:
        """The title of the picture, as Plotly reads it."""
        look = replace(look, spelled=self.picture.view.spelled)
        return title_said(self.picture.room.sheets(self.picture.name, self.answer), look)

    def signature(self, look: Look) -> "Signature":
        """What a picture of it says of itself."""
        from viz_app.files.signed import signature_of  # numbers alone do without what follows

        of = self.recipe, self.weights, self.picture, self.title(look)
        return signature_of(*of, self.computed_by)

    def about(self) -> dict[str, Any]:
        """What the numbers are of, as a JSON object."""
        return {
            "format": "attention-visualiser view 2",
            "model": self.recipe.model,
            **({"engine": self.computed_by} if self.computed_by else {}),
            "recipe": self.recipe.to_json(),
            **self.picture.to_json(),
            "text": self.text,
        }


def fill(library: "Library", recipe: Recipe, picture: Picture) -> Content:
    """The picture with its numbers; RecipeError where the model or the decoding has no such place.

    The room is asked once.
    """
    tracer = library.tracer(recipe.model, recipe.edits)
    picture.room.check(tracer.anatomy)
    with library.calls():
        answer = picture.room.answer(tracer, recipe, picture.view)
    tables = answer.table(picture.name)
    text = tracer.model.text(recipe.target_ids)
    shown = replace(picture, view=answer.view)
    weights, by = tracer.model.fingerprint, computed_by() if tracer.anatomy.predicts else ""
    return Content(recipe, shown, answer, tables, text, weights, by, library)


def written(
    content: Content,
    ending: str,
    look: Look,
    chromium: "Chromium | None" = None,
    drawing: "Drawing | go.Figure | None" = None,
) -> bytes:
    """The file of a content: a picture, its numbers, or a figure of Plotly as JSON; ExportError
    where it cannot be.

    `drawing` is that of the content, where it was made before; it is drawn by `chromium`, else by
    that of the program.
    """
    if ending in FORMATS:
        return FORMATS[ending][1](content.tables, content.about())
    if ending == "plotly":
        return str(content.figure(look).to_json()).encode()
    picture = next(one for one in PICTURES if one == ending)
    from viz_app.files.chromium import CHROMIUM
    from viz_app.files.signed import signed

    drawn = (chromium or CHROMIUM).draw(drawing or content.drawing(look), picture, look.scale)
    return signed(drawn, picture, content.signature(look), look.scale)
