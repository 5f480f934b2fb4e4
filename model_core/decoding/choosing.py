"""How the next token is chosen where nobody forces one: greedily, by a draw, or by a beam.

Randomness comes from the strategy's seed and the step's index alone, so a draw does not depend on
how one got there.
"""

import torch

from model_core.decoding.beam import SearchStart, search_from
from model_core.decoding.stepping import State
from model_core.transformer.transformer import Transformer
from model_core.values.draw import draw, without
from model_core.values.recipe import MAX_TARGET, How, Strategy
from model_core.values.trace import DecodeStep


def choose(step: DecodeStep, strategy: Strategy, never: tuple[int, ...]) -> tuple[int, How]:
    """The token that the strategy takes at this step, and how; none of `never` (pad, start)."""
    if strategy.kind == "greedy":
        logits_V = step.log_probabilities_V
        best = int(logits_V.argmax())
        return best if best not in never else int(without(logits_V, never).argmax()), "greedy"
    return draw(step, strategy, never).token, "sampled"


def continue_by(
    model: Transformer, state: State, strategy: Strategy, most: int = MAX_TARGET
) -> tuple[tuple[int, How], ...]:
    """The tokens that the strategy takes next, and how: one, or by a beam all up to the end.

    A beam searches for the best translation among those that begin as this one does and have at
    most `most` tokens.
    """
    config, step = model.config, state.decoding.step
    if strategy.kind != "beam":
        return (choose(step, strategy, (config.pad_id, config.start_id)),)
    search_start = SearchStart(
        state.encoded,
        state.past,
        torch.tensor(step.log_probabilities_V, device=model.device).unsqueeze(0),
        len(state.decoding.chosen),
        sum(state.decoding.log_probabilities),
    )
    limit = min(most, config.longest_target(len(state.decoding.source)) - 1)
    ((best, *_),) = search_from(model, search_start, [limit], strategy.width)
    tokens = (*best.tokens, config.end_id) if best.ended else best.tokens
    return tuple((token, "beam") for token in tokens)
