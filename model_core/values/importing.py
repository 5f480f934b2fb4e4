"""What a person says of a file of other from-scratch code that is to be imported."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from model_core.errors import ConfigError
from model_core.values.checked import shown
from model_core.values.config import ModelConfig

LAYOUT_NAMES = (
    *("hkproj", "annotated", "torch"),
    *("convolutions", "joined-heads", "textbook", "no-bias"),
)


@dataclass(frozen=True)
class Named:
    """Which tokens are special, as the user names them: pieces, or ids as digits."""

    pad: str | None = None
    start: str | None = None
    end: str | None = None
    unknown: str | None = None
    source_start: bool | None = None  # whether the start token stands before the source


@dataclass(frozen=True)
class Hints:
    """What the file does not say."""

    layout: str | None = None  # None: the one that the names of the tensors fit
    heads: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)  # further fields of ModelConfig
    named: Named = field(default_factory=Named)


def setting(text: str) -> tuple[str, Any]:
    """A field of ModelConfig and its value from "FIELD=VALUE"; ConfigError where there is none."""
    name, sign, value = text.partition("=")
    hints = get_type_hints(ModelConfig)
    hint = hints.get(name)
    if hint is None or not sign:
        raise ConfigError(f"{shown(text)} is not FIELD=VALUE. The fields are {', '.join(hints)}.")
    if hint is bool and value in ("true", "false"):
        return name, value == "true"
    if hint in (int, float):
        try:
            return name, hint(value)
        except ValueError as error:
            raise ConfigError(f"{name} is {shown(value)}; it must be a number.") from error
    return name, value
