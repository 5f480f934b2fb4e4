"""Weights from anywhere: which shapes are read, what does not fit, what is told of the numbers."""

import json
import os
import warnings
from functools import reduce

import numpy as np
import pytest
import torch

from model_core.errors import ExportError, RecipeError
from model_core.values.trace import SITES
from tests.refusals import refusal
from tests.viz_app.files.test_notebook import options
from viz_app import show
from viz_app.commands.open import run
from viz_app.files import arrays as limits
from viz_app.rooms import ROOMS
from viz_app.server.service import Service
from viz_app.text import WORDS


def weights(*shape, seed=0):
    mass = np.exp(3 * np.random.default_rng(seed).standard_normal(shape))
    return (mass / mass.sum(-1, keepdims=True)).astype(np.float32)


def shown_weights(shown, site):
    layers = shown.decoding.layers(site)
    return np.stack([shown.trace(site, layer + 1).weights_HQK for layer in range(layers)])


@pytest.fixture(autouse=True)
def nothing_is_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


WHOLE = weights(2, 3, 4, 5)
FORMS = {
    "numpy": (WHOLE, WHOLE),
    "tensor": (torch.from_numpy(WHOLE).requires_grad_(), WHOLE),
    "double": (torch.from_numpy(WHOLE).double(), WHOLE),
    "lists": (WHOLE.tolist(), WHOLE),
    "one layer": (WHOLE[0], WHOLE[:1]),
    "one head": (WHOLE[0, 0], WHOLE[:1, :1]),
    "a tensor per layer": (tuple(torch.from_numpy(WHOLE)), WHOLE),
    "a batch of one per layer": (tuple(torch.from_numpy(WHOLE[:, None])), WHOLE),
    "arrays in lists": ([list(layer) for layer in WHOLE], WHOLE),
    "bfloat16": (
        torch.from_numpy(WHOLE).bfloat16(),
        torch.from_numpy(WHOLE).bfloat16().float().numpy(),
    ),
}


def test_every_form_is_shown_to_the_last_bit():
    for form, (given, expected) in FORMS.items():
        assert np.array_equal(shown_weights(show(attention=given), "cross"), expected), form


def test_weights_that_nobody_named_go_where_they_belong():
    own = weights(2, 2, 4, 4)
    causal = np.tril(own) / np.tril(own).sum(-1, keepdims=True)
    assert show(attention=own).decoding.layers("encoder") == 2
    assert show(attention=causal).decoding.layers("decoder") == 2
    assert show(attention=own, rows=["abcd"] * 4, columns=list("wxyz")).trace("cross", 1)


def test_several_sites_share_their_labels():
    shown = show(
        encoder=weights(1, 2, 5, 5),
        decoder=weights(2, 2, 3, 3),
        cross=weights(3, 4, 3, 5),
        rows=["a", 2, 3.5],
        columns=np.array(list("vwxyz")),
    )
    tokens = {site: shown.trace(site, 1) for site in SITES}
    assert tokens["cross"].queries.texts == tokens["decoder"].keys.texts == ("a", "2", "3.5")
    assert tokens["cross"].keys.texts == tokens["encoder"].queries.texts == tuple("vwxyz")
    payload = options(shown.html)["payload"]
    assert payload["steps"] == [] and payload["chosen"] == []
    assert payload["attention"]["cross"]["shape"] == [3, 4, 3, 5]


def test_without_labels_places_are_counted_from_1():
    trace = show(attention=weights(2, 3)).trace("cross", 1)
    assert (trace.queries.texts, trace.keys.texts) == (("1", "2"), ("1", "2", "3"))


NAN = WHOLE.copy()
NAN[1, 2, 3, 4] = np.nan
REFUSED = {
    "3 labels in rows, but cross has 4 rows": {"attention": WHOLE, "rows": list("abc")},
    "6 labels in columns, but cross has 5 columns": {"attention": WHOLE, "columns": list("abcdef")},
    "encoder has 4 rows, but encoder has 5 columns": {"encoder": WHOLE},
    "decoder has 3 rows, but cross has 4 rows": {"decoder": weights(3, 3), "cross": WHOLE},
    "encoder has 6 rows, but cross has 5 columns": {"encoder": weights(6, 6), "cross": WHOLE},
    "2 sentences, and 1 is shown": {"cross": [WHOLE, WHOLE]},
    "1 dimensions": {"cross": WHOLE[0, 0, 0]},
    "6 dimensions": {"cross": WHOLE[None, None]},
    "nested too deeply": {"cross": reduce(lambda within, _: [within], range(400), 1.0)},
    "part 1 has shape (3, 4, 5), part 2 has shape (2, 4, 5)": {"cross": [WHOLE[0], WHOLE[1, :2]]},
    "part 1 has shape (2,), part 2 has shape (1,)": {"cross": [[0.5, 0.5], [1.0]]},
    "within part 2, part 1 has shape (2,), part 3 has shape (1,)": {
        "cross": [[[1, 0]] * 3, [[1, 0], [1, 0], [1]]]
    },
    "there is nothing in it": {"cross": WHOLE[:0]},
    "the first, nan, in layer 2, head 3, row 4, column 5": {"cross": NAN},
    "no numbers but": {"cross": [["a", "b"]]},
    "the labels differ": {"encoder": weights(2, 2), "rows": ["a", "b"], "columns": ["a", "c"]},
    "it must be a text": {"cross": WHOLE, "rows": [None, 1, 2, 3]},
    "must be a list of labels, not 'abcd'": {"cross": WHOLE, "rows": "abcd"},
    "must be a list of labels, not 4": {"encoder": WHOLE, "rows": 4, "columns": 5},
    "Label 1 of rows is ": {"encoder": weights(2, 2), "rows": np.eye(2), "columns": np.eye(2)},
    "lone surrogate": {"cross": WHOLE, "rows": ["\ud800", "b", "c", "d"]},
    "201 characters": {"cross": WHOLE, "rows": ["a" * 201, "b", "c", "d"]},
    "beside encoder, decoder or cross": {"attention": WHOLE, "cross": WHOLE},
    "leave out model": {"cross": WHOLE, "model": "en-fr"},
    "leave out step": {"cross": WHOLE, "step": 1},
    "layer is 3; it must be a whole number from 1 to 2": {"cross": WHOLE, "layer": 3},
    "There is no site 'encoder'; there are cross": {"cross": WHOLE, "site": "encoder"},
}


def test_what_does_not_fit_is_named_with_both_numbers():
    for message, given in REFUSED.items():
        assert message in str(refusal(show, **given))


def test_a_page_has_limits_and_names_them(monkeypatch):
    with pytest.raises(RecipeError, match="4 rows and 2049 columns; 2048 of each"):
        show(cross=np.zeros((4, 2049)))
    with pytest.raises(RecipeError, match="1025 × 1 heads; 1024 are shown"):
        show(cross=np.zeros((1025, 1, 2, 2)))
    monkeypatch.setattr(limits, "MOST_NUMBERS", 100)
    with pytest.raises(RecipeError, match="There are 120 weights; a page holds 100"):
        show(cross=WHOLE)


@pytest.mark.parametrize(
    ("code", "place", "value", "said"),
    [
        ("row_sums", np.s_[1, 2, 3], 0.5, "1 of 24 rows do not sum to 1; the first, 2.5, in "
         "layer 2, head 3, row 4"),
        ("below_zero", np.s_[0, 0, 1, 2], -0.25, "1 of 120 numbers are below 0; the first, -0.25, "
         "in layer 1, head 1, row 2, column 3"),
        ("above_one", np.s_[0, 1, 0, 0], 1.5, "numbers are above 1; the first, 1.5, in "
         "layer 1, head 2, row 1, column 1"),
    ],
)  # fmt: skip
def test_numbers_that_are_no_weights_are_told_of_and_shown(code, place, value, said):
    odd = WHOLE.copy()
    odd[place] = value
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        shown = show(cross=odd)
    assert any(said in str(one.message) for one in told)
    assert all(one.filename == __file__ for one in told)  # it points at the call of show
    assert code in options(shown.html)["models"][0]["anatomy"]["unusual"]
    assert np.array_equal(shown_weights(shown, "cross"), odd)
    assert all(f"unusual_{code}" in words for words in WORDS.values())


def test_a_row_without_any_key_is_empty_and_no_error():
    empty = WHOLE.copy()
    empty[:, :, 3] = 0
    shown = show(cross=empty)
    assert options(shown.html)["models"][0]["anatomy"]["unusual"] == []


def test_what_needs_a_model_says_why_in_both_languages():
    shown = show(cross=WHOLE)
    said = WORDS["en"]["error_lacks_no_model"]
    for room in ROOMS:
        if room.name == "translate":
            continue
        assert room.lacks(limits.given({"cross": WHOLE}, None, None, "mine").anatomy) == "no_model"
        with pytest.raises(RecipeError) as caught:
            shown.figure(next(iter(room.views)))
        assert str(caught.value) == said
    assert WORDS["zh"]["error_lacks_no_model"] != said
    with pytest.raises(RecipeError, match="no steps"):
        shown.figure("candidates")


def test_a_served_page_offers_them_and_refuses_to_run(tmp_path):
    shown, service = show(cross=WHOLE, name="mine"), Service(tmp_path)
    service.add(limits.given({"cross": WHOLE}, None, None, "mine"))
    recipe = shown.recipe.to_json()
    assert service.answer({"recipe": recipe, "extend": "end"})["attention"]["cross"]["shape"]
    forced = service.answer({"recipe": recipe, "extend": 1, "force": 0})
    assert "error" in forced
    masks = {"recipe": recipe, "room": "masks", "sentences": ["a"], "shown": 1, "site": "cross"}
    assert service.answer(masks)["error"]["code"] == "lacks_no_model"


def test_figures_and_files_hold_the_given_numbers(tmp_path):
    shown = show(cross=WHOLE, rows=list("abcd"))
    figure = shown.figure(layer=2, head=3)
    assert np.array_equal(np.asarray(figure.data[0].z, np.float32), WHOLE[1, 2])
    with np.load(shown.save(tmp_path / "a.npz", "heads")) as file:
        assert np.array_equal(file["cross.weights_LHQK"], WHOLE)
        assert not [name for name in file.files if "scores" in name]  # nobody knows them
    with np.load(shown.save(tmp_path / "b.npz", layer=1, head=2)) as file:
        assert np.array_equal(file["cross.weights_QK"], WHOLE[0, 1])
    with pytest.raises(ExportError, match="no steps"):
        shown.save(tmp_path / "a.gif")


def test_a_file_opens_as_the_same_page(tmp_path, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    np.savez(tmp_path / "mine.npz", cross=WHOLE, rows=np.array(list("abcd")))
    assert run([str(tmp_path / "mine.npz")]) == 0
    page = (tmp_path / "mine.html").read_text(encoding="utf-8")
    assert (
        options(page)["payload"]
        == options(show(cross=WHOLE, rows=list("abcd"), name="mine").html)["payload"]
    )
    assert opened == [(tmp_path / "mine.html").resolve().as_uri()]
    assert run([str(tmp_path / "mine.npz")]) == 1 and "is there already" in capsys.readouterr().err
    (tmp_path / "mine.json").write_text(json.dumps({"cross": WHOLE.tolist(), "rows": list("abcd")}))
    assert run([str(tmp_path / "mine.json"), "-o", str(tmp_path / "other.html")]) == 0
    assert (tmp_path / "other.html").read_text(encoding="utf-8") == page and len(opened) == 1


def test_another_file_is_refused_by_name(tmp_path, capsys):
    for name, content, said in (
        ("a.json", b'{"weights": [[1]]}', "'weights'; known are attention"),
        ("a.json", b'{"rows": []}', "none of attention"),
        ("a.json", b"{", "cannot be read"),
        ("a.json", b"[" * 100_000, "cannot be read"),
        ("a.json", b"3", "must hold an object"),
        ("a.npz", b"PK", "cannot be read"),
        ("a.pt", b"", "must be a .npz or a .json file"),
        ("none.npz", None, "cannot be read"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        assert run([str(tmp_path / name)]) == 1
        assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("*.html"))


def test_a_packed_file_unpacks_to_so_many_bytes_and_its_damage_is_named(
    tmp_path, capsys, monkeypatch
):
    np.savez_compressed(tmp_path / "a.npz", cross=np.zeros((1000, 10)))
    content = (tmp_path / "a.npz").read_bytes()
    (tmp_path / "b.npz").write_bytes(content[:150] + b"\xff" * 20 + content[170:])
    assert run([str(tmp_path / "b.npz")]) == 1
    assert "b.npz cannot be read" in capsys.readouterr().err
    monkeypatch.setattr(limits, "MOST_BYTES", 50_000)
    assert len(content) < 50_000 and run([str(tmp_path / "a.npz")]) == 1
    assert "unpacks to 80,128 bytes; at most 50,000" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.npz", "a.json"])
def test_a_pipe_and_a_file_larger_than_is_read_are_named_at_once(name, tmp_path, capsys):
    pipe, sparse = tmp_path / name, tmp_path / f"b{name}"
    os.mkfifo(pipe)
    with sparse.open("wb") as file:
        file.truncate(30 * 10**9)
    assert run([str(pipe)]) == 1
    assert "not a regular file" in capsys.readouterr().err
    assert run([str(sparse)]) == 1
    assert "30,000,000,000 bytes; at most" in capsys.readouterr().err


def test_nothing_is_unpickled(tmp_path, capsys):
    class Bad:
        def __reduce__(self):
            return print, ("unpickled",)

    np.savez(tmp_path / "a.npz", cross=np.array([Bad()], object))
    assert run([str(tmp_path / "a.npz")]) == 1
    out = capsys.readouterr()
    assert "cannot be read" in out.err and "unpickled" not in out.out


def test_labels_and_names_cannot_turn_into_code():
    bad = "</script><img src=x onerror=alert(1)>"
    page = show(cross=weights(1, 2), rows=[bad], columns=[bad, "<!--"], name=bad).html
    assert bad not in page and "<!--" not in page
