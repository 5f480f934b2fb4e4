"""What a model did, as immutable labelled arrays; they need only numpy.

The legend of the whole project: B batch, S source positions, T target positions, Q query positions,
K key positions, H heads, D model width, E width of one head, F feed-forward width, V vocabulary,
L layers. Every array name of rank 2 or more ends in its dimensions. Rows are queries and columns
are keys, everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from model_core.values.recipe import Choice

if TYPE_CHECKING:
    from torch import Tensor

Site = Literal["encoder", "decoder", "cross"]
Side = Literal["source", "target"]
SIDES: tuple[Side, ...] = ("source", "target")
SITES: tuple[Site, ...] = ("encoder", "decoder", "cross")
# Whose tokens the rows and the columns of each site are.
ROWS: Mapping[Site, Side] = {"encoder": "source", "decoder": "target", "cross": "target"}
COLUMNS: Mapping[Site, Side] = {"encoder": "source", "decoder": "target", "cross": "source"}
# The stack that reads each side.
STACKS: Mapping[Side, Site] = {"source": "encoder", "target": "decoder"}
TokenKind = Literal["text", "special", "pad", "unknown"]


def frozen(array: np.ndarray) -> np.ndarray:
    """A copy that owns its memory and is read-only; the array itself if it is one already."""
    if array.flags.owndata and not array.flags.writeable:
        return array
    owned = array.copy()
    owned.setflags(write=False)
    return owned


def copied(tensor: "Tensor") -> np.ndarray:
    """A read-only copy of a tensor: a view would keep the whole tensor behind it alive."""
    return frozen(tensor.numpy(force=True))


def largest(values_V: np.ndarray, count: int) -> list[int]:
    """Where the `count` largest stand, the largest first, of equal ones the first."""
    count = min(count, len(values_V))
    # Only these few are sorted: a vocabulary is long.
    places = np.flatnonzero(values_V >= np.partition(values_V, -count)[-count])
    best: list[int] = places[np.argsort(-values_V[places], kind="stable")][:count].tolist()
    return best


def _check_site(site: str) -> None:
    if site not in SITES:
        raise ValueError(f"site is {site!r}; choose one of {', '.join(SITES)}")


@dataclass(frozen=True, eq=False)
class Tokens:
    """A sequence of tokens as the model reads it."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]  # as the tokenizer spells them: "▁The", "<0xF0>"
    texts: tuple[str, ...]  # as a reader expects them: "The"
    kinds: tuple[TokenKind, ...]
    # The characters of the typed text, from and up to; None where there are none to point at.
    spans: tuple[tuple[int, int] | None, ...]

    def __post_init__(self) -> None:
        parts = self.pieces, self.texts, self.kinds, self.spans
        lengths = [len(part) for part in parts]
        if lengths != [len(self.ids)] * 4:
            raise ValueError(f"{len(self.ids)} ids and {lengths} pieces, texts, kinds and spans")

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, part: slice) -> "Tokens":
        return Tokens(*(values[part] for values in vars(self).values()))

    def __add__(self, other: "Tokens") -> "Tokens":
        both = zip(vars(self).values(), vars(other).values(), strict=True)
        return Tokens(*(values + more for values, more in both))


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """One attention sub-layer, all heads, one sentence.

    A decoding step never computes the score of a key that comes after its query: such cells of
    `scores_HQK` are 0.0, and `mask_QK` is False there.
    """

    site: Site
    layer: int  # counted from 0
    queries: Tokens  # rows
    keys: Tokens  # columns
    q_HQE: np.ndarray  # after the rotation, where there is one; so k
    # Of as many heads as q, or of fewer, each of which serves as many heads of queries.
    k_HKE: np.ndarray
    v_HKE: np.ndarray
    scores_HQK: np.ndarray  # scaled, before bias and mask
    mask_QK: np.ndarray  # as it was used; True = may attend
    # Before dropout: rows sum to 1, masked cells are exactly 0, a row with no allowed key is all 0.
    weights_HQK: np.ndarray
    bias_HQK: np.ndarray | None = None  # added to the scores; None where nothing is

    def __post_init__(self) -> None:
        H, _, E = self.q_HQE.shape
        Q, K, key_heads = len(self.queries), len(self.keys), self.k_HKE.shape[0]
        if not key_heads or H % key_heads:
            raise ValueError(f"{H} heads of queries cannot share {key_heads} heads of keys")
        wanted = {
            "q_HQE": (H, Q, E),
            "k_HKE": (key_heads, K, E),
            "v_HKE": (key_heads, K, E),
            "scores_HQK": (H, Q, K),
            "mask_QK": (Q, K),
            "weights_HQK": (H, Q, K),
            "bias_HQK": (H, Q, K),
        }
        for name, shape in wanted.items():
            array = getattr(self, name)
            if array is None and name == "bias_HQK":
                continue
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}; its tokens ask for {shape}")
            object.__setattr__(self, name, frozen(array))

    @property
    def is_bare(self) -> bool:
        """Whether only the weights are known: they came without queries, keys and scores."""
        return self.q_HQE.shape[2] == 0


@dataclass(frozen=True, eq=False)
class AttentionRow:
    """What one decoding step added to one sub-layer.

    One query; in self-attention also one key and one value.
    """

    q_HE: np.ndarray
    k_HE: np.ndarray | None  # None in cross-attention, whose keys are the source's
    v_HE: np.ndarray | None
    scores_HK: np.ndarray
    mask_K: np.ndarray  # the one that was used; True = may attend
    weights_HK: np.ndarray
    bias_HK: np.ndarray | None = None  # added to the scores; None where nothing is

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in vars(self).values() if array is not None)


@dataclass(frozen=True, eq=False)
class DecodeStep:
    """One token fed into the decoder, what attention did with it, and what is predicted next."""

    index: int  # the position of the token fed in; 0 is the start token
    log_probabilities_V: np.ndarray  # nats; the whole vocabulary, which sums to 1
    decoder_rows: tuple[AttentionRow, ...]  # one per layer
    cross_rows: tuple[AttentionRow, ...]  # none where a model has no such site
    # What greedy decoding takes by the model's own settings; None: the most probable token.
    greedy: int | None = None
    # By token: every later step of a translation has the ranks of those before it again.
    _ranks: dict[int, int] = field(default_factory=dict, init=False, repr=False)

    def best(self, count: int) -> list[int]:
        """The `count` most probable ids, best first; of equals the lower id."""
        return largest(self.log_probabilities_V, count)

    def rank(self, token: int) -> int:
        """How many ids are before a token where the best is first; of equals the lower id is."""
        if token not in self._ranks:
            its = self.log_probabilities_V[token]
            ties = self.log_probabilities_V[:token] == its
            self._ranks[token] = int((self.log_probabilities_V > its).sum() + ties.sum())
        return self._ranks[token]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        rows = sum(row.nbytes for row in self.decoder_rows + self.cross_rows)
        return self.log_probabilities_V.nbytes + rows


@dataclass(frozen=True, eq=False)
class Decoding:
    """One source and everything that was decoded from it so far.

    Until the end token is chosen, every token has been fed in and the successor of the last is not
    chosen: there are as many steps as target tokens. An end token is never fed in. A model without
    a decoder has no target and no steps, and is finished from the start.
    """

    source: Tokens
    target: Tokens  # the prompt; then one token for each of `chosen`
    encoder: tuple[AttentionTrace, ...]  # one per layer
    cross_keys: tuple[tuple[np.ndarray, np.ndarray], ...]  # (k_HKE, v_HKE), one per decoder layer
    steps: tuple[DecodeStep, ...]
    chosen: tuple[Choice, ...]
    finished: Literal["end", "limit"] | None
    # Target tokens that were given: the start token; what a decoder-only model goes on from; none.
    prompt: int = 1
    # Sub-layers of a decoder whose rows are all there at once: weights that came without a model.
    # Where there are any, there are no steps.
    whole: tuple[AttentionTrace, ...] = ()
    # What a masked language model predicts: the position of each mask in the source, and the
    # log-probabilities (V) of what stands there, in nats.
    masked: tuple[tuple[int, np.ndarray], ...] = ()

    def __post_init__(self) -> None:
        if len(self.target) != len(self.chosen) + self.prompt:
            raise ValueError(
                f"{len(self.target)} target tokens for {self.prompt} given and "
                f"{len(self.chosen)} choices"
            )
        fed = len(self.target) - (self.finished == "end" and self.prompt > 0)
        if len(self.steps) != (0 if self.whole else fed):
            raise ValueError(f"{len(self.steps)} steps for {fed} tokens fed in")

    @property
    def step(self) -> DecodeStep:
        """The latest step."""
        return self.steps[-1]

    @property
    def fed(self) -> Tokens:
        """The target tokens that have rows: all that were fed in."""
        is_all = self.whole or len(self.steps) == len(self.target)
        return self.target if is_all else self.target[: len(self.steps)]

    def side(self, side: Side) -> Tokens:
        """The tokens of a side that have rows."""
        return self.source if side == "source" else self.fed

    @property
    def filled(self) -> tuple[int, ...]:
        """The ids of the source, each mask replaced by what is most probable in its place."""
        best = {
            place: int(log_probabilities_V.argmax()) for place, log_probabilities_V in self.masked
        }
        return tuple(best.get(place, token) for place, token in enumerate(self.source.ids))

    @property
    def log_probabilities(self) -> tuple[float, ...]:
        """The log-probabilities of the chosen tokens, in nats, under the full softmax."""
        pairs = zip(self.steps[max(0, self.prompt - 1) :], self.chosen, strict=False)
        return tuple(float(step.log_probabilities_V[choice.token]) for step, choice in pairs)

    def layers(self, site: Site) -> int:
        """How many layers have a record of a site."""
        _check_site(site)
        if site == "encoder":
            return len(self.encoder)
        if self.whole:
            return sum(trace.site == site for trace in self.whole)
        if site == "cross":
            return len(self.cross_keys)
        return len(self.steps[0].decoder_rows) if self.steps else 0

    def traces(self, site: Site) -> list[AttentionTrace]:
        """The records of all layers of a site."""
        return [self.trace(site, layer) for layer in range(self.layers(site))]

    def trace(self, site: Site, layer: int, upto: int | None = None) -> AttentionTrace:
        """The record of one sub-layer after `upto` steps, 1 or more (by default after all).

        Pictures, files and tests come this way. Rows of "decoder" and "cross" are the
        tokens fed in; step t is row t.
        """
        _check_site(site)
        if site == "encoder":
            return self.encoder[layer]
        if self.whole:
            return [trace for trace in self.whole if trace.site == site][layer]
        if upto is not None and upto < 1:
            raise ValueError(f"a trace has 1 step or more, not {upto}")
        steps = self.steps[:upto]
        queries = self.target[: len(steps)]
        if site == "cross":
            rows = [step.cross_rows[layer] for step in steps]
            k_HKE, v_HKE = self.cross_keys[layer]
            keys = self.source
        else:
            rows = [step.decoder_rows[layer] for step in steps]
            k_HKE = np.stack([row.k_HE for row in rows if row.k_HE is not None], axis=1)
            v_HKE = np.stack([row.v_HE for row in rows if row.v_HE is not None], axis=1)
            keys = queries
        K = len(keys)

        def stack(name: str) -> np.ndarray:
            """The rows one below the other; a key that came later was neither scored nor seen."""
            arrays = [getattr(row, name) for row in rows]
            stacked = np.zeros((*arrays[0].shape[:-1], len(rows), K), arrays[0].dtype)
            for at, array in enumerate(arrays):
                stacked[..., at, : array.shape[-1]] = array
            stacked.setflags(write=False)
            return stacked

        return AttentionTrace(
            site=site,
            layer=layer,
            queries=queries,
            keys=keys,
            q_HQE=np.stack([row.q_HE for row in rows], axis=1),
            k_HKE=k_HKE,
            v_HKE=v_HKE,
            scores_HQK=stack("scores_HK"),
            mask_QK=stack("mask_K"),
            weights_HQK=stack("weights_HK"),
            bias_HQK=None if rows[0].bias_HK is None else stack("bias_HK"),
        )
