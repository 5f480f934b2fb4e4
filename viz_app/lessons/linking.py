"""The link of each step of a lesson: what the lesson says, what the step lays over it, and what its
variables fill in."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from viz_app.rooms import HOME, ROOMS

_OTHERS = {room.name for room in ROOMS}


def laid_over(base: str, show: str) -> str:
    """A part of a link laid over another: fields of the same name are replaced.

    What was said of another room than the one that is shown is left out.
    """
    under, over = (parse_qsl(one, keep_blank_values=True) for one in (base, show))
    named, room = {name for name, _ in over}, dict([*under, *over]).get("room", HOME.name)
    kept = [
        (name, value)
        for name, value in under
        if name not in named and name.partition(".")[0] not in _OTHERS - {room}
    ]
    return urlencode([*kept, *over])


def link_of(model: str, of: Mapping[str, Any], said: str, filled: Mapping[str, Any]) -> str:
    """A whole link: the model, its sentence, and what is said, its variables filled in.

    Where nothing else is said the map shows the weights of tokens, whatever the reader looked at
    before: a lesson counts tokens.
    """
    own = [("v", "3"), ("model", model), ("text", str(of["text"]))]
    own += [("view", "heat"), ("reading", "weights"), ("by", "pieces")]
    given = parse_qsl(said, keep_blank_values=True)
    pairs = [(name, _filled(value, filled)) for name, value in given]
    named = {name for name, _ in pairs}
    return urlencode([*(one for one in own if one[0] not in named), *pairs])


def _filled(text: str, values: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]), text)
