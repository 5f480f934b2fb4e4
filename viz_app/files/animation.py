"""A whole decode as an animation: one head, one picture per step, nothing jumps between them."""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from model_core.errors import ExportError
from viz_app.figures.look import Look
from viz_app.figures.paper import said_under
from viz_app.files.engine import Engine
from viz_app.files.signed import Signature, signature_of
from viz_app.rooms.places import placed
from viz_app.rooms.translate.figures.attention import Rows, about_decoding, attention_figure
from viz_app.rooms.translate.figures.lines import lines_figure
from viz_app.rooms.translate.readings import Read, read
from viz_app.rooms.translate.view import TranslateView
from viz_app.text import told

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.wish import Wish

MOST_FRAMES = 80
STEP_MS, LAST_MS = 700, 2500  # how long a step is shown, as the page plays it, and the last one
_COLOURS = 128

Progress = Callable[[Iterable[Any]], Iterable[Any]]


def animation(
    library: "Library", wish: "Wish", engine: Engine, progress: Progress = iter
) -> Callable[[], bytes]:
    """Makes the GIF; the steps are those of the recipe. The encoder has none: cross is shown."""
    recipe, decoding = library.extend(wish.recipe, 0)
    model = library.tracer(recipe.model, recipe.edits).model
    steps = len(decoding.steps)
    if steps == 0:
        raise told(ExportError, "no_steps")
    if steps > MOST_FRAMES:
        raise told(ExportError, "frames", n=steps, limit=MOST_FRAMES)
    view = wish.picture.view
    shown = model.anatomy.site(view.site) if view.site else model.anatomy.first_site
    if shown.rows == "target":
        site: Any = shown.site
        layer, head = placed(model, site, view.layer, view.head)
    else:
        site = model.anatomy.first_site.site
        layer, head = placed(model, site, None, None)
    trace = decoding.trace(site, layer)
    seen = replace(view, site=site, layer=layer, head=head)
    with library.calls():
        other = _reading(library, recipe, decoding, seen)
    texts = [model.text(decoding.target.ids[: step + 1]) for step in range(1, steps + 1)]

    def about(step: int, look: Look) -> str:
        more = look.word("step_of", n=step, m=steps)
        return said_under(look, about_decoding(recipe.model, recipe.source, texts[step - 1], more))

    def figure(step: int, look: Look) -> Any:
        lines = max(about(one, look).count("<br>") for one in range(1, steps + 1))
        told = about(step, look)
        told += "<br>" * (lines - told.count("<br>"))  # what is below them stays in its place
        make = lines_figure if wish.picture.name == "lines" else attention_figure
        return make(trace, head + 1, look, Rows(decoding.target[1:], step), told, other)

    def make() -> bytes:
        look = replace(wish.look, spelled=view.spelled)
        scale = 1 if look.size == "slide" else 2
        figures = [figure(step, look) for step in range(1, steps + 1)]
        frames = [engine.draw(one, "png", scale) for one in progress(figures)]
        title = figures[-1].layout.title.text
        drawn = replace(wish.picture, view=seen)
        return gif_of(frames, signature_of(recipe, model.fingerprint, drawn, title))

    return make


def _reading(library: "Library", recipe: Any, decoding: Any, view: Any) -> Read | None:
    """Another reading of the weights, of all steps, so that its colours stay; None: the weights."""
    if not isinstance(view, TranslateView) or view.reading == "weights":
        return None
    weights_LHQK = np.stack([trace.weights_HQK for trace in decoding.traces(view.site)])
    return read(library.tracer(recipe.model, recipe.edits), recipe, decoding, weights_LHQK, view)


def gif_of(pictures: Sequence[bytes], signature: Signature) -> bytes:
    """PNGs of one size as an animation that goes round for ever; a comment says what it is of."""
    frames = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    # One palette for all frames, so that no colour flickers.
    width, height = (max(1, side // 4) for side in frames[0].size)
    all_colours = Image.new("RGB", (width, height * len(frames)))
    for at, frame in enumerate(frames):
        all_colours.paste(frame.resize((width, height), Image.Resampling.NEAREST), (0, at * height))
    palette = all_colours.quantize(_COLOURS, Image.Quantize.MEDIANCUT)
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    file = io.BytesIO()
    drawn[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=drawn[1:],
        duration=[STEP_MS] * (len(drawn) - 1) + [LAST_MS],
        loop=0,
        comment=f"{signature.title}; {signature.description}".encode("utf-8", "replace"),
    )
    return file.getvalue()
