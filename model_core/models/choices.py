"""Which tokens can be chosen next, in words fit for a reader where one cannot."""

from model_core.errors import DecodingFinished, RecipeError
from model_core.values.special import Special
from model_core.values.trace import Decoding


def check_choice(decoding: Decoding, token: int, vocabulary: int, special: Special) -> None:
    """Raise where a decoding cannot go on with a token.

    DecodingFinished where it already is, and RecipeError for a token that there is not, or that is
    a pad or the start.
    """
    if decoding.finished is not None:
        steps = len(decoding.steps)
        reason = (
            "reached its end" if decoding.finished == "end" else f"has {steps} tokens, its limit"
        )
        message = f"The translation {reason}. Go back to change it."
        raise DecodingFinished(
            message, "ended" if decoding.finished == "end" else "full", limit=steps
        )
    if not 0 <= token < vocabulary:
        message = f"There is no token {token}; this model has {vocabulary}."
        raise RecipeError(message, "token", token=token, limit=vocabulary)
    if token in special.never:
        name = "pad" if token == special.pad else "start"
        raise RecipeError(
            f"The {name} token cannot be chosen. Choose a piece of text or the end.",
            f"token_{name}",
        )
