"""What the page knows before anything is decoded: the models, their sizes and examples."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, cast, final

import numpy as np

from model_core.checkpoints.folder import fingerprint, list_checkpoints, read_config, standing
from model_core.checkpoints.heads import read_heads
from model_core.checkpoints.history import read_history
from model_core.checkpoints.parts import parameters_by_part
from model_core.checkpoints.snapshots import snapshot_name, snapshots_of, training_until
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointError
from model_core.models.hub.folder import is_hub_folder, read_folder
from model_core.values.anatomy import Anatomy, AnatomyJson, anatomy_of, facts_of
from model_core.values.config import ModelConfig
from model_core.values.head_measures import HeadMeasures
from model_core.values.trace import Site
from viz_app.limits import LOCAL, Limits, PageLimits
from viz_app.links import link as links
from viz_app.menu.card import Card, model_card
from viz_app.rooms import ROOMS
from viz_app.rooms.examples import EXAMPLES, LESSONS, Lessons
from viz_app.values.computed_by import computed_by
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.models.protocol import Model

DEFAULT_MODEL = "en-fr"
# In the order of the menu, after the models of any other.
_GROUPS = ("", "translation", "reversal", "positions", "similarity", "layers", "tutorials")
_FIRST = {"zh": "zh-en"}  # what readers of other languages see first


class _Taught(TypedDict):
    """Which heads of cross-attention were taught to align; `natural` is the one of the others that
    agrees with the aligner most, where that is known."""

    heads: list[list[int]]
    natural: list[int] | None


class _StartOn(TypedDict):
    site: Site
    layer: int
    head: int
    rows: str


class _Facts(TypedDict, total=False):
    """What the page knows of a configuration under the same names."""

    encoder_layers: int
    decoder_layers: int
    encoder_heads: int
    decoder_heads: int
    width: int
    feed_forward_width: int
    similarity: str
    attention: str
    positions: str
    norm: str
    norm_place: str
    encoder_head_width: int
    decoder_head_width: int
    scaled_embedding: bool
    device: str
    dtype: str
    divisor: str


class _Entry(TypedDict):
    name: str
    languages: list[str]
    group: str
    lessons: Lessons | None
    examples: list[str]
    card: Card | None
    fingerprint: str


@final
class ClosedModel(_Entry):
    """A model that says what it is made of only when it is opened."""

    closed: Literal[True]


@final
class ModelJson(_Entry, _Facts):
    """What the page knows of a model."""

    of: str | None  # the checkpoint that it is a snapshot of
    update: int  # of the training; 0 where that is not known
    anatomy: AnatomyJson
    lacking: dict[str, str]
    max_source: int
    max_target: int
    vocabulary: int
    taught: _Taught | None
    start_on: _StartOn


class _Link(TypedDict):
    limit: int


class Options(TypedDict):
    """What the stage begins with."""

    models: list[ModelJson | ClosedModel]
    model: str | None
    opens: dict[str, str]
    limits: PageLimits
    product: str
    computes: str  # what computed all that this program answers; see values/computed_by.py
    link: _Link


def stage_options(models: Sequence[ModelJson | ClosedModel], limits: Limits = LOCAL) -> Options:
    """The options of the stage that offers these models."""
    names = [model["name"] for model in models]
    return {
        "models": [*models],
        "model": default_model(names),
        "opens": {lang: name for lang, name in _FIRST.items() if name in names},
        "limits": limits.for_page(),
        "product": VERSION,
        "computes": computed_by(),
        "link": {"limit": links.MAX_LINK},
    }


class Models(NamedTuple):
    """The models in a folder: what the page knows of each checkpoint, behind each the snapshots of
    its training; the names of those of transformers, of which nothing is loaded; and why the others
    cannot be opened."""

    own: list[ModelJson]
    of_hub: list[str]
    refused: dict[str, CheckpointError]


def models_of(checkpoints: Path) -> Models:
    """The models in a folder now."""
    models: list[ModelJson] = []
    of_hub, refused = [], {}
    for name in list_checkpoints(checkpoints):
        try:
            folder = checkpoints / name
            if is_hub_folder(folder):
                read_folder(folder)
                of_hub.append(name)
                continue
            config, training = read_config(folder)
            known, parts = fingerprint(folder), _parts(folder)
            measured = _measured(folder, anatomy_of(config), known)
            noted = _is_noted(folder, anatomy_of(config), known)
            entry = model_entry(name, config, training, measured, noted)
            card = model_card(training, parts)
            models.append({**entry, "card": card, "fingerprint": known})
            models += _snapshots(name, config, training, parts, noted)
        except CheckpointError as error:
            refused[name] = error
    models.sort(key=lambda model: _GROUPS.index(model["group"]) if model["group"] in _GROUPS else 0)
    return Models(models, of_hub, refused)


def _snapshots(
    name: str, config: ModelConfig, training: Training, parts: Mapping[str, int], noted: bool
) -> list[ModelJson]:
    """What the page knows of the checkpoint as it was earlier in its training, the earliest first.

    They have a checkpoint that they are `of`, and only what is known of all of them.
    """
    return [
        {
            **model_entry(snapshot_name(name, update), config, known, noted=noted),
            "card": model_card(known, parts),
            "fingerprint": digest[:8],
            "of": name,
        }
        for update, digest in snapshots_of(training).items()
        for known in [training_until(training, update)]
    ]


class Menu:
    """What the page knows of each model in a folder now. Safe to use from several threads.

    The files of a folder are read again where one has changed. A model that is open goes on with
    the weights that were read, so its entry stays as it was: `running` says the fingerprint of
    these, None where it is not open. Of a model of transformers no more than its name is known
    before it is opened. What cannot be read is left out; `refused` says why.
    """

    def __init__(self, checkpoints: Path, running: Callable[[str], str | None]):
        self.checkpoints = checkpoints
        self._running = running
        self._reading = threading.Lock()
        self._read_at: object = None
        self._own: list[ModelJson] = []
        self._of_hub: dict[str, ModelJson | ClosedModel] = {}
        self.refused: dict[str, CheckpointError] = {}

    @property
    def models(self) -> list[ModelJson | ClosedModel]:
        """All entries: our checkpoints, then the models of transformers."""
        self._look()
        return [*self._own, *self._of_hub.values()]

    @property
    def opened(self) -> list[ModelJson]:
        """The entries of the open models of transformers."""
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

    def entry(self, name: str, make: Callable[[], ModelJson]) -> ModelJson:
        """The whole entry of a model of transformers in the folder; `make` opens it for that."""
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
            own, of_hub, refused = models_of(self.checkpoints)
            self._own = [self._in_use(entry, before.get(entry["name"], entry)) for entry in own]
            self._of_hub = {name: self._of_hub.get(name) or closed_entry(name) for name in of_hub}
            self._read_at, self.refused = now, refused

    def _in_use(self, entry: ModelJson, before: ModelJson) -> ModelJson:
        """Of two entries of a model the one whose weights answer."""
        is_replaced = before["fingerprint"] != entry["fingerprint"]
        is_kept = is_replaced and self._running(entry["name"]) == before["fingerprint"]
        return before if is_kept else entry


def _changed_at(path: str) -> int | None:
    """When something was last written there, in nanoseconds; None where there is nothing."""
    with suppress(OSError):
        return os.stat(path).st_mtime_ns
    return None


def closed_entry(name: str) -> ClosedModel:
    """What the page knows of a model that is not open yet."""
    return {
        "name": name,
        "closed": True,
        "group": "",
        "languages": [],
        "examples": [],
        "lessons": None,
        "card": None,
        "fingerprint": "",
    }


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


def _parts(folder: Path) -> dict[str, int]:
    """How many numbers each part has; none where the file of the weights is damaged."""
    with suppress(CheckpointError):  # opening it will say what is wrong
        return parameters_by_part(folder)
    return {}


def _is_noted(folder: Path, anatomy: Anatomy, fingerprint: str) -> bool:
    """Whether the folder keeps the history of this training; the weights are not opened."""
    with suppress(CheckpointError):
        sizes = anatomy.source_vocabulary, anatomy.target_vocabulary
        read_history(standing(folder), folder.name, anatomy.sites, fingerprint, sizes)
        return True
    return False


def _taught(
    config: ModelConfig, training: Training, measured: HeadMeasures | None
) -> _Taught | None:
    """Those heads; None where none were taught."""
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
) -> ModelJson:
    """What the page knows of one checkpoint; `measured`: of its heads, where they were.

    `noted`: whether its folder keeps the history of its training.
    """
    sites = measured.sites.values() if measured else ()
    with_means = any(one.means_LHE is not None for one in sites)
    anatomy = anatomy_of(config, with_means, noted)
    return {
        **_entry(name, anatomy, training.languages, training.opens_on(config)),
        **_said(facts_of(config)),
        "group": training.group,
        "update": training.update,
        "taught": _taught(config, training, measured),
        "examples": _examples(training),
    }


def entry_of(model: "Model") -> ModelJson:
    """What the page knows of a model that was opened, whatever kind it is of."""
    # These import torch, as opening the model did.
    from model_core.models.bringing import example_of
    from model_core.models.own import OwnModel

    entry: ModelJson = {
        **_entry(model.name, model.anatomy, model.languages, model.opens_on),
        **_said(model.facts),
        "fingerprint": model.fingerprint,
    }
    if model.training is not None:
        entry["group"] = model.training.group
        entry["examples"] = _examples(model.training)
        entry["card"] = model_card(model.training)
    if isinstance(model, OwnModel):
        measured = None
        with suppress(CheckpointError):
            measured = model.heads
        entry["taught"] = _taught(model.config, model.training, measured)
    usual = entry["examples"] or [example_of(model)]
    return {**entry, "examples": [text for text in usual if text]}


def _said(facts: Mapping[str, Any]) -> _Facts:
    return cast(_Facts, {name: facts[name] for name in _Facts.__annotations__ if name in facts})


def _entry(
    name: str, anatomy: Anatomy, languages: tuple[str, str], opens_on: Mapping[str, Any]
) -> ModelJson:
    source, target = languages
    return {
        "name": name,
        "languages": [source, target] if source and target else [],
        "group": "",
        "of": None,
        "update": 0,
        "anatomy": anatomy.to_json(),
        "lacking": {room.name: code for room in ROOMS if (code := room.lacks(anatomy))},
        "max_source": anatomy.max_positions,
        "max_target": anatomy.max_positions,
        "vocabulary": anatomy.target_vocabulary,
        "examples": list(EXAMPLES.get(languages, ())),
        "lessons": LESSONS.get(source),
        "taught": None,
        "card": None,
        "start_on": cast(_StartOn, dict(opens_on)),
        "fingerprint": "",
    }


def _examples(training: Training) -> list[str]:
    """The sentences that the page offers, without strings longer than those it learnt."""
    sentences = EXAMPLES.get(training.languages, ())
    config = training.config
    if config is None or not config.is_of_strings:
        return list(sentences)
    return [text for text in sentences if len(text) <= config.longest_string]
