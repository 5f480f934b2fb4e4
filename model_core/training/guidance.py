"""Heads of a trained model taught to align words, and the rest of the model left as it is.

Their queries and keys learn; then the output projection of their layer is fitted so that the layer
gives what it gave, and what of the last such layer follows its readings learns to predict what the
model predicted. This takes minutes on one core where training anew takes an hour.
"""

import copy
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.errors import ConfigError
from model_core.training.data.corpus import EncodedPair, make_batch, plan_batches
from model_core.training.evaluation.alignment import Head
from model_core.transformer.attention import MultiHeadAttention
from model_core.transformer.layers import DecoderLayer
from model_core.transformer.transformer import Transformer
from model_core.values.anatomy import head_name
from model_core.values.config import ModelConfig

UPDATES = 150  # 12,000 pairs of everyday sentences are read three times
SETTLING = 100  # updates towards the predictions of the model as it was
_SETTLING_RATE = 3e-4  # of Adam; it falls as the other does
_SETTLING_TOKENS = 2048  # of a batch
_RATE = 2e-3  # of Adam; over the last 60% of the updates it falls to zero
_BATCH_TOKENS = 3072
_CHAINED = 0.3  # how often the next pair follows in the same sentence, so that long ones occur
_PULL = 1e-3  # of the mean square of a column, towards the projection as it was
_LEAST = 1e-6  # of the weight beside the end token, so that no loss is infinite


def teach(
    model: Transformer, pairs: Sequence[EncodedPair], heads: Sequence[Head], seed: int = 1
) -> None:
    """Teach these cross-attention heads the links of the pairs; a row is for the token it writes.

    The loss is -log of the weight on the linked token (Garg et al. 2019, equation 3). Departs from
    the paper: the row that writes the end token is linked to the source's end token, and a row
    without a link is taught only not to read that one. Then the projection that joins the heads is
    fitted by least squares to what the layer gave before. Last, the values, this projection and the
    feed-forward of the highest of these layers learn to predict what the untaught model predicts:
    no head of this layer or below reads otherwise for it.

    Raises ConfigError as `check_teachable` does.
    """
    check_teachable(model.config, heads)
    untaught = copy.deepcopy(model)
    chained = list(_chained(pairs, model.config.max_positions, random.Random(seed)))
    plan = plan_batches(chained, _BATCH_TOKENS, seed, 0)
    layers = {layer for layer, _ in heads}
    batches = [_read(model, [chained[row] for row in rows], layers) for rows in plan]
    for head in heads:
        _teach(model, head, batches)
    for layer in sorted(layers):
        repair(model, layer, [number for other, number in heads if other == layer], batches)
    _settle(model, untaught, max(layers), pairs, seed)


@dataclass(frozen=True, eq=False)
class _Batch:
    """A batch as cross-attention finds it."""

    memory_BSD: Tensor
    pads_BS: Tensor
    rows_BTD: dict[int, Tensor]  # for each layer what its queries are made of
    joined_BTC: dict[int, Tensor]  # for each layer what its heads gave, side by side
    links_BT: Tensor  # -1 for none
    words_BT: Tensor  # whether the row writes a word: neither a pad nor the end token


def check_teachable(config: ModelConfig, heads: Sequence[Head]) -> None:
    """Raise ConfigError for heads that a model does not have, and for attention that is not soft
    and a scaled product."""
    if config.similarity != "scaled_dot" or config.attention != "soft":
        raise ConfigError(
            f"Heads with {config.attention} attention and similarity {config.similarity} cannot be "
            "taught; it takes soft attention and scaled_dot."
        )
    for layer, head in heads:
        if not (1 <= layer <= config.decoder_layers and 1 <= head <= config.decoder_heads):
            raise ConfigError(
                f"There is no cross-attention head {head_name(layer, head)}: the decoder has "
                f"{config.decoder_layers} layers of {config.decoder_heads} heads."
            )


def _chained(
    pairs: Iterable[EncodedPair], longest: int, draw: random.Random
) -> Iterator[EncodedPair]:
    """The pairs, some of them one behind the other as a single sentence."""
    last: EncodedPair | None = None
    for pair in pairs:
        if last is None:
            last = pair
            continue
        S, T = len(last.source) + len(pair.source) - 1, last.predicted + pair.predicted - 1
        if draw.random() < _CHAINED and max(S, T) <= longest:
            last = _behind(last, pair)
        else:
            yield last
            last = pair
    if last is not None:
        yield last


def _behind(first: EncodedPair, second: EncodedPair) -> EncodedPair:
    """Both as one pair, with one end token."""
    before = len(first.source) - 1
    links = tuple(link + before if link >= 0 else link for link in second.links)
    return EncodedPair(
        first.source[:-1] + second.source,
        first.target[:-1] + second.target[1:],
        first.links[:-1] + links,
    )


@torch.no_grad()
def _read(model: Transformer, pairs: Sequence[EncodedPair], layers: set[int]) -> _Batch:
    config = model.config
    batch = make_batch(pairs, config.pad_id)
    assert batch.links_BT is not None  # `teach` is given linked pairs
    seen: dict[str, Tensor] = {}
    wanted = {f"decoder.{layer}.cross.{part}" for layer in layers for part in ("read", "heads")}

    def tap(name: str, value: Tensor) -> Tensor:
        if name in wanted or name == "encoder.memory":
            seen[name] = value
        return value

    model(batch.source_BS, batch.target_BT, tap=tap)
    ends_BT = batch.predicted_BT == config.end_id
    last_B1 = (batch.source_BS != config.pad_id).sum(dim=1, keepdim=True) - 1
    return _Batch(
        seen["encoder.memory"],
        batch.source_BS == config.pad_id,
        {layer: seen[f"decoder.{layer}.cross.read"] for layer in layers},
        {
            layer: seen[f"decoder.{layer}.cross.heads"].transpose(1, 2).flatten(2)
            for layer in layers
        },
        torch.where(ends_BT, last_B1, batch.links_BT),
        (batch.predicted_BT != config.pad_id) & ~ends_BT,
    )


def _teach(model: Transformer, head: Head, batches: Sequence[_Batch]) -> None:
    """Adam on the rows of one head in the projection to queries and keys."""
    layer, number = head
    attention = cast(DecoderLayer, model.decoder[layer - 1]).cross_attention
    E = attention.E
    rows = torch.cat([_rows(attention, number, part) for part in (_QUERY, _KEY)])
    stored = _projection(attention)
    learnt = [part[rows].clone().requires_grad_() for part in stored]
    optimizer = torch.optim.Adam(learnt, lr=_RATE)
    for update in range(UPDATES):
        batch = batches[update % len(batches)]
        for group in optimizer.param_groups:
            group["lr"] = _RATE * _falling(update, UPDATES)
        loss = _loss(batch, batch.rows_BTD[layer], learnt, E)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for part, new in zip(stored, learnt, strict=True):
        part[rows] = new.detach()


def _falling(update: int, updates: int) -> float:
    """1, and over the last 60% of the updates falling to zero."""
    return min(1.0, (updates - update) / (0.6 * updates))


_QUERY, _KEY, _VALUE = 0, 1, 2


def _projection(attention: MultiHeadAttention) -> list[Tensor]:
    """The weight of the projection to queries, keys and values, and its bias where it has one."""
    return [part.data for part in attention.projection.parameters()]


def _rows(attention: MultiHeadAttention, number: int, part: int) -> Tensor:
    """The rows of one head's queries, keys or values in the projection."""
    first = (part * attention.H + number - 1) * attention.E
    return torch.arange(first, first + attention.E)


def _log_weights(batch: _Batch, rows_BTD: Tensor, learnt: Sequence[Tensor], E: int) -> Tensor:
    """The logarithms (B, T, S) of a head's weights; `learnt` has its query and its key rows."""
    weight_XD = learnt[0]  # X: the queries' rows, then the keys'
    bias_X = learnt[1] if len(learnt) > 1 else weight_XD.new_zeros(2 * E)
    q_BTE = functional.linear(rows_BTD, weight_XD[:E], bias_X[:E])
    k_BSE = functional.linear(batch.memory_BSD, weight_XD[E:], bias_X[E:])
    scores_BTS = q_BTE @ k_BSE.mT / E**0.5
    return scores_BTS.masked_fill(batch.pads_BS.unsqueeze(1), -1e9).log_softmax(dim=-1)


def _loss(batch: _Batch, rows_BTD: Tensor, learnt: Sequence[Tensor], E: int) -> Tensor:
    log_BTS = _log_weights(batch, rows_BTD, learnt, E)
    linked = batch.links_BT >= 0
    right_N = log_BTS[linked].gather(1, batch.links_BT[linked].unsqueeze(1))
    free = batch.words_BT & ~linked
    last_B = (~batch.pads_BS).sum(dim=1) - 1
    end_BT = log_BTS.gather(2, last_B[:, None, None].expand(-1, log_BTS.shape[1], 1)).squeeze(2)
    beside_N = (1 - end_BT[free].exp()).clamp_min(_LEAST).log()
    return -(right_N.sum() + beside_N.sum()) / (len(right_N) + len(beside_N))


@torch.no_grad()
def repair(
    model: Transformer, layer: int, numbers: Sequence[int], batches: Sequence[_Batch]
) -> None:
    """Fit the output projection to what the layer's cross-attention gave before.

    Least squares over all rows that write a token, with a weak pull towards the weights that were.
    """
    attention = cast(DecoderLayer, model.decoder[layer - 1]).cross_attention
    output, E = attention.output, attention.E
    if not isinstance(output, nn.Linear):
        return  # heads that are joined and not projected
    own = _projection(attention)
    C = attention.H * E
    products_CC = torch.zeros(C + 1, C + 1, dtype=torch.float64)
    missing_CD = torch.zeros(C + 1, output.out_features, dtype=torch.float64)
    for batch in batches:
        before_BTC = batch.joined_BTC[layer]
        after_BTC = before_BTC.clone()
        for number in numbers:
            rows = torch.cat([_rows(attention, number, part) for part in (_QUERY, _KEY)])
            learnt = [part[rows] for part in own]
            weights_BTS = _log_weights(batch, batch.rows_BTD[layer], learnt, E).exp()
            value = [part[_rows(attention, number, _VALUE)] for part in own]
            v_BSE = functional.linear(batch.memory_BSD, *value)
            after_BTC[..., (number - 1) * E : number * E] = weights_BTS @ v_BSE
        writes = batch.words_BT | (batch.links_BT >= 0)
        after_NC = functional.pad(after_BTC[writes].double(), (0, 1), value=1.0)
        lost_ND = (before_BTC - after_BTC)[writes].double() @ output.weight.double().T
        products_CC += after_NC.T @ after_NC
        missing_CD += after_NC.T @ lost_ND
    pull = _PULL * products_CC.diagonal().mean()
    change_CD = torch.linalg.solve(products_CC + pull * torch.eye(C + 1).double(), missing_CD)
    output.weight.add_(change_CD[:-1].T.to(output.weight.dtype))
    if output.bias is not None:
        output.bias.add_(change_CD[-1].to(output.bias.dtype))


def _settle(
    model: Transformer, untaught: Transformer, layer: int, pairs: Sequence[EncodedPair], seed: int
) -> None:
    """Adam on what of a layer follows its readings, towards the predictions of the untaught model.

    The loss is the Kullback-Leibler divergence from the distribution of the untaught model, the
    mean over the tokens that are no pads, in nats.
    """
    decoder = cast(DecoderLayer, model.decoder[layer - 1])
    attention, pad_id = decoder.cross_attention, model.config.pad_id
    projection = list(attention.projection.parameters())
    learnt = [*projection, *attention.output.parameters(), *decoder.feed_forward.parameters()]
    optimizer = torch.optim.Adam(learnt, lr=_SETTLING_RATE)
    plan = plan_batches(pairs, _SETTLING_TOKENS, seed, 1)
    for update in range(SETTLING):
        batch = make_batch([pairs[row] for row in plan[update % len(plan)]], pad_id)
        written_BT = batch.predicted_BT != pad_id
        with torch.no_grad():
            right_BTV = untaught(batch.source_BS, batch.target_BT).logits_BTV
        found_BTV = model(batch.source_BS, batch.target_BT).logits_BTV
        right_NV, found_NV = (
            logits_BTV[written_BT].log_softmax(dim=-1) for logits_BTV in (right_BTV, found_BTV)
        )
        loss = functional.kl_div(found_NV, right_NV, log_target=True, reduction="batchmean")
        gradients = torch.autograd.grad(loss, learnt)
        for gradient in gradients[: len(projection)]:
            gradient[: _VALUE * attention.H * attention.E] = 0  # queries and keys stay
        for part, gradient in zip(learnt, gradients, strict=True):
            part.grad = gradient
        for group in optimizer.param_groups:
            group["lr"] = _SETTLING_RATE * _falling(update, SETTLING)
        optimizer.step()
    optimizer.zero_grad(set_to_none=True)
