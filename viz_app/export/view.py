"""Which picture: everything that is chosen in the page beside the recipe, as one plain value.

Frozen, JSON both ways, bounded in size. Layers, heads, steps and places in a sentence count from 1,
as a reader counts; positions and dimensions count from 0, as in the formulas. Whether a model has
such a layer is known when the view is filled; see content.py.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from model_core.config import shown
from model_core.errors import RecipeError
from model_core.recipe import MAX_CHARACTERS
from model_core.trace import SITES
from viz_app.figures.look import check_choice

Room = Literal["translate", "masks", "positions", "inside"]
# What each view shows, for the help of the command line; the key is its name everywhere.
VIEWS: dict[str, tuple[Room, str]] = {
    "encoder": ("translate", "one head of encoder self-attention as a map"),
    "decoder": ("translate", "one head of decoder self-attention as a map"),
    "cross": ("translate", "one head of cross-attention as a map"),
    "lines": ("translate", "one head as lines between two columns of tokens"),
    "heads": ("translate", "all heads of a site"),
    "candidates": ("translate", "the most probable next tokens of a step"),
    "masks": ("masks", "pad mask, causal mask and both together"),
    "scores": ("masks", "scores before the mask, after it, and the weights"),
    "broken": ("masks", "what a broken mask does to the predictions"),
    "passes": ("masks", "one teacher-forced pass beside many steps"),
    "positions": ("positions", "the table of positions"),
    "curves": ("positions", "dimensions of the table as curves"),
    "similarity": ("positions", "how alike two positions are"),
    "sum": ("positions", "embedding + position = what enters the first layer"),
    "order": ("positions", "attention before and after words change places"),
    "rotary": ("positions", "queries and keys turned by their positions"),
    "head": ("inside", "one row of a head: products, scores, weights, values"),
    "output": ("inside", "what becomes of that row: output projection, residual, norm"),
    "way": ("inside", "one token through the whole model"),
}
_CHOICES: dict[str, tuple[str, ...]] = {
    "view": tuple(VIEWS),
    "site": SITES,
    "rows": ("fed", "predicted"),
    "side": ("source", "target"),
    "kind": ("own", "sinusoidal", "learned", "rotary", "none"),
    "causal": ("intact", "none", "ahead", "behind"),
    "pads": ("intact", "none", "rows"),
    "fill": ("infinite", "finite"),
}
_COUNTS = ("layer", "head", "step", "query", "key", "shown")
_MOST = 10**6
_LONGEST = 1024  # of a list


@dataclass(frozen=True)
class View:
    """One view; what it has no use for is ignored, and None stands for what the page opens with."""

    view: str = "cross"  # a key of VIEWS
    site: str = "cross"  # of lines, heads, masks, order, rotary, head
    layer: int | None = None
    head: int | None = None
    step: int | None = None  # rows up to it are drawn, its row is outlined; None: all rows
    rows: str = "fed"  # named by the token fed in, or by the token predicted
    query: int | None = None
    key: int | None = None
    side: str = "source"  # of sum, way, positions
    kind: str = "own"  # of the table of positions
    positions_off: bool = False  # of order
    order: tuple[int, ...] | None = None  # of order: which token stands at each place, from 1
    places: tuple[int, ...] | None = None  # of order: which position each place has, from 0
    dimensions: tuple[int, ...] | None = None  # of curves, from 0
    row: int | None = None  # of positions and sum: what is marked in a page, from 0
    column: int | None = None
    pair: int | None = None  # of rotary: the pair of dimensions that is marked, from 0
    spelled: bool = False  # of a page: tokens as the tokenizer spells them
    causal: str = "intact"  # how the masks are broken, as in study_masks.Breaks
    pads: str = "intact"
    fill: str = "infinite"
    sentences: tuple[str, ...] | None = None  # the batch of the room Masks
    shown: int | None = None  # which of them

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            check_choice(name, getattr(self, name), known)
        for name in _COUNTS:
            _check_whole(name, getattr(self, name), 1)
        for name in ("row", "column", "pair"):
            _check_whole(name, getattr(self, name), 0)
        for name, low in (("order", 1), ("places", 0), ("dimensions", 0)):
            values = getattr(self, name)
            if values is None:
                continue
            if not isinstance(values, tuple) or len(values) > _LONGEST:
                raise RecipeError(f"{name} must list at most {_LONGEST} whole numbers.", "place")
            for value in values:
                _check_whole(name, value, low, none=False)
        if self.sentences is not None:
            is_list = isinstance(self.sentences, tuple) and len(self.sentences) <= 16
            if not is_list or not all(isinstance(text, str) for text in self.sentences):
                raise RecipeError("sentences must list at most 16 texts.")
            if any(len(text) > MAX_CHARACTERS for text in self.sentences):
                raise RecipeError(
                    f"A sentence has at most {MAX_CHARACTERS} characters. Shorten it."
                )
        for name in ("positions_off", "spelled"):
            if type(getattr(self, name)) is not bool:
                raise RecipeError(f"{name} must be true or false.")

    @property
    def room(self) -> Room:
        """Which room of the page shows it."""
        return VIEWS[self.view][0]

    @property
    def attention(self) -> str:
        """Whose attention is shown: the view's own name, or `site`."""
        return self.view if self.view in SITES else self.site

    def to_json(self) -> dict[str, Any]:
        """The view as a JSON object; what is as by default is left out."""
        values = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default or field.name == "view"
        }
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    @classmethod
    def from_json(cls, values: Any) -> "View":
        """The view that `to_json` wrote; RecipeError where it is something else."""
        if not isinstance(values, dict):
            raise RecipeError("A view is a JSON object.")
        known = {field.name for field in dataclasses.fields(cls)}
        if unknown := [shown(name) for name in values if name not in known]:
            raise RecipeError(f"A view does not know {', '.join(unknown[:3])}.")
        listed: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
        }
        return cls(**listed)


def _check_whole(name: str, value: Any, low: int, none: bool = True) -> None:
    if none and value is None:
        return
    if type(value) is not int or not low <= value <= _MOST:
        raise RecipeError(
            f"{name} is {shown(value)}; it must be a whole number from {low} up.", "place"
        )
