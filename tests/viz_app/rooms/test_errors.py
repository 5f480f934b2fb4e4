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


@pytest.mark.parametrize("request_", [*STUDIES, CELL, WAY], ids=str)
@pytest.mark.parametrize(
    ("source", "code"), [(LONG, "tokens"), (ENDLESS, "characters"), (HALF, "half_character")]
)
def test_a_sentence_the_model_cannot_read_is_told_in_both_languages(
    service, request_, source, code
):
    assert told(service, request_, source)["code"] == code


@pytest.mark.parametrize("request_", [*STUDIES, CELL, WAY], ids=str)
def test_pads_beyond_the_limit_are_told_in_both_languages(service, request_):
    error = told(service, request_, "cat " * 4, pads=16)
    assert error["code"] == "tokens" and error["values"]["limit"] == 24


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (LONG, "sentence_tokens"),
        (ENDLESS, "sentence_characters"),
        (HALF, "sentence_half_character"),
    ],
)
@pytest.mark.parametrize("view", ["masks", "passes"])
def test_a_sentence_of_a_batch_is_named_in_both_languages(service, view, source, code):
    site = "decoder" if view == "passes" else "encoder"
    request = BATCH | {"view": view, "site": site, "sentences": ["cat", source]}
    error = told(service, request)
    assert error["code"] == code and error["values"]["number"] == 2


@pytest.mark.parametrize("sentences", [[], ["cat"] * 7])
def test_a_batch_of_the_wrong_size_is_told_in_both_languages(service, sentences):
    assert told(service, BATCH | {"sentences": sentences})["code"] == "batch"


def test_a_model_whose_sizes_are_odd_says_so_in_both_languages(service):
    rotary, table = ({"room": "positions", "study": name} for name in ("rotary", "table"))
    assert told(service, rotary, model="odd-heads")["values"] == {"n": 5}
    error = told(service, table | {"kind": "rotary"}, model="odd-heads")
    assert error["code"] == "odd_heads"
    error = told(service, table | {"kind": "sinusoidal"}, model="odd-width")
    assert (error["code"], error["values"]) == ("odd_width", {"n": 25})


@pytest.mark.parametrize(
    "request_",
    [
        *(CELL | {name: 99} for name in ("layer", "head", "query")),
        WAY | {"position": 99},
        *({"room": "positions", "study": "rotary", name: 99} for name in ("layer", "head", "key")),
        {"room": "positions", "study": "order", "order": [0]},
        {"room": "positions", "study": "order", "rows": [0]},
        BATCH | {"sentences": ["cat"], "shown": 3},
    ],
    ids=str,
)
def test_a_page_older_than_its_model_is_told_in_both_languages(service, request_):
    assert told(service, request_)["code"] == "place"


MALFORMED = [
    {"room": "kitchen"},
    {"room": 3},
    *(CELL | {name: value} for name in CELL for value in (None, [], "nowhere", -7, {})),
    *(WAY | {name: value} for name in WAY for value in (None, [], "nowhere", -7, {})),
    *(study | {"study": value} for study in STUDIES[:1] for value in (None, [], "nowhere")),
    *({"room": "positions", "study": "table", "kind": value} for value in (None, 1, "nowhere")),
    *({"room": "positions", "study": "sum", "side": value} for value in (None, 1, "nowhere")),
    *(
        {"room": "positions", "study": "order", name: value}
        for name in ("order", "rows", "site", "layer", "head", "at")
        for value in ("nowhere", [{}], [0, 0, 0, 0], -7, True)
    ),
    *(
        BATCH | {"sentences": ["cat"], name: value}
        for name in ("view", "site", "shown", "breaks", "sentences")
        for value in ("nowhere", [3], -7, {"pads": 1}, {"hats": "none"}, {"causal": "nowhere"})
    ),
    BATCH | {"view": "passes", "sentences": ["cat"], "site": "encoder"},
]


@pytest.mark.parametrize("request_", MALFORMED, ids=str)
def test_what_no_page_would_send_is_told_in_both_languages(service, request_):
    answer = service.answer({**request_, "recipe": {"model": "tiny", "source": "a cat ."}})
    if "error" in answer:
        error = told(service, request_)
        assert error["code"] in ("request", "place", "batch", "choice", "edit")


@pytest.mark.parametrize(
    "recipe",
    [None, [], {}, {"model": 3}, {"model": "tiny", "source": "a", "pads": -1}]
    + [{"model": "tiny", "source": "a", "target": value} for value in (3, [3], [{"token": -1}])],
    ids=str,
)
@pytest.mark.parametrize("request_", [*STUDIES, CELL, WAY, BATCH | {"sentences": ["cat"]}], ids=str)
def test_a_malformed_recipe_is_told_in_both_languages(service, request_, recipe):
    error = service.answer({**request_, "recipe": recipe})["error"]
    assert error["code"] == "request"
    assert all("error_request" in language for language in WORDS.values())


@pytest.mark.parametrize("request_", [*STUDIES, CELL, WAY, BATCH | {"sentences": ["cat"]}], ids=str)
def test_a_model_that_is_gone_is_told_in_both_languages(service, request_):
    assert told(service, request_, model="gone")["code"] == "model"
