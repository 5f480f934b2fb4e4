"""Whatever is sent, nothing but a named error escapes: right values, changed at random."""

import copy
import json
import random
from dataclasses import asdict

import pytest

from model_core.checkpoints.heads import HeadFacts
from model_core.checkpoints.history import HistoryFacts
from model_core.checkpoints.training import Training
from model_core.errors import Bug, VisualiserError
from model_core.values.checked import kinds
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.evaluation import (
    AlignmentHead,
    Evaluation,
    HandRate,
    Judged,
    LengthScore,
    Score,
    SearchScore,
)
from model_core.values.recipe import Recipe, Strategy
from tests.tiny import tiny_checkpoint, tiny_config
from viz_app.figures.look import Look
from viz_app.files.making import file_request
from viz_app.files.picture import picture
from viz_app.lessons.lesson import FOLDER, read_written
from viz_app.links.link import read_link, write_link
from viz_app.rooms import ROOMS
from viz_app.server.answers.ahead import checked_ahead
from viz_app.server.answers.requests import checked
from viz_app.server.bringing import read_hints
from viz_app.server.service import Service

STRATEGY = Strategy("sample", temperature=0.5, top_k=3, top_p=0.9, seed=7)
EDITS = ("head-off:cross.2.3", "hide:2")
RECIPE = Recipe("tiny", "The old cat.", strategy=STRATEGY, edits=EDITS, settings=(("to", "x"),))
CHOSEN = [{"token": 5, "how": "greedy"}, {"token": 9, "how": "forced"}]
JSON = RECIPE.to_json() | {"target": CHOSEN}
PLAIN = {"model": "tiny", "source": "The old cat.", "target": CHOSEN, "pads": 1}
ODD = [
    *(None, True, False, 0, -1, 1, 2**63, 10**400, 1.5, float("nan"), float("inf"), -0.0, 1e308),
    *("", "x", "\ud800", "\0", "a" * 5000, "head-off:cross.1.1", "hide:1", "0", "٣", "\uff11"),
    *([], [[]], [None], ["x", 1], [1, 2, 3], ["hide:1"] * 40, [{"token": 1, "how": "forced"}]),
    *({}, {"a": 1}, {"": {}}, {"kind": "beam", "width": 4}),
]
NAMES = ("x", "", "recipe", "site", "layer", "kind")


def view_of(room):
    """A value for each choice of a room that is one word, one number, or yes or no."""
    plain = [one for one in kinds(room.view).values() if not one.is_list]
    words = {one.name: one.words[0] for one in plain if one.words}
    return words | {one.name: one.type(1) for one in plain if one.type in (int, bool)}


def made(value):
    """The picture of a name and its choices."""
    name, choices = value if isinstance(value, list) and len(value) == 2 else (value, {})
    return picture(name, **choices) if isinstance(choices, dict) else picture(choices)


FILE = {"recipe": JSON, "picture": "cross", "view": {"site": "cross", "layer": 1}, "format": "svg"}
FILE |= {"look": {"theme": "dark"}, "lesson": "pads.2", "sites": ["cross"], "pictures": "png"}
PICTURE = {"site": "cross", "layer": 1, "head": 2, "query": 1, "by": "words"}
PICTURE |= {"reading": "norms", "sentences": ["a"], "breaks": ["no-pad-mask"], "step": 3}
HINTS = {"path": "/nonexistent/x", "tokenizers": ["/a", "/b"], "layout": "hkproj", "heads": 4}
FACTS = {"format": 1, "fingerprint": "0", "sentences": [["a", "b"]], "tokens": [["a", "text"]]}
FACTS |= {"measures": {"cross": ["links"]}, "words": {"cross": ["a"]}, "corpus": "mine"}
FACTS |= {"source_tokens": 2, "target_tokens": 2, "targets": "none", "loss": None, "exact": 0.5}
NOTED = {"format": 1, "fingerprint": "0", "score": "exact", "broken": ""}
NOTED |= {"sentences": [[[1, 2], [1, 3, 2]]]}
HEAD = AlignmentHead(1, 2, 0.5, 0.5, 0.5, True, "fed", (HandRate("formal", 2, 0.5),), ((1, 2),))
SEARCH = SearchScore(1, 50, Score(9, None, "x"), None, (LengthScore(1, None, 2, 50, None, None),))
FOUND = Evaluation("x", 2, "0", 0.6, 1.5, (SEARCH,), (Judged("a", "b", True, False),), HEAD)
READERS = {
    "heads": (HeadFacts.from_json, FACTS),
    "history": (HistoryFacts.from_json, NOTED),
    "recipe": (Recipe.from_json, JSON),
    "look": (Look.from_json, {"size": "slide", "theme": "dark", "width": 80, "title": True}),
    "model": (ModelConfig.from_json, asdict(tiny_config())),
    "training": (Training.from_json, Training(config=TrainConfig(), evaluation=FOUND).to_json()),
    "file": (file_request, FILE),
    "hints": (read_hints, HINTS | {"settings": ["positions=rotary"]}),
    "decoding": (checked, {"recipe": JSON, "extend": 1, "force": None, "have": 0}),
    "ahead": (checked_ahead, {"recipe": JSON, "have": 1, "next": 2, "others": [3, 4]}),
    "picture": (made, ["cross", PICTURE]),
}
READERS |= {f"view of {room.name}": (room.view.from_json, view_of(room)) for room in ROOMS}
ASKED = [
    *({"recipe": PLAIN} | more for more in ({"extend": 1, "have": 0}, {"force": 5}, {"have": 1})),
    {"recipe": PLAIN, "extend": "end", "begins": "a"},
    {"recipe": PLAIN, "next": 1, "have": 0, "others": [3, 4]},
    {"recipe": PLAIN, "export": {"picture": "cross", "view": {"layer": 0}, "format": "csv"}},
    {"link": "v=3&model=tiny&text=The+old+cat."},
    *({"lesson": {"name": "shift", "model": "tiny"}}, {"lessons": True}, {"status": "tiny"}),
    *({"bring": {"path": "/nonexistent"}}, {"brought": True}, {"training": {"do": "list"}}),
    *({"room": room.name, "recipe": PLAIN} for room in ROOMS),
    *({"room": room.name, "recipe": PLAIN} | view_of(room) for room in ROOMS),
]
IN_LINKS = (
    "&text=a",
    "%ff",
    "%ED%A0%80",
    "&set.=",
    "&cross=1.2",
    "&target=",
    "&beam=99",
    "&how=gg",
)
IN_LINKS += ("&masks.site=x", "&compare.b=v=3", *"&=%.#+0٣x\0é\ud800;- ")


def mutated(value, rolls):
    """A copy of a JSON value with something in it put in, left out, or made something else."""
    if isinstance(value, dict | list) and value and rolls.random() < 0.8:
        copied = copy.copy(value)
        at = rolls.choice(list(value)) if isinstance(value, dict) else rolls.randrange(len(value))
        roll = rolls.random()
        if roll < 0.15:
            del copied[at]
        elif roll < 0.25 and isinstance(value, dict):
            copied[rolls.choice(NAMES)] = rolls.choice(ODD)
        else:
            copied[at] = mutated(value[at], rolls)
        return copied
    return rolls.choice(ODD)


def all_mutated(value, seed, count):
    """Of a value, one in eight changed thrice."""
    rolls = random.Random(seed)
    for at in range(count):
        changed = mutated(value, rolls)
        yield mutated(mutated(changed, rolls), rolls) if at % 8 == 0 else changed


def takes_or_names(read, sent):
    """Whether it was taken; it fails, and prints what was sent, where anything else is raised."""
    try:
        read(sent)
        return True
    except VisualiserError:
        return False
    except Exception as error:
        pytest.fail(f"{type(error).__name__}: {error!s:.200} of {sent!r:.1000}")


@pytest.mark.parametrize("name", READERS)
def test_what_reads_a_value_takes_it_or_names_what_is_wrong(name):
    read, value = READERS[name]
    read(value)  # which is right
    taken = [takes_or_names(read, sent) for sent in all_mutated(value, name, 200)]
    assert not all(taken)


def test_a_lesson_is_taken_or_named():
    path = FOLDER / "pads.json"
    lesson = json.loads(path.read_text(encoding="utf-8"))
    for sent in all_mutated(lesson, "lesson", 100):
        takes_or_names(lambda text: read_written("pads", text), json.dumps(sent))


def test_a_link_is_read_or_named():
    rolls = random.Random("link")
    link = write_link(RECIPE, {"room": "masks", "choices": {"site": "cross"}, "at": 0})
    read_link(link)
    for _ in range(1000):
        sent = link
        for _ in range(rolls.randint(1, 6)):
            at = rolls.randrange(len(sent))
            sent = sent[:at] + rolls.choice(("", *IN_LINKS)) + sent[at + rolls.randrange(2) :]
        takes_or_names(read_link, sent)


def test_a_request_is_answered_or_refused_by_name(tmp_path, caplog):
    tiny_checkpoint(tmp_path / "tiny")
    service, rolls, codes = Service(tmp_path), random.Random("requests"), set()
    for _ in range(200):
        sent = mutated(rolls.choice(ASKED), rolls) if rolls.random() < 0.9 else rolls.choice(ASKED)
        if isinstance(sent, dict) and "begin" in str(sent.get("training")):
            continue  # it would train
        caplog.clear()
        answer = service.answer(sent)
        code = answer["error"]["code"] if "error" in answer else "answered"
        assert code != Bug.code, f"{sent!r:.1000}\n{caplog.text}"
        codes.add(code)
    assert codes >= {"answered", "request", "place", "choice"}
