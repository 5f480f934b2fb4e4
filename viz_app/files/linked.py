"""What a link shows: its recipe carried out, the picture of it, and what a stage opens on.

The choices that a link leaves open are those that the page opens with.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model_core.errors import CheckpointMissing
from model_core.values.edits import OF_PADS
from model_core.values.recipe import Recipe
from model_core.values.trace import COLUMNS, ROWS, Decoding
from viz_app.files.picture import Picture, picture_of
from viz_app.links.link import read_link
from viz_app.links.old import in_tokens
from viz_app.menu.catalogue import entry_of, models_of
from viz_app.text import WORDS

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from model_core.models.protocol import Model

_OF_STAGE = (
    *("site", "layer", "head", "at", "stepping", "rows", "view", "reading", "spelled", "order"),
    *("locks", "cells"),
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
    named = read_link(link)[0].model
    models = [one for one in models_of(library.root)[0] if one["name"] != named]
    with suppress(CheckpointMissing):  # whoever reads the link is told
        models.append(entry_of(library.tracer(named).model))  # whose weights answer
    recipe, seen = read_link(link, models)
    model = next(one for one in models if one["name"] == recipe.model)
    recipe, decoding = library.extend(recipe, None if seen["to_end"] else 0)
    tracer = library.tracer(recipe.model, recipe.edits)
    seen = in_tokens(seen, decoding.source, tracer.anatomy.max_positions - 1)
    if "at" in seen:
        seen |= {"at": min(seen["at"], len(decoding.steps) - 1)}
    seen = {name: model["start_on"][name] for name in ("site", "rows")} | seen
    said = seen["choices"] | {"spelled": seen["spelled"]}
    make = _PICTURES.get(seen["room"], _of_a_head)
    picture = picture_of(*make(tracer.model, decoding, seen, said))
    note = None
    if seen["stale"]:
        note = WORDS["en"]["error_link_weights"].format(
            theirs=seen["weights"], ours=model["fingerprint"]
        )
    stage = {name: seen[name] for name in _OF_STAGE if name in seen}
    return Linked(recipe, decoding, picture, stage, note)


Said = dict[str, Any]  # a view as JSON


def _placed(seen: Said, said: Said, usual: str) -> Said:
    """The view with the head that is locked at its site."""
    site = said.get("site", usual)
    return {"site": site} | seen["locks"].get(site, {}) | said


def _translate(model: "Model", decoding: Decoding, seen: Said, said: Said) -> tuple[str, Said]:
    said = _placed(seen, said, seen["site"]) | {"rows": seen["rows"]}
    if seen["view"] != "lines" and "reading" in seen:
        said["reading"] = seen["reading"]
    if ROWS[seen["site"]] == "target":
        said |= {name: seen[name] for name in ("at", "stepping") if name in seen}
    return "lines" if seen["view"] == "lines" else seen["site"], said


def _masks(model: "Model", decoding: Decoding, seen: Said, said: Said) -> tuple[str, Said]:
    lets_pads_in = not {*OF_PADS}.isdisjoint(said.get("breaks", ())) and model.anatomy.has("cross")
    usual = "cross" if lets_pads_in else "decoder"
    return "passes" if said.get("view") == "passes" else "scores", _placed(seen, said, usual)


def _positions(model: "Model", decoding: Decoding, seen: Said, said: Said) -> tuple[str, Said]:
    study = said.get("study", "table")
    if study == "table":
        if "column" in said:  # the marked dimension has its curve too
            kept = said.get("dimensions", [])
            said = said | {"dimensions": list(dict.fromkeys([*kept, said["column"]]))}
        return "positions", said
    if study == "sum":
        return study, said
    said = _placed(seen, said, "encoder")
    steps, is_source = len(decoding.steps), ROWS[said["site"]] == "source"
    last = (len(decoding.source) if is_source else steps) - 1
    stack = "encoder" if is_source else "decoder"
    pairs = model.facts[f"{stack}_head_width"] // 2
    most = {"at": steps - 1, "query": last, "key": last, "pair": pairs - 1}
    return study, said | {name: min(said[name], most[name]) for name in most if name in said}


def _inside(model: "Model", decoding: Decoding, seen: Said, said: Said) -> tuple[str, Said]:
    said = _placed(seen, said, seen["site"])
    site = said["site"]
    queries = len(decoding.source if ROWS[site] == "source" else decoding.steps)
    keys = len(decoding.source if COLUMNS[site] == "source" else decoding.steps)
    cell = seen["cells"].get(site)
    if cell is not None and cell["query"] < queries and cell["key"] < keys:
        said |= cell
    else:
        said = {name: value for name, value in said.items() if name not in ("query", "key")}
    count = len(decoding.source if said.get("side") == "source" else decoding.steps)
    if said.get("position", 0) >= count:
        del said["position"]
    return "way" if said.get("view") == "way" else "head", said


def _of_a_head(model: "Model", decoding: Decoding, seen: Said, said: Said) -> tuple[str, Said]:
    """Of the rooms Compare, Heads and Beam."""
    room = str(seen["room"])
    shown = {"heads": "scatter" if said.get("view") == "scatter" else "measures"}
    usual = "cross" if room == "beam" else seen["site"]
    return shown.get(room, room), _placed(seen, said, usual)


_PICTURES = {"translate": _translate, "masks": _masks, "positions": _positions, "inside": _inside}
