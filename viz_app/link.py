"""Links: a recipe and the view of it as the fragment of an address, and back.

    #v1&model=en-fr&weights=1a2b3c4d&text=The+old+cat&target=.5k.c_2&site=cross&cross=3.5&step=4

A fragment stays in the browser: no visitor's text reaches the log of a server. Layers, heads, steps
and cells are counted from 1 in a link, as on the page, and from 0 in values. A link has the first
version that knows all its fields, and those of every version are read. stage/keep/link.js reads and
writes the same, by the same table of fields. Nothing here opens a model.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

from model_core.errors import RecipeError
from model_core.values.recipe import MAX_CHARACTERS, Choice, Recipe, Strategy
from model_core.values.trace import SITES
from viz_app.link_fields import BY_NAME, CORE, FIELDS, MAX_TOKENS, broken, decoded, encoded

VERSIONS = ("v1", "v2")  # the first has the fields since 1
MAX_LINK = 4000  # characters of the fragment


def link_rules() -> dict[str, Any]:
    """What the page needs to read and write links: the limits and the table of fields."""
    return {
        "versions": VERSIONS,
        "limit": MAX_LINK,
        "characters": MAX_CHARACTERS,
        "tokens": MAX_TOKENS,
        "fields": [dataclasses.asdict(field) for field in FIELDS],
    }


def read_link(
    text: str, models: Iterable[Mapping[str, Any]] | None = None
) -> tuple[Recipe, dict[str, Any]]:
    """The recipe of a link, and the view: {room, site, layer, head, at, rows, view, spelled, ...}.

    `text` is a whole address or what follows its #. `models` are the entries of
    `stage_options(...)["models"]`; with them the model, its tokens, layers and heads are checked
    too. Where the model's weights are others than those of the link, the tokens mean nothing: they
    are dropped and `view["stale"]` is set. `view["to_end"]`: the link names no tokens; the
    translation is to be carried to its end. A RecipeError says what is wrong.
    """
    fragment = text.strip().partition("#")[2] if "#" in text else text.strip()
    values = _values(fragment)
    recipe, view = _assembled(values)
    if models is None:
        return recipe, view
    return _checked(recipe, view, list(models))


def write_link(recipe: Recipe, view: Mapping[str, Any] | None = None, base: str = "") -> str:
    """The link to a recipe and a view of it, `base` before the #; RecipeError where it is too long.

    `view` is what `read_link` gives; any part of it may be missing.
    """
    values = _taken_apart(recipe, view or {})
    parts, since = [], 1
    for field in FIELDS:
        value = values.get(field.name)
        if value is None or value == field.default:
            continue
        written = encoded(field, value)
        if decoded(field, written) != value:
            raise broken(field.name)
        parts.append(f"{field.name}={written}")
        since = max(since, field.since)
    fragment = "&".join([VERSIONS[since - 1], *parts])
    if len(fragment) > MAX_LINK:
        raise _too_long(len(fragment))
    return f"{base.partition('#')[0]}#{fragment}"


def _too_long(n: int) -> RecipeError:
    return RecipeError(
        f"The link has {n} characters; at most {MAX_LINK} are read. Shorten the sentence.",
        "link_long",
        n=n,
        limit=MAX_LINK,
    )


def _values(fragment: str) -> dict[str, Any]:
    """The values of the fields that a fragment names; missing ones with a default have it."""
    if len(fragment) > MAX_LINK:
        raise _too_long(len(fragment))
    version, *parts = fragment.split("&")
    if version not in VERSIONS:
        if not re.fullmatch(r"v[0-9]{1,6}", version):
            raise broken(VERSIONS[-1])
        known = ", ".join(VERSIONS)
        raise RecipeError(
            f"The link has version {version}; this program reads {known}. Make a new one here.",
            "link_version",
            version=version,
            known=known,
        )
    since = VERSIONS.index(version) + 1
    values: dict[str, Any] = {}
    for part in parts:
        name, equals, written = part.partition("=")
        if not equals or name not in BY_NAME or name in values or BY_NAME[name].since > since:
            raise broken(name)
        values[name] = decoded(BY_NAME[name], written)
    for name in ("model", "text"):
        if name not in values:
            raise broken(name)
    return {f.name: f.default for f in FIELDS if f.default is not None} | values


def _assembled(values: dict[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """The recipe and the view that the values of all fields make."""
    recipe = Recipe(
        model=values["model"],
        source=values["text"],
        target=tuple(Choice(token, how) for token, how in values.get("target", ())),
        pads=values["pads"],
        strategy=_strategy(values),
    )
    room = values["room"]
    view: dict[str, Any] = {
        "room": room,
        "view": values["view"],
        "spelled": values["spelled"] == "yes",
        "order": values["order"],
        "locks": {},
        "cells": {},
        "choices": {},
        "to_end": "target" not in values,
        "stale": False,
    }
    named = ("weights", "site", "rows", "draft")
    view |= {name: values[name] for name in named if name in values}
    if "step" in values:
        if "target" in values and values["step"] > len(recipe.target):
            raise broken("step")
        view["at"] = values["step"]
    for site in SITES:
        if site in values:
            view["locks"][site] = dict(zip(("layer", "head"), values[site], strict=True))
        if f"cell.{site}" in values:
            pair = zip(("query", "key"), values[f"cell.{site}"], strict=True)
            view["cells"][site] = dict(pair)
    view |= view["locks"].get(view.get("site"), {})
    for name, value in values.items():
        owner, _, choice = name.partition(".")
        if name in CORE or owner == "cell":
            continue
        if owner != room:
            raise broken(name)
        view["choices"][choice] = value
    return recipe, view


def _strategy(values: dict[str, Any]) -> Strategy:
    if "sample" in values and "beam" in values:
        raise broken("beam")
    if "sample" in values:
        return Strategy("sample", *values["sample"])
    return Strategy("beam", width=values["beam"]) if "beam" in values else Strategy()


def _taken_apart(recipe: Recipe, view: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all fields for a recipe and a view; the inverse of `_assembled`."""
    values: dict[str, Any] = {"model": recipe.model, "text": recipe.source, "pads": recipe.pads}
    strategy = recipe.strategy
    if strategy.kind == "sample":
        values["sample"] = (strategy.temperature, strategy.top_k, strategy.top_p, strategy.seed)
    elif strategy.kind == "beam":
        values["beam"] = strategy.width
    if not (view.get("to_end") and not recipe.target):
        values["target"] = tuple((choice.token, choice.how) for choice in recipe.target)
    named = ("weights", "room", "site", "rows", "view", "order", "draft")
    values |= {name: view.get(name) for name in named}
    values["spelled"] = "yes" if view.get("spelled") else "no"
    values["step"] = view.get("at")
    locks = dict(view.get("locks", {}))
    if view.get("site") and view.get("layer") is not None and view.get("head") is not None:
        locks[view["site"]] = {"layer": view["layer"], "head": view["head"]}
    for site in SITES:
        if site in locks:
            values[site] = (locks[site]["layer"], locks[site]["head"])
        if cell := view.get("cells", {}).get(site):
            values[f"cell.{site}"] = (cell["query"], cell["key"])
    for choice, value in view.get("choices", {}).items():
        name = f"{view.get('room')}.{choice}"
        if name not in BY_NAME:
            raise broken(name)
        values[name] = tuple(value) if isinstance(value, list) else value
    return values


def _checked(
    recipe: Recipe, view: dict[str, Any], models: list[Mapping[str, Any]]
) -> tuple[Recipe, dict[str, Any]]:
    """The recipe and the view once they are known to fit one of the models."""
    model = next((one for one in models if one["name"] == recipe.model), None)
    if model is None:
        known = ", ".join(one["name"] for one in models) or "none"
        name = recipe.model[:40]
        raise RecipeError(
            f"The link needs the model “{name}”, which is not here; there are: {known}.",
            "link_model",
            name=name,
            known=known,
        )
    if view.get("weights", model["fingerprint"]) != model["fingerprint"]:
        recipe = dataclasses.replace(recipe, target=())
        return recipe, view | {"stale": True, "to_end": True}
    for site, lock in view["locks"].items():
        part = "encoder" if site == "encoder" else "decoder"
        _in_range(lock["layer"], model[f"{part}_layers"], "link_layer")
        _in_range(lock["head"], model[f"{part}_heads"], "link_head")
    for choice in recipe.target:
        if choice.token >= model["vocabulary"]:
            raise RecipeError(
                f"There is no token {choice.token}; this model has {model['vocabulary']}.",
                "token",
                token=choice.token,
                limit=model["vocabulary"],
            )
    return recipe, view


def _in_range(place: int, count: int, code: str) -> None:
    if place >= count:
        what = code.removeprefix("link_")
        raise RecipeError(
            f"The link points at {what} {place + 1}; the model has {count}. Change it in the link.",
            code,
            n=place + 1,
            limit=count,
        )
