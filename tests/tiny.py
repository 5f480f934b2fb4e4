"""Tiny seeded models for tests: untrained, so that every head does something else."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from model_core.checkpoints.heads import write_heads
from model_core.checkpoints.history import write_history
from model_core.checkpoints.store import Checkpoint, open_checkpoint, save_checkpoint
from model_core.checkpoints.training import Training
from model_core.models.own import OwnModel, open_own
from model_core.tokenizer import Tokenizer
from model_core.training.evaluation.heads.corpus import HeadCorpus
from model_core.training.evaluation.heads.measuring import measure_heads
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.history import History

LINES = ("The old cat sleeps on the warm roof.", "Le vieux chat dort sur le toit chaud.") * 3


def tiny_config(**changes: Any) -> ModelConfig:
    """Unequal depths and head counts, so that a mix-up shows."""
    values: dict[str, Any] = {
        "source_vocabulary": 300,
        "target_vocabulary": 300,
        "width": 24,
        "encoder_layers": 2,
        "decoder_layers": 3,
        "encoder_heads": 2,
        "decoder_heads": 4,
        "feed_forward_width": 32,
        "max_positions": 24,
    }
    return ModelConfig(**values | changes)


def tiny_model(seed: int = 0, **changes: Any) -> Transformer:
    """A model in evaluation mode whose weights are large enough for uneven attention."""
    torch.default_generator.manual_seed(seed)
    model = Transformer(tiny_config(**changes)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("projection.weight"):
                parameter *= 3
    return model


def tiny_checkpoint(folder: Path, seed: int = 0, **changes: Any) -> Checkpoint:
    """Such a model saved under `folder` with a tokenizer of its own, and opened again."""
    tokenizer = Tokenizer.train(LINES, "bpe", 300)
    size = tokenizer.size
    model = tiny_model(seed, source_vocabulary=size, target_vocabulary=size, **changes)
    training = Training(config=TrainConfig(source_language="en", target_language="fr"))
    save_checkpoint(folder, model, tokenizer, tokenizer, training, "# A tiny model\n")
    return open_checkpoint(folder)


def measured_checkpoint(folder: Path, seed: int = 0, **changes: Any) -> Checkpoint:
    """A tiny checkpoint that brings what rooms of a whole model show: measures, and a history."""
    tiny_checkpoint(folder, seed, **changes)
    pairs = ("cat", "chat"), ("on", "sur"), ("roof", "toit")
    model = open_own(folder)
    write_heads(folder, measure_heads(model, HeadCorpus("mine", pairs)))
    write_history(folder, made_up_history(model))
    return open_checkpoint(folder)


def made_up_history(model: OwnModel) -> History:
    """The history of a training that never was, ended with these weights."""
    random, N, sites = np.random.default_rng(0), 3, model.anatomy.sites
    source, target = model.source("The old cat").ids, (1, *model.target("le chat").ids, 2)
    long = {"source": len(source), "target": len(target) - 1}
    shapes = {
        one.site: (N, one.layers, one.heads, long[one.rows], long[one.columns]) for one in sites
    }
    return History(
        model.fingerprint,
        "exact",
        "ahead",
        np.array([0, 1, 10], np.int32),
        np.array([np.nan, 5.5, 0.25], np.float32),
        *random.random((3, N)).astype(np.float32),
        entropy_NLH={
            one.site: random.random((N, one.layers, one.heads)).astype(np.float32) for one in sites
        },
        copied_NLH=random.random((N, sites[2].layers, sites[2].heads)).astype(np.float32),
        sentences=((source, target),),
        weights={
            site: (random.integers(0, 256, shape, np.uint8),) for site, shape in shapes.items()
        },
    )


def noted_checkpoint(folder: Path, seed: int = 0, **changes: Any) -> Checkpoint:
    """A tiny checkpoint that brings the history of a training."""
    tiny_checkpoint(folder, seed, **changes)
    write_history(folder, made_up_history(open_own(folder)))
    return open_checkpoint(folder)


def trained_checkpoint(folder: Path, seed: int = 0, **changes: Any) -> Checkpoint:
    """A tiny checkpoint that says how it was trained, as `train` would."""
    checkpoint = tiny_checkpoint(folder, seed, **changes)
    training = Training(
        preset="en-fr",
        command="python -m model_core train --preset en-fr --data DIR --out tiny",
        data="DIR",
        data_sha256="0" * 64,
        training_pairs=7,
        validation_sources=2,
        parameters=sum(parameter.numel() for parameter in checkpoint.model.parameters()),
        weights="update 3",
        update=3,
        epochs=1.5,
        target_tokens=30,
        seconds=1.0,
        precision="float32",
        torch=str(torch.__version__),
        config=TrainConfig(),
    )
    tokenizer = checkpoint.source_tokenizer
    save_checkpoint(folder, checkpoint.model, tokenizer, tokenizer, training, "# A tiny model\n")
    return open_checkpoint(folder)


def small_corpus(folder: Path) -> Path:
    """A data folder of nine pairs, two of them for validation."""
    folder.mkdir(exist_ok=True)
    rows = [f"The old cat sleeps {n}.\tLe vieux chat dort {n}.\n" for n in range(9)]
    (folder / "train.tsv").write_text("".join(rows[:7]))
    (folder / "valid.tsv").write_text("".join(rows[7:]))
    return folder
