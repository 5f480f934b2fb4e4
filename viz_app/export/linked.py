"""What a link shows: its recipe carried out, the picture of it, and what a stage opens on.

The choices that a link leaves open are those that the page opens with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.recipe import Recipe
from model_core.trace import AttentionTrace, Decoding
from viz_app.catalogue import stage_options
from viz_app.export.order import first_order, places_in, tokens_in, words_of
from viz_app.export.rooms import TURNED_PAIR, last_turned
from viz_app.export.translation import placed, site_of
from viz_app.export.view import View
from viz_app.link import read_link

if TYPE_CHECKING:
    from model_core.tracer import Library

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
    view: View  # what the picture shows
    stage: dict[str, Any]  # what the stage opens on, as in stage/view.js
    note: str | None = None  # where not all could be as the link says


def open_link(library: "Library", link: str) -> Linked:
    """What a link shows with the models there are; RecipeError where it is damaged or does not fit.

    `link` is a whole address or what follows its #.
    """
    models = stage_options(library.root)["models"]
    recipe, seen = read_link(link, models)
    model = next(one for one in models if one["name"] == recipe.model)
    recipe, decoding = library.extend(recipe, None if seen["to_end"] else 0)
    last = len(decoding.steps) - 1
    seen |= {"at": min(seen.get("at", last), last)}
    seen = {name: model["start_on"][name] for name in ("site", "rows")} | seen
    view = _VIEWS[seen["room"]](library, recipe, decoding, seen)
    view = replace(view, spelled=seen["spelled"])
    note = None
    if seen["stale"]:
        note = _NOTE.format(theirs=seen["weights"], ours=model["fingerprint"])
    stage = {name: seen[name] for name in _OF_STAGE if name in seen}
    return Linked(recipe, decoding, view, stage, note)


def _lock(seen: Mapping[str, Any], site: str) -> dict[str, Any]:
    """Site, layer and head, the last two counted from 1 or missing."""
    lock = seen["locks"].get(site, {})
    return {"site": site} | {name: number + 1 for name, number in lock.items()}


def _translate(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> View:
    site = seen["site"]
    whole = site == "encoder" or seen["at"] == len(decoding.steps) - 1
    return View(
        "lines" if seen["view"] == "lines" else site,
        rows=seen["rows"],
        step=None if whole else seen["at"] + 1,
        **_lock(seen, site),
    )


def _masks(library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]) -> View:
    choices = seen["choices"]
    passes = choices.get("view") == "passes"
    site = choices.get("site", "decoder")
    sentences = shown = None
    if "sentences" in choices:
        sentences = (recipe.source, *choices["sentences"])
        shown = choices["shown"] + 1 if choices.get("shown", 6) < len(sentences) else None
    breaks = {name: choices[name] for name in ("causal", "pads", "fill") if name in choices}
    query, key = (place + 1 for place in choices["cell"]) if "cell" in choices else (None, None)
    return View(
        "passes" if passes else "scores",
        step=choices["step"] + 1 if "step" in choices else None,
        query=query,
        key=key,
        sentences=sentences,
        shown=shown,
        **breaks,
        **_lock(seen, "decoder" if passes and site == "encoder" else site),
    )


def _positions(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> View:
    choices = seen["choices"]
    name = choices.get("view", "table")
    marked = {"row": choices.get("row"), "column": choices.get("column")}
    if name == "table":
        kind, kept = choices.get("kind", "own"), tuple(choices.get("kept", ()))
        shown = kept if marked["column"] in (None, *kept) else (*kept, marked["column"])
        return View("positions", kind=kind, dimensions=shown or None, **marked)
    if name == "sum":
        return View("sum", side=choices.get("side", "source"), **marked)
    site = choices.get("site", "encoder")
    if name == "rotary":
        site = "encoder" if site == "cross" else site
        asked = (choices.get(name, usual - 1) for name, usual in _PAIR)
        query, key = (min(place + 1, last_turned(decoding, site)) for place in asked)
        config = library.tracer(recipe.model).checkpoint.config
        heads = config.encoder_heads if site == "encoder" else config.decoder_heads
        pair = choices.get("pair")
        if pair is not None:
            pair = min(pair, config.width_of_head(heads) // 2 - 1)
        return View("rotary", query=query, key=key, pair=pair, **_lock(seen, site))
    words = words_of(decoding.source)
    order, shift = choices.get("order"), dict[int, int]()
    if order is not None and sorted(order) == list(range(len(words))):
        pairs = choices.get("shift", ())
        shift = dict(zip(pairs[::2], pairs[1::2], strict=False))
    else:
        order = first_order(words, decoding.source)
    last = library.tracer(recipe.model).checkpoint.config.max_positions - 1
    places = places_in(order, words, shift, last)
    at = choices.get("at")
    return View(
        "order",
        step=None if at is None else min(at, len(decoding.steps) - 1) + 1,
        positions_off=choices.get("mode") == "off",
        order=tuple(token + 1 for token in tokens_in(order, words)),
        places=None if places is None else tuple(places),
        **_lock(seen, site),
    )


_PAIR = tuple(zip(("query", "key"), TURNED_PAIR, strict=True))


def _inside(
    library: "Library", recipe: Recipe, decoding: Decoding, seen: Mapping[str, Any]
) -> View:
    choices, site = seen["choices"], seen["site"]
    view = placed(View("head", **_lock(seen, site)), library.tracer(recipe.model).checkpoint)
    trace = decoding.trace(site_of(view), (view.layer or 1) - 1)
    cell = seen["cells"].get(site, {"query": len(trace.queries), "key": 0})
    query, key = cell["query"], cell["key"]
    if query >= len(trace.queries) or key >= len(trace.keys):
        query, key = best_cell(trace, (view.head or 1) - 1)
    if choices.get("view") != "way":
        return View("head", query=query + 1, key=key + 1, **_lock(seen, site))
    usual = "source" if site == "encoder" else "target"
    side = choices.get("side", usual)
    count = len(decoding.source if side == "source" else decoding.steps)
    if choices.get("position", count) < count:
        return View("way", side=side, query=choices["position"] + 1)
    return View("way", side=usual, query=query + 1)


def best_cell(trace: AttentionTrace, head: int) -> tuple[int, int]:
    """Query and key of the cell with the most weight among words, as look.js chooses it."""
    weights_QK = trace.weights_HQK[head].astype(np.float16)  # what the page has
    words_Q, words_K = (
        np.array([kind == "text" for kind in tokens.kinds])
        for tokens in (trace.queries, trace.keys)
    )
    allowed_QK = words_Q[:, None] & words_K & trace.mask_QK
    if trace.site != "cross":
        allowed_QK &= ~np.eye(len(words_Q), dtype=bool)
    if not allowed_QK.any():
        allowed_QK = np.ones_like(allowed_QK)
    best = np.where(allowed_QK, weights_QK, -1).argmax()
    query, key = np.unravel_index(best, weights_QK.shape)
    return int(query), int(key)


_VIEWS = {
    "translate": _translate,
    "masks": _masks,
    "positions": _positions,
    "inside": _inside,
}
