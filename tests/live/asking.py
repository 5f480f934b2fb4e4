"""Requests of every kind that the page makes, and what a service answers to them.

Run with the name of a file of models and sentences, and one for the answers, it answers by the
array module: `python -m tests.live.asking ASKED ANSWERS`.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model_core.folders import CHECKPOINTS

EDITS = (
    *("head-off:cross.1.1", "no-scale", "no-positions", "causal-mask:none", "hide:2"),
    *("no-embedding-scale", "sublayer-off:encoder.1.self", "zero-value:2", "finite-mask"),
    *("no-pad-mask", "no-transpose", "dropout:3", "encoder-layer:1", "head-mean:cross.1.1"),
)
ROOMS = (
    ("translate", {"reading": "norms", "site": "cross", "by": "words"}),
    ("translate", {"reading": "hidden", "site": "cross"}),
    ("translate", {"reading": "rollout", "site": "encoder"}),
    ("beam", {}),
    ("masks", {"site": "encoder", "sentences": ["abc"]}),
    ("masks", {"site": "decoder", "breaks": ["causal-mask:none"]}),
    ("masks", {"site": "encoder", "sentences": ["abc"], "breaks": ["pads-rows", "finite-mask"]}),
    ("masks", {"view": "passes", "site": "decoder"}),
    ("positions", {"study": "order", "site": "encoder"}),
    ("positions", {"study": "sum"}),
    ("positions", {"study": "table", "kind": "own", "side": "source"}),
    ("positions", {"study": "rotary", "site": "encoder"}),
    ("inside", {"view": "cell", "site": "cross", "query": 2}),
    ("inside", {"view": "way", "side": "target", "position": 2}),
    ("inside", {"view": "spread", "site": "encoder"}),
    ("compare", {"site": "cross"}),
    ("heads", {"site": "cross"}),
    ("heads", {"site": "cross", "view": "here"}),
    ("training", {}),
)


def answers(
    service: Any, model: str, sentence: str, edits: Sequence[str] = EDITS
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a service answers to everything that can be asked about a sentence, by what it is.

    `edits` are those that are tried.
    """
    recipe = {"version": 1, "model": model, "source": sentence, "pads": 0, "target": []}
    beam = {"kind": "beam", "width": 4}
    drawn = {"kind": "sample", "seed": 3, "temperature": 1.0}
    whole = service.answer({"recipe": recipe, "extend": "end"})
    yield "whole", whole
    yield "step", service.answer({"recipe": recipe, "extend": 1})
    third = whole["steps"][0]["candidates"][2]["token"]
    yield "forced", service.answer({"recipe": recipe, "extend": "end", "force": third})
    yield "typed", service.answer({"recipe": recipe, "extend": "end", "begins": whole["text"][:4]})
    yield "pads", service.answer({"recipe": recipe | {"pads": 3}, "extend": "end"})
    yield "beam", service.answer({"recipe": recipe | {"strategy": beam}, "extend": "end"})
    yield "drawn", service.answer({"recipe": recipe | {"strategy": drawn}, "extend": "end"})
    yield "ahead", service.answer({"next": 2, "others": [third], "recipe": recipe})
    yield "link", service.answer({"link": f"v=3&model={model}&text={sentence}"})
    for edit in edits:
        changed = recipe | {"edits": [edit]}
        yield f"edit {edit}", service.answer({"recipe": changed, "extend": "end"})
    for room, view in ROOMS:
        asked = {"room": room, "recipe": whole["recipe"], **view}
        yield f"room {room} {json.dumps(view)}", service.answer(asked)


def translations(service: Any, model: str, sentences: list[str]) -> list[dict[str, Any]]:
    """The ids that are written for each sentence, and by how much each was the likeliest."""
    from model_core.values.recipe import Recipe

    found = []
    for sentence in sentences:
        _, decoding = service.library.extend(Recipe(model, sentence), None)
        best = [np.partition(step.log_probabilities_V, -2)[-2:] for step in decoding.steps]
        margins = [float(first - second) for second, first in best]
        found.append({"ids": [one.token for one in decoding.chosen], "margins": margins})
    return found


def main(asked: Path, answered: Path) -> None:
    from viz_app.live.standing import stand_in

    stand_in()
    from viz_app.server.service import Service

    service, given = Service(CHECKPOINTS), json.loads(asked.read_text("utf-8"))
    made = {
        "answers": [list(answers(service, *one)) for one in given["asked"]],
        "translations": [translations(service, *one) for one in given["translated"]],
    }
    answered.write_text(json.dumps(made), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
