"""The array module answers what torch answers: every kind of request, and whole translations."""

import json
import os
import random
import subprocess
import sys

import pytest

from model_core.folders import CHECKPOINTS
from tests.live import greedy
from tests.live.asking import EDITS, answers, translations
from tests.live.comparing import apart
from tests.live.greedy import Counts
from viz_app.menu.catalogue import models_of
from viz_app.rooms.examples import EXAMPLES

# No letter twice: of two equal keys hard attention takes the one that rounding makes greater.
ASKED = (
    ("en-fr", "The old cat sleeps."),
    ("zh-en", "我们不知道。"),
    ("reverse-rotary", "fast cible"),
    ("reverse-additive", "fast cible"),
    ("reverse-hard", "fast cible"),
    ("reverse-no-positions", "fast cible"),
    ("tutorial-joined-heads", "fast cible"),
    ("tutorial-convolutions", "fast cible"),
)
# Two hypotheses of its beam for the usual string are equally likely, and stand in either order.
_STRINGS = {"tutorial-bilinear": "quick lamp"}
# With --whole every checkpoint that comes with the program.
WHOLE = (
    *ASKED,
    *(
        (
            one["name"],
            _STRINGS.get(one["name"], "fast cible")
            if "reversed" in one["languages"]
            else one["examples"][0],
        )
        for one in models_of(CHECKPOINTS)[0]
        if one["of"] is None and one["name"] not in dict(ASKED)
    ),
)
# Of the same numbers in another order, which NumPy here rounds by where they stand, so that hard
# attention takes another key. The kernel of a browser does not: test_inside.py asks it.
ROUNDED = ("reverse-hard", 'room positions {"study": "order", "site": "encoder"}')


def _translated():
    """Sentences made of the words of the examples, and strings of letters."""
    draw = random.Random(7)
    words = " ".join(EXAMPLES["en", "fr"]).split()
    letters = "abcdefghijklmnopqrstuvwxyz"
    return (
        ("en-fr", [" ".join(draw.choices(words, k=draw.randint(2, 7))) for _ in range(20)]),
        ("reverse-rotary", ["".join(draw.choices(letters, k=12)) for _ in range(40)]),
        ("reverse-hard", ["".join(draw.choices(letters, k=12)) for _ in range(40)]),
    )


def asked_of(config):
    """Models, each with a sentence and the edits that are tried: of each of eight models a quarter,
    so every edit in two of them; with --whole all of them."""
    if config.getoption("--whole"):
        return [(*one, EDITS) for one in WHOLE]
    return [(*one, EDITS[number % 4 :: 4]) for number, one in enumerate(ASKED)]


def pytest_generate_tests(metafunc):
    if "number" in metafunc.fixturenames:
        models = [model for model, *_ in asked_of(metafunc.config)]
        metafunc.parametrize("number", range(len(models)), ids=models)


@pytest.fixture(scope="module")
def by_arrays(tmp_path_factory, pytestconfig):
    """What a process without torch answers."""
    folder = tmp_path_factory.mktemp("arrays")
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(
        json.dumps({"asked": asked_of(pytestconfig), "translated": _translated()}), "utf-8"
    )
    command = [sys.executable, "-m", "tests.live.asking", asked, answered]
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # more wait for each other
    done = subprocess.run(command, env=one_thread, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(answered.read_text("utf-8"))


def test_every_request_is_answered_as_torch_answers_it(number, bundled, by_arrays, pytestconfig):
    asked = asked_of(pytestconfig)[number]
    expected, found = answers(bundled, *asked), dict(by_arrays["answers"][number])
    differing = {}
    for what, answer in expected:
        if (asked[0], what) == ROUNDED:
            continue
        if found_apart := list(apart(json.loads(json.dumps(answer)), found[what])):
            differing[what] = found_apart[:3]
    assert not differing


def test_five_hundred_sentences_are_translated_alike(pytestconfig):
    """Those of `python -m tests.live.greedy`, which also prints how many part at a tie."""
    if not pytestconfig.getoption("--whole"):
        pytest.skip("translated with --whole")
    assert greedy.main(500 // len(greedy.MODELS))


def test_greedy_translations_are_the_same_but_where_two_tokens_are_as_likely(bundled, by_arrays):
    counts = Counts()
    for (model, sentences), found in zip(_translated(), by_arrays["translations"], strict=True):
        written = translations(bundled, model, sentences)
        for sentence, one, other in zip(sentences, written, found, strict=True):
            counts.add(f"{model}: {sentence}", one, other)
    assert not counts.others
    assert counts.ties <= 3
