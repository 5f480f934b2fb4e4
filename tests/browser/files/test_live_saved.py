"""What is saved on a site whose pages compute: files of every kind, each of one engine."""

import io
import json
import re
from pathlib import Path

import numpy as np

from tests.browser.conftest import WIDE
from tests.browser.files.live import SMALL, served
from tests.browser.reader import drawn
from viz_app.values.computed_by import computed_by

NUMPY = "NumPy 2.2.5 in a browser"


def test_what_is_saved_comes_from_one_engine_and_names_it(browser, live_folder):
    with served(live_folder) as address:
        context = browser.new_context(viewport=WIDE, locale="en-US")
        page, complaints = context.new_page(), []
        page.set_default_timeout(120_000)
        for event in ("pageerror", "console"):
            page.on(event, lambda said: complaints.append(str(said)))

        def saved(ending):
            """The name of a file of what is on the screen, and what is in it."""
            page.locator("[data-tool=export]").click()
            page.locator("[data-export=format]").select_option(ending)
            with page.expect_download() as download:
                page.locator("[data-act=save]").click()
            page.keyboard.press("Escape")
            return download.value.suggested_filename, Path(download.value.path()).read_bytes()

        def engines():
            """What the SVG says of itself, of what computed it."""
            return re.findall(r"; computed by ([^;<]+)", saved("svg")[1].decode())

        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.click()
        recorded = drawn(page)
        assert engines() == [computed_by()]

        page.keyboard.press("Home")
        page.keyboard.press("2")  # another branch: the row before it was recorded
        drawn(page, "drawn.recipe.target[0]?.how === 'forced'")
        assert engines() == [NUMPY]
        page.locator("[data-act=end]:visible").click()
        whole = drawn(page, "drawn.finished")

        name, content = saved("npz")
        numbers = np.load(io.BytesIO(content))
        about = json.loads(str(numbers["labels"]))
        assert name.startswith(f"{SMALL}-cross") and about["engine"] == NUMPY
        assert about["recipe"] == whole["recipe"] and "cross.scores_QK" in numbers.files
        told = json.loads(saved("json")[1])
        assert told["engine"] == NUMPY and told["recipe"] == whole["recipe"]
        assert b",weights\r\n" in saved("csv")[1]
        name, content = saved("html")
        alone = Path(live_folder.parent / name)
        alone.write_bytes(content)

        page.keyboard.press("Control+z")
        back = drawn(page, "drawn.recipe.target[0].how !== 'forced'")  # the run that was recorded
        assert len(engines()) == 1 and back["message"] is None
        page.locator("[data-open=masks]").click()  # whose first answer was recorded
        page.wait_for_function("document.querySelector('.stage-host').stage.isAnswered()")
        assert len(engines()) == 1

        page.goto(alone.as_uri())
        there = drawn(page)
        assert there["recipe"] == whole["recipe"] and there["text"] == whole["text"]
        assert engines() == [NUMPY]
        context.close()
    assert not complaints
    assert recorded["recipe"]["source"] == whole["recipe"]["source"]
