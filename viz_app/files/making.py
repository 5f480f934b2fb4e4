"""One door to every file, and what the page is answered: {"name", "type", "data": base64}.

A request is {"recipe", "picture", "view", "format", "look": see figures/look.py, "lesson": the one
that is on, "written": its file, where that lies with the reader}, and for a lesson pack {"sites",
"layers", "heads", "pictures"}; all but the recipe may be missing.
Everything in it is checked here, once.
"""

import base64
import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from model_core.errors import ExportError, RecipeError
from model_core.values.checked import shown
from model_core.values.recipe import Recipe
from viz_app.figures.look import Look
from viz_app.files.content import Progress, fill, written
from viz_app.files.picture import PICTURES, picture_of
from viz_app.files.wish import OF_PACK, TYPES, Wish
from viz_app.lessons.lesson import Lesson, read_written
from viz_app.text import named_error
from viz_app.values.wire import File

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.chromium import Chromium

_KNOWN = {"recipe", "picture", "view", "format", "look", "lesson", "written", *OF_PACK}


def wish_of(values: Any, lessons: Sequence[Lesson] = ()) -> Wish:
    """The wish of a request; RecipeError where it makes no sense.

    `lessons` are there beside those of the program.
    """
    if not isinstance(values, dict):
        raise RecipeError("A request for a file is a JSON object.")
    if unknown := [shown(name) for name in values if name not in _KNOWN]:
        raise RecipeError(f"A request for a file does not know {', '.join(unknown[:3])}.")
    for name in ("sites", "layers", "heads"):
        if values.get(name) == []:  # which would stand for what is shown
            raise RecipeError(f"{name} must name at least one.", "place")
    if "written" in values:
        name = str(values.get("lesson")).partition(".")[0]
        lessons = (read_written(name, values["written"]),)
    return Wish(
        recipe=Recipe.from_json(values.get("recipe")),
        picture=picture_of(values.get("picture", "cross"), values.get("view", {})),
        ending=values.get("format", "png"),
        look=Look.from_json(values.get("look", {})),
        lesson=values.get("lesson"),
        lessons=lessons,
        command="the page",
        **{name: values[name] for name in OF_PACK if name in values},
    )


def prepared(
    library: "Library",
    wish: Wish,
    chromium: "Chromium | None" = None,
    progress: Progress = iter,
    most_bytes: float = math.inf,
) -> Callable[[], bytes]:
    """Asks the model everything at once; what is returned draws and writes, and asks nobody.

    Raises RecipeError for what there is not; the returned function raises ExportError where the
    file cannot be made; a lesson pack of more than `most_bytes` before it is drawn.
    """
    if wish.ending == "html":
        from viz_app.files.standalone import opening, standalone_html
        from viz_app.files.taught import lesson_on, taught

        opened = opening(library, wish.recipe, wish.picture, wish.stage)
        opened = taught(library, wish.recipe, opened, lesson_on(wish.lesson, wish.lessons))
        look = wish.look
        return standalone_html(library, wish.recipe, opened, look.theme, look.language).encode
    if wish.ending in ("gif", "zip"):
        from viz_app.files.animation import animation
        from viz_app.files.chromium import CHROMIUM
        from viz_app.files.pack import pack

        if wish.ending == "gif":
            return animation(library, wish, chromium or CHROMIUM, progress)
        return pack(library, wish, chromium or CHROMIUM, progress, most_bytes)
    content = fill(library, wish.recipe, wish.picture)
    drawing = content.drawing(wish.look) if wish.ending in PICTURES else None
    return lambda: written(content, wish.ending, wish.look, chromium, drawing)


def file_of(wish: Wish, make: Callable[[], bytes], most_bytes: int, hosted: bool = False) -> File:
    """The answer; ExportError where the file is too large.

    `hosted`: who asks can install nothing on this machine, and is not told to.
    """
    try:
        content = make()
    except ExportError as error:
        if hosted and error.code in ("browser", "kaleido"):
            raise named_error(ExportError, "undrawn") from error
        raise
    if len(content) > most_bytes:
        raise named_error(ExportError, "file_large", n=len(content), limit=most_bytes)
    return {
        "name": name_of(wish),
        "type": TYPES[wish.ending],
        "data": base64.b64encode(content).decode("ascii"),
    }


def name_of(wish: Wish) -> str:
    """A file's name: model, view, place, and whether the model was edited: no CSV says that.

    It has letters that every system takes.
    """
    name, view = wish.picture.name, wish.picture.view
    what, said = [name], wish.picture.room.views[name].named
    if wish.ending == "zip":
        what, said = ["lesson"], ()
    elif wish.ending == "gif":  # of every step; an encoder has none
        what = ["decode", "lines"] if name == "lines" else ["decode"]
        said = () if view.site == "encoder" else ("site", "layer", "head")
    if name != "candidates" and not getattr(view, "stepping", True):
        said = tuple(one for one in said if one != "at")  # a whole map, with a row outlined
    parts = [wish.recipe.model, *what, *(one for one in view.in_words(said) if one not in what)]
    parts += ["edited"] if wish.recipe.edits else []
    return re.sub(r"[^\w.-]+", "-", "-".join(parts)) + f".{wish.ending}"
