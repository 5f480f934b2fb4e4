"""The trainings under one folder: begun, paused, looked at, kept as a model, and removed."""

import json
import re
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

from model_core.atomic import replace_file
from model_core.checkpoints.folder import (
    check_replaceable,
    list_checkpoints,
    read_settled,
    workplace,
)
from model_core.checkpoints.history import HISTORY, PROGRESS, read_history
from model_core.errors import RecipeError
from model_core.values.checked import shown
from viz_app.menu.catalogue import ClosedModel, ModelJson
from viz_app.rooms.training.answer import NotedTraining, noted_answer
from viz_app.rooms.training.view import TrainingView
from viz_app.server.trainings.process import LOG, Slot, measure_heads
from viz_app.server.trainings.settings import TrainingSettings
from viz_app.text import named_error
from viz_app.values.wire import Json, packed

FOLDER = ".trainings"  # among the checkpoints; no checkpoint can be called so
MOST_RUNS = 12
_MODEL = "model"  # what a run trains, before it is kept under another name
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_RUN = re.compile(r"run-[1-9][0-9]{0,3}")
_LOG_BYTES = 4096
# Names that a system gives to its devices.
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)")


class TrainingRun(TypedDict):
    """What the page knows of a training that it began; `why` it failed, as the command said."""

    name: str
    settings: dict[str, str | int | bool]
    state: Literal["running", "paused", "done", "failed"]
    update: int
    updates: int
    loss: float | None
    per_second: float | None
    seconds_left: int | None
    noted: bool
    can_keep: bool
    kept: str | None
    why: str | None


class Trainings(TypedDict):
    """All trainings there are, and what was done: the run that goes on, the name of what was kept,
    the model that it is in the menu, or what a look shows, as the room Training answers.
    """

    runs: list[TrainingRun]
    run: NotRequired[str]
    kept: NotRequired[str]
    model: NotRequired[ModelJson | ClosedModel | None]
    looked: NotRequired[Json]


class Runs:
    """Safe to use from threads. Nothing is written outside of the folder of the checkpoints."""

    def __init__(self, checkpoints: Path):
        self._checkpoints = checkpoints
        self._folder = checkpoints / FOLDER
        self._slot = Slot(self._folder)
        self._lock = threading.Lock()  # around what begins, ends, keeps or removes

    def answer(self, request: Any) -> Trainings:
        """The answer to {"do": what is done, "run": its name, ...}.

        "list": {"runs"}; "start" with "settings"; "pause", "go_on", "remove"; "keep" with "name";
        "look" with "site", "layer", "head" and "sentence": also {"looked"}, as the room Training
        answers. RecipeError names what is malformed, and what cannot be done.
        """
        if not isinstance(request, dict):
            raise RecipeError("A request about trainings is a JSON object.")
        does: dict[str, Callable[[Json], Json]] = {
            "list": lambda said: {},
            "start": self._start,
            "pause": self._pause,
            "go_on": self._go_on,
            "remove": self._remove,
            "keep": self._keep,
            "look": self._look,
        }
        said = {name: value for name, value in request.items() if name != "do"}
        do = request.get("do")
        if not isinstance(do, str) or do not in does:
            raise RecipeError(f"do is {shown(do)}; there are {', '.join(does)}.")
        more = does[do](said)
        return cast(Trainings, {"runs": self._listed(), **more})

    def close(self) -> None:
        """Let the running training save and end."""
        self._slot.stop(within=5.0)

    def _listed(self) -> list[TrainingRun]:
        running, found = self._slot.running(), list[TrainingRun]()
        for name in self._names():
            with suppress(RecipeError):  # its settings are those of another version
                found.append(self._described(name, running))
        return found

    def _names(self) -> list[str]:
        """The names of all runs, the oldest first."""
        found = [one.parent.name for one in self._folder.glob("run-*/settings.json")]
        return sorted(filter(_RUN.fullmatch, found), key=lambda name: int(name[4:]))

    def _described(self, name: str, running: str | None) -> TrainingRun:
        folder = self._folder / name
        progress = _read_json(folder / PROGRESS)
        settings = self._settings(name)
        update, pace = progress.get("update", 0), progress.get("per_second")
        left = settings.updates - update
        has_model = (folder / _MODEL / "config.json").exists()
        state: Literal["running", "paused", "done", "failed"]
        if running == name:
            state = "running"
        elif left <= 0 and has_model:
            state = "done"
        else:
            state = "failed" if _why(folder) else "paused"
        return {
            "name": name,
            "settings": asdict(settings),
            "state": state,
            "update": update,
            "updates": settings.updates,
            "loss": progress.get("loss"),
            "per_second": pace,
            "seconds_left": round(left / pace) if pace and left > 0 else None,
            "noted": (folder / HISTORY).exists(),
            "can_keep": has_model,
            "kept": _read_json(folder / "kept.json").get("name"),
            "why": _why(folder) if state == "failed" else None,
        }

    def _settings(self, name: str) -> TrainingSettings:
        return TrainingSettings.from_json(_read_json(self._folder / name / "settings.json"))

    def _named(self, said: Json) -> str:
        """The run that a request names."""
        name = said.get("run")
        if not isinstance(name, str) or name not in self._names():
            raise named_error(RecipeError, "training_none")
        return name

    def _start(self, said: Json) -> Json:
        settings = TrainingSettings.from_json(said.get("settings"))
        with self._lock:
            if self._slot.running() is not None:
                raise named_error(RecipeError, "training_one")
            if len(self._listed()) >= MOST_RUNS:
                raise named_error(RecipeError, "training_many", limit=MOST_RUNS)
            name = f"run-{max((int(one[4:]) for one in self._names()), default=0) + 1}"
            folder = self._folder / name
            try:
                folder.mkdir(parents=True)
                text = json.dumps(asdict(settings)).encode()
                replace_file(folder / "settings.json", text)
            except OSError as error:
                raise named_error(RecipeError, "training_folder") from error
            self._slot.start(name, settings.words(folder, folder / _MODEL))
        return {"run": name}

    def _go_on(self, said: Json) -> Json:
        with self._lock:
            name = self._named(said)
            folder = self._folder / name
            self._slot.start(name, self._settings(name).words(folder, folder / _MODEL))
        return {"run": name}

    def _pause(self, said: Json) -> Json:
        with self._lock:
            if self._slot.running() == self._named(said):
                self._slot.stop()
        return {}

    def _remove(self, said: Json) -> Json:
        with self._lock:
            name = self._named(said)
            if self._slot.running() == name:
                self._slot.stop()
            shutil.rmtree(self._folder / name, ignore_errors=True)
        return {}

    def _keep(self, said: Json) -> Json:
        """Make a model of the best weights of a run so far, under a name that is free."""
        with self._lock:
            run, name = self._named(said), said.get("name")
            if not isinstance(name, str) or not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
                raise named_error(RecipeError, "training_name")
            taken = {one.lower() for one in list_checkpoints(self._checkpoints)}
            folder = self._checkpoints / name
            if name.lower() in taken or folder.exists():
                raise named_error(RecipeError, "training_taken", name=name)
            source = self._folder / run / _MODEL
            if not (source / "config.json").exists():
                raise named_error(RecipeError, "training_early")
            try:
                check_replaceable(folder)
                _copy(source, folder)
                kept = json.dumps({"name": name}).encode()
                replace_file(self._folder / run / "kept.json", kept)
            except OSError as error:
                raise named_error(RecipeError, "training_folder") from error
        return {"kept": name}

    def _look(self, said: Json) -> Json:
        """One head of a run at all of its notes so far."""
        name = self._named(said)
        folder = self._folder / name
        place = {key: said.get(key) for key in ("site", "layer", "head", "sentence")}
        view = TrainingView.from_json({k: v for k, v in place.items() if v is not None})
        from model_core.tokenizer import Tokenizer

        sites = self._settings(name).sites
        found = next((one for one in sites if one.site == (view.site or "cross")), None)
        if found is None:
            raise RecipeError(f"site is {shown(view.site)}; it must be one of a training.")
        view = replace(
            view,
            site=found.site,
            layer=min(view.layer or 0, found.layers - 1),
            head=min(view.head or 0, found.heads - 1),
        )
        history = read_history(folder, name, sites, "")
        text = (folder / f"{_MODEL}.training" / "tokenizer.json").read_text("utf-8")
        tokens = Tokenizer.from_json(text).tokens
        noted = NotedTraining(name, sites, history, tokens, tokens)
        answer = noted_answer(noted, view)
        shape = [{"site": one.site, "layers": one.layers, "heads": one.heads} for one in sites]
        return {"looked": packed(answer.values) | {"sites": shape}}


def _copy(source: Path, folder: Path) -> None:
    """Put a checkpoint where the others are, under its name there, and measure its heads.

    All of it comes there, or nothing; without the measures where they take too long.
    """
    files = read_settled(source, lambda place: {p.name: p.read_bytes() for p in place.iterdir()})
    name, before = folder.name, f"--out checkpoints/{_MODEL} "
    config = json.loads(files["config.json"])
    training = config["training"]
    training["command"] = training["command"].replace(before, f"--out checkpoints/{name} ")
    training["group"] = ""
    files["config.json"] = (json.dumps(config, indent=2, ensure_ascii=False) + "\n").encode()
    card = files["card.md"].decode("utf-8").replace(before, f"--out checkpoints/{name} ")
    files["card.md"] = "\n".join((f"# {name}", card.partition("\n")[2])).encode()
    place = workplace(folder)
    new = place / "new"
    shutil.rmtree(place, ignore_errors=True)
    new.mkdir(parents=True)
    for path, content in files.items():
        (new / path).write_bytes(content)
    measure_heads(new)
    new.rename(folder)
    place.rmdir()


def _read_json(path: Path) -> Json:
    """The object in a file; an empty one where there is none."""
    with suppress(OSError, ValueError):
        said = json.loads(path.read_text("utf-8"))
        if isinstance(said, dict):
            return said
    return {}


def _why(folder: Path) -> str | None:
    """What the command said was wrong; None where it ended as it should, or was killed."""
    with suppress(OSError):
        log = (folder / LOG).read_bytes()[-_LOG_BYTES:].decode("utf-8", "replace")
        last = (log.strip().splitlines() or [""])[-1]
        if last.startswith("error: "):
            return last.removeprefix("error: ")
    return None
