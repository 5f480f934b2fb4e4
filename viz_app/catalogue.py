"""What the page knows before anything is decoded: the models, their sizes and examples."""

from pathlib import Path
from typing import Any

from model_core.config import ModelConfig
from model_core.errors import CheckpointError
from model_core.folder import fingerprint, list_checkpoints, read_config
from viz_app.limits import LOCAL, Limits
from viz_app.link import link_rules
from viz_app.text import EXAMPLES, LESSONS, WORDS
from viz_app.version import VERSION

DEFAULT_MODEL = "en-fr"


def stage_options(checkpoints: Path, limits: Limits = LOCAL) -> dict[str, Any]:
    """The options of the stage as JSON; a checkpoint with an unreadable config.json is left out."""
    models = []
    for name in list_checkpoints(checkpoints):
        try:
            folder = checkpoints / name
            entry = model_entry(name, *read_config(folder))
            models.append(entry | {"fingerprint": fingerprint(folder)})
        except CheckpointError:
            continue  # asking for it by name gives the reason
    models.sort(key=lambda model: model["languages"][:1] == ["text"])  # exercises come last
    names = [model["name"] for model in models]
    return {
        "version": 1,
        "models": models,
        "model": default_model(names),
        "payload": None,
        "limits": limits.for_page(),
        "words": WORDS,
        "product": VERSION,
        "link": link_rules(),
    }


def default_model(names: list[str]) -> str | None:
    """The model that the page opens with."""
    if DEFAULT_MODEL in names:
        return DEFAULT_MODEL
    return names[0] if names else None


def model_entry(name: str, config: ModelConfig, training: dict[str, Any]) -> dict[str, Any]:
    """What the page knows of one model."""
    trained = training.get("config", {})
    source, target = (trained.get(f"{side}_language", "") for side in ("source", "target"))
    head = training.get("alignment_head") or {"layer": config.decoder_layers, "head": 1}
    return {
        "name": name,
        "languages": [source, target] if source and target else [],
        "encoder_layers": config.encoder_layers,
        "decoder_layers": config.decoder_layers,
        "encoder_heads": config.encoder_heads,
        "decoder_heads": config.decoder_heads,
        "max_source": config.max_positions,
        "max_target": config.max_positions,
        "vocabulary": config.target_vocabulary,
        "width": config.width,
        "encoder_head_width": config.width_of_head(config.encoder_heads),
        "decoder_head_width": config.width_of_head(config.decoder_heads),
        "feed_forward_width": config.feed_forward_width,
        "scaled_embedding": config.scale_embedding,
        "similarity": config.similarity,
        "attention": config.attention,
        "positions": config.positions,
        "norm": config.norm,
        "norm_place": config.norm_place,
        "start_on": {
            "site": "cross",
            "layer": head["layer"] - 1,
            "head": head["head"] - 1,
            "rows": head.get("rows", "fed"),
        },
        "examples": list(EXAMPLES.get((source, target), ())),
        "lessons": LESSONS.get(source),
    }
