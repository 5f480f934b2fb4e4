"""`python -m model_core mean`: a checkpoint whose weights are the mean of two."""

import argparse
import dataclasses
from pathlib import Path

from model_core.commands.options import add_model, model_folder
from model_core.errors import VisualiserError


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    mean = commands.add_parser("mean", help="write the mean of the weights of two checkpoints")
    add_model(mean)
    mean.add_argument("--with", dest="other", required=True, help="the other checkpoint")
    mean.add_argument(
        "--share", type=float, default=0.5, help="of the first, between 0 and 1 (default: 0.5)"
    )
    mean.add_argument("-o", "--out", type=Path, required=True, help="folder of the new one")
    mean.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """0 when the new checkpoint is written; `card` measures it."""
    import torch

    from model_core.checkpoints.folder import check_replaceable
    from model_core.checkpoints.snapshots import find_folder
    from model_core.checkpoints.store import open_checkpoint, save_checkpoint
    from model_core.training.commands.evaluate import trained_config

    share = parsed.share
    if not 0 < share < 1:
        raise VisualiserError(f"--share is {share:g}. It has to lie between 0 and 1.")
    check_replaceable(parsed.out)
    one = open_checkpoint(model_folder(parsed))
    other = open_checkpoint(find_folder(parsed.other))
    spelled, others = ([t.to_json() for t in of.tokenizers] for of in (one, other))
    if one.config != other.config or spelled != others:
        raise VisualiserError(
            f"{one.name} and {other.name} differ in their shape or their vocabulary, so their "
            "weights have no mean."
        )
    if one.training.guidance:
        raise VisualiserError(
            f"A head of {one.name} was taught, which a mean would half undo. Take the mean of the "
            "weights before that, and teach it again with `guide`."
        )
    with torch.no_grad():
        for weight, its in zip(one.model.parameters(), other.model.parameters(), strict=True):
            weight.lerp_(its, 1 - share)
    # What was measured of the weights before is not true of these.
    known = dataclasses.replace(
        one.training,
        scores=None,
        evaluation=None,
        alignment_head=None,
        weights=f"{share:.0%} of {one.training.weights or f'those of `{one.name}`'} and "
        f"{1 - share:.0%} of those of `{other.name}`",
    )
    stored = trained_config(one).stored
    save_checkpoint(parsed.out, one.model, *one.tokenizers, known, "", stored)
    print(f"{parsed.out} holds the mean of {one.name} and {other.name}.")
    return 0
