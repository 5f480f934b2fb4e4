"""A site in a real Chromium: from files with the network cut, and from a plain static server."""

import functools
import http.server
import re
import shutil
import threading
from contextlib import contextmanager

import pytest

from model_core.decoding.library import Library
from model_core.values.recipe import Recipe
from tests.browser.checks import assert_drawn_is_the_models
from tests.browser.conftest import PHONE, WIDE
from tests.browser.reader import drawn
from tests.conftest import CHECKPOINTS
from tests.tiny import tiny_checkpoint
from viz_app.rooms.examples import EXAMPLES
from viz_app.rooms.translate.readings import norms
from viz_app.site.building import SiteSentence, site_files, write_site

LIVE = "https://example.org/app/"
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module", autouse=True)
def _few_examples():
    """One kind of page more often shows nothing new."""
    with pytest.MonkeyPatch.context() as patch:
        for languages in (("en", "fr"), ("text", "reversed")):
            patch.setitem(EXAMPLES, languages, EXAMPLES[languages][:1])
        yield


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "first", max_positions=40)
    tiny_checkpoint(root / "second", seed=1, max_positions=40, decoder_layers=2)
    shutil.copytree(CHECKPOINTS / "reverse-tiny", root / "measured")  # of which heads are measured
    return Library(root, threads=1)


@pytest.fixture(scope="module")
def folder(library, tmp_path_factory):
    path = tmp_path_factory.mktemp("site") / "of mine"
    write_site(path, site_files(library, [SiteSentence("second", HOSTILE, 1)], LIVE))
    return path


@contextmanager
def opened(browser, address):
    """A page that complains of anything asked beyond the site."""
    context = browser.new_context(viewport=WIDE, locale="en-US")
    context.set_offline(address.startswith("file:"))
    page, complaints = context.new_page(), []
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on(
        "request",
        lambda asked: (
            None if asked.url.startswith((address, "data:")) else complaints.append(asked.url)
        ),
    )
    yield page
    context.close()
    assert not complaints


def in_room(page, room):
    page.locator(f"[data-open={room}]").click()
    page.wait_for_function(
        """(room) => {
            const { in_room: seen, message } = document.querySelector('.stage-host').stage.drawn();
            return message !== null || (seen && !seen.busy && seen.ready !== false) }""",
        arg=room,
    )
    return drawn(page)


def keep(page, is_possible=True):
    """Open the dialog that saves what is on the screen, which has nothing to save or something."""
    page.keyboard.press("e")
    if is_possible:
        page.locator("dialog.export [data-act=save]").wait_for()
        page.keyboard.press("Escape")
    else:
        page.wait_for_function("() => document.querySelector('.stage-host').stage.drawn().message")


def begin(page, address):
    """What is drawn on the first page to which the Chinese index leads."""
    page.goto(f"{address}/index.html")
    page.locator(".language").click()
    page.wait_for_url("**/index.zh.html*")
    page.locator("li a").first.click()
    here = drawn(page)
    assert here["language"] == "zh" and here["message"] is None
    return here


def assert_fits_a_screen_and_a_phone(browser, folder):
    context = browser.new_context(viewport=WIDE, color_scheme="dark")
    page = context.new_page()
    over = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for name, size in (("index.html", WIDE), ("index.html", PHONE), ("index.zh.html", PHONE)):
        page.set_viewport_size(size)
        page.goto(f"{folder.as_uri()}/{name}#{'zh' if 'zh' in name else 'en'}")
        assert page.evaluate(over) == 0
    page.locator("li a").last.click()
    page.wait_for_url("**/measured/*")
    drawn(page)
    assert page.evaluate(over) == 0
    for room in ("compare", "heads", "beam"):
        assert in_room(page, room)["message"] is None
        assert page.evaluate(over) == 0
    box = page.locator("[data-act=all]").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    context.close()


def test_a_static_server_shows_it_and_it_fits_a_screen_and_a_phone(browser, folder, library):
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with opened(browser, f"http://127.0.0.1:{server.server_port}") as page:
            begin(page, f"http://127.0.0.1:{server.server_port}")
            assert in_room(page, "masks")["message"] is None
            page.locator("select.model").select_option("second")
            page.wait_for_url("**/second/*")
            here = drawn(page)
            recipe = Recipe.from_json(here["recipe"])
            assert_drawn_is_the_models(here, library.extend(recipe, 0)[1])
        server.shutdown()
    assert_fits_a_screen_and_a_phone(browser, folder)


@pytest.fixture
def page(browser, folder):
    with opened(browser, folder.as_uri()) as page:
        yield page


def test_a_walk_through_a_site(page, folder, library):
    here = begin(page, folder.as_uri())
    page.locator("[data-tool=language]").click()
    decoding = library.extend(Recipe.from_json(here["recipe"]), 0)[1]
    assert decoding.finished is not None
    for site in ("encoder", "decoder", "cross"):
        page.locator(f'[data-site="{site}"]').first.click()
        for layer, head in ((0, 0), (0, decoding.trace(site, 0).weights_HQK.shape[0] - 1)):
            page.locator(f'[data-layer="{layer}"][data-head="{head}"]').click()
            assert_drawn_is_the_models(drawn(page), decoding)
    page.keyboard.press("Home")
    assert drawn(page)["at"] == 0

    page.keyboard.press("End")
    for name in ("hidden", "norms"):
        page.locator(".reading-menu").select_option(name)
        page.wait_for_function(
            "(name) => document.querySelector('.stage-host').stage.drawn().shown_reading === name",
            arg=name,
        )
    tracer = library.tracer(here["recipe"]["model"])
    norms_LHK = norms(tracer, Recipe.from_json(here["recipe"]), decoding, "cross")
    assert drawn(page)["value_norms"] == pytest.approx(norms_LHK[0, -1].tolist(), rel=1e-6)
    for room in ("masks", "positions", "inside", "compare", "beam", "heads"):
        assert in_room(page, room)["message"] is None
        keep(page, is_possible=room != "heads")  # whose heads were not measured
    page.locator("[data-open=masks]").click()
    page.locator("[data-masks-causal='causal-mask:none']").click()
    page.wait_for_function(
        "() => document.querySelector('.stage-host').stage.drawn().in_room.breaks.length === 1"
    )
    assert page.locator("[data-masks-causal='causal-mask:ahead']").is_disabled()
    assert LIVE in page.locator("[data-masks-causal='causal-mask:ahead']").get_attribute("title")
    assert LIVE in page.locator(".made").inner_text()
    assert page.locator("[data-act=live]").get_attribute("href").startswith(f"{LIVE}#v=")

    sentence = here["recipe"]["source"]
    page.locator("select.model").select_option("second")
    page.wait_for_url("**/second/*")
    other = drawn(page)
    assert other["recipe"]["source"] == sentence and other["language"] == "en"
    page.locator("select.examples").select_option(label=HOSTILE)
    page.wait_for_url("**/second/2*")
    assert drawn(page)["recipe"]["source"] == HOSTILE
    assert page.locator("img").count() == 0
    page.locator("select.model").select_option("measured")
    page.wait_for_url("**/measured/*")
    drawn(page)
    here = in_room(page, "heads")["in_room"]
    assert here["page"]["lost"][-1][0] == "loss, this sentence"
    keep(page)
    page.locator("[data-pattern=itself]").click()  # which heads of the encoder have too
    page.locator(".heads-hit").nth(2).wait_for()
    told = []
    for hit in page.locator(".heads-hit").all():  # every head, though of one per site more is known
        site, layer, head = re.match(r"(\w+) L(\d)H(\d)", hit.inner_text()).groups()
        hit.click()
        title = f"{site} self-attention, layer {layer}, head {head}"
        page.get_by_role("heading", name=title).wait_for()
        lines = drawn(page)["in_room"]["page"]["lost"]
        told.append("loss, this sentence" in [name for name, *_ in lines])
    assert drawn(page)["message"] is None and set(told) == {True, False}
    page.locator("[data-act=all]").click()
    page.wait_for_url("**/index.html*")
    assert page.locator("li a").count() == 3 + 1  # an example of each model, and one's own
