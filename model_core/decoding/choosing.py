"""How the next token is chosen unless one is forced: greedily, by a draw, or by a beam.

Randomness comes from the strategy's seed and the step's index alone, so a draw does not depend on
how one got there.
"""

from model_core.decoding.beam import Before, SearchSpace, search_from
from model_core.models.protocol import Model, State
from model_core.values.draw import draw, without
from model_core.values.recipe import MAX_TARGET, How, Strategy
from model_core.values.trace import DecodeStep


def choose(step: DecodeStep, strategy: Strategy, never: tuple[int, ...]) -> tuple[int, How]:
    """The token that the strategy takes at this step, and how; none of `never`."""
    if strategy.kind == "greedy":
        logits_V = step.log_probabilities_V
        best = int(logits_V.argmax()) if step.greedy is None else step.greedy
        return best if best not in never else int(without(logits_V, never).argmax()), "greedy"
    return draw(step, strategy, never).token, "sampled"


def continue_by(
    model: Model, state: State, strategy: Strategy, most: int = MAX_TARGET
) -> tuple[tuple[int, How], ...]:
    """The tokens that the strategy takes next, and how: one, or by a beam all up to the end.

    A beam searches for the best translation among those that begin as this one does and have at
    most `most` tokens.
    """
    if strategy.kind != "beam":
        never = model.anatomy.special.never
        return (choose(state.decoding.step, strategy, never),)
    space = search_space(model, state, most)
    ((best, *_),) = search_from(space.start, [space.limit], strategy.width, *space[2:])
    return tuple((token, "beam") for token in best.written)


def search_space(model: Model, state: State, most: int) -> SearchSpace:
    """The search among translations that begin as a state's and have at most `most` tokens."""
    anatomy, decoding = model.anatomy, state.decoding
    longest = anatomy.longest_target(len(decoding.source))
    # A language that is given first is to `generate` a token that it was forced to write.
    forced = decoding.prompt - 1 if anatomy.has("cross") and anatomy.rule.stops != "best" else 0
    return SearchSpace(
        model.hypotheses(state),
        min(most, longest - decoding.prompt),
        anatomy.special.never,
        anatomy.special.ends,
        anatomy.rule,
        Before(len(decoding.chosen), sum(decoding.log_probabilities), forced),
    )
