"""What a person asks for who opens a model by its path, read from JSON; and where that is allowed.

A server reads paths for those alone who sit at its own computer: it listens there only, no proxy
stands in front of it, and it is no demo.
"""

from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from model_core.errors import RecipeError
from model_core.values.checked import Checked, Form, Items, OneOf, Within
from model_core.values.importing import LAYOUT_NAMES, Hints, setting

# Whether the request under way comes from a page of this computer; see access.py.
FROM_HERE: ContextVar[bool] = ContextVar("from_here", default=False)
_PATH = Form(r"[^\0]{1,4096}", "the path of a file or a folder")


@dataclass(frozen=True)
class Bring(Checked, raises=RecipeError):
    """What a request says; settings are texts "FIELD=VALUE"."""

    path: Annotated[str, _PATH]
    tokenizers: Annotated[tuple[str, ...], _PATH, Items(2)] = ()
    layout: Annotated[str | None, OneOf(LAYOUT_NAMES)] = None
    heads: Annotated[int | None, Within(1, 128)] = None
    settings: Annotated[tuple[str, ...], Items(32)] = ()


def read_hints(request: Any) -> tuple[Path, tuple[Path, ...], Hints]:
    """The path, the tokenizers and the rest of a request, as `Bring` says; all but the path may be
    left out. RecipeError or ConfigError names what is malformed.
    """
    asked = Bring.from_json(request)
    hints = Hints(asked.layout, asked.heads, dict(map(setting, asked.settings)))
    return Path(asked.path), tuple(map(Path, asked.tokenizers)), hints
