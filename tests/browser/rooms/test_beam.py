"""The room Beam in a browser: its numbers are the core's, and its nodes lead to Translate."""

import numpy as np
from playwright.sync_api import expect

from model_core.values.beam_tree import parting_of
from model_core.values.recipe import Recipe
from tests.browser.conftest import PHONE, ROOMY, WIDE
from tests.browser.walks import fragment

# Whether the whole tree is in sight, down to what was pruned, in words as large as text is.
WHOLE = """() => {
  const box = document.querySelector('.beam-box');
  const main = document.querySelector('.beam-main').getBoundingClientRect();
  const shown = [...box.querySelectorAll('.beam-node:not([hidden]), .beam-strip')];
  return box.scrollLeft === 0 && box.scrollWidth <= box.clientWidth && shown.length > 0
    && shown.every((one) => one.getBoundingClientRect().bottom <= main.bottom)
    && shown.every((one) => parseFloat(getComputedStyle(one.lastElementChild).fontSize) >= 13
      && one.scrollWidth <= one.clientWidth + 1);
}"""

# Whether all of a step stands between the upper edge of a phone and what steps through the tree.
STEPPED = """(step) => {
  const edge = document.querySelector('.beam-playback').getBoundingClientRect();
  const boxes = [...document.querySelectorAll(`.beam-node[data-step="${step}"]:not([hidden])`)]
    .map((one) => one.getBoundingClientRect());
  return edge.bottom <= window.innerHeight
    && boxes.every(({ top, bottom }) => top >= 0 && bottom <= edge.top);
}"""

CUT = """(box) => {
  const edge = box.getBoundingClientRect().top + box.clientTop + box.clientHeight;
  return [box.scrollLeft, [...box.querySelectorAll('.beam-token')].filter((token) => {
    const { top, bottom } = token.getBoundingClientRect();
    return top < edge && bottom > edge + 0.5;
  }).map((token) => token.textContent)];
}"""


def opened(stage):
    stage.page.locator("[data-open=beam]").click()
    return settled(stage)


def settled(stage):
    return stage.drawn("drawn.in_room?.ready && drawn.in_room.says")["in_room"]


def slide(stage, name, value):
    stage.page.locator(f"[data-beam={name}]").evaluate(
        "(node, value) => { node.value = value;"
        " for (const kind of ['input', 'change']) node.dispatchEvent(new Event(kind)) }",
        str(value),
    )
    return settled(stage)


def nats(number):
    return f"{number:.2f}".replace("-", "−")


def test_the_tree_is_the_one_of_the_core_leads_to_its_nodes_and_is_in_sight_in_every_window(visit):
    stage = visit()
    greedy = stage.drawn()
    room = opened(stage)
    recipe = Recipe(greedy["recipe"]["model"], greedy["recipe"]["source"])
    tracer = stage.service.library.tracer(recipe.model)
    for width, alpha in ((5, 0.6), (3, 0.6), (3, 1.5), (1, 1.5)):
        room = slide(stage, "width", width)
        room = slide(stage, "alpha", round(100 * alpha))
        tree = tracer.tree(recipe, width, alpha)
        shown = [(node["step"], node["fate"], node["score"]) for node in room["tree"]]
        assert shown == [(node.step, node.fate, nats(node.score)) for node in tree.nodes]
        parting = parting_of(tree, tracer.tree(recipe, 1, alpha))
        if parting.step is not None:
            assert f"step {parting.step} " in room["says"]
            assert nats(parting.beam.total) in room["says"]
        # It opens at the first step, and no row is cut by the lower edge.
        assert stage.page.locator(".beam-box").evaluate(CUT) == [0, []]
        for place in (0, len(tree.nodes) - 1):
            node = stage.page.locator(f'.beam-node[data-node="{place}"]:visible')
            if node.count():
                node.click()
                said = stage.page.locator(".beam-node-says")
                expect(said).to_contain_text(nats(tree.nodes[place].total))

    # The menu of strategies leads to it, and a link brings it back.
    stage.anew("")
    stage.drawn()
    stage.page.locator(".strategy summary").click()
    stage.choose("strategy", "beam")
    stage.page.locator("[data-act=see-tree]").click()
    room = settled(stage)
    slide(stage, "width", 2)
    stage.page.locator('[data-shown="table"]').click()
    stage.page.locator(".beam-table .as-link").nth(1).click()
    room = settled(stage)
    stage.page.keyboard.press("Home")
    room = settled(stage)
    link = fragment(stage)
    assert "beam.width=2" in link and "beam.step=0" in link
    stage.anew(link)
    again = settled(stage)
    for name in ("last", "node", "shown", "says"):
        assert again[name] == room[name], name
    assert again["width"] == 2

    # Steps are scrubbed by keys, and a node opens in Translate or becomes a branch.
    stage.anew("")
    before = stage.drawn()
    opened(stage)
    room = slide(stage, "width", 4)
    calls = stage.server_calls
    steps = max(node["step"] for node in room["tree"])
    stage.page.keyboard.press("Home")
    stage.page.keyboard.press("ArrowRight")
    assert settled(stage)["last"] == 2
    later = stage.page.locator(f'.beam-node[data-step="{steps}"]').first
    later.wait_for(state="hidden")
    stage.page.keyboard.press("End")
    later.wait_for(state="visible")
    assert stage.server_calls == calls  # the tree is searched once

    # What was pruned is thin marks until they are pressed, one step at a time.
    pruned = stage.page.locator('.beam-node[data-fate="pruned"][data-step="3"]').first
    assert not pruned.is_visible()
    stage.page.locator('[data-strip="3"]').click()
    pruned.wait_for()
    assert "beam.pruned=2" in fragment(stage)
    node = int(pruned.get_attribute("data-node"))
    pruned.click()
    room = settled(stage)
    assert room["node"] == node
    recipe = Recipe(before["recipe"]["model"], before["recipe"]["source"])
    tracer = stage.service.library.tracer(recipe.model)
    tree = tracer.tree(recipe, 4)
    path = tree.tokens(node)
    chosen = [{"token": token, "how": "beam"} for token in path]
    decoding = tracer.evaluate(Recipe.from_json(recipe.to_json() | {"target": chosen}))
    drawn = stage.drawn()
    trace = decoding.trace(drawn["site"], drawn["locked"]["layer"])
    weights_QK = trace.weights_HQK[drawn["locked"]["head"], : len(path)]
    assert np.array_equal(np.array(room["map"]["values"], np.float32), weights_QK)

    stage.page.locator("[data-act=beam-look]").click()
    looked = stage.drawn("drawn.room === 'translate'")
    assert [one["token"] for one in looked["recipe"]["target"]] == list(path)
    assert looked["at"] == len(path) - 1
    opened(stage)
    stage.page.locator("[data-act=beam-take]").click()
    taken = stage.drawn("drawn.room === 'translate'")
    target = taken["recipe"]["target"]
    assert [one["token"] for one in target[: len(path)]] == list(path)
    assert target[len(path) - 1]["how"] == "forced" and taken["finished"] == "end"
    assert any(
        before["text"][:6] in chip
        for chip in [one.get_attribute("title") for one in stage.page.locator(".branch").all()]
    )

    # The whole tree is in sight in every window, and on a phone step by step.
    stage.resize(**ROOMY)
    stage.anew("")
    room = opened(stage)
    assert room["width"] == 5
    stage.page.wait_for_function(WHOLE)
    parts = (".beam-says", ".beam-box", ".beam-playback", ".beam-controls", ".beam-found")
    tops = [stage.page.locator(one).bounding_box()["y"] for one in parts]
    assert tops == sorted(tops)  # the answer, the picture, what changes it
    stage.resize(1280, 720)
    stage.page.wait_for_function(WHOLE)
    # The arrow keys go on from the last that was kept to what was pruned, which is written out.
    first = stage.page.locator('.beam-node[data-step="1"]')
    kept = stage.page.locator('.beam-node[data-step="1"]:not([data-fate="pruned"])')
    best = room["node"]
    first.nth(0).focus()
    for _ in range(kept.count()):
        stage.page.keyboard.press("ArrowDown")
        settled(stage)
    assert settled(stage)["opened"] == 1
    stage.page.wait_for_function("() => document.activeElement.dataset.fate === 'pruned'")
    stage.page.locator('[data-strip="1"]').click()  # and folded again
    room = settled(stage)
    assert room["opened"] is None and room["node"] == best

    # On a projector, where there is less room.
    stage.resize(**WIDE)
    stage.anew("#v=3&model=zh-en&room=beam")
    settled(stage)
    stage.lay_out()
    main, first = (
        stage.page.locator(one).first.bounding_box() for one in (".beam-main", ".beam-found .won")
    )
    assert first["y"] + first["height"] <= main["y"] + main["height"]
    # The frame of what is finished is not drawn through its score.
    assert stage.page.locator(".beam-node[data-fate=finished]").evaluate_all(
        "(nodes) => nodes.every((node) => node.lastElementChild.getBoundingClientRect().bottom"
        " <= node.getBoundingClientRect().bottom)"
    )

    # Of a long sentence it is so in lines.
    text = "The+old+man+who+lives+near+the+station+told+us+a+long+story+about+his+brother."
    stage.resize(**ROOMY)
    stage.anew(f"#v=3&model=en-fr&text={text}&room=beam")
    room = settled(stage)
    assert max(node["step"] for node in room["tree"]) > 18
    stage.page.wait_for_function(WHOLE)
    tops = "(all) => [...new Set(all.map((one) => one.offsetTop))].length"
    assert stage.page.locator(".beam-mark").evaluate_all(tops) == 2
    stage.resize(1280, 720)
    stage.page.wait_for_function(WHOLE)

    # Of a tree that is too high what led nowhere is folded until it is pressed.
    text = (
        "When+the+storm+finally+ended+we+walked+along+the+beach+and+found+three+old+bottles"
        "+that+the+sea+had+carried+from+far+away."
    )
    stage.resize(1440, 900)
    stage.anew(f"#v=3&model=en-fr&text={text}&room=beam")
    room = settled(stage)
    assert max(node["step"] for node in room["tree"]) > 24
    stage.page.wait_for_function(WHOLE)
    box = stage.page.locator(".beam-box")
    assert box.evaluate("(box) => box.getBoundingClientRect().bottom <= window.innerHeight")
    shown = stage.page.locator('.beam-node[data-step="3"]:not([hidden])')
    before = shown.count()
    strip = stage.page.locator('.beam-strip[data-strip="3"]')
    folded = int(strip.inner_text())
    strip.press("Enter")
    settled(stage)
    assert shown.count() == before + folded > before
    strip = stage.page.locator('.beam-strip[data-strip="3"]')
    assert strip.get_attribute("aria-expanded") == "true"
    strip.press("Enter")
    settled(stage)
    assert shown.count() == before

    # A phone scrolls it nowhere sideways, and steps through it in sight.
    text = "The+old+cat+sleeps+on+the+warm+roof."
    stage.resize(**PHONE)
    stage.anew(f"#v=3&model=en-fr&text={text}&room=beam")
    room = settled(stage)
    steps = max(node["step"] for node in room["tree"])
    assert room["width"] == 5 and steps > 9
    box = stage.page.locator(".beam-box")
    assert box.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert stage.page.locator(".beam-box .beam-node:not([hidden]), .beam-strip").evaluate_all(
        "(all) => all.every((one) => one.scrollWidth <= one.clientWidth + 1)"
    )
    for key, step in (("reset", 1), ("step", 2), ("end", steps)):
        stage.page.locator(f"[data-beam-act={key}]").click()
        stage.page.wait_for_function(STEPPED, arg=step)
