"""What masks do to a batch: the model with its own masks beside the model with a broken one.

Both go the one way through the model: a broken mask is another mask, never another formula.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, Cache
from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.studies.batch import TranslatedBatch
from model_core.studies.compare import PredictionChange, compare_predictions
from model_core.studies.places import check_place
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.masks import Mask, causal_mask, mask_from
from model_core.transformer.passes import EncoderPass, nothing
from model_core.values.anatomy import SiteAnatomy
from model_core.values.trace import Site, Tokens, copied, frozen

FINITE = -1e9  # what many tutorials write where minus infinity is meant

Causal = Literal["intact", "none", "ahead", "behind"]
Pads = Literal["intact", "none", "rows"]
Fill = Literal["infinite", "finite"]


@dataclass(frozen=True)
class Breaks:
    """How the masks of a whole model are broken; by default they are not."""

    # none: every target position sees all; ahead: one token too many; behind: not even itself
    causal: Causal = "intact"
    pads: Pads = "intact"  # none: pads are keys like others; rows: the rows of pads are hidden
    fill: Fill = "infinite"  # finite: -1e9 takes the place of a hidden score

    def __post_init__(self) -> None:
        for name, known in (("causal", Causal), ("pads", Pads), ("fill", Fill)):
            value = getattr(self, name)
            if value not in get_args(known):
                choices = ", ".join(get_args(known))
                raise RecipeError(f"There is no such break of {name}; choose one of {choices}.")

    @property
    def hidden_score(self) -> float:
        """What takes the place of a hidden score."""
        return FINITE if self.fill == "finite" else -math.inf


INTACT = Breaks()


@dataclass(frozen=True, eq=False)
class MaskedAttention:
    """One attention of one sentence of a batch: all layers, all heads, and the masks over them."""

    site: Site
    queries: Tokens
    keys: Tokens
    pad_QK: np.ndarray
    causal_QK: np.ndarray | None  # None where there is none: in the encoder and in cross-attention
    allowed_QK: np.ndarray  # both together, as the attention call recorded it
    hidden_score: float
    # (H, Q, K) by layer: all of them together would be a second copy of what the pass holds.
    scores: tuple[np.ndarray, ...]  # before the mask; where the model adds a bias, with it
    weights: tuple[np.ndarray, ...]

    @property
    def on_pads_LHQ(self) -> np.ndarray:
        """The part of each row's attention that goes to pads."""
        return self._on(_pads(self.keys))

    @property
    def on_future_LHQ(self) -> np.ndarray:
        """The part of each row's attention that goes to later target tokens, pads left out."""
        later_QK = ~np.tri(len(self.queries), len(self.keys), dtype=bool) & ~_pads(self.keys)
        return self._on(later_QK & (self.causal_QK is not None))

    def _on(self, cells: np.ndarray) -> np.ndarray:
        """The sum of the weights of these cells, (K) or (Q, K), by row: (L, H, Q)."""
        return np.stack([(weights_HQK * cells).sum(axis=-1) for weights_HQK in self.weights])

    @property
    def empty_Q(self) -> np.ndarray:
        """Which rows have no allowed key."""
        return np.asarray(~self.allowed_QK.any(axis=-1))

    @property
    def uniform_Q(self) -> np.ndarray:
        """Which of the empty rows spread their attention evenly over all keys, in every head."""
        even_Q = self.empty_Q.copy()
        for weights_HQK in self.weights:
            empty_HRK = weights_HQK[:, even_Q]
            even_Q[even_Q] = np.isclose(empty_HRK, 1 / len(self.keys), rtol=1e-4).all(axis=(0, 2))
        return even_Q


@dataclass(frozen=True, eq=False)
class MaskStudy:
    """One sentence of a batch under broken masks, and the same under the model's own."""

    broken: MaskedAttention
    intact: MaskedAttention
    # One per sentence, pads left out: after each target token, of an encoder alone at each source
    # token; empty where the model predicts nothing.
    changes: tuple[PredictionChange, ...]


@torch.inference_mode()
def study_masks(
    model: Model,
    batch: TranslatedBatch,
    shown: int,
    site: Site,
    breaks: Breaks = INTACT,
    cache: Cache = NO_CACHE,
) -> MaskStudy:
    """Sentence `shown` at one site, under the model's own masks and under broken ones.

    `cache` keeps the passes of a batch: the own one serves every break, each serves every site.
    Of a pass only the attention of this sentence is kept.
    """
    where = model.anatomy.site(site)
    check_place(shown, len(batch), "sentence")
    key = "masks", batch.recipes, shown  # which decide all of the batch, and are small beside it
    own = cache.of((*key, INTACT), lambda: _run(model, batch, shown, INTACT, cache))
    intact = _attention(batch, shown, where, INTACT, own)
    if breaks == INTACT:
        return MaskStudy(intact, intact, own.changes)
    # Kept or not: of a large batch two runs are more than a server has room for.
    other = cache.of((*key, breaks), lambda: _run(model, batch, shown, breaks, cache, own))
    return MaskStudy(_attention(batch, shown, where, breaks, other), intact, other.changes)


@dataclass(frozen=True, eq=False)
class _Layer:
    """What is shown of the attention of one sentence."""

    scores_HQK: np.ndarray  # what the model adds to them included
    weights_HQK: np.ndarray
    mask: Mask  # of the batch


class _Kept:
    """Of each record the attention of one sentence, the layers of a site in one piece of memory.

    Pieces of their own would lie among what the pass frees, and keep it from serving again.
    """

    def __init__(self, model: Model, b: int):
        self._model, self._b = model, b
        self._pieces: dict[Site, np.ndarray] = {}  # (2, L, H, Q, K)

    def __call__(self, site: Site, layer: int, record: AttentionRecord) -> _Layer:
        b, bias_BHQK = self._b, record.bias_BHQK
        scores_HQK = record.scores_BHQK[b].numpy(force=True)
        if site not in self._pieces:
            shape = 2, self._model.anatomy.site(site).layers, *scores_HQK.shape
            self._pieces[site] = np.empty(shape, scores_HQK.dtype)
        kept = self._pieces[site][:, layer]
        kept[0] = scores_HQK
        if bias_BHQK is not None:
            kept[0] += bias_BHQK[min(b, len(bias_BHQK) - 1)].numpy(force=True)
        kept[1] = record.weights_BHQK[b].numpy(force=True)
        kept.setflags(write=False)
        return _Layer(kept[0], kept[1], record.mask)


@dataclass(frozen=True, eq=False)
class _Run:
    """One teacher-forced pass of a whole batch; the logits, which may be many, are not kept."""

    masks: dict[Site, tuple[Mask, Mask | None]]  # pad and causal
    layers: Mapping[Site, tuple[_Layer, ...]]
    encoded: EncoderPass | None
    changes: tuple[PredictionChange, ...]


def _run(
    model: Model,
    batch: TranslatedBatch,
    shown: int,
    breaks: Breaks,
    cache: Cache,
    own: _Run | None = None,
) -> _Run:
    """`own` is the model's own run, whose windows stay as they are."""
    masks = {one.site: _masks(model, batch, one, breaks, own) for one in model.anatomy.sites}
    broken: dict[Site, Mask] = {}
    for site, (pads, causal) in masks.items() if breaks != INTACT else ():  # else the model's own
        both = pads if causal is None else causal & pads
        broken[site] = replace(both, hidden_score=_hidden_score(model, breaks))
    sources, fed = ([tokens.ids for tokens in side] for side in (batch.sources, batch.fed))
    # Where only the causal mask is broken, the encoder does what it did.
    encoded = own.encoded if own and breaks == Breaks(causal=breaks.causal) else None
    keep = _Kept(model, shown)
    passed = model.full_pass(sources, fed, broken, keep=keep, encoded=encoded)
    layers: dict[Site, tuple[_Layer, ...]] = dict(passed.by_site)
    if own and encoded:
        layers["encoder"] = own.layers["encoder"]
    after = _predicted(passed.logits_BTV, batch, model)

    def before() -> tuple[np.ndarray, ...]:
        if own is None:
            return after
        again = model.full_pass(sources, fed, keep=nothing)  # too many to be kept
        return _predicted(again.logits_BTV, batch, model)

    kept = cache.of(("predicted", batch.recipes), before)
    return _Run(masks, layers, passed.encoded, tuple(map(compare_predictions, kept, after)))


def _predicted(logits_BTV: Tensor, batch: TranslatedBatch, model: Model) -> tuple[np.ndarray, ...]:
    """The log-probabilities (T, V) of each sentence without its pads, where there are any."""
    read = batch.side(model.anatomy.predicting) if logits_BTV.shape[-1] else ()
    lengths = [int((~_pads(tokens)).sum()) for tokens in read]
    return tuple(
        copied(logits_TV[:length].log_softmax(dim=-1))
        for logits_TV, length in zip(logits_BTV, lengths, strict=False)
    )


def _hidden_score(model: Model, breaks: Breaks) -> float:
    """What takes the place of a hidden score: of some models -1e9, whatever else is broken."""
    return FINITE if "hidden_score" in model.anatomy.unusual else breaks.hidden_score


def _masks(
    model: Model, batch: TranslatedBatch, site: SiteAnatomy, breaks: Breaks, own: _Run | None
) -> tuple[Mask, Mask | None]:
    """The pad mask and the causal mask of a site, broken as asked; True = may attend."""
    queries_BQ, keys_BK = _visible(batch.side(site.rows)), _visible(batch.side(site.columns))
    hidden = breaks.pads
    if hidden == "intact" and "no_pad_mask" in model.anatomy.unusual:
        hidden = "none"  # the model's own
    pads = {
        "intact": lambda: mask_from("pad", keys_BK[:, None]),
        "none": lambda: mask_from("no pad", torch.ones_like(keys_BK)[:, None]),
        "rows": lambda: mask_from("pad, wrong axis", queries_BQ[:, :, None]),
    }[hidden]()
    if not site.causal:
        return pads, None
    T = queries_BQ.shape[1]
    window_QK = torch.ones(T, T, dtype=torch.bool)
    if own is not None and breaks.causal != "none":
        window_QK = _window(own, site.site, keys_BK)
    if breaks.causal == "intact":
        return pads, causal_mask(T) & mask_from("window", window_QK[None])
    last = {"none": T, "ahead": 1, "behind": -1}[breaks.causal]
    allowed_QK = torch.ones(T, T, dtype=torch.bool).tril(diagonal=last) & window_QK
    return pads, mask_from(f"causal, {breaks.causal}", allowed_QK[None])


def _window(own: _Run, site: Site, keys_BK: Tensor) -> Tensor:
    """The (Q, K) cells that lie in the model's window, read off the longest sentence: no pads."""
    longest = int(keys_BK.sum(dim=-1).argmax())
    allowed_BQK = own.layers[site][0].mask.allowed_BQK.cpu()
    seen_QK = allowed_BQK[longest if len(allowed_BQK) > 1 else 0]
    return seen_QK | torch.ones_like(seen_QK).triu(diagonal=1) | ~keys_BK[longest]


def _attention(
    batch: TranslatedBatch, b: int, site: SiteAnatomy, breaks: Breaks, run: _Run
) -> MaskedAttention:
    layers = run.layers[site.site]
    queries, keys = batch.side(site.rows)[b], batch.side(site.columns)[b]

    def of_sentence(mask: Mask) -> np.ndarray:
        return copied(mask.allowed_BQK.expand(len(batch), len(queries), len(keys))[b])

    pads, causal = run.masks[site.site]
    pad_QK, allowed_QK = of_sentence(pads), of_sentence(layers[0].mask)
    causal_QK = None if causal is None else of_sentence(causal)
    if breaks == INTACT and causal_QK is not None and (pad_QK & causal_QK != allowed_QK).any():
        window_QK = _window(run, site.site, _visible(batch.side(site.columns)))
        causal_QK = frozen(causal_QK & window_QK.numpy())  # the model's own sees less
    return MaskedAttention(
        site=site.site,
        queries=queries,
        keys=keys,
        pad_QK=pad_QK,
        causal_QK=causal_QK,
        allowed_QK=allowed_QK,
        hidden_score=layers[0].mask.hidden_score,
        scores=tuple(layer.scores_HQK for layer in layers),
        weights=tuple(layer.weights_HQK for layer in layers),
    )


def _visible(rows: tuple[Tokens, ...]) -> Tensor:
    """Which tokens are no pads; by their kinds, because some models begin with the id of a pad."""
    return torch.tensor([[kind != "pad" for kind in row.kinds] for row in rows])


def _pads(tokens: Tokens) -> np.ndarray:
    return np.array([kind == "pad" for kind in tokens.kinds], dtype=bool)
