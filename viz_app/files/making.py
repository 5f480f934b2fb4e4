"""Every file is made here, and what the page is answered: {"name", "type", "data": base64}.

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
from viz_app.files.file_request import OF_PACK, TYPES, FileRequest
from viz_app.files.picture import PICTURES, picture_of
from viz_app.lessons.lesson import Lesson, read_written
from viz_app.text import named_error
from viz_app.values.wire import File

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.chromium import Chromium

_KNOWN = {"recipe", "picture", "view", "format", "look", "lesson", "written", *OF_PACK}


def file_request(values: Any, lessons: Sequence[Lesson] = ()) -> FileRequest:
    """What a request asks for; RecipeError where it makes no sense.

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
    return FileRequest(
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
    wanted: FileRequest,
    chromium: "Chromium | None" = None,
    progress: Progress = iter,
    most_bytes: float = math.inf,
) -> Callable[[], bytes]:
    """Runs the model now; returns a function that draws and writes without it.

    Raises RecipeError for what there is not; the returned function raises ExportError where the
    file cannot be made; a lesson pack of more than `most_bytes` before it is drawn.
    """
    if wanted.ending == "html":
        from viz_app.files.standalone import initial_state, standalone_html
        from viz_app.files.taught import lesson_on, taught

        opened = initial_state(library, wanted.recipe, wanted.picture, wanted.stage)
        opened = taught(library, wanted.recipe, opened, lesson_on(wanted.lesson, wanted.lessons))
        look = wanted.look
        return standalone_html(library, wanted.recipe, opened, look.theme, look.language).encode
    if wanted.ending in ("gif", "zip"):
        from viz_app.files.animation import animation
        from viz_app.files.chromium import CHROMIUM
        from viz_app.files.pack import pack

        if wanted.ending == "gif":
            return animation(library, wanted, chromium or CHROMIUM, progress)
        return pack(library, wanted, chromium or CHROMIUM, progress, most_bytes)
    content = fill(library, wanted.recipe, wanted.picture)
    drawing = content.drawing(wanted.look) if wanted.ending in PICTURES else None
    return lambda: written(content, wanted.ending, wanted.look, chromium, drawing)


def file_of(
    wanted: FileRequest, make: Callable[[], bytes], most_bytes: int, hosted: bool = False
) -> File:
    """The answer; ExportError where the file is too large.

    `hosted`: who asks can install nothing on this machine, and is not asked to.
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
        "name": name_of(wanted),
        "type": TYPES[wanted.ending],
        "data": base64.b64encode(content).decode("ascii"),
    }


def name_of(wanted: FileRequest) -> str:
    """A file's name: model, view, place, and whether the model was edited: no CSV says that.

    It has letters that every system takes.
    """
    name, view = wanted.picture.name, wanted.picture.view
    what, said = [name], wanted.picture.room.views[name].named
    if wanted.ending == "zip":
        what, said = ["lesson"], ()
    elif wanted.ending == "gif":  # of every step; an encoder has none
        what = ["decode", "lines"] if name == "lines" else ["decode"]
        said = () if view.site == "encoder" else ("site", "layer", "head")
    if name != "candidates" and not getattr(view, "stepping", True):
        said = tuple(one for one in said if one != "at")  # a whole map, with a row outlined
    parts = [wanted.recipe.model, *what, *(one for one in view.in_words(said) if one not in what)]
    parts += ["edited"] if wanted.recipe.edits else []
    return re.sub(r"[^\w.-]+", "-", "-".join(parts)) + f".{wanted.ending}"
