"""What the page knows before anything is decoded: the models, their sizes and examples."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model_core.checkpoints.folder import fingerprint, list_checkpoints, read_config
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointError
from model_core.values.anatomy import anatomy_of
from model_core.values.config import ModelConfig
from viz_app.links import link as links
from viz_app.rooms.examples import EXAMPLES, LESSONS
from viz_app.server.card import model_card
from viz_app.server.limits import LOCAL, Limits
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.models.own import OwnModel

DEFAULT_MODEL = "en-fr"
# In the order of the menu, after the models of any other.
_GROUPS = ("", "translation", "reversal", "positions", "similarity", "layers", "tutorials")
_FIRST = {"zh": "zh-en"}  # what readers of other languages see first
# What the page knows of a configuration under the same names.
_SAID = (
    *("encoder_layers", "decoder_layers", "encoder_heads", "decoder_heads", "width"),
    *("feed_forward_width", "similarity", "attention", "positions", "norm", "norm_place"),
)
_LOG = logging.getLogger(__name__)


def stage_options(checkpoints: Path, limits: Limits = LOCAL) -> dict[str, Any]:
    """The options of the stage as JSON; a checkpoint that cannot be read is left out."""
    models, refused = models_of(checkpoints)
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
    """What the page knows of each model, and why those are missing that cannot be read."""
    models, refused = [], {}
    for name in list_checkpoints(checkpoints):
        try:
            folder = checkpoints / name
            config, training = read_config(folder)
            entry = model_entry(name, config, training) | {"card": model_card(folder, training)}
            models.append(entry | {"fingerprint": fingerprint(folder)})
        except CheckpointError as error:
            refused[name] = error
    models.sort(key=lambda model: _GROUPS.index(model["group"]) if model["group"] in _GROUPS else 0)
    return models, refused


def default_model(names: list[str]) -> str | None:
    """The model that the page opens with."""
    if DEFAULT_MODEL in names:
        return DEFAULT_MODEL
    return names[0] if names else None


def entry_of(model: "OwnModel") -> dict[str, Any]:
    """What the page knows of a model that was opened."""
    training = model.checkpoint.training
    entry = model_entry(model.name, model.config, training)
    card = model_card(Path("none"), training)
    return entry | {"card": card, "fingerprint": model.fingerprint}


def model_entry(name: str, config: ModelConfig, training: Training) -> dict[str, Any]:
    """What the page knows of one model."""
    source, target = training.languages
    return {
        "name": name,
        "languages": [source, target] if source and target else [],
        "group": training.group,
        **{name: getattr(config, name) for name in _SAID},
        "max_source": config.max_positions,
        "max_target": config.max_positions,
        "vocabulary": config.target_vocabulary,
        "encoder_head_width": config.width_of_head(config.encoder_heads),
        "decoder_head_width": config.width_of_head(config.decoder_heads),
        "scaled_embedding": config.scale_embedding,
        "start_on": training.opens_on(config),
        "anatomy": anatomy_of(config).to_json(),
        "examples": _examples(training),
        "lessons": LESSONS.get(source),
    }


def _examples(training: Training) -> list[str]:
    """The sentences that the page offers, without strings longer than those it learnt."""
    sentences = EXAMPLES.get(training.languages, ())
    config = training.config
    if config is None or config.task != "reverse":
        return list(sentences)
    return [text for text in sentences if len(text) <= config.longest_string]
