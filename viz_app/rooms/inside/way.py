"""The way of one token through the model, as the room Inside a head answers it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypedDict, cast

import numpy as np

from model_core.values.trace import Decoding, Side, Tokens, largest
from model_core.values.verdict import Verdict
from viz_app.rooms.inside.facts import Architecture, architecture, said
from viz_app.rooms.translate.payload import CANDIDATES
from viz_app.text import ALL_WORDS, filled, unmarked
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.models.protocol import Model
    from model_core.studies.path import SubLayer, TokenPath

LENS = 3  # tokens that a stage of a way says


class _Lens(TypedDict):
    """The best tokens if the model stopped after each of `stages_of`, the best first."""

    tokens: Tokens
    token_SR: Floats
    logit_SR: Floats
    probability_SR: Floats


class _Prediction(TypedDict):
    """The best candidates under the full softmax, and what its divisor is."""

    candidates: Tokens
    logits: list[float]
    probabilities: list[float]
    log_sum: float
    V: int
    chosen: int | None


class _Way(TypedDict):
    """What `TokenPath` says."""

    side: Side
    position: int
    tokens: Tokens
    embedding_D: Floats
    segment_D: Floats | None
    position_D: Floats | None
    sum_D: Floats
    adds_up: Verdict
    sublayers: "tuple[SubLayer, ...]"
    output_D: Floats


class Along(TypedDict):
    """The sub-layers on the way of a token: how long what each adds is, and the best token then."""

    names: tuple[str, ...]  # as a tap is given them
    made_N: Floats
    best: Tokens | None  # if the model stopped there; None where no token is predicted
    probability_N: Floats | None


class WayAnswer(Architecture, _Way):
    """The way of one token through the model."""

    view: Literal["way"]
    alone: bool  # it is an encoder
    lens: _Lens | None
    prediction: _Prediction | None


def walked(way: "TokenPath", model: "Model", decoding: Decoding) -> tuple[WayAnswer, Tables]:
    """The way, with its tables."""
    unsaid = ("facts", "logits_V", "log_probabilities_V", "lens_SV", "lens_logits_SV")
    values: WayAnswer = {
        "view": "way",
        **architecture(way.facts),
        **cast(_Way, said(way, *unsaid)),
        "alone": model.anatomy.kind == "encoder",
        "lens": _lens(way, model),
        "prediction": _prediction(way, model, decoding),
    }
    stages = stages_of(values)
    by_stage = Axis.of("stage", [_named(key, said) for key, said, _ in stages])
    by_width = Axis("dimension", len(way.sum_D), start=0)
    paths = tuple(path for *_, path in stages)
    tables = [TableOf("way", (by_stage, by_width), {"value_SD": paths}), _hidden(stages, way)]
    if way.lens_SV is not None:
        of_lens = {name: f"lens.{name}" for name in ("token_SR", "logit_SR", "probability_SR")}
        tables.append(TableOf("stopped", (by_stage, Axis("rank", LENS)), of_lens))
    return values, {"way": tuple(tables)}


def along(way: "TokenPath", model: "Model") -> Along:
    """The way in short."""
    passed = way.sublayers
    said: Along = {
        "names": tuple(one.name for one in passed),
        "made_N": np.array([np.linalg.norm(one.made_D) for one in passed], np.float32),
        "best": None,
        "probability_N": None,
    }
    if way.lens_SV is not None:
        first = 1 if way.position_D is None else 2
        lens_NV = way.lens_SV[first : first + len(passed)]
        said["best"] = model.labels([int(token) for token in lens_NV.argmax(axis=1)])
        said["probability_N"] = np.exp(lens_NV.max(axis=1))
    return said


def _hidden(stages: list["Stage"], way: "TokenPath") -> TableOf:
    """The units of every feed-forward after the activation."""
    found = [stage for stage in stages if stage[0] == "inside_stage_feed_forward"]
    by_stage = Axis.of("stage", [_named(key, said) for key, said, _ in found])
    paths = tuple(path.replace("passed_D", "hidden_F") for *_, path in found)
    by_unit = Axis("unit", way.facts["feed_forward_width"], start=0)
    return TableOf("hidden", (by_stage, by_unit), {"hidden_SF": paths})


def _lens(way: "TokenPath", model: "Model") -> _Lens | None:
    if way.lens_SV is None or way.lens_logits_SV is None:
        return None
    best = [largest(row_V, LENS) for row_V in way.lens_SV]
    token_SR = np.array(best)
    return {
        "tokens": model.labels([token for row in best for token in row]),
        "token_SR": token_SR,
        "logit_SR": np.take_along_axis(way.lens_logits_SV, token_SR, axis=1),
        "probability_SR": np.exp(np.take_along_axis(way.lens_SV, token_SR, axis=1)),
    }


Stage = tuple[str, dict[str, str], str]


def stages_of(values: WayAnswer) -> list[Stage]:
    """The stages of a way: the key of each name with what stands in it, and its path in the answer.

    What stands in a name is a key too where it begins with "inside_".
    """
    stack = {"stack": "inside_encoder" if values["side"] == "source" else "inside_decoder"}
    stages: list[Stage] = [("inside_embedding", {}, "embedding_D")]
    if values["position_D"] is not None:
        stages.append(("figure_after_position", {}, "sum_D"))
    for at, sublayer in enumerate(values["sublayers"]):
        _, layer, kind = sublayer.name.split(".")
        said = stack | {"layer": layer}
        stages.append((f"inside_stage_{kind}", said, f"sublayers.{at}.passed_D"))
    if values["final_norm"]:
        stages.append(("inside_final_norm", stack, "output_D"))
    return stages


def _named(key: str, said: Mapping[str, str]) -> str:
    """The name of a stage in the data, which are in English."""
    words = ALL_WORDS["en"]
    values = {name: words.get(value, value) for name, value in said.items()}
    return filled(unmarked(words[key]), values)


def _prediction(way: "TokenPath", model: "Model", decoding: Decoding) -> _Prediction | None:
    if way.logits_V is None or way.log_probabilities_V is None:
        return None
    order = largest(way.log_probabilities_V, CANDIDATES)
    candidates = model.labels(order)
    fed = decoding.target.ids if way.side == "target" else ()
    chosen = fed[way.position + 1 : way.position + 2]
    return {
        "candidates": candidates,
        "logits": [float(way.logits_V[token]) for token in order],
        "probabilities": [float(np.exp(way.log_probabilities_V[token])) for token in order],
        # log of the sum over all V of e^logit: the same whichever token it is read off
        "log_sum": float(way.logits_V[order[0]] - way.log_probabilities_V[order[0]]),
        "V": len(way.logits_V),
        "chosen": chosen[0] if chosen else None,
    }
