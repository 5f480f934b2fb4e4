"""Every head of a model, measured over a corpus: what it reads, how like others it is, its effect.

Full passes with the target forced; every row counts alike, whatever sentence it is of.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from model_core.models.protocol import Model
from model_core.training.evaluation.aligner import Aligner
from model_core.training.evaluation.heads.corpus import HeadCorpus
from model_core.training.evaluation.heads.effects import effects_of
from model_core.training.evaluation.heads.needed import darkest_is_needed, knows_needed
from model_core.training.evaluation.heads.reading import (
    Progress,
    ReadCorpus,
    SentenceBlock,
    blocks,
    padded,
    read,
)
from model_core.training.evaluation.heads.sums import SiteSums, TokenTexts
from model_core.transformer.taps import sublayer_of
from model_core.values.head_measures import PADS, HeadMeasures, SiteMeasures
from model_core.values.recipe import Settings
from model_core.values.trace import Site

_TOGETHER = 16  # sentences of one pass


def measure_heads(
    model: Model,
    corpus: HeadCorpus,
    aligner: Aligner | None = None,
    settings: Settings = (),
    progress: Progress = lambda what, more, of: None,
) -> HeadMeasures:
    """All heads of a model over a corpus; a sentence that is too long for it is left out.

    The effect of a head, and its mean, are only of models that write and allow `head-off`.
    Raises CorpusError where no sentence is left.
    """
    reading = read(model, corpus, aligner, settings, progress)
    vocabulary, widths = TokenTexts(), _widths(model, reading)
    sums: dict[Site, SiteSums] = {
        one.site: SiteSums(one, len(reading.sentences), vocabulary, widths.get(one.site, 0))
        for one in model.anatomy.sites
    }
    for block in blocks(model, reading.sentences, _TOGETHER):
        _add(model, sums, reading, block)
        progress("attention", len(block.places), len(reading.sentences))
    pad = model.anatomy.special.pad
    if model.anatomy.kind != "decoder" and pad is not None:
        _add_pads(model, sums, reading, pad)
    loss = exact = math.nan
    effects: Mapping[Site, np.ndarray] = {}
    if reading.targets != "none" and "head-off" in model.anatomy.edits:
        means = {site: one.means_LHE() for site, one in sums.items() if one.E}
        found = effects_of(model, reading.sentences, means, progress)
        loss, exact, effects = found.loss, found.exact, found.by_site
    sites, tokens = named_only(
        {site: one.measures(effects.get(site)) for site, one in sums.items()}, vocabulary.tokens
    )
    return HeadMeasures(
        fingerprint=model.fingerprint,
        corpus=corpus.name,
        sentences=reading.texts,
        tokens=tokens,
        source_tokens=sum(len(sentence.source) for sentence in reading.sentences),
        target_tokens=sum(len(sentence.predicted) for sentence in reading.sentences),
        targets=reading.targets,
        loss=loss,
        exact=exact,
        sites=sites,
    )


def named_only(
    sites: Mapping[Site, SiteMeasures], tokens: Sequence[tuple[str, str]]
) -> tuple[dict[Site, SiteMeasures], tuple[tuple[str, str], ...]]:
    """The same with only those tokens that are named for some head, numbered anew."""
    used = np.unique(np.concatenate([one.tokens_LHC.ravel() for one in sites.values()]))
    used = used[used >= 0]
    fewer: dict[Site, SiteMeasures] = {}
    for site, one in sites.items():
        at_LHC = np.searchsorted(used, one.tokens_LHC).astype(np.int32)
        fewer[site] = replace(one, tokens_LHC=np.where(one.tokens_LHC < 0, np.int32(-1), at_LHC))
    return fewer, tuple(tokens[number] for number in used)


def _widths(model: Model, reading: ReadCorpus) -> dict[Site, int]:
    """The width of a head at each site, of models whose heads' means can be used."""
    if "head-off" not in model.anatomy.edits:
        return {}
    block = next(iter(blocks(model, reading.sentences, 1)))
    passed = model.full_pass(block.sources, block.targets)
    sites = [one.site for one in model.anatomy.sites]
    return {site: passed.records(site)[0].v_BHKE.shape[-1] for site in sites}


@torch.inference_mode()
def _add(
    model: Model, sums: Mapping[Site, SiteSums], reading: ReadCorpus, block: SentenceBlock
) -> None:
    made: dict[str, Tensor] = {}

    def tap(name: str, value: Tensor) -> Tensor:
        if name.endswith(".heads"):
            made[name] = value
        return value

    passed = model.full_pass(block.sources, block.targets, tap=tap)
    for site, one in sums.items():
        weights_BLHQK = _stacked([record.weights_BHQK for record in passed.records(site)])
        heads_BLHQE = None
        if one.E:
            names = [f"{sublayer_of(site, layer)}.heads" for layer in range(one.site.layers)]
            heads_BLHQE = _stacked([made[name] for name in names])
        for row, at in enumerate(block.places):
            sentence = reading.sentences[at]
            Q = len(sentence.source if site == "encoder" else sentence.fed)
            K = len(sentence.fed if site == "decoder" else sentence.source)
            weights_LHQK = weights_BLHQK[row, :, :, :Q, :K]
            one.add(at, sentence, weights_LHQK)
            if site == "cross" and knows_needed(model):
                one.add_needed(*darkest_is_needed(model, sentence, weights_LHQK))
            if heads_BLHQE is not None:
                one.add_made(heads_BLHQE[row, :, :, :Q])


@torch.inference_mode()
def _add_pads(model: Model, sums: Mapping[Site, SiteSums], reading: ReadCorpus, pad: int) -> None:
    sentences = [padded(sentence, pad) for sentence in reading.sentences]
    for block in blocks(model, sentences, _TOGETHER):
        passed = model.full_pass(block.sources, block.targets)
        for site, one in sums.items():
            if site == "decoder":
                continue
            weights_BLHQK = _stacked([record.weights_BHQK for record in passed.records(site)])
            for row, at in enumerate(block.places):
                S = len(sentences[at].source)
                Q = S - PADS if site == "encoder" else len(sentences[at].fed)
                one.add_pads(weights_BLHQK[row, :, :, :Q, S - PADS : S].sum(axis=-1))


def _stacked(layers: list[Tensor]) -> np.ndarray:
    """The arrays of all layers stacked, with the sentences first."""
    stacked: np.ndarray = torch.stack(layers, dim=1).float().numpy(force=True)
    return stacked
