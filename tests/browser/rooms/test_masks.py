"""The room Masks in a real Chromium: every number drawn is the model's."""

import functools

import numpy as np
from playwright.sync_api import expect

from model_core.decoding.tracer import Tracer
from model_core.studies.batch import SPARE_PADS, translate_batch
from model_core.studies.masks import study_masks
from model_core.studies.steps import study_passes
from model_core.values.edits import read_edits
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE, WIDE

HOSTILE = ["</s> <pad> <img src=x onerror=alert(1)>", "猫在屋顶上睡觉。"]


def rewrite(stage, text):
    """Another text in the line of the batch that is being edited."""
    field = stage.page.locator(".masks-edit")
    field.fill(text)
    field.press("Enter")
    room = stage.drawn(f"drawn.in_room.sentences?.includes({text!r}) && !drawn.in_room.busy")
    return room["in_room"]


def batch_of(stage, room):
    tracer = stage.service.library.tracer(stage.drawn()["recipe"]["model"])
    return tracer.model, batch_by(tracer, tuple(room["sentences"]))


@functools.cache
def batch_by(tracer, sentences):
    return translate_batch(tracer, sentences, spare=SPARE_PADS)


@functools.cache
def study_of(model, batch, shown, site, breaks):
    return study_masks(model, batch, shown, site, read_edits(breaks))


def assert_masks_are_the_models(stage, room):
    """The maps in sight, cell by cell, and whose rows and columns they are: six on a phone.

    Marks and hidden cells, of every break: tests/viz_app/rooms/test_masks_told.py.
    """
    model, batch = batch_of(stage, room)
    head = (room["lock"]["layer"], room["lock"]["head"])
    study = study_of(model, batch, room["shown"], room["site"], tuple(room["breaks"]))
    found = study.broken
    scores_QK, weights_QK = (np.stack(one)[head] for one in (found.scores, found.weights))
    expected = {
        "pad": found.pad_QK,
        "causal": found.causal_QK,
        "combined": found.allowed_QK,
        "scores": scores_QK,
        "masked": np.where(found.allowed_QK, scores_QK, found.hidden_score),
        "weights": weights_QK,
    }
    assert [one["name"] for one in room["maps"]] == list(expected)
    for one in room["maps"]:
        if expected[one["name"]] is None:
            assert "values" not in one
        elif one["first_cell"]:
            values_QK = np.array(one["values"], float)
            Q, K = values_QK.shape
            np.testing.assert_allclose(values_QK, expected[one["name"]][:Q, :K], rtol=1e-6)
            for side, axis in (("row", found.queries), ("column", found.keys)):
                kinds = [kind for kind in one[f"{side}_kinds"] if kind != "fold"]
                assert kinds == list(axis.kinds)[: len(kinds)]
                assert "fold" in one[f"{side}_kinds"] or len(kinds) == len(axis.kinds)
    return study


def assert_read_as_an_equation(stage, *signs):
    assert stage.in_room()["signs"] == [*signs]
    covered = stage.page.evaluate(
        """() => [...document.querySelectorAll(".masks-side:not([hidden])")].flatMap((side) => {
            const parts = [...side.children].filter((part) => part.checkVisibility())
                .map((part) => part.getBoundingClientRect());
            return parts.slice(1).filter(({ left }, i) => left < parts[i].right - 1);
        }).length"""
    )
    assert covered == 0


def test_nothing_leaks_at_first_the_maps_are_an_equation_and_the_batch_begins_as_the_page_is(visit):
    stage = visit()
    room = stage.enter("masks")
    assert_read_as_an_equation(stage, "∧", "=", "+ mask =", "softmax →")
    assert room["sentences"][0] == stage.drawn()["recipe"]["source"] and len(room["sentences"]) == 3
    assert room["see"] and room["check"]["findings"][0].startswith("Nothing leaks")
    assert room["large"] == ["combined", "weights"]
    calls = stage.server_calls
    for small, large in (
        ("pad", ["pad", "weights"]),
        ("masked", ["pad", "masked"]),
        ("scores", ["pad", "scores"]),
        ("combined", ["combined", "scores"]),
        ("weights", ["combined", "weights"]),
    ):
        room = stage.press(f"[data-small={small}]")
        assert room["large"] == large
        assert_masks_are_the_models(stage, room)
        assert "pad" in room["maps"][2 if large[0] == "combined" else 0]["column_kinds"]
    for layer, head in ((0, 0), (2, 7)):
        for name, index in (("layer", layer), ("head", head)):
            stage.page.locator(f".masks-room [data-pick={name}]").select_option(index=index)
        room = stage.in_room()
        assert room["lock"] == {"layer": layer, "head": head}
        assert_masks_are_the_models(stage, room)
    assert stage.server_calls == calls

    weights = stage.page.locator(".masks-map canvas").nth(5)
    left, top, width, height = room["maps"][5]["first_cell"]
    weights.hover(position={"x": left + 0.5 * width, "y": top + 2.5 * height})
    room = stage.in_room()
    value = room["maps"][5]["values"][2][0]
    assert f"weight {value:.3f}" in room["reading"]
    assert [room["maps"][i]["pointed"] for i in (2, 5)] == 2 * [{"row": 2, "column": 0}]
    weights.focus()
    stage.page.keyboard.press("ArrowRight")
    assert stage.in_room()["pointed"] == {"query": 2, "key": 1}
    stage.page.keyboard.press("Escape")
    assert stage.in_room()["pointed"] is None
    for site in ("encoder", "cross"):  # no causal mask: both together are the pad mask
        stage.press(f"[data-masks-site={site}]")
        assert_read_as_an_equation(stage, "=", "+ mask =", "softmax →")
    stage.press("[data-small=causal]")
    expect(stage.page.locator(".masks-none:visible")).to_contain_text("No causal mask here")
    stage.press("[data-masks=passes]")
    stage.press("[data-masks-site=decoder]")
    assert_read_as_an_equation(stage, "−", "=")

    # The batch begins with the sentence and the tokens on the screen, of any model.
    stage.resize(**WIDE)
    stage.anew("")
    stage.act("reset")
    other = stage.drawn()["candidates"][2]
    stage.page.locator(".candidate").nth(2).click()
    drawn = stage.drawn()
    assert drawn["recipe"]["target"][0] == {"token": other["token"], "how": "forced"}
    stage.enter("masks")
    stage.press("[data-sentence='0']")
    room = stage.press("[data-masks-site=decoder]")
    assert room["maps"][2]["row_labels"][1] == drawn["target_labels"][1]
    stage.type_source("Where is my old hat?")
    room = stage.in_room()
    assert room["sentences"][0] == "Where is my old hat?" and len(room["sentences"]) == 3
    stage.type_source("My brother and my sister bought a new red car and an old blue boat today.")
    room = stage.in_room()
    assert room["shown"] == 0 and "pad" in room["maps"][2]["column_kinds"]
    assert_masks_are_the_models(stage, room)
    stage.page.locator("select.model").select_option("reverse-tiny")
    drawn = stage.drawn("drawn.recipe.model === 'reverse-tiny' && !drawn.in_room?.busy")
    assert drawn["in_room"]["sentences"][0] == drawn["recipe"]["source"]
    assert_masks_are_the_models(stage, drawn["in_room"])

    # A long sentence scrolls under its labels, and its run of pads is counted.
    stage.anew("#v=3&model=en-fr&text=Stop.&room=masks")
    stage.in_room()
    stage.press("[data-act=masks-add]")
    rewrite(stage, " ".join(["cat"] * 44))
    stage.press("[data-masks-site=encoder]")
    stage.press("[data-small=pad]")
    stage.page.locator(".masks-box:visible").first.evaluate("(box) => box.scrollTo(0, 90)")
    room = stage.drawn(  # the others follow
        "drawn.in_room.maps.every((map) => !map.first_cell || map.scrolled.join() === '0,90')"
    )["in_room"]
    left, top, pitch_x, pitch_y = room["maps"][0]["first_cell"]
    stage.page.wait_for_function(  # ink in the corner strips of both axes, after the frame
        """([left, top]) => [document.querySelector('.masks-map canvas')].every((canvas) => {
            const ratio = canvas.width / canvas.getBoundingClientRect().width;
            const inked = (x, y, w, h) => canvas.getContext('2d').getImageData(x, y, w, h).data
              .some((part, i) => i % 4 === 3 && part > 0);
            const [x, y] = [left * ratio - 8, top * ratio - 8];
            return inked(0, y + 8, x, 40) && inked(x + 8, 0, 40, y);
        })""",
        arg=[left, top],
    )
    canvas = stage.page.locator(".masks-map canvas").first
    canvas.click(position={"x": left + 2.5 * pitch_x, "y": top + 3.5 * pitch_y})
    query = int((90 + 3.5 * pitch_y) // pitch_y)
    assert stage.in_room()["chosen"] == {"query": query, "key": 2}
    room = stage.press("[data-sentence='0']")
    study = assert_masks_are_the_models(stage, room)
    pads = list(study.broken.keys.kinds).count("pad")
    labels = room["maps"][0]["column_labels"]
    shown = labels.count("pad")
    assert pads > 40 and labels[-1] == f"+{pads - shown}"
    room = stage.press("[data-act=masks-fold]")
    assert room["maps"][0]["column_labels"].count("pad") == pads
    assert_masks_are_the_models(stage, room)


def assert_passes_are_the_models(stage, room):
    """One pass and many steps, at the last step but one."""
    model, batch = batch_of(stage, room)
    decoding = Tracer(model).evaluate(batch.recipes[room["shown"]])
    passes = study_passes(model, decoding, room["site"])
    head = (room["lock"]["layer"], room["lock"]["head"])
    T = len(passes.fed)
    stage.page.locator(".masks-passes .slider").fill(str(T - 2))
    room = stage.in_room()
    assert room["step"] == T - 2
    once, stepped, difference = (one["values"] for one in room["maps"])
    one_pass_QK, steps_QK = np.stack(passes.once)[head], np.stack(passes.stepped)[head]
    np.testing.assert_allclose(once, one_pass_QK, rtol=1e-6)
    assert stepped[T - 2 :] == [[None] * len(stepped[0])] * 2
    np.testing.assert_allclose(stepped[: T - 2], steps_QK[: T - 2], rtol=1e-6)
    apart = one_pass_QK - steps_QK
    np.testing.assert_allclose(difference[: T - 2], apart[: T - 2], atol=1e-12)
    table = {row[0]: row[1:] for row in room["passes"]["table"]}
    assert table["predicted"][: T - 1] == table["fed in"][1:]
    told = [float(p) for p in table["p, one pass"]]
    np.testing.assert_allclose(told, passes.once_probability_T, atol=6e-4)
    size = f"{passes.weights_apart:.1e}".replace("e-0", "e−").replace("e-", "e−")
    assert f"weights {size}" in room["passes"]["apart"]


def test_on_a_phone_masks_are_broken_and_mended_and_sentences_added_edited_and_removed(visit):
    stage = visit(PHONE, "dark")
    stage.enter("masks")
    room = stage.press("[data-act=masks-try]")
    assert room["breaks"] == ["causal-mask:none"]
    assert "of all attention goes to the future" in " ".join(room["check"]["findings"])
    lock = stage.press(".masks-findings .as-link")["lock"]
    study = assert_masks_are_the_models(stage, room)
    distances = [float(row[-1].lstrip("<")) for row in room["check"]["table"][1:]]
    np.testing.assert_allclose(distances, study.changes[room["shown"]].distance_T, atol=1e-3)
    room = stage.press("[data-act=masks-where]")
    assert room["chosen"]["query"] == study.changes[room["shown"]].distance_T.argmax()
    assert "though it should not" in room["reading"] and room["lock"] != lock

    assert stage.press("[data-act=masks-restore]")["breaks"] == []
    stage.press("[data-masks-pads='no-pad-mask']")  # of the target: the causal mask hides them
    room = stage.press("[data-act=masks-where]")
    assert room["site"] == "cross"
    assert room["maps"][5]["column_kinds"][room["chosen"]["key"]] == "pad"
    assert stage.press("[data-elsewhere=encoder]")["site"] == "encoder"

    stage.press("[data-masks-site=decoder]")
    for name, edit in (("causal", "causal-mask:behind"), ("fill", "finite-mask")):
        before = stage.press(f"[data-masks-{name}='{edit}']")
    assert len(before["breaks"]) == 3
    assert_masks_are_the_models(stage, before)
    room = stage.press("[data-tool=language]")
    assert room["breaks"] == before["breaks"] and room["sentences"] == before["sentences"]
    assert room["maps"][5]["values"] == before["maps"][5]["values"]
    assert_nothing_sticks_out(stage)
    stage.press("[data-tool=language]")
    stage.press("[data-masks=passes]")
    for site in ("decoder", "cross"):
        assert_passes_are_the_models(stage, stage.press(f"[data-masks-site={site}]"))
    expect(stage.page.locator("[data-masks-site=encoder]")).to_be_hidden()

    # Sentences are added, edited, shown and removed, and one too long is named.
    stage.anew("")
    stage.enter("masks")
    for text in HOSTILE:
        stage.press("[data-act=masks-add]")
        room = rewrite(stage, text)
        assert room["sentences"][-1] == text
        assert_masks_are_the_models(stage, room)
        assert room["batch"][2 * room["shown"]][-1] in ("pad", "end")
    assert stage.page.evaluate("() => document.querySelectorAll('.stage img').length") == 0
    room = stage.press("[data-sentence='1']")
    field = stage.page.locator(".masks-edit")
    stage.page.locator("[data-act=masks-edit]").click()
    field.fill("not this")
    field.press("Escape")
    field.wait_for(state="detached")
    assert stage.in_room()["sentences"] == room["sentences"]
    stage.page.locator("[data-act=masks-edit]").click()
    assert rewrite(stage, "Where is my hat?")["sentences"][1] == "Where is my hat?"
    expect(field).to_have_count(0)
    room = stage.press("[data-sentence='2']")
    assert room["shown"] == 2
    before = room["sentences"]
    room = stage.press("[data-act=masks-remove]")
    assert room["sentences"] == before[:2] + before[3:]
    assert_masks_are_the_models(stage, room)
    stage.press("[data-act=masks-add]")
    room = stage.press("[data-act=masks-add]")
    assert len(room["sentences"]) == 6
    expect(stage.page.locator("[data-act=masks-add]")).to_be_disabled()
    field.fill("cat " * 80)
    field.press("Enter")
    words = stage.page.get_by_role("alert")
    words.wait_for()
    assert "Sentence 6" in words.inner_text() and "64" in words.inner_text()
    assert stage.in_room()["maps"] == room["maps"]
