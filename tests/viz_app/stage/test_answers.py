"""The types that the scripts are checked with are those of what Python sends."""

from typing import Literal, NotRequired, TypedDict

import pytest

from model_core.values.trace import Site, Tokens
from tests.javascript.answers import (
    CHOICES,
    WRITTEN,
    Tabled,
    answers,
    choices,
    every_type,
    types,
    types_of,
)
from tests.javascript.typed import declared, misfits
from viz_app.rooms import ROOMS
from viz_app.values.wire import Flags, Floats, Mask


def test_the_written_types_are_those_of_the_answers_and_the_choices_those_of_a_view():
    """Where this fails, run `python -m tests.javascript.answers` and see what tsc says of it."""
    assert WRITTEN.read_text(encoding="utf-8") == types()
    assert CHOICES.read_text(encoding="utf-8") == choices()


def test_real_answers_are_of_their_types(tmp_path):
    every = {one.__name__: (one, others) for one, others in every_type().items()}
    found = answers(tmp_path)
    assert set(every) - set(found) == {"Payload"}  # nothing is answered with so little
    for name, values in found.items():
        assert values, f"nothing was answered for {name}"
        for value in values:
            hint, others = every[name]
            assert misfits(value, hint, name, others) == []


@pytest.fixture(scope="module")
def translated(bundled):
    recipe = {"model": "en-fr", "source": "The old cat sleeps.", "pads": 1}
    return bundled.answer({"recipe": recipe, "extend": "end"})["recipe"]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_what_a_page_is_answered_about_a_translation_is_of_the_types(bundled, translated, room):
    asked = [one for shown in room.views.values() for one in room.asks(room.view(**shown.view))]
    assert asked or room.name == "translate"
    for question in asked:
        answer = bundled.answer({"room": room.name, "recipe": translated} | question)
        assert "error" not in answer or room.name == "training", answer
        if "error" not in answer:
            assert [] in [misfits(answer, one, others=[Tabled]) for one in types_of(room)]


class _Inner(TypedDict):
    word: str | None


class _Often(TypedDict):
    count: int


class Longer(_Often):
    """One that says more."""

    first: _Often
    last: _Inner


class Example(TypedDict):
    """One of everything."""

    site: Site
    kind: Literal["a", "b"]
    tokens: Tokens
    numbers: Floats
    mask: Mask | None
    flags: Flags
    pair: tuple[int, float]
    by: dict[str, list[_Inner]]
    more: NotRequired[int]


EXAMPLE = {
    "site": "cross",
    "kind": "a",
    "tokens": {"ids": [1], "pieces": ["a"], "texts": ["a"], "kinds": ["text"]},
    "numbers": "AACAPw==",
    "mask": ["01"],
    "flags": [True],
    "pair": [1, 2.5],
    "by": {"x": [{"word": None}]},
}


def test_a_value_of_a_type_fits_it():
    assert misfits(EXAMPLE, Example) == []
    assert misfits(EXAMPLE | {"more": 1, "mask": None}, Example) == []


@pytest.mark.parametrize(
    "change",
    [
        {"site": "none"},
        {"kind": "c"},
        {"tokens": ["a"]},
        {"numbers": [1.0]},
        {"mask": "01"},
        {"flags": [1]},
        {"pair": [1]},
        {"pair": [1.5, 1]},
        {"by": {"x": [{"word": 1}]}},
        {"by": {"x": [{}]}},
        {"other": 1},
    ],
)
def test_what_does_not_fit_is_named(change):
    (said,) = misfits(EXAMPLE | change, Example, "at")
    assert said.startswith(f"at.{next(iter(change))}")


def test_a_missing_field_is_named():
    assert misfits({}, _Inner, "at") == ["at.word is missing"]


def test_a_type_is_written_as_typescript():
    assert (
        declared({Example: ()})["Example"]
        == """{
  site: Site;
  kind: "a" | "b";
  tokens: Tokens;
  numbers: Floats;
  mask: Mask | null;
  flags: boolean[];
  pair: [number, number];
  by: Record<string, {
    word: string | null;
  }[]>;
  more?: number;
}"""
    )


def test_what_a_type_inherits_or_several_places_hold_is_declared_once():
    assert declared({Longer: ()}) == {
        "Longer": """extends Often {
  first: Often;
  last: {
    word: string | null;
  };
}""",
        "Often": "{\n  count: number;\n}",
    }
