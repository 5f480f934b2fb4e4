"""What B is: the tokens that it is fed, what stands there unasked, and what is refused."""

import numpy as np
import pytest

from model_core.values.recipe import Choice, Recipe
from tests.viz_app.rooms.compare.asking import OTHER, SENTENCE, A, B, ask
from viz_app.limits import DEMO
from viz_app.server.service import Service


def test_b_is_fed_the_tokens_of_a_and_then_every_row_has_its_like(service, recipe):
    own = ask(service, recipe, b=B)
    fed = ask(service, recipe, b=B, feed="a")
    assert (own["fed"], fed["fed"], fed["unfed"]) == (False, True, None)
    assert fed["runs"][0]["target"]["ids"] == fed["runs"][1]["target"]["ids"]
    assert all(i == j for i, j in fed["row_pairs"]) and fed["parting"] is None
    assert {a == b for a, b in fed["words"]} <= {True}
    chosen = fed["runs"][1]["recipe"]
    its = service.library.extend(Recipe.from_json(chosen), None)[1]
    for step in fed["steps"][:-1]:  # what B itself thinks of what it is fed
        log_V = its.steps[step["b"]].log_probabilities_V
        token = its.target.ids[step["b"] + 1]
        (taken,) = [one["b"] for one in step["candidates"] if one["taken"][1]]
        assert taken == pytest.approx(float(np.exp(log_V[token])))
    # It writes its own again.
    again = ask(service, recipe, b=chosen, feed="own")
    assert again["runs"][1]["recipe"] == own["runs"][1]["recipe"]


def test_a_model_that_lacks_a_token_is_not_fed_and_the_token_is_named(service):
    decoder = service.answer(
        {"recipe": {"model": "made-up-decoder", "source": "the cat"}, "extend": 2}
    )
    b = Recipe("tiny", SENTENCE).to_json()
    answer = ask(service, decoder["recipe"], b=b, feed="a")
    assert not answer["fed"] and answer["unfed"]["because"] == "vocabulary"
    named = answer["unfed"]["token"]
    tracers = [service.library.tracer(name) for name in ("made-up-decoder", "tiny")]
    theirs, ours = (
        dict(zip(labels.texts, labels.pieces, strict=True))
        for labels in (one.labels(range(one.anatomy.target_vocabulary)) for one in tracers)
    )
    chosen = [one["token"] for one in decoder["recipe"]["target"]]
    assert named in tracers[0].labels(chosen).texts
    assert theirs[named] not in ours.values()


def test_a_model_that_numbers_its_tokens_otherwise_is_fed_those_that_are_spelled_alike(bundled):
    """The usual B of en-fr: of its 8,000 tokens all but a few are spelled as some of en-fr."""
    recipe = Recipe("en-fr", "I have not eaten since this morning.")
    recipe, decoding = bundled.library.extend(recipe, None)
    answer = ask(bundled, recipe.to_json(), feed="a")
    a, b = answer["runs"]
    assert b["recipe"]["model"] == "en-fr-prenorm" and answer["fed"] and answer["unfed"] is None
    assert a["target"]["pieces"] == b["target"]["pieces"] == list(decoding.target.pieces)
    assert a["target"]["ids"] != b["target"]["ids"]
    assert answer["parting"] is None and all(i == j for i, j in answer["row_pairs"])


def test_what_b_is_where_nothing_is_said(service, recipe):
    assert ask(service, recipe)["runs"][1]["recipe"]["model"] == "twin"
    edited = service.answer({"recipe": A | {"edits": ["head-off:cross.1.1"]}, "extend": "end"})
    untouched = ask(service, edited["recipe"])["runs"][1]["recipe"]
    assert untouched["model"] == "tiny" and "edits" not in untouched


def test_b_whose_model_has_other_weights_now_is_translated_anew(service, recipe):
    kept = Recipe("twin", OTHER, (Choice(9),)).to_json()
    assert ask(service, recipe, b=kept)["runs"][1]["target"]["ids"][1] == 9
    stale = ask(service, recipe, b=kept, weights="01234567")
    assert stale["stale"] and stale["runs"][1]["recipe"]["target"][0]["how"] == "greedy"


def test_models_without_a_common_attention_are_refused_in_one_sentence(service):
    decoder = service.answer({"recipe": {"model": "made-up-decoder", "source": "the cat"}})
    b = Recipe("made-up-encoder", "the cat").to_json()
    answer = service.answer({"room": "compare", "recipe": decoder["recipe"], "b": b})
    assert answer["error"]["code"] == "compare_sites"
    same = Recipe("made-up-decoder", "a dog sings").to_json()
    assert ask(service, decoder["recipe"], b=same)["site"] == "decoder"


@pytest.mark.parametrize(
    ("b", "code"),
    [
        ({"model": "twin", "source": "a" * (DEMO.characters + 1)}, "characters"),
        ({"model": "twin", "source": "a", "pads": DEMO.pads + 1}, "limit_pads"),
        ({"model": "twin", "source": "a " * 25}, "compare_tokens"),
        ({"model": "nobody", "source": "a"}, "model"),
        ({"model": "twin", "source": "a", "target": [{"token": 999_999}]}, "token"),
        ({"model": "twin"}, None),
        ("twin", None),
    ],
)
def test_b_has_the_limits_of_any_recipe(service, recipe, b, code):
    strict = Service(service.checkpoints, DEMO)
    error = strict.answer({"room": "compare", "recipe": recipe, "b": b})["error"]
    assert code is None or error["code"] == code
