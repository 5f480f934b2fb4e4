"""Walks through the page: each ends where a link has something of its own to say."""

from tests.browser.reader import AT_REST

SENTENCE = "The black cat sleeps on the warm roof."
# In every room: it has what it asked for.
READY = (
    "(drawn.room === 'translate'"
    " || drawn.in_room && !drawn.in_room.busy && drawn.in_room.ready !== false)"
)
WAITS = AT_REST.replace("READY", READY).replace("SAID", "true")


def fragment(stage):
    """The fragment of the address, with what is written only after a pause, as of who leaves.

    That it is written without that: tests/browser/rooms/test_readings.py, test_training.py.
    """
    stage.drawn()
    stage.page.wait_for_function("() => document.querySelector('.stage-host').stage.isAnswered()")
    return stage.page.evaluate(
        "() => { dispatchEvent(new Event('pagehide')); return location.hash; }"
    )


def drawn(stage):
    """What is drawn, once nothing is awaited."""
    return stage.drawn(READY)


def room(stage, name):
    stage.page.locator(f"[data-open={name}]").click()
    stage.drawn(READY)


def rooms_of(stage):
    """The rooms that have a tab: of what was never kept of a model there is none."""
    tabs = stage.page.locator(".room-tab:not([hidden])")
    return tabs.evaluate_all("(tabs) => tabs.map(({ dataset }) => dataset.open)")


def press(stage, *selectors):
    for selector in selectors:
        stage.page.locator(selector).click()


def walk_translate(stage):
    stage.type_source(SENTENCE, "Shift+Enter")
    for key in ("ArrowRight", "2", "ArrowRight", "ArrowRight", "ArrowLeft"):
        stage.key(key)
    stage.page.locator(".pads button").last.click()
    stage.drawn()
    stage.choose("site", "encoder")
    stage.lock(0, 5)
    stage.choose("site", "decoder")
    stage.lock(1, 2)
    stage.choose("view", "lines")
    stage.tokens()
    stage.choose("spelled", "pieces")
    stage.page.locator(".sites select.order").select_option("entropy")


def walk_sampling(stage):
    stage.page.locator(".strategy summary").click()
    stage.choose("strategy", "sample")
    for name, value in (("temperature", "1.45"), ("seed", "20260101"), ("top_k", "40")):
        stage.page.locator(f"input[name={name}]").fill(value)
    stage.page.locator(".strategy summary").click()
    stage.type_source(SENTENCE)


def walk_masks(stage):
    room(stage, "masks")
    press(
        stage,
        "[data-masks-causal='causal-mask:none']",
        "[data-masks-pads='pads-rows']",
        "[data-masks-site=cross]",
        "[data-sentence='2']",
        "[data-small=causal]",
    )


def click_cell(stage, number, query, key):
    """Clicks a cell of one of the maps of the room Masks."""
    seen = stage.drawn()["in_room"]["maps"][number]
    (left, top, width, height), scrolled = seen["first_cell"], seen["scrolled"]
    stage.page.locator(".masks-box").nth(number).click(
        position={
            "x": left + (key + 0.5) * width - scrolled[0],
            "y": top + (query + 0.5) * height - scrolled[1],
        }
    )


def walk_masks_cell(stage):
    room(stage, "masks")
    press(stage, "[data-masks-causal='causal-mask:ahead']")
    drawn(stage)
    click_cell(stage, 5, 4, 2)
    stage.page.mouse.move(5, 5)
    assert drawn(stage)["in_room"]["chosen"] == {"query": 4, "key": 2}


def walk_passes_step(stage):
    room(stage, "masks")
    press(stage, "[data-masks=passes]")
    drawn(stage)
    stage.page.locator(".masks-passes .slider").fill("3")
    click_cell(stage, 1, 2, 1)
    stage.page.mouse.move(5, 5)
    seen = drawn(stage)["in_room"]
    assert (seen["step"], seen["chosen"]) == (3, {"query": 2, "key": 1})


def walk_draft(stage):
    """Typed, and not translated."""
    stage.page.locator(".source-text").fill("The new cat")
    stage.page.locator(".source-text").blur()


def walk_table(stage):
    room(stage, "positions")
    stage.page.locator("[data-kind=learned]").click()
    stage.page.locator(".positions-number:not([data-position])").fill("17")
    stage.page.locator(".positions-number:not([data-position])").press("Enter")
    stage.page.locator("[data-act=keep]").click()


def walk_sum(stage):
    room(stage, "positions")
    press(stage, "[data-study=sum]", ".positions [data-side=target]")


def walk_order(stage):
    room(stage, "positions")
    press(
        stage,
        "[data-study=order]",
        ".positions [data-place='1']",
        ".positions [data-place='3']",
        ".positions [data-place='2']",
    )
    stage.page.locator(".positions-stepper button").last.click()
    press(stage, ".positions [data-place='2']", "[data-order-site=cross]")


def walk_rotary(stage):
    room(stage, "positions")
    press(stage, "[data-study=rotary]", "[data-rotary-site=decoder]")
    stage.drawn(READY)
    for name, value in (("query", "3"), ("key", "1")):
        stage.page.locator(f"[data-pick={name}]:visible").select_option(value)


def unfold(stage):
    """Shows the formulas of the room Inside a head, where they are folded."""
    if stage.page.locator(".inside-panel.folded:visible").count():
        stage.page.locator("[data-act=formulas]").click()


def walk_inside(stage):
    room(stage, "inside")
    press(stage, "[data-tokens=query] [data-index='3']", "[data-tokens=key] [data-index='1']")


def walk_norms(stage):
    room(stage, "inside")
    press(stage, "[data-inside=norms]", "[data-norm=batch]")
    stage.drawn(READY)
    canvas = stage.page.locator(".norms-grid canvas")
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        canvas.press(key)
    stage.page.mouse.move(5, 5)


def walk_look(stage):
    """Into the head of a step; the reader chose no cell."""
    for key in ("Home", "ArrowRight"):
        stage.key(key)
    stage.page.locator(".pair-acts [data-act=look]").click()


def walk_stages(stage):
    room(stage, "inside")
    press(stage, "[data-inside=way]", "[data-tokens=source] [data-index='2']")
    for name in ("encoder.1.self", "encoder.2.feed_forward"):
        stage.page.locator(f"[data-stage='{name}'] .stage-open").click()
    stages = drawn(stage)["in_room"]["way"]["stages"]
    assert [part["id"] for part in stages if part["open"]][:2] == [
        "encoder.1.self",
        "encoder.2.feed_forward",
    ]


def walk_target_way(stage):
    room(stage, "inside")
    press(stage, "[data-inside=way]", "[data-tokens=target] [data-index='1']")


WALKS = (walk_translate, walk_sampling, walk_masks, walk_table, walk_sum, walk_order, walk_rotary)
WALKS += (walk_inside, walk_stages, walk_target_way, walk_masks_cell, walk_passes_step, walk_draft)
WALKS += (walk_look, walk_norms)
