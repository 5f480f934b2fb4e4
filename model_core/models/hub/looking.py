"""Reads a model's anatomy from one pass. A model that fails this probe is refused.

A model whose attention cannot be seen, or whose weights are not the softmax of what is recorded, is
refused here, before anybody sees a picture of it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel

from model_core.checkpoints.heads import command, no_folder, read_heads
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing
from model_core.models.hub.attention import NAME, AttentionModules
from model_core.models.hub.families import Family
from model_core.models.hub.generating import check_processors, rule_of
from model_core.models.hub.insides import has_bias
from model_core.models.hub.stream import StackModules
from model_core.models.hub.words import Words
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.passes import FullPass
from model_core.values.anatomy import Anatomy, Capability, ModelKind, SiteAnatomy
from model_core.values.checked import shown
from model_core.values.head_measures import HeadMeasures
from model_core.values.recipe import MAX_TARGET
from model_core.values.special import Special
from model_core.values.trace import COLUMNS, ROWS, SIDES, SITES, Side, Site


class Probed(Protocol):
    """What is tried on a few tokens before a model is shown."""

    def full_pass(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> FullPass:
        """A pass with its records."""

    def made(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], attention: str
    ) -> Tensor:
        """The logits of a pass, or the last vectors, by the attention function of this name."""


_NAMES = ("max_position_embeddings", "n_positions")
_NOT_READ: set[tuple[Side, ModelKind]] = {("source", "decoder"), ("target", "encoder")}
_UNBOUNDED = 512  # positions of a model that says nothing: T5 counts distances


def anatomy_of(
    name: str, network: PreTrainedModel, family: Family, words: Words, model: Probed
) -> Anatomy:
    """The anatomy; raises CheckpointError for a model that cannot be shown as it is."""
    _check_finite(name, network)
    config, vocabulary = network.config, network.config.vocab_size
    written = getattr(config, "decoder_vocab_size", None) or vocabulary
    given = words.prompt() if family.kind == "encoder-decoder" else ()
    _check_ids(name, family.kind, words, {"source": vocabulary, "target": written})
    records = _probe(name, model, given, _plain(words, vocabulary))
    sites = []
    for site in SITES:
        if site in records:
            first, layers, sides = records[site][0], len(records[site]), (ROWS[site], COLUMNS[site])
            heads = first.q_BHQE.shape[1], first.k_BHKE.shape[1]
            sites.append(SiteAnatomy(site, layers, *heads, *sides, causal=site == "decoder"))
    positions = [value for name in _NAMES if (value := getattr(config, name, None))]
    limit = min([*positions, MAX_TARGET]) if positions else _UNBOUNDED
    single = family.kind == "encoder"
    return Anatomy(
        sites=tuple(sites),
        source_vocabulary=vocabulary,
        target_vocabulary=written,
        special=Special(
            pad=words.pad,
            start=given[0] if given else None,
            end=None if single else words.end,
            unknown=words.unknown,
            more_ends=() if single else words.ends[1:],
        ),
        max_positions=limit - family.positions_lost,
        positions=family.positions,
        lacking={"history": "history", **_windows_differ(config)},
        unusual=check_processors(name, network, words.ends, written),
        controls=words.controls,
        mask=words.mask if single and network.get_output_embeddings() is not None else None,
        rule=rule_of(name, network),
    )


def _head_width(sublayer: AttentionModules) -> int:
    """E, whatever the library calls it there."""
    names = ("head_dim", "attention_head_size", "key_value_proj_dim")
    found = (getattr(sublayer.attention, name, None) for name in names)
    return next(width for width in found if isinstance(width, int))


def _windows_differ(config: Any) -> dict[Capability, str]:
    """That there is no one mask, of a model whose layers have different windows."""
    kinds = set(getattr(config, "layer_types", None) or ())
    return {"one-mask": "windows_differ"} if len(kinds) > 1 else {}


def facts_of(
    network: PreTrainedModel,
    family: Family,
    sublayers: Mapping[Site, Sequence[AttentionModules]],
    stack: StackModules,
) -> dict[str, Any]:
    """What is known of a model by the names of `ModelConfig` where that has them too.

    `sublayers` are its attentions by layer, `stack` is the one that predicts.
    """
    firsts = {site: found[0] for site, found in sublayers.items()}
    sublayer = next(iter(firsts.values()))
    return {
        "type": network.config.model_type,
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "width": network.config.hidden_size,
        "encoder_head_width": _head_width(firsts.get("encoder", sublayer)),
        "decoder_head_width": _head_width(firsts.get("decoder", sublayer)),
        "attention": "soft",
        "norm_place": "pre" if family.pre else "post",
        "attention_bias": has_bias(sublayer),
        "output_projection": True,
        "output_bias": sublayer.output.bias is not None,
        "feed_forward_width": stack.feed_forward_width,
        "activation": _activation(network.config),
        "final_norm": stack.final_norm is not None,
        "scaled_embedding": stack.scale != 1,
        "embedding_norm": stack.embedding_norm is not None,
        "device": str(network.device),
        "dtype": str(network.dtype).removeprefix("torch."),
    }


def rates_of(network: PreTrainedModel, family: Family) -> dict[str, float]:
    """The rates of dropout by the ends of taps' names, as the configuration has them."""
    rates = {end: getattr(network.config, name, 0.0) for end, name in family.dropout.items()}
    return {end: float(rate) for end, rate in rates.items() if rate and 0 < rate < 1}


def example_of(kind: ModelKind, words: Words, predicts: bool) -> str:
    """A sentence to begin with: to go on from, to fill, or to read."""
    if kind == "decoder":
        return "The old cat sleeps on the"
    word = words.mask_text if kind == "encoder" and predicts else "sleeps"
    return f"The old cat {word} on the warm roof."


def heads_of(
    folder: Path | None, name: str, sites: Sequence[SiteAnatomy], fingerprint: str
) -> HeadMeasures:
    """What a folder says of its model's heads now; CheckpointError names the command."""
    if folder is None:
        raise no_folder(name)
    try:
        return read_heads(folder, name, sites, fingerprint)
    except CheckpointMissing as error:
        said = f"{command('FOLDER')} --sentences FILE"
        raise CheckpointMissing(
            f"The heads of {name} are not measured yet. Run: {said}",
            "heads_unmeasured",  # unlike our own models it reads the file each time
            name=name,
            command=said,
        ) from error


def _check_finite(name: str, network: PreTrainedModel) -> None:
    """Raise for weights that are not finite, by the name of the first."""
    for tensor, parameter in network.named_parameters():
        if not bool(torch.isfinite(parameter).all()):
            raise CheckpointBroken(f"{name}: {tensor} has numbers that are not finite.")


def _check_ids(name: str, kind: ModelKind, words: Words, sizes: Mapping[Side, int]) -> None:
    """Raise CheckpointBroken for a token that the embedding of its side has no row for."""
    read: dict[Side, Mapping[str, int]] = {
        side: words.vocabulary(side) for side in SIDES if (side, kind) not in _NOT_READ
    }
    for side, ids in read.items():
        for piece, token in ids.items():
            if not 0 <= token < sizes[side]:
                raise CheckpointBroken(
                    f"{name}: its tokenizer has {shown(piece)} as token {token}, and the embedding "
                    f"of the model has {sizes[side]} rows. Call "
                    "model.resize_token_embeddings(len(tokenizer)), and save both again."
                )
    for token in (*words.prompt(), *words.ends) if "target" in read else ():
        if not 0 <= token < sizes["target"]:
            raise CheckpointBroken(
                f"{name}: config.json or generation_config.json names the token {token}, and the "
                f"embedding of the model has {sizes['target']} rows. Correct it there."
            )


def _plain(words: Words, vocabulary: int) -> list[int]:
    """A few tokens that are no special ones."""
    special = {words.pad, *words.ends, words.unknown}
    return [token for token in range(min(vocabulary, 40)) if token not in special][-5:]


def _probe(
    name: str, model: Probed, given: Sequence[int], ids: Sequence[int]
) -> Mapping[Site, tuple[AttentionRecord, ...]]:
    """The records of a pass over a few tokens, each checked against what was recorded with it.

    What the pass makes of them is checked against what the library's own attention makes.
    """
    sentences = [ids], [[*given, *ids[:3]]]
    passed = model.full_pass(*sentences)
    for site, records in passed.by_site.items():
        for layer, record in enumerate(records, start=1):
            if not torch.allclose(_again(record), record.weights_BHQK, atol=1e-4):
                raise CheckpointError(
                    f"{name}: the weights of the {site}, layer {layer}, are not the softmax "
                    "of the scores: this model attends in a way that cannot be shown.",
                    "hub_attention",
                )
    made, wanted = (model.made(*sentences, attention=which) for which in (NAME, "eager"))
    if not torch.allclose(made, wanted, atol=1e-4 * float(wanted.abs().max())):
        raise CheckpointError(
            f"{name}: the attention that is shown does not make what the library's own makes, so "
            "this model attends in a way that cannot be shown.",
            "hub_attention",
        )
    return passed.by_site


def _again(record: AttentionRecord) -> Tensor:
    """The weights that follow from the scores, the bias and the mask."""
    scores_BHQK = record.scores_BHQK.double()
    if record.bias_BHQK is not None:
        scores_BHQK = scores_BHQK + record.bias_BHQK.double()
    hidden_BHQK = ~record.mask.allowed_BQK.unsqueeze(1)
    weights_BHQK = scores_BHQK.masked_fill(hidden_BHQK, -torch.inf).softmax(dim=-1)
    return weights_BHQK.to(record.weights_BHQK.dtype)


def _activation(config: Any) -> str:
    """What stands inside the feed-forward, as the library calls it; "gated-" where one gates."""
    for name in ("feed_forward_proj", "activation_function", "hidden_act", "activation"):
        value = getattr(config, name, None)
        if isinstance(value, str):
            gated = config.model_type in ("llama", "mistral", "qwen2", "qwen3")
            return f"gated-{value}" if gated else value
    return ""
