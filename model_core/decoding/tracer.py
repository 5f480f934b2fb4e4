"""From recipes to decodings, through a bounded cache of prefixes.

The cache only saves time: with any limit, zero included, every answer is the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from model_core.decoding.cache import Cache, StudyCache
from model_core.decoding.choosing import continue_by, search_space
from model_core.decoding.queue import check_time
from model_core.decoding.sampling import each_its_own, sample_from
from model_core.decoding.tree import grow
from model_core.errors import DecodingFinished, RecipeError
from model_core.models.protocol import Model, State
from model_core.values.anatomy import Anatomy
from model_core.values.beam_tree import BeamTree
from model_core.values.edits import Edits
from model_core.values.recipe import (
    MAX_TARGET,
    Choice,
    Recipe,
    Settings,
    Strategy,
    check_characters,
)
from model_core.values.trace import Decoding, Tokens

_EDITED = 2**17  # bytes that an edited model takes beside the weights, about


class Others(Protocol):
    """The models beside one, which a run is compared with."""

    def tracer(self, name: str, edits: Edits = ()) -> "Tracer": ...

    def comparable(self, name: str) -> tuple[str, ...]: ...


class Tracer:
    """Evaluates recipes with one model and its edits. Safe to call from several threads.

    It holds nothing: prefixes and what the rooms ran are in `cache`, which other models may share.
    It chooses at most `most_steps` tokens for a recipe, wherever one is carried on from. `others`
    are the models beside this one, where there are any. RecipeError for an edit that the model does
    not allow.
    """

    def __init__(
        self,
        model: Model,
        cache: Cache | None = None,
        most_steps: int = MAX_TARGET,
        edits: Edits = (),
        others: Others | None = None,
    ):
        self.cache = Cache() if cache is None else cache
        self.edits, self.most_steps, self.others = edits, most_steps, others
        self._untouched, self._owner = model, (model.name, edits)
        self.model: Model = model
        if edits:
            key = ("edited", *self._owner)
            self.model = self.cache.of(key, lambda: model.edited(edits), _EDITED)

    def edited(self, edits: Edits) -> "Tracer":
        """The tracer of the model with these edits and no others."""
        return Tracer(self._untouched, self.cache, self.most_steps, edits, self.others)

    def beside(self, recipe: Recipe) -> "Tracer":
        """The tracer of a recipe's model with its edits; RecipeError where it is not known here."""
        if recipe.model == self.model.name:
            return self.edited(recipe.edits)
        if self.others is None:
            raise RecipeError(f"There is no model {recipe.model!r} beside this one.")
        return self.others.tracer(recipe.model, recipe.edits)

    def keeps(self, recipe: Recipe) -> bool:
        """Whether the sentence can be kept, see `Cache.fits`."""
        return self.cache.fits(self._sentence(recipe))

    @property
    def studied(self) -> StudyCache:
        """What the rooms ran."""
        return self.cache.within(*self._owner)

    @property
    def anatomy(self) -> Anatomy:
        """What the model is made of."""
        return self.model.anatomy

    def source(self, text: str, pads: int = 0, settings: Settings = ()) -> Tokens:
        """A text as the model reads it."""
        return self.model.source(text, pads, settings)

    def labels(self, ids: Sequence[int]) -> Tokens:
        """Target tokens with their labels."""
        return self.model.labels(ids)

    def evaluate(self, recipe: Recipe) -> Decoding:
        """What the model does with the recipe."""
        return _as_chosen(self._state(recipe), recipe)

    def extend(
        self, recipe: Recipe, count: int | None = 1, force: int | None = None
    ) -> tuple[Recipe, Decoding]:
        """The recipe with `count` more tokens (None: up to the end or a limit), and its decoding.

        Where `most_steps` ended it, `finished` is None.
        `force` is the token to take first; it counts as one. A finished recipe is returned as it
        is, unless a token is forced on it, which is an error.
        """
        if count is not None and count < 0:
            raise RecipeError("A recipe cannot be extended by fewer than 0 tokens.")
        state = self._state(recipe)
        if force is not None:
            forced = Choice(force, "forced")
            state = self._advanced(recipe, recipe.target_ids, state, (forced,))
            recipe = replace(recipe, target=(*recipe.target, forced))
            count = None if count is None else count - 1
        ids, target = recipe.target_ids, recipe.target
        left = self.most_steps - len(target)
        count = left if count is None else min(count, left)
        while state.decoding.finished is None and count > 0:
            more = continue_by(self.model, state, recipe.strategy, self.most_steps)[:count]
            chosen = tuple(Choice(token, how) for token, how in more)
            state = self._advanced(recipe, ids, state, chosen)
            ids, target = ids + tuple(token for token, _ in more), target + chosen
            count -= len(chosen)
        if len(target) > len(recipe.target):
            recipe = replace(recipe, target=target)
        return recipe, _as_chosen(state, recipe)

    def opening_steps(self, recipe: Recipe) -> int | None:
        """How many tokens a recipe is opened with; None: all up to the end.

        A model that was trained elsewhere may never come to one: it takes twice as many as the
        source has and ten more, which few translations need.
        """
        if self.model.training is not None:
            return None
        return 2 * len(self.source(recipe.source, recipe.pads, recipe.settings)) + 10

    def beginning(self, recipe: Recipe, text: str, ended: bool = False) -> Recipe:
        """The recipe whose target is a text, token by token and each forced; `ended`: all of it.

        RecipeError where the text has words that the vocabulary lacks, holds a special token, or
        has more tokens than the model can write here.
        """
        opening = self._state(replace(recipe, target=())).decoding
        if opening.prompt == 0:
            raise RecipeError("Nothing is written here, so nothing can be begun.", "no_steps")
        check_characters(text)
        if not text and not ended:
            return replace(recipe, target=())
        tokens = self.model.target(text, recipe.settings)
        ids = tokens.ids[:-1] if tokens.ids[-1:] == (self.anatomy.special.end,) else tokens.ids
        said = list(zip(tokens.kinds, tokens.spans, tokens.texts, strict=True))[: len(ids)]
        for kind, span, shown in said:
            if kind == "unknown":
                lacking = text[slice(*span)] if span else text
                message = (
                    f"The vocabulary of this model has no token for {lacking!r}. Take other words."
                )
                raise RecipeError(message, "beginning_unknown", text=lacking[:40])
            if kind != "text":
                message = f"{shown} is a special token; a target is typed as text alone."
                raise RecipeError(message, "beginning_special", token=shown[:40])
        longest = self.anatomy.longest_target(len(opening.source))
        limit = min(MAX_TARGET, longest - opening.prompt) - ended  # the end is a token too
        if len(ids) > limit:
            message = (
                f"The target has {len(ids)} tokens; this model writes {limit} here. Shorten it."
            )
            raise RecipeError(message, "beginning_tokens", n=len(ids), limit=limit)
        target = tokens.ids if ended else ids
        return replace(recipe, target=tuple(Choice(token) for token in target))

    def tree(self, recipe: Recipe, width: int, alpha: float | None = None) -> BeamTree:
        """The beam search that goes on from a recipe, every step of it; kept for a while.

        `alpha` takes the place of the model's own. DecodingFinished where nothing can follow.
        """
        state = self._unfinished(recipe, "Nothing follows here, so nothing is searched.")

        def search() -> BeamTree:
            space = search_space(self.model, state, self.most_steps)
            rule = space.rule if alpha is None else replace(space.rule, alpha=alpha)
            return grow(space._replace(rule=rule), width)

        key = ("beam", self._sentence(recipe), recipe.target_ids, width, alpha)
        return self.studied.of(key, search)

    def draws(self, recipe: Recipe, count: int) -> tuple[tuple[int, ...], ...]:
        """The targets of `count` draws that go on from a recipe, kept for a while.

        The first draws with the seed of the recipe's strategy, each other with the next one.
        DecodingFinished where nothing can follow.
        """
        state = self._unfinished(recipe, "Nothing follows here, so nothing is drawn.")
        begun = state.decoding.target.ids

        def drawn() -> tuple[tuple[int, ...], ...]:
            space = search_space(self.model, state, self.most_steps)
            strategies = each_its_own(recipe.strategy, 0, count)
            found = sample_from(space, strategies, state.decoding.step.index)
            return tuple((*begun, *written) for written in found)

        how = tuple(getattr(recipe.strategy, name) for name in Strategy.__dataclass_fields__)
        key = ("draws", self._sentence(recipe), recipe.target_ids, how, count)
        return self.studied.of(key, drawn)

    def _unfinished(self, recipe: Recipe, otherwise: str) -> State:
        """The state that a recipe leads to; DecodingFinished says `otherwise`."""
        state = self._state(recipe)
        if state.decoding.finished is not None:
            raise DecodingFinished(otherwise, "ended")
        return state

    def text(self, decoding: Decoding) -> str:
        """The target of a decoding as plain text; of an encoder alone, its source without masks."""
        return self.model.text(decoding.target.ids or decoding.filled)

    def _sentence(self, recipe: Recipe) -> tuple[str, Edits, str, int, Settings]:
        """The key of what grows from a source; ValueError for a recipe with other edits."""
        if recipe.edits != self.edits:
            raise ValueError(f"The recipe has the edits {recipe.edits}, the tracer {self.edits}.")
        return (*self._owner, recipe.source, recipe.pads, recipe.settings)

    def _state(self, recipe: Recipe) -> State:
        """The state of a recipe, from the longest cached prefix."""
        sentence, ids = self._sentence(recipe), recipe.target_ids
        for known in range(len(ids), -1, -1):
            kept = self.cache.state(sentence, ids[:known])
            if kept is not None:
                return self._advanced(recipe, ids[:known], kept, recipe.target[known:])
        source = self.model.source(recipe.source, recipe.pads, recipe.settings)
        _check_tokens(recipe, len(source))
        state = self.model.start(source, recipe.settings)
        self.cache.keep(sentence, (), state)
        return self._advanced(recipe, (), state, recipe.target)

    def _advanced(
        self, recipe: Recipe, ids: tuple[int, ...], state: State, choices: Sequence[Choice]
    ) -> State:
        """The state after further choices; `ids` are the ones that led to `state`."""
        sentence = self._sentence(recipe)
        for choice in choices:
            check_time()
            ids = (*ids, choice.token)
            kept = self.cache.state(sentence, ids)
            if kept is None:
                state = self.model.advance(state, choice.token, choice.how)
                self.cache.keep(sentence, ids, state)
            else:
                state = kept
        return state


def _check_tokens(recipe: Recipe, tokens: int) -> None:
    for edit in recipe.edits:
        if edit.token >= tokens:
            message = f"The edit {edit} names token {edit.token + 1}; the source has {tokens}."
            raise RecipeError(
                message, "edit_token", edit=str(edit), token=edit.token + 1, tokens=tokens
            )


def _as_chosen(state: State, recipe: Recipe) -> Decoding:
    """The decoding whose tokens were chosen as the recipe says.

    Two recipes may hold the same tokens, one by force, one greedily; they share what is cached.
    """
    if state.decoding.chosen == recipe.target:
        return state.decoding
    return replace(state.decoding, chosen=recipe.target)
