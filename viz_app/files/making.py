"""One door to every file: from a recipe, a view and a format to bytes."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from viz_app.files.animation import Progress, animation
from viz_app.files.content import fill
from viz_app.files.engine import ENGINE, Engine
from viz_app.files.opening import opening
from viz_app.files.pack import pack
from viz_app.files.wish import Wish
from viz_app.files.write import written

if TYPE_CHECKING:
    from model_core.decoding.library import Library


def prepared(
    library: "Library", wish: Wish, engine: Engine = ENGINE, progress: Progress = iter
) -> Callable[[], bytes]:
    """Asks the model everything at once; what is returned draws and writes, and asks nobody.

    Raises RecipeError for what there is not; the returned function raises ExportError where the
    file cannot be made.
    """
    if wish.ending == "html":
        return _page(library, wish)
    if wish.ending == "gif":
        return animation(library, wish, engine, progress)
    if wish.ending == "zip":
        return pack(library, wish, engine, progress)
    content = fill(library, wish.recipe, wish.picture)
    return lambda: written(content, wish.ending, wish.look, wish.scale, engine)


def _page(library: "Library", wish: Wish) -> Callable[[], bytes]:
    """The stage itself, opened on the view, as one page that needs no server."""
    from viz_app.files.standalone import standalone_html

    opened = opening(library, wish.recipe, wish.picture, wish.stage)
    page = standalone_html(library, wish.recipe, opened, wish.look.theme, wish.look.language)
    return page.encode
