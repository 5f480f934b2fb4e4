"""What the server sends the page, as types: `python -m tests.javascript.answers` writes them.

They are read off real answers of every room, of models of several kinds, so a field that Python
adds, drops or makes something else changes them; a test compares.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args, get_type_hints

from model_core.values.anatomy import Kind
from tests.conftest import CHECKPOINTS
from tests.javascript.typed import declared
from tests.made_up import MadeUp
from tests.tiny import (
    measured_checkpoint,
    noted_checkpoint,
    tiny_checkpoint,
    trained_checkpoint,
)
from viz_app.menu.catalogue import stage_options
from viz_app.rooms import ROOMS
from viz_app.server.service import Service
from viz_app.values.tables import AnswerTable

WRITTEN = Path(__file__).resolve().parents[2] / "viz_app/stage/answers.d.ts"
HEAD = """// What the server sends, read off its answers by `python -m tests.javascript.answers`.
// A test holds that the two agree. Numbers of arrays travel as base64 of little-endian float32. No
// page ever gets this file.

type Floats = string;
type Mask = string[]; // rows of 0s and 1s
"""
MODELS: dict[str, dict[str, Any]] = {
    "tiny": {},
    "hard": {"attention": "hard", "positions": "rotary"},
    "learned": {"positions": "learned", "norm_place": "pre", "final_norm": True},
    "bare": {"positions": "none", "similarity": "additive", "hidden_score": "-1e9"},
}
SOURCE = "The old cat."
CHOSEN = [{"token": 9, "how": "forced"}, {"token": 33, "how": "forced"}]
SAMPLED = {"kind": "sample", "temperature": 5.0}
SITES = ("encoder", "decoder", "cross")
KINDS: tuple[Kind, ...] = ("encoder-decoder", "decoder", "encoder")
BREAKS: tuple[list[str], ...] = (
    [],
    ["causal-mask:none", "finite-mask"],
    ["pads-rows"],
    ["pads-rows", "finite-mask"],
)
# An object with these fields, whatever else it has, is called so.
NAMED = {
    "Tokens": {"ids", "pieces", "texts", "kinds"},
    "Candidate": {"token", "piece", "text", "kind", "log_probability"},
    "Likely": {"token", "piece", "text", "kind", "probability"},
    "Step": {"index", "candidates"},
    "Choice": {"token", "how"},
    "Recipe": {"version", "model", "source", "pads", "target", "strategy"},
    "AnswerTable": {"name", "axes", "arrays"},
    "Model": {"anatomy", "languages"},
    "Anatomy": {"sites", "special", "kind"},
}
# Objects whose fields are names of something, not of themselves.
BY_NAME = {"lacking", "refused", "tables", "arrays", "values", "parts", "opens"}


@dataclass
class Shape:
    """What was seen in one place."""

    plain: set[str] = field(default_factory=set)
    items: "Shape | None" = None
    fields: dict[str, "Shape"] = field(default_factory=dict)
    always: set[str] | None = None  # the fields that were there each time

    def see(self, value: Any) -> "Shape":
        if isinstance(value, dict):
            for name, one in value.items():
                self.fields.setdefault(name, Shape()).see(one)
            self.always = set(value) if self.always is None else self.always & set(value)
        elif isinstance(value, list | tuple):
            self.items = self.items or Shape()
            for one in value:
                self.items.see(one)
        else:
            kinds = {bool: "boolean", int: "number", float: "number", str: "string"}
            self.plain.add("null" if value is None else kinds[type(value)])
        return self

    def add(self, other: "Shape") -> "Shape":
        self.plain |= other.plain
        if other.items:
            self.items = (self.items or Shape()).add(other.items)
        for name, one in other.fields.items():
            self.fields.setdefault(name, Shape()).add(one)
        if other.always is not None:
            self.always = other.always if self.always is None else self.always & other.always
        return self


class Asking:
    """Puts questions to a server with models of every kind."""

    def __init__(self, root: Path):
        for name, changes in MODELS.items():
            trained_checkpoint(root / name, **changes)
        tiny_checkpoint(root / "plain")
        measured_checkpoint(root / "measured")
        noted_checkpoint(root / "noted")
        self.service = Service(root)
        for kind in KINDS:
            self.service.add(MadeUp(kind))

    def one(
        self,
        model: str,
        *targets: list[Any],
        strategy: Any = None,
        edits: Sequence[str] = (),
        **question: Any,
    ) -> list[Any]:
        """The answers of one model, of a sentence begun and of one under way."""
        found = []
        for target in targets or ([], CHOSEN):
            recipe = {"model": model, "source": SOURCE, "pads": 1, "target": target}
            recipe |= {"strategy": strategy} if strategy else {}
            recipe |= {"edits": list(edits)} if edits else {}
            answer = self.service.answer({"recipe": recipe} | question)
            if "error" not in answer:  # this model has no such thing
                found.append(answer)
        return found

    def every(self, **question: Any) -> list[Any]:
        return [answer for model in MODELS for answer in self.one(model, **question)]

    def sites(self, **question: Any) -> list[Any]:
        return [one for site in SITES for one in self.every(site=site, **question)]


def answers(root: Path) -> dict[str, list[Any]]:
    """Real answers, by the name of their type."""
    ask = Asking(root)
    service = ask.service
    service.drawn["a"] = 0
    payloads = [
        *ask.every(extend=2),
        *ask.one("tiny", extend="end"),
        *ask.one("tiny", CHOSEN, have=2),
        *ask.one("tiny", extend="end", strategy=SAMPLED),
        *ask.one("tiny", extend="end", edits=["causal-mask:behind"]),
        *(one for kind in KINDS for one in ask.one(f"made-up-{kind}", [], extend=0)),
    ]
    return {
        "Options": [stage_options(root, added=service.added), stage_options(CHECKPOINTS)],
        "Payload": payloads,
        "StepNumbers": ask.every(room="translate", at=0, strategy=SAMPLED),
        **of_rooms(ask),
        **of_positions(ask),
        "Refusal": [
            service.answer({"recipe": {"model": "none", "source": SOURCE}}),
            service.answer({"recipe": {"model": "tiny", "source": SOURCE}, "extend": -1}),
        ],
        "Status": [
            service.status(name, drawing) for name, drawing in (("tiny", ""), ("none", "a"))
        ],
    }


def of_rooms(ask: Asking) -> dict[str, list[Any]]:
    batch: dict[str, Any] = {"room": "masks", "sentences": [SOURCE, "roof"], "shown": 1}
    other = {"model": "learned", "source": SOURCE, "pads": 0, "target": []}
    return {
        "MasksAnswer": [
            one
            for site in SITES
            for broken in BREAKS
            for model in ("tiny", "hard")
            for one in ask.one(model, site=site, breaks=broken, **batch)
        ],
        "PassesAnswer": ask.sites(room="masks", view="passes"),
        "HeadsAnswer": [
            one
            for model in ("measured", "plain")
            for site in SITES
            for view in ("grid", "here")
            for one in ask.one(model, room="heads", site=site, view=view)
        ],
        "CompareAnswer": [
            *ask.sites(room="compare"),
            *(
                one
                for align in ("text", "position")
                for one in ask.every(room="compare", align=align)
            ),
            *ask.every(room="compare", b=other),
            *ask.every(room="compare", numbers="path"),
            *ask.every(room="compare", numbers="vectors"),
            *ask.one("tiny", room="compare", b=other | {"model": "none"}),
        ],
        "TrainingAnswer": [
            one
            for site in SITES
            for head in (0, 1)
            for one in ask.one("noted", room="training", site=site, layer=0, head=head)
        ],
        "CellAnswer": ask.sites(room="inside"),
        "SpreadAnswer": ask.sites(room="inside", view="spread"),
        "NormsAnswer": ask.sites(room="inside", view="norms"),
        "Hypothesis": ask.one("tiny", room="beam", part="node"),
        "BeamAnswer": [*ask.every(room="beam"), *ask.every(room="beam", begin="forced", width=2)],
        "WayAnswer": [
            one
            for side in ("source", "target")
            for one in ask.every(room="inside", view="way", side=side)
        ],
    }


def of_positions(ask: Asking) -> dict[str, list[Any]]:
    places = ask.every(room="positions", study="order")[0]["order"]
    moved = {"study": "order", "order": places[::-1], "rows": places}
    sides, tables = ("source", "target"), ("sinusoidal", "learned", "rotary", "none")
    studies = {
        "PositionTable": [
            *({"study": "table", "side": side} for side in sides),
            *({"study": "table", "kind": kind} for kind in tables),
        ],
        "PositionSum": [{"study": "sum", "side": side} for side in sides],
        "PositionOrder": [
            *({"study": "order", "site": s, "mode": how} for s in SITES for how in ("on", "off")),
            moved,
        ],
        "PositionOutcome": [{"study": "outcome"}, moved | {"study": "outcome"}],
        "Rotation": [{"study": "rotary", "site": site} for site in ("encoder", "decoder")],
    }
    return {
        name: [one for question in questions for one in ask.every(room="positions", **question)]
        for name, questions in studies.items()
    }


def types(root: Path) -> str:
    """The declarations of all answers."""
    typed = declared(dict.fromkeys(of_types(), TABLES))
    named: dict[str, Shape] = {}
    answered = {name: values for name, values in answers(root).items() if name not in typed}
    roots = {name: Shape() for name in answered}
    for name, values in answered.items():
        assert values, f"nothing was answered for {name}"
        for value in values:
            roots[name].see(value)
    for shape in roots.values():
        _gather(shape, named)
    declared_ = {**{name: named[name] for name in NAMED if name not in typed}, **roots}
    typed |= {name: _body(shape, "") for name, shape in declared_.items()}
    return HEAD + "".join(f"\ninterface {name} {body}\n" for name, body in typed.items())


TABLES = {"tables": dict[str, list[AnswerTable]]}


def of_types() -> list[Any]:
    """The types of what the rooms answer the page."""
    returned = [get_type_hints(room.to_page or room.answer, _NAMES)["return"] for room in ROOMS]
    answered = [get_args(one)[0] for one in returned if get_args(one)]
    return [one for each in answered for one in get_args(each) or (each,)]


# What a function of a room names where types are checked alone.
_NAMES = {"Tracer": None}


def _gather(shape: Shape, named: dict[str, Shape]) -> None:
    if name := _name_of(shape):
        named.setdefault(name, Shape()).add(shape)
    for below in (shape.items, *shape.fields.values()):
        if below is not None:
            _gather(below, named)


def _name_of(shape: Shape) -> str | None:
    return next((name for name, names in NAMED.items() if names <= set(shape.fields)), None)


def _written(shape: Shape, name: str, indent: str) -> str:
    kinds = sorted(shape.plain - {"null"})
    if name == "site" and kinds == ["string"]:
        kinds = ["Site"]
    if shape.fields or shape.always is not None:
        if called := _name_of(shape):
            kinds.append(called)
        elif name in BY_NAME:
            each = Shape()
            for one in shape.fields.values():
                each.add(one)
            kinds.append(f"Record<string, {_written(each, '', indent)}>")
        else:
            kinds.append(_body(shape, indent))
    if shape.items:
        inner = _written(shape.items, "", indent)
        kinds.append(f"({inner})[]" if " | " in inner and "{" not in inner else f"{inner}[]")
    if "null" in shape.plain:
        kinds.append("null")
    return " | ".join(kinds) or "never"


def _body(shape: Shape, indent: str) -> str:
    inner = f"{indent}  "
    lines = [
        f"{inner}{name}{'' if name in (shape.always or ()) else '?'}: {_written(one, name, inner)};"
        for name, one in shape.fields.items()
    ]
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        WRITTEN.write_text(types(Path(folder)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
