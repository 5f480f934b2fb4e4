"""What a served page needs of the stage: script with style, source map, faces, words by language.

Their names hold the hash of what is in them, so a browser may keep them for good.
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

from viz_app.rooms import ROOMS
from viz_app.stage.stage import (
    FACES,
    core_script,
    core_scripts,
    later_script,
    later_scripts,
    script,
    source_map,
    style,
    style_of,
    styles,
)
from viz_app.text import WORDS
from viz_app.text.asked import asked

# Styles stand in the page in the order of their places, whenever each arrives.
_PUTS = """const put = (place, text) => {
const placeOf = (one) => Number(one.dataset.stagePlace);
const there = [...document.head.querySelectorAll("style[data-stage-place]")];
if (there.some((one) => placeOf(one) === place)) return;
const style = document.createElement("style");
style.textContent = text;
style.dataset.stagePlace = place;
document.head.insertBefore(style, there.find((one) => placeOf(one) > place) ?? null);
};
"""


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
    files = [bundle(), bundle_map(), faces(), questions()]
    files += [words_in(language) for language in WORDS]
    files += [file for part in _parts() for file in (later_bundle(part), later_map(part))]
    return {file.name: file for file in files}


@cache
def bundle() -> Bundle:
    """An ES module that exports `start(element, options, address)`: the stage, answered there.

    It fetches the words of the reader's language from beside itself, those of another one when it
    is chosen.
    """
    names = {language: words_in(language).name for language in WORDS}
    files = {part: later_bundle(part).name for part in _parts()}
    cuts = list(accumulate((face.file.stat().st_size for face in FACES), initial=0))
    said = [[one.family, one.weight, *cut] for one, cut in zip(FACES, pairwise(cuts), strict=True)]
    return _named(
        "js",
        "text/javascript",
        f"""{core_script()}{_PUTS}
put(0, {json.dumps(_sheets()[0])});
put(100, {json.dumps(_sheets()[-1])});
const files = {json.dumps(files)};
const fetchedPart = async (name) => {{
  const {{ part }} = await import(new URL(files[name], import.meta.url));
  return part(modules, put);
}};
const beside = async (name) => {{
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(answer.statusText);
  return answer;
}};
const faces = async () => {{
  const all = new Uint8Array(await (await beside({json.dumps(faces().name)})).arrayBuffer());
  return {json.dumps(said)}.map(([family, weight, from, to]) =>
    ({{ family, weight, file: all.slice(from, to) }}));
}};
const later = {{ names: {json.dumps([room.name for room in ROOMS])}, fetched: fetchedPart,
  drawing: () => fetchedPart("drawing"), asking: () => fetchedPart("asking"), faces }};
const names = {json.dumps(names)};
const fetched = async (language) => (await beside(names[language])).json();
const questions = async () => (await beside({json.dumps(questions().name)})).json();
const apart = {{ languages: Object.keys(names), titles: {_titles()}, fetched, questions }};
export const start = (element, options, address) =>
  startStage(element, options, askAt(address), apart, later);
//# sourceMappingURL={bundle_map().name}
""",
    )


@cache
def later_bundle(part: str) -> Bundle:
    """An ES module that exports `part(modules, put)`, which makes a part and puts its style."""
    place = 1 + _parts().index(part)
    return _named(
        "js",
        "text/javascript",
        f"""const make = {later_script(part)};
export const part = (modules, put) => {{
put({place}, {json.dumps(_sheets()[place])});
return make(modules);
}};
//# sourceMappingURL={later_map(part).name}
""",
    )


@cache
def later_map(part: str) -> Bundle:
    """The source map of a part's script."""
    return _named("map", "application/json", source_map(later_scripts(part), 2))


@cache
def whole_bundle() -> str:
    """The module where nothing can be fetched: it holds the words of every language.

    It exports `mount(element, options, transport)`.
    """
    return f"""{_program()}
const words = {json.dumps(WORDS, ensure_ascii=False, separators=(",", ":"))};
const fetched = async (language) => words[language];
const asked = {json.dumps(asked(), ensure_ascii=False, separators=(",", ":"))};
const questions = async () => asked;
const apart = {{ languages: Object.keys(words), titles: {_titles()}, fetched, questions }};
export const mount = (element, options, transport) =>
  startStage(element, options, transport, apart);
"""


@cache
def faces() -> Bundle:
    """The faces that the page is set in, one after the other."""
    every = b"".join(face.file.read_bytes() for face in FACES)
    return _file("bin", "application/octet-stream", every)


@cache
def words_in(language: str) -> Bundle:
    """The words of one language, by key."""
    words = json.dumps(WORDS[language], ensure_ascii=False, separators=(",", ":"))
    return _named("json", "application/json", words)


@cache
def questions() -> Bundle:
    """What can be asked of the page, in every language."""
    return _named(
        "json", "application/json", json.dumps(asked(), ensure_ascii=False, separators=(",", ":"))
    )


@cache
def bundle_map() -> Bundle:
    """The source map of the bundle, by which a browser names the file and line of an error."""
    return _named("map", "application/json", source_map(core_scripts()))


def _program() -> str:
    """The scripts, and the style put into the page."""
    return f"""{script()}
const style = document.createElement("style");
style.textContent = {json.dumps(style())};
document.head.append(style);"""


def sheets() -> tuple[str, ...]:
    """The style sheets that the scripts put into the page."""
    return _sheets()


def _parts() -> list[str]:
    """What is fetched later: those rooms, what draws pictures to keep, what answers questions."""
    return [*_later(), "drawing", "asking"]


def _later() -> list[str]:
    """The rooms that are fetched when they are first opened."""
    return [room.name for room in ROOMS if room.name != "translate"]


def _sheets() -> tuple[str, ...]:
    """The style of the stage, of each part that is fetched, and what a reader asks for."""
    names = styles()
    last = [name for name in names if name.startswith("stage/reach/")]
    of_rooms = [[one for one in names if one.startswith(f"rooms/{room}/")] for room in _later()]
    of_parts = [*of_rooms, ["stage/keep/picture.css"], []]
    apart = {name for group in (last, *of_parts) for name in group}
    first = [name for name in names if name not in apart]
    return tuple(style_of(group) for group in (first, *of_parts, last))


def _titles() -> str:
    return json.dumps([table["title"] for table in WORDS.values()], ensure_ascii=False)


def _named(ending: str, kind: str, text: str) -> Bundle:
    return _file(ending, f"{kind}; charset=utf-8", text.encode("utf-8"))


def _file(ending: str, kind: str, plain: bytes) -> Bundle:
    name = f"{hashlib.sha256(plain).hexdigest()[:16]}.{ending}"
    return Bundle(name, kind, plain, gzip.compress(plain, mtime=0))
