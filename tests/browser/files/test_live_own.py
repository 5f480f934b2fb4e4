"""A checkpoint of the visitor's own on a site: it opens in the page, and leaves it nowhere."""

import json
import shutil

from tests.browser.conftest import WIDE
from tests.browser.files.live import LISTENS, SMALL, assert_answers, served
from tests.browser.reader import drawn
from tests.conftest import CHECKPOINTS
from viz_app.text import WORDS

NAME = "reverse-tiny"  # which the site has not


def dropped(context, page, path):
    """A file or a folder of this computer, let go over the page."""
    mouse = context.new_cdp_session(page)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        mouse.send("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 300, "data": data})


def test_a_folder_opens_in_the_page_and_never_leaves_it(browser, live_folder, tmp_path):
    mine = tmp_path / "my model"
    shutil.copytree(CHECKPOINTS / NAME, mine)
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("card.md", "config.json", "tokenizer.json"):
        shutil.copy(mine / name, broken / name)
    with served(live_folder) as address:
        context = browser.new_context(viewport=WIDE, locale="en-US")
        context.add_init_script(LISTENS)
        page, complaints = context.new_page(), []
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda one: complaints.append(one.url) if one.method != "GET" else None)

        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.click()
        drawn(page)
        pickled = tmp_path / "weights.pt"
        pickled.write_bytes(b"\x80\x02")
        dropped(context, page, pickled)
        page.wait_for_function(
            "() => document.querySelector('.bring-status.alarm')?.innerText.includes('weights.pt')"
        )
        page.keyboard.press("Escape")
        page.locator("select.model").select_option("own:")
        told = page.locator(".bring-status.alarm")

        page.locator("[data-own=files]").set_input_files(mine / "model.safetensors")
        told.wait_for()
        assert told.inner_text() == WORDS["en"]["error_own_config"]
        page.locator("[data-own=folder]").set_input_files(broken)
        page.wait_for_function(
            "() => document.querySelector('.bring-status.alarm')?.innerText"
            ".includes('broken has no model.safetensors')"
        )
        page.keyboard.press("Escape")
        dropped(context, page, mine)
        here = drawn(page, "drawn.recipe.model === 'my-model' && drawn.finished")
        assert here["message"] is None
        group = page.locator("select.model optgroup", has=page.locator("[value=my-model]"))
        assert group.get_attribute("label") == WORDS["en"]["group_imported"]
        for key in ("Home", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
            here = drawn(page)
        assert here["at"] == 2
        page.locator("[data-tool=link]").click()
        assert "“my-model”" in page.locator(".cite-hint").inner_text()
        heard = page.evaluate("window.heard")
        context.close()
    assert not complaints

    mine.rename(tmp_path / "my-model")
    answers = [
        (asked, said)
        for asked, said in heard
        if "recipe" in asked and "my-model" in json.dumps(asked)
    ]
    assert answers
    assert_answers(answers, tmp_path)
