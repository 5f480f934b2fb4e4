"""One door to every file, and what the page is answered: {"name", "type", "data": base64}.

A request is {"recipe", "picture", "view", "format", "look": {size, theme, palette, language},
"scale"}, and for a lesson pack {"sites", "layers", "heads", "pictures"}; all but the recipe may be
missing.
Everything in it is checked here, once.
"""

import base64
import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from model_core.errors import ConfigError, ExportError, RecipeError
from model_core.values.config import from_json, shown
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES
from viz_app.figures.look import Look
from viz_app.files.animation import animation
from viz_app.files.content import Progress, fill, written
from viz_app.files.engine import ENGINE, Engine
from viz_app.files.pack import pack
from viz_app.files.picture import picture_of
from viz_app.files.standalone import opening, standalone_html
from viz_app.files.wish import DATA, TYPES, Wish
from viz_app.text import told

if TYPE_CHECKING:
    from model_core.decoding.library import Library

_MOST_PLACES = 256
AT_ONCE = 2  # pictures of all visitors
_TURNS = threading.BoundedSemaphore(AT_ONCE)
_KNOWN = {"recipe", "picture", "view", "format", "look", "scale"}
_KNOWN |= {"sites", "layers", "heads", "pictures"}  # of a lesson pack
# What of a view says which picture it is, where that is not all of _PLACE; as in keep/data.js.
_PLACE = ("site", "layer", "head", "at", "step")
_PLACES: dict[str, tuple[str, ...]] = {"heads": ("site", "at"), "candidates": ("at",)}
_PLACES |= {"masks": ("site",), "broken": (), "way": (), "beam": ("step",)}
_PLACES |= {"measures": (), "scatter": ()}


def wish_of(values: Any) -> Wish:
    """The wish of a request; RecipeError where it makes no sense."""
    if not isinstance(values, dict):
        raise RecipeError("A request for a file is a JSON object.")
    if unknown := [shown(name) for name in values if name not in _KNOWN]:
        raise RecipeError(f"A request for a file does not know {', '.join(unknown[:3])}.")
    try:
        look = from_json(Look, values.get("look", {}))
    except ConfigError as error:
        raise RecipeError(str(error)) from error
    sites = values.get("sites", list(SITES))
    if not isinstance(sites, list) or not sites or any(site not in SITES for site in sites):
        raise RecipeError(f"sites must name some of {', '.join(SITES)}.")
    return Wish(
        recipe=Recipe.from_json(values.get("recipe")),
        picture=picture_of(values.get("picture", "cross"), values.get("view", {})),
        ending=values.get("format", "png"),
        look=look,
        scale=values.get("scale", 2),
        sites=tuple(site for site in SITES if site in sites),
        layers=_places(values, "layers"),
        heads=_places(values, "heads"),
        pictures=values.get("pictures", "png"),
        command="the page",
    )


def _places(values: dict[str, Any], name: str) -> tuple[int, ...]:
    """The layers or heads of a lesson pack, from 1; none are named where all are meant."""
    places = values.get(name, [])
    if not isinstance(places, list) or len(places) > _MOST_PLACES:
        raise RecipeError(f"{name} must list at most {_MOST_PLACES} whole numbers.", "place")
    if name in values and not places:
        raise RecipeError(f"{name} must name at least one.", "place")
    return tuple(places)


def prepared(
    library: "Library",
    wish: Wish,
    engine: Engine = ENGINE,
    progress: Progress = iter,
    most_bytes: float = math.inf,
) -> Callable[[], bytes]:
    """Asks the model everything at once; what is returned draws and writes, and asks nobody.

    Raises RecipeError for what there is not; the returned function raises ExportError where the
    file cannot be made; a lesson pack of more than `most_bytes` before it is drawn.
    """
    if wish.ending == "html":
        opened = opening(library, wish.recipe, wish.picture, wish.stage)
        look = wish.look
        return standalone_html(library, wish.recipe, opened, look.theme, look.language).encode
    if wish.ending == "gif":
        return animation(library, wish, engine, progress)
    if wish.ending == "zip":
        return pack(library, wish, engine, progress, most_bytes)
    content = fill(library, wish.recipe, wish.picture)
    return lambda: written(content, wish.ending, wish.look, wish.scale, engine)


def file_of(
    wish: Wish, make: Callable[[], bytes], most_bytes: int, hosted: bool = False
) -> dict[str, Any]:
    """The answer; ExportError where the file is too large or too many pictures are under way.

    `hosted`: who asks can install nothing on this machine, and is not told to.
    """
    try:
        with _turn(wish.ending):
            content = make()
    except ExportError as error:
        if hosted and error.code in ("browser", "kaleido"):
            raise told(ExportError, "undrawn") from error
        raise
    if len(content) > most_bytes:
        raise told(ExportError, "file_large", n=len(content), limit=most_bytes)
    return {
        "name": name_of(wish),
        "type": TYPES[wish.ending],
        "data": base64.b64encode(content).decode("ascii"),
    }


def name_of(wish: Wish) -> str:
    """A file's name: model, view, place; letters that every system takes."""
    name, view = wish.picture.name, wish.picture.view
    what, said = [name], _PLACES.get(name, _PLACE)
    if wish.ending == "zip":
        what, said = ["lesson"], ()
    elif wish.ending == "gif":  # of every step; an encoder has none
        what = ["decode", "lines"] if name == "lines" else ["decode"]
        said = () if view.site == "encoder" else ("site", "layer", "head")
    parts = [wish.recipe.model, *what]
    if "site" in said and view.site and view.site not in what:
        parts.append(view.site)
    for one in said:
        if one != "site" and (number := getattr(view, one, None)) is not None:
            parts.append(f"{'step' if one == 'at' else one}{number + 1}")
    return re.sub(r"[^\w.-]+", "-", "-".join(parts)) + f".{wish.ending}"


@contextmanager
def _turn(ending: str) -> Iterator[None]:
    if ending in (*DATA, "html"):
        yield
        return
    if not _TURNS.acquire(blocking=False):
        raise told(ExportError, "pictures_busy", limit=AT_ONCE)
    try:
        yield
    finally:
        _TURNS.release()
