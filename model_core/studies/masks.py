"""What masks do to a batch: the model with its own masks beside the model with a broken one.

A broken mask is an edit of the model. Both models read the same targets, those of the batch.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.models.protocol import Model
from model_core.studies.batch import TranslatedBatch
from model_core.studies.checks import check_place
from model_core.studies.compare import PredictionChange, compare_predictions
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.masks import Mask
from model_core.transformer.passes import EncoderPass, FullPass, Keep, nothing
from model_core.values.anatomy import SiteAnatomy
from model_core.values.edits import Edits, in_place
from model_core.values.trace import Site, Tokens, copied
from model_core.values.verdict import Verdict, verdict


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
    breaks: Edits = (),
    cache: StudyCache = NO_CACHE,
) -> MaskStudy:
    """Sentence `shown` at one site, under the model's own masks and with edits that break them.

    An edit takes the place of one of its kind that the model has. `cache` keeps the passes of a
    batch: the own one serves every break, each serves every site. Of a pass only the attention of
    this sentence is kept.
    """
    where = model.anatomy.site(site)
    check_place(shown, len(batch), "sentence")
    key = "masks", batch.recipes, shown  # which decide all of the batch, and are small beside it
    edits = batch.recipes[0].edits
    run = own = cache.of((*key, ()), lambda: _run(model, edits, batch, shown, cache, model))
    if breaks:
        of_run = in_place(edits, breaks)
        # Where only the causal mask is broken, the encoder does what it did.
        kept = own if {edit.kind for edit in breaks} == {"causal-mask"} else None
        # Kept or not: of a large batch two runs are more than a server has room for.
        run = cache.of(
            (*key, breaks),
            lambda: _run(model.edited(of_run), of_run, batch, shown, cache, model, kept),
        )
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
_Predicted = tuple[np.ndarray, ...]  # log-probabilities (T, V) of each sentence


@dataclass(frozen=True, eq=False)
class _Run:
    """One teacher-forced pass of a whole batch; the logits, which may be many, are not kept."""

    masks: Mapping[Site, _Masks]
    layers: Mapping[Site, tuple[_Layer, ...]]
    encoded: EncoderPass | None
    changes: tuple[PredictionChange, ...]


def _run(
    model: Model,
    edits: Edits,
    batch: TranslatedBatch,
    shown: int,
    cache: StudyCache,
    own: Model,
    kept: _Run | None = None,
) -> _Run:
    """The pass of a model with these edits, of `own` or of that with a break.

    `kept` is a run whose encoder did the same.
    """
    encoded = kept.encoded if kept else None
    passed = _pass(model, batch, _Kept(model, shown), encoded)
    layers: dict[Site, tuple[_Layer, ...]] = dict(passed.by_site)
    if kept and encoded:
        layers["encoder"] = kept.layers["encoder"]
    masks = {
        one.site: _parts(model, edits, batch, one, layers[one.site][0].mask)
        for one in model.anatomy.sites
    }
    after = _predicted(passed, batch, model)

    def before() -> _Predicted:
        if model is own:
            return after
        return _predicted(_pass(own, batch, nothing), batch, own)  # too many to be kept

    predicted = cache.of(("predicted", batch.recipes), before)
    return _Run(masks, layers, passed.encoded, tuple(map(compare_predictions, predicted, after)))


def _pass(
    model: Model, batch: TranslatedBatch, keep: Keep, encoded: EncoderPass | None = None
) -> FullPass:
    sources, fed = ([tokens.ids for tokens in side] for side in (batch.sources, batch.fed))
    return model.full_pass(sources, fed, keep=keep, encoded=encoded)


def _predicted(passed: FullPass, batch: TranslatedBatch, model: Model) -> _Predicted:
    """The log-probabilities (T, V) of each sentence without its pads, where there are any."""
    logits_BTV = passed.logits_BTV
    read = batch.side(model.anatomy.predicting) if logits_BTV.shape[-1] else ()
    lengths = [int((~_pads(tokens)).sum()) for tokens in read]
    return tuple(
        copied(logits_TV[:length].log_softmax(dim=-1))
        for logits_TV, length in zip(logits_BTV, lengths, strict=False)
    )


def _parts(
    model: Model, edits: Edits, batch: TranslatedBatch, site: SiteAnatomy, mask: Mask
) -> _Masks:
    """The pad mask and the causal mask that a mask consists of.

    A causal mask is a band along the diagonal, read off the longest sentence: it has fewest pads.
    The keys that it leaves visible and that no row sees, the pad mask hides.
    """
    allowed_BQK = mask.allowed_BQK.cpu()
    if not site.causal:
        return allowed_BQK, None
    real_BK = _real(batch.side(site.columns))
    allowed_BQK = allowed_BQK.expand(len(batch), *allowed_BQK.shape[1:])
    band_QK = _band(*_reach(allowed_BQK[int(real_BK.sum(dim=-1).argmax())]), real_BK.shape[1])
    rows_BQ = _real(batch.side(site.rows))
    if not any(edit.kind == "pads-rows" for edit in edits):
        rows_BQ = torch.ones_like(rows_BQ)
    beyond_BK = ~(band_QK & rows_BQ[:, :, None]).any(dim=1)  # hidden from every query by the rest
    open_BK = ~real_BK & ("no_pad_mask" in model.anatomy.unusual)
    pads_BK = allowed_BQK.any(dim=1) | (beyond_BK & real_BK) | open_BK
    pads_BQK = pads_BK[:, None] & rows_BQ[:, :, None]
    return pads_BQK, allowed_BQK | (band_QK & ~pads_BQK)


def _reach(allowed_QK: Tensor) -> tuple[int, int]:
    """The least and the greatest distance from a query to a key that it may attend to.

    Where the first keys are hidden from every row, none can be as far back as it might; where the
    last ones are, as pads, none as far ahead.
    """
    queries, keys = allowed_QK.nonzero(as_tuple=True)
    if not len(keys):
        return 1, 0
    first, hidden = int((keys - queries).min()), int(keys.min())
    farthest = 1 - len(allowed_QK)
    last, visible = int((keys - queries).max()), int(keys.max())
    ahead = len(allowed_QK) - 1 if last == visible > 1 else last  # a shift by one is no whole row
    return farthest if first == farthest + hidden else first, ahead


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
