"""Links: a recipe and the view of it as the fragment of an address, and back.

    #v=3&model=en-fr&weights=1a2b3c4d&text=The+old+cat&target=200.12.86&how=g&site=cross&layer=2

A fragment stays in the browser until the page sends it here, so no visitor's text reaches the log
of a server. It is a query, read by the platform's own parser; the page writes one with
URLSearchParams (stage/keep/link.js). Its fields are those of the recipe and those of the views, by
their names: what begins with a room's name is of that room's view, the others are of the
translation's. Everything counts from 0. Nothing here opens a model.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from model_core.errors import RecipeError, VisualiserError
from model_core.values.checked import Form, Items, Kind, OneOf, Within, kinds
from model_core.values.edits import read_edits
from model_core.values.head_measures import PLACES
from model_core.values.recipe import (
    DRAWING,
    MAX_CHARACTERS,
    MAX_PADS,
    MAX_TARGET,
    Choice,
    Recipe,
    RecipeJson,
    Strategy,
    strategy_of,
)
from model_core.values.trace import SITES
from viz_app.rooms import HOME, ROOMS, HomeView, room_named
from viz_app.text import named_error
from viz_app.values.view import Inner, Pair, Place, View

MAX_LINK = 12_000  # characters of the fragment; a Chinese character takes nine
_HOWS = {"g": "greedy", "s": "sampled", "f": "forced", "b": "beam"}
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,15}")
_NUMBER = re.compile(r"[0-9]{1,16}(?:\.[0-9]{1,24})?(?:e-[0-9]{1,2})?")
# What the small maps are sorted by: where they stand, or a measure of a head on a sentence.
ORDERS = tuple(dict.fromkeys(("place", "entropy", "largest", *chain(*PLACES.values()))))
_SETTING = "set."  # before the name of what is set in the recipe
_LESSON = Form(r"[a-z][a-z0-9-]{0,39}(?:\.[1-9][0-9]?)?", 'a lesson and its step: "pads.3"')


@dataclass(frozen=True)
class PageView(HomeView):
    """The view of the translation, what the page keeps beside it, and numbers of the recipe."""

    room: Annotated[str | None, OneOf(room.name for room in ROOMS)] = None
    lesson: Annotated[str | None, _LESSON] = None  # the one that is on, and its step from 1
    order: Annotated[str | None, OneOf(ORDERS)] = None
    encoder: Pair = None  # the locked layer and head
    decoder: Pair = None
    cross: Pair = None
    cell_encoder: Pair = None  # the kept query and key
    cell_decoder: Pair = None
    cell_cross: Pair = None
    pads: Annotated[int | None, Within(0, MAX_PADS)] = None
    target: Annotated[tuple[int, ...] | None, Items(MAX_TARGET), Within(0, 999_999)] = None
    beam: Annotated[int | None, Within(1, 16)] = None
    top_k: Place = None
    seed: Annotated[int | None, Within(0, 2**53 - 1)] = None  # what a browser counts exactly


def read_link(
    text: str, models: Iterable[Mapping[str, Any]] | None = None
) -> tuple[Recipe, dict[str, Any]]:
    """The recipe of a link, and the view: {room, site, at, rows, view, spelled, order, ...}.

    `text` is a whole address or what follows its #. In the view, `locks` and `cells` have a head
    and a cell by site, `choices` is the view of the open room. `view["to_end"]`: the link names no
    tokens; the translation is to be carried to its end. `models` are the entries of
    the menu; with them the model, its tokens, layers and heads are checked too, and a link without
    a sentence is of the model's first example. Where the model's weights are others than those of
    the link, the tokens mean nothing: they are dropped and `view["stale"]` is set. A RecipeError
    says what is wrong.
    """
    fragment = text.strip().partition("#")[2] if "#" in text else text.strip()
    if len(fragment) > MAX_LINK:
        raise named_error(RecipeError, "link_long", n=len(fragment), limit=MAX_LINK)
    pairs = _pairs(fragment)
    recipe, view = _assembled(pairs)
    if models is None:
        return recipe, view
    has_text = any(name == "text" for name, _ in pairs)
    return _checked(recipe, view, list(models), has_text)


def write_link(recipe: Recipe, view: Mapping[str, Any] | None = None, base: str = "") -> str:
    """The link to a recipe and a view of it, `base` before the #.

    `view` is what `read_link` gives; any part of it may be missing. RecipeError where the link
    would be too long, or could not be read.
    """
    fragment = urlencode(_taken_apart(recipe, view or {}))
    read_link(fragment)
    return f"{base.partition('#')[0]}#{fragment}"


def broken(name: str) -> VisualiserError:
    """The error of a link whose field `name` is not what it can be."""
    return named_error(
        RecipeError, "link_broken", name=name.encode("ascii", "replace").decode()[:20]
    )


def _pairs(fragment: str) -> list[tuple[str, str]]:
    """The fields of a link of this version, less the version."""
    parts = fragment.split("&")
    version = re.fullmatch(r"v=([0-9]{1,6})", parts[0])
    if version is None:
        raise broken("v")
    if version[1] != "3":
        raise named_error(RecipeError, "link_version", version=f"v{version[1]}", known="v3")
    pairs = []
    for part in parts[1:]:
        try:
            if re.search(r"%(?![0-9A-Fa-f]{2})", part):
                raise ValueError("a character is cut off")
            ((name, value),) = parse_qsl(
                part, keep_blank_values=True, strict_parsing=True, errors="strict"
            )
            value.encode()  # half of a character has no place in a text
        except ValueError as error:
            raise broken(part.partition("=")[0]) from error
        pairs.append((name, value))
    return pairs


def _assembled(pairs: Iterable[tuple[str, str]]) -> tuple[Recipe, dict[str, Any]]:
    """The recipe and the view that the fields make."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    to_end = "target" not in values
    page = _said(PageView, "", values)
    recipe = _recipe(page, values)
    room = room_named(page.setdefault("room", HOME.name)) or HOME
    view: dict[str, Any] = {"view": "heat", "spelled": False, "order": "place"} | page
    view |= {"locks": {}, "cells": {}, "choices": {}, "to_end": to_end, "stale": False}
    if room is not HOME:
        view["choices"] = _said(room.view, f"{room.name}.", values)
    for name in ("weights", "draft"):
        if name in values:
            view[name] = _field(values, name, _draft)
    if not re.fullmatch(r"[0-9a-f]{8,64}", view.get("weights", "00000000")):
        raise broken("weights")
    for site in SITES:
        for name, of, names in (
            (site, "locks", ("layer", "head")),
            (f"cell_{site}", "cells", ("query", "key")),
        ):
            if name in view:
                view[of][site] = dict(zip(names, view.pop(name), strict=True))
    for one in (view, view["choices"]):  # the head that a view is of is the one that is locked
        for of, names in (("locks", ("layer", "head")), ("cells", ("query", "key"))):
            place = {name: one[name] for name in names if name in one}
            if "site" in one and len(place) == 2 and (of == "locks" or room.keeps_cell):
                view[of][one["site"]] = place
    view |= view["locks"].get(view.get("site"), {})
    if values:
        raise broken(next(iter(values)))
    # A prompt has steps too, as many as the text has tokens.
    if not view["to_end"] and view.get("at", 0) > len(recipe.target) + MAX_CHARACTERS:
        raise broken("at")
    return recipe, view


def _said(view: type[View], prefix: str, values: dict[str, list[str]]) -> dict[str, Any]:
    """What a link says of a view, each field checked by the view itself; takes it out of values."""
    said: dict[str, Any] = {}
    for one in kinds(view).values():
        name = f"{prefix}{one.name}"
        if name not in values:
            continue
        try:
            value = _value(one, values.pop(name))
            view.from_json({one.name: value})
            if (inner := one.note(Inner)) and inner.has(value):
                raise ValueError("a part of an answer")
        except (KeyError, RecipeError, ValueError) as error:
            raise broken(name) from error
        if not prefix or value != view.usual(one.name):  # else it is as if it were left open
            said[one.name] = value
    return said


def _value(kind: Kind, many: list[str]) -> Any:
    """The value of a field, as JSON has it; KeyError or ValueError where it is none."""
    if kind.is_list and kind.type is not int:
        return list(map(_draft, many))
    (written,) = many
    if kind.type is Recipe:
        return _run(written)
    if kind.type is bool:
        return {"true": True, "false": False}[written]
    if kind.type is not int:
        return written
    if kind.is_list:
        return [_whole(one) for one in written.split(".")] if written else []
    return _whole(written)


def _run(written: str) -> RecipeJson:
    """The recipe of another run as JSON: a link within a link, which says nothing of a view."""
    pairs = _pairs(written)
    names = [name for name, _ in pairs]
    if any("." in name and not name.startswith(_SETTING) for name in names):
        raise ValueError("a view")
    if "text" not in names:
        raise ValueError("no sentence")
    recipe, view = _assembled(pairs)
    if view["room"] != HOME.name:
        raise ValueError("a view")
    return recipe.to_json()


def _whole(written: str) -> int:
    if not _WHOLE.fullmatch(written):
        raise ValueError("not a whole number")
    return int(written)


def _draft(written: str) -> str:
    if len(written) > MAX_CHARACTERS:
        raise ValueError("longer than any sentence")
    return written


def _field(values: dict[str, list[str]], name: str, read: Callable[[str], Any] = str) -> Any:
    """The value of a field of which there is one, taken out of the values; None without it."""
    if name not in values:
        return None
    try:
        (written,) = values.pop(name)
        return read(written)
    except (KeyError, RecipeError, ValueError) as error:
        raise broken(name) from error


def _recipe(said: dict[str, Any], values: dict[str, list[str]]) -> Recipe:
    """The recipe; its fields are taken out of what is said."""
    model, source = _field(values, "model"), _field(values, "text")
    if not 0 < len(model or "") <= 200:
        raise broken("model")
    ids = said.pop("target", [])
    if source is None and ids:  # whose tokens would they be?
        raise broken("text")
    hows = _field(values, "how", lambda written: [_HOWS[one] for one in written]) or ["forced"]
    hows = hows * len(ids) if len(hows) == 1 else hows
    if len(hows) != len(ids):
        raise broken("how")
    target = tuple(Choice(*choice) for choice in zip(ids, hows, strict=True))
    drawn: dict[str, Any] = {name: said.pop(name) for name in DRAWING if name in said}
    for name in ("temperature", "top_p"):
        if name in values:
            drawn[name] = _field(values, name, partial(_share, name))
    if "beam" in said and drawn:
        raise broken("beam")
    strategy = strategy_of(said.pop("beam", None), drawn)
    settings = []
    for name in sorted(name for name in values if name.startswith(_SETTING)):
        settings.append((name.removeprefix(_SETTING), _field(values, name, _draft)))
    try:
        edits = read_edits(values.pop("edit", []))
    except RecipeError as error:
        raise broken("edit") from error
    pads = said.pop("pads", 0)
    return Recipe(model, source or "", target, pads, strategy, tuple(settings), edits)


def _share(name: str, written: str) -> float:
    """A number of the sampling, within its bounds."""
    if not _NUMBER.fullmatch(written):
        raise ValueError("not a number")
    drawn: Any = {name: float(written)}
    return float(getattr(Strategy(**drawn), name))


def _taken_apart(recipe: Recipe, view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields of a recipe and a view; the inverse of `_assembled`."""
    letters = {how: letter for letter, how in _HOWS.items()}
    strategy, hows = recipe.strategy, [letters[choice.how] for choice in recipe.target]
    values: dict[str, Any] = {"v": 3, "model": recipe.model, "weights": view.get("weights")}
    values |= {"text": recipe.source, "pads": recipe.pads or None, "draft": view.get("draft")}
    values |= {f"{_SETTING}{name}": value for name, value in recipe.settings}
    values["edit"] = list(map(str, recipe.edits)) or None
    if strategy.kind == "sample":
        values |= {name: getattr(strategy, name) for name in DRAWING}
    elif strategy.kind == "beam":
        values["beam"] = strategy.width
    if recipe.target or not view.get("to_end"):
        values["target"] = recipe.target_ids
        values["how"] = "".join(hows if len(set(hows)) > 1 else hows[:1]) or None
    page = {one.name: view.get(one.name) for one in kinds(PageView).values()}
    page = {name: one for name, one in page.items() if name not in values}
    for site in SITES:
        if lock := view.get("locks", {}).get(site):
            page[site] = (lock["layer"], lock["head"])
        if cell := view.get("cells", {}).get(site):
            page[f"cell_{site}"] = (cell["query"], cell["key"])
    values |= page
    values |= {f"{page['room']}.{name}": one for name, one in view.get("choices", {}).items()}
    return [
        (name, one)
        for name, value in values.items()
        for one in _written(value)
        if value is not None and value is not False
    ]


def _written(value: Any) -> list[str]:
    """A value as the fields of its name have it."""
    if isinstance(value, Mapping):
        return [urlencode(_taken_apart(Recipe.from_json(value), {}))]
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], str):
            return list(value)
        return [".".join(map(str, value))]
    return [str(value).lower() if value is True else str(value)]


def _checked(
    recipe: Recipe, view: dict[str, Any], models: list[Mapping[str, Any]], has_text: bool
) -> tuple[Recipe, dict[str, Any]]:
    """The recipe and the view once they are known to fit one of the models."""
    model = next((one for one in models if one["name"] == recipe.model), None)
    if model is None:
        known = ", ".join(one["name"] for one in models) or "none"
        raise named_error(RecipeError, "link_model", name=recipe.model[:40], known=known)
    if not has_text:
        recipe = dataclasses.replace(recipe, source="".join(model["examples"][:1]))
    if "closed" in model:  # what it is made of is known once it is open
        return recipe, view
    if view.get("weights", model["fingerprint"]) != model["fingerprint"]:
        recipe = dataclasses.replace(recipe, target=())
        return recipe, view | {"stale": True, "to_end": True}
    for site, lock in view["locks"].items():
        one = next((one for one in model["anatomy"]["sites"] if one["site"] == site), None)
        if one is not None:  # else the page leaves it out
            _in_range(lock["layer"], one["layers"], "layer")
            _in_range(lock["head"], one["heads"], "head")
    for choice in recipe.target:
        if choice.token >= model["vocabulary"]:
            raise named_error(RecipeError, "token", token=choice.token, limit=model["vocabulary"])
    return recipe, view


def _in_range(place: int, count: int, what: str) -> None:
    if place >= count:
        raise named_error(RecipeError, f"link_{what}", n=place + 1, limit=count)
