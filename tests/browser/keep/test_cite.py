"""The tool in the first line: it copies the address and cites what is on the screen."""

import re

from playwright.sync_api import expect

from model_core.values.recipe import Recipe
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE, Stage
from tests.browser.walks import fragment
from viz_app.files.standalone import standalone_html
from viz_app.links.link import read_link, write_link
from viz_app.stage.bundle import later_bundle
from viz_app.stage.stage import parts
from viz_app.text import WORDS
from viz_app.version import VERSION

# Bytes in a QR code of level M, from version 1 on.
CODE_HOLDS = (14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560)


def assert_fits(stage):
    box, window = stage.page.locator("dialog.cite").bounding_box(), stage.page.viewport_size
    assert box["x"] >= 0 and box["x"] + box["width"] <= window["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= window["height"]
    assert_nothing_sticks_out(stage)


def test_the_tool_copies_the_address_and_cites_it_and_a_page_from_a_file_has_no_link(
    visit, tmp_path
):
    stage = visit(permissions=["clipboard-read", "clipboard-write"])
    drawn = stage.choose("site", "decoder")
    stage.page.locator("[data-tool=link]").click()
    dialog = stage.page.get_by_role("dialog", name="Link and citation")
    dialog.get_by_role("status").get_by_text("The link is copied.").wait_for()
    copied = stage.page.evaluate("() => navigator.clipboard.readText()")
    fragment(stage)
    assert copied == stage.page.url
    text = dialog.get_by_label("Cite as text", exact=True).input_value()
    weights = re.search(r"weights=(\w+)", copied)[1]
    today = stage.page.evaluate("() => new Date().toLocaleDateString('sv')")
    for part in (VERSION, "en-fr", weights, drawn["recipe"]["source"], today):
        assert part in text
    assert copied.startswith("http://127.0.0.1") and "127.0.0.1" not in text
    place = f"layer {drawn['layer'] + 1}, head {drawn['head'] + 1}"
    assert f"decoder self-attention, {place}" in text
    dialog.get_by_role("button", name="Copy the citation in BibTeX").click()
    dialog.get_by_role("status").get_by_text("The BibTeX entry is copied.").wait_for()
    entry = stage.page.evaluate("() => navigator.clipboard.readText()")
    assert entry.startswith("@misc{") and entry.count("{") == entry.count("}")
    assert "url =" not in entry and "127.0.0.1" not in entry and VERSION in entry
    stage.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    # The link as a code, and where it works; its encoder is fetched when it is wanted.
    fetched = []
    stage.page.on("request", lambda request: fetched.append(request.url))
    stage.page.locator("[data-tool=link]").click()
    assert_fits(stage)
    code = stage.page.get_by_role("img", name="The link as a QR code")
    expect(code).to_have_count(0)
    drawing = next(later_bundle(part).name for part in parts() if part.name == "drawing")
    assert not any(url.endswith(drawing) for url in fetched)
    stage.page.get_by_role("button", name="QR code").click()
    expect(code).to_be_visible()
    link = stage.page.get_by_label("Link", exact=True).input_value()
    smallest = next(n for n, most in enumerate(CODE_HOLDS, 1) if most >= len(link.encode()))
    side = 4 * smallest + 17 + 2 * 4
    assert code.get_attribute("viewBox") == f"0 0 {side} {side}"
    expect(stage.page.locator(".cite-code")).to_contain_text("only on this machine")
    stage.page.get_by_role("button", name="Hide the QR code").click()
    expect(code).to_have_count(0)

    # No letter of a sentence is a command of TeX.
    source = r"50% of $x_1 \input{a} & #2 ~ ^ }{"
    stage.anew(write_link(Recipe("en-fr", source), {"to_end": True}))
    stage.page.locator("[data-tool=link]").click()
    entry = stage.page.get_by_label("Cite in BibTeX", exact=True).input_value()
    assert (
        r"50\% of \$x\_1 \textbackslash{}input\{a\} \& \#2 \textasciitilde{} "
        r"\textasciicircum{} \}\{" in entry
    )

    # A page from a file has no link.
    recipe = Recipe.from_json(stage.drawn()["recipe"])
    path = tmp_path / "page.html"
    path.write_text(standalone_html(stage.service.library, recipe), encoding="utf-8")
    page = stage.page.context.new_page()
    page.goto(path.as_uri())
    page.locator("[data-tool=link]").click()
    dialog = page.get_by_role("dialog", name="Cite this")
    assert VERSION in dialog.get_by_label("Cite as text", exact=True).input_value()
    assert " url =" not in dialog.get_by_label("Cite in BibTeX", exact=True).input_value()
    expect(dialog.get_by_label("Link", exact=True)).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    assert fragment(Stage(page, stage.service)) == ""

    # Where nothing may be copied the text stands selected.
    stage = visit(PHONE, "dark", locale="zh-CN")
    stage.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    stage.page.locator("[data-tool=link]").focus()
    stage.page.keyboard.press("Enter")
    dialog = stage.page.get_by_role("dialog", name="链接与引用")
    dialog.get_by_role("status").get_by_text(WORDS["zh"]["copy_by_hand"]).wait_for()
    assert_fits(stage)
    selected = stage.page.evaluate(
        "() => { const f = document.activeElement;"
        " return f.value.slice(f.selectionStart, f.selectionEnd); }"
    )
    assert read_link(selected)[0].model == "zh-en"
