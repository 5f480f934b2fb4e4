"""Sentences, and the tiny checkpoint around other models, for tests of studies."""

import dataclasses
import functools

from model_core.checkpoints.store import Checkpoint
from model_core.checkpoints.training import Training
from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.models.own import OwnModel
from model_core.tokenizer import Tokenizer
from model_core.values.trace import Tokens
from tests.tiny import LINES, tiny_model
from tests.variants import VARIANTS, variant_model

IDS = (5, 17, 40, 8, 33, 2)
TARGET = [1, 9, 33, 120]
ORDER = [3, 1, 0, 5, 2, 4]


def sentence(ids=IDS, pads=0):
    ids = (*ids, *(0,) * pads)
    kinds = tuple("pad" if i == 0 else "text" for i in ids)
    texts = tuple(map(str, ids))
    return Tokens(ids, texts, texts, kinds, (None,) * len(ids))


def own_model(tiny, double=True, **changes):
    """The tiny checkpoint's tokenizers around another tiny model."""
    model = tiny_model(3, **changes)
    return OwnModel(dataclasses.replace(tiny, model=model.double() if double else model))


@functools.cache
def usual_model(double=True, **changes) -> OwnModel:
    """A tiny model with a tokenizer of its own, in float64 if asked; nothing may change it."""
    tokenizer = Tokenizer.train(LINES, "bpe", 300)
    sizes = {"source_vocabulary": tokenizer.size, "target_vocabulary": tokenizer.size}
    model = tiny_model(3, **{"max_positions": 32} | sizes | changes)
    model = model.double() if double else model
    return OwnModel(Checkpoint("tiny", model, tokenizer, tokenizer, Training(), ""))


@functools.cache
def traced(recipe, double=True, **changes):
    """Such a model, and what it decodes."""
    own = usual_model(double, **changes)
    return own, Tracer(own, Cache(0)).evaluate(recipe)


def of_variant(tiny, variant) -> OwnModel:
    return own_model(tiny, **VARIANTS[variant])


SENTENCES = ("The old cat.", "roof", "Le chat dort sur le toit.")
SHORT = 1  # the sentence with most pads


def uneven(tracer, batch):
    """The batch with targets of unequal length: an untrained model goes on to its limit."""
    labels = tracer.labels
    pad, T = tracer.anatomy.special.pad, 9
    lengths = (9, 5, 7)
    return dataclasses.replace(
        batch,
        fed=tuple(
            tokens[:length] + labels([pad] * (T - length))
            for tokens, length in zip(batch.fed, lengths, strict=True)
        ),
    )


@functools.cache  # what it has decoded serves several tests
def variant_tracer(tracer, variant):
    """A tracer of a float64 model of this variant, with the tiny tokenizer."""
    tokenizer = tracer.model.checkpoint.source_tokenizer
    size = tokenizer.size
    model = variant_model(variant, source_vocabulary=size, target_vocabulary=size, max_positions=20)
    return Tracer(OwnModel(Checkpoint("variant", model, tokenizer, tokenizer, Training(), "")))
