"""What the page knows before anything is decoded: the models, their sizes and examples."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model_core.checkpoints.folder import fingerprint, list_checkpoints, read_config, standing
from model_core.checkpoints.heads import read_heads
from model_core.checkpoints.snapshots import snapshot_name, snapshots_of, training_until
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointError
from model_core.values.anatomy import Anatomy, anatomy_of, facts_of
from model_core.values.config import ModelConfig
from model_core.values.edits import possible
from viz_app.links import link as links
from viz_app.rooms import ROOMS
from viz_app.rooms.examples import EXAMPLES, LESSONS
from viz_app.server.card import model_card
from viz_app.server.limits import LOCAL, Limits
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
)
_LOG = logging.getLogger(__name__)


def stage_options(
    checkpoints: Path, limits: Limits = LOCAL, added: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """The options of the stage as JSON; a checkpoint that cannot be read is left out.

    `added` are the entries of models that were added to those of the folder.
    """
    models, refused = models_of(checkpoints)
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
    """What the page knows of each model, and why those are missing that cannot be read.

    Behind each stand the snapshots of its training.
    """
    models, refused = [], {}
    for name in list_checkpoints(checkpoints):
        try:
            folder = checkpoints / name
            config, training = read_config(folder)
            known, card = fingerprint(folder), model_card(folder, training)
            has_means = _has_means(folder, anatomy_of(config), known)
            entry = model_entry(name, config, training, has_means)
            models.append(entry | {"card": card, "fingerprint": known})
            models += _snapshots(folder, config, training)
        except CheckpointError as error:
            refused[name] = error
    models.sort(key=lambda model: _GROUPS.index(model["group"]) if model["group"] in _GROUPS else 0)
    return models, refused


def _snapshots(folder: Path, config: ModelConfig, training: Training) -> list[dict[str, Any]]:
    """What the page knows of the checkpoint as it was earlier in its training, the earliest first.

    They have a checkpoint that they are `of`, and only what is known of all of them.
    """
    return [
        model_entry(snapshot_name(folder.name, update), config, known)
        | {"card": model_card(folder, known), "fingerprint": digest[:8], "of": folder.name}
        for update, digest in snapshots_of(training).items()
        for known in [training_until(training, update)]
    ]


def default_model(names: list[str]) -> str | None:
    """The model that the page opens with."""
    if DEFAULT_MODEL in names:
        return DEFAULT_MODEL
    return names[0] if names else None


def _has_means(folder: Path, anatomy: Anatomy, fingerprint: str) -> bool:
    """Whether it is known what each head makes on average; the weights are not opened."""
    try:
        heads = read_heads(standing(folder), folder.name, anatomy.sites, fingerprint)
    except CheckpointError:
        return False
    return any(one.means_LHE is not None for one in heads.sites.values())


def model_entry(
    name: str, config: ModelConfig, training: Training, with_means: bool = False
) -> dict[str, Any]:
    """What the page knows of one checkpoint; `with_means` as `possible` takes it."""
    anatomy = replace(anatomy_of(config), edits=possible(config, with_means))
    return _entry(name, anatomy, training.languages) | {
        "group": training.group,
        "update": training.update,
        **_said(facts_of(config)),
        "start_on": training.opens_on(config),
        "examples": _examples(training),
    }


def entry_of(model: "Model") -> dict[str, Any]:
    """What the page knows of a model that was opened, whatever kind it is of."""
    entry = _entry(model.name, model.anatomy, model.languages) | {
        **_said(model.facts),
        "start_on": dict(model.opens_on),
        "fingerprint": model.fingerprint,
    }
    if model.training is None:
        return entry
    card = model_card(Path("none"), model.training)
    return entry | {
        "group": model.training.group,
        "examples": _examples(model.training),
        "card": card,
    }


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
        "card": None,
    }


def _examples(training: Training) -> list[str]:
    """The sentences that the page offers, without strings longer than those it learnt."""
    sentences = EXAMPLES.get(training.languages, ())
    config = training.config
    if config is None or config.task != "reverse":
        return list(sentences)
    return [text for text in sentences if len(text) <= config.longest_string]
