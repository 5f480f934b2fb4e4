"""How a kept picture looks: its size, scheme, palette and language; and the colours that follow.

A Plotly figure has one size and takes the rest; the page prints pictures in every size.

The colours are those of the page (colours.json), mixed as there in OKLab (Ottosson 2020), so that
equal steps of a weight look equal. The palette "colour" keeps its order for colour-blind readers
and in print; "grey" has no hue at all, and says by hatching what is below 0.
"""

import html
import unicodedata
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal, get_args

import numpy as np

from model_core.errors import RecipeError
from model_core.values.checked import Checked
from viz_app.text import ALL_WORDS, filled, named_error, unmarked
from viz_app.values.colours import COLOURS

Size = Literal["slide", "column"]
Theme = Literal["light", "dark"]
Palette = Literal["colour", "grey"]
Language = Literal["en", "zh"]
_CHOICES = {"size": Size, "theme": Theme, "palette": Palette, "language": Language}
CHOICES = {name: get_args(known) for name, known in _CHOICES.items()}

# A browser takes each letter from the first of these that has it; the README says what to install.
# None is named for emoji, which browsers find by themselves: other readers of SVG would take the
# digits from there, as pictures of 100 pixels. Latin letters do not come from a Chinese font.
FONTS = (
    'system-ui, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif, '
    '"Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei"'
)
SLIDE = (1280.0, 720.0)  # CSS pixels
COLUMN = 90.0  # millimetres
WIDTHS = (60, 300)  # millimetres that a column may have
SCALES = (1, 4)  # of a PNG
PIXELS_PER_MM = 96 / 25.4  # CSS pixels
STOPS = 33  # of a colour scale
# Names of colours.json: a kept picture lies on white, and its masks are as strong as faint text.
_CALLED = {"light": {"paper": "panel", "mask": "faint"}, "dark": {"mask": "faint"}}
_SCALE = ("scale-0", "scale-1", "scale-2", "scale-3", "scale-4")
_BELOW = ("scale-0", "minus-1", "minus-2")  # from 0 to -1
_ABOVE = ("scale-0", "plus-1", "plus-2")  # from 0 to 1


def _is_between(number: float, ends: tuple[int, int]) -> bool:
    return ends[0] <= number <= ends[1]


@dataclass(frozen=True)
class Look(Checked, raises=RecipeError):
    """The choices that change no number of a picture."""

    size: Size = "slide"  # slide: 1280 x 720, larger type; column: 340 wide, a column of a paper
    theme: Theme = "light"
    palette: Palette = "colour"
    language: Language = "en"
    title: bool = True  # a title, and under it the sentence; a paper has a caption instead
    width: float | None = None  # of a column, in millimetres; see WIDTHS
    scale: float = 2  # pixels of a PNG per CSS pixel; see SCALES
    spelled: bool = False  # tokens as the tokenizer spells them; comes with the view

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width is not None:
            if not _is_between(self.width, WIDTHS):
                raise named_error(RecipeError, "width", least=WIDTHS[0], most=WIDTHS[1])
            object.__setattr__(self, "size", "column")
        if not _is_between(self.scale, SCALES):
            raise named_error(RecipeError, "choice", name="scale", known="{} … {}".format(*SCALES))

    def __getitem__(self, name: str) -> str:
        """A named colour: paper, ink, quiet, hair, mask, accent."""
        if name == "accent" and self.palette == "grey":
            name = "ink"
        return COLOURS[self.theme][_CALLED[self.theme].get(name, name)]

    def word(self, key: str, /, **values: str) -> str:
        """A word of the picture in its language; values are escaped already."""
        return filled(unmarked(ALL_WORDS[self.language][key]), values)

    @property
    def paper_width(self) -> float:
        """CSS pixels of the sheet, before anything on it makes it wider."""
        if self.size == "slide":
            return SLIDE[0]
        return (self.width or COLUMN) * PIXELS_PER_MM

    @property
    def sequential(self) -> tuple[str, ...]:
        """Colours from 0 to 1."""
        if self.palette == "grey":
            return self._along(("grey-0", "grey-1"))
        return self._along(_SCALE)

    @property
    def diverging(self) -> tuple[str, ...]:
        """Colours from -1 to 1; in grey both ends are alike, see `marks_negative`."""
        if self.palette == "grey":
            return (*self.sequential[:0:-1], *self.sequential)
        return (*self._along(_BELOW)[:0:-1], *self._along(_ABOVE))

    def _along(self, stops: tuple[str, ...]) -> tuple[str, ...]:
        return _mixed(tuple(COLOURS[self.theme][stop] for stop in stops))

    @property
    def marks_negative(self) -> bool:
        """Whether numbers below 0 are hatched, because no colour tells them apart."""
        return self.palette == "grey"


LOOK = Look()
LOOKS = tuple(one.name for one in fields(Look) if one.name != "spelled")  # what can be chosen


def escaped(text: str) -> str:
    """A text that Plotly shows letter by letter; it reads tags, entities and, with MathJax, $."""
    visible = "".join("�" if unicodedata.category(c) == "Cc" else c for c in text)
    return html.escape(visible, quote=False).replace("$", "&#36;")


def colour_at(scale: tuple[str, ...], part: float) -> str:
    """The colour at 0 to 1 of a scale; what lies outside has the colour of the end."""
    last = len(scale) - 1
    return scale[max(0, min(last, round(part * last)))]


def colour_scale(scale: tuple[str, ...]) -> list[tuple[float, str]]:
    """A scale as Plotly reads it."""
    return [(i / (len(scale) - 1), colour) for i, colour in enumerate(scale)]


# From linear RGB to cone responses, and from their cube roots to OKLab.
_TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.793617785, -0.0040720468),
    (1.9779984951, -2.428592205, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.808675766),
)


@cache
def _mixed(stops: tuple[str, ...]) -> tuple[str, ...]:
    """`STOPS` colours along the stops, mixed in OKLab."""
    cones = np.array([_linear(stop) for stop in stops]) @ np.transpose(_TO_CONES)
    labs = np.cbrt(cones) @ np.transpose(_TO_LAB)
    places = np.linspace(0, len(stops) - 1, STOPS)
    mixed = np.transpose([np.interp(places, np.arange(len(stops)), part) for part in labs.T])
    from_lab, from_cones = np.linalg.inv(_TO_LAB), np.linalg.inv(_TO_CONES)
    linear = (mixed @ np.transpose(from_lab)) ** 3 @ np.transpose(from_cones)
    gamma = 1.055 * np.maximum(linear, 0) ** (1 / 2.4) - 0.055
    shown = np.where(linear <= 0.0031308, 12.92 * linear, gamma).clip(0, 1)
    return tuple(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.rint(255 * shown).astype(int))


def _linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
