"""The interpreter itself, in node: it starts from the pieces, and answers as the service does."""

import gzip
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from model_core.folders import CHECKPOINTS
from tests.javascript.__main__ import program
from tests.live.comparing import apart
from viz_app.live.pieces import live_files, parted
from viz_app.server.service import Service

ROOT = Path(__file__).resolve().parents[3]
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


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What the interpreter answered, which models it asked for, and what it computed."""
    folder = tmp_path_factory.mktemp("pieces")
    for name, content in live_files(CHECKPOINTS, MODELS).items():
        (folder / name).write_bytes(content)
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps({"requests": REQUESTS, "code": [PRODUCTS]}), "utf-8")
    script, engine = ROOT / "tests/live/ask.mjs", ROOT / "viz_app/live/engine.js"
    command = [program(), script, engine, folder, asked, answered]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(answered.read_text("utf-8"))


def test_answers_are_those_of_the_service(ran, tmp_path):
    for name in MODELS:
        (tmp_path / name).symlink_to(CHECKPOINTS / name)
    service = Service(tmp_path)
    for request, found in zip(REQUESTS, ran["answers"], strict=True):
        answer = json.loads(json.dumps(service.answer(request)))
        assert list(apart(answer, found)) == [], request


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
    files = live_files(CHECKPOINTS, ["reverse-tiny"])
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
    assert files == live_files(CHECKPOINTS, ["reverse-tiny"])
