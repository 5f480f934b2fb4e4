"""What masks do to a batch: the model with its own masks beside the model with a broken one.

Both go the one way through the model, `Transformer.encode` and `decode` with their `mask`. Nothing
here computes attention; a broken mask is another mask, never another formula.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model_core.errors import RecipeError
from model_core.masks import Mask, causal_mask, mask_from, pad_mask
from model_core.recent import Recent
from model_core.recipe import Recipe
from model_core.store import Checkpoint
from model_core.trace import SITES, Decoding, Site, Tokens, copied, frozen
from model_core.tracer import Tracer
from model_core.transformer import DecoderPass, EncoderPass

MAX_SENTENCES = 6
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
class Batch:
    """Sentences and the model's own translations of them, each padded to the longest."""

    sources: tuple[Tokens, ...]
    fed: tuple[Tokens, ...]  # the target as it enters the decoder: the start token first
    predicted: tuple[Tokens, ...]  # the same target one place on: what each position should predict
    decodings: tuple[Decoding, ...]
    recipes: tuple[Recipe, ...]  # of the decodings

    def __len__(self) -> int:
        return len(self.sources)


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
    scores_LHQK: np.ndarray  # before the mask
    weights_LHQK: np.ndarray

    @property
    def masked_scores_LHQK(self) -> np.ndarray:
        """The scores after the mask: what the softmax reads."""
        hidden = self.scores_LHQK.dtype.type(self.hidden_score)
        return np.where(self.allowed_QK, self.scores_LHQK, hidden)

    @property
    def on_pads_LHQ(self) -> np.ndarray:
        """The part of each row's attention that goes to pads."""
        return self.weights_LHQK[..., _pads(self.keys)].sum(axis=-1)

    @property
    def on_future_LHQ(self) -> np.ndarray:
        """The part of each row's attention that goes to later target tokens, pads left out."""
        if self.site != "decoder":
            return np.zeros(self.weights_LHQK.shape[:-1], self.weights_LHQK.dtype)
        later_QK = ~np.tri(len(self.queries), dtype=bool) & ~_pads(self.keys)
        return (self.weights_LHQK * later_QK).sum(axis=-1)

    @property
    def empty_Q(self) -> np.ndarray:
        """Which rows have no allowed key."""
        return np.asarray(~self.allowed_QK.any(axis=-1))

    @property
    def uniform_Q(self) -> np.ndarray:
        """Which of the empty rows spread their attention evenly over all keys, in every head."""
        even_Q = np.isclose(self.weights_LHQK, 1 / len(self.keys), rtol=1e-4).all(axis=(0, 1, 3))
        return self.empty_Q & even_Q


@dataclass(frozen=True, eq=False)
class Change:
    """How far the predictions of one sentence moved, position by position; pads left out."""

    intact_best: tuple[int, ...]  # token ids
    broken_best: tuple[int, ...]
    intact_probability_T: np.ndarray  # of those tokens
    broken_probability_T: np.ndarray
    distance_T: np.ndarray  # total variation distance, 0 to 1

    @property
    def changed(self) -> int:
        """At how many positions the best token is another one."""
        return sum(a != b for a, b in zip(self.intact_best, self.broken_best, strict=True))


@dataclass(frozen=True, eq=False)
class MaskStudy:
    """One sentence of a batch under broken masks, and the same under the model's own."""

    broken: MaskedAttention
    intact: MaskedAttention
    changes: tuple[Change, ...]  # one a sentence


@dataclass(frozen=True, eq=False)
class Passes:
    """The same target read by the decoder in one pass and in many steps."""

    source: Tokens
    fed: Tokens
    predicted: Tokens
    site: Site
    allowed_QK: np.ndarray
    once_LHQK: np.ndarray  # weights
    stepped_LHQK: np.ndarray
    once_probability_T: np.ndarray  # of the tokens that should be predicted
    stepped_probability_T: np.ndarray
    # The largest difference anywhere, decoder and cross, all layers and heads.
    scores_apart: float
    weights_apart: float
    log_probabilities_apart: float  # nats, over the whole vocabulary


def make_batch(tracer: Tracer, sentences: tuple[str, ...], first: Recipe | None = None) -> Batch:
    """The sentences with their greedy translations, padded as the model pads them.

    Where `first` is a recipe for the first sentence, that one keeps the tokens the recipe chose and
    goes on by its strategy. Raises RecipeError for none or too many sentences, and names the one
    that cannot be read.
    """
    if not 1 <= len(sentences) <= MAX_SENTENCES:
        raise RecipeError(
            f"The batch has {len(sentences)} sentences; it takes 1 to {MAX_SENTENCES}. "
            "Add or remove some.",
            "batch",
            n=len(sentences),
            limit=MAX_SENTENCES,
        )
    recipes, decodings = [], []
    for number, sentence in enumerate(sentences, start=1):
        try:
            recipe = Recipe(tracer.checkpoint.name, sentence)
            if number == 1 and first is not None and first.source == sentence:
                recipe = replace(first, pads=0)
            recipe, decoding = tracer.extend(recipe, None)
            recipes.append(recipe)
            decodings.append(decoding)
        except RecipeError as error:  # others, such as the end of the time, are of no sentence
            raise type(error)(
                f"Sentence {number}: {error}",
                f"sentence_{error.code}",
                number=number,
                **error.values,
            ) from error
    pad = tracer.checkpoint.config.pad_id
    labels = tracer.checkpoint.target_tokenizer
    fed = [decoding.target[: len(decoding.steps)] for decoding in decodings]
    S, T = max(len(d.source) for d in decodings), max(map(len, fed))
    source_labels = tracer.checkpoint.source_tokenizer
    return Batch(
        sources=tuple(
            d.source + source_labels.tokens([pad] * (S - len(d.source))) for d in decodings
        ),
        fed=tuple(tokens + labels.tokens([pad] * (T - len(tokens))) for tokens in fed),
        # After the last token that fits there is nothing to predict any more: a pad, too.
        predicted=tuple(
            d.target[1:] + labels.tokens([pad] * (T + 1 - len(d.target))) for d in decodings
        ),
        decodings=tuple(decodings),
        recipes=tuple(recipes),
    )


@torch.inference_mode()
def study_masks(
    checkpoint: Checkpoint,
    batch: Batch,
    shown: int,
    site: Site,
    breaks: Breaks = INTACT,
    recent: Recent | None = None,
) -> MaskStudy:
    """Sentence `shown` at one site, under the model's own masks and under broken ones.

    `recent` keeps the passes of a batch: the own one serves every break, each serves every site.
    """
    if site not in SITES:
        raise RecipeError(f"There is no such site; there are {', '.join(SITES)}.")
    if not 0 <= shown < len(batch):
        raise RecipeError(f"There is no sentence {shown + 1}; the batch has {len(batch)}.", "place")
    recent = Recent(0) if recent is None else recent
    key = "masks", batch.recipes  # which decide all of the batch, and are small beside it
    own = recent.of((*key, INTACT), lambda: _run(checkpoint, batch, INTACT))
    other = recent.of((*key, breaks), lambda: _run(checkpoint, batch, breaks, own))
    changes = tuple(
        _change(own.decoded.logits_BTV[b, :length], other.decoded.logits_BTV[b, :length])
        for b, length in enumerate(int((~_pads(tokens)).sum()) for tokens in batch.fed)
    )
    return MaskStudy(
        broken=_attention(batch, shown, site, breaks, other),
        intact=_attention(batch, shown, site, INTACT, own),
        changes=changes,
    )


@torch.inference_mode()
def study_passes(checkpoint: Checkpoint, batch: Batch, shown: int, site: Site) -> Passes:
    """The translation of sentence `shown`, without pads: one pass beside the steps that made it."""
    if site not in ("decoder", "cross"):
        raise RecipeError("The encoder reads in one pass, always; choose decoder or cross.")
    if not 0 <= shown < len(batch):
        raise RecipeError(f"There is no sentence {shown + 1}; the batch has {len(batch)}.", "place")
    decoding = batch.decodings[shown]
    fed, steps = decoding.target[: len(decoding.steps)], decoding.steps
    device = checkpoint.model.logits.weight.device
    once = checkpoint.model(
        torch.tensor([decoding.source.ids], device=device), torch.tensor([fed.ids], device=device)
    )
    scores_apart = weights_apart = 0.0
    shown_arrays: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    allowed_QK = np.ones((0, 0), dtype=bool)
    for name, records in (("decoder", once.self_records), ("cross", once.cross_records)):
        for layer, record in enumerate(records):
            trace = decoding.trace("decoder" if name == "decoder" else "cross", layer)
            scores_HQK, weights_HQK = copied(record.scores_BHQK[0]), copied(record.weights_BHQK[0])
            # A step never computes the scores of keys to come.
            apart_HQK = np.abs(scores_HQK - trace.scores_HQK) * trace.mask_QK
            scores_apart = max(scores_apart, float(apart_HQK.max()))
            apart_HQK = np.abs(weights_HQK - trace.weights_HQK)
            weights_apart = max(weights_apart, float(apart_HQK.max()))
            if name == site:
                allowed_QK = trace.mask_QK
                shown_arrays[0].append(weights_HQK)
                shown_arrays[1].append(trace.weights_HQK)
    once_TV = copied(once.logits_BTV[0].log_softmax(dim=-1))
    stepped_TV = np.stack([step.log_probabilities_V for step in steps])
    T = len(fed)
    predicted = decoding.target[1 : T + 1]
    places = (np.arange(len(predicted)), list(predicted.ids))
    return Passes(
        source=decoding.source,
        fed=fed,
        predicted=predicted,
        site=site,
        allowed_QK=frozen(allowed_QK),
        once_LHQK=frozen(np.stack(shown_arrays[0])),
        stepped_LHQK=frozen(np.stack(shown_arrays[1])),
        once_probability_T=frozen(np.exp(once_TV[places])),
        stepped_probability_T=frozen(np.exp(stepped_TV[places])),
        scores_apart=scores_apart,
        weights_apart=weights_apart,
        log_probabilities_apart=float(np.abs(once_TV - stepped_TV).max()),
    )


@dataclass(frozen=True, eq=False)
class _Run:
    """One teacher-forced pass of a whole batch."""

    masks: dict[Site, tuple[Mask, Mask | None]]  # pad and causal
    encoded: EncoderPass
    decoded: DecoderPass


def _run(checkpoint: Checkpoint, batch: Batch, breaks: Breaks, own: _Run | None = None) -> _Run:
    model = checkpoint.model
    source_BS, target_BT = _ids(checkpoint, batch.sources), _ids(checkpoint, batch.fed)
    masks = {site: _masks(checkpoint, batch, site, breaks) for site in SITES}
    if breaks == INTACT:  # the model makes its own
        encoded = model.encode(source_BS)
        return _Run(masks, encoded, model.decode(target_BT, encoded))
    if own is not None and breaks == Breaks(causal=breaks.causal):
        encoded = own.encoded  # there is no causal mask in the encoder
    else:
        encoded = model.encode(source_BS, mask=_combined(masks["encoder"], breaks))
    crossing = replace(encoded, mask=_combined(masks["cross"], breaks))
    decoded = model.decode(target_BT, crossing, mask=_combined(masks["decoder"], breaks))
    return _Run(masks, encoded, decoded)


def _masks(
    checkpoint: Checkpoint, batch: Batch, site: Site, breaks: Breaks
) -> tuple[Mask, Mask | None]:
    """The pad mask and the causal mask of a site, broken as asked; True = may attend."""
    queries_BQ = _ids(checkpoint, batch.sources if site == "encoder" else batch.fed)
    keys_BK = _ids(checkpoint, batch.fed if site == "decoder" else batch.sources)
    pad = checkpoint.config.pad_id
    pads = {
        "intact": lambda: pad_mask(keys_BK, pad),
        "none": lambda: mask_from("no pad", torch.ones_like(keys_BK, dtype=torch.bool)[:, None]),
        "rows": lambda: mask_from("pad, wrong axis", (queries_BQ != pad)[:, :, None]),
    }[breaks.pads]()
    if site != "decoder":
        return pads, None
    T, device = queries_BQ.shape[1], queries_BQ.device
    if breaks.causal == "intact":
        return pads, causal_mask(T, device=device)
    last = {"none": T, "ahead": 1, "behind": -1}[breaks.causal]
    allowed_QK = torch.ones(T, T, dtype=torch.bool, device=device).tril(diagonal=last)
    return pads, mask_from(f"causal, {breaks.causal}", allowed_QK[None])


def _combined(masks: tuple[Mask, Mask | None], breaks: Breaks) -> Mask:
    pads, causal = masks
    both = pads if causal is None else causal & pads
    return replace(both, hidden_score=breaks.hidden_score)


def _attention(batch: Batch, b: int, site: Site, breaks: Breaks, run: _Run) -> MaskedAttention:
    records = {
        "encoder": run.encoded.records,
        "decoder": run.decoded.self_records,
        "cross": run.decoded.cross_records,
    }[site]
    queries = (batch.sources if site == "encoder" else batch.fed)[b]
    keys = (batch.fed if site == "decoder" else batch.sources)[b]

    def of_sentence(mask: Mask) -> np.ndarray:
        return copied(mask.allowed_BQK.expand(len(batch), len(queries), len(keys))[b])

    pads, causal = run.masks[site]
    return MaskedAttention(
        site=site,
        queries=queries,
        keys=keys,
        pad_QK=of_sentence(pads),
        causal_QK=None if causal is None else of_sentence(causal),
        allowed_QK=of_sentence(records[0].mask),
        hidden_score=breaks.hidden_score,
        scores_LHQK=frozen(np.stack([copied(record.scores_BHQK[b]) for record in records])),
        weights_LHQK=frozen(np.stack([copied(record.weights_BHQK[b]) for record in records])),
    )


def _change(intact_TV: Tensor, broken_TV: Tensor) -> Change:
    intact_TV, broken_TV = intact_TV.softmax(dim=-1), broken_TV.softmax(dim=-1)
    intact, broken = intact_TV.max(dim=-1), broken_TV.max(dim=-1)
    return Change(
        intact_best=tuple(intact.indices.tolist()),
        broken_best=tuple(broken.indices.tolist()),
        intact_probability_T=copied(intact.values),
        broken_probability_T=copied(broken.values),
        distance_T=copied((intact_TV - broken_TV).abs().sum(dim=-1) / 2),
    )


def _ids(checkpoint: Checkpoint, rows: tuple[Tokens, ...]) -> Tensor:
    return torch.tensor([row.ids for row in rows], device=checkpoint.model.logits.weight.device)


def _pads(tokens: Tokens) -> np.ndarray:
    return np.array([kind == "pad" for kind in tokens.kinds])
