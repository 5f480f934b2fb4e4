"""`python -m model_core evaluate`, `align`, `card` and `average`: checkpoints, measured.

Checkpoints are measured as they are stored. `card` and `align --write` replace files of the
checkpoint's folder; nothing else here writes to it.
"""

import argparse
import dataclasses
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model_core.beam import ALPHA
from model_core.config import TrainConfig, from_json
from model_core.corpus import Corpus, read_corpus, reverse_corpus, with_examples
from model_core.errors import CheckpointError, CorpusError, VisualiserError
from model_core.folder import read_text, standing
from model_core.metrics import BLEU_TOKENS
from model_core.presets import PRESETS
from model_core.replacing import replace_files
from model_core.store import Checkpoint, open_checkpoint

if TYPE_CHECKING:
    from model_core.report import Report

CHECKPOINTS = Path(__file__).resolve().parent.parent / "checkpoints"


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program these four commands."""
    evaluate = commands.add_parser("evaluate", help="everything a card states, measured again")
    _add_model(evaluate)
    evaluate.add_argument(
        "--beam", type=int, metavar="N", default=5, help="width of the beam (default: 5)"
    )
    evaluate.add_argument(
        "--length-penalty",
        type=float,
        metavar="ALPHA",
        default=ALPHA,
        help=f"0 or more; the larger, the longer the outputs (default: {ALPHA})",
    )
    evaluate.add_argument(
        "--file", metavar="NAME", help="a file of the data folder instead of valid.tsv"
    )
    evaluate.add_argument(
        "--tokenize",
        choices=BLEU_TOKENS,
        help="how BLEU splits texts (default: zh for Chinese, else 13a); none takes them as they "
        "are, for text that is tokenised already",
    )
    evaluate.add_argument("--json", action="store_true", help="print all of it as JSON")
    evaluate.set_defaults(run=_evaluate)
    card = commands.add_parser("card", help="measure a checkpoint and write its card anew")
    _add_model(card)
    card.add_argument(
        "--note",
        action="append",
        default=[],
        metavar="TEXT",
        help="what was tried, a paragraph of the card; give it again for another. They replace "
        "those of before",
    )
    card.set_defaults(run=_card)
    align = commands.add_parser("align", help="which cross-attention heads align words")
    _add_model(align)
    align.add_argument("--write", action="store_true", help="keep the best head in config.json")
    align.set_defaults(run=_align)
    average = commands.add_parser("average", help="one checkpoint of the mean weights of several")
    average.add_argument("models", nargs="+", help="names under checkpoints/, or folders")
    average.add_argument("-o", "--out", type=Path, required=True, help="folder of the new one")
    average.set_defaults(run=_average)


def folder_of(model: str) -> Path:
    """The folder of a checkpoint that is named, or that is a folder itself."""
    return Path(model) if Path(model).is_dir() else CHECKPOINTS / model


def write_card(folder: Path, data: Path | None, notes: Sequence[str] = ()) -> "Report":
    """Measure the checkpoint in `folder`; its card and its config.json then state what was found.

    config.json also keeps the best alignment head, which the page opens with, and the notes, which
    take the place of those it had; without any it keeps them.
    """
    from model_core.full_evaluation import evaluate_fully
    from model_core.model_card import model_card

    _check_writable(folder)
    checkpoint = open_checkpoint(folder)
    config = _trained(checkpoint)
    report = evaluate_fully(checkpoint, _corpus(config, data), config)
    # Neither sentences of the validation part nor every head's numbers: what the card states.
    kept = {field.name for field in dataclasses.fields(report)} - {"samples", "heads"}
    found = dataclasses.asdict(report)
    habits = [head for head in found["heads"] if head["habit"] != "none"]
    evaluation = {name: found[name] for name in sorted(kept)} | {"heads_with_a_habit": habits}
    measured: dict[str, Any] = {"evaluation": evaluation}
    if report.alignment:
        measured["alignment_head"] = dataclasses.asdict(report.alignment)
    if notes:
        measured["notes"] = list(notes)
    training = checkpoint.training | measured
    preset = PRESETS.get(str(training.get("preset")))
    about = preset.about if preset else ""
    card = model_card(checkpoint.name, about, checkpoint.config, config, training, None, (), report)
    _keep(folder, measured, card)
    return report


def _add_model(parser: argparse.ArgumentParser) -> None:
    named = parser.add_mutually_exclusive_group(required=True)
    words = "a name under checkpoints/, or a folder"
    named.add_argument("name", nargs="?", help=words)
    named.add_argument("--model", help="the same")
    parser.add_argument("--data", type=Path, help="folder with train.tsv and valid.tsv")


def _named(parsed: argparse.Namespace) -> Path:
    return folder_of(parsed.model or parsed.name)


def _evaluate(parsed: argparse.Namespace) -> int:
    from model_core.full_evaluation import evaluate_fully
    from model_core.model_card import report_sections

    if parsed.beam < 1:
        raise VisualiserError(f"--beam is {parsed.beam}; a beam has a width of 1 or more.")
    if not 0 <= parsed.length_penalty <= 10:
        raise VisualiserError(
            f"--length-penalty is {parsed.length_penalty}; it must lie in 0 to 10."
        )
    checkpoint = open_checkpoint(_named(parsed))
    config = _trained(checkpoint)
    if parsed.file and config.task != "translate":
        raise VisualiserError(
            f"{checkpoint.name} reverses strings that the program makes. Leave out --file."
        )
    corpus, part = _corpus(config, parsed.data), None
    if parsed.file:
        corpus, part = with_examples(corpus, parsed.data / parsed.file, config), parsed.file
    report = evaluate_fully(
        checkpoint,
        corpus,
        config,
        parsed.beam,
        parsed.tokenize,
        part,
        parsed.length_penalty,
    )
    if parsed.json:
        print(json.dumps(dataclasses.asdict(report), indent=2, ensure_ascii=False))
        return 0
    print("\n\n".join(report_sections(report)))
    print("\n## Samples\n")
    for source, output, reference in report.samples:
        print(f"- {source} -> {output} (reference: {reference})")
    known = checkpoint.training.get("data_sha256", report.sha256)
    if part is None and report.sha256 != known:
        print(
            f"note: {checkpoint.name} was trained with other data: sha256 {known}", file=sys.stderr
        )
    return 0


def _card(parsed: argparse.Namespace) -> int:
    folder = _named(parsed)
    write_card(folder, parsed.data, parsed.note)
    print(read_text(folder, "card.md"), end="")
    return 0


def _align(parsed: argparse.Namespace) -> int:
    """Print how well each cross-attention head aligns words, best first; --write keeps the best."""
    from model_core.full_evaluation import alignment_head

    folder = _named(parsed)
    if parsed.write:
        _check_writable(folder)
    checkpoint = open_checkpoint(folder)
    config = _trained(checkpoint)
    best, scores, rates = alignment_head(checkpoint, _corpus(config, parsed.data), config)
    print("layer head  agreement  rows       entropy  on the end token  error rate")
    for s in scores:
        rate = f"{rates[s.rows][s.layer - 1, s.head - 1]:10.3f}" if rates else "         -"
        print(
            f"{s.layer:5} {s.head:4}  {s.agreement:9.3f}  {s.rows:9}  {s.entropy:7.2f}"
            f"  {s.end_mass:16.3f}  {rate}"
        )
    if rates:
        print(f"error rate: of word links in {best.hand_aligned} sentences of our own, by hand")
    if parsed.write:
        _keep(folder, {"alignment_head": dataclasses.asdict(best)})
    return 0


def _average(parsed: argparse.Namespace) -> int:
    from model_core.averaging import average_checkpoints

    words = ["python", "-m", "model_core", "average", *parsed.models, "-o", str(parsed.out)]
    average_checkpoints(
        [folder_of(model) for model in parsed.models], parsed.out, shlex.join(words)
    )
    print(f"The average is in {parsed.out}. `python -m model_core card` measures it.")
    return 0


def _trained(checkpoint: Checkpoint) -> TrainConfig:
    config = checkpoint.training.get("config")
    if not config:
        raise CorpusError(f"{checkpoint.name} does not say how it was trained.")
    return from_json(TrainConfig, config)


def _corpus(config: TrainConfig, data: Path | None) -> Corpus:
    if config.task == "reverse":
        return reverse_corpus(config.seed)
    if data is None:
        raise CorpusError("Name the folder with train.tsv and valid.tsv: --data DIR.")
    return read_corpus(data, config)


def _keep(folder: Path, values: dict[str, Any], card: str | None = None) -> None:
    """Write these into what config.json says about the training, and the card with them."""
    place = standing(folder)
    config = json.loads((place / "config.json").read_text("utf-8"))
    config["training"] |= values
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    files = {place / "config.json": text.encode()}
    if card is not None:
        files[place / "card.md"] = card.encode()
    replace_files(files)


def _check_writable(folder: Path) -> None:
    """Raise before anything is measured for a folder into which it could not be written."""
    place = standing(folder)
    if not os.access(place, os.W_OK):
        raise CheckpointError(f"{place} cannot be written. Copy the checkpoint to where you may.")
