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
    "playback.js",
    "sites.js",
    "rooms.js",
    "masks_grid.js",
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
    "keyboard.js",
    "stage.js",
)
STYLES = (
    "stage.css",
    "panels.css",
    "glossary.css",
    "masks.css",
    "inside.css",
    "positions.css",
)  # and one a room
FOLDER = Path(__file__).parent


def script() -> str:
    """The JavaScript that defines `mountStage(element, options, transport)`.

    It may stand in a function body or in a <script> element: none of the files holds the text that
    would end one.
    """
    body = _joined(SCRIPTS)
    return f'const mountStage = (() => {{\n"use strict";\n{body}\nreturn mountStage;\n}})();\n'


def style() -> str:
    """The style sheet; every rule is scoped under `.stage`."""
    return _joined(STYLES)


def _joined(names: tuple[str, ...]) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)
