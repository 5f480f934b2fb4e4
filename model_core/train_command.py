"""`python -m model_core train`: options, progress bar and stop button of a training."""

import argparse
import dataclasses
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from model_core.errors import VisualiserError
from model_core.presets import PRESETS, Preset

if TYPE_CHECKING:
    from model_core.training import Validation

_OVERRIDES = {
    "updates": "stop after so many updates",
    "batch_tokens": "tokens in a batch, on either side",
    "learning_rate": "rate at the end of the warm-up",
    "warmup": "updates until the rate is reached",
    "cooldown": "last updates, over which the rate falls to zero",
    "label_smoothing": "share of the target that is spread over the vocabulary",
    "guided_alignment": "weight of the loss that teaches two cross heads an aligner's links",
    "validate_every": "updates between two validation points",
    "average_last": "validation points whose weights are averaged",
    "references_per_source": "translations kept of one source; 0 keeps all",
    "source_language": "language code, for the card",
    "target_language": "language code, for the card and for the tokens of BLEU",
    "source_column": "column of the source in the .tsv files, counted from 0",
    "target_column": "column of the target",
    "precision": "float32, bfloat16, or auto: whichever is faster",
    "stored": "float32 or float16: the weights on disk",
    "seed": "of the weights, the dropout and the order of the batches",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give the parser this command's options."""
    parser.add_argument("--preset", required=True, choices=sorted(PRESETS), help="what to train")
    parser.add_argument("--data", type=Path, help="folder with train.tsv and valid.tsv")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument(
        "--threads", type=int, default=0, help="of torch; 0 leaves the choice to torch"
    )
    defaults = PRESETS["en-fr"].train
    for name, words in _OVERRIDES.items():
        kind = type(getattr(defaults, name))
        parser.add_argument(
            "--" + name.replace("_", "-"), type=kind, help=f"{words} (default: the preset's)"
        )


def run(args: argparse.Namespace) -> int:
    """0 when the training is complete, 130 when it was stopped, 1 when it cannot be done."""
    import torch
    from tqdm import tqdm

    from model_core.training import train, training_folder

    if args.threads:
        torch.set_num_threads(args.threads)
    command = ["python", "-m", "model_core", "train"]
    preset = _preset(args)
    # What is kept names the folders only: where they lay means nothing elsewhere.
    kept = shlex.join([*command, *_given(args, lambda data: data.name)])
    steps = train(preset, args.out, args.data, name=args.preset, command=kept)
    patience = 1.0 if sys.stderr.isatty() else 30.0
    bar = tqdm(total=preset.train.updates, unit="update", dynamic_ncols=True, mininterval=patience)
    with _stop_button() as pressed:
        try:
            for progress in steps:
                for note in progress.notes:
                    bar.write(note)
                if bar.n == 0:  # a resumed training: its pace is that of the updates made now
                    bar.initial = progress.update - 1
                bar.update(progress.update - bar.n)
                bar.set_postfix_str(
                    f"{progress.tokens_per_second:,.0f} tokens/s, loss {progress.nats:.3f}",
                    refresh=False,
                )
                if progress.validation:
                    bar.write(_report(progress.update, progress.validation))
                if pressed:
                    steps.close()
        except VisualiserError as error:
            bar.close()
            print(error, file=sys.stderr)
            return 1
        finally:
            bar.close()
    if pressed:
        print(
            f"Stopped; everything is kept in {training_folder(args.out)}. To go on:\n    "
            + shlex.join([*command, *_given(args)])
        )
        return 130
    print(
        f"Done: the best weights are in {args.out}. {training_folder(args.out)} may be removed; "
        "with a higher --updates the training would go on from it."
    )
    return 0


def _preset(args: argparse.Namespace) -> Preset:
    """The preset with what the command line changes."""
    preset = PRESETS[args.preset]
    changes = {name: getattr(args, name) for name in _OVERRIDES if getattr(args, name) is not None}
    return dataclasses.replace(preset, train=dataclasses.replace(preset.train, **changes))


def _given(args: argparse.Namespace, folder: Callable[[Path], str] = str) -> Iterator[str]:
    """The options that were given, as words of a command line; `folder` spells --data."""
    for name in ("preset", "data", "out", "threads", *_OVERRIDES):
        value = getattr(args, name)
        if value not in (None, 0) or (name in _OVERRIDES and value is not None):
            yield from ("--" + name.replace("_", "-"), (folder if name == "data" else str)(value))


@contextmanager
def _stop_button() -> Iterator[list[int]]:
    """A list that stays empty until Ctrl-C or SIGTERM; the second one ends the program at once."""
    pressed: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def press(number: int, _: FrameType | None) -> None:
        pressed.append(number)
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        signal.signal(number, press)
    try:
        yield pressed
    finally:
        restore()


def _report(update: int, validation: "Validation") -> str:
    """What a validation point found, in a few lines."""
    scores = validation.evaluation.scores
    words = [f"update {update:,}: loss {scores.loss:.3f}"]
    if scores.bleu is not None:
        words.append(f"BLEU {scores.bleu:.2f}, chrF {scores.chrf:.2f}")
    words.append(f"exact {scores.exact_match:.1f}%")
    if scores.anti_diagonal is not None:
        words.append(f"anti-diagonal {max(max(heads) for heads in scores.anti_diagonal):.2f}")
    if validation.averaged:
        words.append("averaged weights")
    if validation.exported:
        words.append("best so far, saved")
    lines = [", ".join(words)]
    lines += [f"    {source} -> {output}" for source, output in validation.samples]
    return "\n".join(lines)
