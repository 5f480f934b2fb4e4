import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from model_core.errors import CorpusError
from model_core.training.data.cleaning import PairLimits, SentencePair, clean_file, clean_text
from model_core.training.data.leaks import NEAR_FROM, HeldOutSides, find_leaks, same_words
from model_core.training.data.report import report
from model_core.training.data.split import split
from model_core.training.data.vocabulary import advise
from model_core.training.data.words import words

SIX = "one two three four five six"


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def random_pairs(count: int, seed: int = 1) -> list[tuple[str, str]]:
    """Sentences of made-up words and the same words spelt backwards, in the opposite order."""
    rng = random.Random(seed)
    lexicon = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 7))) for _ in range(300)]
    sources = [rng.choices(lexicon, k=rng.randint(1, 12)) for _ in range(count)]
    return [
        (" ".join(source) + ".", " ".join(word[::-1] for word in source[::-1]) + "!")
        for source in sources
    ]


def as_pairs(sides: list[tuple[str, str]]) -> list[SentencePair]:
    return [SentencePair(line, *both) for line, both in enumerate(sides, 1)]


def word_distance(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """Levenshtein's distance, the slow and plain way."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        new = [i]
        for j, b in enumerate(second, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (a != b)))
        row = new
    return row[-1]


# Cleaning


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("e\u0301te\u0301", "été"),
        ("a\u00a0b\u3000c \t d", "a b c d"),
        ("wo\u200brd\ufeff \u00adx", "word x"),
        ("bell\x07 \x1bx\x85y", "bell x y"),
        ("\u200cab\u200dc", "abc"),
        ("  plain.  ", "plain."),
    ],
)
def test_what_cannot_be_seen_is_mended(dirty: str, clean: str) -> None:
    assert clean_text(dirty)[0] == clean
    assert clean_text(clean) == (clean, ())


def test_joiners_that_are_spelling_stay() -> None:
    for text in ("می\u200cکنم", "👩\u200d🚀"):
        assert clean_text(text) == (text, ())


def test_every_bad_line_is_named_with_its_reason_and_none_is_fatal(tmp_path: Path) -> None:
    good = "".join(f"Sentence number {n}.\tPhrase {n} ici.\n" for n in range(8)).encode()
    bad = (
        b"no tab\n"
        b"\n"
        b"broken \xff\tcass\xc3\xa9\n"
        b"\tempty source\n"
        b"empty target\t \xe2\x80\x8b \n"
        b"Tom.\tTom.\n"
        b"A sentence that goes on for ever and ever and ever and on.\tNon.\n"
        + (b"word " * 70 + b"\t" + b"mot " * 70 + b"\n")
        + b"Sentence number 3.\tPhrase 3 ici.\n"
    )
    cleaned = clean_file(write(tmp_path / "p.tsv", b"\xef\xbb\xbf" + good + bad), PairLimits())
    assert len(cleaned.pairs) == 8 and cleaned.lines == 17
    assert cleaned.pairs[0].source == "Sentence number 0."
    assert [(one.line, one.why) for one in cleaned.left_out] == [
        (9, "too few columns: 1 of the 2 that are needed"),
        (10, "empty line"),
        (11, "not UTF-8, or broken by an earlier conversion"),
        (12, "the source is empty"),
        (13, "the target is empty"),
        (14, "both sides are the same"),
        (15, "odd lengths: 58 and 4 characters"),
        (16, "too long: more than 60 words on a side"),
        (17, "duplicate: the same pair as line 4"),
    ]


def test_lengths_are_odd_only_beside_what_is_usual_for_the_two_scripts(tmp_path: Path) -> None:
    lines = [
        f"This is quite a long sentence, and it is number {n}.\t这是第{n}句话。\n"
        for n in range(20)
    ]
    odd = "Yes.\t这一句话实在是太长了，所以谁也不会相信它只是一个字的翻译，对不对呢？\n"
    cleaned = clean_file(write(tmp_path / "p.tsv", "".join(lines) + odd), PairLimits())
    assert [one.line for one in cleaned.left_out] == [21]


@pytest.mark.parametrize("content", ["", "\n\n", "no tab at all\n"])
def test_a_file_without_a_pair_is_an_error_that_says_what_a_line_needs(
    tmp_path: Path, content: str
) -> None:
    with pytest.raises(CorpusError, match=r"p\.tsv is usable.*--source-column"):
        clean_file(write(tmp_path / "p.tsv", content), PairLimits())


def test_other_columns_can_be_the_pair(tmp_path: Path) -> None:
    path = write(tmp_path / "p.tsv", "7\tdas Haus\tthe house\n8\tein Hund\ta dog\n")
    cleaned = clean_file(path, PairLimits(source_column=2, target_column=1))
    assert [pair.sides for pair in cleaned.pairs] == [
        ("the house", "das Haus"),
        ("a dog", "ein Hund"),
    ]


def test_words_know_neither_case_nor_punctuation_and_split_what_has_no_spaces() -> None:
    assert words("It's LATE, isn't it?") == ("its", "late", "isnt", "it")
    assert words("oui…non") == ("oui", "non")
    assert words("我 3 点去。") == ("我", "3", "点", "去")
    assert words("?!") == ()


# Leaks


def test_a_near_leak_is_exactly_one_word_replaced_added_or_left_out() -> None:
    rng = random.Random(3)
    letters = "abcde"
    held = ["".join(rng.choices(letters, k=rng.randint(3, 8))) for _ in range(60)]
    index = HeldOutSides(" ".join(text) for text in held)
    for _ in range(400):
        text = tuple(rng.choices(letters, k=rng.randint(3, 9)))
        near = [
            other
            for other in held
            if word_distance(text, tuple(other)) == 1 and min(len(text), len(other)) >= NEAR_FROM
        ]
        found = index.find(" ".join(text))
        if "".join(text) in held:
            assert found == ("verbatim", " ".join(text))
        elif near:
            assert found and found[0] == "near" and found[1].replace(" ", "") in near
        else:
            assert found is None


def test_case_and_punctuation_do_not_hide_a_leak() -> None:
    train = as_pairs([("HOW are you?", "wie geht's")])
    (leak,) = find_leaks(train, as_pairs([("How are you", "anders")]))
    assert (leak.side, leak.how, leak.held_out) == ("source", "verbatim", "How are you")


def test_a_verbatim_leak_is_told_before_a_near_one() -> None:
    train = as_pairs([("a b c d e", "v w x y z")])
    (leak,) = find_leaks(train, as_pairs([("a b c d f", "v w x y z")]))
    assert (leak.side, leak.how) == ("target", "verbatim")


def test_the_search_for_near_leaks_looks_at_few_sentences_of_many() -> None:
    """Look-ups a sentence follow from its words, not from how many sentences are held out."""

    class Counted(dict):
        lookups = 0

        def __contains__(self, key: object) -> bool:
            Counted.lookups += 1
            return super().__contains__(key)

    index = HeldOutSides(source for source, _ in random_pairs(3000, seed=1))
    for name in ("_whole", "_without", "_without_at"):
        setattr(index, name, Counted(getattr(index, name)))
    text = " ".join(f"new{n}" for n in range(10))
    assert index.find(text) is None
    assert Counted.lookups <= 3 * 10


# The split


def test_no_side_of_the_validation_part_is_in_training_or_near_it() -> None:
    pairs = as_pairs(random_pairs(1500) + [(SIX + f" {n}", f"x{n} y z") for n in range(50)])
    parts = split(pairs, sources=80, seed=2)
    assert find_leaks(parts.train, parts.valid) == ()
    for side in ("source", "target"):
        train, valid = (
            {same_words(getattr(pair, side)) for pair in part}
            for part in (parts.train, parts.valid)
        )
        assert not train & valid
    assert len(parts.train) + len(parts.valid) + len(parts.near) == len(pairs)


def test_pairs_that_hang_together_through_others_stay_together() -> None:
    chain = [(f"left {n} l", f"right {n // 2 * 2} r") for n in range(6)]
    chain += [(f"left {a} l", f"right {b} r") for a, b in pairwise((0, 2, 4))]
    pairs = as_pairs([*chain, *random_pairs(400)])
    for seed in range(5):
        parts = split(pairs, sources=20, seed=seed)
        held = sum(pair.source.startswith("left") for pair in parts.valid)
        assert held in (0, len(chain))
        assert parts.largest_cluster >= len(chain)


def test_a_held_out_source_keeps_all_its_targets() -> None:
    pairs = as_pairs([(f"source number {n // 3}", f"{n} target {n}") for n in range(600)])
    parts = split(pairs, sources=20, seed=1)
    assert set(Counter(pair.source for pair in parts.valid).values()) == {3}
    assert len(parts.valid) == 60


def test_the_split_follows_from_the_seed() -> None:
    pairs = as_pairs(random_pairs(500))
    one, again, other = (split(pairs, 0, seed).valid for seed in (1, 1, 2))
    assert [pair.line for pair in one] == [pair.line for pair in again]
    assert [pair.line for pair in one] != [pair.line for pair in other]


@pytest.mark.parametrize(
    ("sides", "sources", "remedy"),
    [
        ([("a", "b")], 0, "Give more pairs"),
        ([("a", "b"), ("c", "d")], 2, "smaller --valid"),
        (
            [("a", str(n)) for n in range(9)] + [("b", "1")],
            0,
            "sources takes none with more than 1",
        ),
        ([("a", "x"), ("b", "x"), ("c", "y"), ("d", "y")], 2, "small enough.*larger --valid"),
        ([(f"{SIX} {n}", f"{SIX} {n}!") for n in range(40)], 0, "more varied pairs"),
    ],
)
def test_pairs_that_cannot_be_split_are_an_error_with_a_remedy(
    sides: list[tuple[str, str]], sources: int, remedy: str
) -> None:
    with pytest.raises(CorpusError, match=remedy):
        split(as_pairs(sides), sources, seed=1)


# What is said about them


def test_percentiles_are_lengths_that_occur() -> None:
    pairs = [SentencePair(n, " ".join(["ab"] * n), "x") for n in range(1, 101)]
    said = report("Lengths", {}, {"train": pairs}, (), "folder")
    characters = " | ".join(str(3 * n - 1) for n in (50, 90, 99, 100))
    assert f"| train | source | 100 | 50 | 90 | 99 | 100 | {characters} | 1 |" in said


def test_more_text_is_advised_a_larger_vocabulary() -> None:
    few, many = (advise(*zip(*random_pairs(count), strict=True)) for count in (200, 6000))
    assert few.size < many.size
    assert few.kinds == many.kinds == ("bpe", "bpe") and many.shared


def test_a_script_without_spaces_is_read_by_characters() -> None:
    advice = advise(["I am here."] * 50, ["我在这里。"] * 50)
    assert advice.kinds == ("bpe", "characters") and not advice.shared
    assert "characters occur at least" in advice.reason
    assert advise(["我在这里。"] * 50, ["我在这里。"] * 50).candidates == ()
