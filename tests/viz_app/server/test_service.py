import dataclasses

import numpy as np
import pytest

from model_core.checkpoints.folder import WEIGHTS
from model_core.decoding.queue import LEAVING, Leaving
from model_core.errors import CheckpointError, CheckpointMissing, RecipeError
from model_core.values.recipe import Recipe, Strategy
from tests.made_up import END, MadeUp
from tests.tiny import tiny_checkpoint
from viz_app.figures.look import LOOK
from viz_app.rooms import ROOMS
from viz_app.server.answers.requests import KINDS
from viz_app.server.service import Service


@pytest.fixture(scope="module")
def service(models):
    return Service(models)


RECIPE = {"model": "tiny", "source": "The old cat."}


def ask(service, **changes):
    return service.answer({"recipe": RECIPE, "extend": 1, "force": None, "have": 0} | changes)


def test_one_step_adds_one_token(service):
    first = ask(service)
    assert len(first["recipe"]["target"]) == 1 and len(first["steps"]) == 2
    second = ask(service, recipe=first["recipe"], have=2)
    assert len(second["recipe"]["target"]) == 2 and len(second["steps"]) == 1


def test_several_steps_at_once_are_those_steps(service):
    """An edit in the middle of stepping decodes as many anew as there were."""
    recipe = RECIPE
    for _ in range(3):
        recipe = ask(service, recipe=recipe)["recipe"]
    at_once = ask(service, extend=3)
    assert at_once["recipe"] == recipe and len(at_once["steps"]) == 4


def test_the_end_is_reached_or_the_limit(service):
    assert ask(service, extend="end")["finished"] in ("end", "limit")


def test_a_forced_token_is_taken_and_marked(service):
    answer = ask(service, force=17)
    assert answer["recipe"]["target"] == [{"token": 17, "how": "forced"}]
    assert answer["chosen"][0]["how"] == "forced"


def test_a_source_over_the_limit_says_both_numbers_and_the_remedy(service):
    error = ask(service, recipe=RECIPE | {"source": "cat " * 60})["error"]
    assert error["kind"] == "SourceTooLong"
    assert "24" in error["message"] and "Shorten it" in error["message"]


def test_bad_requests_get_a_message_and_never_an_exception(service):
    for request in (
        None,
        [],
        {},
        {"recipe": 3},
        {"recipe": RECIPE, "extend": -1},
        {"recipe": RECIPE, "extend": 1.0},
        {"recipe": RECIPE, "extend": [1]},
        {"recipe": RECIPE, "extend": 10**30},
        {"recipe": RECIPE, "extend": True},
        {"recipe": RECIPE, "extend": []},
        {"recipe": RECIPE, "force": "1"},
        {"recipe": RECIPE, "force": 10**9, "extend": 1},
        {"recipe": RECIPE, "force": 0, "extend": 1},
        {"recipe": RECIPE, "have": -1},
        {"recipe": RECIPE, "have": None},
        {"recipe": RECIPE | {"model": "../secrets"}},
        {"recipe": RECIPE | {"source": "\ud800"}},
        {"recipe": RECIPE | {"target": [{"token": -5}]}},
    ):
        assert service.answer(request)["error"]["message"].endswith((".", "!")), request


ODD = [0, -0.0, False, True, None, "", [], {}, -1, 1.5, 10**30, "x", [[]], [0], {"a": 0}]
BESIDE = ("recipe", "extend", "force", "have", "begins", "others", "drawing")
ENVELOPE = (*BESIDE, *(kind.field for kind in KINDS))


@pytest.mark.parametrize("value", [*ODD, "\ud800", float("nan"), float("inf")], ids=repr)
def test_odd_values_anywhere_in_a_request_are_no_bug_of_the_server(service, value):
    requests = [value]
    requests += [{"recipe": RECIPE, name: value} for name in ENVELOPE]
    requests += [{"recipe": RECIPE | {name: value}} for name in vars(Recipe("a", "b"))]
    for kind in ("greedy", "sample", "beam"):
        for name in vars(Strategy()):
            strategy = {"kind": kind, name: value}
            requests.append({"recipe": RECIPE | {"strategy": strategy}, "extend": 1})
    file = {"recipe": RECIPE, "format": "csv"}
    requests += [{"export": file | {name: value}} for name in ("picture", "view", "look")]
    requests += [{"export": file | {"look": {name: value}}} for name in vars(LOOK)]
    for room in ROOMS:
        for field in dataclasses.fields(room.view):
            requests.append({"room": room.name, "recipe": RECIPE, field.name: value})
    for request in requests:
        answer = service.answer(request)
        assert answer.get("error", {}).get("code") != "bug", request


def test_a_browser_that_claims_more_steps_than_there_are_gets_all(service):
    assert ask(service, have=50)["steps_from"] == 0


def test_trace_gives_the_arrays_of_the_decoding(service):
    recipe = service.step(RECIPE)["recipe"]
    traced = service.trace(recipe, "cross", 3)
    decoding = service.library.tracer("tiny").evaluate(Recipe.from_json(recipe))
    assert np.array_equal(traced["weights_HQK"], decoding.trace("cross", 2).weights_HQK)
    assert traced["keys"] == list(decoding.source.pieces)
    assert traced["queries"] == list(decoding.target.pieces)


def test_trace_names_what_there_is(service):
    for site, layer in (("side", 1), ("cross", 0), ("cross", 4), ("encoder", 3)):
        with pytest.raises(RecipeError, match=r"there are|from 1 to"):
            service.trace(RECIPE, site, layer)


def test_an_unknown_model_is_answered_with_the_known_ones(service):
    with pytest.raises(CheckpointMissing, match="there are: tiny"):
        service.translate(RECIPE | {"model": "en-xx"})


def test_a_model_that_does_not_open_is_logged_once_a_minute_however_often_it_is_asked_for(
    tmp_path, caplog
):
    tiny_checkpoint(tmp_path / "worn")
    weights = tmp_path / "worn" / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:100])
    service, now = Service(tmp_path), [0.0]
    service.queue.clock = lambda: now[0]
    for name in ("worn", "worn", "worn@100", "worn@200"):
        with pytest.raises(CheckpointError):
            service.step({"model": name, "source": "The old cat."})
    assert caplog.text.count("cannot be opened") == 1
    now[0] = 61.0
    with pytest.raises(CheckpointError):
        service.step({"model": "worn", "source": "The old cat."})
    assert caplog.text.count("cannot be opened") == 2


def test_a_link_is_answered_with_what_it_shows(service):
    answer = service.answer({"link": "v=3&model=tiny&text=The+old+cat.&target=5&room=masks&at=1"})
    assert [token["token"] for token in answer["recipe"]["target"]] == [5]
    assert (answer["view"]["room"], answer["view"]["at"]) == ("masks", 1)
    carried = service.answer({"link": "v=3&model=tiny&text=The+old+cat."})
    assert carried["finished"] in ("end", "limit") and "steps" in carried


def test_no_link_is_the_page_as_it_opens(service, monkeypatch):
    monkeypatch.setitem(service.models[0], "examples", ["The old cat."])
    answer = service.answer({"link": ""})
    start = service.models[0]["start_on"]
    start = {name: value for name, value in start.items() if value is not None}
    assert answer["recipe"]["model"] == "tiny" and answer["finished"] in ("end", "limit")
    assert {name: answer["view"][name] for name in start} == start


def test_a_hostile_link_is_named_and_never_an_exception(service):
    for link, code in (
        (5, "request"),
        (None, "request"),
        (["v=3"], "request"),
        ("x" * 10**6, "link_long"),
        ("v=3&model=tiny&text=%ed%a0%80", "link_broken"),
        ("v=3&model=tiny&text=\ud83d", "link_broken"),
        ("v=3&model=__proto__&text=A", "link_model"),
        ("v=3&model=tiny&text=A&constructor.prototype=1", "link_broken"),
        ("v=3&model=tiny&text=A&cross=90.0", "link_layer"),
        ("v=3&model=tiny&text=A&target=999999", "token"),
        ("v=3&" + "&".join(f"a{i}=1" for i in range(1000)), "link_broken"),
    ):
        assert service.answer({"link": link})["error"]["code"] == code


class NeverEnds(MadeUp):
    """It may write no end."""

    def logits(self, source, fed):
        logits_V = super().logits(source, fed)
        logits_V[END] = -20
        return logits_V


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_a_model_that_never_ends_is_opened_with_its_first_tokens(service, kind):
    model = NeverEnds(kind, most=60)
    model.name = f"never-ends-{kind}"
    service.add(model)
    source = model.source("the old cat")
    recipe = {"model": model.name, "source": "the old cat"}
    for asked in ({"link": f"v=3&model={model.name}&text=the+old+cat"},
                  {"recipe": recipe, "extend": "opening"}):  # fmt: skip
        opened = service.answer(asked)
        assert len(opened["recipe"]["target"]) == 2 * len(source) + 10
        assert opened["finished"] is None and opened["notice"]["code"] == "opening"
    whole = service.answer({"recipe": opened["recipe"], "extend": "end"})
    assert whole["finished"] == "limit" and "notice" not in whole
    first = service.answer({"recipe": recipe, "extend": "end"})
    assert first["recipe"] == whole["recipe"]


def test_a_model_that_was_trained_here_is_opened_with_all_that_it_writes(service):
    opened = service.answer({"link": "v=3&model=tiny&text=The+cat."})
    whole = service.answer({"recipe": {"model": "tiny", "source": "The cat."}, "extend": "end"})
    assert opened["recipe"] == whole["recipe"] and opened["finished"] and "notice" not in opened


@pytest.mark.parametrize(("kind", "read"), [("decoder", " cat "), ("encoder-decoder", "cat")])
def test_a_beginning_after_a_prompt_keeps_the_space_of_its_first_word(
    service, monkeypatch, kind, read
):
    model = MadeUp(kind)
    asked = []

    def target(text, settings):
        asked.append(text)
        return MadeUp.target(model, text, settings)

    monkeypatch.setattr(model, "target", target)
    service.add(model)
    recipe = {"model": model.name, "source": "the old"}
    answer = service.answer({"recipe": recipe, "extend": 0, "force": None, "begins": " cat "})
    assert "error" not in answer, answer
    assert read in asked


def test_the_pictures_of_a_pack_are_counted_and_end_when_who_asked_has_gone(service, monkeypatch):
    counts, leaving = [], Leaving()

    def draw(figure, format, scale):
        counts.append(service.status("tiny", "mine").get("drawn"))
        if len(counts) > 7:
            leaving.tell()
        return b""

    monkeypatch.setattr("viz_app.files.chromium.CHROMIUM.draw", draw)
    recipe = Recipe("tiny", "The cat.").to_json()
    asked = {"export": {"recipe": recipe, "format": "zip"}, "drawing": "mine"}
    assert service.answer(asked)["name"] == "tiny-lesson.zip" and counts == [0, 1, 2, 3, 4]
    assert "drawn" not in service.status("tiny", "mine")
    token = LEAVING.set(leaving)
    try:
        assert service.answer(asked)["error"]["code"] == "left"
    finally:
        LEAVING.reset(token)
    assert counts[5:] == [0, 1, 2] and "drawn" not in service.status("tiny", "mine")
