"""From recipes to decodings, through a bounded cache of prefixes.

The cache only saves time: with any limit, zero included, every answer is the same.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from model_core.decoding.beginning import beginning_of
from model_core.decoding.cache import Cache
from model_core.decoding.choosing import continue_by, search_space
from model_core.decoding.queue import check_time
from model_core.decoding.tree import grow
from model_core.errors import DecodingFinished, RecipeError
from model_core.models.protocol import Model, State
from model_core.values.anatomy import Anatomy
from model_core.values.beam_tree import BeamTree
from model_core.values.edits import Edits
from model_core.values.recipe import MAX_TARGET, Choice, Recipe, Settings
from model_core.values.trace import Decoding, Tokens

_Key = tuple[str, int, Settings]  # source text, pads and what is set
_MOST_EDITED = 4  # edited models that are kept beside the untouched one
_MOST_STUDIED = 12  # runs; of long sentences fewer, for three quarters of the bytes at most


@dataclass
class _Tree:
    """The states that grew from one source, by their target ids.

    The bytes behind them are counted once, however many states share them.
    """

    states: dict[tuple[int, ...], State] = field(default_factory=dict)
    counted: set[int] = field(default_factory=set)
    nbytes: int = 0

    def add(self, ids: tuple[int, ...], state: State) -> None:
        """Keep a state, unless another thread was first.

        Only what is new in it is counted where the very state it grew from is here; where that was
        dropped in the meantime, all of it is.
        """
        if ids in self.states:
            return
        parent = self.states.get(ids[:-1])
        for identity, nbytes in state.pieces(parent is not None and state.grew_from(parent)):
            if identity not in self.counted:
                self.counted.add(identity)
                self.nbytes += nbytes
        self.states[ids] = state


class Others(Protocol):
    """The models beside one, which a run is compared with."""

    def tracer(self, name: str, edits: Edits = ()) -> "Tracer": ...

    def kin(self, name: str) -> tuple[str, ...]: ...


class Tracer:
    """Evaluates recipes with one model. Safe to call from several threads.

    What it keeps, prefixes and what the rooms ran last, takes at most `cache_bytes`. It chooses at
    most `most_steps` tokens for a recipe, wherever one is carried on from. Recipes with edits are
    evaluated by tracers of their own; the last four are kept, each with an eighth of these bytes.
    `others` are the models beside this one, where there are any.
    """

    def __init__(
        self,
        model: Model,
        cache_bytes: int = 256 * 2**20,
        most_steps: int = MAX_TARGET,
        edits: Edits = (),
        others: Others | None = None,
        whole: "Tracer | None" = None,
    ):
        self.model = model.edited(edits) if edits else model
        self.edits = edits
        self.others = others
        self._untouched = model
        self._whole = whole  # the tracer without edits, which keeps this one
        self._edited: OrderedDict[Edits, Tracer] = OrderedDict()  # least recently used first
        self.most_steps = most_steps
        self.cache_bytes = cache_bytes
        self._tree_bytes = 0  # behind all of those
        self._trees: OrderedDict[_Key, _Tree] = OrderedDict()  # least recently used first
        self._too_large: dict[_Key, None] = {}  # the latest sentences not kept, the last one last
        self._lock = threading.Lock()
        # What the rooms ran last.
        most = _MOST_STUDIED if cache_bytes else 0
        self.studied = Cache(most, cache_bytes * 3 // 4, self._forget)

    def edited(self, edits: Edits) -> "Tracer":
        """The tracer of the model with these edits and no others: itself where they are its own.

        Raises RecipeError for an edit that the model does not allow.
        """
        if edits == self.edits:
            return self
        if self._whole is not None:
            return self._whole.edited(edits)
        with self._lock:
            found = self._edited.get(edits)
        if found is None:
            few = self.cache_bytes // 8
            found = Tracer(self._untouched, few, self.most_steps, edits, self.others, self)
        with self._lock:
            found = self._edited.setdefault(edits, found)
            self._edited.move_to_end(edits)
            while len(self._edited) > _MOST_EDITED:
                self._edited.popitem(last=False)
        return found

    def beside(self, recipe: Recipe) -> "Tracer":
        """The tracer of a recipe's model with its edits; RecipeError where it is not known here."""
        if recipe.model == self.model.name:
            return self.edited(recipe.edits)
        if self.others is None:
            raise RecipeError(f"There is no model {recipe.model!r} beside this one.")
        return self.others.tracer(recipe.model, recipe.edits)

    def keeps(self, recipe: Recipe) -> bool:
        """Whether the sentence can be kept: one that takes more than all bytes never is.

        Whether it still is depends on what others asked since.
        """
        if recipe.edits != self.edits:
            return self.edited(recipe.edits).keeps(recipe)
        with self._lock:
            return _key_of(recipe) not in self._too_large

    @property
    def held_bytes(self) -> int:
        """The same with what the tracers of recipes with edits keep."""
        with self._lock:
            return self._cached_bytes() + sum(one.cached_bytes for one in self._edited.values())

    def shrink(self, most: int) -> None:
        """Forget until at most so many bytes are held.

        What has edits goes first, but for the edits used last, which somebody may be at work with.
        """
        while self.held_bytes > most and len(self._edited) > 1:
            with self._lock:
                self._edited.popitem(last=False)
        with self._lock:
            last = sum(one.cached_bytes for one in self._edited.values())
        self._forget(max(0, most - last))
        if self.held_bytes > most:
            with self._lock:
                self._edited.clear()

    @property
    def cached_bytes(self) -> int:
        """Bytes behind all that is kept; arrays that a state and a run share are counted twice."""
        with self._lock:
            return self._cached_bytes()

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
        if recipe.edits != self.edits:
            return self.edited(recipe.edits).evaluate(recipe)
        return _as_chosen(self._state(recipe), recipe)

    def extend(
        self, recipe: Recipe, count: int | None = 1, force: int | None = None
    ) -> tuple[Recipe, Decoding]:
        """The recipe with `count` more tokens (None: up to the end or a limit), and its decoding.

        Where `most_steps` ended it, `finished` is None.
        `force` is the token to take first; it counts as one. A finished recipe is returned as it
        is, unless a token is forced on it, which is an error.
        """
        if recipe.edits != self.edits:
            return self.edited(recipe.edits).extend(recipe, count, force)
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

    def beginning(self, recipe: Recipe, text: str) -> Recipe:
        """The recipe with a target that begins with a text; RecipeError where it cannot."""
        if recipe.edits != self.edits:
            return self.edited(recipe.edits).beginning(recipe, text)
        opening = self._state(replace(recipe, target=())).decoding
        return beginning_of(self.model, recipe, text, opening)

    def tree(self, recipe: Recipe, width: int, alpha: float | None = None) -> BeamTree:
        """The beam search that goes on from a recipe, every step of it; kept for a while.

        `alpha` takes the place of the model's own. DecodingFinished where nothing can follow.
        """
        if recipe.edits != self.edits:
            return self.edited(recipe.edits).tree(recipe, width, alpha)
        state = self._state(recipe)
        if state.decoding.finished is not None:
            raise DecodingFinished("Nothing follows here, so nothing is searched.", "ended")

        def search() -> BeamTree:
            space = search_space(self.model, state, self.most_steps)
            rule = space.rule if alpha is None else replace(space.rule, alpha=alpha)
            return grow(space._replace(rule=rule), width)

        key = ("beam", _key_of(recipe), recipe.target_ids, width, alpha)
        return self.studied.of(key, search)

    def text(self, decoding: Decoding) -> str:
        """The target of a decoding as plain text; of an encoder alone, its source without masks."""
        return self.model.text(decoding.target.ids or decoding.filled)

    def _state(self, recipe: Recipe) -> State:
        """The state of a recipe, from the longest cached prefix."""
        key, ids = _key_of(recipe), recipe.target_ids
        for known in range(len(ids), -1, -1):
            kept = self._kept(key, ids[:known])
            if kept is not None:
                return self._advanced(recipe, ids[:known], kept, recipe.target[known:])
        source = self.model.source(recipe.source, recipe.pads, recipe.settings)
        _check_tokens(recipe, len(source))
        state = self.model.start(source, recipe.settings)
        self._keep(key, (), state)
        return self._advanced(recipe, (), state, recipe.target)

    def _advanced(
        self, recipe: Recipe, ids: tuple[int, ...], state: State, choices: Sequence[Choice]
    ) -> State:
        """The state after more choices than those of `ids`, which led to `state`."""
        key = _key_of(recipe)
        for choice in choices:
            check_time()
            ids = (*ids, choice.token)
            kept = self._kept(key, ids)
            if kept is None:
                state = self.model.advance(state, choice.token, choice.how)
                self._keep(key, ids, state)
            else:
                state = kept
        return state

    def _kept(self, key: _Key, ids: tuple[int, ...]) -> State | None:
        with self._lock:
            tree = self._trees.get(key)
            if tree is None:
                return None
            self._trees.move_to_end(key)
            return tree.states.get(ids)

    def _keep(self, key: _Key, ids: tuple[int, ...], state: State) -> None:
        with self._lock:
            tree = self._trees.setdefault(key, _Tree())
            before = tree.nbytes
            tree.add(ids, state)
            self._tree_bytes += tree.nbytes - before
            self._too_large.pop(key, None)
            if tree.nbytes > self.cache_bytes:
                self._too_large[key] = None
                if len(self._too_large) > _MOST_STUDIED:
                    del self._too_large[next(iter(self._too_large))]
        self._forget()

    def _cached_bytes(self) -> int:
        return self.studied.nbytes + self._tree_bytes

    def _forget(self, most: int | None = None) -> None:
        """Make what is kept fit: old sentences go first, then the runs, then the last sentence."""
        most = self.cache_bytes if most is None else most
        with self._lock:
            while self._cached_bytes() > most:
                if len(self._trees) <= 1 and len(self.studied):
                    self.studied.drop()
                else:
                    self._tree_bytes -= self._trees.popitem(last=False)[1].nbytes


def _key_of(recipe: Recipe) -> _Key:
    return recipe.source, recipe.pads, recipe.settings


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
