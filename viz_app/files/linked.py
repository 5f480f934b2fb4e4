"""What a link shows: its recipe carried out, the picture of it, and what a stage opens on.

The choices that a link leaves open are those that the page opens with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding
from viz_app.files.picture import Picture
from viz_app.link import read_link
from viz_app.rooms.inside.view import InsideView
from viz_app.rooms.masks.view import MasksView
from viz_app.rooms.positions.view import PositionsView
from viz_app.rooms.positions.words_of_tokens import first_order, places_in, tokens_in, words_of
from viz_app.rooms.translate.view import TranslateView
from viz_app.server.catalogue import models_of

if TYPE_CHECKING:
    from model_core.decoding.library import Library

_OF_STAGE = ("site", "layer", "head", "at", "rows", "view", "spelled", "order", "locks", "cells")
_NOTE = (
    "The link was made with another version of this model ({theirs}; here {ours}). The sentence is "
    "translated anew, so tokens and numbers may differ."
)


@dataclass(frozen=True, eq=False)
class Linked:
    """A link that was opened."""

    recipe: Recipe
    decoding: Decoding
    picture: Picture  # what it shows
    stage: dict[str, Any]  # what the stage opens on, as in stage/run/view.js
    note: str | None = None  # where not all could be as the link says


def open_link(library: "Library", link: str) -> Linked:
    """What a link shows with the models there are; RecipeError where it is damaged or does not fit.

    `link` is a whole address or what follows its #.
    """
    models, _ = models_of(library.root)
    recipe, seen = read_link(link, models)
    model = next(one for one in models if one["name"] == recipe.model)
    recipe, decoding = library.extend(recipe, None if seen["to_end"] else 0)
    last = len(decoding.steps) - 1
    seen |= {"at": min(seen.get("at", last), last)}
    seen = {name: model["start_on"][name] for name in ("site", "rows")} | seen
    picture = _VIEWS[seen["room"]](library, recipe, decoding, seen)
    picture = replace(picture, view=replace(picture.view, spelled=seen["spelled"]))
    note = None
    if seen["stale"]:
        note = _NOTE.format(theirs=seen["weights"], ours=model["fingerprint"])
    stage = {name: seen[name] for name in _OF_STAGE if name in seen}
    return Linked(recipe, decoding, picture, stage, note)


def _lock(seen: Mapping[str, Any], site: str) -> dict[str, Any]:
    """Site, layer and head, the last two where they are chosen."""
    return {"site": site} | seen["locks"].get(site, {})


def _translate(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> Picture:
    site = seen["site"]
    whole = site == "encoder" or seen["at"] == len(decoding.steps) - 1
    view = TranslateView(
        rows=seen["rows"],
        at=None if whole else seen["at"],
        **_lock(seen, site),
    )
    return Picture("lines" if seen["view"] == "lines" else site, view)


def _masks(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> Picture:
    choices = dict(seen["choices"])
    passes = choices.get("view") == "passes"
    site = choices.pop("site", "decoder")
    if "sentences" in choices:
        choices["sentences"] = (recipe.source, *choices["sentences"])
    if choices.get("shown", 6) >= len(choices.get("sentences", ())):
        choices.pop("shown", None)
    choices["unfolded"] = choices.get("unfolded") == "yes"
    site = "decoder" if passes and site == "encoder" else site
    return Picture("passes" if passes else "scores", MasksView(**choices, **_lock(seen, site)))


def _positions(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> Picture:
    choices = dict(seen["choices"])
    study = choices.pop("view", "table")
    row, column, part = (choices.pop(f"{n}_picked", None) for n in ("row", "column", "part"))
    if row is not None and column is not None and (study == "order") == (part is not None):
        choices |= {"picked": (row, column), "part": part}
    kept, column = tuple(choices.pop("kept", ())), choices.get("column")
    if study == "table":
        choices["dimensions"] = (kept if column in (None, *kept) else (*kept, column)) or None
        return Picture("positions", PositionsView(study=study, **choices))
    if study == "sum":
        return Picture("sum", PositionsView(study=study, **choices))
    site = choices.pop("site", "encoder")
    if study == "rotary":
        site = "encoder" if site == "cross" else site
        last = len(decoding.source if site == "encoder" else decoding.steps) - 1
        for name in ("query", "key"):
            if name in choices:
                choices[name] = min(choices[name], last)
        config = library.tracer(recipe.model).checkpoint.config
        heads = config.encoder_heads if site == "encoder" else config.decoder_heads
        if "pair" in choices:
            choices["pair"] = min(choices["pair"], config.width_of_head(heads) // 2 - 1)
    else:
        words = words_of(decoding.source)
        order, shift = choices.pop("order", None), choices.pop("shift", ())
        if order is None or sorted(order) != list(range(len(words))):
            order, shift = first_order(words, decoding.source), ()
        last = library.tracer(recipe.model).checkpoint.config.max_positions - 1
        shifts = dict(zip(shift[::2], shift[1::2], strict=False))
        places = places_in(order, words, shifts, last)
        choices["order"] = tuple(tokens_in(order, words))
        choices["rows"] = None if places is None else tuple(places)
        if "at" in choices:
            choices["at"] = min(choices["at"], len(decoding.steps) - 1)
    return Picture(study, PositionsView(study=study, **choices, **_lock(seen, site)))


def _inside(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> Picture:
    choices, site = seen["choices"], seen["site"]
    queries = len(decoding.source if site == "encoder" else decoding.steps)
    keys = len(decoding.steps if site == "decoder" else decoding.source)
    cell = seen["cells"].get(site)
    if cell is None or cell["query"] >= queries or cell["key"] >= keys:
        cell = {}
    view = InsideView(**_lock(seen, site), **cell)
    if choices.get("view") != "way":
        return Picture("head", view)
    side = choices.get("side", "source" if site == "encoder" else "target")
    count = len(decoding.source if side == "source" else decoding.steps)
    unfolded = choices.get("unfolded")
    if choices.get("position", count) < count:
        view = InsideView(side=side, position=choices["position"])
    else:
        view = replace(view, position=cell.get("query"))
    return Picture("way", replace(view, view="way", unfolded=unfolded))


_VIEWS = {
    "translate": _translate,
    "masks": _masks,
    "positions": _positions,
    "inside": _inside,
}
