"""Every word the reader sees, by language and key. Code elsewhere holds keys only.

One file for each part of the page; a room's lie in its own folder. Each holds the same keys with
the same placeholders in every language, but for errors.py.
"""

import re
from collections.abc import Mapping

from model_core.errors import RecipeError, VisualiserError
from model_core.values.anatomy import Anatomy
from viz_app.rooms import ROOMS
from viz_app.rooms.room import Room
from viz_app.text import (
    branches,
    edits,
    errors,
    export,
    figures,
    glossary,
    hub,
    link,
    models,
    serving,
    stage_en,
    stage_zh,
)

_PLACE = re.compile(r"\{(\w+)(?:\|\w*){0,2}\}")
_PARTS = (
    {"en": stage_en.EN, "zh": stage_zh.ZH},
    {"en": {}, "zh": errors.ZH},
    *(
        {"en": part.EN, "zh": part.ZH}
        for part in (branches, edits, glossary, export, hub, link, models, serving, figures)
    ),
    *(room.words for room in ROOMS),
)
# Those of kept pictures too, which begin with "figure_".
ALL_WORDS = {
    language: {key: text for part in _PARTS for key, text in part[language].items()}
    for language in ("en", "zh")
}
WORDS = {
    language: {key: text for key, text in words.items() if not key.startswith("figure_")}
    for language, words in ALL_WORDS.items()
}


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its placeholders filled as the page fills them (page/words.js).

    The end of a word goes with a number: "{n} row{n|s}", "{n} quer{n|y|ies}". What has no value
    stays as it is.
    """

    def fill(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        value, *endings = str(values[found[1]]), *found[0][1:-1].split("|")[1:]
        if not endings:
            return value
        one, many = endings if len(endings) > 1 else ("", endings[0])
        return one if value == "1" else many

    return _PLACE.sub(fill, text)


def check_room(room: Room, anatomy: Anatomy) -> None:
    """Raise RecipeError, in the page's own words, where a model has no such room."""
    lacks = room.lacks(anatomy)
    if lacks is not None:
        raise told(RecipeError, f"lacks_{lacks}")


def told(kind: type[VisualiserError], code: str, **values: str | int) -> VisualiserError:
    """An error whose message is the page's own sentence for this code, in English."""
    return kind(filled(WORDS["en"][f"error_{code}"], values), code, **values)
