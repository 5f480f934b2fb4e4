"""What the page knows before anything is decoded: the models, their sizes and examples."""

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.checkpoints.folder import fingerprint, list_checkpoints, read_config, standing
from model_core.checkpoints.heads import read_heads
from model_core.checkpoints.history import read_history
from model_core.checkpoints.snapshots import snapshot_name, snapshots_of, training_until
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointError
from model_core.models.hub.folder import is_hub_folder, read_folder
from model_core.values.anatomy import Anatomy, anatomy_of, facts_of
from model_core.values.config import ModelConfig
from model_core.values.edits import possible
from model_core.values.head_measures import HeadMeasures
from viz_app.limits import LOCAL, Limits
from viz_app.links import link as links
from viz_app.menu.card import model_card
from viz_app.rooms import ROOMS
from viz_app.rooms.examples import EXAMPLES, LESSONS
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.models.protocol import Model

DEFAULT_MODEL = "en-fr"
# In the order of the menu, after the models of any other.
_GROUPS = ("", "translation", "reversal", "positions", "similarity", "layers", "tutorials")
_FIRST = {"zh": "zh-en"}  # what readers of other languages see first
# What the page knows of a configuration under the same names.
_SAID = (
    *("encoder_layers", "decoder_layers", "encoder_heads", "decoder_heads", "width"),
    *("feed_forward_width", "similarity", "attention", "positions", "norm", "norm_place"),
    *("encoder_head_width", "decoder_head_width", "scaled_embedding", "device", "dtype"),
    "divisor",
)
_LOG = logging.getLogger(__name__)


def stage_options(
    checkpoints: Path, limits: Limits = LOCAL, added: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """The options of the stage as JSON; a checkpoint that cannot be read is left out.

    `added` are the entries of models that were added to those of the folder, and of its models of
    transformers that are open.
    """
    models, refused = models_of(checkpoints)
    known = [entry["name"] for entry in added]
    models += [closed_entry(name) for name in hub_names(checkpoints) if name not in known]
    models += added
    for name, error in refused.items():
        _LOG.warning("The model %s is left out: %s", name, error)
    names = [model["name"] for model in models]
    return {
        "version": 1,
        "models": models,
        "model": default_model(names),
        "opens": {lang: name for lang, name in _FIRST.items() if name in names},
        "payload": None,
        "limits": limits.for_page(),
        "product": VERSION,
        "link": {"limit": links.MAX_LINK},
    }


def models_of(checkpoints: Path) -> tuple[list[dict[str, Any]], dict[str, CheckpointError]]:
    """What the page knows of each model of ours, and why those are missing that cannot be read.

    Behind each stand the snapshots of its training. Of models of transformers there are only the
    reasons; `hub_names` has the others.
    """
    models, refused = [], {}
    for name in list_checkpoints(checkpoints):
        try:
            folder = checkpoints / name
            if is_hub_folder(folder):
                read_folder(folder)
                continue
            config, training = read_config(folder)
            known, card = fingerprint(folder), model_card(folder, training)
            measured = _measured(folder, anatomy_of(config), known)
            noted = _is_noted(folder, anatomy_of(config), known)
            entry = model_entry(name, config, training, measured, noted)
            models.append(entry | {"card": card, "fingerprint": known})
            models += _snapshots(folder, config, training, noted)
        except CheckpointError as error:
            refused[name] = error
    models.sort(key=lambda model: _GROUPS.index(model["group"]) if model["group"] in _GROUPS else 0)
    return models, refused


def _snapshots(
    folder: Path, config: ModelConfig, training: Training, noted: bool
) -> list[dict[str, Any]]:
    """What the page knows of the checkpoint as it was earlier in its training, the earliest first.

    They have a checkpoint that they are `of`, and only what is known of all of them.
    """
    return [
        model_entry(snapshot_name(folder.name, update), config, known, noted=noted)
        | {"card": model_card(folder, known), "fingerprint": digest[:8], "of": folder.name}
        for update, digest in snapshots_of(training).items()
        for known in [training_until(training, update)]
    ]


def hub_names(checkpoints: Path) -> list[str]:
    """The models of transformers in the folder that can be opened; nothing of them is loaded."""
    found = []
    for name in list_checkpoints(checkpoints):
        with suppress(CheckpointError):
            if is_hub_folder(checkpoints / name):
                read_folder(checkpoints / name)
                found.append(name)
    return found


class Menu:
    """What the page knows of each model in a folder now. Safe to use from several threads.

    The files of a folder are read again where one has changed. A model that is open goes on with
    the weights that were read, so its entry stays as it was: `running` says the fingerprint of
    these, None where it is not open. Of a model of transformers no more than its name is known
    before somebody asks for it.
    """

    def __init__(self, checkpoints: Path, running: Callable[[str], str | None]):
        self.checkpoints = checkpoints
        self._running = running
        self._reading = threading.Lock()
        self._read_at: object = None
        self._own: list[dict[str, Any]] = []
        self._of_hub: dict[str, dict[str, Any]] = {}

    @property
    def models(self) -> list[dict[str, Any]]:
        """The entries of all: ours, then those of transformers."""
        self._look()
        return [*self._own, *self._of_hub.values()]

    @property
    def opened(self) -> list[dict[str, Any]]:
        """The entries of those of transformers that are open."""
        self._look()
        return [one for one in self._of_hub.values() if "closed" not in one]

    @property
    def of_hub(self) -> list[str]:
        """The names of the models of transformers in the folder."""
        self._look()
        return list(self._of_hub)

    def is_of_hub(self, name: str) -> bool:
        """Whether it is one of them. Of a model that is open the folder is not looked at again."""
        known = name in self._of_hub or any(entry["name"] == name for entry in self._own)
        if not known or self._running(name) is None:
            self._look()
        return name in self._of_hub

    def entry(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The whole entry of a model of transformers in the folder; `told` opens it for that."""
        known = self._of_hub[name]
        if "closed" not in known:
            return known
        entry = make()
        with self._reading:
            self._of_hub = {**self._of_hub, name: entry}
        return entry

    def _look(self) -> None:
        names = list_checkpoints(self.checkpoints)
        paths = [os.path.join(self.checkpoints, name) for name in names]
        now = [
            (path, *map(_changed_at, (path, os.path.join(path, "config.json")))) for path in paths
        ]
        with self._reading:
            if now == self._read_at:
                return
            before = {entry["name"]: entry for entry in self._own}
            self._own = [
                self._in_use(entry, before.get(entry["name"], entry))
                for entry in models_of(self.checkpoints)[0]
            ]
            of_hub = hub_names(self.checkpoints)
            self._of_hub = {name: self._of_hub.get(name) or closed_entry(name) for name in of_hub}
            self._read_at = now

    def _in_use(self, entry: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
        """Of two entries of a model the one whose weights answer."""
        is_replaced = before["fingerprint"] != entry["fingerprint"]
        is_kept = is_replaced and self._running(entry["name"]) == before["fingerprint"]
        return before if is_kept else entry


def _changed_at(path: str) -> int | None:
    """When something was last written there, in nanoseconds; None where there is nothing."""
    with suppress(OSError):
        return os.stat(path).st_mtime_ns
    return None


def closed_entry(name: str) -> dict[str, Any]:
    """What the page knows of a model that says what it is made of only when it is opened."""
    unknown = {"lessons": None, "card": None, "fingerprint": ""}
    return {"name": name, "closed": True, "group": "", "languages": [], "examples": [], **unknown}


def default_model(names: list[str]) -> str | None:
    """The model that the page opens with."""
    if DEFAULT_MODEL in names:
        return DEFAULT_MODEL
    return names[0] if names else None


def _measured(folder: Path, anatomy: Anatomy, fingerprint: str) -> HeadMeasures | None:
    """What was measured of the heads, where it was; the weights are not opened."""
    try:
        return read_heads(standing(folder), folder.name, anatomy.sites, fingerprint)
    except CheckpointError:
        return None


def _is_noted(folder: Path, anatomy: Anatomy, fingerprint: str) -> bool:
    """Whether the folder keeps the history of this training; the weights are not opened."""
    with suppress(CheckpointError):
        read_history(standing(folder), folder.name, anatomy.sites, fingerprint)
        return True
    return False


def _taught(
    config: ModelConfig, training: Training, measured: HeadMeasures | None
) -> dict[str, Any] | None:
    """Which heads of cross-attention were taught to align; None where none were.

    `natural` is the one of the others that agrees with the aligner most, where that is known.
    """
    heads = training.taught(config)
    if not heads:
        return None
    natural, agreement_LH = None, None
    if measured is not None:
        agreement_LH = measured.sites["cross"].measure_LH("cross", "aligner").copy()
        agreement_LH[tuple(zip(*heads, strict=True))] = -1
    if agreement_LH is not None and np.isfinite(agreement_LH).all():
        best = np.unravel_index(int(agreement_LH.argmax()), agreement_LH.shape)
        natural = [int(place) for place in best]
    return {"heads": [list(place) for place in heads], "natural": natural}


def model_entry(
    name: str,
    config: ModelConfig,
    training: Training,
    measured: HeadMeasures | None = None,
    noted: bool = False,
) -> dict[str, Any]:
    """What the page knows of one checkpoint; `measured`: of its heads, where they were.

    `noted`: whether its folder keeps the history of its training.
    """
    sites = measured.sites.values() if measured else ()
    with_means = any(one.means_LHE is not None for one in sites)
    refused = {} if noted else {"training": "history"}
    edits = possible(config, with_means)
    anatomy = replace(anatomy_of(config), edits=edits, refused=refused)
    return _entry(name, anatomy, training.languages) | {
        "group": training.group,
        "update": training.update,
        **_said(facts_of(config)),
        "start_on": training.opens_on(config),
        "taught": _taught(config, training, measured),
        "examples": _examples(training),
    }


def entry_of(model: "Model") -> dict[str, Any]:
    """What the page knows of a model that was opened, whatever kind it is of."""
    # These import torch, as opening the model did.
    from model_core.models.bringing import example_of
    from model_core.models.own import OwnModel

    entry = _entry(model.name, model.anatomy, model.languages) | {
        **_said(model.facts),
        "start_on": dict(model.opens_on),
        "fingerprint": model.fingerprint,
    }
    if model.training is not None:
        entry |= {
            "group": model.training.group,
            "examples": _examples(model.training),
            "card": model_card(Path("none"), model.training),
        }
    if isinstance(model, OwnModel):
        measured = None
        with suppress(CheckpointError):
            measured = model.heads
        entry |= {"taught": _taught(model.config, model.training, measured)}
    usual = entry["examples"] or [example_of(model)]
    return entry | {"examples": [text for text in usual if text]}


def _said(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: facts[name] for name in _SAID if name in facts}


def _entry(name: str, anatomy: Anatomy, languages: tuple[str, str]) -> dict[str, Any]:
    source, target = languages
    return {
        "name": name,
        "languages": [source, target] if source and target else [],
        "group": "",
        "of": None,  # the checkpoint that it is a snapshot of
        "update": 0,  # of the training; 0 where that is not known
        "anatomy": anatomy.to_json(),
        "lacking": {room.name: code for room in ROOMS if (code := room.lacks(anatomy))},
        "max_source": anatomy.max_positions,
        "max_target": anatomy.max_positions,
        "vocabulary": anatomy.target_vocabulary,
        "examples": list(EXAMPLES.get(languages, ())),
        "lessons": LESSONS.get(source),
        "taught": None,
        "card": None,
    }


def _examples(training: Training) -> list[str]:
    """The sentences that the page offers, without strings longer than those it learnt."""
    sentences = EXAMPLES.get(training.languages, ())
    config = training.config
    if config is None or config.task != "reverse":
        return list(sentences)
    return [text for text in sentences if len(text) <= config.longest_string]
