"""Models and sentences at the limits of a room: what is cut or cannot be done is said in words."""

from tests.serving import serve
from tests.tiny import tiny_checkpoint


def shaped(positions):
    """Whether the table of so many positions is drawn."""
    return f"drawn.in_room?.alike?.values.length === {positions} && !drawn.in_room.busy"


def test_what_is_cut_or_cannot_be_is_said_in_chinese(look, tmp_path):
    tiny_checkpoint(tmp_path / "large", max_positions=300)
    tiny_checkpoint(tmp_path / "odd", head_width=5, max_positions=64)
    with serve(tmp_path) as served:
        link = "#v=3&model=large&text=The+old+cat.&target="  # with no token written yet
        stage, said = look(served, locale="zh-CN", link=link, own=True), "只画出前 256 × 24"
        page = stage.page
        page.locator("[data-open=positions]").click()
        drawn = stage.drawn(shaped(256))["in_room"]
        assert "300" in drawn["note"] and said in drawn["note"]
        page.locator("select.model").select_option("odd")
        assert said[:2] not in stage.drawn(shaped(64))["in_room"]["note"]

        page.locator(".positions [data-study=rotary]").click()
        message = page.get_by_role("alert")
        message.filter(has_text="这个模型的每个头有 5 维").wait_for()  # which no rotation fits

        page.locator("[data-open=masks]").click()
        page.locator("[data-sentence='1']").click()
        stage.drawn("drawn.in_room?.shown === 1")
        page.locator("[data-act=masks-edit]").click()
        field = page.locator(".masks-edit")
        field.fill("cat " * 80)
        field.press("Enter")
        message.filter(has_text="第 2 句").wait_for()
        assert "64" in message.inner_text()
