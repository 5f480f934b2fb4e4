"""What a person says of a file of other from-scratch code that is to be imported."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LAYOUT_NAMES = (
    *("hkproj", "annotated", "torch"),
    *("convolutions", "joined-heads", "textbook", "no-bias"),
)


@dataclass(frozen=True)
class Named:
    """Which tokens are special where somebody says so: pieces, or ids as digits."""

    pad: str | None = None
    start: str | None = None
    end: str | None = None
    unknown: str | None = None
    source_start: bool | None = None  # whether the start token stands before the source


@dataclass(frozen=True)
class Wish:
    """What the file does not say."""

    layout: str | None = None  # None: the one that the names of the tensors fit
    heads: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)  # further fields of ModelConfig
    named: Named = field(default_factory=Named)
