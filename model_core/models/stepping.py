"""Decoding with our own model, token by token: pure functions from one `State` to the next.

Step, back, force and branch are the same operation on different states.
"""

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from model_core.errors import SourceTooLong
from model_core.models.choices import check_choice
from model_core.models.state import State
from model_core.tokenizer import Tokenizer
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.passes import DecoderPass
from model_core.transformer.transformer import Transformer
from model_core.values.recipe import Choice, How
from model_core.values.trace import (
    AttentionRow,
    AttentionTrace,
    DecodeStep,
    Decoding,
    Tokens,
    copied,
)


@torch.inference_mode()
def start(model: Transformer, source: Tokens, target_tokenizer: Tokenizer) -> State:
    """The state in which the source is encoded and the start token has been fed in.

    Raises SourceTooLong when the source, end token and pads included, has more tokens than the
    model has positions.
    """
    config = model.config
    SourceTooLong.check(len(source), config.max_positions)
    encoded = model.encode(torch.tensor([source.ids], device=model.device))
    traces = tuple(
        AttentionTrace(
            site="encoder",
            layer=layer,
            queries=source,
            keys=source,
            q_HQE=copied(record.q_BHQE[0]),
            k_HKE=copied(record.k_BHKE[0]),
            v_HKE=copied(record.v_BHKE[0]),
            scores_HQK=copied(record.scores_BHQK[0]),
            mask_QK=copied(record.mask.allowed_BQK[0].expand(len(source), -1)),
            weights_HQK=copied(record.weights_BHQK[0]),
        )
        for layer, record in enumerate(encoded.records)
    )
    passed = model.decode(torch.tensor([[config.start_id]], device=model.device), encoded)
    decoding = Decoding(
        source=source,
        target=target_tokenizer.tokens([config.start_id]),
        encoder=traces,
        cross_keys=_cross_keys(passed),
        steps=(_step(0, passed),),
        chosen=(),
        finished=None,
    )
    # The traces have copies of what the records say.
    return State(decoding, replace(encoded, records=()), passed.past)


@torch.inference_mode()
def advance(
    model: Transformer, state: State, target_tokenizer: Tokenizer, token: int, how: How = "forced"
) -> State:
    """The state after `token` left the decoder; unless it ends the sentence it was fed in too.

    Raises DecodingFinished where the decoding already was, and RecipeError for a token that there
    is not, or that is a pad or the start.
    """
    config, before = model.config, state.decoding
    check_choice(before, token, config.target_vocabulary, config.special)
    index = len(before.steps)
    target = before.target + target_tokenizer.tokens([token])
    chosen = (*before.chosen, Choice(token, how))
    if token == config.end_id:
        ended = replace(before, target=target, chosen=chosen, finished="end")
        return State(ended, state.encoded, state.past)
    ids_BT = torch.full((1, 1), token, device=model.device)
    passed = model.decode(ids_BT, state.encoded, state.past)
    decoding = replace(
        before,
        target=target,
        chosen=chosen,
        steps=(*before.steps, _step(index, passed)),
        # Where the target gives the values, every token changes them.
        cross_keys=_cross_keys(passed) if config.cross_queries == "source" else before.cross_keys,
        finished="limit" if index + 1 == config.longest_target(len(before.source)) else None,
    )
    return State(decoding, state.encoded, passed.past)


def _cross_keys(passed: DecoderPass) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """The keys and values that cross-attention read, one pair per layer."""
    records = passed.cross_records
    return tuple((copied(record.k_BHKE[0]), copied(record.v_BHKE[0])) for record in records)


def _step(index: int, passed: DecoderPass) -> DecodeStep:
    return DecodeStep(
        index=index,
        log_probabilities_V=_last(passed.logits_BTV.log_softmax(dim=-1)),
        decoder_rows=tuple(_row(record, grows=True) for record in passed.self_records),
        cross_rows=tuple(_row(record, grows=False) for record in passed.cross_records),
    )


def _row(record: AttentionRecord, grows: bool) -> AttentionRow:
    """The last query's row of a record; where the keys grow, the last key and value are its own."""
    return AttentionRow(
        q_HE=_last(record.q_BHQE),
        k_HE=_last(record.k_BHKE) if grows else None,
        v_HE=_last(record.v_BHKE) if grows else None,
        scores_HK=_last(record.scores_BHQK),
        mask_K=_last(record.mask.allowed_BQK),
        weights_HK=_last(record.weights_BHQK),
    )


def _last(tensor: Tensor) -> np.ndarray:
    """What the last position of the only sentence has, of every head; a read-only copy."""
    array = tensor.numpy(force=True)[0, ..., -1, :].copy()  # 25 a step: `frozen` would look first
    array.setflags(write=False)
    return array
