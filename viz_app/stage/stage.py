"""The stage's source: the scripts and the style sheets as the text a page needs.

The scripts are plain files without imports. They are joined in one fixed order inside one function,
so their names stay private; `mountStage` is the only one that leaves. This module never serves,
writes or changes anything.
"""

from collections.abc import Collection
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
    "export_views.js",
    "export_data.js",
    "export_tables.js",
    "export_checks.js",
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
_DARK_AGAIN = "--dark-colours: here;"  # CSS cannot name a set of colours for two rules
FOLDER = Path(__file__).parent


def script(alone: Collection[str] | None = None) -> str:
    """The JavaScript that defines `mountStage(element, options, transport)`.

    It may stand in a function body or in a <script> element: none of the files holds the text that
    would end one. `alone` is for a page without a server: the rooms that have something to show
    there; the others, and links, are left out.
    """
    body = _joined(_wanted(SCRIPTS, alone))
    return f'const mountStage = (() => {{\n"use strict";\n{body}\nreturn mountStage;\n}})();\n'


def style(alone: Collection[str] | None = None) -> str:
    """The style sheet; every rule is scoped under `.stage`. See `script` for `alone`."""
    text = _joined(_wanted(STYLES, alone))
    dark = text.split(".dark .stage {", 1)[1].split("}", 1)[0].strip()
    return text.replace(_DARK_AGAIN, dark)


def _wanted(names: tuple[str, ...], alone: Collection[str] | None) -> tuple[str, ...]:
    if alone is None:
        return names
    left_out = (*(room for room in ROOMS if room not in alone), LINKS)
    return tuple(name for name in names if not name.startswith(left_out))


def _joined(names: tuple[str, ...]) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)
