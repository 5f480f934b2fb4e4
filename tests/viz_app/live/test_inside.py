"""The interpreter itself, in node: it starts from the pieces, and answers as the service does."""

import base64
import gzip
import io
import json
import re
import subprocess

import numpy as np
import pytest

from model_core.folders import CHECKPOINTS
from tests.conftest import ROOT
from tests.javascript.__main__ import program
from tests.live.comparing import apart
from viz_app.live.pieces import Pieces, parted
from viz_app.server.service import Service

MODELS = ("en-fr", "reverse-hard")
FRENCH = {"version": 1, "model": "en-fr", "source": "The old cat sleeps.", "pads": 0, "target": []}
DRAWN = {"kind": "sample", "seed": 3, "temperature": 1.0}
LETTERS = FRENCH | {"model": "reverse-hard", "source": "fast cible"}
REQUESTS = (
    {"recipe": FRENCH, "extend": "end"},
    {"recipe": FRENCH, "extend": 1},
    {"room": "inside", "recipe": FRENCH, "view": "cell", "site": "encoder", "query": 2},
    {"recipe": LETTERS, "extend": "end"},
    {"room": "positions", "recipe": LETTERS, "study": "order", "site": "encoder"},
    {"recipe": FRENCH | {"model": "nowhere"}, "extend": 1},
    {"recipe": LETTERS | {"strategy": DRAWN}, "extend": "end"},
    {"recipe": LETTERS | {"edits": ["dropout:3"]}, "extend": "end"},
)
# Files of a finished translation, by their endings.
MADE = ("npz", "json", "csv", "html")
TARGET = (699, 2396, 2267, 5099, 270, 2)
# Folders of visitors that are no checkpoints.
BROUGHT = (
    {"name": "bert", "files": {"config.json": '{"model_type": "bert"}'}},
    {"name": "mine", "files": {"config.json": "{"}},
)
# Products of many shapes: how far each is from one in float64, and whether its rows depend on
# how many there are.
PRODUCTS = """
import json
import numpy as np
from viz_app.live.arrays.functional import Products
draw, apart, alone = np.random.default_rng(0), [], []
shapes = ((1, 256, 768), (1, 68, 61), (2, 64, 130), (4, 256, 256), (7, 128, 33), (60, 768, 256))
for M, K, N in shapes:
    x, w, b = (draw.standard_normal(shape, np.float32) for shape in ((M, K), (N, K), (N,)))
    made = Products.kernel(x, w, b)
    exact = x.astype(float) @ w.T.astype(float) + b
    apart.append(float(np.abs(made - exact).max() / np.abs(exact).max()))
    each = np.concatenate([Products.kernel(row[None], w, b) for row in x])
    alone.append(bool((each == made).all()))
    apart.append(float(np.abs(Products.kernel(x, w, None) + b - made).max()))
refused = [
    Products.kernel(np.ones((1, 66), np.float32), np.ones((99, 66), np.float32), None),
    Products.kernel(np.ones((1, 64)), np.ones((99, 64)), None),
]
json.dumps([apart, alone, [one is None for one in refused]])
"""


OPTIONS = re.compile('<script type="application/json" id="options">(.*?)</script>', re.S)


def file_wanted(ending):
    target = [{"token": token, "how": "greedy"} for token in TARGET]
    recipe = FRENCH | {"target": target}
    return {
        "export": {
            "recipe": recipe,
            "picture": "cross",
            "view": {"site": "cross"},
            "format": ending,
        }
    }


def content_of(answer):
    return base64.b64decode(answer["data"])


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What the interpreter answered, which models it asked for, and what it computed."""
    folder = tmp_path_factory.mktemp("pieces")
    for name, content in Pieces.of(CHECKPOINTS, MODELS).files.items():
        (folder / name).write_bytes(content)
    asked, answered = folder / "asked.json", folder / "answered.json"
    requests = [*REQUESTS, *map(file_wanted, MADE), *({"bring": one} for one in BROUGHT)]
    asked.write_text(json.dumps({"requests": requests, "code": [PRODUCTS]}), "utf-8")
    script = ROOT / "tests/live/ask.mjs"
    command = [program(), script, ROOT / "viz_app/live/interpreter.js", folder, asked, answered]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(answered.read_text("utf-8"))


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkpoints")
    for name in MODELS:
        (folder / name).symlink_to(CHECKPOINTS / name)
    return Service(folder)


def test_answers_are_those_of_the_service(ran, service):
    for request, found in zip(REQUESTS, ran["answers"], strict=False):
        answer = json.loads(json.dumps(service.answer(request)))
        assert list(apart(answer, found)) == [], request


def test_data_are_those_of_the_service_and_name_what_computed_them(ran, service):
    files = dict(zip(MADE, ran["answers"][len(REQUESTS) :], strict=False))
    expected = {ending: service.answer(file_wanted(ending)) for ending in MADE}
    assert {one: answer["name"] for one, answer in files.items()} == {
        one: answer["name"] for one, answer in expected.items()
    }
    here, there = (
        {one: content_of(answer) for one, answer in of.items()} for of in (files, expected)
    )
    found, wanted = json.loads(here["json"]), json.loads(there["json"])
    assert found.pop("engine") == "NumPy 2.2.5 in a browser"
    assert wanted.pop("engine").startswith("torch ")
    assert list(apart(wanted, found)) == []
    assert here["csv"].splitlines()[0] == there["csv"].splitlines()[0]
    assert here["csv"].count(b"\r\n") == there["csv"].count(b"\r\n") > 10
    one, other = (np.load(io.BytesIO(of["npz"])) for of in (here, there))
    assert one.files == other.files
    np.testing.assert_allclose(
        one["cross.weights_QK"], other["cross.weights_QK"], rtol=0, atol=1e-5
    )
    assert json.loads(str(one["labels"]))["engine"] == "NumPy 2.2.5 in a browser"


def test_a_page_that_is_saved_is_the_one_of_the_service_and_names_what_computed_it(ran, service):
    pages = [
        content_of(answer).decode()
        for answer in (
            ran["answers"][len(REQUESTS) + MADE.index("html")],
            service.answer(file_wanted("html")),
        )
    ]
    here, there = ([*re.split(OPTIONS, page)] for page in pages)
    assert [here[0], here[2]] == [there[0], there[2]]
    found, wanted = json.loads(here[1]), json.loads(there[1])
    assert found.pop("computes") == "NumPy 2.2.5 in a browser"
    assert wanted.pop("computes").startswith("torch ")
    assert list(apart(wanted, found)) == []


def test_what_cannot_be_opened_there_is_told(ran):
    of_library, damaged = (answer["error"] for answer in ran["answers"][-len(BROUGHT) :])
    assert of_library["code"] == "own_hub"
    assert "mine" in damaged["message"] and damaged["code"] != "bug"


def test_a_model_is_asked_for_when_a_request_needs_it(ran):
    assert ran["absent"] == list(MODELS)


def test_the_kernel_makes_the_products_of_numpy_row_by_row(ran):
    far, alone, refused = json.loads(ran["ran"][0])
    assert max(far) < 1e-5
    assert all(alone)
    assert all(refused)


def test_weights_in_planes_take_less_and_are_put_together_again():
    content = np.linspace(-1, 1, 1000, dtype=np.float16).tobytes() + b"!"
    lying = parted(content, 2)
    assert lying[:1000] == content[:2000:2]
    assert lying[1000:2000] == content[1:2000:2]
    assert lying[2000:] == b"!"
    assert parted(content, 1) == content


def test_pieces_are_named_with_their_sizes_and_hold_what_the_folder_has():
    files = Pieces.of(CHECKPOINTS, ["reverse-tiny"]).files
    pieces = json.loads(files["pieces.json"])
    model = pieces["models"]["reverse-tiny"]
    named = [*pieces["interpreter"].values(), *pieces["packages"].values(), *model.values()]
    assert all(len(files[piece["path"]]) == piece["bytes"] for piece in named)
    piece = model["model.safetensors"]
    parted_ = gzip.decompress(files[piece["path"]])
    rows = np.frombuffer(parted_[: len(parted_) // piece["planes"] * piece["planes"]], np.uint8)
    woven = rows.reshape(piece["planes"], -1).T.tobytes()
    assert (
        woven + parted_[len(woven) :]
        == (CHECKPOINTS / "reverse-tiny" / "model.safetensors").read_bytes()
    )
    assert files == Pieces.of(CHECKPOINTS, ["reverse-tiny"]).files
