"""A picture as a browser draws it: the page's own script makes it, so that a file is what is seen.

The script and the words are loaded once; what differs from picture to picture is a `Drawing`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from model_core.values.recipe import Recipe
from viz_app.figures.look import Look
from viz_app.files.picture import Picture
from viz_app.files.standalone import initial_state, options_of, seen_in
from viz_app.rooms import ROOMS
from viz_app.rooms.room import Answer
from viz_app.stage.stage import script, style
from viz_app.text import WORDS

if TYPE_CHECKING:
    from model_core.decoding.library import Library

# A page that knows every answer draws at once, but for what its parts hand each other in turn.
_DRAW = """
const host = document.body.appendChild(document.createElement("div"));
host.className = "stage-host";
const later = (ms) => new Promise((done) => setTimeout(done, ms));
const settled = async (stage, name, look) => {
  for (let turn = 0; turn < 400; turn += 1) {
    const drawn = stage.isAnswered() ? await stage.picture(name, look) : null;
    if (drawn) return drawn;
    await later(10);
  }
  throw new Error(`The page does not show ${name}.`);
};
const inPixels = async ({ svg, width, height }, scale) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height].map((side) => Math.round(side * scale));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").split(",")[1];
};
globalThis.drawPicture = async (options, name, look, format, scale, mostPixels) => {
  const stage = mountStage(host, { ...options, words }, null);
  const drawn = await settled(stage, name, look);
  stage.destroy();
  const { svg, width, height } = drawn;
  if (format !== "png") return JSON.stringify({ svg, width, height });
  if (width * height * scale ** 2 > mostPixels) return JSON.stringify({ width, height });
  return JSON.stringify({ width, height, png: await inPixels(drawn, scale) });
};
"""


@dataclass(frozen=True)
class Drawing:
    """One picture: what the page gets, which of its pictures, and how that looks."""

    options: Mapping[str, Any]
    name: str
    look: Look

    @property
    def least_size(self) -> tuple[float, float]:
        """CSS pixels that the picture has at least, before it is drawn."""
        width = self.look.paper_width
        return (width, 720.0) if self.look.size == "slide" else (width, 0.5 * width)

    def seen(self, picture: Picture) -> "Drawing":
        """Another picture of the same recipe, for which the page needs no other answers."""
        return replace(self, options={**self.options, "view": seen_in(picture)}, name=picture.name)

    def call(self, format: str, scale: float, most_pixels: int) -> str:
        """The expression that draws it, in the page that `program` made."""
        look = {name: getattr(self.look, name) for name in _SAID}
        values = (dict(self.options), self.name, look, format, scale, most_pixels)
        return f"drawPicture({', '.join(json.dumps(value) for value in values)})"


_SAID = ("size", "theme", "palette", "title", "width")


def program() -> str:
    """What makes an empty page draw pictures: the script with all rooms, their style, the words."""
    return f"""(() => {{
{script([room.name for room in ROOMS])}
const words = {json.dumps(WORDS)};
const sheet = document.createElement("style");
sheet.textContent = {json.dumps(style())};
document.head.append(sheet);
document.documentElement.lang = "en";
{_DRAW}
}})()"""


def drawing_of(
    library: "Library", recipe: Recipe, picture: Picture, look: Look, answer: Answer | None = None
) -> Drawing:
    """The drawing of a picture; `answer` is its room's, where that was asked already."""
    opened = initial_state(library, recipe, picture, answer=answer)
    options = options_of(library, library.run(recipe), opened, "auto", look.language)
    return Drawing(options, picture.name, look)
