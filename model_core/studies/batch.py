"""Sentences with the model's own translations of them, padded to one length."""

from dataclasses import dataclass, replace

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError, SourceTooLong
from model_core.values.recipe import MAX_SENTENCES, Recipe
from model_core.values.trace import Side, Tokens

SPARE_PADS = 2  # that the longest sentence gets, so that what happens to pads is seen of each
_FEW = 8  # tokens that a model which only goes on writes: it may never end


@dataclass(frozen=True, eq=False)
class TranslatedBatch:
    """Sentences and the model's own translations of them, each padded to the longest.

    An encoder alone reads its sentences and writes nothing: then nothing is fed in and predicted.
    """

    sources: tuple[Tokens, ...]
    fed: tuple[Tokens, ...]  # the target as it enters the decoder: the start token first
    predicted: tuple[Tokens, ...]  # the same target one place on: what each position should predict
    recipes: tuple[Recipe, ...]  # of the translations
    is_cut: bool  # whether a limit of steps ended one of them

    def side(self, side: Side) -> tuple[Tokens, ...]:
        """The tokens of one side, as they are read."""
        return self.sources if side == "source" else self.fed

    def __len__(self) -> int:
        return len(self.sources)


def translate_batch(
    tracer: Tracer, sentences: tuple[str, ...], first: Recipe | None = None, spare: int = 0
) -> TranslatedBatch:
    """The sentences with their greedy translations, padded as the model pads them.

    Each side is padded to its longest sentence and by `spare` pads more, as far as the model has
    positions and a pad.

    Where `first` is a recipe for the first sentence, that one keeps the tokens the recipe chose and
    goes on by its strategy. A decoder alone goes on by a few tokens. Raises RecipeError for none or
    too many sentences, and names the one that cannot be read.
    """
    if not 1 <= len(sentences) <= MAX_SENTENCES:
        message = (
            f"The batch has {len(sentences)} sentences; it takes 1 to {MAX_SENTENCES}. "
            "Add or remove some."
        )
        raise RecipeError(message, "batch", n=len(sentences), limit=MAX_SENTENCES)
    recipes, decodings, alone = [], [], tracer.anatomy.kind == "decoder"
    for number, sentence in enumerate(sentences, start=1):
        try:
            settings = () if first is None else first.settings
            recipe = Recipe(tracer.model.name, sentence, edits=tracer.edits, settings=settings)
            if number == 1 and first is not None and first.source == sentence:
                recipe = replace(first, pads=0)
            count = max(0, _FEW - len(recipe.target)) if alone else None
            recipe, decoding = tracer.extend(recipe, count)
            recipes.append(recipe)
            decodings.append(decoding)
        except SourceTooLong as error:  # others, such as the end of the time, are of no sentence
            message = f"Sentence {number}: {error}"
            raise SourceTooLong(
                message, f"sentence_{error.code}", number=number, **error.values
            ) from error
    special = tracer.anatomy.special
    pad = special.pad if special.pad is not None or len(decodings) > 1 else special.end
    if pad is None:
        raise RecipeError(
            "This model has no pad token, so its sentences make no batch. Choose another model.",
            "no_pad",
        )
    fed = [decoding.fed for decoding in decodings]
    longest = max(len(d.source) for d in decodings), max(map(len, fed))
    spare = spare if special.pad is not None else 0
    most = tracer.anatomy.max_positions
    S, T = (n and max(n, min(n + spare, most)) for n in longest)  # what is not fed is not padded
    return TranslatedBatch(
        sources=tuple(
            tracer.source(recipe.source, S - len(decoding.source), recipe.settings)
            for recipe, decoding in zip(recipes, decodings, strict=True)
        ),
        fed=tuple(tokens + tracer.labels([pad] * (T - len(tokens))) for tokens in fed),
        # After the last token that fits there is nothing to predict any more: a pad, too.
        predicted=tuple(
            d.target[1:] + tracer.labels([pad] * (T + 1 - len(d.target) if T else 0))
            for d in decodings
        ),
        recipes=tuple(recipes),
        is_cut=not alone and any(not decoding.finished for decoding in decodings),
    )
