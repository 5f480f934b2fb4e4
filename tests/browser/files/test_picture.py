"""Pictures that a page draws itself, without a server: what is saved is what was seen."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from model_core.values.recipe import Recipe
from tests.browser.conftest import FRAMES
from viz_app.files.picture import picture
from viz_app.files.standalone import initial_state, standalone_html

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = "My brother bought a new red car."
DRAW = "([name, look]) => document.getElementById('stage').stage.picture(name, look)"
SLIDE = {"size": "slide", "palette": "colour", "theme": "light"}


# The sentence of a room, which stands under the title of its picture.
SENTENCES = {
    "scores": ".masks-answer",
    "passes": ".masks-answer",
    "positions": ".positions-answer",
    "order": ".positions-answer",
    "output": ".inside-sentence",
    "way": ".inside-sentence",
    "measures": ".heads-says .reading",
    "distances": ".heads-does",
}


LEAST_TYPE = 8  # CSS pixels, which are 6 points
# Of every text of a picture: its size, and how far it reaches over the edge of the sheet.
TEXTS = """(svg) => {
  const host = document.body.appendChild(document.createElement("div"));
  host.innerHTML = svg.replace(/<style.*?<\\/style>/s, ""); // faces, which the page has
  const sheet = host.firstElementChild.getBoundingClientRect();
  const texts = [...host.querySelectorAll("text")].map((text) => {
    const { left, top, right, bottom } = text.getBoundingClientRect();
    const over = [sheet.left - left, sheet.top - top, right - sheet.right, bottom - sheet.bottom];
    const size = Number(text.getAttribute("font-size"));
    return { text: text.textContent, size, outside: Math.max(...over) };
  });
  host.remove();
  return texts;
}"""


def texts_of(svg):
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def assert_draws_itself(page, name, model):
    """A page draws a picture of what it shows and stays as it was; of each kind, twice the same."""
    before = page.evaluate("() => document.querySelector('.stage').className")
    holds_still = name in ("masks", "head", "order", "beam")
    shot = page.screenshot(caret="initial") if holds_still else None
    drawn = page.evaluate(DRAW, [name, SLIDE])
    again = page.evaluate(DRAW, [name, SLIDE | {"size": "column"}])
    root = ElementTree.fromstring(drawn["svg"])
    assert root.get("width") == str(drawn["width"])
    assert again["width"] < drawn["width"] or name == "beam"  # a tree that grows as it needs
    tags = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert "text" in tags and not tags & {"image", "script", "pattern", "foreignObject"}
    assert not any(trait.startswith("on") for node in root.iter() for trait in node.attrib)
    title, *rest = texts_of(drawn["svg"])
    assert any(model in text for text in rest)
    for one in (drawn, again):
        texts = page.evaluate(TEXTS, one["svg"])
        assert [text for text in texts if text["size"] < LEAST_TYPE] == []
        assert [text for text in texts if text["outside"] > 3] == []
    if name in SENTENCES:
        said = " ".join(page.locator(f"{SENTENCES[name]}:visible").first.inner_text().split())
        assert len(said) > 20 and " ".join(rest).startswith(said)
        assert " ".join(rest).count(said) == 1 and said not in title
    assert page.evaluate("() => document.querySelector('.stage').className") == before
    assert not page.locator(".picture, .pictured, .unpictured, .unrolled, .with-signs").count()
    if holds_still:
        assert page.evaluate(DRAW, [name, SLIDE]) == drawn  # the same bytes
        page.evaluate(f"() => {FRAMES}")  # in which what was put back is painted
        assert page.screenshot(caret="initial") == shot


@pytest.fixture(scope="module")
def opened(browser, tmp_path_factory):
    """Shows pages from files, one after another."""
    page, path = browser.new_page(), tmp_path_factory.mktemp("pages") / "page.html"

    def opened(html):
        path.write_text(html, "utf-8")
        page.goto(path.as_uri())
        page.wait_for_function(
            "() => !document.querySelector('[aria-busy=true], .unanswered:not([hidden])')"
        )
        return page

    yield opened
    page.close()


@pytest.fixture
def page_of(opened, bundled):
    def page_of(name, **choices):
        recipe, _ = bundled.library.extend(Recipe("en-fr", SOURCE), None)
        seen = initial_state(bundled.library, recipe, picture(name, **choices))
        return opened(standalone_html(bundled.library, recipe, seen))

    return page_of


def test_what_is_drawn_and_saved_is_what_is_on_the_screen_in_any_colours_with_a_head_off_too(
    page_of, opened, bundled
):
    page = page_of("cross", layer=2, head=3)
    drawn = page.evaluate("() => document.getElementById('stage').stage.drawn()")
    svg = page.evaluate(DRAW, ["cross", SLIDE])["svg"]
    texts = {text.strip() for text in texts_of(svg)}
    assert {*drawn["column_labels"]} <= texts
    assert {label.rpartition("→ ")[2] for label in drawn["row_labels"]} <= texts
    assert any("layer 2, head 3" in text for text in texts)
    digits = {
        f"{weight:.2f}".lstrip("0") for row in drawn["weights"] for weight in row if weight > 0.3
    }
    assert digits <= texts
    page.locator("[data-tool=export]").click()
    for ending in ("svg", "png"):
        page.locator("[data-export=format]").select_option(ending)
        with page.expect_download() as download:
            page.locator("[data-act=save]").click()
        assert download.value.suggested_filename.endswith(f".{ending}")
        content = Path(download.value.path()).read_bytes()
        assert b"model en-fr; weights " in content and b"Attention Visualiser" in content

    # The pair is two lines of words, with arcs as wide as the weights.
    page = page_of("pair", site="cross", layer=2, head=4)
    root = ElementTree.fromstring(page.evaluate(DRAW, ["pair", SLIDE])["svg"])
    texts = [(node.text, float(node.get("y"))) for node in root.iter(f"{SVG}text")]
    heights = [
        {y for text, y in texts if text == word} for word in ("brother", "red", "frère", "rouge")
    ]
    assert heights[0] == heights[1] and heights[2] == heights[3]  # each sentence is one line
    (source,), (target,) = heights[0], heights[2]
    assert source < target
    said = " ".join(page.locator(".pair-said").inner_text().split())
    assert len(said) > 20 and said in " ".join(text or "" for text, _ in texts)
    arcs = [node for node in root.iter(f"{SVG}path") if "C" in node.get("d", "")]
    assert len(arcs) >= 8 and len({node.get("stroke-width") for node in arcs}) > 1

    # Grey has no hue, and a dark sheet is dark.
    page = page_of("scores", site="decoder")
    grey = page.evaluate(DRAW, ["scores", SLIDE | {"palette": "grey"}])["svg"]
    colours = {node.get("fill") for node in ElementTree.fromstring(grey).iter(f"{SVG}path")}
    for colour in colours - {None, "none"}:
        assert len({colour[1:3], colour[3:5], colour[5:7]}) == 1, colour
    texts = texts_of(grey)
    assert "Hatched cells are below 0." in texts  # which no colour tells apart
    dark = page.evaluate(DRAW, ["scores", SLIDE | {"theme": "dark"}])["svg"]
    assert '<rect width="1280" height="720" fill="#1' in dark

    # A head that is off is crossed out.
    library, drawn = bundled.library, {}
    for edits in ((), ("head-off:cross.3.5",)):
        recipe, _ = library.extend(Recipe("en-fr", SOURCE, edits=edits), None)
        seen = initial_state(library, recipe, picture("heads", site="cross"))
        page = opened(standalone_html(library, recipe, seen))
        svg = page.evaluate(DRAW, ["heads", SLIDE])["svg"]
        paths = [path.get("d", "") for path in ElementTree.fromstring(svg).iter(f"{SVG}path")]
        drawn[edits] = [path for path in paths if path.count("M") == 2 == path.count("L")]
        assert svg.count("<linearGradient") == 1  # the scale
        assert ("cross L3H5 off" in "".join(texts_of(svg))) == bool(edits)
    off, on = drawn["head-off:cross.3.5",], drawn[()]
    assert len(off) == len(on) + 1
