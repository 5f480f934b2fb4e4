"""What a served page needs of the stage: script with style, source map, and words by language.

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
def bundles() -> dict[str, Bundle]:
    """All files, by name."""
    files = (bundle(), bundle_map(), *(words_in(language) for language in WORDS))
    return {file.name: file for file in files}


@cache
def bundle() -> Bundle:
    """An ES module that exports `start(element, options, address)`: the stage, answered there.

    It fetches the words of the reader's language from beside itself, those of another one when it
    is chosen.
    """
    names = {language: words_in(language).name for language in WORDS}
    return _named(
        "js",
        "text/javascript",
        f"""{_program()}
const names = {json.dumps(names)};
const fetched = async (language) => {{
  const answer = await fetch(new URL(names[language], import.meta.url));
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}};
const apart = {{ languages: Object.keys(names), titles: {_titles()}, fetched }};
export const start = (element, options, address) =>
  startStage(element, options, askAt(address), apart);
//# sourceMappingURL={bundle_map().name}
""",
    )


@cache
def whole_bundle() -> str:
    """The module where nothing can be fetched: it holds the words of every language.

    It exports `mount(element, options, transport)`.
    """
    return f"""{_program()}
const words = {json.dumps(WORDS, ensure_ascii=False, separators=(",", ":"))};
const fetched = async (language) => words[language];
const apart = {{ languages: Object.keys(words), titles: {_titles()}, fetched }};
export const mount = (element, options, transport) =>
  startStage(element, options, transport, apart);
"""


@cache
def words_in(language: str) -> Bundle:
    """The words of one language, by key."""
    words = json.dumps(WORDS[language], ensure_ascii=False, separators=(",", ":"))
    return _named("json", "application/json", words)


@cache
def bundle_map() -> Bundle:
    """The source map of the bundle, by which a browser names the file and line of an error."""
    return _named("map", "application/json", source_map())


def _program() -> str:
    """The scripts, and the style put into the page."""
    return f"""{script()}
const style = document.createElement("style");
style.textContent = {json.dumps(style())};
document.head.append(style);"""


def sheets() -> tuple[str, ...]:
    """The style sheets that the scripts put into the page."""
    return (style(),)


def _titles() -> str:
    return json.dumps([table["title"] for table in WORDS.values()], ensure_ascii=False)


def _named(ending: str, kind: str, text: str) -> Bundle:
    plain = text.encode("utf-8")
    name = f"{hashlib.sha256(plain).hexdigest()[:16]}.{ending}"
    return Bundle(name, f"{kind}; charset=utf-8", plain, gzip.compress(plain, mtime=0))
