"""A picture's metadata: title, link, model, weights, version, and what
computed its numbers.

A PNG has it in its text, an SVG in its title and description, a PDF in its properties, a GIF in a
comment (see animation.py).
"""

import html
import re
import struct
import zlib
from dataclasses import dataclass
from xml.sax.saxutils import escape

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from viz_app.files.picture import Picture
from viz_app.files.standalone import seen_in
from viz_app.links.link import write_link
from viz_app.version import VERSION

PROGRAM = f"Attention Visualiser {VERSION}"
_INCH = 0.0254  # metres
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Signature:
    """What a picture is of."""

    title: str
    model: str
    fingerprint: str  # of the weights
    computed_by: str = ""  # what computed the numbers; none: they were given
    link: str = ""  # what follows the # of a page's address, and the #; none: too long for one

    @property
    def description(self) -> str:
        """One line of all but the title."""
        parts = [f"model {self.model}", f"weights {self.fingerprint}", PROGRAM]
        parts += [f"computed by {self.computed_by}"] if self.computed_by else []
        return "; ".join([*parts, *([f"link {self.link}"] if self.link else [])])


def signature_of(
    recipe: Recipe, weights: str, picture: Picture, title: str, computed_by: str = ""
) -> Signature:
    """The signature of a picture whose title is `title`, as Plotly reads it.

    `computed_by` is what computed its numbers.
    """
    try:
        link = write_link(recipe, seen_in(picture) | {"weights": weights})
    except RecipeError:  # longer than a link may be
        link = ""
    plain = html.unescape(re.sub(r"<[^<>]*>", " ", title))
    said = " ".join(plain.split()) or f"{picture.name}: {recipe.source}"
    return Signature(said, recipe.model, weights, computed_by, link)


def signed(content: bytes, ending: str, signature: Signature, scale: float = 1) -> bytes:
    """The picture with its signature; any other file as it is. `scale` is for PNG."""
    sign = {"png": _png, "svg": _svg, "pdf": _pdf}.get(ending)
    return content if sign is None else sign(content, signature, scale)


def _png(content: bytes, signature: Signature, scale: float) -> bytes:
    """With text in UTF-8, and its density: 96 pixels an inch at scale 1."""
    head = 8 + 25  # the first chunk is of this length
    texts = {
        "Title": signature.title,
        "Description": signature.description,
        "Software": PROGRAM,
        "Source": signature.link,
    }
    density = round(96 * scale / _INCH)
    chunks = [_chunk(b"pHYs", struct.pack(">IIB", density, density, 1))]
    chunks += [
        _chunk(b"iTXt", name.encode() + b"\0\0\0\0\0" + text.encode("utf-8", "replace"))
        for name, text in texts.items()
        if text
    ]
    return content[:head] + b"".join(chunks) + content[head:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _svg(content: bytes, signature: Signature, _: float) -> bytes:
    """With a title and a description, which screen readers read."""
    title, description = (
        escape(NOT_IN_XML.sub("\ufffd", text)) for text in (signature.title, signature.description)
    )
    text = NOT_IN_XML.sub("\ufffd", content.decode("utf-8"))  # of tokens; browsers write them
    start = text.index(">", text.index("<svg"))
    named = ' role="img" aria-labelledby="av-title av-desc">'
    said = f'<title id="av-title">{title}</title><desc id="av-desc">{description}</desc>'
    return f"{text[:start]}{named}{said}{text[start + 1 :]}".encode()


def _pdf(content: bytes, signature: Signature, _: float) -> bytes:
    """With properties in place of the browser's, as an update at the end of the file."""
    trailer = content[content.rindex(b"trailer") :]
    count, root = (
        int(re.search(pattern, trailer)[1])  # type: ignore[index]
        for pattern in (rb"/Size (\d+)", rb"/Root (\d+) 0 R")
    )
    before = int(re.search(rb"startxref\s+(\d+)", trailer)[1])  # type: ignore[index]
    values = {"Title": signature.title, "Subject": signature.description, "Creator": PROGRAM}
    if signature.link:
        values["Keywords"] = signature.link
    # As PDF has texts, whatever their letters.
    coded = {name: f"\ufeff{text}".encode("utf-16-be", "replace") for name, text in values.items()}
    said = "".join(f"/{name} <{text.hex()}>" for name, text in coded.items())
    content = content if content.endswith(b"\n") else content + b"\n"
    place = len(content)
    content += f"{count} 0 obj\n<<{said}>>\nendobj\n".encode()
    table = f"xref\n{count} 1\n{place:010d} 00000 n \n"
    table += f"trailer\n<</Size {count + 1}/Root {root} 0 R/Info {count} 0 R/Prev {before}>>\n"
    table += f"startxref\n{len(content)}\n%%EOF\n"
    return content + table.encode()
