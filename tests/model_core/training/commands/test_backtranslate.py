import shutil
from pathlib import Path

import pytest

from model_core.__main__ import main
from model_core.checkpoints.folder import read_config
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CorpusError
from model_core.training.commands import backtranslate
from model_core.training.data.corpus import EncodedPair, read_corpus
from model_core.training.data.synthetic import TAG, read_synthetic, tagged
from model_core.training.evaluation.metrics import chrf_score
from model_core.training.evaluation.scores import translate
from model_core.training.loop import train
from model_core.values.config import TrainConfig
from tests.tiny_training import WORDS, losses, tiny, write_words

SENTENCES = [f"{a} {b} cat" for a in ("red", "dog", "six") for b in WORDS if a != b]
DRAWN = ("--top-k", "20", "--seed", "3")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint that has learnt to write letters."""
    place = tmp_path_factory.mktemp("trained")
    preset = tiny(updates=40, validate_every=40)
    losses(train(preset, place / "tiny", write_words(place / "words")))
    return place


@pytest.fixture
def place(tmp_path: Path, trained: Path) -> Path:
    """That checkpoint, its data folder and sentences to be translated."""
    for name in ("tiny", "words"):
        shutil.copytree(trained / name, tmp_path / name)
    (tmp_path / "texts.tsv").write_text("".join(f"{text}\tun\n" for text in SENTENCES))
    return tmp_path


def run(place: Path, *arguments: str) -> int:
    out = str(place / "synthetic.tsv")
    command = ["backtranslate", str(place / "tiny"), "--data", str(place / "words"), "--out", out]
    return main([*command, "--texts", str(place / "texts.tsv"), *arguments])


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]


def usable(row: list[str]) -> bool:
    return bool(row[1]) and "\ufffd" not in row[1]


def test_every_sentence_has_its_translation_and_what_wrote_it(place: Path) -> None:
    assert run(place) == 0
    checkpoint = open_checkpoint(place / "tiny")
    outputs = translate(checkpoint.model, checkpoint.tokenizers, SENTENCES)
    origin = f"en of texts.tsv, fr by tiny ({checkpoint.fingerprint}), greedy"
    said = [[s, " ".join(o.split()), origin] for s, o in zip(SENTENCES, outputs, strict=True)]
    assert rows(place / "synthetic.tsv") == [row for row in said if usable(row)]
    assert len(said) == len({row[0] for row in said}) == 15
    assert run(place, *DRAWN) == 0
    drawn = rows(place / "synthetic.tsv")
    assert {row[2] for row in drawn} == {origin.replace("greedy", "drawn, top 20, seed 3")}
    assert [row[1] for row in drawn] != [row[1] for row in said]


def test_what_would_give_validation_away_is_not_translated(place: Path) -> None:
    # Validation has "red red"; training has "red dog".
    more = ["Red red!", "red dog", f"{SENTENCES[0].title()}!", "", f"a {TAG} cat", "a " * 30]
    with (place / "texts.tsv").open("a") as file:
        file.write("".join(f"{text}\n" for text in more))
    assert run(place) == 0
    assert [row[0] for row in rows(place / "synthetic.tsv")] == SENTENCES


def test_what_training_has_is_translated_where_that_is_asked_for(place: Path) -> None:
    with (place / "texts.tsv").open("a") as file:
        file.write("red red\nred dog\n")
    assert run(place, "--known") == 0
    assert [row[0] for row in rows(place / "synthetic.tsv")] == [*SENTENCES, "red dog"]


def test_after_kill_9_the_file_is_the_same(
    place: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, begun = place / "synthetic.tsv", place / "synthetic.tsv.begun"
    on_disk: list[bytes] = []

    def fsync(file: int) -> None:
        if not out.exists():
            on_disk.append(begun.read_bytes())

    with monkeypatch.context() as patch:
        patch.setattr(backtranslate, "AT_ONCE", 4)
        patch.setattr("os.fsync", fsync)
        assert run(place, *DRAWN) == 0
    whole = out.read_bytes()
    out.unlink()
    begun.write_bytes(on_disk[2])  # what is left where it is killed then
    assert len(rows(begun)) == 12
    begun.write_bytes(begun.read_bytes()[:-5])  # a line that was broken off
    assert run(place, "--seed", "4") == 1
    assert "was begun with other sentences or another model: line 1" in capsys.readouterr().err
    assert run(place, *DRAWN) == 0
    assert out.read_bytes() == whole and not begun.exists()


def test_only_what_leads_back_is_kept(place: Path) -> None:
    assert run(place) == 0
    both = [row[:2] for row in rows(place / "synthetic.tsv")]
    tiny_one = open_checkpoint(place / "tiny")
    back = translate(tiny_one.model, tiny_one.tokenizers, [written for _, written in both])
    like = [chrf_score([text], [[row[0]]]).value for text, row in zip(back, both, strict=True)]
    least = sorted({*like})[-1]
    assert run(place, "--back", str(place / "tiny"), "--least", f"{least}") == 0
    kept = rows(place / "synthetic.tsv")
    assert [row[:2] for row in kept] == [r for r, c in zip(both, like, strict=True) if c >= least]
    assert 0 < len(kept) < len(both)
    assert all(f"leads back with chrF {least:g} or more" in row[2] for row in kept)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--least", "50"), "Give both or neither"),
        (("--back", "x"), "Give both or neither"),
        (("--column", "-1"), "Columns are counted from 0"),
        (("--column", "7"), "No sentence in column 7 is left"),
        (("--beam", "2", "--top-k", "3"), "choose one of them"),
    ],
)
def test_what_cannot_be_done_is_said(
    place: Path, capsys: pytest.CaptureFixture, arguments: tuple[str, ...], words: str
) -> None:
    assert run(place, *arguments) == 1
    assert words in capsys.readouterr().err and not (place / "synthetic.tsv").exists()


def test_training_reads_synthetic_pairs_under_their_tag(tmp_path: Path) -> None:
    data = write_words(tmp_path / "words")
    config = TrainConfig(synthetic="more.tsv")
    lines = [f"a cat {n}\tun chat {n}\tfr by x, greedy\n" for n in range(9)]
    lines += ["red red\tun\tfr by x, greedy\n", "a\trouge rouge\tfr by x, greedy\n"]
    (data / "more.tsv").write_text("".join([*lines, lines[0]]))
    synthetic = read_synthetic(data / "more.tsv", config, read_corpus(data, config))
    assert len(synthetic.pairs) == 9 and synthetic.origins == {"fr by x, greedy": 9}
    preset = tiny(synthetic="more.tsv", repeated=3)
    assert len(losses(train(preset, tmp_path / "mixed", data))) == 12
    training = read_config(tmp_path / "mixed")[1]
    assert training.training_pairs == 30 and training.synthetic == synthetic.origins
    assert training.synthetic_sha256 == synthetic.checksum
    card = open_checkpoint(tmp_path / "mixed").card
    assert "9 more pairs are synthetic" in card and "9: fr by x, greedy" in card
    assert f"`{TAG}`" in card and "the pairs of people read 3 times" in card
    tokenizer = open_checkpoint(tmp_path / "mixed").source_tokenizer
    assert len(tokenizer.ids(TAG)) == 1
    assert main(["evaluate", str(tmp_path / "mixed"), "--data", str(data)]) == 0


def test_a_tag_of_several_pieces_leaves_room_for_the_longest_pair(place: Path) -> None:
    begun = open_checkpoint(place / "tiny")
    assert len(begun.source_tokenizer.ids(TAG)) == 3, "its tokenizer was made without the tag"
    most = begun.model.config.max_positions
    pairs = [f"{'a' * length}\tun chat {length}\tfr by x, greedy\n" for length in range(1, most)]
    (place / "words" / "more.tsv").write_text("".join(pairs))
    preset = tiny(synthetic="more.tsv", max_tokens=most, updates=8)
    steps = train(preset, place / "more", place / "words", begin=begun)
    assert len(losses(steps)) == 8


def test_a_tag_moves_the_links_with_the_source() -> None:
    pair = EncodedPair((5, 6, 2), (1, 7, 8, 9, 2), (1, -1, 0, -1))
    assert tagged(pair, (4,)).source == (4, 5, 6, 2) and tagged(pair, (4,)).target == pair.target
    assert tagged(pair, (4,)).links == (2, -1, 1, -1)


@pytest.mark.parametrize("line", ["a\tb\n", "a\t\tx\n", "a\tb\t\n", "\n"])
def test_a_line_without_its_columns_is_named(tmp_path: Path, line: str) -> None:
    data = write_words(tmp_path / "words")
    (data / "more.tsv").write_text(f"a cat\tun chat\tx\n{line}")
    with pytest.raises(CorpusError, match=r"more\.tsv line 2 must have 3 columns"):
        config = TrainConfig(synthetic="more.tsv")
        read_synthetic(data / "more.tsv", config, read_corpus(data, config))


def test_a_missing_file_of_synthetic_pairs_is_named(tmp_path: Path) -> None:
    data = write_words(tmp_path / "words")
    with pytest.raises(CorpusError, match=r"more\.tsv cannot be read"):
        next(train(tiny(synthetic="more.tsv"), tmp_path / "mixed", data))
