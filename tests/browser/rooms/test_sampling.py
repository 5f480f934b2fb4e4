"""Sampling as a machine: every number of it is the one that the model's own draw was made with."""

import pytest
from playwright.sync_api import expect

from model_core.values.draw import draw
from model_core.values.recipe import Strategy
from tests.browser.conftest import PHONE, WIDE
from viz_app.text import WORDS

SENTENCE = "The old cat sleeps on the warm roof."
NUMBERS = {"temperature": 3, "top_k": 0, "top_p": 1, "seed": 7}


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
    stage.drawn()
    stage.page.wait_for_function(
        """numbers => { const one = document.querySelector('.stage-host').stage.drawn();
            return !one.busy && !one.sampling.awaited
              && Object.entries(numbers).every(([name, n]) => one.strategy[name] === n); }""",
        arg=numbers,
    )
    return stage.drawn()


def drawn_by(stage, drawn, **numbers):
    step = stage.decoding(drawn).steps[drawn["at"]]
    return step, draw(step, Strategy("sample", **(NUMBERS | numbers)), (0, 1))


def assert_names_its_hit(stage, drawn, made):
    seed = drawn["strategy"]["seed"]
    name = called(stage, drawn["recipe"]["model"], made.token)
    assert drawn["sampling"]["dart"] == f"seed {seed}: {made.dart:.3f} → “{name}”"
    assert sum(part["hit"] for part in drawn["sampling"]["parts"]) == 1


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
        assert candidate["share"] == pytest.approx(share, rel=1e-12)
        assert (candidate["cut"] is None) == (candidate["token"] in made.tokens_N)
        assert candidate["rank"] == step.rank(candidate["token"])
    numbers_shown = stage.page.locator(".candidate:not(.empty) .number").all_inner_texts()
    for text, candidate in zip(numbers_shown, drawn["candidates"], strict=True):
        share = made.part(candidate["token"])[1]
        cut = candidate["cut"] and candidate["cut"].replace("_", "-")
        assert text == (cut or ("<.001" if 0 < share < 0.0005 else f"{share:.3f}"))
    assert_names_its_hit(stage, drawn, made)
    if drawn["at"] < len(drawn["recipe"]["target"]):
        taken = drawn["recipe"]["target"][drawn["at"]]
        assert taken["token"] in [one["token"] for one in drawn["candidates"]]
        if taken["how"] == "sampled":
            assert taken["token"] == made.token
            assert sum(part["hit"] for part in drawn["sampling"]["parts"]) == 1


def test_what_is_shown_is_what_the_model_drew_from(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    ranks = []
    for numbers, steps in (
        ({}, 6),
        ({"top_k": 6}, 2),
        ({"temperature": 1.5, "top_k": 40, "top_p": 0.6, "seed": 12}, 2),
    ):
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


def test_a_strategy_applies_when_it_is_chosen_and_keeps_what_is_before(visit):
    stage = visit()
    greedy = stage.type_source(SENTENCE)["recipe"]["target"]
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


def test_at_a_step_without_a_token_a_strategy_takes_none(visit):
    stage = visit()
    stage.type_source(SENTENCE, "Shift+Enter")
    drawn = choose_sampling(stage, **NUMBERS)
    assert drawn["recipe"]["target"] == []
    assert_is_the_models_draw(stage, drawn)
    hit = drawn_by(stage, drawn)[1].token
    assert stage.act("step")["recipe"]["target"] == [{"token": hit, "how": "sampled"}]


def test_the_slider_is_live_and_asks_once(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    stage.key("Home")
    choose_sampling(stage, **NUMBERS)
    slider = stage.page.locator(".machine-slider")
    slide = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }"
    slider.evaluate(slide, "0.5")
    stage.page.wait_for_function(
        "() => Math.max(...document.querySelector('.stage-host').stage.drawn().candidates"
        ".map(({ share }) => share)) > 0.5"
    )
    calls, beyond = stage.server_calls, 0
    for temperature in (0.8, 2.0, 3.0, 5.0, 4.35):
        slider.evaluate(slide, str(temperature))
        drawn = stage.drawn()
        made = drawn_by(stage, drawn, temperature=temperature)[1]
        for candidate in drawn["candidates"]:
            share = made.part(candidate["token"])[1]
            assert candidate["share"] == pytest.approx(share, rel=1e-9)
        assert_names_its_hit(stage, drawn, made)
        beyond += made.token not in [one["token"] for one in drawn["candidates"]]
    assert stage.server_calls == calls and beyond
    slider.dispatch_event("change")
    drawn = settled(stage, {"temperature": 4.35})
    assert drawn["recipe"]["strategy"]["temperature"] == 4.35
    assert_is_the_models_draw(stage, drawn, temperature=4.35)


def test_a_token_of_other_settings_is_listed_and_not_said_to_be_drawn_by_these(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    stage.key("Home")
    drawn = choose_sampling(stage, **NUMBERS)
    stage.key("ArrowRight")
    drawn = choose_sampling(stage, top_k=2, temperature=0.1)
    stage.key("ArrowLeft")
    drawn = settled(stage, {})
    first = next(one for one in drawn["candidates"] if one["chosen"])
    assert first["rank"] > 2 and first["cut"] == "top_k" and first["share"] == 0
    assert "top-k" in stage.page.locator(".candidate.chosen .number").inner_text()
    parts = drawn["sampling"]["parts"]
    assert sum(part["hit"] for part in parts) == 1
    assert stage.page.locator(".candidate.chosen.cut").count() == 1


def test_a_candidate_says_whether_it_begins_a_word(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    drawn = stage.key("End")
    stage.page.locator("[data-act=more-candidates]").click()
    for place, candidate in zip(
        stage.page.locator(".candidate").all(), drawn["candidates"], strict=True
    ):
        begins = candidate["kind"] == "text" and candidate["piece"].startswith("▁")
        is_part = candidate["kind"] == "text" and not (begins and len(candidate["piece"]) > 1)
        assert (place.locator(".begins").count() == 1) == is_part
        hint = place.get_attribute("title")
        key = "word_goes_on" if is_part else "word_begins"
        assert candidate["kind"] != "text" or WORDS["en"][key] in hint
    stage.tokens()
    stage.choose("spelled", "pieces")  # the pieces have a mark of their own
    assert stage.page.locator(".candidate .begins").count() == 0


STICKS_OUT = """() => { const edge = document.querySelector('.stage-body').getBoundingClientRect();
    const chain = document.querySelector('.machine-chain').getBoundingClientRect();
    return [...document.querySelectorAll('.machine *')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width && (box.right > edge.right + 1
        || one.closest('.machine-stage') && box.right > chain.right + 1);
    }).map((one) => one.className); }"""


@pytest.mark.parametrize(
    ("sizes", "locale"),
    [((WIDE, {"width": 1024, "height": 700}), "en-US"), ((PHONE,), "zh-CN")],
)
def test_the_machine_sticks_out_nowhere(visit, sizes, locale):
    stage = visit(sizes[0], locale=locale)
    stage.drawn()
    stage.key("Home")
    choose_sampling(stage, **NUMBERS)
    for size in sizes:
        stage.resize(**size)
        stage.drawn()
        assert stage.page.evaluate(STICKS_OUT) == [], size


def test_after_another_token_is_taken_the_way_on_is_marked(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    stage.key("End")
    marked = stage.page.locator(".playback .move.way:visible")
    assert marked.count() == 0
    stage.key("Home")
    stage.page.locator('.candidate[data-place="1"]').click()
    stage.page.wait_for_function("() => !document.querySelector('.stage-host').stage.drawn().busy")
    expect(marked).to_have_count(2)
    assert [one.get_attribute("data-act") for one in marked.all()] == ["step", "end"]
    assert stage.act("end")["finished"] == "end"
    expect(marked).to_have_count(0)


def test_a_temperature_alone_draws_and_many_draws_are_a_list(visit):
    stage = visit(WIDE)
    stage.type_source(SENTENCE)
    greedy = stage.drawn()["text"]
    stage.page.locator("details.strategy summary").click()
    stage.page.locator("input[name=temperature]").fill("1.4")
    stage.page.keyboard.press("Enter")
    assert stage.drawn("drawn.recipe.strategy.kind === 'sample'")["strategy"]["temperature"] == 1.4
    stage.page.keyboard.press("Escape")
    stage.page.locator("[data-act=draw-many]").click()
    texts = stage.drawn("drawn.sampling.many?.length > 1")["sampling"]["many"]
    assert sum(one["count"] for one in texts) == 20
    stage.page.locator(".many-text").last.click()
    taken = stage.drawn(f"drawn.recipe.strategy.seed === {texts[-1]['seed']}")
    assert taken["text"] == texts[-1]["text"]
    assert taken["sampling"]["many"] == texts  # the list stays
    stage.page.locator("[data-act=greedy]").click()
    assert stage.drawn("drawn.recipe.strategy.kind === 'greedy'")["text"] == greedy
