"""What a served page needs of the stage as one file: script, style and words.

Its name holds the hash of what is in it, so a browser may keep it for good.
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache

from viz_app.stage.stage import script, style
from viz_app.text import WORDS


@dataclass(frozen=True, eq=False)
class Bundle:
    """An ES module that exports `mount(element, options, transport)`, as mountStage with words."""

    name: str
    plain: bytes
    packed: bytes  # with gzip

    @property
    def path(self) -> str:
        """Its address, below the root of the app."""
        return f"/stage/{self.name}"


@cache
def bundle() -> Bundle:
    """The file that belongs to the scripts, styles and words as they are."""
    text = f"""{script()}
const style = document.createElement("style");
style.textContent = {json.dumps(style())};
document.head.append(style);
const words = {json.dumps(WORDS, ensure_ascii=False, separators=(",", ":"))};
export const mount = (element, options, transport) =>
  mountStage(element, {{ ...options, words }}, transport);
"""
    plain = text.encode("utf-8")
    name = f"{hashlib.sha256(plain).hexdigest()[:16]}.js"
    return Bundle(name, plain, gzip.compress(plain, mtime=0))
