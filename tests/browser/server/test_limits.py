"""Models and sentences at the limits of a room: what is cut or cannot be done is said in words."""

import pytest

from tests.browser.rooms.test_positions import Room
from tests.serving import serve
from tests.tiny import tiny_checkpoint


@pytest.fixture(scope="module")
def odd_app(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "large", max_positions=300)
    tiny_checkpoint(root / "odd", head_width=5, max_positions=64)
    with serve(root) as served:
        yield served


@pytest.fixture
def odd(odd_app, look):
    """Opens the page on one of two unusual models, in a language, with no token written yet."""
    return lambda model, locale: look(
        odd_app, locale=locale, link=f"#v=3&model={model}&text=The+old+cat.&target="
    )


def test_a_table_that_is_cut_says_so_in_chinese(odd):
    room, said = Room(odd("large", "zh-CN")), "只画出前 256 × 24"
    drawn = room.drawn()
    assert len(drawn["alike"]["values"]) == 256
    assert "300" in drawn["note"] and said in drawn["note"]
    room.page.locator("select.model").select_option("odd")
    room.stage.drawn("drawn.in_room?.alike?.values.length === 64")
    assert said[:2] not in room.drawn()["note"]


def test_a_model_that_no_rotation_fits_says_so_in_chinese(odd):
    stage = odd("odd", "zh-CN")
    stage.page.locator("[data-open=positions]").click()
    stage.page.locator(".positions [data-study=rotary]").click()
    message = stage.page.get_by_role("alert")
    message.wait_for()
    assert "这个模型的每个头有 5 维" in message.inner_text()


def test_a_sentence_of_the_batch_that_is_too_long_is_named_in_chinese(visit):
    stage = visit(locale="zh-CN")
    stage.page.locator("[data-open=masks]").click()
    stage.page.locator("[data-sentence='1']").click()
    stage.drawn("drawn.in_room.shown === 1")
    stage.page.locator("[data-act=masks-edit]").click()
    field = stage.page.locator(".masks-edit")
    field.fill("cat " * 80)
    field.press("Enter")
    message = stage.page.get_by_role("alert")
    message.wait_for()
    assert "第 2 句" in message.inner_text() and "64" in message.inner_text()
