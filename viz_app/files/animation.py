"""A whole decode as an animation: one head, one picture per step, nothing jumps between them."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PIL import Image

from model_core.errors import ExportError
from viz_app.files.chromium import Chromium
from viz_app.files.content import Progress, fill
from viz_app.files.picture import picture_of
from viz_app.files.signed import Signature
from viz_app.text import named_error

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.file_request import FileRequest

MOST_FRAMES = 80
STEP_MS, LAST_MS = 700, 2500  # how long a step is shown, as the page plays it, and the last one
_COLOURS = 128


def animation(
    library: "Library", wanted: "FileRequest", chromium: Chromium, progress: Progress = iter
) -> Callable[[], bytes]:
    """Makes the GIF, a frame for each step of the recipe. The encoder has none: cross is shown."""
    run = library.run(wanted.recipe)
    steps = len(run.decoding.steps)
    if steps == 0:
        raise named_error(ExportError, "no_steps")
    if steps > MOST_FRAMES:
        raise named_error(ExportError, "frames", n=steps, limit=MOST_FRAMES)
    view = wanted.picture.view
    anatomy = run.model.anatomy
    site = anatomy.site(view.site) if view.site else anatomy.first_site
    names = ("layer", "head", "rows", "reading", "by", "spelled")
    said = {name: getattr(view, name) for name in names if hasattr(view, name)}
    if site.rows == "source":
        site, said["layer"], said["head"] = anatomy.first_site, None, None
    name = "lines" if wanted.picture.name == "lines" else site.site
    content = fill(library, run.recipe, picture_of(name, said | {"site": site.site}))
    look = replace(wanted.look, spelled=view.spelled)
    whole = content.drawing(look)
    drawings = [whole.seen(content.at(step).picture) for step in range(steps)]

    def make() -> bytes:
        scale = 1 if look.size == "slide" else 2
        frames = [chromium.draw(one, "png", scale) for one in progress(drawings)]
        return gif_of(frames, content.signature(look))  # whose title names no step

    return make


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
