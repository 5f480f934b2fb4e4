"""A target that begins with a text of the reader's: every token of it is forced."""

from dataclasses import replace

from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.values.recipe import MAX_TARGET, Choice, Recipe
from model_core.values.trace import Decoding


def beginning_of(model: Model, recipe: Recipe, text: str, opening: Decoding) -> Recipe:
    """The recipe whose target is a text, token by token, and not ended.

    RecipeError where the text has words that the vocabulary lacks, holds a special token, or has
    more tokens than the model can write here. `opening` is the decoding with no token chosen.
    """
    anatomy = model.anatomy
    if opening.prompt == 0:
        raise RecipeError("Nothing is written here, so nothing can be begun.", "no_steps")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RecipeError(
            "The text has half of a character (a lone surrogate). Type it again.", "half_character"
        ) from error
    tokens = model.target(text, recipe.settings) if text else None
    if tokens is None:
        return replace(recipe, target=())
    ids = tokens.ids[:-1] if tokens.ids[-1:] == (anatomy.special.end,) else tokens.ids
    said = list(zip(tokens.kinds, tokens.spans, tokens.texts, strict=True))[: len(ids)]
    for kind, span, shown in said:
        if kind == "unknown":
            lacking = text[slice(*span)] if span else text
            message = (
                f"The vocabulary of this model has no token for {lacking!r}. Take other words."
            )
            raise RecipeError(message, "beginning_unknown", text=lacking[:40])
        if kind != "text":
            message = f"{shown} is a special token; a beginning is text alone."
            raise RecipeError(message, "beginning_special", token=shown[:40])
    longest = anatomy.longest_target(len(opening.source))
    limit = min(MAX_TARGET, longest - opening.prompt)
    if len(ids) > limit:
        message = (
            f"The beginning has {len(ids)} tokens; this model writes {limit} here. Shorten it."
        )
        raise RecipeError(message, "beginning_tokens", n=len(ids), limit=limit)
    return replace(recipe, target=tuple(Choice(token) for token in ids))
