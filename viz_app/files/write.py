"""From a content to the bytes of a file."""

from viz_app.figures.look import Look
from viz_app.files.content import Content
from viz_app.files.engine import ENGINE, Engine
from viz_app.files.formats import PICTURES
from viz_app.files.tables import to_csv, to_json, to_npz


def written(
    content: Content, ending: str, look: Look, scale: float = 1, engine: Engine = ENGINE
) -> bytes:
    """The file of a content: png, svg, pdf, npz, json or csv; ExportError where it cannot be."""
    if ending == "npz":
        return to_npz(content.tables, content.about())
    if ending == "json":
        return to_json(content.tables, content.about())
    if ending == "csv":
        return to_csv(content.tables)
    picture = next(one for one in PICTURES if one == ending)
    return engine.draw(content.figure(look), picture, scale)
