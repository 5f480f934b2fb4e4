"""What the page gets from Python: `python -m tests.javascript.answers` writes it.

The types of what the server sends, with which real answers of every room, of models of several
kinds, are compared by a test; what a view may choose from; and the kinds of edits.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, get_args, get_type_hints

from model_core.checkpoints.history import PROGRESS
from model_core.values.anatomy import ModelKind
from model_core.values.edits import GROUPS
from model_core.values.edits import KINDS as EDIT_KINDS
from model_core.values.head_measures import PLACES
from tests.conftest import CHECKPOINTS
from tests.javascript.typed import declared, either
from tests.made_up import MadeUp
from tests.tiny import (
    measured_checkpoint,
    noted_checkpoint,
    tiny_checkpoint,
    trained_checkpoint,
)
from viz_app.links.link import ORDERS
from viz_app.menu.catalogue import Options, models_of, stage_options
from viz_app.rooms import ROOMS
from viz_app.rooms.room import Room
from viz_app.rooms.translate.payload import Payload
from viz_app.rooms.translate.view import By, Drawing, Reading, Rows
from viz_app.server.answers.ahead import Ahead
from viz_app.server.answers.backend import Decoded, Status
from viz_app.server.answers.requests import Refusal
from viz_app.server.service import Service
from viz_app.server.trainings.runs import FOLDER, Runs, TrainingRun
from viz_app.server.trainings.settings import Trains, offered
from viz_app.values.sheets import LEAST_SAID, LEAST_SAID_FINELY, OPEN_SHARE
from viz_app.values.tables import AnswerTable

WRITTEN = Path(__file__).resolve().parents[2] / "viz_app/stage/answers.d.ts"
HEAD = """// What the server sends, printed from the types of its answers by
// `python -m tests.javascript.answers`. A test holds that real answers are of them. No page ever
// gets this file.

type Floats = string; // numbers of an array as base64 of little-endian float32
type Mask = string[]; // rows of 0s and 1s
"""
CHOICES = WRITTEN.with_name("choices.js")
HEAD_OF_CHOICES = """// What there is to choose from, printed from Python by
// `python -m tests.javascript.answers`.

/**
 * The places that a head of a site may look at, each a share of its attention.
 * @type {Record<Site, string[]>}
 */
export const HEAD_PLACES = {
"""
HEAD_OF_EDITS = """
/**
 * The groups of the menu "What if", and the kinds of edits in each with what may follow the name.
 * @type {Record<string, Record<string, string[]>>}
 */
"""
SAID = f"""
/** Weights and differences that are smaller have no digits in their cell. */
export const LEAST_SAID = {LEAST_SAID};
/** Nor have smaller ones where small ones count: changes in nats, a head that learns, words. */
export const LEAST_SAID_FINELY = {LEAST_SAID_FINELY};
/** Where on the scale of weights the colour of an open cell of a mask is. */
export const OPEN_SHARE = {OPEN_SHARE};
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
KINDS: tuple[ModelKind, ...] = ("encoder-decoder", "decoder", "encoder")
BREAKS: tuple[list[str], ...] = (
    [],
    ["causal-mask:none", "finite-mask"],
    ["pads-rows"],
    ["pads-rows", "finite-mask"],
)
# The types of what is no room's; those of rooms are what they say that they return.
OF_SERVICE: tuple[Any, ...] = (
    *(Options, Payload, Decoded, Ahead, Refusal, Status),
    *(Trains, TrainingRun),
)


class Tabled(TypedDict):
    """What every answer of a room has besides."""

    tables: dict[str, list[AnswerTable]]


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
        "Options": [
            json.loads(json.dumps(one))
            for one in map(stage_options, (service.models, models_of(CHECKPOINTS).own))
        ],
        "Decoded": payloads,
        "Ahead": ask.one("tiny", next=2, others=[9, 33], have=0),
        "StepNumbers": ask.every(room="translate", at=0, strategy=SAMPLED),
        "Draws": ask.one("tiny", room="translate", draws=3, strategy=SAMPLED),
        "Norms": ask.sites(room="translate", reading="norms"),
        "Changes": ask.every(room="translate", site="cross", reading="hidden"),
        "Averages": ask.sites(room="translate", reading="rollout"),
        "HeadRows": ask.sites(room="translate", layer=0, head=0),
        "SourceAssembly": ask.every(room="translate", assembly=True),
        **of_rooms(ask),
        **of_positions(ask),
        "Refusal": [
            service.answer({"recipe": {"model": "none", "source": SOURCE}}),
            service.answer({"recipe": {"model": "tiny", "source": SOURCE}, "extend": -1}),
        ],
        "Trains": [offered()],
        "TrainingRun": training_runs(root),
        "Status": [
            service.status(name, drawing) for name, drawing in (("tiny", ""), ("none", "a"))
        ],
    }


def training_runs(root: Path) -> list[Any]:
    """One that was begun, and one that was killed before it said anything."""
    for name, progress in (("run-1", {"update": 5, "per_second": 2.5, "loss": 1.5}), ("run-2", {})):
        folder = root / FOLDER / name
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text("{}", encoding="utf-8")
        (folder / PROGRESS).write_text(json.dumps(progress), encoding="utf-8")
    return [*Runs(root).answer({"do": "list"})["runs"]]


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
        "Unmeasured": ask.one("plain", room="heads"),
        "HeadsAnswer": [
            one
            for site in SITES
            for view in ("grid", "here")
            for one in ask.one("measured", room="heads", site=site, view=view)
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


def types_of(room: Room) -> tuple[Any, ...]:
    """The types of what a room answers the page."""
    hints = get_type_hints(room.to_page or room.answer, localns={"Tracer": None})
    return either(get_args(hints["return"])[0])


def every_type() -> dict[Any, tuple[Any, ...]]:
    """Every type of an answer, and what it is besides."""
    of_rooms = {one: (Tabled,) for room in ROOMS for one in types_of(room)}
    return dict.fromkeys(OF_SERVICE, ()) | of_rooms


def types() -> str:
    """The declarations of all answers."""
    named = declared(every_type())
    return HEAD + "".join(f"\ninterface {name} {body}\n" for name, body in named.items())


def choices() -> str:
    """What the view of a translation may choose from, the places of heads, and the edits."""
    edits = {
        group: {kind: one.forms for kind, one in EDIT_KINDS.items() if one.group == group}
        for group in GROUPS
    }
    kinds = {"rows": Rows, "by": By, "view": Drawing, "reading": Reading}
    said = {name: get_args(kind) for name, kind in kinds.items()} | {"order": ORDERS}
    return (
        HEAD_OF_CHOICES
        + _lines(PLACES)
        + f"}};\n\n// Rooms whose query and key are the cell that the page keeps.\n{_cells()}"
        + "\n/** What each name of a view may be. @type {Record<string, string[]>} */\n"
        + f"export const CHOICES = {{\n{_lines(said)}}};\n"
        + SAID
        + HEAD_OF_EDITS
        + f"export const EDITS = {{\n{_lines(edits)}}};\n"
    )


def _cells() -> str:
    keep = [room.name for room in ROOMS if room.keeps_cell]
    return f"export const KEEP_CELL = {json.dumps(keep)};\n"


def _lines(lists: Mapping[str, object]) -> str:
    return "".join(f"  {name}: {json.dumps(values)},\n" for name, values in lists.items())


def main() -> int:
    WRITTEN.write_text(types(), encoding="utf-8")
    CHOICES.write_text(choices(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
