"""Sampling as a machine: every number of it is the one that the model's own draw was made with."""

import json

import pytest
from playwright.sync_api import expect

from model_core.values.draw import draw
from model_core.values.recipe import Strategy
from tests.browser.conftest import PHONE, WIDE

SENTENCE = "The old cat sleeps on the warm roof."
# A seed whose sentence is short and begins with a token far from the best.
NUMBERS = {"temperature": 1.4, "top_k": 0, "top_p": 1, "seed": 4}


def choose_sampling(stage, **numbers):
    """Choose sampling with these numbers, as a visitor does: no press applies them."""
    if not stage.page.locator("details.strategy[open]").count():
        stage.page.locator("details.strategy summary").click()
    stage.choose("strategy", "sample")
    for name, value in numbers.items():
        stage.page.locator(f"input[name={name}]").fill(str(value))
    stage.page.keyboard.press("Escape")
    return settled(stage, numbers)


def settled(stage, numbers):
    """What is drawn once the machine shows these numbers' own draw."""
    said = json.dumps(numbers)
    return stage.drawn(
        "!drawn.sampling.awaited"
        f" && Object.entries({said}).every(([name, n]) => drawn.strategy[name] === n)"
    )


def drawn_by(stage, drawn, **numbers):
    step = stage.decoding(drawn).steps[drawn["at"]]
    return step, draw(step, Strategy("sample", **(NUMBERS | numbers)), (0, 1))


def assert_names_its_hit(stage, drawn, made):
    seed = drawn["strategy"]["seed"]
    name = called(stage, drawn["recipe"]["model"], made.token)
    said, (part,) = (
        drawn["sampling"]["dart"],
        [part for part in drawn["sampling"]["parts"] if part["hit"]],
    )
    if said == f"seed {seed} throws {made.dart:.3f}":  # its part has its name
        assert part["text"].strip() == name or part["text"].startswith(f"{name} ")
    else:
        assert said == f"seed {seed} throws {made.dart:.3f} → “{name}”"


def called(stage, model, token):
    """What the page calls a token of the target."""
    tokens = stage.service.library.tracer(model).labels([token])
    if tokens.kinds[0] != "text":
        return {"</s>": "end"}[tokens.pieces[0]]
    return tokens.texts[0].strip() or "␣"


def assert_is_the_models_draw(stage, drawn, **numbers):
    """Every number and bar on the screen is that of `draw`."""
    step, made = drawn_by(stage, drawn, **numbers)
    for candidate in drawn["candidates"]:
        share = made.part(candidate["token"])[1]
        assert candidate["share"] == pytest.approx(share, rel=1e-5, abs=1e-6)
        assert candidate["cut"] == (candidate["token"] not in made.tokens_N)
        rank = step.rank(candidate["token"])
        assert candidate["rank"] == rank or rank < 10  # the first ten have the keys
        said = "<.001" if 0 < share < 0.0005 else f"{share:.3f}"
        assert candidate["number"] == said or candidate["cut"]
    assert_names_its_hit(stage, drawn, made)
    # At the ends of the strips: what the model gives to the token at hand, and what is left of it.
    own = next((one for one in drawn["candidates"] if one["chosen"]), drawn["candidates"][0])
    said = drawn["sampling"]["values"]
    assert set(said) == {"model", "softmax", "cut"}
    for strip, share in (("model", own["probability"]), ("cut", made.part(own["token"])[1])):
        if share >= 0.0005:
            assert float(said[strip]) == pytest.approx(share, abs=6e-4), strip
    if drawn["at"] < len(drawn["recipe"]["target"]):
        taken = drawn["recipe"]["target"][drawn["at"]]
        assert taken["token"] in [one["token"] for one in drawn["candidates"]]
        if taken["how"] == "sampled":
            assert taken["token"] == made.token
            assert sum(part["hit"] for part in drawn["sampling"]["parts"]) == 1


SLIDE = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }"


def test_what_is_shown_is_what_the_model_drew_from_and_a_strategy_keeps_what_is_before_it(
    visit,
):
    stage = visit()
    stage.type_source(SENTENCE)
    ranks = []
    for numbers, steps in (
        ({}, 3),
        ({"temperature": 1.5, "top_k": 40, "top_p": 0.6, "seed": 12}, 1),
    ):  # of more steps and settings: tests/viz_app/rooms/test_sampling_here.py
        stage.key("Home")
        drawn = choose_sampling(stage, **(NUMBERS | numbers))
        assert drawn["finished"]
        assert {one["how"] for one in drawn["recipe"]["target"]} == {"sampled"}
        for _ in range(min(steps, drawn["steps"])):
            assert_is_the_models_draw(stage, drawn, **numbers)
            ranks += [one["rank"] for one in drawn["candidates"] if one["chosen"]]
            stage.key("ArrowRight")
            drawn = settled(stage, {})
        assert max(ranks) > 10  # a token that is not among the ten best was listed

    stage.key("Home")
    choose_sampling(stage, **NUMBERS)
    slider = stage.page.locator(".machine-slider")
    slider.evaluate(SLIDE, "0.5")
    stage.drawn("Math.max(...drawn.candidates.map(({ share }) => share)) > 0.5")
    calls, beyond = stage.server_calls, 0
    for temperature in (0.8, 3.0, 4.35):
        slider.evaluate(SLIDE, str(temperature))
        drawn = stage.drawn()
        made = drawn_by(stage, drawn, temperature=temperature)[1]
        for candidate in drawn["candidates"]:
            share = made.part(candidate["token"])[1]
            assert candidate["share"] == pytest.approx(share, rel=1e-5, abs=1e-6)
        assert_names_its_hit(stage, drawn, made)
        beyond += made.token not in [one["token"] for one in drawn["candidates"]]
    assert stage.server_calls == calls and beyond
    slider.dispatch_event("change")
    drawn = settled(stage, {"temperature": 4.35})
    assert drawn["recipe"]["strategy"]["temperature"] == 4.35
    assert_is_the_models_draw(stage, drawn, temperature=4.35)

    # A token of other settings is listed, and not said to be drawn by these.
    choose_sampling(stage, **NUMBERS)
    stage.key("ArrowRight")
    choose_sampling(stage, top_k=2, temperature=0.1)
    stage.key("ArrowLeft")
    drawn = settled(stage, {})
    first = next(one for one in drawn["candidates"] if one["chosen"])
    assert first["rank"] > 2 and first["cut"] and first["share"] == 0
    assert "top-k" in first["number"]
    assert sum(part["hit"] for part in drawn["sampling"]["parts"]) == 1

    stage.key("Home")
    choose_sampling(stage, **NUMBERS)
    for size in (WIDE, {"width": 1024, "height": 700}):
        stage.resize(**size)
        stage.drawn()
        assert stage.page.evaluate(STICKS_OUT) == [], size
    stage.page.locator("[data-tool=language]").click()
    stage.resize(**PHONE)
    assert stage.drawn()["language"] == "zh"
    assert stage.page.evaluate(STICKS_OUT) == []

    # A strategy applies when it is chosen, keeps what is before it, and is left again.
    stage.resize(**WIDE)
    stage.anew("")
    drawn = stage.type_source(SENTENCE)
    greedy, text = drawn["recipe"]["target"], drawn["text"]
    stage.key("Home")
    stage.key("ArrowRight")
    stage.key("ArrowRight")
    drawn = choose_sampling(stage, **NUMBERS)
    target = drawn["recipe"]["target"]
    assert drawn["at"] == 2 and target[:2] == greedy[:2]
    assert {one["how"] for one in target[2:]} == {"sampled"} and target[2:] != greedy[2:]
    stage.page.locator("details.strategy summary").click()
    stage.page.locator("[data-act=anew]").click()
    target = stage.drawn()["recipe"]["target"]
    assert {one["how"] for one in target} == {"sampled"}
    stage.choose("strategy", "greedy")
    stage.page.locator("[data-act=anew]").click()
    assert stage.drawn()["recipe"]["target"] == greedy
    expect(stage.page.locator(".machine")).to_be_hidden()

    # A temperature alone draws, and many draws are a list.
    stage.page.locator("input[name=temperature]").fill("1.2")
    stage.page.keyboard.press("Enter")
    drawn = stage.drawn("drawn.recipe.strategy.kind === 'sample'")
    assert drawn["strategy"]["temperature"] == 1.2
    stage.page.keyboard.press("Escape")
    stage.page.locator("[data-act=draw-many]").click()
    texts = stage.drawn("drawn.sampling.many?.length > 1")["sampling"]["many"]
    assert sum(one["count"] for one in texts) == 20
    assert stage.page.locator(".many-texts").evaluate(
        "(list) => list.scrollWidth <= list.clientWidth"  # more of them stand below, not beside
    )
    small = stage.page.locator(".heads-box canvas").last
    box = small.bounding_box()
    assert box["height"] >= 15
    view = stage.page.locator(".heads-box").bounding_box()
    assert box["y"] + box["height"] <= view["y"] + view["height"] + 1  # seen unscrolled
    stage.page.locator(".many-text").last.click()
    taken = stage.drawn(
        f"drawn.recipe.strategy.seed === {texts[-1]['seed']}"
        f" && drawn.text === {json.dumps(texts[-1]['text'])}"
    )
    assert taken["sampling"]["many"] == texts  # the list stays
    stage.page.locator("[data-act=greedy]").click()
    drawn = stage.drawn("drawn.recipe.strategy.kind === 'greedy'")
    assert drawn["text"] == text

    # Of another token that is taken, the way on is marked.
    stage.key("End")
    marked = stage.page.locator(".playback .move.way:visible")
    assert marked.count() == 0
    stage.key("Home")
    stage.page.locator('.candidate[data-place="1"]').click()
    expect(marked).to_have_count(2)
    assert [one.get_attribute("data-act") for one in marked.all()] == ["step", "end"]
    assert stage.act("end")["finished"] == "end"
    expect(marked).to_have_count(0)

    # At a step without a token a strategy takes none.
    stage.type_source(SENTENCE, "Shift+Enter")
    drawn = choose_sampling(stage, **NUMBERS)
    assert drawn["recipe"]["target"] == []
    assert_is_the_models_draw(stage, drawn)
    hit = drawn_by(stage, drawn)[1].token
    assert stage.act("step")["recipe"]["target"] == [{"token": hit, "how": "sampled"}]

    # The menu of strategies ends in a low window.
    stage.anew("")
    stage.drawn()
    choose_sampling(stage)
    box = stage.page.locator(".strategy-panel").bounding_box()
    assert box["y"] + box["height"] <= 720


STICKS_OUT = """() => { const edge = document.querySelector('.stage-body').getBoundingClientRect();
    return [...document.querySelectorAll('.machine *')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width && box.right > edge.right + 1;
    }).map((one) => one.className); }"""
