"""The stage's source: the scripts and the style sheets as the text a page needs.

The scripts are plain files without imports. They are joined in one fixed order inside one function,
so their names stay private; `mountStage` is the only one that leaves. This module never serves,
writes or changes anything.
"""

from pathlib import Path

SCRIPTS = (
    "elements.js",
    "words.js",
    "glossary.js",
    "decode.js",
    "run.js",
    "labels.js",
    "palette.js",
    "pictures.js",
    "view.js",
    "opening.js",
    "session.js",
    "strips.js",
    "candidates.js",
    "thumbnails.js",
    "heatmap.js",
    "lines.js",
    "table.js",
    "reading.js",
    "map.js",
    "header.js",
    "cite.js",
    "export.js",
    "playback.js",
    "pick.js",
    "look.js",
    "sites.js",
    "rooms.js",
    "masks_paint.js",
    "masks_grid.js",
    "masks_sheets.js",
    "masks_batch.js",
    "masks_check.js",
    "masks_passes.js",
    "masks.js",
    "inside_vectors.js",
    "inside_chain.js",
    "inside_way.js",
    "inside.js",
    "positions_grid.js",
    "positions_parts.js",
    "positions_table.js",
    "positions_sum.js",
    "positions_order.js",
    "positions_rotary.js",
    "positions.js",
    "link_code.js",
    "link_rooms.js",
    "link_address.js",
    "keyboard.js",
    "stage.js",
)
STYLES = (
    "stage.css",
    "panels.css",
    "glossary.css",
    "cite.css",
    "export.css",
    "masks.css",
    "inside.css",
    "positions.css",
)  # and one a room
ROOMS = ("masks", "positions", "inside")  # a room's files begin with its name
LINKS = "link_"  # so begin the files that keep the page's address
EXPORT = "export."  # the dialog that asks for files
_DARK_AGAIN = "--dark-colours: here;"  # CSS cannot name a set of colours for two rules
FOLDER = Path(__file__).parent


def script(rooms: bool = True) -> str:
    """The JavaScript that defines `mountStage(element, options, transport)`.

    It may stand in a function body or in a <script> element: none of the files holds the text that
    would end one. Without a server the rooms beside the translation and links have nothing to
    show: `rooms` False leaves them out.
    """
    body = _joined(_wanted(SCRIPTS, rooms))
    return f'const mountStage = (() => {{\n"use strict";\n{body}\nreturn mountStage;\n}})();\n'


def style(rooms: bool = True) -> str:
    """The style sheet; every rule is scoped under `.stage`."""
    text = _joined(_wanted(STYLES, rooms))
    dark = text.split(".dark .stage {", 1)[1].split("}", 1)[0].strip()
    return text.replace(_DARK_AGAIN, dark)


def _wanted(names: tuple[str, ...], rooms: bool) -> tuple[str, ...]:
    return tuple(name for name in names if rooms or not name.startswith((*ROOMS, LINKS, EXPORT)))


def _joined(names: tuple[str, ...]) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)
