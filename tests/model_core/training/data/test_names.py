"""Copies of pairs in which a name is another one."""

import re

import pytest

from model_core.training.data.corpus import Corpus, Example
from model_core.training.data.names import names_by_kind, renamed

KINDS = {name: kind for kind, names in names_by_kind().items() for name in names}


def corpus(*train: tuple[str, str], held: tuple[Example, ...] = ()) -> Corpus:
    return Corpus(train, held, (), "")


def test_both_sides_get_the_same_name_of_the_same_kind() -> None:
    pair = "Mary met Tom in Boston. Tom smiled.", "Mary a vu Tom à Boston. Tom a souri."
    copies = renamed(corpus(pair), 20, seed=1)
    assert len(copies) > 15
    for source, target in copies:
        of_source = re.fullmatch(r"(\w+) met (\w+) in (\w+)\. \2 smiled\.", source)
        assert of_source
        she, he, place = of_source.groups()
        assert target == f"{she} a vu {he} à {place}. {he} a souri."
        assert [KINDS[name] for name in (she, he, place)] == ["women", "men", "places"]
        assert not {she, he, place} & {"Mary", "Tom", "Boston"}


def test_pairs_without_a_name_on_both_sides_have_no_copies() -> None:
    pairs = corpus(("Go.", "Va !"), ("Tom left.", "Il est parti."), ("London", "Londres"))
    assert renamed(pairs, 3, seed=1) == ()


def test_what_stands_before_a_name_still_fits_its_first_letter() -> None:
    pairs = corpus(("Tom's house", "la maison de Tom"), ("Ali's house", "la maison d'Ali"))
    for _, target in renamed(pairs, 30, seed=1):
        of_vowel = re.fullmatch(r"la maison (?:de ([^AEIOUYHÉ]\w+)|d'([AEIOUYHÉ]\w+))", target)
        assert of_vowel, target


def test_no_copy_is_known_or_shares_a_side_with_what_is_scored() -> None:
    pairs = [(f"{name} left.", f"{name} est parti.") for name in ("Tom", "John", "Jim")]
    free = {source for source, _ in renamed(corpus(*pairs), 50, seed=1)}
    taken = sorted(free)[0]
    held = (Example(taken, ("Quelqu'un est parti.",)),)
    left = {source for source, _ in renamed(corpus(*pairs, held=held), 50, seed=1)}
    assert left == free - {taken}
    assert not left & {source for source, _ in pairs}


@pytest.mark.parametrize("copies", [0, 2])
def test_copies_follow_from_the_seed(copies: int) -> None:
    pairs = corpus(*((f"Tom has {n} cats.", f"Tom a {n} chats.") for n in range(20)))
    assert renamed(pairs, copies, seed=1) == renamed(pairs, copies, seed=1)
    if copies:
        assert renamed(pairs, copies, seed=1) != renamed(pairs, copies, seed=2)
