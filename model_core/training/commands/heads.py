"""`python -m model_core heads`: every head of a model, measured over sentences."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from model_core.commands.options import add_model, add_reading, model_at, settings_of
from model_core.errors import CheckpointError, CorpusError
from model_core.folders import HUB
from model_core.values.head_measures import WORDS, HeadMeasures

if TYPE_CHECKING:
    from model_core.models.protocol import Model
    from model_core.training.evaluation.aligner import Aligner

_SHOWN = 10


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    parser = commands.add_parser("heads", help="measure every head; write heads.safetensors")
    add_model(parser)
    parser.add_argument(
        "--sentences",
        type=Path,
        metavar="FILE",
        help="measure on these instead of our own: one a line, a translation behind a tab",
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="also compare with an aligner of its train.tsv"
    )
    add_reading(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    from tqdm import tqdm

    from model_core.checkpoints.folder import standing
    from model_core.checkpoints.heads import write_heads
    from model_core.checkpoints.snapshots import folder_of
    from model_core.models.download import fetch
    from model_core.models.loading import open_model
    from model_core.training.evaluation.heads.corpus import corpus_file, head_corpus
    from model_core.training.evaluation.heads.measuring import measure_heads

    where = model_at(parsed)
    if folder_of(Path(where))[1] is not None:
        raise CheckpointError(
            f"{where} is a snapshot, and only the measures of a whole model are read. Measure that."
        )
    model = open_model(where, device=parsed.device)
    folder = fetch(str(where)) if str(where).startswith(HUB) else standing(Path(where))
    own = corpus_file(parsed.sentences) if parsed.sentences else head_corpus(*model.languages)
    aligner = _aligner(model, parsed.data) if parsed.data else None
    bars: dict[str, tqdm[object]] = {}

    def progress(what: str, more: int, of: int) -> None:
        if what not in bars:
            bars[what] = tqdm(total=of, desc=what, leave=False)
        bars[what].update(more)
        if bars[what].n >= of:
            bars[what].close()

    measured = measure_heads(model, own, aligner, settings_of(parsed), progress)
    path = write_heads(folder, measured)
    print(f"{path}: {path.stat().st_size:,} bytes")
    _print(measured)
    return 0


def _aligner(model: "Model", data: Path) -> "Aligner":
    """The project's aligner, learned from the training pairs of a folder."""
    from model_core.models.own import OwnModel
    from model_core.training.data.corpus import read_corpus
    from model_core.training.evaluation.full import aligner_of

    if not isinstance(model, OwnModel) or model.training.config is None:
        raise CorpusError(
            f"{model.name} does not say how it was trained, so --data cannot be read. Leave it out."
        )
    return aligner_of(model.checkpoint, read_corpus(data, model.training.config))


def _print(measured: HeadMeasures) -> None:
    """On what was measured, and the heads without which the loss grows most."""
    print(
        f"{len(measured.sentences)} sentences ({measured.corpus}): {measured.source_tokens:,} "
        f"source tokens, {measured.target_tokens:,} to write"
    )
    if measured.loss != measured.loss:
        print("No head was switched off: the model writes nothing, or allows no edit.")
        return
    print(f"loss {measured.loss:.4f}, exact {measured.exact:.3f}; with one head off:")
    print("site     layer head   loss  exact  word")
    rows = [
        (float(loss), site, at)
        for site, one in measured.sites.items()
        for at, loss in np.ndenumerate(one.measure_LH(site, "loss_zero"))
    ]
    for loss, site, at in sorted(rows, reverse=True)[:_SHOWN]:
        one = measured.sites[site]
        exact = float(one.measure_LH(site, "exact_zero")[at])
        word = WORDS[site][one.word_LH[at]]
        print(f"{site:8} {at[0] + 1:5} {at[1] + 1:4} {loss:+.3f} {exact:+.3f}  {word}")
    print(
        "One head is off at a time and nothing is trained again: half of the heads cost less than "
        f"{measured.median_loss:.2g} nats here."
    )
