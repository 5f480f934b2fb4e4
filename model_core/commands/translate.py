"""`python -m model_core translate`, `trace` and `info`: what one checkpoint makes of a text."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from model_core.commands.options import (
    add_edits,
    add_model,
    add_reading,
    add_strategy,
    model_at,
    recipe_said,
)
from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import VisualiserError
from model_core.models.loading import open_model
from model_core.models.own import OwnModel
from model_core.values.decoding_file import write_json, write_npz
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding, Site
from model_core.values.words import ByWords, by_words


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program these three commands."""
    translate = commands.add_parser(
        "translate", help="translate one text, or standard input line by line"
    )
    add_model(translate)
    translate.add_argument(
        "--text", help="one sentence; without it, one sentence per line from standard input"
    )
    add_reading(translate)
    add_strategy(translate)
    add_edits(translate)
    translate.set_defaults(run=_translate, pads=0)
    trace = commands.add_parser(
        "trace", help="write a whole decoding, every array of it, to a file"
    )
    add_model(trace)
    trace.add_argument("--text", required=True, help="one sentence")
    trace.add_argument(
        "--pads", type=int, default=0, help="pads appended to the source (default: 0)"
    )
    add_reading(trace)
    add_strategy(trace)
    add_edits(trace)
    trace.add_argument(
        "--by",
        choices=("words", "pieces"),
        default="pieces",
        help="what rows and columns are; between words there are weights and masks alone "
        "(default: pieces, which are tokens)",
    )
    trace.add_argument(
        "--rows",
        choices=("fed", "predicted"),
        default="predicted",
        help="which steps make a word of the target: those that read its tokens, or that predict "
        "them (default: predicted)",
    )
    trace.add_argument(
        "-o", "--out", type=Path, required=True, help="a path ending in .json or .npz"
    )
    trace.set_defaults(run=_trace)
    info = commands.add_parser("info", help="what a checkpoint is made of")
    add_model(info)
    add_reading(info)
    info.set_defaults(run=_info)


def _open(parsed: argparse.Namespace) -> Tracer:
    return Tracer(open_model(model_at(parsed), device=parsed.device), Cache(0))


def _of_any(parsed: argparse.Namespace) -> Recipe:
    """The recipe that the options make of every sentence, of which it says nothing yet."""
    return recipe_said(parsed, "any", "")


def _decode(tracer: Tracer, text: str, of_any: Recipe) -> tuple[Recipe, Decoding, str]:
    recipe = replace(of_any, model=tracer.model.name, source=text.strip())
    tracer = tracer.edited(recipe.edits)
    recipe, decoding = tracer.extend(recipe, None)
    return recipe, decoding, tracer.text(decoding)


def _translate(parsed: argparse.Namespace) -> int:
    of_any, tracer, status = _of_any(parsed), _open(parsed), 0
    # A byte that is no UTF-8 becomes a lone surrogate.
    said = (line.decode("utf-8", errors="surrogateescape") for line in sys.stdin.buffer)
    lines = said if parsed.text is None else [parsed.text]
    for number, line in enumerate(lines, start=1):
        text = ""
        try:
            if line.strip():
                text = _decode(tracer, line, of_any)[2]
        except VisualiserError as error:
            print(f"line {number}: {error}", file=sys.stderr)
            status = 1
        # One line in, one line out, whatever happens and whatever the model says.
        print(" ".join(text.splitlines()), flush=True)
    return status


def _trace(parsed: argparse.Namespace) -> int:
    writers = {".json": write_json, ".npz": write_npz}
    if parsed.out.suffix not in writers:
        raise VisualiserError(f"{parsed.out} ends in neither .json nor .npz.")
    of_any, tracer = _of_any(parsed), _open(parsed)
    recipe, decoding, text = _decode(tracer, parsed.text, of_any)
    words: dict[Site, ByWords] | None = None
    if parsed.by == "words":
        sites = [one.site for one in tracer.anatomy.sites if decoding.layers(one.site)]
        words = {site: by_words(decoding, site, parsed.rows == "predicted") for site in sites}
    try:
        writers[parsed.out.suffix](parsed.out, recipe, decoding, text, words)
    except OSError as error:
        raise VisualiserError(f"{parsed.out} cannot be written: {error.strerror}.") from error
    print(text)
    return 0


def _info(parsed: argparse.Namespace) -> int:
    model = open_model(model_at(parsed), device=parsed.device)
    if isinstance(model, OwnModel):
        card, facts = model.checkpoint.card, dict(model.facts)
        parameters = sum(p.numel() for p in model.transformer.parameters())
    else:
        card, facts = "", dict(model.facts)
        parameters = facts.pop("parameters", 0)
    print(f"{model.name}: {parameters:,} parameters")
    for name, value in facts.items():
        print(f"  {name} = {value}")
    if not isinstance(model, OwnModel):
        for one in model.anatomy.sites:
            keys = "" if one.heads == one.key_heads else f" over {one.key_heads} of keys"
            print(f"  {one.site}: {one.layers} layers, {one.heads} heads{keys}")
        for control in model.anatomy.controls:
            some = ", ".join(filter(None, control.choices[:8]))
            more = f", … ({len(control.choices)})" if len(control.choices) > 8 else ""
            print(f"  --set {control.name}={control.value}  ({some}{more})")
    print(card)
    return 0
