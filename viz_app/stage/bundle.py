"""What a served page needs of the stage as one file: script, style and words; and its source map.

Their names hold the hash of what is in them, so a browser may keep them for good.
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache

from viz_app.stage.stage import script, source_map, style
from viz_app.text import WORDS


@dataclass(frozen=True, eq=False)
class Bundle:
    """A file of the stage."""

    name: str
    type: str
    plain: bytes
    packed: bytes  # with gzip

    @property
    def path(self) -> str:
        """Its address, below the root of the app."""
        return f"/stage/{self.name}"


@cache
def bundle() -> Bundle:
    """An ES module that exports `mount(element, options, transport)`, as mountStage with words.

    It belongs to the scripts, styles and words as they are.
    """
    return _named(
        "js",
        "text/javascript",
        f"""{script()}
const style = document.createElement("style");
style.textContent = {json.dumps(style())};
document.head.append(style);
const words = {json.dumps(WORDS, ensure_ascii=False, separators=(",", ":"))};
export const mount = (element, options, transport) =>
  mountStage(element, {{ ...options, words }}, transport);
//# sourceMappingURL={bundle_map().name}
""",
    )


@cache
def bundle_map() -> Bundle:
    """The source map of the bundle, by which a browser names the file and line of an error."""
    return _named("map", "application/json", source_map())


def _named(ending: str, kind: str, text: str) -> Bundle:
    plain = text.encode("utf-8")
    name = f"{hashlib.sha256(plain).hexdigest()[:16]}.{ending}"
    return Bundle(name, f"{kind}; charset=utf-8", plain, gzip.compress(plain, mtime=0))
