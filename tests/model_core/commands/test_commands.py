import io
import json
import subprocess
import sys

import numpy as np
import pytest

from model_core.__main__ import main, options
from model_core.commands.options import model_folder
from model_core.decoding.tracer import Tracer
from model_core.folders import CHECKPOINTS
from model_core.models.own import open_own
from model_core.training.commands.train import left_out
from model_core.values.recipe import Recipe, Strategy
from tests.conftest import ROOT
from tests.tiny import tiny_checkpoint, trained_checkpoint

TOO_LONG = "cat " * 40


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny_checkpoint(folder)
    return str(folder)


@pytest.fixture
def type_in(monkeypatch):
    def give(*lines):
        typed = io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines)), "utf-8")
        monkeypatch.setattr(sys, "stdin", typed)

    return give


def expected(model, text, **strategy):
    tracer = Tracer(open_own(model))
    kind = Strategy("sample", **strategy) if strategy else Strategy()
    text = tracer.text(tracer.extend(Recipe("tiny", text, strategy=kind), None)[1])
    return " ".join(text.splitlines())


def test_edits_change_what_is_traced_and_bad_ones_are_named(model, tmp_path, capsys):
    trace = ["trace", "--model", model, "--text", "The old cat.", "-o", str(tmp_path / "a.json")]
    assert main([*trace, "--edit", "hide:1", "--edit", "no-scale"]) == 0
    written = json.loads((tmp_path / "a.json").read_text())
    assert written["recipe"]["edits"] == ["hide:1", "no-scale"]
    assert not np.array(written["arrays"]["cross.1.mask_QK"])[:, 0].any()
    assert main([*trace, "--edit", "head-off:cross.9.1"]) == 1
    assert "has 3 layers of 4 heads" in capsys.readouterr().err


def test_a_text_is_translated(model, capsys):
    assert main(["translate", "--model", model, "--text", "The old cat."]) == 0
    assert capsys.readouterr() == (expected(model, "The old cat.") + "\n", "")


OF_A_MODEL = {
    "translate": [],
    "trace": ["--text", "a", "-o", "a.npz"],
    "info": [],
    "evaluate": [],
    "card": [],
    "align": [],
    "guide": ["--data", "DIR", "-o", "new"],
    "heads": [],
    "mean": ["--with", "en-de", "-o", "new"],
    "backtranslate": ["--texts", "FILE", "--data", "DIR", "--out", "FILE"],
}


@pytest.mark.parametrize(("command", "others"), OF_A_MODEL.items(), ids=OF_A_MODEL)
def test_a_model_is_named_in_the_same_ways_for_every_command(command, others, capsys):
    for named in (["en-fr"], ["--model", "en-fr"]):
        parsed = options().parse_args([command, *named, *others])
        assert model_folder(parsed) == CHECKPOINTS / "en-fr"
    for named in ([], ["en-fr", "--model", "en-fr"]):
        with pytest.raises(SystemExit):
            options().parse_args([command, *named, *others])
        assert "--model" in capsys.readouterr().err


@pytest.mark.parametrize("named", [["--model", ""], [""]])
def test_a_model_without_a_letter_is_none(named, capsys):
    assert main(["info", *named]) == 1
    assert "has no name" in capsys.readouterr().err


def test_a_line_goes_out_for_every_line_that_comes_in(model, capsys, type_in):
    type_in(b"The cat.", b"", TOO_LONG.encode(), b"   ", b"half \xff", "été 👧".encode(), b"roof\r")
    assert main(["translate", "--model", model]) == 1
    out, error = capsys.readouterr()
    lines = out.split("\n")
    assert len(lines) == 8 and lines[-1] == ""
    assert [bool(line) for line in lines[:5]] == [True, False, False, False, False]
    assert lines[0] == expected(model, "The cat.") and lines[6] == expected(model, "roof")
    assert lines[5] == expected(model, "été 👧")
    first, second = error.splitlines()
    assert first.startswith("line 3: The sentence has") and "reads 24" in first
    assert second.startswith("line 5: The text has half of a character")


def test_every_line_that_can_be_read_makes_it_a_success(model, capsys, type_in):
    type_in(b"The cat.", b"roof")
    assert main(["translate", "--model", model]) == 0
    assert capsys.readouterr().out.count("\n") == 2


def test_sampling_follows_its_seed(model, capsys):
    command = ["translate", "--model", model, "--text", "The cat.", "--sample", "--seed"]
    outs = []
    for seed in ("4", "4", "5"):
        assert main([*command, seed]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1] == expected(model, "The cat.", seed=4) + "\n" != outs[2]


@pytest.mark.parametrize(
    "wrong", [["--temperature", "0"], ["--top-p", "0"], ["--top-k", "-1"], ["--seed", "-1"]]
)
def test_a_strategy_outside_its_range_is_one_error(model, capsys, type_in, wrong):
    type_in(b"The cat.", b"roof")
    assert main(["translate", "--model", model, "--sample", *wrong]) == 1
    out, error = capsys.readouterr()
    assert out == "" and error.startswith("error: ") and error.count("\n") == 1


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_trace_holds_the_numbers_of_the_decoding(model, tmp_path, capsys, suffix):
    out = tmp_path / f"trace{suffix}"
    command = ["trace", "--model", model, "--text", "The cat.", "--pads", "2", "-o", str(out)]
    assert main(command) == 0
    tracer = Tracer(open_own(model))
    recipe, decoding = tracer.extend(Recipe("tiny", "The cat.", pads=2), None)
    assert capsys.readouterr().out == tracer.text(decoding) + "\n"
    if suffix == ".json":
        labels = json.loads(out.read_text(encoding="utf-8"))
        arrays = {name: np.array(value) for name, value in labels["arrays"].items()}
    else:
        with np.load(out, allow_pickle=False) as stored:
            arrays = dict(stored)
        labels = json.loads(str(arrays["labels"]))
    assert Recipe.from_json(labels["recipe"]) == recipe
    for site, layers in (("encoder", 2), ("decoder", 3), ("cross", 3)):
        for layer in range(layers):
            trace = decoding.trace(site, layer)
            for name in ("weights_HQK", "scores_HQK", "mask_QK"):
                stored = arrays[f"{site}.{layer + 1}.{name}"]
                assert np.array_equal(stored, getattr(trace, name).astype(stored.dtype))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["-o", "trace.csv"], "trace.csv ends in neither .json nor .npz"),
        (["-o", "nowhere/trace.npz"], "nowhere/trace.npz cannot be written: No such file"),
        (["-o", "t.json", "--pads", "99"], "pads is 99; it must be a whole number from 0 to 16"),
        (["-o", "t.json", "--text", TOO_LONG], "Shorten it"),
    ],
)
def test_a_trace_that_cannot_be_written_says_why(
    model, tmp_path, monkeypatch, capsys, changes, message
):
    monkeypatch.chdir(tmp_path)
    assert main(["trace", "--model", model, "--text", "The cat.", *changes]) == 1
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_info_says_what_the_model_is_made_of(model, capsys):
    assert main(["info", "--model", model]) == 0
    out = capsys.readouterr().out
    checkpoint = open_own(model).checkpoint
    parameters = sum(p.numel() for p in checkpoint.model.parameters())
    assert out.startswith(f"tiny: {parameters:,} parameters\n")
    assert "  decoder_layers = 3\n" in out and checkpoint.card in out


def test_a_beam_of_one_says_what_greedy_says_and_sampling_excludes_a_beam(model, capsys):
    command = ["translate", "--model", model, "--text", "The cat."]
    assert main(command) == 0 and main([*command, "--beam", "1"]) == 0
    greedy, beam = capsys.readouterr().out.splitlines()
    assert greedy == beam
    assert main([*command, "--beam", "3"]) == 0 and capsys.readouterr().out.strip()
    assert main([*command, "--beam", "3", "--sample"]) == 1
    assert main([*command, "--beam", "99"]) == 1
    assert "choose one of them" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["translate", "--text", "a"], ["info"]])
def test_an_unknown_model_is_an_error_and_not_a_traceback(capsys, command):
    assert main([*command, "--model", "no-such-model"]) == 1
    out, error = capsys.readouterr()
    assert out == "" and error.startswith("error: There is no checkpoint at ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seed", "-1"], "seed is -1; it must be a whole number from 0"),
        (["--seed", str(2**70)], "seed is a number of more than 20 digits"),
        (["--threads", "-1"], "--threads is -1; it must be 0 or more"),
        (["--out", "."], "Give --out a name"),
        (["--out", "/"], "Give --out a name"),
        (["--out", "file"], "file holds something that is no checkpoint"),
        (["--out", "file/model"], "file/model.training: Not a directory"),
        (["--consistency", "1"], "Set consistency to 0, or dropout_residual to 0.1"),
        (["--learning-rate", "inf"], "learning_rate is inf; it must be a number above 0"),
    ],
)
def test_a_training_that_cannot_begin_says_why(monkeypatch, tmp_path, capsys, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    command = ["train", "--preset", "reverse-tiny", "--out", "model", "--device", "cpu"]
    assert main([*command, *options]) == 1
    out, error = capsys.readouterr()
    assert out == "" and message in error.splitlines()[-1] and "Traceback" not in error
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_snapshots_later_than_the_best_weights_are_told(tmp_path):
    trained_checkpoint(tmp_path / "tiny")  # whose best weights are those of update 3
    assert left_out(tmp_path / "tiny", ()) == left_out(tmp_path / "tiny", (1, 2)) == ""
    told = left_out(tmp_path / "tiny", (1, 3, 4000))
    assert "update 3." in told and told.endswith("has none of 3, 4,000.\n")


@pytest.mark.parametrize("command", [[], ["translate"], ["trace", "--model", "m"], ["fly"]])
def test_a_command_line_that_lacks_something_shows_the_usage(capsys, command):
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2 and "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("command", next(one for one in options()._actions if one.choices).choices)
def test_every_command_explains_itself(capsys, command):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0 and "--" in capsys.readouterr().out


AT_ITS_END = """
import atexit, pathlib, sys
from model_core.__main__ import main
from model_core.decoding.library import Library
from model_core.values.recipe import Recipe

atexit.register(lambda: print("torch._dynamo" in sys.modules, file=sys.stderr))
folder = pathlib.Path(sys.argv[-1])
Library(folder.parent).extend(Recipe(folder.name, "cat"), 1)
sys.exit(main())
"""


def test_a_reader_that_has_seen_enough_ends_it_quietly_and_no_compiler_is_loaded(model):
    command = [sys.executable, "-c", AT_ITS_END, "translate", "--model", model]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        running.stdin.write(b"The cat.\n" * 50)
        running.stdin.close()
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b"False\n"
    assert running.returncode == 0
