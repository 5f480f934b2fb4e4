"""What a lesson asks of a training is read from its notes, and what never happened is told."""

from types import SimpleNamespace

import numpy as np
import pytest

from model_core.errors import LessonError
from model_core.values.history import LEVELS, History
from viz_app.lessons import trainings

SOURCE, TARGET = (7, 8, 9), (1, 8, 7, 9)  # letters and the end; from the start on


def weights(*dark):
    """Of each note the columns that the rows read, every other weight the same."""
    rows_NQK = np.full((len(dark), 1, 1, len(dark[0]), 3), 10, np.uint8)
    for note, columns in enumerate(dark):
        for row, column in enumerate(columns):
            rows_NQK[note, 0, 0, row, column] = LEVELS - 20
    return rows_NQK


@pytest.fixture
def run():
    nan = float("nan")
    history = History(
        fingerprint="",
        score="exact",
        broken="ahead",
        updates_N=np.array([0, 10, 20, 40]),
        learnt_N=np.array([nan, 4.0, 1.9, 0.1]),
        rate_N=np.zeros(4),
        loss_N=np.array([4.0, 3.0, 5.0, 6.0]),
        score_N=np.array([0.0, 0.0, 0.0, 2.0]),
        entropy_NLH={},
        copied_NLH=np.array([0.1, 0.3, 0.6, 0.4]).reshape(4, 1, 1),
        sentences=((SOURCE, TARGET),),
        weights={
            "cross": (weights((2, 2, 0), (2, 2, 2), (1, 0, 2), (1, 0, 2)),),
            "decoder": (weights((0, 0, 0), (0, 1, 2), (1, 2, 2), (1, 2, 2)),),
        },
    )
    return SimpleNamespace(tracer=SimpleNamespace(model=SimpleNamespace(history=history)))


def test_curves_are_asked_when_they_fall_rise_and_part(run):
    assert trainings.note_under(run, "learnt", 0.5) == 2  # of its first number, which is not NaN
    assert trainings.note_over(run, "copied", 0.5) == 2
    assert trainings.note_parted(run, "learnt", "loss", 2) == 2
    assert trainings.highest(run, "copied") == pytest.approx(0.6)
    assert trainings.update_at(run, -1) == 40
    assert trainings.noted(run, "score", -1) == 2


def test_rows_are_counted_by_what_they_read_most(run):
    assert [trainings.rows_right(run, 0, note) for note in range(4)] == [0, 1, 3, 3]
    assert [trainings.rows_ahead(run, 0, note) for note in range(4)] == [0, 0, 2, 2]
    assert trainings.most_read(run, 0, 1) == 2
    assert trainings.rows_reading(run, 0, 0, 2) == 2
    assert trainings.noted_rows(run, 0) == 3


@pytest.mark.parametrize(
    "ask",
    [
        lambda run: trainings.note_over(run, "copied", 0.9),
        lambda run: trainings.note_under(run, "loss", 0.1),
        lambda run: trainings.note_parted(run, "loss", "learnt", 2),
        lambda run: trainings.noted(run, "fingerprint", 0),
    ],
)
def test_what_never_happened_is_told(run, ask):
    with pytest.raises(LessonError):
        ask(run)
