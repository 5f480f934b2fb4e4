import csv
import errno
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.errors import ExportError
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint
from viz_app.__main__ import main
from viz_app.commands.export import run
from viz_app.files.making import file_of, file_request, name_of
from viz_app.files.picture import picture, picture_of
from viz_app.rooms import pictures
from viz_app.rooms.translate.highlight import highlight_step
from viz_app.server.service import Service
from viz_app.site.building import read_sentences, write_site

TEXT = "The old cat."


@pytest.fixture(scope="module")
def checkpoints(library):
    return library.root


def export(checkpoints, *words):
    return run(["--model", "tiny", *map(str, words)], checkpoints)


def test_the_numbers_of_the_file_are_the_models(checkpoints, tmp_path, capsys):
    out = tmp_path / "new" / "cross.json"
    chosen = ("--view", "cross", "--layer", 2, "--head", 3, "-o", out)
    assert export(checkpoints, "--text", TEXT, *chosen) == 0
    assert capsys.readouterr().out.strip() == str(out)
    stored = json.loads(out.read_text(encoding="utf-8"))
    recipe, decoding = Library(checkpoints).extend(Recipe("tiny", TEXT), None)
    weights_QK = np.array(stored["tables"]["cross"]["values"]["weights_QK"], np.float32)
    np.testing.assert_array_equal(weights_QK, decoding.trace("cross", 1).weights_HQK[2])
    assert Recipe.from_json(stored["recipe"]) == recipe
    shown = picture("cross", layer=2, head=3, step=1 + highlight_step(decoding, 1, 2))
    assert picture_of(stored["picture"], stored["view"]) == shown


@pytest.mark.parametrize("name", pictures())
def test_every_view_has_its_data_from_the_command_line(checkpoints, tmp_path, name):
    out = tmp_path / f"{name}.csv"
    site = "decoder" if name == "passes" else "cross"
    words = ("--text", TEXT, "--view", name, "--site", site, "-o", out)
    assert export(checkpoints, *words) == 0
    assert out.stat().st_size > 50


def test_a_folder_is_compared_with_a_model_beside_it_or_with_one_of_the_checkpoints(
    checkpoints, tmp_path, capsys
):
    for name in ("mine", "other"):
        tiny_checkpoint(tmp_path / name)
    for name, status in (("other", 0), ("tiny", 0), ("nobody", 1)):
        words = ["--model", str(tmp_path / "mine"), "--with", name, "--view", "compare"]
        words += ["--text", TEXT, "-o", str(tmp_path / f"{name}.json")]
        assert run(words, checkpoints) == status, capsys.readouterr().err
    assert "There is no model 'nobody'" in capsys.readouterr().err
    assert json.loads((tmp_path / "tiny.json").read_text())["view"]["b"]["model"] == "tiny"


def test_a_file_of_sentences_becomes_a_folder_and_tells_what_cannot_be_read(
    checkpoints, tmp_path, capsys
):
    sentences = tmp_path / "sentences.txt"
    sentences.write_text(f"{TEXT}\n\n{'cat ' * 60}\nThe cat.\n", encoding="utf-8")
    out = tmp_path / "folder"
    assert export(checkpoints, "--texts", sentences, "--format", "csv", "-o", out) == 1
    assert sorted(path.name for path in out.iterdir()) == ["0001.csv", "0004.csv", "index.csv"]
    index = list(csv.DictReader((out / "index.csv").read_text("utf-8-sig").splitlines()))
    tracer = Library(checkpoints).tracer("tiny")
    for row, line, text in zip(index, ("1", "4"), (TEXT, "The cat."), strict=True):
        assert (row["line"], row["file"]) == (line, f"{int(line):04d}.csv")
        assert row["sentence"] == text
        translation = tracer.text(tracer.extend(Recipe("tiny", text), None)[1])
        assert row["translation"].split() == translation.split()
    told = capsys.readouterr().err
    assert "line 3" in told and "Shorten it" in told


@pytest.mark.parametrize("source", ["pack", "numbers"])
def test_a_recipe_is_read_back_from_what_was_written(checkpoints, tmp_path, source):
    recipe, decoding = Library(checkpoints).extend(Recipe("tiny", TEXT), 3)
    written = recipe.to_json() if source == "pack" else {"recipe": recipe.to_json(), "tables": {}}
    path, out = tmp_path / "recipe.json", tmp_path / "x.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    assert (
        run(["--recipe", str(path), "--view", "cross", "--head", "2", "-o", str(out)], checkpoints)
        == 0
    )
    stored = json.loads(out.read_text(encoding="utf-8"))
    assert Recipe.from_json(stored["recipe"]) == recipe  # nothing is decoded on
    weights_QK = np.array(stored["tables"]["cross"]["values"]["weights_QK"], np.float32)
    np.testing.assert_array_equal(weights_QK, decoding.trace("cross", 2).weights_HQK[1])


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        ("{", (), "cannot be read as JSON"),
        ("[]", (), "JSON object"),
        ('{"model": "tiny", "source": "a"}', ("--pads", "2"), "leave out --pads"),
        ('{"model": "tiny", "source": "a"}', ("--model", "tiny"), "leave out --model"),
        ('{"model": "tiny", "source": "a"}', ("--top-k", "2"), "leave out --top-k"),
        ('{"model": "tiny", "source": "a"}', ("--edit", "no-scale"), "leave out --edit"),
        ('{"model": "tiny", "source": "a"}', ("--set", "to=fr"), "leave out --set"),
    ],
)
def test_a_recipe_that_cannot_be_read_is_told(checkpoints, tmp_path, capsys, content, more, said):
    path = tmp_path / "recipe.json"
    path.write_text(content)
    assert run(["--recipe", str(path), *more, "-o", str(tmp_path / "x.csv")], checkpoints) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("form", ["-o {}", "-o{}", "--out={}", "--ou {}"])
def test_the_command_in_a_pack_names_no_folder(checkpoints, tmp_path, monkeypatch, form):
    wanted = []
    monkeypatch.setattr(
        "viz_app.commands.export.content_of", lambda _, one: wanted.append(one) or b""
    )
    (tmp_path / "b.json").write_text('{"model": "tiny", "source": "a"}')
    words = form.format(f"{tmp_path}//private/./lesson.zip").split()
    words += ["--text", "a/b", "--checkpoints", checkpoints, "--with", tmp_path / "b.json"]
    assert export(checkpoints, *words) == 0
    command = wanted[0].command
    assert "lesson.zip" in command and "a/b" in command
    assert str(tmp_path) not in command and str(checkpoints) not in command
    words[-1] = "hf:somebody/model"
    assert export(checkpoints, *words) == 0
    assert "--with hf:somebody/model" in wanted[1].command


@pytest.mark.parametrize(
    "words",
    [
        ("--text", TEXT, "-o", "x.bmp"),
        ("--text", TEXT, "-o", "x"),
        ("--text", TEXT, "--layer", 9, "-o", "x.csv"),
        ("--text", TEXT, "--scale", 7, "-o", "x.png"),
        ("--texts", "no-such-file", "-o", "x"),
        ("--text", "", "--view", "way", "--query", 70, "-o", "x.csv"),
    ],
)
def test_what_cannot_be_made_is_told_and_leaves_nothing(
    checkpoints, tmp_path, monkeypatch, capsys, words
):
    monkeypatch.chdir(tmp_path)
    assert export(checkpoints, *words) == 1
    assert capsys.readouterr().err.startswith("error: ")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told(checkpoints, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "x.csv"
    assert export(checkpoints, "--text", TEXT, "-o", out) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_help_names_every_view(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["export", "--help"])
    assert set(pictures()) <= set(re.findall(r"[\w-]+", capsys.readouterr().out))


def request(**changes):
    return {"recipe": Recipe("tiny", TEXT).to_json(), "format": "json"} | changes


def test_the_page_is_answered_with_a_named_file(checkpoints):
    asked = request(picture="cross", view={"layer": 1, "head": 0})
    answer = Service(checkpoints).answer({"export": asked})
    assert answer["name"] == "tiny-cross-layer2-head1.json"
    assert answer["type"] == "application/json" and answer["data"]


def test_bad_requests_get_a_message_and_never_an_exception(checkpoints):
    service = Service(checkpoints)
    for asked in (
        None,
        [],
        {},
        request(format="exe"),
        request(format=[]),
        request(picture="../.."),
        request(view=3),
        request(look={"size": "wall"}),
        request(look={"ink": "red"}),
        request(look=7),
        request(look={"scale": 99}),
        request(look={"scale": None}),
        request(look={"title": "no"}),
        request(scale=2),
        request(sites=[]),
        request(sites=["everywhere"]),
        request(sites=[{}]),
        request(layers=[]),
        request(heads=[0]),
        request(layers=["1"]),
        request(heads=[True]),
        request(layers=[1] * 1000),
        request(pictures="gif"),
        request(pictures=["svg"]),
        request(shell="ls"),
        request(picture="scores", view={"sentences": ["a"] * 9}),
        request(recipe={"model": "../secrets", "source": "a"}),
    ):
        assert service.answer({"export": asked})["error"]["message"].endswith("."), asked


def test_a_files_name_has_only_letters_that_every_system_takes():
    wanted = file_request(request(recipe=Recipe("../我 a:b", TEXT).to_json()))
    assert name_of(wanted).count("/") == 0 and ":" not in name_of(wanted)


@pytest.mark.parametrize(
    ("picture", "ending", "name"),
    [
        ("cross", "png", "cross-layer2-head4-step3.png"),
        ("lines", "svg", "lines-cross-layer2-head4-step3.svg"),
        ("heads", "pdf", "heads-cross-step3.pdf"),
        ("candidates", "csv", "candidates-step3.csv"),
        ("cross", "gif", "decode-cross-layer2-head4.gif"),  # which has every step
        ("lines", "gif", "decode-lines-cross-layer2-head4.gif"),
        ("cross", "zip", "lesson.zip"),
        ("beam", "png", "beam.png"),
        ("measures", "png", "measures.png"),
        ("head", "png", "head-cross-layer2-head4.png"),
        ("compare", "png", "compare-cross-layer2-head4.png"),
    ],
)
def test_a_files_name_says_what_it_shows_and_no_more(picture, ending, name):
    shown = {"site": "cross", "layer": 1, "head": 3} | (
        {"at": 2, "stepping": True} if pictures()[picture].name == "translate" else {}
    )
    model = request()["recipe"]["model"]
    assert (
        name_of(file_request(request(picture=picture, view=shown, format=ending)))
        == f"{model}-{name}"
    )


def test_a_file_that_is_too_large_is_not_sent():
    answer = file_of(file_request(request()), lambda: b"12345", 5)
    assert answer["data"] == "MTIzNDU="
    with pytest.raises(ExportError, match="6 bytes"):
        file_of(file_request(request()), lambda: b"123456", 5)


def test_the_page_chooses_the_layers_the_heads_and_the_format_of_a_pack():
    chosen = file_request(request(format="zip", layers=[2, 1], heads=[4], pictures="svg"))
    assert (chosen.layers, chosen.heads, chosen.pictures) == ([2, 1], [4], "svg")
    open_ = file_request(request(format="zip"))
    assert (open_.layers, open_.heads, open_.pictures) == ((), (), "png")


@pytest.mark.parametrize("option", ["--recipe", "--texts"])
def test_a_pipe_or_a_device_in_the_place_of_a_file_is_refused_at_once(
    checkpoints, tmp_path, capsys, option
):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        words = () if option == "--recipe" else ("--model", "tiny")
        asked = [*words, option, str(path), "-o", str(tmp_path / "x.csv")]
        assert run(asked, checkpoints) == 1
        assert f"{path} is not a regular file" in capsys.readouterr().err
    with pytest.raises(ExportError, match="not a regular file"):
        read_sentences(tmp_path / "pipe", ["tiny"])


def full(path, content):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_with_the_name_of_the_file(checkpoints, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Path, "write_bytes", full)
    out = tmp_path / "x.csv"
    assert export(checkpoints, "--text", TEXT, "-o", out) == 1
    assert f"{out} cannot be written: No space left" in capsys.readouterr().err
    with pytest.raises(OSError, match="No space left") as error:
        write_site(tmp_path / "site", {"a/b.html": b"x"})
    assert error.value.filename == str(tmp_path / "site" / "a" / "b.html")
