"""The README's recipe for a language pair of one's own, on a made-up one."""

import itertools
import random
import re
import shlex
from pathlib import Path

import pytest
from gradio_client import Client

import viz_app.__main__ as viz_app
from model_core.__main__ import main
from model_core.checkpoints.store import Checkpoint, open_checkpoint
from tests.serving import serve

README = (Path(__file__).resolve().parents[4] / "README.md").read_text(encoding="utf-8")
RECIPE = re.findall(r"^(python -m .*\bmy-(?:pairs|data|models)\b.*)$", README, re.MULTILINE)[:3]

ADJECTIVES = ["kalo", "mivu", "rasti", "peno", "zuri", "wabo", "tefi", "nolu"]
NOUNS = ["dama", "figo", "senu", "burak", "tilo", "hesta", "mopi", "garu", "lenda", "sovi"]
VERBS = ["pitar", "lomar", "feskar", "dunar", "brikar", "ostar"]
# A model that learns this in seconds; the preset is for real ones.
SMALL = """--vocabulary 420 --width 48 --feed-forward-width 128 --encoder-layers 1
    --decoder-layers 1 --encoder-heads 4 --decoder-heads 4 --dropout-embedding 0
    --dropout-residual 0 --dropout-attention 0 --updates 90 --warmup 20 --cooldown 45
    --validate-every 90 --learning-rate 8e-3 --batch-tokens 1024 --precision float32
    --threads 1 --device cpu"""


def translated(words: tuple[str, ...]) -> str:
    """The cipher: words end in -en, and an adjective follows its noun."""
    adjective, noun, verb, other, object_ = (word[:-1] + word[-1] * 2 + "en" for word in words)
    return f"{noun} {adjective} {object_} {other} {verb} !"


def sentences() -> list[tuple[str, str]]:
    rng = random.Random(5)
    every = list(itertools.product(ADJECTIVES, NOUNS, VERBS, ADJECTIVES, NOUNS))
    chosen = rng.sample(every, 2500)
    return [(" ".join(words).capitalize() + ".", translated(words)) for words in chosen]


def run(command: str, more: str = "") -> int:
    return main([*shlex.split(command.split("-m model_core")[1]), *shlex.split(more)])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the first two commands of the recipe were run."""
    place = tmp_path_factory.mktemp("own")
    lines = ["\t".join(pair) for pair in sentences()]
    lines[7:7] = ["no tab at all", lines[0]]
    (place / "my-pairs.tsv").write_text("\n".join(lines) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        assert run(RECIPE[0], "--valid 100") == 0
        assert run(RECIPE[1], SMALL) == 0
    return place


@pytest.fixture(scope="module")
def checkpoint(place: Path) -> Checkpoint:
    return open_checkpoint(place / "my-models" / "my-pair")


def test_the_recipe_has_three_commands() -> None:
    assert [command.split()[2] for command in RECIPE] == ["model_core", "model_core", "viz_app"]


def test_the_model_has_learnt_the_language(checkpoint: Checkpoint) -> None:
    assert checkpoint.training.scores["chrf"] > 75
    assert checkpoint.training.preset == "own-pair"
    assert checkpoint.training.command.startswith(
        "python -m model_core train --preset own-pair --data my-data --out my-models/my-pair"
    )


def test_what_it_learnt_from_is_what_was_prepared(place: Path, checkpoint: Checkpoint) -> None:
    pairs = (place / "my-data" / "train.tsv").read_text().splitlines()
    assert checkpoint.training.training_pairs == len(pairs)
    left_out = (place / "my-data" / "left_out.tsv").read_text()
    assert "8\ttoo few columns" in left_out and "9\tduplicate: the same pair as line 1" in left_out


def test_the_app_shows_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    words = shlex.split(RECIPE[2].split("-m viz_app")[1])
    folder = viz_app.options().parse_args(words).checkpoints
    with serve(folder) as (address, _):
        client = Client(address, verbose=False)
        source = sentences()[0][0]
        done = client.predict({"model": "my-pair", "source": source}, api_name="/translate")
        head = client.predict(done["recipe"], "cross", 1, api_name="/trace")
        client.close()
    assert done["finished"] == "end"
    assert len(head["weights_HQK"]) == 4


def test_to_go_on_with_nothing_is_an_error(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    elsewhere = RECIPE[1].replace("my-models", "no-models")
    assert run(elsewhere, "--resume") == 1
    assert "Check --out, or leave out --resume." in capsys.readouterr().err
    assert not (place / "no-models").exists()


def test_to_go_on_when_all_is_done_changes_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    weights = place / "my-models" / "my-pair" / "model.safetensors"
    before = weights.read_bytes()
    assert run(RECIPE[1], f"{SMALL} --resume") == 0
    assert "Done" in capsys.readouterr().out
    assert weights.read_bytes() == before


@pytest.mark.parametrize(
    ("option", "remedy"),
    [
        ("--max-tokens 200", "Raise max_positions"),
        ("--target-tokenizer characters", "Set tied to 'target'"),
        ("--width 30", "not divisible by 8"),
    ],
)
def test_options_that_do_not_fit_together_are_one_error(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    remedy: str,
) -> None:
    monkeypatch.chdir(place)
    assert run(RECIPE[1], option) == 1
    assert remedy in capsys.readouterr().err
