from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from model_core.errors import CorpusError
from model_core.tokenizer import Tokenizer
from model_core.training.data.corpus import (
    EncodedPair,
    corpus_of,
    encode_pairs,
    make_batch,
    plan_batches,
    read_corpus,
    string_corpus,
    with_examples,
)
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.special import OURS

CONFIG = TrainConfig(references_per_source=0)
PAD, START, END = OURS.pad, OURS.start, OURS.end


def write(folder: Path, train: str | bytes, valid: str = "Held.\tRetenu.\n") -> Path:
    content = train if isinstance(train, bytes) else train.encode()
    (folder / "train.tsv").write_bytes(content)
    (folder / "valid.tsv").write_text(valid, encoding="utf-8")
    return folder


def pairs_of_lengths(*lengths: tuple[int, int]) -> tuple[EncodedPair, ...]:
    """Pairs of so many source and predicted tokens; the first source id tells them apart."""
    return tuple(
        EncodedPair((row + 3, *[3] * (source - 1)), (START, *[3] * (predicted - 1), END))
        for row, (source, predicted) in enumerate(lengths)
    )


def many_pairs() -> tuple[EncodedPair, ...]:
    return pairs_of_lengths(*[(1 + i % 13, 1 + (i * 7) % 17) for i in range(500)])


def test_columns_are_chosen_by_number(tmp_path: Path) -> None:
    folder = write(tmp_path, "Go.\tVa !\tcc-by\n", "Held.\tRetenu.\tcc-by\n")
    corpus = read_corpus(folder, replace(CONFIG, source_column=1, target_column=0))
    assert corpus.train == (("Va !", "Go."),)
    assert corpus.valid[0].source == "Retenu."


def test_bad_lines_are_named_and_the_others_are_read(tmp_path: Path) -> None:
    folder = write(
        tmp_path, b"Go.\tVa !\nno tab\nBad.\t\xff\n\tx\nRun.\t \nStop.\tArr\xc3\xaate !\n"
    )
    corpus = read_corpus(folder, CONFIG)
    assert corpus.train == (("Go.", "Va !"), ("Stop.", "Arrête !"))
    assert corpus.bad_lines == (
        "train.tsv line 2: 1 of the 2 columns that are needed",
        "train.tsv line 3: not UTF-8",
        "train.tsv line 4: the source is empty",
        "train.tsv line 5: the target is empty",
    )


def test_a_byte_order_mark_is_no_part_of_the_first_sentence(tmp_path: Path) -> None:
    corpus = read_corpus(write(tmp_path, "\ufeffGo.\tVa !\n".encode()), CONFIG)
    assert corpus.train == (("Go.", "Va !"),)


def test_a_separator_inside_a_sentence_is_no_line_break(tmp_path: Path) -> None:
    corpus = read_corpus(write(tmp_path, "One\u2028two.\tUn\x0bdeux.\r\n"), CONFIG)
    assert corpus.train == (("One\u2028two.", "Un\x0bdeux."),)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"no tab at all\n"])
def test_a_file_without_a_usable_line_is_an_error_with_a_remedy(
    tmp_path: Path, content: bytes
) -> None:
    with pytest.raises(CorpusError, match=r"column 0 .* column 1, counted from 0.*--source-column"):
        read_corpus(write(tmp_path, content), CONFIG)


def test_a_missing_file_is_an_error_that_says_what_a_folder_holds(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"valid\.tsv cannot be read.*A data folder holds"):
        read_corpus(tmp_path, CONFIG)


def test_no_validation_side_is_in_training(tmp_path: Path) -> None:
    train = "Held.\tAutre.\nOther.\tRetenu.\nGo.\tVa !\n"
    corpus = read_corpus(write(tmp_path, train), CONFIG)
    assert corpus.train == (("Go.", "Va !"),)
    assert corpus.left_out == 2


def test_training_that_is_all_held_out_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="Hold out other sentences"):
        read_corpus(write(tmp_path, "Held.\tRetenu.\n"), CONFIG)


def test_no_pair_occurs_twice(tmp_path: Path) -> None:
    corpus = read_corpus(write(tmp_path, "Go.\tVa !\nGo.\tVa !\nGo.\tPars !\n"), CONFIG)
    assert corpus.train == (("Go.", "Va !"), ("Go.", "Pars !"))
    assert corpus.left_out == 1


def test_translations_of_one_source_are_capped_by_seed(tmp_path: Path) -> None:
    lines = [f"Go.\tVa {i}\n" for i in range(20)] + [f"Run {i}.\tCours {i}\n" for i in range(5)]
    folder = write(tmp_path, "".join(lines))
    chosen = {
        seed: read_corpus(folder, replace(CONFIG, references_per_source=4, seed=seed)).train
        for seed in (1, 2)
    }
    assert Counter(source for source, _ in chosen[1])["Go."] == 4
    assert len(chosen[1]) == 9
    assert chosen[1] != chosen[2]
    again = read_corpus(folder, replace(CONFIG, references_per_source=4, seed=1))
    assert chosen[1] == again.train


def test_a_cap_of_zero_keeps_all(tmp_path: Path) -> None:
    folder = write(tmp_path, "".join(f"Go.\tVa {i}\n" for i in range(20)))
    assert len(read_corpus(folder, CONFIG).train) == 20


def test_validation_groups_every_reference_of_a_source(tmp_path: Path) -> None:
    folder = write(tmp_path, "Go.\tVa !\n", "A\ta1\nB\tb\nA\ta2\nA\ta1\n")
    corpus = read_corpus(folder, CONFIG)
    examples = {e.source: e.references for e in (*corpus.valid, *corpus.held_out)}
    assert examples == {"A": ("a1", "a2"), "B": ("b",)}


def test_a_half_is_held_out_by_a_rule_that_no_order_and_no_seed_changes(tmp_path: Path) -> None:
    lines = [f"{i}\tv{i}\n" for i in range(101)]
    parts = []
    for seed, valid in ((1, lines), (2, lines[::-1])):
        folder = write(tmp_path, "Go.\tVa !\n", "".join(valid))
        corpus = read_corpus(folder, replace(CONFIG, seed=seed))
        assert (len(corpus.valid), len(corpus.held_out)) == (51, 50)
        parts.append([{e.source for e in part} for part in (corpus.valid, corpus.held_out)])
    assert parts[0] == parts[1] and not parts[0][0] & parts[0][1]
    digests = {i: sha256(f"held out: {i}".encode()).hexdigest() for i in range(101)}
    assert parts[0][1] == {str(i) for i in sorted(digests, key=lambda i: digests[i])[:50]}


def test_a_single_example_is_in_both_parts(tmp_path: Path) -> None:
    corpus = read_corpus(write(tmp_path, "Go.\tVa !\n"), CONFIG)
    assert corpus.valid == corpus.held_out != ()


def test_another_file_takes_the_place_of_what_is_held_out(tmp_path: Path) -> None:
    folder = write(tmp_path, "Go.\tVa !\n", "A\ta\nB\tb\n")
    (folder / "test.tsv").write_text("C\tc\nD\td\nE\te\n")
    corpus = read_corpus(folder, CONFIG)
    other = with_examples(corpus, folder / "test.tsv", CONFIG)
    assert [e.source for e in other.held_out] == ["C", "D", "E"] and other.valid == corpus.valid
    assert other.checksum != corpus.checksum


def test_the_checksum_follows_the_sentences_that_are_used(tmp_path: Path) -> None:
    first = read_corpus(write(tmp_path, "Go.\tVa !\n"), CONFIG).checksum
    same = read_corpus(write(tmp_path, "Go.\tVa !\nGo.\tVa !\nbad\n"), CONFIG).checksum
    other = read_corpus(write(tmp_path, "Go.\tVa !\nRun.\tCours !\n"), CONFIG).checksum
    assert first == same != other


@pytest.mark.parametrize("task", ["reverse", "copy", "sort"])
def test_strings_are_right_unique_and_never_shared_with_validation(task: str) -> None:
    made = {
        "reverse": lambda text: text[::-1],
        "copy": str,
        "sort": lambda text: "".join(sorted(text)),
    }
    corpus = string_corpus(TrainConfig(task=task, seed=3, strings=4000))
    assert all(target == made[task](source) for source, target in corpus.train)
    examples = (*corpus.valid, *corpus.held_out)
    assert all(example.references == (made[task](example.source),) for example in examples)
    sources = [source for source, _ in corpus.train] + [e.source for e in examples]
    assert len(set(sources)) == len(sources)
    assert {len(source) for source, _ in corpus.train} == set(range(1, 33))


def test_strings_follow_from_the_seed() -> None:
    one, again, other = (
        corpus_of(TrainConfig(task="reverse", strings=500, seed=seed), None) for seed in (1, 1, 2)
    )
    assert one.checksum == again.checksum != other.checksum


def test_a_training_makes_as_many_strings_as_its_settings_say() -> None:
    config = TrainConfig(task="reverse", seed=3, strings=4000)
    corpus = corpus_of(config, None)
    assert 3000 < len(corpus.train) <= 4000
    assert 10 <= len(corpus.held_out) <= len(corpus.valid) <= 40
    short = corpus_of(replace(config, longest_string=5), None)
    assert {len(source) for source, _ in short.train} == set(range(1, 6))


def test_sentence_pairs_are_asked_for_by_the_option() -> None:
    with pytest.raises(CorpusError, match="--data DIR"):
        corpus_of(TrainConfig(), None)


def test_encoded_pairs_carry_their_special_tokens_and_long_ones_are_left_out() -> None:
    tokenizer = Tokenizer.train(["abc"], "characters", 300)
    pairs = [("abc", "cba"), ("abcabc", "a"), ("a", "abcabc")]
    encoded = encode_pairs(pairs, (tokenizer, tokenizer), ModelConfig(), max_tokens=4)
    assert len(encoded) == 1
    assert encoded[0].source == (*tokenizer.ids("abc"), END)
    assert encoded[0].target == (START, *tokenizer.ids("cba"), END)


def test_a_limit_no_pair_meets_is_an_error() -> None:
    tokenizer = Tokenizer.train(["abc"], "characters", 300)
    with pytest.raises(CorpusError, match="Raise max_tokens"):
        encode_pairs([("abc", "cba")], (tokenizer, tokenizer), ModelConfig(), max_tokens=3)


def test_batches_hold_every_pair_exactly_once() -> None:
    rows = [row for batch in plan_batches(many_pairs(), 64, seed=1, epoch=0) for row in batch]
    assert sorted(rows) == list(range(500))


def test_batches_respect_the_token_limit_on_both_sides() -> None:
    pairs = many_pairs()
    for rows in plan_batches(pairs, 64, seed=1, epoch=0):
        batch = make_batch([pairs[row] for row in rows], PAD)
        assert batch.source_BS.numel() <= 64
        assert batch.target_BT.numel() <= 64


def test_a_pair_longer_than_a_batch_is_a_batch_by_itself() -> None:
    pairs = pairs_of_lengths((1, 1), (9, 2), (1, 1))
    assert sorted(map(len, plan_batches(pairs, 4, seed=1, epoch=0))) == [1, 2]


def test_batches_waste_little_on_pads() -> None:
    pairs = many_pairs()
    cells = tokens = 0
    for rows in plan_batches(pairs, 64, seed=1, epoch=0):
        cells += make_batch([pairs[row] for row in rows], PAD).target_BT.numel()
        tokens += sum(pairs[row].predicted for row in rows)
    assert tokens > 0.9 * cells


def test_the_order_follows_from_seed_and_epoch() -> None:
    def order(seed: int, epoch: int) -> list[list[int]]:
        return [rows.tolist() for rows in plan_batches(many_pairs(), 64, seed, epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_what_is_predicted_is_what_is_read_one_position_later() -> None:
    pairs = (EncodedPair((5, END), (START, 7, 8, END)), EncodedPair((5, 6, END), (START, 9, END)))
    batch = make_batch(pairs, PAD)
    assert batch.source_BS.tolist() == [[5, END, PAD], [5, 6, END]]
    assert batch.target_BT.tolist() == [[START, 7, 8], [START, 9, PAD]]
    assert batch.predicted_BT.tolist() == [[7, 8, END], [9, END, PAD]]
