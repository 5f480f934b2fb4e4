"""What a model's own settings ask of what it writes: how it begins, ends and is searched for.

Its greedy decoding and its beams obey the library's own processors of scores, as `generate` does.
"""

from collections.abc import Sequence
from typing import Any

import torch
import transformers
from transformers import LogitsProcessorList, PreTrainedModel

from model_core.errors import CheckpointError
from model_core.values.beam_tree import Rule
from model_core.values.checked import shown

_MOST_ALPHA = 100
_MOST_WORDS = 1000  # that may be forbidden
# These change nothing that a reader would ask about.
_QUIET = (
    transformers.ForcedEOSTokenLogitsProcessor,
    transformers.LogitNormalization,
    transformers.NoBadWordsLogitsProcessor,
)


def start_of(network: PreTrainedModel) -> tuple[int, ...]:
    """The target tokens that the model's own settings give: the start, and what is forced first."""
    if not network.config.is_encoder_decoder:
        return ()
    names = "decoder_start_token_id", "bos_token_id", "forced_bos_token_id"
    start, usual, forced = (next(iter(_said(network, name)), None) for name in names)
    start = usual if start is None else start
    return tuple(token for token in (start, forced) if token is not None)


def ends_of(network: PreTrainedModel) -> tuple[int, ...]:
    """The tokens that end a text, in the configuration's own order."""
    return _said(network, "eos_token_id")


def _said(network: PreTrainedModel, name: str) -> tuple[int, ...]:
    """The token ids of a setting: of generation_config first, then of config."""
    for place in (getattr(network, "generation_config", None), network.config):
        value = getattr(place, name, None)
        tokens = value if isinstance(value, list) and value else [value]
        if all(type(token) is int for token in tokens):
            return tuple(dict.fromkeys(tokens))
    return ()


def rule_of(name: str, network: PreTrainedModel) -> Rule:
    """The rule by which the model's own settings search; CheckpointError for a wild penalty."""
    said = getattr(network, "generation_config", None)
    alpha, stops = (getattr(said, key, None) for key in ("length_penalty", "early_stopping"))
    alpha = 1.0 if alpha is None else alpha
    if not isinstance(alpha, int | float) or not abs(alpha) <= _MOST_ALPHA:
        raise CheckpointError(
            f"{name} has length_penalty = {shown(alpha)}; it must be a number from -{_MOST_ALPHA} "
            f"to {_MOST_ALPHA}."
        )
    return Rule(
        float(alpha), "power", "never" if stops == "never" else "full" if stops else "likely"
    )


def processors_of(
    network: PreTrainedModel, ends: Sequence[int], source_ids: Sequence[int]
) -> LogitsProcessorList:
    """What changes the scores (N, V) that follow ids (N, T), in the order of `generate`.

    What only a draw obeys is left out.
    """
    said, made = network.generation_config, LogitsProcessorList()
    device, found = network.device, list(ends)
    source_1S = torch.tensor([list(source_ids)], device=device)
    given = 1 if network.config.is_encoder_decoder else len(source_ids)
    most = given + said.max_new_tokens if said.max_new_tokens else said.max_length
    forced = said.forced_bos_token_id is not None
    begin = given + 1 if given == 1 and forced else given
    of: Any = transformers
    for asked, kind, *more in (
        (said.sequence_bias, of.SequenceBiasLogitsProcessor),
        (
            _unless(said.encoder_repetition_penalty, 1),
            of.EncoderRepetitionPenaltyLogitsProcessor,
            source_1S,
        ),
        (_unless(said.repetition_penalty, 1), of.RepetitionPenaltyLogitsProcessor),
        (said.no_repeat_ngram_size, of.NoRepeatNGramLogitsProcessor),
        (said.encoder_no_repeat_ngram_size, of.EncoderNoRepeatNGramLogitsProcessor, source_1S),
        (said.bad_words_ids, of.NoBadWordsLogitsProcessor, found),
        (found and said.min_length, of.MinLengthLogitsProcessor, found, device),
        (
            found and said.min_new_tokens and given,
            of.MinNewTokensLengthLogitsProcessor,
            said.min_new_tokens,
            found,
            device,
        ),
        (
            said.forced_eos_token_id is not None and most,
            of.ForcedEOSTokenLogitsProcessor,
            said.forced_eos_token_id,
            device,
        ),
        (
            found and said.exponential_decay_length_penalty,
            of.ExponentialDecayLengthPenalty,
            found,
            given,
        ),
        (said.suppress_tokens, of.SuppressTokensLogitsProcessor, device),
        (
            said.begin_suppress_tokens,
            of.SuppressTokensAtBeginLogitsProcessor,
            begin,
            device,
        ),
    ):
        if asked:
            made.append(kind(asked, *more))
    if said.renormalize_logits and made:  # alone it changes nothing
        made.append(of.LogitNormalization())
    return made


def check_processors(
    name: str, network: PreTrainedModel, ends: Sequence[int], vocabulary: int
) -> tuple[str, ...]:
    """Codes of what readers would not expect of the settings; CheckpointError for wild ones."""
    if getattr(network, "generation_config", None) is None:
        return ()
    words = (network.generation_config.bad_words_ids, network.generation_config.sequence_bias)
    if any(len(some) > _MOST_WORDS for some in words if isinstance(some, list | dict)):
        raise CheckpointError(f"{name} forbids or favours more than {_MOST_WORDS:,} words.")
    ids_1T = torch.zeros(1, 1, dtype=torch.long, device=network.device)
    try:
        made = processors_of(network, ends, (0,))
        made(ids_1T, torch.zeros(1, vocabulary, device=network.device))
    except Exception as error:  # of any kind, after the setting
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise CheckpointError(
            f"{name} has generation settings that cannot be used: {reason}"
        ) from error
    found = [] if all(isinstance(one, _QUIET) for one in made) else ["own_settings"]
    if (network.generation_config.guidance_scale or 1) != 1:
        found.append("no_guidance")  # a second pass at each step, of which nothing could be shown
    return tuple(found)


def _unless(value: Any, usual: float) -> Any:
    return None if value == usual else value
