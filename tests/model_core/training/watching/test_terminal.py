"""The loss and a head in a terminal."""

import io
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model_core.training.loop import train
from model_core.training.notes import Glance
from model_core.training.watching.terminal import (
    TerminalWatcher,
    can_draw,
    cut,
    head_map,
    loss_curve,
    picture,
    width,
)
from tests.tiny_training import losses, tiny, write_words


class Terminal(io.StringIO):
    """A stream that says what it is."""

    def __init__(self, encoding: str = "utf-8", is_terminal: bool = True):
        super().__init__()
        self._encoding, self._is_terminal = encoding, is_terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._is_terminal


def glance(weights_QK: np.ndarray) -> Glance:
    rows, columns = weights_QK.shape
    fed, source = (tuple("abcdefghij"[:count]) for count in (rows, columns))
    return Glance(source, fed, {"cross": weights_QK[None, None]})


@pytest.fixture
def anti_diagonal() -> Glance:
    return glance(np.eye(5)[::-1].copy())


def test_it_draws_only_where_a_terminal_shows_blocks() -> None:
    assert can_draw(Terminal())
    assert not can_draw(Terminal(is_terminal=False))
    assert not can_draw(Terminal(encoding="ascii")) and not can_draw(Terminal(encoding="cp1251"))
    assert not can_draw(io.StringIO())


def test_dark_cells_stand_where_a_head_reads() -> None:
    weights_QK = np.array([[0, 0, 1], [0, 1, 0], [0.5, 0.25, 0.25]])
    _, *rows = head_map(weights_QK, "abc", "xyz", 80)
    assert rows == ["a     ██", "b   ██", "c ▒▒░░░░"]


def test_a_falling_loss_is_a_falling_curve() -> None:
    lines = loss_curve(np.linspace(4, 0, 400).tolist(), 40)
    heights = [sum(" ▁▂▃▄▅▆▇█".index(line[i]) for line in lines) for i in range(40)]
    assert heights == sorted(heights, reverse=True) and heights[0] > 28 and heights[-1] < 2


@pytest.mark.parametrize("columns", [24, 40, 79, 200])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    keys, queries = ["猫", "\x1b[31m", "ordinary", "e\u0301"] * 20, ["\x07bell", "狗狗狗狗狗狗"]
    shown = Glance(tuple(keys), tuple(queries), {"cross": np.full((2, 3, 2, 80), 1 / 80)})
    lines = picture([3.0, 2.0, 1.0], shown, columns)
    assert max(map(width, lines)) <= columns
    assert all(line.isprintable() for line in lines)


def test_wide_letters_are_counted_as_they_stand() -> None:
    assert [width("ab"), width("猫"), width("e\u0301")] == [2, 2, 1]
    assert cut("猫猫", 3) == "猫" and cut("\x1b[2J", 9) == "?[2J"


def test_a_picture_is_drawn_again_in_its_place_and_not_too_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anti_diagonal: Glance
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((80, 40)))
    now, stream = [0.0], Terminal()
    watcher = TerminalWatcher(stream, lambda: None, lambda: None, lambda: now[0])
    progress = next(train(tiny("reverse", strings=500), tmp_path / "model"))
    looked = replace(progress, glance=lambda: anti_diagonal)
    watcher.see(looked)
    first = stream.getvalue()
    assert "██" in first and "\x1b" not in first
    watcher.see(looked)
    assert stream.getvalue() == first
    now[0] = 2.0
    watcher.see(looked)
    again = stream.getvalue()[len(first) :]
    lines = first.count("\n")
    assert again.startswith(f"\x1b[{lines}A") and again.count("\n") == lines


def test_a_terminal_that_is_too_small_shows_the_bar_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((20, 40)))
    stream = Terminal()
    watcher = TerminalWatcher(stream, lambda: None, lambda: None)
    watcher.see(next(train(tiny("reverse", strings=500), tmp_path / "model")))
    assert stream.getvalue() == ""


def test_looking_changes_nothing_of_what_is_learnt(tmp_path: Path) -> None:
    data = write_words(tmp_path / "data")
    quiet = losses(train(tiny(updates=6), tmp_path / "quiet", data))
    watched = []
    for progress in train(tiny(updates=6), tmp_path / "watched", data):
        rows_LHQ = progress.glance().weights["cross"].sum(axis=-1)
        np.testing.assert_allclose(rows_LHQ, 1, atol=1e-5)
        watched.append((progress.update, progress.loss, progress.nats))
    assert watched == quiet
