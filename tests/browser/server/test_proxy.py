"""The page behind a proxy, under a prefix: what it asks, and the links that it gives."""

import pytest

from model_core.values.recipe import Recipe
from tests.browser.conftest import WIDE, Stage
from tests.browser.windows import THERE, open_context
from tests.proxy import proxy_of
from tests.serving import serve
from viz_app.links.link import read_link
from viz_app.server import document
from viz_app.server.serving import Address

WAITS = "() => !document.querySelector('.stage-host').stage.drawn().in_room?.busy"


@pytest.fixture
def opened(browser):
    """Opens an address in a window of its own; gives the stage and the addresses it asked."""
    contexts, faults = [], []

    def opens(address, service):
        contexts.append(open_context(browser, viewport=WIDE, locale="en-US"))
        page = contexts[-1].new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        page.wait_for_function(THERE)
        return Stage(page, service), asked

    yield opens
    for context in contexts:
        context.close()
    assert not faults, faults


def link_of(stage):
    """The link that the page gives to be copied."""
    stage.page.locator("[data-tool=link]").click()
    return stage.page.get_by_label("Link", exact=True).input_value()


def test_links_have_the_prefix_of_a_proxy_and_the_address_that_a_host_names(
    models, opened, monkeypatch
):
    with (
        serve(models, address=Address(root_path="/attention")) as (url, service),
        proxy_of(url, keeps=False) as outside,  # or True, in tests/viz_app/server/test_document.py
    ):
        stage, asked = opened(f"{outside}/#v=3&model=tiny&text=", service)
        stage.type_source("The old cat sleeps.", "Shift+Enter")
        stage.choose("site", "encoder")
        shown = stage.drawn()
        link = link_of(stage)
        assert link.startswith(f"{outside}/#v=3&model=tiny&")
        assert read_link(link)[0] == Recipe.from_json(shown["recipe"])
        there, asked_there = opened(link, service)
        seen = there.drawn()
        assert (seen["site"], seen["recipe"]) == ("encoder", shown["recipe"])
        there.page.locator("[data-open=positions]").click()
        there.page.wait_for_function(WAITS)
        assert link_of(there).startswith(f"{outside}/#v=3&")
        addresses = [address for address in asked + asked_there if address.startswith("http")]
        assert addresses and all(address.startswith(outside) for address in addresses)

    # A host may name the address that links begin with.
    own = document.stage_options
    base = "https://example.org/attention/?lesson=1"
    monkeypatch.setattr(document, "stage_options", lambda *of: own(*of) | {"base": f"{base}#old"})
    with serve(models) as (url, service):
        stage, _ = opened(f"{url}/#v=3&model=tiny&text=The+old+cat.", service)
        link = link_of(stage)
        assert link.startswith(f"{base}#v=3&model=tiny&")
        assert read_link(link)[0].source == "The old cat."
        stage.page.keyboard.press("Escape")
        assert stage.page.url.startswith(f"{url}/#v=3&")
