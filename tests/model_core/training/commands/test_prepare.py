from pathlib import Path

import pytest

from model_core.__main__ import main
from model_core.training.data.corpus import read_corpus
from model_core.values.config import TrainConfig
from tests.model_core.training.data.test_split import SIX, random_pairs, write


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    sides = random_pairs(800)
    text = "".join("\t".join(pair) + "\n" for pair in [*sides, *sides[:5]])
    return write(tmp_path / "pairs.tsv", text + "no tab\n" + "wor\u00a0d\u200b one\tun mot\n")


def prepare(*arguments: object) -> int:
    return main(["prepare", *map(str, arguments)])


def test_every_line_ends_up_in_one_file(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "data"
    assert prepare(corpus, "--out", out, "--valid", 30) == 0
    counts = {
        name: len((out / f"{name}.tsv").read_text("utf-8").splitlines())
        for name in ("train", "valid", "left_out")
    }
    assert sum(counts.values()) == len(corpus.read_text("utf-8").splitlines())
    report = (out / "report.md").read_text("utf-8")
    assert f"{counts['train']} pairs to train on; {counts['valid']} pairs of " in report
    assert int(report.split(" sources held out")[0].split()[-1]) <= 30
    assert int(report.split("left out, duplicate: ")[1].split(";")[0]) >= 5
    assert "too few columns: 1; line 806" in report and "odd spaces made plain: 1 sides" in report


def test_what_is_prepared_is_read_by_training_as_it_is(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "data"
    assert prepare(corpus, "--out", out) == 0
    read = read_corpus(out, TrainConfig(references_per_source=0))
    assert read.bad_lines == () and read.left_out == 0


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path, corpus: Path) -> None:
    out, written = tmp_path / "data", []
    for seed in (1, 1, 2):
        assert prepare(corpus, "--out", out, "--seed", seed) == 0
        written.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert written[0] == written[1]
    assert written[0]["valid.tsv"] != written[2]["valid.tsv"]


def test_the_report_is_printed_and_ends_with_a_command_that_trains(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "data"
    assert prepare(corpus, "--out", out) == 0
    said = capsys.readouterr().out
    report = (out / "report.md").read_text("utf-8")
    assert report in said
    for promised in ("too few columns: 1; line 806", "seed 1", "| train | source |", "Advice: bpe"):
        assert promised in report
    assert f"train --preset own-pair --data {out}" in report.splitlines()[-1]


def test_a_folder_made_elsewhere_is_not_overwritten(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    write(mine / "train.tsv", "precious\tprécieux\n")
    assert prepare(corpus, "--out", mine) == 1
    assert "not prepared here. Choose another --out" in capsys.readouterr().err
    assert [path.name for path in mine.iterdir()] == ["train.tsv"]


def test_a_check_of_what_was_prepared_finds_no_leak_and_writes_nothing(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "data"
    assert prepare(corpus, "--out", out) == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    capsys.readouterr()
    assert prepare("--check", out) == 0
    assert "None found." in capsys.readouterr().out
    assert before == {path.name: path.read_bytes() for path in out.iterdir()}


def test_a_check_counts_leaks_of_both_kinds_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "train.tsv", f"{SIX}.\teins\nHello!\tzwei\nbye\tdrei\n")
    write(tmp_path / "valid.tsv", f"{SIX} seven\tvier\nhello\tfünf\n")
    assert prepare("--check", tmp_path) == 1
    said = capsys.readouterr().out
    assert "validation part: 2" in said
    assert "- verbatim: 1\n  - line 2, source: `Hello!` and held out `hello`" in said
    assert f"- near: 1\n  - line 1, source: `{SIX}.` and held out `{SIX} seven`" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name a file of pairs and --out"),
        (["p.tsv"], "Name a file of pairs and --out"),
        (["nowhere.tsv", "--out", "d"], "nowhere.tsv cannot be read (No such file"),
        (["--check", "nowhere"], "train.tsv cannot be read"),
        (["p.tsv", "--check", "d"], "takes neither a file nor --out"),
        (["p.tsv", "--out", "d", "--longest", "0"], "must be 1 or more"),
        (["p.tsv", "--out", "d", "--ratio", "nan"], "must be 1 or more"),
        (["p.tsv", "--out", "d", "--source-column", "-1"], "counted from 0"),
        (["pairs.tsv", "--out", "data", "--valid", "-5"], "--valid is -5; it must be 0"),
    ],
)
def test_a_wrong_command_is_one_line_that_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert prepare(*arguments) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_preparation_that_is_killed_leaves_the_files_of_the_one_before(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, whole = tmp_path / "data", Path.write_bytes

    def die(path: Path, content: bytes) -> int:
        if path.name.startswith("valid"):
            raise KeyboardInterrupt
        return whole(path, content)

    assert prepare(corpus, "--out", out) == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.setattr(Path, "write_bytes", die)
    with pytest.raises(KeyboardInterrupt):
        prepare(corpus, "--out", out, "--seed", "2")
    assert {name: (out / name).read_bytes() for name in before} == before
