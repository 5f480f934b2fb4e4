"""What masks do to a batch: the model with its own masks beside the model with a broken one.

Both go the one way through the model: a broken mask is another mask, never another formula.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, Runs
from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.studies.batch import TranslatedBatch
from model_core.studies.compare import PredictionChange, compare_predictions
from model_core.studies.places import check_place
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.masks import Mask, mask_from
from model_core.transformer.passes import EncoderPass, nothing
from model_core.values.anatomy import SiteAnatomy
from model_core.values.trace import Site, Tokens, copied
from model_core.values.verdict import Verdict, verdict

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

    @property
    def of_pads(self) -> Verdict | None:
        """Whether pads get exactly 0 from every row that is none; None where no key is a pad."""
        return self._verdict(self.on_pads_LHQ) if _pads(self.keys).any() else None

    @property
    def of_future(self) -> Verdict | None:
        """Whether later tokens get exactly 0; None where there is no causal mask, or none later."""
        later = self.causal_QK is not None and (~_pads(self.keys)).sum() > 1
        return self._verdict(self.on_future_LHQ) if later else None

    def _verdict(self, shares_LHQ: np.ndarray) -> Verdict:
        return verdict(float(shares_LHQ[..., ~_pads(self.queries)].max(initial=0)))

    @property
    def on_hidden(self) -> float:
        """The largest weight of a cell that the mask hides."""
        return max(float(one_HQK[:, ~self.allowed_QK].max(initial=0)) for one_HQK in self.weights)


@dataclass(frozen=True, eq=False)
class MaskStudy:
    """One sentence of a batch under broken masks, and the same under the model's own."""

    broken: MaskedAttention
    intact: MaskedAttention
    others: tuple[MaskedAttention, ...]  # the same sentence at the other sites, broken likewise
    # One per sentence, pads left out: after each target token, of an encoder alone at each source
    # token; empty where the model predicts nothing.
    changes: tuple[PredictionChange, ...]

    @property
    def of_fill(self) -> Verdict:
        """Whether the weights of the sentence are those that minus infinity would give.

        A finite hidden score differs from it in nothing but the weight of hidden cells.
        """
        return verdict(max(one.on_hidden for one in (self.broken, *self.others)))


@torch.inference_mode()
def study_masks(
    model: Model,
    batch: TranslatedBatch,
    shown: int,
    site: Site,
    breaks: Breaks = INTACT,
    cache: Runs = NO_CACHE,
) -> MaskStudy:
    """Sentence `shown` at one site, under the model's own masks and under broken ones.

    `cache` keeps the passes of a batch: the own one serves every break, each serves every site.
    Of a pass only the attention of this sentence is kept.
    """
    where = model.anatomy.site(site)
    check_place(shown, len(batch), "sentence")
    key = "masks", batch.recipes, shown  # which decide all of the batch, and are small beside it
    own = cache.of((*key, INTACT), lambda: _run(model, batch, shown, INTACT, cache))
    run = own
    if breaks != INTACT:
        # Kept or not: of a large batch two runs are more than a server has room for.
        run = cache.of((*key, breaks), lambda: _run(model, batch, shown, breaks, cache, own))
    broken, intact = (_attention(batch, shown, where, one) for one in (run, own))
    beside = (one for one in model.anatomy.sites if one.site != site)
    others = tuple(_attention(batch, shown, one, run) for one in beside)
    return MaskStudy(broken, intact, others, run.changes)


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


_Masks = tuple[Tensor, Tensor | None]  # pad and causal, (B or 1, Q or 1, K); True = may attend


@dataclass(frozen=True, eq=False)
class _Run:
    """One teacher-forced pass of a whole batch; the logits, which may be many, are not kept."""

    masks: Mapping[Site, _Masks]
    layers: Mapping[Site, tuple[_Layer, ...]]
    encoded: EncoderPass | None
    changes: tuple[PredictionChange, ...]


def _run(
    model: Model,
    batch: TranslatedBatch,
    shown: int,
    breaks: Breaks,
    cache: Runs,
    own: _Run | None = None,
) -> _Run:
    """`own` is the model's own run, whose masks are broken."""
    sites = model.anatomy.sites
    masks = {one.site: _broken(batch, one, breaks, own.masks[one.site]) for one in sites if own}
    broken: dict[Site, Mask] = {}
    for site, (pads_BQK, causal_BQK) in masks.items():
        both_BQK = pads_BQK if causal_BQK is None else causal_BQK & pads_BQK
        broken[site] = mask_from("broken", both_BQK, _hidden_score(model, breaks))
    sources, fed = ([tokens.ids for tokens in side] for side in (batch.sources, batch.fed))
    # Where only the causal mask is broken, the encoder does what it did.
    encoded = own.encoded if own and breaks == Breaks(causal=breaks.causal) else None
    keep = _Kept(model, shown)
    passed = model.full_pass(sources, fed, broken, keep=keep, encoded=encoded)
    layers: dict[Site, tuple[_Layer, ...]] = dict(passed.by_site)
    if own and encoded:
        layers["encoder"] = own.layers["encoder"]
    if own is None:
        masks = {one.site: _own(model, batch, one, layers[one.site][0].mask) for one in sites}
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


def _own(model: Model, batch: TranslatedBatch, site: SiteAnatomy, mask: Mask) -> _Masks:
    """The pad mask and the causal mask that the model's own mask consists of.

    A causal mask is a band along the diagonal, read off the longest sentence, which has no pads.
    The keys that it leaves visible and that no row sees, the pad mask hides.
    """
    allowed_BQK = mask.allowed_BQK.cpu()
    if not site.causal:
        return allowed_BQK, None
    real_BK = _real(batch.side(site.columns))
    allowed_BQK = allowed_BQK.expand(len(batch), *allowed_BQK.shape[1:])
    band_QK = _band(*_reach(allowed_BQK[int(real_BK.sum(dim=-1).argmax())]), real_BK.shape[1])
    beyond_K = ~band_QK.any(dim=0)  # keys that the causal mask shows to nobody
    unhidden_BK = real_BK | ("no_pad_mask" in model.anatomy.unusual)
    pads_BQK = (allowed_BQK.any(dim=1) | (beyond_K & unhidden_BK))[:, None]
    return pads_BQK, allowed_BQK | (band_QK & ~pads_BQK)


def _broken(batch: TranslatedBatch, site: SiteAnatomy, breaks: Breaks, own: _Masks) -> _Masks:
    """The pad mask and the causal mask of a site, broken as asked."""
    pads_BQK, causal_BQK = own
    if breaks.pads != "intact":
        pads_BQK = pads_BQK | ~_real(batch.side(site.columns))[:, None]
    if breaks.pads == "rows":
        pads_BQK = pads_BQK & _real(batch.side(site.rows))[:, :, None]
    if causal_BQK is None or breaks.causal == "intact":
        return pads_BQK, causal_BQK
    T = causal_BQK.shape[-1]
    # A window stays as it is, but where the whole target is seen.
    first = -T if breaks.causal == "none" else _reach(causal_BQK[0])[0]
    last = {"none": T, "ahead": 1, "behind": -1}[breaks.causal]
    return pads_BQK, _band(first, last, T)[None]


def _reach(allowed_QK: Tensor) -> tuple[int, int]:
    """The least and the greatest distance from a query to a key that it may attend to.

    Where the first keys are hidden from every row, none can be as far back as it might.
    """
    queries, keys = allowed_QK.nonzero(as_tuple=True)
    if not len(keys):
        return 1, 0
    first, hidden = int((keys - queries).min()), int(keys.min())
    farthest = 1 - len(allowed_QK)
    return farthest if first == farthest + hidden else first, int((keys - queries).max())


def _band(first: int, last: int, T: int) -> Tensor:
    """The (T, T) cells whose key lies so far from their query."""
    places_T = torch.arange(T)
    distance_QK = places_T - places_T[:, None]
    return (distance_QK >= first) & (distance_QK <= last)


def _attention(batch: TranslatedBatch, b: int, site: SiteAnatomy, run: _Run) -> MaskedAttention:
    layers = run.layers[site.site]
    queries, keys = batch.side(site.rows)[b], batch.side(site.columns)[b]

    def of_sentence(allowed_BQK: Tensor) -> np.ndarray:
        return copied(allowed_BQK.expand(len(batch), len(queries), len(keys))[b])

    pads_BQK, causal_BQK = run.masks[site.site]
    return MaskedAttention(
        site=site.site,
        queries=queries,
        keys=keys,
        pad_QK=of_sentence(pads_BQK),
        causal_QK=None if causal_BQK is None else of_sentence(causal_BQK),
        allowed_QK=of_sentence(layers[0].mask.allowed_BQK),
        hidden_score=layers[0].mask.hidden_score,
        scores=tuple(layer.scores_HQK for layer in layers),
        weights=tuple(layer.weights_HQK for layer in layers),
    )


def _real(rows: tuple[Tokens, ...]) -> Tensor:
    """Which tokens are no pads; by their kinds, because some models begin with the id of a pad."""
    return torch.tensor([[kind != "pad" for kind in row.kinds] for row in rows])


def _pads(tokens: Tokens) -> np.ndarray:
    return np.array([kind == "pad" for kind in tokens.kinds], dtype=bool)
