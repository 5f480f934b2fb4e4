"""`python -m model_core train`: options, progress bar and stop button of a training."""

import argparse
import dataclasses
import shlex
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from model_core.checkpoints.folder import read_config
from model_core.errors import ConfigError
from model_core.values.presets import PRESETS, Preset

if TYPE_CHECKING:
    from tqdm import tqdm

    from model_core.training.loop import Progress
    from model_core.training.run import Validation
    from model_core.training.watching.watcher import Watcher

    Erase = Callable[[], object]

_TRIMMED_EVERY = 10  # updates
_OVERRIDES = {
    "updates": "how many updates to train for",
    "batch_tokens": "tokens in a batch, on either side",
    "learning_rate": "rate at the end of the warm-up",
    "warmup": "updates until the rate is reached, from which on it falls",
    "warmup_from": "share of that rate where the warm-up begins; 1 is no warm-up",
    "cooldown": "last updates, over which the rate falls to zero",
    "label_smoothing": "share of the target that is spread over the vocabulary",
    "consistency": "weight of the loss that makes two readings with dropout agree (R-Drop)",
    "guided_alignment": "weight of the loss that teaches two cross heads an aligner's links",
    "broken_causal_mask": "none, ahead or behind: a mistake of the decoder's mask to train with",
    "validate_every": "updates between two validation points",
    "average_last": "validation points whose weights are averaged",
    "strings": "how many strings a task on strings makes up",
    "references_per_source": "translations kept of one source; 0 keeps all",
    "longest_string": "most characters of such a string",
    "source_language": "language code, for the card",
    "target_language": "language code, for the card and for the tokens of BLEU",
    "source_column": "column of the source in the .tsv files, counted from 0",
    "target_column": "column of the target",
    "synthetic": "file of the data folder that `backtranslate` wrote, to learn from too",
    "names": "copies of each pair with a name of names.txt on both sides, with another of them",
    "phrases": "pairs drawn from a phrasebook of our own, phrases.txt, to learn from too",
    "repeated": "how often an epoch reads each pair of train.tsv; a synthetic one is read once",
    "tokenizer": "bpe, or characters for a script that writes no spaces",
    "target_tokenizer": "bpe, characters, or same: one tokenizer for both sides",
    "vocabulary": "upper limit of the pieces of each tokenizer",
    "max_tokens": "longer pairs are left out of training; tokens on a side",
    "precision": "float32, bfloat16, or auto: whichever is faster",
    "stored": "float32 or float16: the weights on disk",
    "seed": "for the first weights, the dropout and the order of the batches",
}
_ARCHITECTURE = {
    "width": "width of the model",
    "encoder_layers": "number of encoder layers",
    "decoder_layers": "number of decoder layers",
    "encoder_heads": "heads in each encoder layer",
    "decoder_heads": "heads in each decoder layer",
    "feed_forward_width": "width between the two linear maps",
    "norm_place": "pre, before each sub-layer and after the last one, or post, after each",
    "similarity": "of a query and a key: scaled_dot, dot, additive, bilinear",
    "max_positions": "longest sentence that is read or written, in tokens",
    "tied": "all: one embedding for both sides and the logits; target: for target and logits; none",
    "dropout_embedding": "dropout on the sum of embedding and position",
    "dropout_residual": "dropout on the output of each sub-layer",
    "dropout_attention": "dropout on the attention weights",
    "dropout_feed_forward": "dropout between the two linear maps, after the activation",
}


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    train = commands.add_parser("train", help="train a checkpoint, or continue a training")
    add_arguments(train)
    train.set_defaults(run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give the parser this command's options."""
    add = parser.add_argument
    add("--preset", required=True, choices=sorted(PRESETS), help="what to train")
    add("--data", type=Path, help="folder with train.tsv and valid.tsv")
    add("--out", type=Path, required=True, help="folder of the checkpoint")
    add("--threads", type=int, default=0, help="threads of torch; 0 lets torch choose")
    add(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default="auto",
        help="auto takes a GPU if there is one",
    )
    add(
        "--snapshots",
        metavar="UPDATES",
        help="also keep the weights after these updates, such as 100,200,400 or every:100; each is "
        "a model of its own, NAME@100",
    )
    add(
        "--history",
        type=int,
        metavar="N",
        help="also note loss, score and what heads read at N updates, ever farther apart: the room "
        "Training shows them",
    )
    add(
        "--watch",
        action="store_true",
        help="draw the loss and a head of cross-attention above the progress bar; not where the "
        "output is no terminal",
    )
    add(
        "--log-dir",
        type=Path,
        metavar="DIR",
        help="also write scalars and pictures that TensorBoard reads; needs the package "
        "tensorboard",
    )
    add(
        "--progress",
        type=Path,
        metavar="DIR",
        help="also keep in this folder how far it is, for a program that looks on: progress.json "
        "and, with --history, history.safetensors",
    )
    add(
        "--begin",
        metavar="MODEL",
        help="begin with the weights and the tokenizers of a checkpoint of this architecture",
    )
    add(
        "--resume",
        action="store_true",
        help="fail unless --out has a training to continue; a training that was begun is always "
        "continued",
    )
    preset = PRESETS["en-fr"]
    for title, names, defaults in (
        ("training", _OVERRIDES, preset.train),
        ("architecture", _ARCHITECTURE, preset.model),
    ):
        group = parser.add_argument_group(f"{title}: replaces the setting of the preset")
        for name, words in names.items():
            kind = type(getattr(defaults, name))
            group.add_argument("--" + name.replace("_", "-"), type=kind, help=words)


def run(args: argparse.Namespace) -> int:
    """0 when the training is complete, 130 when it was stopped."""
    import torch
    from tqdm import tqdm

    from model_core.checkpoints.snapshots import find_folder, wanted_updates
    from model_core.checkpoints.store import open_checkpoint
    from model_core.models.loading import device_named
    from model_core.training.commands.evaluate import write_card
    from model_core.training.hardware import keep_freed_memory
    from model_core.training.loop import train
    from model_core.training.run import training_folder
    from model_core.training.watching.scalars import ScalarsWatcher
    from model_core.values.history import MOST_NOTES, noted_updates

    notes = args.history or 0
    if not 0 <= notes < MOST_NOTES:
        raise ConfigError(f"--history is {notes}; it must lie in 0 to {MOST_NOTES - 1}.")
    if args.threads < 0:
        raise ConfigError(f"--threads is {args.threads}; it must be 0 or more.")
    if args.threads:
        torch.set_num_threads(args.threads)
    keep_freed_memory()
    scalars = ScalarsWatcher(args.log_dir) if args.log_dir else None  # or what is missing
    folder = training_folder(args.out)
    if args.resume and not (folder / "state.json").exists():
        raise ConfigError(
            f"{folder} has no training to continue. Check --out, or leave out --resume."
        )
    command = ["python", "-m", "model_core", "train"]
    preset = chosen_preset(args)
    kept = shlex.join([*command, *_given(args, kept=True)])
    device = torch.device(device_named(args.device, among=("cuda", "cpu")))
    earlier = wanted_updates(args.snapshots, preset.train.updates) if args.snapshots else ()
    steps = train(
        preset,
        args.out,
        args.data,
        name=args.preset,
        command=kept,
        device=device,
        kept=earlier,
        begin=open_checkpoint(find_folder(args.begin)) if args.begin else None,
        noted=noted_updates(notes, preset.train.updates),
    )
    bar = tqdm(
        total=preset.train.updates,
        unit="update",
        dynamic_ncols=True,
        mininterval=1.0 if sys.stderr.isatty() else 30.0,
    )
    watchers, erase = _watching(args, bar)
    if scalars:
        watchers.append(scalars)
    if _followed(steps, bar, watchers, erase):
        again = shlex.join([*command, *_given(args)])
        print(f"Stopped; everything is kept in {folder}. To continue:\n    {again}")
        return 130
    print(
        f"Done: the best weights are in {args.out}. {folder} may be removed; "
        "with a higher --updates the training would continue from it."
    )
    print(left_out(args.out, earlier), end="")
    print("Measuring it for its card.", flush=True)
    write_card(args.out, args.data)
    return 0


def _watching(args: argparse.Namespace, bar: "tqdm[Any]") -> "tuple[list[Watcher], Erase]":
    """What looks on as the options say, and what makes room for a line above the bar."""
    from model_core.training.watching.folder import FolderWatcher
    from model_core.training.watching.terminal import TerminalWatcher, can_draw

    watchers: list[Watcher] = []
    if args.progress:
        args.progress.mkdir(parents=True, exist_ok=True)
        watchers.append(FolderWatcher(args.progress))
    if not (args.watch and can_draw(sys.stderr)):
        return watchers, bar.clear
    drawn = TerminalWatcher(sys.stderr, bar.clear, bar.refresh)
    return [*watchers, drawn], drawn.erase


def _followed(
    steps: "Generator[Progress, None, None]",
    bar: "tqdm[Any]",
    watchers: "Sequence[Watcher]",
    erase: "Erase",
) -> bool:
    """Train to the end, or until the stop button is pressed; whether it was."""
    from model_core.training.hardware import give_back_memory

    stopped = False
    with _stop_button() as pressed:
        try:
            for progress in steps:
                stopped = bool(pressed)
                if stopped:
                    steps.close()
                said = list(progress.notes)
                if progress.validation:
                    said.append(_report(progress.update, progress.validation))
                if said:
                    erase()
                for text in said:
                    bar.write(text)
                if bar.n == 0:  # a resumed training: its pace is that of the updates made now
                    bar.initial = progress.update - 1
                bar.update(progress.update - bar.n)
                bar.set_postfix_str(
                    f"{progress.tokens_per_second:,.0f} tokens/s, loss {progress.nats:.3f}",
                    refresh=False,
                )
                for watcher in watchers:
                    watcher.see(progress)
                if progress.update % _TRIMMED_EVERY == 0:
                    give_back_memory()
        finally:
            for watcher in watchers:
                watcher.close()
            bar.close()
    return stopped


def left_out(out: Path, wanted: Sequence[int]) -> str:
    """A line about the snapshots that are not in the checkpoint; "" where there are none."""
    best = read_config(out)[1].update
    late = ", ".join(f"{update:,}" for update in wanted if update >= best)
    if not late:
        return ""
    return (
        f"The best weights are those of update {best:,}. Snapshots are of earlier ones, so the "
        f"checkpoint has none of {late}.\n"
    )


def chosen_preset(args: argparse.Namespace) -> Preset:
    """The preset with what the command line changes."""
    preset = PRESETS[args.preset]
    given = {name: value for name, value in vars(args).items() if value is not None}
    architecture = {name: given[name] for name in _ARCHITECTURE if name in given}
    if "norm_place" in given:
        architecture["final_norm"] = given["norm_place"] == "pre"
    return dataclasses.replace(
        preset,
        train=dataclasses.replace(
            preset.train, **{name: given[name] for name in _OVERRIDES if name in given}
        ),
        model=dataclasses.replace(preset.model, **architecture),
    )


def _given(args: argparse.Namespace, kept: bool = False) -> Iterator[str]:
    """The options that were given, as words of a command line.

    What is kept has the data folder by its name, and an absolute path of the checkpoint as if it
    lay where the project has its own: where they really lay means nothing elsewhere.
    """
    left_to_us = {"threads": 0, "device": "auto"}
    for name in (
        "preset",
        "data",
        "out",
        "begin",
        "snapshots",
        "history",
        *left_to_us,
        *_OVERRIDES,
        *_ARCHITECTURE,
    ):
        value = getattr(args, name)
        if value is None or value == left_to_us.get(name):
            continue
        if kept and name in ("data", "begin"):
            value = Path(value).absolute().name
        if kept and name == "out" and value.is_absolute():
            value = f"checkpoints/{value.name}"
        yield from ("--" + name.replace("_", "-"), str(value))


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
    scores = validation.scores
    words = [f"update {update:,}: loss {scores.loss:.3f}"]
    if scores.bleu is not None:
        words.append(f"BLEU {scores.bleu:.2f}, chrF {scores.chrf:.2f}")
    words.append(f"exact {scores.exact_match:.1f}%")
    if scores.copied is not None:
        words.append(f"on what is copied {max(max(heads) for heads in scores.copied):.2f}")
    if validation.averaged:
        words.append("averaged weights")
    if validation.exported:
        words.append("best so far, saved")
    lines = [", ".join(words)]
    lines += [f"    {source} -> {output}" for source, output in validation.samples]
    return "\n".join(lines)
