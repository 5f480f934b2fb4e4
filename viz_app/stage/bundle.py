"""What a served page needs of the stage: script with style, source map, faces, words by language.

Their names hold the hash of what is in them, so a browser may keep them for good.
"""

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

from viz_app.rooms import HOME
from viz_app.stage.stage import (
    FACES,
    SHARED,
    ServedPart,
    core_script,
    core_scripts,
    later_script,
    later_scripts,
    parts,
    said_in,
    script,
    source_map,
    style,
    style_of,
    styles,
)
from viz_app.text import WORDS, Words, words_by_file
from viz_app.text.asked import asked


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
    files = [
        bundle(),
        bundle_map(),
        faces(),
        questions(),
        *(words_in(language) for language in WORDS),
    ]
    files += [file for part in parts() for file in (later_bundle(part), later_map(part))]
    return {file.name: file for file in files}


@cache
def bundle() -> Bundle:
    """An ES module that exports `start(element, options, address)`: the stage, answered there.

    It fetches the words of the reader's language from beside itself, those of another one when it
    is chosen.
    """
    cuts = list(accumulate((face.file.stat().st_size for face in FACES), initial=0))
    said = {
        "parts": {part.name: later_bundle(part).name for part in parts()},
        "rooms": [HOME.name, *(part.name for part in parts() if part.exported == "room")],
        "words": {language: words_in(language).name for language in WORDS},
        "titles": _titles(),
        "faces": faces().name,
        "questions": questions().name,
        "cuts": [
            [one.family, one.weight, *cut] for one, cut in zip(FACES, pairwise(cuts), strict=True)
        ],
    }
    return _named(
        "js",
        "text/javascript",
        f"""{core_script()}put(0, {json.dumps(sheets()[0])});
put(100, {json.dumps(sheets()[-1])});
const fetched = fetching({json.dumps(said, ensure_ascii=False)}, modules,
  (name) => import(new URL(name, import.meta.url)),
  (name) => fetch(new URL(name, import.meta.url)));
export const start = (element, options, address) =>
  startStage(element, options, askAt(address), fetched.apart, fetched, address);
//# sourceMappingURL={bundle_map().name}
""",
    )


@cache
def later_bundle(part: ServedPart) -> Bundle:
    """An ES module that exports `part(modules, put, say)`.

    It makes the part, puts its style into the page, and says its words, in every language.
    """
    place = 1 + parts().index(part)
    return _named(
        "js",
        "text/javascript",
        f"""const make = {later_script(part, _scripts()[part.name])};
export const part = (modules, put, say) => {{
put({place}, {json.dumps(sheets()[place])});
say({_json(_words()[part.name])});
return make(modules);
}};
//# sourceMappingURL={later_map(part).name}
""",
    )


@cache
def later_map(part: ServedPart) -> Bundle:
    """The source map of a part's script."""
    return _named("map", "application/json", source_map(_scripts()[part.name], 2))


@cache
def whole_bundle() -> str:
    """The module where nothing can be fetched: it holds the words of every language.

    It exports `mount(element, options, transport)`.
    """
    return f"""{_program()}
const words = {_json(WORDS)};
const fetched = async (language) => words[language];
const asked = {_json(asked())};
const questions = async () => asked;
const apart = {{ languages: Object.keys(words), titles: {_json(_titles())}, fetched, questions }};
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
    """The words of one language that the first picture may need, by key."""
    return _named("json", "application/json", _json(_words()[""][language]))


@cache
def questions() -> Bundle:
    """What can be asked of the page, in every language."""
    return _named("json", "application/json", _json(asked()))


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


@cache
def _scripts() -> dict[str, tuple[str, ...]]:
    return later_scripts()


@cache
def sheets() -> tuple[str, ...]:
    """The styles that scripts put there: the stage's, each part's, what a reader asks for."""
    names = styles()
    of_parts = [[name for name in names if _is_of(part, name)] for part in parts()]
    of_any = {name for group in of_parts for name in group}
    last = [name for name in names if name.startswith("stage/reach/") and name not in of_any]
    apart = {name for group in (last, *of_parts) for name in group}
    first = [name for name in names if name not in apart]
    return tuple(style_of(group) for group in (first, *of_parts, last))


def _is_of(part: ServedPart, style: str) -> bool:
    """Whether a style sheet belongs to a room, or to the script of its name."""
    if part.exported == "room":
        return style.startswith(f"rooms/{part.name}/")
    return style.replace(".css", ".js") in _scripts()[part.name]


@cache
def _words() -> dict[str, Words]:
    """The words of each part by its name, and by "" those that no part has for itself.

    A part has those of its files that no script outside it names. What scripts of other parts name,
    but none that comes first, is shared. What a server says of an error comes with the dialogs: see
    shell.js.
    """
    said = {one: said_in(names) for one, names in _scripts().items()}
    said[""] = said_in(core_scripts())
    found: dict[str, Words] = {name: {language: {} for language in WORDS} for name in said}
    owners = {
        key: part.name
        for part in parts()
        for file, words in words_by_file().items()
        if file.startswith(part.words)
        for key in words["zh"]
    }
    for language, table in WORDS.items():
        for key, text in table.items():
            owner = "dialogs" if key.startswith("error_") else owners.get(key, "")
            named_as = _named_as(key)
            others = {one for one in said if one != owner and not named_as.isdisjoint(said[one])}
            place = owner if owner and not others else "" if "" in {owner, *others} else SHARED
            found[place][language][key] = text
    return found


def _named_as(key: str) -> set[str]:
    """What a script that names a key may hold of it: see said_in."""
    begins = {key[: match.end()] for match in re.finditer("_", key)} - {"error_"}
    return {key, key.removesuffix("_hint"), *begins}


def _titles() -> list[str]:
    return [table["title"] for table in WORDS.values()]


def _json(words: object) -> str:
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


def _named(ending: str, kind: str, text: str) -> Bundle:
    return _file(ending, f"{kind}; charset=utf-8", text.encode("utf-8"))


def _file(ending: str, kind: str, plain: bytes) -> Bundle:
    name = f"{hashlib.sha256(plain).hexdigest()[:16]}.{ending}"
    return Bundle(name, kind, plain, gzip.compress(plain, mtime=0))
