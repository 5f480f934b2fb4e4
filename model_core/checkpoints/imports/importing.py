"""Imports a checkpoint of other from-scratch code: reads, recognises, builds and saves it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from model_core.checkpoints.imports.annotated import ANNOTATED
from model_core.checkpoints.imports.building import build
from model_core.checkpoints.imports.convolutions import CONVOLUTIONS
from model_core.checkpoints.imports.hkproj import HKPROJ
from model_core.checkpoints.imports.joined_heads import JOINED_HEADS
from model_core.checkpoints.imports.layout import Layout, Parts
from model_core.checkpoints.imports.no_bias import NO_BIAS
from model_core.checkpoints.imports.reading import read_tensors
from model_core.checkpoints.imports.textbook import TEXTBOOK
from model_core.checkpoints.imports.torch_nn import TORCH
from model_core.checkpoints.imports.vocabularies import read_tokenizers
from model_core.checkpoints.store import (
    Checkpoint,
    fingerprint_of,
    open_checkpoint,
    save_checkpoint,
)
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointBroken, ConfigError
from model_core.tokenizer import Tokenizers
from model_core.transformer.fast_steps import make_steps_fast
from model_core.transformer.transformer import Transformer
from model_core.values.checked import shown
from model_core.values.config import ModelConfig
from model_core.values.importing import LAYOUT_NAMES, Hints

LAYOUTS: dict[str, Layout] = {
    layout.name: layout
    for layout in (HKPROJ, ANNOTATED, TORCH, CONVOLUTIONS, JOINED_HEADS, TEXTBOOK, NO_BIAS)
}
_ALIKE = 0.8  # of the names: then a file may be said to look like a layout


@dataclass(frozen=True, eq=False)
class Imported:
    """A model of other code as ours, not saved yet."""

    layout: Layout
    model: Transformer
    tokenizers: Tokenizers
    notes: tuple[str, ...]


def guess_layout(names: Sequence[str]) -> str | None:
    """The layout that these names of tensors fit best; None where none does."""
    shares = {name: layout.share_of(names) for name, layout in LAYOUTS.items()}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _ALIKE else None


def read_imported(
    path: Path, tokenizers: Sequence[Path] = (), hints: Hints | None = None
) -> Imported:
    """The model in a file, in the precision of the file, with its tokenizers.

    Raises CheckpointError, which says what does not fit: another layout is named by its tensors.
    """
    hints = hints or Hints()
    tensors = read_tensors(path)
    names = list(tensors)
    name = hints.layout or guess_layout(names)
    if name is None:
        raise CheckpointBroken(f"{path} fits none of the layouts. {_nearest(names)}")
    if name not in LAYOUTS:
        raise CheckpointBroken(
            f"There is no layout {shown(name)}; there are {', '.join(LAYOUT_NAMES)}."
        )
    layout = LAYOUTS[name]
    parts = _parts(path, layout, tensors)
    try:
        model, notes = build(layout, parts, hints.settings, hints.heads)
    except CheckpointBroken as error:
        raise CheckpointBroken(f"{path}, layout {name}: {error}") from error
    config = model.config
    sizes = (config.source_vocabulary, config.target_vocabulary)
    both, special = read_tokenizers(
        tokenizers, sizes, layout.special, layout.source_start, hints.named
    )
    ids = {f"{name}_id": token for name, token in special.named.items()}
    return Imported(layout, _with_ids(model, ids), both, notes)


def import_checkpoint(
    path: Path, out: Path, tokenizers: Sequence[Path] = (), hints: Hints | None = None
) -> Checkpoint:
    """The checkpoint folder `out`, written from a file of other code, and opened."""
    found = read_imported(path, tokenizers, hints)
    training, card = _described(found, path, out.name)
    save_checkpoint(out, found.model, *found.tokenizers, training, card)
    return open_checkpoint(out)


def checkpoint_of(found: Imported, path: Path, name: str) -> Checkpoint:
    """The checkpoint that `import_checkpoint` would write and open, written nowhere."""
    training, card = _described(found, path, name)
    model = found.model.float()
    digest = fingerprint_of(path, model)
    make_steps_fast(model.eval())
    return Checkpoint(name, model, *found.tokenizers, training, card, digest)


def _described(found: Imported, path: Path, name: str) -> tuple[Training, str]:
    """What the checkpoint says of its training, and its card."""
    training = Training(
        parameters=sum(parameter.numel() for parameter in found.model.parameters()),
        weights=f"those of {path.name}, layout {found.layout.name}",
        notes=found.notes,
        group="imported",
    )
    lines = [f"# {name}", f"Imported from {path.name}. {found.layout.about}"]
    return training, "\n\n".join([*lines, *(f"Note: {note}." for note in found.notes)]) + "\n"


def _parts(path: Path, layout: Layout, tensors: Parts) -> Parts:
    """The tensors as parts of a model; CheckpointBroken names one that the layout does not know."""
    named = {name: part for name in tensors if (part := layout.part(name)) is not None}
    if unknown := [name for name in tensors if name not in named]:
        better = guess_layout(list(tensors))
        remedy = f" It looks like the layout {better}." if better not in (None, layout.name) else ""
        raise CheckpointBroken(
            f"{path} is not of the layout {layout.name}, which does not know {_some(unknown)}."
            f"{remedy}"
        )
    parts: Parts = {}
    for name, part in named.items():
        if part in parts:
            raise CheckpointBroken(f"{path}: {name} and another tensor are both its {part}.")
        if not bool(tensors[name].isfinite().all()):
            raise CheckpointBroken(f"{path}: {name} has weights that are not finite numbers.")
        parts[part] = tensors[name]
    return parts


def _nearest(names: Sequence[str]) -> str:
    """The layout that knows most of these names, and what to do about the others."""
    layout = max(LAYOUTS.values(), key=lambda layout: layout.share_of(names))
    unknown = [name for name in names if layout.part(name) is None]
    if not names:
        return "It has no tensor."
    if len(unknown) == len(names):
        return (
            f"It has {_some(names)}. Save a state dict whose names are those of one of "
            f"{', '.join(LAYOUT_NAMES)}; the README lists them under “Bring a model”."
        )
    return (
        f"The nearest is {layout.name}, which does not know {_some(unknown)}. Rename them and save "
        "the state dict anew; the README lists the names under “Bring a model”."
    )


def _some(names: Sequence[str]) -> str:
    """A few of the names in words."""
    few = ", ".join(repr(name if len(name) <= 80 else name[:80] + "…") for name in names[:3])
    return few + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _with_ids(model: Transformer, ids: Mapping[str, int | None]) -> Transformer:
    """The model that takes these tokens for the special ones."""
    try:
        model.config = ModelConfig.from_json(asdict(model.config) | dict(ids))
    except ConfigError as error:
        raise CheckpointBroken(f"The special tokens do not fit: {error}") from error
    return model
