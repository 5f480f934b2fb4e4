"""The dialog that keeps what is on the screen, in a real Chromium: it saves what is shown."""

import csv
import io
import json
import threading
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from model_core.decoding.queue import LEAVING
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE, WIDE, Stage
from tests.browser.windows import wait_here
from viz_app.files.chromium import SECONDS
from viz_app.files.picture import picture_of

DIALOG = "() => document.querySelector('.stage-host').stage.drawn().exporting"


def save(stage: Stage, **choices: str) -> tuple[str, bytes]:
    """Make the choices in the open dialog and press Save: the file's name and its bytes."""
    for name, value in choices.items():
        stage.page.locator(f"[data-export={name}]").select_option(value)
    # The first picture starts a browser of its own, which may take as long as a picture.
    with stage.page.expect_download(timeout=2000 * SECONDS) as download:
        stage.page.locator("[data-act=save]").click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def enter(stage: Stage) -> dict:
    stage.page.locator("[data-tool=export]").click()
    stage.page.locator("dialog.export[open]").wait_for()
    return stage.page.evaluate(DIALOG)


SVG = "{http://www.w3.org/2000/svg}text"
COPIED = """() => navigator.clipboard.read().then(([item]) => item.getType('image/png'))
    .then(createImageBitmap).then(({ width, height }) => [width, height])"""


def test_the_head_on_the_screen_is_saved_as_picture_and_as_numbers_and_copied(visit):
    stage = visit(permissions=["clipboard-read", "clipboard-write"])
    stage.choose("site", "decoder")
    stage.act("end")
    drawn = stage.lock(1, 4)
    enter(stage)
    name, content = save(stage, format="png", scale="3")
    assert name == "en-fr-decoder-layer2-head5.png"
    picture = Image.open(io.BytesIO(content))
    assert picture.format == "PNG" and picture.size == (3840, 2160)
    name, content = save(stage, format="svg", size="column")
    texts = ["".join(node.itertext()) for node in ElementTree.fromstring(content).iter(SVG)]
    rows = {label.rpartition("→ ")[2] for label in drawn["row_labels"]}
    columns = {label.rpartition("→ ")[2] for label in drawn["column_labels"]}
    assert rows | columns <= {text.strip().rpartition("→ ")[2] for text in texts}
    assert any("layer 2, head 5" in text for text in texts)
    assert name in stage.page.evaluate(DIALOG)["saved"]
    _, content = save(stage, size="slide")  # says its sentence under its title
    texts = ["".join(node.itertext()) for node in ElementTree.fromstring(content).iter(SVG)]
    assert "head" in texts[0] and texts[1] == drawn["reading"]
    stage.page.locator("[data-act=copy-picture]").click()
    expect(stage.page.locator(".export-status")).to_have_text("The picture is copied.")
    assert stage.page.evaluate(COPIED) == [3840, 2160]  # a slide, as large as was chosen

    stored = json.loads(save(stage, format="json")[1])
    shown = picture_of(stored["picture"], stored["view"])
    assert (shown.name, shown.view.layer, shown.view.head) == ("decoder", 1, 4)
    trace = stage.decoding(drawn).trace("decoder", 1)
    weights_QK = np.array(stored["tables"]["decoder"]["values"]["weights_QK"], np.float32)
    np.testing.assert_array_equal(weights_QK, trace.weights_HQK[4])
    on_screen = [[weight or 0 for weight in row] for row in drawn["weights"]]  # null: hidden
    Q, K = len(on_screen), len(on_screen[0])
    assert Q > 2 and np.array(on_screen, np.float32).tolist() == weights_QK[:Q, :K].tolist()
    rows = list(csv.DictReader(io.StringIO(save(stage, format="csv")[1].decode("utf-8-sig"))))
    assert [np.float32(row["weights"]) for row in rows] == weights_QK.ravel().tolist()


def test_each_room_keeps_what_it_shows_and_what_cannot_be_made_is_told_in_both_languages(
    visit, monkeypatch
):
    stage = visit()
    for room, first in (("masks", "scores"), ("positions", "positions"), ("inside", "head")):
        stage.page.locator(f"[data-open={room}]").click()
        stage.drawn("drawn.in_room && !drawn.in_room.busy && drawn.in_room.ready !== false")
        assert enter(stage)["what"] == first
        for what in stage.page.locator("[data-export=what] option").all():
            value = what.get_attribute("value")
            if value != "pack":
                stored = json.loads(save(stage, what=value, format="json")[1])
                assert stored["picture"] == value and stored["tables"]
        stage.page.keyboard.press("Escape")

    # What cannot be made is told, in both languages.
    monkeypatch.setenv("CHROMIUM", "/nowhere")
    monkeypatch.setattr("viz_app.files.chromium.CHROMIUM.browser_now", None)
    for told in ("This server makes no PDFs", "这台服务器不做 PDF"):  # to visitors of a host
        enter(stage)
        stage.page.locator("[data-export=format]").select_option("pdf")
        stage.page.locator("[data-act=save]").click()
        status = stage.page.locator(".export-status.alarm")
        status.wait_for()
        assert told in status.inner_text()
        assert save(stage, format="json")[1]
        stage.page.keyboard.press("Escape")
        stage.page.locator("[data-tool=language]").click()


def test_the_dialog_fits_a_phone_and_makes_a_lesson_pack_that_counts_and_can_be_stopped(
    visit, monkeypatch
):
    stage = visit(PHONE)
    stage.page.locator(".stage").first.focus()
    stage.page.keyboard.press("e")
    stage.page.locator("dialog.export[open]").wait_for()
    assert stage.page.evaluate(DIALOG)["what"] == "cross"
    formats = stage.page.locator("[data-export=format] option")
    assert "gif" in [one.get_attribute("value") for one in formats.all()]
    stage.page.locator("[data-export=what]").select_option("pack")
    boxes = stage.page.locator(".export-checks")
    expect(boxes.last.locator("input")).to_have_count(8)
    assert [box.locator("input").count() for box in boxes.all()] == [3, 3, 8]
    assert_nothing_sticks_out(stage)
    columns = [one.bounding_box()["x"] for one in boxes.last.locator("label").all()]
    title = boxes.last.locator("legend").bounding_box()
    assert min(columns) >= title["x"] + title["width"]  # no box stands under it
    for box in boxes.first.locator("input").all():
        box.uncheck()
    expect(stage.page.locator("[data-act=save]")).to_be_disabled()
    stage.page.locator("[data-export=what]").select_option("cross")
    expect(stage.page.locator("[data-act=save]")).to_be_enabled()  # that is for the pack alone
    stage.page.keyboard.press("Escape")
    expect(stage.page.locator("dialog.export")).to_be_hidden()
    assert stage.page.evaluate(DIALOG) is None

    # A lesson pack is of the layers, heads and format that are chosen.
    stage.resize(**WIDE)
    stage.anew("")
    stage.lock(0, 4)
    enter(stage)
    stage.page.locator("[data-export=what]").select_option("pack")
    about = stage.page.locator(".export-about")
    # First what is on the screen: the eight heads of its layer, and all heads of its attention.
    expect(about).to_contain_text("9 pictures")
    groups = stage.page.locator(".export-checks")
    ticked = [group.locator("input:checked").all() for group in groups.all()]
    assert [one.get_attribute("value") for one in ticked[0] + ticked[1]] == ["cross", "1"]
    assert len(ticked[2]) == 8
    keep = {"attention": {"cross"}, "layers": {"2"}, "heads": {"1", "6"}}
    for group, kept in zip(groups.all(), keep.values(), strict=True):
        for box in group.locator("input").all():
            box.set_checked(box.get_attribute("value") in kept)
    expect(about).to_contain_text("3 pictures")
    expect(stage.page.locator("[data-export=scale]")).to_be_visible()
    name, content = save(stage, pictures="svg")
    expect(stage.page.locator("[data-export=scale]")).to_be_hidden()  # of a PNG alone
    assert name == "en-fr-lesson.zip"
    pictures = {one for one in zipfile.ZipFile(io.BytesIO(content)).namelist() if "pictures" in one}
    assert pictures == {
        "pictures/cross/all-heads.svg",
        "pictures/cross/layer-2-head-1.svg",
        "pictures/cross/layer-2-head-6.svg",
    }

    # Its pictures are counted, and it can be stopped.
    stage.anew("")
    may, begun = threading.Semaphore(0), []

    def draw(figure, format, scale):
        begun.append(LEAVING.get())
        assert may.acquire(timeout=60)
        return b"<svg></svg>"

    monkeypatch.setattr("viz_app.files.chromium.CHROMIUM.draw", draw)
    enter(stage)
    stage.page.locator("[data-export=what]").select_option("pack")
    status, stop = (stage.page.locator(one) for one in (".export-status", "[data-act=end-export]"))
    expect(stop).to_be_hidden()
    stage.page.locator("[data-act=save]").click()
    expect(status).to_contain_text("Drawing")
    may.release(3)
    expect(status).to_contain_text("3 of 9")
    stop.click()
    expect(stop).to_be_hidden()
    expect(stage.page.locator("[data-act=save]")).to_be_enabled()
    expect(status).to_have_text("")
    wait_here(stage.page, lambda: begun[-1].is_over)
    may.release()
    wait_here(stage.page, lambda: not stage.service.drawn)
    assert len(begun) == 4  # the one that was being drawn is the last


def test_where_no_pictures_are_drawn_the_dialog_opens_on_what_works_and_says_why(app, browser):
    page = browser.new_page()
    here = '"undrawn":null'

    def without_a_browser(route):
        answer = route.fetch()
        text = answer.text()
        assert here in text  # this machine has one
        route.fulfill(response=answer, body=text.replace(here, '"undrawn":"undrawn"'))

    page.route(f"{app[0]}/", without_a_browser)
    page.goto(app[0])
    stage = Stage(page, app[1])
    stage.drawn()
    enter(stage)
    for what in page.locator("[data-export=what] option").all():
        page.locator("[data-export=what]").select_option(what.get_attribute("value"))
        stage.drawn()
        formats = page.locator("[data-export=format] option").all()
        offered = {one.get_attribute("value") for one in formats}
        assert offered <= {"png", "svg", "html", "npz", "json", "csv"} and "json" in offered
    said = page.locator("dialog.export").inner_text()
    assert "This server makes no PDFs" in said and "nstall" not in said
    name, content = save(stage, format="json")
    assert name.endswith(".json") and json.loads(content)
    page.close()
