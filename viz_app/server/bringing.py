"""What a person asks for who opens a model by its path, read from JSON; and where that is allowed.

A server reads paths for those alone who sit at its own computer: it listens there only, no proxy
stands in front of it, and it is no demo.
"""

from contextvars import ContextVar
from pathlib import Path
from typing import Any

from model_core.errors import RecipeError
from model_core.values.checked import shown
from model_core.values.importing import LAYOUT_NAMES, Hints, setting

# Whether the request under way comes from a page of this computer; see access.py.
FROM_HERE: ContextVar[bool] = ContextVar("from_here", default=False)
_LONGEST_PATH = 4096  # characters
_MOST_HEADS = 128
_MOST_SETTINGS = 32


def read_hints(request: Any) -> tuple[Path, tuple[Path, ...], Hints]:
    """The path, the tokenizers and the rest of a request.

    It is {"path", "tokenizers", "layout", "heads", "settings"}; all but the path may be left out,
    and settings are texts "FIELD=VALUE". RecipeError or ConfigError names what is malformed.
    """
    _require(isinstance(request, dict), "bring must be a JSON object.")
    unknown = set(request) - {"path", "tokenizers", "layout", "heads", "settings"}
    _require(not unknown, f"bring does not know {', '.join(map(shown, sorted(unknown)))}.")
    layout, heads = request.get("layout"), request.get("heads")
    names = request.get("tokenizers", [])
    _require(isinstance(names, list) and len(names) <= 2, "tokenizers must be a list of two paths.")
    known = layout is None or layout in LAYOUT_NAMES
    _require(known, f"layout is {shown(layout)}; there are {', '.join(LAYOUT_NAMES)}.")
    whole = heads is None or (type(heads) is int and 1 <= heads <= _MOST_HEADS)
    _require(whole, f"heads is {shown(heads)}; it must lie in 1 to {_MOST_HEADS}.")
    paths = [_path(one) for one in (request.get("path"), *names)]
    said = request.get("settings", [])
    listed = isinstance(said, list) and len(said) <= _MOST_SETTINGS
    texts = listed and all(isinstance(one, str) for one in said)
    _require(texts, f'settings must be a list of at most {_MOST_SETTINGS} "FIELD=VALUE".')
    return paths[0], tuple(paths[1:]), Hints(layout, heads, dict(map(setting, said)))


def _path(text: Any) -> Path:
    right = isinstance(text, str) and 0 < len(text) <= _LONGEST_PATH and "\0" not in text
    _require(right, f"a path is {shown(text)}; it must be a text.")
    return Path(text)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise RecipeError(message)
