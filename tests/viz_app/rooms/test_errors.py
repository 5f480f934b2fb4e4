"""What a visitor can get wrong in a room is told in every language."""

import pytest

from tests.tiny import tiny_checkpoint
from viz_app.server.service import Service
from viz_app.text import WORDS

LONG = "cat " * 60  # tokens; the model reads 24
ENDLESS = "a" * 1001  # characters
HALF = "cat \ud83d"

CELL = {"room": "inside", "view": "cell", "site": "encoder", "layer": 0, "head": 0, "query": 0}
WAY = {"room": "inside", "view": "way", "side": "source", "position": 0}
STUDIES = [{"room": "positions", "study": name} for name in ("sum", "order", "outcome", "rotary")]
BATCH = {"room": "masks", "view": "masks", "site": "encoder", "shown": None}


ROTARY, ORDER = STUDIES[3], STUDIES[1]
TABLE = {"room": "positions", "study": "table"}
PASSES = BATCH | {"view": "passes", "site": "decoder"}
ODD_PLACES = ("nowhere", [], [{}], {}, {"a": 0}, -7, 99, 10**30, True, 0.5, 1.0, "0", float("nan"))
ODD_CHOICES = ("nowhere", "x" * 10_000, [], ["cell"], [{}], {}, -7, 3, True)


def each(request, values, *names):
    return [request | {name: value} for name in names for value in values]


# What no page of this version and these models would send: code -> requests.
REFUSED = {
    "choice": [
        *each(CELL, ODD_CHOICES, "view", "site"),
        *each(WAY, ODD_CHOICES, "side"),
        *each(TABLE, ODD_CHOICES, "study", "kind", "side"),
        *each(STUDIES[0], ODD_CHOICES, "side"),
        *each(ORDER, ODD_CHOICES, "site"),
        *each(BATCH | {"sentences": ["cat"]}, ODD_CHOICES, "view", "site"),
    ],
    "place": [
        *each(CELL, ODD_PLACES, "layer", "head", "query"),
        *each(WAY, ODD_PLACES, "position"),
        *each(ROTARY, ODD_PLACES, "layer", "head", "query", "key"),
        *each(ORDER, ODD_PLACES, "layer", "head", "at", "order", "rows"),
        *each(ORDER, ([0], [0] * 20, [True, False], [10**30] * 20), "order", "rows"),
        STUDIES[2] | {"order": [1, 1, 0]},
        *each(BATCH | {"sentences": ["cat"]}, ODD_PLACES, "shown"),
        *each(BATCH, ("The cat.", ["a", 3], -7, {"pads": 1}), "sentences"),
    ],
    "batch": each(BATCH, ([], ["cat"] * 7), "sentences"),
    "edit": each(BATCH, (["causal-mask:no"], ["hide:1"], [1]), "breaks"),
    "request": [
        {"room": "kitchen"},
        {"room": 3},
        *each(BATCH, ("causal-mask:none", {"causal": "none"}, -7), "breaks"),
        BATCH | {"causal": "none"},
        BATCH | {"__init__": "x"},
        PASSES | {"site": "encoder"},
    ],
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny")
    tiny_checkpoint(root / "odd-heads", head_width=5)
    tiny_checkpoint(root / "odd-width", width=25, head_width=6, positions="learned")
    return Service(root)


def told(service, request, source="cat", model="tiny", **recipe):
    recipe = {"model": model, "source": source, **recipe}
    error = service.answer({**request, "recipe": recipe})["error"]
    for language in WORDS.values():
        sentence = language.get(f"error_{error['code']}", error["message"])
        assert "{" not in sentence.format(**error["values"], message=error["message"])
    assert f"error_{error['code']}" in WORDS["zh"]
    return error


def test_a_sentence_the_model_cannot_read_is_told_in_both_languages(service):
    for request in (*STUDIES, CELL, WAY):
        for source, code in ((LONG, "tokens"), (ENDLESS, "characters"), (HALF, "half_character")):
            assert told(service, request, source)["code"] == code
        error = told(service, request, "cat " * 4, pads=16)
        assert error["code"] == "tokens" and error["values"]["limit"] == 24
    for view, site in (("masks", "encoder"), ("passes", "decoder")):
        for source, code in ((LONG, "tokens"), (ENDLESS, "characters"), (HALF, "half_character")):
            asked = BATCH | {"view": view, "site": site, "sentences": ["cat", source]}
            error = told(service, asked)
            assert error["code"] == f"sentence_{code}" and error["values"]["number"] == 2


def test_a_model_whose_sizes_are_odd_says_so_in_both_languages(service):
    rotary, table = ({"room": "positions", "study": name} for name in ("rotary", "table"))
    assert told(service, rotary, model="odd-heads")["values"] == {"n": 5}
    error = told(service, table | {"kind": "rotary"}, model="odd-heads")
    assert error["code"] == "odd_heads"
    error = told(service, table | {"kind": "sinusoidal"}, model="odd-width")
    assert (error["code"], error["values"]) == ("odd_width", {"n": 25})


@pytest.mark.parametrize("code", REFUSED)
def test_what_no_page_would_send_is_told_in_both_languages(service, code):
    for request in REFUSED[code]:
        error = told(service, request, "a cat .")
        assert error["code"] == code, request
        assert error["message"].endswith(".") and len(error["message"]) < 400, request


def test_a_recipe_that_no_model_here_has_is_told_in_both_languages(service):
    targets = (3, [3], [{"token": -1}])
    malformed = (
        *(None, [], {}, {"model": 3}, {"model": "tiny", "source": "a", "pads": -1}),
        *({"model": "tiny", "source": "a", "target": target} for target in targets),
    )
    for request in (*STUDIES, CELL, WAY, BATCH | {"sentences": ["cat"]}):
        for recipe in malformed:
            error = service.answer({**request, "recipe": recipe})["error"]
            assert error["code"] == "request", recipe
        for name in ("gone", "../secrets"):
            assert told(service, request, model=name)["code"] == "model"
    for request in (*STUDIES, CELL, WAY):
        for target, code in (([{"token": 9}] * 60, "full"), ([{"token": 400_000}], "token")):
            assert told(service, request, target=target)["code"] == code
    assert all("error_request" in language for language in WORDS.values())
