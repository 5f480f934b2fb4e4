"""Which picture: its name, and the view of its room."""

from dataclasses import dataclass, fields, replace
from typing import Any

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from viz_app.figures.look import LOOKS
from viz_app.rooms import pictures
from viz_app.rooms.room import Room
from viz_app.values.view import View, check_whole, check_word

MOST = 10**6
_FROM_ONE = (
    *("layer", "head", "step", "query", "key", "shown", "node", "other_layer", "other_head"),
)
# What a choice is called in the view of a room, where that is another name.
_CALLED = {
    "translate": {"step": "at"},
    "positions": {"step": "at", "places": "rows", "pads": "", "rows": ""},
}


@dataclass(frozen=True)
class Picture:
    """One picture of a room."""

    name: str
    view: View

    def __post_init__(self) -> None:
        """RecipeError where this picture cannot show what is chosen."""
        self.room.views[self.name].check(self.view)

    @property
    def room(self) -> Room:
        """Which room of the page shows it."""
        return pictures()[self.name]

    def to_json(self) -> dict[str, Any]:
        """The picture as JSON."""
        return {"picture": self.name, "view": self.view.to_json()}


def picture_of(name: Any, view: Any) -> Picture:
    """The picture of that name, with a view as JSON; RecipeError where there is none."""
    known = pictures()
    check_word("picture", name, tuple(known))
    room = known[name]
    shown: dict[str, Any] = dict(room.views[name].view)
    return Picture(name, replace(room.view.from_json(view), **shown))


def picture(
    name: str = "cross",
    /,
    site: str | None = None,
    layer: int | None = None,
    head: int | None = None,
    **choices: Any,
) -> Picture:
    """The picture of that name, with the choices as a reader makes them.

    `layer`, `head`, `step`, `query`, `key`, `shown`, `order` and the `other_layer` and `other_head`
    of the run `b` that is compared count from 1, as on the page and on the command line;
    `dimensions`, `row`, `column`, `pair` and `places` (which position each place has) from 0.
    `site`, `rows`, `side`, `kind`, `positions_off`, `breaks`, `align`,
    `reading`, `sentences` and `spelled` are those of the page. `step` is the row that is outlined;
    `stepping`: the rows after it are not drawn. What a picture has no use for is
    ignored. Of a batch the first sentence is shown, which is that of the recipe. `node`, from 1,
    `width` and `alpha`, in hundredths, are those of a beam search.
    """
    known = pictures()
    check_word("view", name, tuple(known))
    room = known[name]
    if unknown := sorted(set(choices) - _KNOWN):
        raise RecipeError(
            f"A picture does not know {', '.join(one[:40] for one in unknown[:3])}. It knows "
            f"{', '.join(sorted(_KNOWN))}; a file also {', '.join(LOOKS)}."
        )
    said: dict[str, Any] = {"site": site, "layer": layer, "head": head, **choices}
    for one in _FROM_ONE:
        if said.get(one) is not None:
            check_whole(one, said[one], 1, MOST)
            said[one] -= 1
    if isinstance(said.get("order"), list | tuple):
        for place in said["order"]:
            check_whole("order", place, 1, MOST)
        said["order"] = tuple(place - 1 for place in said["order"])
    if isinstance(said.get("b"), dict):
        said["b"] = Recipe.from_json(said["b"])
    if said.pop("positions_off", False):
        said["mode"] = "off"
    if name == "way":
        said["position"] = said.pop("query", None)
    if room.name == "masks" and said.get("query") is not None and said.get("key") is not None:
        said["cell"] = (said["query"], said["key"])
    if room.name == "masks" and said.get("shown") is None:  # the page opens on one with pads
        said["shown"] = 0
    if room.name == "heads":  # whose table has an order of its own, not that of words
        said.pop("order", None)
    called = _CALLED.get(room.name, {})
    if room.name == "beam":
        said.pop("shown", None)
    said = {called.get(one, one): value for one, value in said.items()}
    names = {one.name for one in fields(room.view)}
    said = {one: value for one, value in said.items() if one in names and value is not None}
    lists = {one: tuple(value) for one, value in said.items() if isinstance(value, list)}
    fixed: dict[str, Any] = dict(room.views[name].view)
    return Picture(name, replace(room.view(**said | lists), **fixed))


_KNOWN = {
    *_FROM_ONE,
    *("site", "rows", "side", "kind", "order", "places", "dimensions", "row", "column", "pair"),
    *("positions_off", "breaks", "sentences", "spelled", "reading", "b", "align"),
    *("width", "alpha", "stepping"),
}
