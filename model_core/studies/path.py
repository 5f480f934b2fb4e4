"""The path of one token through the whole model, and the one pass that it is read from.

Everything comes from one pass over all tokens of a decoding, from its tap and its records; nothing
is computed a second way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.studies.checks import check_place
from model_core.transformer.passes import FullPass
from model_core.transformer.taps import keeping
from model_core.values.trace import SIDES, STACKS, Decoding, Side, Tokens, copied
from model_core.values.verdict import Verdict, verdict

_LEFT: Mapping[Side, str] = {"source": "encoder.memory", "target": "decoder.output"}


@dataclass(frozen=True, eq=False)
class SubLayer:
    """One position's path through one sub-layer and the residual connection around it."""

    name: str  # as a tap is given it: "decoder.2.cross"
    entered_D: np.ndarray  # the residual stream
    read_D: np.ndarray  # what the sub-layer reads: the stream, or its norm where that stands before
    made_D: np.ndarray
    sum_D: np.ndarray  # entered + made
    passed_D: np.ndarray  # the sum, or its norm where that stands after
    hidden_F: np.ndarray | None = None  # of a feed-forward, its units after the activation


@dataclass(frozen=True, eq=False)
class TokenPath:
    """One token from its embedding to the end of its stack, and to the logits where it has some.

    Probabilities are of the full softmax.
    """

    facts: Mapping[str, Any]  # of the model
    side: Side
    position: int
    tokens: Tokens
    embedding_D: np.ndarray  # scaled where the model scales
    segment_D: np.ndarray | None  # tells two sentences apart; None where nothing does
    position_D: np.ndarray | None  # None where nothing is added
    sum_D: np.ndarray  # what enters the first layer; its norm, where there is one before that
    adds_up: Verdict  # that `sum_D` is the sum of those above: a norm and dropout make it another
    sublayers: tuple[SubLayer, ...]
    output_D: np.ndarray  # of the encoder or the decoder, its final norm included
    # The logits if the model stopped after the embedding, the sum with positions where they are
    # added, each sub-layer, and the final norm where there is one.
    lens_logits_SV: np.ndarray | None
    lens_SV: np.ndarray | None  # their log-probabilities, nats; the last are the model's own
    logits_V: np.ndarray | None  # None where nothing is predicted here: it ends as memory
    log_probabilities_V: np.ndarray | None  # nats


@dataclass(frozen=True, eq=False)
class Tapped:
    """One pass over all tokens of a decoding, and every intermediate result by its name."""

    passed: FullPass
    values: dict[str, Tensor]


@torch.inference_mode()
def study_path(
    model: Model, decoding: Decoding, asked: str, position: int, cache: StudyCache = NO_CACHE
) -> TokenPath:
    """The path of the token at a position of the source or of the target tokens fed in.

    `cache` keeps the pass of a sentence. Raises RecipeError for a side or position there is not.
    """
    sides = [one for one in SIDES if any(site.rows == one for site in model.anatomy.sites)]
    side = next((one for one in sides if one == asked), None)
    if side is None:
        raise RecipeError(f"There is no side {asked!r}; there are {', '.join(sides)}.", "place")
    tokens = decoding.side(side)
    check_place(position, len(tokens), "position", of=side)
    tapped = tapped_pass(model, decoding, cache)
    values = tapped.values
    sublayers = sublayers_at(values, STACKS[side], position)
    added_TD = added_of(model, values, side)
    added_D = None if added_TD is None else added_TD[position]
    embedding_D = values[f"{side}.embedding"][0, position]
    sum_D = values[f"{side}.sum"][0, position]
    segment_BTD = values.get(f"{side}.segment")
    parts = (embedding_D, None if segment_BTD is None else segment_BTD[0, position], added_D)
    apart_D = sum_D - sum(part_D for part_D in parts if part_D is not None)
    last = values.get(_LEFT[side])
    logits_V = lens_logits_SV = None  # so they stay in an encoder that has no vocabulary
    if side == sides[-1] and tapped.passed.logits_BTV.shape[-1]:
        logits_V = tapped.passed.logits_BTV[0, position]
        stages = [embedding_D, *([] if added_D is None else [sum_D])]
        stages += [torch.from_numpy(one.passed_D.copy()) for one in sublayers]
        stream_SD = torch.stack([stage.to(embedding_D) for stage in stages])
        lens_logits_SV = _lens(model, stream_SD, logits_V)
    return TokenPath(
        facts=model.facts,
        side=side,
        position=position,
        tokens=tokens,
        embedding_D=_kept(embedding_D),
        segment_D=_row(values.get(f"{side}.segment"), position),
        position_D=None if added_D is None else _kept(added_D),
        sum_D=_kept(sum_D),
        adds_up=verdict(float(apart_D.abs().max()), True, float(sum_D.abs().max())),
        sublayers=sublayers,
        output_D=sublayers[-1].passed_D if last is None else _kept(last[0, position]),
        lens_logits_SV=None if lens_logits_SV is None else copied(lens_logits_SV),
        lens_SV=None if lens_logits_SV is None else copied(lens_logits_SV.log_softmax(dim=-1)),
        logits_V=None if logits_V is None else copied(logits_V),
        log_probabilities_V=None if logits_V is None else copied(logits_V.log_softmax(dim=-1)),
    )


def tapped_pass(model: Model, decoding: Decoding, cache: StudyCache) -> Tapped:
    """The pass over all tokens of a decoding; `cache` keeps it."""
    source, fed = decoding.source.ids, decoding.fed.ids

    def run() -> Tapped:
        values: dict[str, Tensor] = {}
        return Tapped(model.full_pass([source], [fed], tap=keeping(values)), values)

    return cache.of(("pass", source, fed), run)


def sublayers_at(values: Mapping[str, Tensor], stack: str, position: int) -> tuple[SubLayer, ...]:
    """Every sub-layer of a stack in its order, at one position."""
    return tuple(
        SubLayer(
            name=name,
            entered_D=_kept(entered_BTD[0, position]),
            read_D=_kept(values.get(f"{name}.read", entered_BTD)[0, position]),
            made_D=_kept(made_BTD[0, position]),
            sum_D=_kept(sum_BTD[0, position]),
            passed_D=_kept(passed_BTD[0, position]),
            hidden_F=_row(values.get(f"{name}.hidden"), position),
        )
        for name, entered_BTD, made_BTD, sum_BTD, passed_BTD in stream(values, stack)
    )


def stream(
    values: Mapping[str, Tensor], stack: str
) -> Iterator[tuple[str, Tensor, Tensor, Tensor, Tensor]]:
    """The sub-layers of a stack in their order: name, what enters it, what it makes, the sum of
    both, and what passes on."""
    entered_BTD = values["source.sum" if stack == "encoder" else "target.sum"]
    for tapped in [name for name in values if name.startswith(f"{stack}.")]:
        name, _, what = tapped.rpartition(".")
        if what == "made":
            made_BTD = values[tapped]
            sum_BTD = entered_BTD + made_BTD
            passed_BTD = values.get(f"{name}.passed", sum_BTD)
            yield name, entered_BTD, made_BTD, sum_BTD, passed_BTD
            entered_BTD = passed_BTD


@dataclass(frozen=True, eq=False)
class PathLengths:
    """How long the vectors of all tokens of a side are after each stage of their way."""

    names: tuple[str, ...]  # "embedding", "sum", the sub-layers as a tap is given them, "output"
    stream_ST: np.ndarray
    made_ST: np.ndarray  # of what a sub-layer adds; NaN at the other stages


@torch.inference_mode()
def path_lengths(
    model: Model, decoding: Decoding, side: Side, cache: StudyCache = NO_CACHE
) -> PathLengths:
    """The lengths on the way of every token of the source, or of the target tokens fed in.

    "output" is the final norm, where there is one. `cache` keeps the pass of a sentence.
    """
    values = tapped_pass(model, decoding, cache).values
    stack = STACKS[side]
    stages: list[tuple[str, Tensor, Tensor | None]] = [
        (name, values[f"{side}.{name}"], None) for name in ("embedding", "sum")
    ]
    stages += [(name, passed, made) for name, _, made, _, passed in stream(values, stack)]
    last = values.get(_LEFT[side])
    if model.facts["final_norm"] and last is not None:
        stages.append(("output", last, None))

    def lengths(value_BTD: Tensor | None) -> Tensor:
        if value_BTD is None:
            return torch.full(stages[0][1].shape[1:2], torch.nan)
        return torch.linalg.vector_norm(value_BTD[0].float(), dim=-1)

    return PathLengths(
        names=tuple(name for name, *_ in stages),
        stream_ST=copied(torch.stack([lengths(passed) for _, passed, _ in stages])),
        made_ST=copied(torch.stack([lengths(made) for *_, made in stages])),
    )


def added_of(model: Model, values: Mapping[str, Tensor], side: Side) -> Tensor | None:
    """What is added to the embeddings of a side for their places, (T, D); None where nothing is.

    `values` are those of a pass, the side's embedding among them.
    """
    tapped, table_PD = values.get(f"{side}.position"), model.table(side)
    if tapped is not None:
        return tapped[0]
    return None if table_PD is None else table_PD[: values[f"{side}.embedding"].shape[1]]


def _row(values_BTD: Tensor | None, position: int) -> np.ndarray | None:
    return None if values_BTD is None else _kept(values_BTD[0, position])


def _kept(row_D: Tensor) -> np.ndarray:
    """A row as an array; NumPy has no numbers of 16 bits with the range of bfloat16."""
    return copied(row_D if row_D.dtype in (torch.float32, torch.float64) else row_D.float())


def _lens(model: Model, stream_SD: Tensor, own_V: Tensor) -> Tensor:
    """The logits (S, V) if the model stopped after each stage: the "logit lens".

    The final norm, where the model has one, and the output projection are applied to the residual
    stream of a stage (nostalgebraist 2020, "interpreting GPT: the logit lens").
    """
    logits_SV = model.lens(stream_SD).to(own_V)
    if model.facts["final_norm"]:  # which comes after the last sub-layer, a stage of its own
        return torch.cat([logits_SV[:-1], own_V.expand(2, -1)])
    return torch.cat([logits_SV[:-1], own_V[None]])
