"""What is around attention in a model of `transformers`: embeddings, feed-forwards, final norms.

Each is shown to the tap of the pass under the names of transformer/taps.py, and what the tap
returns takes its place; the embedding alone is only shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel
from transformers.pytorch_utils import Conv1D

from model_core.models.hub.attention import normed, recorder_now, tap_now
from model_core.models.hub.families import Family, Stack
from model_core.models.insides import DistanceBias
from model_core.transformer.taps import Tap, untapped
from model_core.values.edits import layer_read
from model_core.values.trace import STACKS, Side

MOST_BACK = 127  # places before and after a query whose bias is listed


@dataclass(frozen=True)
class StackModules:
    """The modules of one side's stack beside its attention; None where it has none of a kind."""

    embedding: nn.Module
    scale: float  # what the embedding is multiplied by, all in all
    scaled_outside: float  # by what it is multiplied after the module made it
    positions: nn.Module | None
    turns: nn.Module | None
    segments: nn.Module | None
    embedding_norm: nn.Module | None
    layers: nn.ModuleList
    feed_forwards: tuple[tuple[nn.Module, nn.Module], ...]  # last projection and norm, by layer
    final_norm: nn.Module | None

    @property
    def feed_forward_width(self) -> int:
        """F."""
        output = self.feed_forwards[0][0]
        weight = cast(Tensor, output.weight)
        return weight.shape[0] if isinstance(output, Conv1D) else weight.shape[1]


def stacks(network: PreTrainedModel, family: Family) -> dict[Side, StackModules]:
    """The modules of every stack, found by the table's paths."""
    return {side: _modules(network, family, side, stack) for side, stack in family.stacks.items()}


def _modules(network: PreTrainedModel, family: Family, side: Side, stack: Stack) -> StackModules:
    body = network.base_model

    def found(path: str) -> nn.Module | None:
        return body.get_submodule(path) if path else None

    above, _ = family.paths[STACKS[side]].split(".{}.")
    layers = cast(nn.ModuleList, body.get_submodule(above))
    embedding = body.get_submodule(stack.embedding)
    around = body.get_submodule(stack.embedding.rpartition(".")[0])
    inside, outside = (float(getattr(each, "embed_scale", 1)) for each in (embedding, around))
    pairs = [
        (layer.get_submodule(stack.feed_forward), layer.get_submodule(stack.feed_forward_norm))
        for layer in layers
    ]
    return StackModules(
        embedding,
        inside * outside,
        outside,
        found(stack.positions),
        found(stack.turns),
        found(stack.segments),
        found(stack.embedding_norm),
        layers,
        tuple(pairs),
        found(stack.final_norm),
    )


def show_stream(network: PreTrainedModel, family: Family) -> None:
    """Let a tap see what is around the attention of every stack from now on."""
    for side, modules in stacks(network, family).items():
        outside = modules.scaled_outside
        hook = partial(_embedded, f"{side}.embedding", modules.scale != 1, outside)
        modules.embedding.register_forward_hook(hook)
        for name, module in (("position", modules.positions), ("segment", modules.segments)):
            if module is not None:
                module.register_forward_hook(partial(_added, f"{side}.{name}"))
        if modules.turns is not None:
            modules.turns.register_forward_hook(partial(_turned, side))
        if side == "source" and family.kind == "encoder-decoder":
            for number, each in enumerate(modules.layers):
                is_last = number == len(modules.layers) - 1
                each.register_forward_hook(partial(_read_early, number, is_last))
        first = modules.layers[0]
        first.register_forward_pre_hook(partial(_entering, f"{side}.sum"))
        for layer, (output, norm) in enumerate(modules.feed_forwards, start=1):
            name = f"{STACKS[side]}.{layer}.feed_forward"
            output.register_forward_pre_hook(partial(_entering, f"{name}.hidden"))
            output.register_forward_hook(partial(_left, f"{name}.made"))
            norm.register_forward_hook(partial(normed, name, family.pre))
            if family.pre:
                norm.register_forward_hook(partial(_left, f"{name}.read"))
        if modules.final_norm is not None:
            last = "encoder.memory" if side == "source" else "decoder.output"
            modules.final_norm.register_forward_hook(partial(_left, last))


def head(network: PreTrainedModel, family: Family, x_SD: Tensor) -> Tensor:
    """The logits (S, V) of vectors that left the last stack, its final norm included."""
    config = network.config
    if getattr(config, "scale_decoder_outputs", False):  # T5, where both embeddings are one matrix
        x_SD = x_SD * config.d_model**-0.5
    for path in family.head:
        x_SD = network.get_submodule(path)(x_SD)
    bias_1V = getattr(network, "final_logits_bias", None)
    return x_SD if bias_1V is None else x_SD + bias_1V


def added_table(modules: StackModules, family: Family) -> Tensor | None:
    """The (P, D) rows that are added to embeddings, the first place first; None without any."""
    positions = modules.positions
    if positions is None:
        return None
    if hasattr(positions, "weights"):  # fairseq's sinusoids: places are counted from after the pad
        first = cast(int, positions.padding_idx) + 1
        return cast(Tensor, positions.weights)[first : first + cast(int, positions.num_positions)]
    first = cast(int, getattr(positions, "offset", 0))
    if family.positions_lost:  # RoBERTa, too, counts from after the pad
        first = cast(int, positions.padding_idx) + 1
    return cast(Tensor, positions.weight)[first:]


def _embedded(
    name: str, scaled: bool, outside: float, module: nn.Module, args: Any, made: Tensor
) -> Tensor | None:
    """The embedding; without its scale it is what the table has, where that is asked for."""
    recorder = recorder_now()
    if recorder is None:
        return None
    if not scaled or "no-embedding-scale" not in recorder.changes.kinds:
        if recorder.tap is not untapped:
            recorder.tap(name, made * outside)
        return None
    bare = functional.embedding(args[0], cast(Tensor, module.weight))
    recorder.tap(name, bare)
    return bare / outside


def _read_early(number: int, is_last: bool, _: nn.Module, __: Any, made: Any) -> Any:
    """What leaves the encoder's last layer: on demand what left an earlier one."""
    recorder = recorder_now()
    layer = None if recorder is None else layer_read(recorder.changes.edits)
    if recorder is None or layer is None:
        return None
    left = made[0] if isinstance(made, tuple) else made
    if number == layer:
        recorder.read_early = left
    if not is_last:
        return None
    return (recorder.read_early, *made[1:]) if isinstance(made, tuple) else recorder.read_early


def _added(name: str, _: nn.Module, __: Any, made: Tensor) -> Tensor:
    """Vectors that are added; of some models one row serves every sentence."""
    tap = tap_now()
    if tap is untapped or made.dim() == 3:
        return tap(name, made)
    return tap(name, made.unsqueeze(0))[0]


def _turned(side: Side, _: nn.Module, __: Any, made: tuple[Tensor, Tensor]) -> Any:
    tap = tap_now()
    return tap(f"{side}.cos", made[0]), tap(f"{side}.sin", made[1])


def _entering(name: str, _: nn.Module, args: Any) -> Any:
    return (tap_now()(name, args[0]), *args[1:])


def _left(name: str, _: nn.Module, __: Any, made: Tensor) -> Tensor:
    return tap_now()(name, made)


def moving(
    network: PreTrainedModel, family: Family, side: Side, modules: StackModules, rows: Sequence[int]
) -> Tap:
    """A tap under which token t of a stack stands at position rows[t]; later ones where they are.

    A side that is read in steps must have all these tokens in its first one.
    """
    index_S = torch.tensor(list(rows), device=network.device)
    made = dict[str, Tensor]()
    table_PD = added_table(modules, family)
    if table_PD is not None:
        made[f"{side}.position"] = table_PD[index_S].unsqueeze(0)
    if modules.turns is not None:
        cos_PE, sin_PE = angles_of(modules.turns, int(index_S.max()) + 1)
        made[f"{side}.cos"] = cos_PE[index_S].unsqueeze(0)
        made[f"{side}.sin"] = sin_PE[index_S].unsqueeze(0)
    bias = bias_of(network, family, side)
    stays_S = index_S == torch.arange(len(rows), device=network.device)

    def tap(name: str, value: Tensor) -> Tensor:
        if name in made:
            moved_BSD = made[name].to(value.dtype).expand(len(value), -1, -1)
            S = moved_BSD.shape[1]
            # What stays is left alone: a pad of some models has a position of its own.
            first_BSD = torch.where(stays_S[:, None], value[:, :S], moved_BSD)
            return torch.cat([first_BSD, value[:, S:]], dim=1)
        if bias is not None and name.endswith(".self.bias") and name.startswith(STACKS[side]):
            T = value.shape[-1]
            places_T = torch.cat([index_S, torch.arange(len(rows), T, device=index_S.device)])
            most = int(places_T.max()) + 1
            whole = cast(Any, bias).compute_bias(most, most)
            return cast(Tensor, whole)[:, :, places_T][..., places_T].to(value.dtype)
        return value

    return tap


def angles_of(turns: nn.Module, P: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine, (P, E) each, of the angles by which positions 0 to P - 1 turn.

    Dimensions e and e + E / 2 are a pair, and turn by the same angle.
    """
    device = cast(Tensor, turns.inv_freq).device
    places_1P = torch.arange(P, device=device).unsqueeze(0)
    cos_1PE, sin_1PE = turns(torch.zeros(1, device=device), places_1P)
    return cos_1PE[0], sin_1PE[0]


def bias_of(network: PreTrainedModel, family: Family, side: Side) -> nn.Module | None:
    """The attention of a stack whose bias all of its layers add to their scores; None without."""
    site = STACKS[side]
    if family.positions != "relative" or site not in family.paths:
        return None
    return network.base_model.get_submodule(family.paths[site].format(0))


def distance_bias(network: PreTrainedModel, family: Family, side: Side) -> DistanceBias | None:
    """What a stack adds to its scores by distance; beyond the farthest here nothing changes."""
    attention = cast(Any, bias_of(network, family, side))
    if attention is None:
        return None
    most = min(attention.relative_attention_max_distance + 2, MOST_BACK)
    ahead = 0 if attention.is_decoder else most
    distances = torch.arange(-most, ahead + 1, device=network.device)
    buckets = attention._relative_position_bucket(
        distances,
        bidirectional=not attention.is_decoder,
        num_buckets=attention.relative_attention_num_buckets,
        max_distance=attention.relative_attention_max_distance,
    )
    bias_RH = attention.relative_attention_bias(buckets).detach()
    return DistanceBias(tuple(distances.tolist()), tuple(buckets.tolist()), bias_RH)
