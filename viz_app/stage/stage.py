"""The stage's source: the scripts and the style sheets as the text a page needs.

The scripts are ES modules that import each other by name. They are joined in the order of their
imports, each inside a block of its own, without their comments and imports: what a module exports
has one name in all of them. So what is read in the files is what runs, line for line.
"""

import base64
import json
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from viz_app.rooms import HOME, ROOMS
from viz_app.values.colours import COLOURS

FOLDER = Path(__file__).resolve().parent.parent
_MOUNT = "stage/mount.js"
# Only for a page without a server.
_ALONE = "stage/page/alone.js"
# Only for a page that a server answers: its address holds what is seen, and words are fetched.
_ADDRESS = "stage/keep/address.js"
_SERVED = "stage/served.js"
# Only for a page of a site that computes: what it asks in place of a server.
_WORKER_CLIENT = "stage/run/worker_client.js"


@dataclass(frozen=True)
class Face:
    """A face that the page is set in, in one weight; tests/faces.py made it."""

    family: str
    weight: int

    @property
    def file(self) -> Path:
        """Where it lies, as WOFF2."""
        name = self.family.lower().replace(" ", "_")
        return FOLDER / f"stage/vendor/{name}_{self.weight}.woff2"


@dataclass(frozen=True)
class ServedPart:
    """What a served page fetches once its first picture is there: a room, or what is asked for."""

    name: str
    root: str  # the script that is the part, with all that it imports
    exported: str  # the name of what it exports
    words: tuple[str, ...]  # the files that hold its words, or how their names begin
    answered: bool = False  # of no use where nothing answers: a page without a server lacks it
    served: bool = False  # only for a page that fetches its parts of a server of ours


# What is not a room.
_APART = (
    ServedPart(
        "more",
        "rooms/translate/more.js",
        "more",
        ("rooms/translate/", *(f"text/{name}" for name in ("edits", "guard", "hub", "updates"))),
    ),
    ServedPart("drawing", "stage/picture/drawing.js", "drawing", ()),
    ServedPart(
        "dialogs",
        "stage/page/dialogs.js",
        "dialogs",
        tuple(f"text/{name}" for name in ("card", "export", "glossary", "help", "link")),
    ),
    ServedPart("bring", "stage/page/about/bring.js", "makeBring", ("text/bring",), answered=True),
    ServedPart("own", "stage/page/about/own.js", "makeOwn", ("text/own",), answered=True),
    ServedPart("asking", "stage/asking/box.js", "makeAsking", ("text/asking",), answered=True),
    ServedPart("lesson", "stage/lesson/lesson.js", "lesson", ("text/lessons",), answered=True),
    ServedPart("local", "stage/run/local.js", "local", (), served=True),
    ServedPart("making", "stage/making/making.js", "making", ("text/making",), answered=True),
)
SHARED = "shared"  # what several parts use and the first picture does not
FACES = tuple(
    Face(family, weight) for family in ("Inter", "JetBrains Mono") for weight in (400, 600)
)
_USES_FACES, _DECODES = "stage/page/faces.js", "stage/run/wire.js"
_BEFORE = 'const { askAt, fetching, put, startStage, modules } = (() => {\n"use strict";\n'
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (const|class|function|async function) (\w+)", re.MULTILINE)
_ROOM = re.compile(r"rooms/(\w+)/\1\.js")  # it exports `room`, which in all of them is room_NAME
_SAID = re.compile(r'"([a-z][\w-]*)"|`([a-z]\w*_)\$\{')
_CODE = re.compile(r'\bcode: "(\w+)"')
_DECLARED = re.compile(r"([{;]\s*[\w-]+): ")
_AROUND = re.compile(r"\s*([{};])\s*")  # of which no style sheet has one in quotes
_SELECTORS = re.compile(r"(?<![^{};])[^{};@]*:is\([^{};@]*(?=\{)")  # of a rule
_COMMA = re.compile(r",\s*(?![^()]*\))")  # between selectors
_EITHER = re.compile(
    r"(?P<before>.*[\s>+~]|):is\((?P<ones>[^()\s>+~]+(?:,\s*[^()\s>+~]+)+)\)", re.DOTALL
)
# The type of a value or a parameter, said within a line.
_TYPE_IN_LINE = re.compile(r"/\*\* @(?:type|param|returns) .*?\*/ ?")
# What else a scheme has; CSS cannot name a set of variables for two rules.
_ALSO = {
    "light": "--shade: 0 0.5em 1.6em rgb(28 29 41 / 16%); color-scheme: light;",
    "dark": "--shade: 0 0.5em 1.6em rgb(0 0 0 / 55%); color-scheme: dark;",
}


def script(alone: Collection[str] | None = None) -> str:
    """The JavaScript that defines `mountStage(element, options, transport)`.

    With all rooms it defines `startStage(element, options, transport, apart)` and `askAt(address)`
    in its place, see served.js. It may stand in a function body or in a <script> element: none of
    the files holds the text that would end one. `alone` is for a page without a server: the rooms
    and parts that have something to show there; the others and links are left out.
    """
    said = f"rooms: [{_called(_rooms(alone))}], later: {_later(alone)}, faces: {_faces()}, alone"
    if alone is not None:
        return f"""const mountStage = (() => {{
"use strict";
{joined(scripts(alone))}
const parts = {{ {said}, makeAddress: null }};
return (element, options, transport) => mountStage(element, options, transport, parts);
}})();
"""
    return _started(scripts(), said, ())


def worker_script() -> str:
    """The JavaScript that defines `mountStage` for a page that has all rooms and an address.

    Beside it, what such a page answers itself by: see worker_client.js.
    """
    apart = (part.root for part in _apart(None))
    names = following(*_rooms(None), *apart, _ALONE, _ADDRESS, _MOUNT, _WORKER_CLIENT)
    return f"""const {{ mountStage, isMetered, makeWorkerClient, recordedWith }} = (() => {{
"use strict";
{joined(names)}
const parts = {{ rooms: [{_called(_rooms(None))}], later: {_later(None)}, faces: {_faces()},
  alone, makeAddress }};
return {{ isMetered, makeWorkerClient, recordedWith, mountStage: (element, options, transport) =>
  mountStage(element, options, transport,
    {{ ...parts, makeAddress: transport && parts.makeAddress }}) }};
}})();
"""


def faces_script() -> str:
    """What sets a page without a stage in the same faces."""
    return f"{joined(following(_DECODES, _USES_FACES))}useFaces({_faces()});\n"


def core_script() -> str:
    """The same with one room, the translation; `modules` is what the scripts of the parts use."""
    names = core_scripts()
    exported = {one for name in names for one in _exports(name)}
    used = {one for others in later_scripts().values() for one in _used(others)}
    room = _called(_rooms(()))
    return _started(names, f"rooms: [{room}], later: {{}}, alone: null", sorted(used & exported))


def _started(names: Collection[str], said: str, shared: Collection[str]) -> str:
    return f"""{_BEFORE}{joined(names)}
const parts = {{ {said}, makeAddress }};
return {{ askAt, fetching, put, startStage: (element, options, transport, apart, ...more) =>
  startStage(element, options, transport, parts, apart, ...more),
modules: {{ {", ".join(shared)} }} }};
}})();
"""


def parts() -> tuple[ServedPart, ...]:
    """The parts that are fetched later, each after those that it needs."""
    rooms = [
        ServedPart(room.name, f"rooms/{room.name}/{room.name}.js", "room", (f"rooms/{room.name}/",))
        for room in ROOMS
        if room is not HOME
    ]
    return (ServedPart(SHARED, "", "", ()), *rooms, *_APART)


def later_script(part: ServedPart, names: Collection[str]) -> str:
    """The expression of a function that makes such a part of the `modules` of `core_script`."""
    exported = ", ".join(one for name in names for one in _exports(name))
    made = _is(part) if part.root else f"Object.assign(modules, {{ {exported} }})"
    return f"""(modules) => {{
const {{ {", ".join(_used(names))} }} = modules;
{joined(names)}
return {made};
}}
"""


def core_scripts() -> tuple[str, ...]:
    """The files of the stage and the translation that the first picture needs."""
    return following(*_rooms(()), _ADDRESS, _SERVED)


def later_scripts() -> dict[str, tuple[str, ...]]:
    """The files of each part, by its name: what several parts use is shared."""
    core = set(core_scripts())
    needed = {one.name: following(one.root) for one in parts() if one.root}
    counts = Counter(name for names in needed.values() for name in names if name not in core)
    shared = {name for name, count in counts.items() if count > 1}
    files = {SHARED: tuple(name for name in following(*sorted(shared)) if name in shared)}
    apart = core | shared
    return files | {
        one: tuple(name for name in names if name not in apart) for one, names in needed.items()
    }


def said_in(names: Collection[str]) -> set[str]:
    """The keys of words that these files may name, and how keys begin that end in a value: "next_".

    They are the texts between quotation marks, so there are others among them; of errors, those
    that a script names by their code.
    """
    texts = [_read(name) for name in names]
    said = {match[1] or match[2] for text in texts for match in _SAID.finditer(text)}
    return said | {f"error_{code}" for text in texts for code in _CODE.findall(text)}


def source_map(names: Collection[str], before: int = _BEFORE.count("\n")) -> str:
    """Which line of which file each line is of a script that joins these files.

    It holds the files. `before` is how many lines stand before the first file.
    """
    texts = [_read(name) for name in names]
    mappings, at = ";" * before, (0, 0, 0)
    for file, text in enumerate(texts):
        mappings += ";"  # the line that begins the module's function
        for line, column, _ in _bare_lines(text):
            # A group of numbers a line: column, file, line and column of it, less those before.
            place = (file, line, column)
            mappings += f"A{''.join(_variable(b - a) for a, b in zip(at, place, strict=True))};"
            at = place
        mappings += ";" * (_module("", "").count("\n") - 1)
    content = {"version": 3, "sources": list(names), "sourcesContent": texts, "names": []}
    return json.dumps(content | {"mappings": mappings}, ensure_ascii=False)


def style(alone: Collection[str] | None = None) -> str:
    """The style sheet; every rule is scoped under `.stage`. See `script` for `alone`."""
    return style_of(styles(alone))


def style_of(names: Collection[str]) -> str:
    """These style sheets as one, without comments and what no rule needs around its values."""
    text = bare("\n".join(_read(name) for name in names))
    for scheme, colours in COLOURS.items():
        said = " ".join(f"--{name}: {colour};" for name, colour in colours.items())
        text = text.replace(f"--{scheme}-colours: here;", f"{said} {_ALSO[scheme]}")
    text = _AROUND.sub(r"\1", _DECLARED.sub(r"\1:", text)).replace(";}", "}")
    return _SELECTORS.sub(_spread, text)


def _spread(selectors: re.Match[str]) -> str:
    """Selectors that end in `:is(.a, .b)`, which browsers try on every element, as one for each of
    these, which they look up by its class or name. Only where all weigh the same, as `:is` does."""
    found = []
    for selector in _COMMA.split(selectors[0]):
        ones = [selector]
        if ending := _EITHER.fullmatch(selector):
            either = re.split(r",\s*", ending["ones"])
            weights = {(len(re.findall(r"[.:[]", one)), one[0] in ".:[") for one in either}
            # A nested selector that begins with a name is a declaration to browsers of 2023.
            if len(weights) == 1 and (ending["before"] or (1, True) in weights):
                ones = [ending["before"] + one for one in either]
        found += ones
    return ",".join(found)


def scripts(alone: Collection[str] | None = None) -> tuple[str, ...]:
    """The files of the scripts below FOLDER, each after all that it imports."""
    last = (_ADDRESS, _SERVED) if alone is None else (_MOUNT,)
    return following(*_rooms(alone), *(part.root for part in _apart(alone)), _ALONE, *last)


def styles(alone: Collection[str] | None = None) -> tuple[str, ...]:
    """The style sheets beside the scripts: of the stage, of rooms, last what a reader asks for."""
    names = (*scripts(()), *scripts(alone))
    folders = dict.fromkeys("/".join(name.split("/")[:2]) for name in names)
    folders["stage/reach"] = folders.pop("stage/reach")  # a phone, a projector, more contrast
    found = (path for folder in folders for path in sorted((FOLDER / folder).rglob("*.css")))
    return ("stage/mount.css", *(path.relative_to(FOLDER).as_posix() for path in found))


def following(*roots: str) -> tuple[str, ...]:
    """The roots and all that they import, each after what it imports itself.

    ImportError where scripts import each other in a circle.
    """
    ordered: dict[str, None] = {}
    for root in roots:
        _follow(root, ordered, ())
    return tuple(ordered)


def _faces() -> str:
    """The expression of the faces' files."""
    said = (
        f"{{ family: {json.dumps(face.family)}, weight: {face.weight}, "
        f"file: bytesFromBase64("
        f"{json.dumps(base64.b64encode(face.file.read_bytes()).decode('ascii'))}) }}"
        for face in FACES
    )
    return f"[{', '.join(said)}]"


def _apart(alone: Collection[str] | None) -> list[ServedPart]:
    """The parts that are no rooms. See `script` for `alone`."""
    held = (part for part in _APART if not part.served)
    return [part for part in held if alone is None or not part.answered or part.name in alone]


def _later(alone: Collection[str] | None) -> str:
    """The parts that are no rooms, where nothing is fetched."""
    said = (f"{one.name}: async () => {one.exported}" for one in _apart(alone))
    return f"{{ {', '.join(said)} }}"


def joined(names: Collection[str]) -> str:
    """The files as one script, in which all that they export has its name.

    ImportError where two of them export the same name.
    """
    owners: dict[str, str] = {}
    for name in names:
        for one in _exports(name):
            if owners.setdefault(one, name) != name:
                raise ImportError(f"Two scripts export {one}: {owners[one]} and {name}.")
    return "".join(_module(name, bare(_read(name))) for name in names)


def bare(text: str) -> str:
    """Scripts or styles without imports and the lines that are comments, and without indentation.

    But for types, a comment in them has its lines to itself; no string goes over several lines.
    """
    return "".join(f"{line}\n" for _, _, line in _bare_lines(text))


def _bare_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """The lines that `bare` keeps: the line and the column where each begins, and its text."""
    inside = False
    text = _IMPORT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(_TYPE_IN_LINE.sub("", text).splitlines()):
        kept = line.strip()
        begins = kept.startswith("/*")
        if kept and not (inside or begins or kept.startswith("//")):
            yield number, len(line) - len(line.lstrip()), kept
        inside = (inside or begins) and not kept.endswith("*/")


def _module(name: str, text: str) -> str:
    def bound(found: re.Match[str]) -> str:
        kind, one = found.groups()
        return f"var {one}" if kind == "const" else f"var {one} = {kind}"

    if room := _ROOM.fullmatch(name):
        text = _EXPORT.sub(r"\1 \2", text) + f"var room_{room[1]} = room; "
    return f"{{\n{_EXPORT.sub(bound, text)}}}\n"


def _exports(name: str) -> list[str]:
    """What a file exports for others."""
    return [] if _ROOM.fullmatch(name) else [one for _, one in _EXPORT.findall(_read(name))]


def _used(names: Collection[str]) -> list[str]:
    """What these files import of others."""
    return sorted(
        {
            one.strip()
            for name in names
            for said, path in _IMPORT.findall(_read(name))
            if _path(name, path) not in names
            for one in said.strip("{} ,\n").split(",")
        }
    )


def _is(part: ServedPart) -> str:
    """What a part is called where its scripts are joined."""
    return f"room_{part.name}" if part.exported == "room" else part.exported


def _called(rooms: Collection[str]) -> str:
    """What rooms are called there."""
    return ", ".join(f"room_{Path(name).stem}" for name in rooms)


def _path(name: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), imported))


def _rooms(alone: Collection[str] | None) -> list[str]:
    shown = None if alone is None else {HOME.name, *alone}
    rooms = [room.name for room in ROOMS if shown is None or room.name in shown]
    return [f"rooms/{room}/{room}.js" for room in rooms]


def _variable(number: int) -> str:
    """A whole number as source maps spell it: base64 digits of five bits, the sign bit first."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rest, spelled = (-number << 1) | 1 if number < 0 else number << 1, ""
    while rest > 31:
        spelled += digits[rest & 31 | 32]
        rest >>= 5
    return spelled + digits[rest]


def _follow(name: str, ordered: dict[str, None], above: tuple[str, ...]) -> None:
    if name in above:
        raise ImportError(f"These scripts import each other: {' -> '.join((*above, name))}.")
    if name in ordered:
        return
    for _, imported in _IMPORT.findall(_read(name)):
        _follow(_path(name, imported), ordered, (*above, name))
    ordered[name] = None


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
