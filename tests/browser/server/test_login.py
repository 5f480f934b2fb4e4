"""A server with accounts, as whoever visits it sees it."""

import pytest

from tests.browser.windows import open_context
from tests.serving import serve
from viz_app.server.address import Address


@pytest.fixture(scope="module")
def locked(models_of):
    address = Address(accounts=(("ana", "a:b"),))
    with serve(models_of(max_positions=64), address=address) as (url, _):
        yield url


def test_the_form_that_asks_for_a_password_is_drawn_and_opens_the_page(browser, locked):
    with open_context(browser) as context:
        page, wrong = context.new_page(), []
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(locked)
        field = page.locator("input[type=password]")
        field.wait_for()
        page.locator("input").first.fill("ana")
        field.fill("wrong")
        field.press("Enter")
        page.get_by_role("alert").get_by_text("do not belong to an account").wait_for()
        assert wrong.pop().startswith("Failed to load resource")  # as browsers say of any 400
        field.fill("a:b")
        field.press("Enter")
        page.wait_for_function(
            "() => document.querySelector('.stage-host')?.stage?.drawn?.()?.weights"
        )
        assert wrong == []
