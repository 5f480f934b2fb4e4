"""Every picture says what it is of: link, model, weights and version."""

import io
import logging
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image

from model_core.decoding.library import Library
from model_core.values.recipe import Recipe
from viz_app.figures.look import Look
from viz_app.files.arrays import given
from viz_app.files.chromium import CHROMIUM
from viz_app.files.content import fill, written
from viz_app.files.linked import open_link
from viz_app.files.notebook import show
from viz_app.files.picture import picture
from viz_app.files.signed import Signature, signature_of, signed
from viz_app.rooms import pictures
from viz_app.values.computed_by import computed_by
from viz_app.version import VERSION

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = 'a</title><script>"1"&amp; (\\) 猫 \ufffe'


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("tiny", "The <b>cat</b> & (co)."), 4)[0]


@pytest.fixture(scope="module")
def chromium():
    """The one that other files draw with too: to start a browser takes longer than to draw."""
    return CHROMIUM


@pytest.fixture(scope="module")
def content(library, recipe):
    return fill(library, recipe, picture("cross", layer=2, head=3))


@pytest.fixture(scope="module")
def draw(content, chromium):
    return lambda ending, scale=1: written(content, ending, Look(scale=scale), chromium)


def properties_of(pdf):
    """What the last trailer of a PDF says of it, found by its own table of places."""
    place = int(re.search(rb"startxref\s+(\d+)\s+%%EOF\s*$", pdf)[1])
    table = re.match(rb"xref\n(\d+) 1\n(\d{10}) 00000 n \ntrailer\n<<(.*?)>>", pdf[place:], re.S)
    number, start = int(table[1]), int(table[2])
    assert re.search(rb"/Info %d 0 R" % number, table[3])
    before = int(re.search(rb"/Prev (\d+)", table[3])[1])
    assert pdf[before:].startswith(b"xref")
    assert pdf[start:].startswith(b"%d 0 obj" % number)
    said = pdf[start : pdf.index(b"endobj", start)]
    found = re.findall(rb"/(\w+) <([0-9a-f]+)>", said)
    return {name.decode(): bytes.fromhex(text.decode()).decode("utf-16") for name, text in found}


def told_by(ending, content):
    """The title and all else that is said."""
    if ending == "png":
        texts = Image.open(io.BytesIO(content)).info
        assert texts["Software"] == f"Attention Visualiser {VERSION}"
        return texts["Title"], texts["Description"]
    if ending == "svg":
        root = ElementTree.fromstring(content)
        assert root.get("role") == "img"
        names = root.get("aria-labelledby").split()
        parts = [root.find(f"{SVG}title"), root.find(f"{SVG}desc")]
        assert [part.get("id") for part in parts] == names
        return parts[0].text, parts[1].text
    said = properties_of(content)
    return said["Title"], said["Subject"]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_names_its_link_its_model_the_weights_the_version_and_what_computed_it(
    library, recipe, draw, ending
):
    title, told = told_by(ending, draw(ending))
    weights = library.tracer("tiny").model.fingerprint
    assert title == "Cross-attention, layer 2, head 3"
    for part in ("model tiny", f"weights {weights}", VERSION, f"computed by {computed_by()}"):
        assert part in told
    linked = open_link(library, re.search(r"link (#\S+)", told)[1])
    assert linked.recipe == recipe and linked.note is None
    view = linked.picture.view
    assert (linked.picture.name, view.layer, view.head) == ("cross", 1, 2)


def test_data_name_what_computed_them(content):
    assert content.about()["engine"] == computed_by() == f"torch {torch.__version__}"


def test_weights_that_were_given_name_nothing_that_computed_them():
    library, weights = Library(Path("none")), np.full((2, 2), 0.5)
    library.add("mine", lambda: given({"cross": weights}, None, None, "mine"))
    shown = fill(library, show(cross=weights, name="mine").recipe, picture("cross"))
    assert "engine" not in shown.about()
    assert "computed by" not in shown.signature(Look()).description


@pytest.mark.parametrize("scale", [1, 2])
def test_a_png_says_how_large_it_is_on_paper(draw, scale):
    density = Image.open(io.BytesIO(draw("png", scale))).info["dpi"]
    assert density == pytest.approx((96 * scale, 96 * scale), abs=0.1)


def test_what_the_drawing_library_cannot_read_is_not_printed(draw, caplog):
    draw("svg")
    logging.getLogger("choreographer.channels.pipe").error("a message that ends too early")
    assert not caplog.records


@pytest.mark.parametrize("name", pictures())
def test_the_link_of_every_picture_opens_its_room_with_its_sentence(library, recipe, name):
    content = fill(library, recipe, picture(name))
    signature = signature_of(recipe, content.weights, content.picture, "")
    linked = open_link(library, signature.link)
    assert linked.recipe == recipe
    assert linked.picture.room is pictures()[name]


def test_no_text_is_anything_but_text(content, chromium):
    def draw(ending):
        return chromium.draw(content.drawing(Look()), ending)

    signature = Signature(HOSTILE, HOSTILE, "12345678", "#v=3")
    svg = ElementTree.fromstring(signed(draw("svg"), "svg", signature))
    assert svg.find(f"{SVG}title").text == HOSTILE.replace("\ufffe", "\ufffd")
    assert not list(svg.iter(f"{SVG}script"))
    assert properties_of(signed(draw("pdf"), "pdf", signature))["Title"] == HOSTILE
    assert Image.open(io.BytesIO(signed(draw("png"), "png", signature))).info["Title"] == HOSTILE


def test_an_svg_of_letters_that_xml_does_not_have_is_still_xml():
    raw = "<svg xmlns='http://www.w3.org/2000/svg'><text>a\ufffe\uffffb</text></svg>".encode()
    svg = ElementTree.fromstring(signed(raw, "svg", Signature("t", "m", "12345678")))
    assert svg.find(f"{SVG}text").text == "a\ufffd\ufffdb"
