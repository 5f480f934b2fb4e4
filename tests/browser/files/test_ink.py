"""The same picture as PDF, SVG and PNG: the ink of each ends where that of the others ends."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from model_core.values.recipe import Recipe
from viz_app.figures.look import Look
from viz_app.files.content import fill, written
from viz_app.files.picture import picture

LINES = 4  # pixels of a print per CSS pixel
LOOKS = {"heads": Look(), "cross": Look("column", width=77, title=False)}


def edges(pixels_RC3: np.ndarray) -> np.ndarray:
    """In CSS pixels: the size of a picture, and where its ink begins and ends."""
    inked_RC = pixels_RC3.min(2) < 200
    rows, columns = (np.flatnonzero(inked_RC.any(axis)) for axis in (1, 0))
    ends = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
    return np.array([inked_RC.shape[1], inked_RC.shape[0], *ends]) / LINES


def printed(content: bytes) -> np.ndarray:
    import pypdfium2

    page = pypdfium2.PdfDocument(content)[0]
    return np.asarray(page.render(scale=LINES * 96 / 72).to_pil().convert("RGB"))


def shown(browser, content: bytes) -> np.ndarray:
    page = browser.new_page(device_scale_factor=LINES)
    page.set_content(f"<style>body {{ margin: 0 }}</style>{content.decode()}")
    picture = page.locator("svg").first.screenshot()
    page.close()
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


@pytest.mark.parametrize("view", LOOKS)
def test_the_ink_of_pdf_svg_and_png_has_the_same_edges(browser, bundled, view):
    """Each size of paper once; each of both kinds of picture, one map and many."""
    library, look = bundled.library, LOOKS[view]
    recipe, _ = library.extend(Recipe("en-fr", "My brother bought a new red car."), None)
    content = fill(library, recipe, picture(view))
    png = np.asarray(
        Image.open(io.BytesIO(written(content, "png", replace(look, scale=LINES)))).convert("RGB")
    )
    expected = edges(png)
    for ending, found in (
        ("pdf", edges(printed(written(content, "pdf", look)))),
        ("svg", edges(shown(browser, written(content, "svg", look)))),
    ):
        assert np.abs(found - expected).max() < 1.5, (ending, found, expected)
