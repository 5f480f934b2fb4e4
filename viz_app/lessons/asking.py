"""The closed list of what a lesson can ask, by the names that its expressions call."""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import getmembers, isfunction
from typing import Any

from model_core.decoding.run import Run
from viz_app.lessons import answers, trainings, values

# Every function of these modules is an answer; what begins with _ is their own.
ANSWERS: dict[str, Callable[..., Any]] = {
    name: one
    for module in (trainings, values, answers)
    for name, one in getmembers(module, isfunction)
    if one.__module__ == module.__name__ and not name.startswith("_")
}
# What costs no more than the run itself: all that a lesson may ask that is tried in the page.
WRITTEN = (
    *("steps", "fed", "written", "read", "row", "key", "columns", "reads"),
    *("source_tokens", "read_tokens", "target_tokens", "likely"),
    *("probability", "token", "candidate", "weight", "cell", "darkest"),
    *("same", "like", "right", "side", "trend", "greatest", "sign", "among", "where", "yes"),
)


def answers_of(run: Run) -> Mapping[str, Callable[..., Any]]:
    """The closed list, of this run."""
    return {name: partial(one, run) for name, one in ANSWERS.items()}
