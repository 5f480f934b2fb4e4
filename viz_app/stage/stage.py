"""The stage's source: the scripts and the style sheets as the text a page needs.

The scripts are ES modules that import each other by name. They are joined in the order of their
imports inside one function, without the lines that import and export, so their names stay private;
only what mounts the stage leaves. This module never serves, writes or changes anything.
"""

import json
import re
from collections.abc import Collection
from pathlib import Path

from viz_app.rooms import ROOMS

FOLDER = Path(__file__).resolve().parent.parent
_SERVED = "stage/served.js"  # the stage of a page that has a server and an address
_ALONE = "stage/mount.js"  # and of one that has neither
_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class |const |function |async function )", re.MULTILINE)
COLOURS: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parent / "colours.json").read_text(encoding="utf-8")
)
# What else a scheme has; CSS cannot name a set of variables for two rules.
_ALSO = {
    "light": "--shade: 0 0.5em 1.6em rgb(28 29 41 / 16%); color-scheme: light;",
    "dark": "--shade: 0 0.5em 1.6em rgb(0 0 0 / 55%); color-scheme: dark;",
}


def script(alone: Collection[str] | None = None) -> str:
    """The JavaScript that defines `mountStage(element, options, transport)`.

    It may stand in a function body or in a <script> element: none of the files holds the text that
    would end one. `alone` is for a page without a server: the rooms that have something to show
    there; the others, and links, are left out.
    """
    body = joined(scripts(alone))
    mount = "mountServed" if alone is None else "mountStage"
    return f'const mountStage = (() => {{\n"use strict";\n{body}\nreturn {mount};\n}})();\n'


def style(alone: Collection[str] | None = None) -> str:
    """The style sheet; every rule is scoped under `.stage`. See `script` for `alone`."""
    text = "\n".join(_read(name) for name in styles(alone))
    for scheme, colours in COLOURS.items():
        said = " ".join(f"--{name}: {colour};" for name, colour in colours.items())
        text = text.replace(f"--{scheme}-colours: here;", f"{said} {_ALSO[scheme]}")
    return text


def scripts(alone: Collection[str] | None = None) -> tuple[str, ...]:
    """The files of the scripts below FOLDER, each after all that it imports."""
    shown = None if alone is None else {"translate", *alone}
    rooms = [room.name for room in ROOMS if shown is None or room.name in shown]
    mount = _SERVED if alone is None else _ALONE
    return following(*(f"rooms/{room}/{room}.js" for room in rooms), mount)


def styles(alone: Collection[str] | None = None) -> tuple[str, ...]:
    """The style sheets beside the scripts, those of the stage itself first, those of rooms last."""
    names = (_ALONE, *scripts(()), *scripts(alone))
    folders = dict.fromkeys(name.rpartition("/")[0] for name in names)
    return tuple(
        path.relative_to(FOLDER).as_posix()
        for folder in folders
        for path in sorted((FOLDER / folder).glob("*.css"))
    )


def following(*roots: str) -> tuple[str, ...]:
    """The roots and all that they import, each after what it imports itself.

    ImportError where scripts import each other in a circle.
    """
    ordered: dict[str, None] = {}
    for root in roots:
        _follow(root, ordered, ())
    return tuple(ordered)


def joined(names: Collection[str]) -> str:
    """The files as one script without the lines that import and export."""
    return "\n".join(
        f"// {name}\n{_EXPORT.sub('', _IMPORT.sub('', _read(name)))}" for name in names
    )


def _follow(name: str, ordered: dict[str, None], above: tuple[str, ...]) -> None:
    if name in above:
        raise ImportError(f"These scripts import each other: {' -> '.join((*above, name))}.")
    if name in ordered:
        return
    for imported in _IMPORT.findall(_read(name)):
        path = (FOLDER / name).parent / imported
        _follow(path.resolve().relative_to(FOLDER).as_posix(), ordered, (*above, name))
    ordered[name] = None


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
