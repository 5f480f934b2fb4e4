"""The colours of the page and of pictures, by scheme and name."""

import json
from pathlib import Path

COLOURS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("colours.json").read_text(encoding="utf-8")
)
