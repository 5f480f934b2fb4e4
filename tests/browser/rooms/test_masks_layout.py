"""Where things are in the room Masks, in a real Chromium: equation, banner, phone, large type."""

import itertools

from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.rooms.test_masks import assert_masks_are_the_models


def cut_lines(stage):
    """The lines of the batch that are higher than a line, or whose pads are not in sight."""
    return stage.page.evaluate(
        """() => [...document.querySelectorAll(".masks-strip")].flatMap((strip) => {
            if (!strip.checkVisibility()) return [];
            const line = strip.closest("li").getBoundingClientRect();
            const tokens = [...strip.querySelectorAll("[data-kind=pad]"), strip];
            return tokens.map((token) => token.getBoundingClientRect()).every((box) =>
                box.top >= line.top - 1 && box.bottom <= line.bottom + 1
                && box.right <= line.right + 1) && line.height < 32 ? [] : [strip.innerText];
        })"""
    )


def scrolling(stage):
    """What of the room scrolls inside the page."""
    return stage.page.evaluate(
        """() => [...document.querySelectorAll(".masks-room, .masks-room *")].filter((one) => {
            const { overflowX, overflowY } = getComputedStyle(one);
            const over = (flow, more) => more > 1 && /auto|scroll/.test(flow);
            return one.checkVisibility() && (over(overflowX, one.scrollWidth - one.clientWidth)
                || over(overflowY, one.scrollHeight - one.clientHeight));
        }).map((one) => one.className)"""
    )


def assert_all_is_in_sight(stage, room):
    assert scrolling(stage) in ([], ["masks-table-box"])
    # The name of each switch stands beside it, in one line.
    assert stage.page.locator(".masks-break").evaluate_all(
        """(rows) => rows.length > 0 && rows.every((row) => {
            const [name, chosen] = [row.firstElementChild, row.querySelector(".choice")]
                .map((one) => one.getBoundingClientRect());
            return name.right <= chosen.left && name.top < chosen.bottom
                && chosen.top < name.bottom;
        })"""
    )
    shown = [one for one in room["maps"] if one["first_cell"]]
    pitches = [one["first_cell"][2:] for one in shown]
    assert len(shown) == 2 and all(min(pitch) >= 16 for pitch in pitches)
    assert all(pitch == pitches[0] for pitch in pitches)
    below = stage.page.evaluate(
        """() => [".masks-banner", ".masks-small", ".masks-map", ".masks-check", ".masks-foot"]
            .flatMap((part) => [...document.querySelectorAll(part)])
            .filter((one) => one.getBoundingClientRect().bottom > innerHeight)
            .map((one) => one.className)"""
    )
    assert below == []
    assert cut_lines(stage) == []
    banner = stage.page.locator(".masks-banner").bounding_box()
    assert banner["width"] > 0.95 * stage.page.viewport_size["width"]
    stage.press("[data-masks-pads='pads-rows']")
    for fill in ("", "finite-mask"):
        room = stage.press(f"[data-masks-fill='{fill}']")
        assert len(room["check"]["findings"]) >= 5
        tops, cut = stage.page.evaluate(
            """() => {
                const facts = [...document.querySelectorAll(".masks-findings li")];
                const parts = facts.flatMap((one) => [...one.querySelectorAll("strong, span")]);
                const top = (one) => Math.round(one.getBoundingClientRect().top);
                return [[...new Set(facts.map(top))],
                    parts.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
                        .map((one) => one.textContent)];
            }"""
        )
        assert len(tops) <= 3 and cut == [], fill


def test_all_is_in_sight_side_by_side_in_larger_type_and_with_six_sentences_too(visit):
    stage = visit()
    stage.enter("masks")
    for language, size in (("en", (1280, 720)), ("zh", (1280, 720)), ("en", (1440, 900))):
        if stage.drawn()["language"] != language:
            stage.press("[data-tool=language]")
        stage.resize(*size)
        room = stage.press("[data-masks-causal='causal-mask:none']")
        assert room["breaks"] == ["causal-mask:none"]
        assert_all_is_in_sight(stage, room)
        stage.press("[data-act=masks-restore]")

    for width, height in ((1440, 900), (1280, 720), (1920, 1080), (800, 900)):
        stage.resize(width, height)
        usual = stage.in_room()["maps"][5]["first_cell"]
        large = stage.press("[data-tool=large]")["maps"][5]["first_cell"]
        if width > 960:
            assert large[2] >= usual[2] and large[3] >= usual[3]
        assert [name for name in scrolling(stage) if "masks-grid" not in name] == []
        stage.press("[data-tool=large]")
    stage.press("[data-tool=large]")
    stage.resize(390, 844)  # larger type chosen, and then a phone, where it is not offered
    stage.in_room()
    expect(stage.page.locator("[data-tool=large]")).to_be_hidden()
    assert [name for name in scrolling(stage) if "masks-grid" not in name] == []

    # Six sentences stay on a line each.
    stage.resize(1280, 720)
    stage.anew("")
    stage.enter("masks")
    for _ in range(3):
        stage.press("[data-act=masks-add]")
    room = stage.in_room()
    assert len(room["sentences"]) == 6
    assert_masks_are_the_models(stage, room)
    stage.press("[data-sentence='0']")
    assert cut_lines(stage) == []
    assert scrolling(stage) in ([], ["masks-table-box"])
    for width, height in ((1440, 900), (900, 1000), (390, 844)):
        stage.resize(width, height)
        stage.in_room()
        parts = stage.page.evaluate(
            """() => [...document.querySelector(".masks-room").children].filter((part) =>
                part.checkVisibility()).map((part) => {
                    const { left, top, right, bottom } = part.getBoundingClientRect();
                    return [left, top, right, bottom];
                })"""
        )
        assert len(parts) > 4
        for (_, _, right, bottom), (left, top, _, _) in itertools.pairwise(parts):
            assert top >= bottom - 1 or left >= right - 1

    text = "+".join(["The", "cat", "sleeps"] * 15)
    stage.anew(f"#v=3&model=en-fr&text={text}.&room=masks&masks.site=encoder")
    stage.in_room()
    heights = stage.page.evaluate(
        """async () => {
            const { stage } = document.querySelector(".stage-host");
            const look = { size: "slide", palette: "colour", theme: "light" };
            const { svg } = await stage.picture("scores", look);
            const host = document.body.appendChild(document.createElement("div"));
            host.innerHTML = svg.replace(/<style.*?<\\/style>/s, ""); // faces, which the page has
            const texts = [...host.querySelectorAll("text")].map((text) =>
                [text.textContent, text.getBoundingClientRect().top]);
            host.remove();
            return texts;
        }"""
    )
    (axes,) = (top for text, top in heights if "rows: source" in text)
    assert len(heights) > 40
    assert all(top <= axes for _, top in heights)


def test_on_a_phone_the_maps_are_swiped_and_a_link_opens_at_the_one_that_shows_its_break(visit):
    stage = visit(PHONE)
    assert len(stage.enter("masks")["maps"]) == 6
    stage.page.locator(".masks-dot[data-map='0'][aria-current=true]").wait_for()

    def reaches(number):
        stage.page.wait_for_function(
            "(n) => { const map = document.querySelectorAll('.masks-map')[n]"
            ".getBoundingClientRect();"
            " return Math.abs(map.left) < 30 && map.right <= innerWidth + 1 }",
            arg=number,
        )
        marked = stage.page.locator(".masks-dot[aria-current=true]")
        expect(marked).to_have_attribute("data-map", str(number))

    # What to try stands over the map that shows it, on the first screen.
    tries, shown = (
        stage.page.locator(one).bounding_box() for one in ("[data-act=masks-try]", ".masks-grid")
    )
    assert tries["y"] + tries["height"] <= shown["y"] < PHONE["height"]
    expect(stage.page.locator("[data-act=masks-before]")).to_be_disabled()
    stage.page.locator("[data-act=masks-next]").click()
    reaches(1)
    stage.page.locator(".masks-dot[data-map='5']").click()
    reaches(5)
    stage.page.locator(".masks-dot[data-map='5']").press("ArrowLeft")
    reaches(4)
    signs = stage.page.evaluate(
        "() => [...document.querySelectorAll('.masks-title')].map((title) =>"
        " getComputedStyle(title, '::before').content)"
    )
    assert ["none" if i in (0, 3) else "sign" for i in range(6)] == [
        "none" if sign == "none" else "sign" for sign in signs
    ]
    assert "+ mask =" in signs[4] and "softmax" in signs[5]
    for control in (".masks-turn", ".masks-dot"):
        box = stage.page.locator(control).first.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 36
    tops = {dot.bounding_box()["y"] for dot in stage.page.locator(".masks-dot").all()}
    assert len(tops) == 1  # six in one line
    stage.press("[data-masks-pads='no-pad-mask']")
    reaches(0)
    stage.press("[data-masks-causal='causal-mask:none']")
    reaches(1)  # what the break changed, in sight with what broke it and what it does
    stage.page.wait_for_function(
        """() => ["breaks", "answer", "grid > :nth-child(3)"].every((part) => {
            const one = document.querySelector(`.masks-${part}`);
            const { top, bottom } = one.getBoundingClientRect();
            return top >= -1 && bottom <= innerHeight + 1;
        })"""
    )
    assert stage.page.evaluate("document.documentElement.scrollHeight / innerHeight") < 3
    stage.press("[data-masks=passes]")
    stage.page.locator(".masks-dot[data-map='0']").click()
    stage.drawn("drawn.in_room.swiped === 0")
    stage.page.locator(".masks-passes .slider").press("ArrowRight")
    stage.drawn("drawn.in_room.swiped === 1")  # the map that a step adds a row to

    link = "#v=3&model=en-fr&text=The+old+cat+sleeps.&room=masks&masks.site=decoder"
    stage.anew(f"{link}&masks.breaks=causal-mask:behind&masks.breaks=finite-mask")
    stage.drawn("drawn.in_room?.swiped === 1")
    assert stage.page.evaluate("window.scrollY") == 0
    stage.anew(f"{link}&masks.breaks=pads-rows")
    stage.drawn("drawn.in_room?.swiped === 0")
    stage.anew(link.replace("decoder", "encoder") + "&masks.breaks=finite-mask")
    stage.drawn("drawn.in_room?.swiped === 4")
