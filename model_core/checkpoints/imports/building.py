"""From the parts of a file to a configuration and the weights of our own model."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from model_core.checkpoints.imports.layout import Layout, Parts
from model_core.errors import CheckpointBroken, ConfigError
from model_core.transformer.positions import sinusoidal_table
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig

_SITES = {"self": "self_attention", "cross": "cross_attention"}
_STACKS = {"encoder": ("self",), "decoder": ("self", "cross")}
_FIRST = "encoder.0.self"  # the attention that shows what all have
_USUAL_HEADS = 8  # of every one of these tutorials, and of torch
_NO_TABLE = 512  # positions of a model whose file does not say how many
_LIKE_SINES = 1e-3  # how far a table computed in single precision may be from ours


def build(
    layout: Layout, parts: Parts, asked: Mapping[str, Any], heads: int | None
) -> tuple[Transformer, tuple[str, ...]]:
    """The model of these parts, and what the file did not say with what was taken.

    `asked` are fields of ModelConfig that the file does not say.

    CheckpointBroken names a part that is missing, left over or of a wrong shape.
    """
    parts = dict(parts)
    for name, tensor in parts.items():
        _check_dimensions(name, tensor)
    further = layout.further(parts, asked)
    notes: list[str] = []
    heads = _heads_of(parts, notes) if heads is None else heads
    parts = _joined_heads(parts)
    settings = _sizes(parts, heads) | _present(parts) | _places(parts, notes)
    # What the layout says holds for all its files; what is asked for comes last.
    values = settings | dict(layout.settings) | further | dict(asked)
    if layout.name == "torch" and "norm_place" not in values:
        message = "the file does not say where the norm stands: after each sub-layer was taken"
        notes.append(f"{message} (--set norm_place=pre says otherwise)")
    if values.get("positions", "sinusoidal") != "sinusoidal":
        values["position_table"] = "computed"
    try:
        config = ModelConfig.from_json(values)
    except ConfigError as error:
        raise CheckpointBroken(f"The file does not make a model: {error}") from error
    with torch.random.fork_rng(devices=[]):  # the weights drawn here are replaced at once
        model = Transformer(config)
    tensors = _tensors(parts, config, model)
    model.to(next(iter(parts.values())).dtype).load_state_dict(tensors)
    return model.eval(), tuple(notes)


def _check_dimensions(name: str, tensor: Tensor) -> None:
    """Refuse a part that cannot be one: a matrix in the place of a bias, or nothing at all."""
    if name.endswith(("table.weight", "plain")) or ".v." in name:
        allowed: tuple[int, ...] = (1, 2, 3)
    elif name.endswith((".bias", "norm.weight")):
        allowed = (1,)
    else:
        allowed = (2, 3) if ".feed_forward." in name else (2,)
    if tensor.dim() not in allowed or tensor.numel() == 0:
        raise CheckpointBroken(f"The file's {name} has shape {tuple(tensor.shape)}.")


def _joined_heads(parts: Parts) -> Parts:
    """The parts, with the matrices of single heads (STACK.N.SITE.query.H) joined into one."""
    joined: dict[str, dict[int, Tensor]] = {}
    whole = {}
    for name, tensor in parts.items():
        found = re.fullmatch(r"(.*\.(?:query|key|value|bilinear|additive))\.(\d+)\.(\w+)", name)
        if found:
            joined.setdefault(f"{found[1]}.{found[3]}", {})[int(found[2])] = tensor
        else:
            whole[name] = tensor
    for name, tensors in joined.items():
        whole[name] = _below(name, [tensors[h] for h in sorted(tensors)])
    return whole


def _below(name: str, tensors: Sequence[Tensor]) -> Tensor:
    """The tensors one below the other; CheckpointBroken where their rows are not alike."""
    if len({tensor.shape[1:] for tensor in tensors}) > 1:
        shapes = ", ".join(str(tuple(tensor.shape)) for tensor in tensors)
        raise CheckpointBroken(f"The parts of the file's {name} have shapes {shapes}.")
    return torch.cat(list(tensors))


def _heads_of(parts: Parts, notes: list[str]) -> int:
    """The number of heads if not given: counted where heads are stored apart, else the usual 8."""
    alone = [name for name in parts if re.fullmatch(r"encoder\.0\.self\.query\.\d+\.weight", name)]
    if alone:
        return len(alone)
    message = f"the file does not say how many heads there are: {_USUAL_HEADS} were taken"
    notes.append(f"{message} (--heads says otherwise)")
    return _USUAL_HEADS


def _need(parts: Parts, name: str) -> Tensor:
    if name not in parts:
        raise CheckpointBroken(f"The file has no tensor for {name}.")
    return parts[name]


def _take(parts: Parts, name: str) -> Tensor:
    found = _need(parts, name)
    del parts[name]
    return found


def _sizes(parts: Parts, heads: int) -> dict[str, Any]:
    """The sizes that the shapes say."""
    source, width = _need(parts, "source.embedding.weight").shape
    depths = {
        stack: 1 + max((int(n) for n in _layers(parts, stack)), default=-1) for stack in _STACKS
    }
    for stack, depth in depths.items():
        if depth == 0:
            raise CheckpointBroken(f"The file has no layer of the {stack}.")
    whole = parts.get(f"{_FIRST}.projection.weight")  # queries, keys and values in one
    inner = len(_need(parts, f"{_FIRST}.query.weight") if whole is None else whole.chunk(3)[0])
    if heads < 1 or inner % heads:
        raise CheckpointBroken(
            f"{inner} rows of queries are not divisible by {heads} heads. Say how many there are."
        )
    return {
        "source_vocabulary": source,
        "target_vocabulary": len(_need(parts, "target.embedding.weight")),
        "width": width,
        "encoder_layers": depths["encoder"],
        "decoder_layers": depths["decoder"],
        "encoder_heads": heads,
        "decoder_heads": heads,
        "head_width": 0 if inner == width else inner // heads,
        "feed_forward_width": len(_need(parts, "encoder.0.feed_forward.inner.weight")),
    }


def _layers(parts: Parts, stack: str) -> set[str]:
    return {name.split(".")[1] for name in parts if re.match(rf"{stack}\.\d+\.", name)}


def _present(parts: Parts) -> dict[str, Any]:
    """The choices that show in which parts there are."""
    logits, target = _need(parts, "logits.weight"), parts["target.embedding.weight"]
    tied = logits.shape == target.shape and torch.equal(logits, target)
    source = parts["source.embedding.weight"]
    everything = tied and source.shape == target.shape and torch.equal(source, target)
    return {
        "attention_bias": bool({f"{_FIRST}.query.bias", f"{_FIRST}.projection.bias"} & set(parts)),
        "output_projection": f"{_FIRST}.output.weight" in parts,
        "output_bias": f"{_FIRST}.output.bias" in parts,
        "logits_bias": "logits.bias" in parts,
        "final_norm": "encoder.norm.weight" in parts,
        "feed_forward": (
            "convolution" if parts["encoder.0.feed_forward.inner.weight"].dim() == 3 else "linear"
        ),
        "tied": "all" if everything else "target" if tied else "none",
        "dropout_embedding": 0.0,
        "dropout_residual": 0.0,
    }


def _places(parts: Parts, notes: list[str]) -> dict[str, Any]:
    """What the tables of positions say; `parts` keeps them as (P, D), of one length."""
    width = parts["source.embedding.weight"].shape[1]
    both = parts.pop("both.table.weight", None)
    tables = {}
    for side in ("source", "target"):
        table = parts.pop(f"{side}.table.weight", both)
        if table is not None:
            if table.numel() % width:
                raise CheckpointBroken(f"The table of positions has no rows of {width} numbers.")
            tables[side] = table.reshape(-1, width)
    if len(tables) < 2:
        message = (
            f"the file has no table of positions: {_NO_TABLE} were taken, sinusoidal unless you say"
        )
        notes.append(f"{message} otherwise (--set positions=none)")
        return {"max_positions": _NO_TABLE}
    P = min(8192, *(len(table_PD) for table_PD in tables.values()))
    sines_PD = sinusoidal_table(P, width) if width % 2 == 0 else None
    like = sines_PD is not None and all(
        bool(((table_PD[:P].float() - sines_PD).abs() < _LIKE_SINES).all())
        for table_PD in tables.values()
    )
    for side, table_PD in tables.items():
        parts[f"{side}.table"] = table_PD[:P]
    kind = {"positions": "sinusoidal", "position_table": "stored"} if like else {}
    return {"max_positions": P, "positions": "learned"} | kind


def _tensors(parts: Parts, config: ModelConfig, model: Transformer) -> dict[str, Tensor]:
    """Our state dict, every part of the file used once."""
    made, left = {}, dict(parts)

    def move(ours: str, theirs: str) -> None:
        made[ours] = _take(left, theirs)

    for side in ("source", "target"):
        move(f"{side}_embedding.weight", f"{side}.embedding.weight")
        if f"{side}_positions.table_PD" in model.state_dict():
            move(f"{side}_positions.table_PD", f"{side}.table")
        left.pop(f"{side}.table", None)  # of sines, where nothing is added
    move("logits.weight", "logits.weight")
    if config.logits_bias:
        move("logits.bias", "logits.bias")
    of_norm = ("weight", "bias") if config.norm == "layer" else ("gain", "bias")

    def move_norm(ours: str, theirs: str) -> None:
        for mine, rest in zip(of_norm, ("weight", "bias"), strict=True):
            move(f"{ours}.{mine}", f"{theirs}.{rest}")

    for stack, sites in _STACKS.items():
        if config.final_norm:
            move_norm(f"{stack}_norm", f"{stack}.norm")
        for n in range(getattr(config, f"{stack}_layers")):
            at = f"{stack}.{n}"
            for site in sites:
                made |= _attention(left, f"{at}.{site}", f"{at}.{_SITES[site]}", config)
                move_norm(f"{at}.around_{site}.norm", f"{at}.{site}.norm")
            for which in ("inner", "outer"):
                for rest in ("weight", "bias"):
                    move(f"{at}.feed_forward.{which}.{rest}", f"{at}.feed_forward.{which}.{rest}")
            move_norm(f"{at}.around_feed_forward.norm", f"{at}.feed_forward.norm")
    if left:
        raise CheckpointBroken(f"The file's {sorted(left)[0]} has no place in such a model.")
    return _fitting(made, model)


def _attention(left: Parts, theirs: str, ours: str, config: ModelConfig) -> dict[str, Tensor]:
    """The weights of one attention sub-layer, taken out of `left`."""
    made = {}
    for rest in ("weight", "bias") if config.attention_bias else ("weight",):
        whole = left.pop(f"{theirs}.projection.{rest}", None)
        if whole is None:
            names = [f"{theirs}.{which}.{rest}" for which in ("query", "key", "value")]
            whole = _below(f"{theirs}.projection.{rest}", [_take(left, name) for name in names])
        made[f"{ours}.projection.{rest}"] = whole
    for rest, has in (("weight", config.output_projection), ("bias", config.output_bias)):
        if has and config.output_projection:
            made[f"{ours}.output.{rest}"] = _take(left, f"{theirs}.output.{rest}")
    for kind, name in (("additive", "additive_HE"), ("bilinear", "bilinear_HEE")):
        if config.similarity == kind:
            made[f"{ours}.{name}"] = _take(left, f"{theirs}.{kind}.weight")
    return made


def _fitting(made: dict[str, Tensor], model: Transformer) -> dict[str, Tensor]:
    """The state dict, where every tensor has the shape that the model asks for."""
    wanted = {name: tensor.shape for name, tensor in model.state_dict().items()}
    for name, shape in wanted.items():
        if _need(made, name).shape != shape:
            raise CheckpointBroken(
                f"The file's {name} has shape {tuple(made[name].shape)}; the other tensors ask "
                f"for {tuple(shape)}."
            )
    return made
