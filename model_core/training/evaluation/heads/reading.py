"""The sentences of a corpus as a model reads them, and the passes they are read in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import CorpusError
from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.training.data.corpus import EncodedPair
from model_core.training.evaluation.aligner import Aligner
from model_core.training.evaluation.alignment import word_of_each
from model_core.training.evaluation.hand_aligned import HandAligned
from model_core.training.evaluation.heads.corpus import HeadCorpus
from model_core.transformer.padding import pad_rows
from model_core.values.head_measures import PADS
from model_core.values.recipe import Recipe, Settings
from model_core.values.trace import Site, TokenKind, Tokens

_PADS: tuple[TokenKind, ...] = tuple(["pad"] * PADS)
Progress = Callable[[str, int, int], None]  # what is done, how many more of it, of how many


@dataclass(frozen=True, eq=False)
class ReadSentence:
    """A sentence as a model reads it."""

    source: Tokens
    fed: Tokens  # to the decoder; of a decoder-only model the sentence itself; else none
    predicted: tuple[int, ...] = ()  # what it is to write, from the row `shift` on
    shift: int = 0  # the row that writes the first token
    links: tuple[frozenset[int], ...] = ()  # drawn by hand: source positions of each of `predicted`
    linked: np.ndarray | None = None  # the aligner's source position of each, -1 for none

    def shift_of(self, site: Site) -> int:
        """How many rows stand before the one that is as far as the first key."""
        return self.shift if site == "cross" else 0


@dataclass(frozen=True, eq=False)
class SentenceBlock:
    """Sentences of one pass, by their places in the list, with their ids."""

    places: tuple[int, ...]
    sources: Sequence[Sequence[int]]
    targets: Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class ReadCorpus:
    """What a model can read of a corpus."""

    texts: tuple[tuple[str, str], ...]
    sentences: tuple[ReadSentence, ...]
    targets: str  # whose they are: "references", "written" by the model, the "text" itself, "none"


def read(
    model: Model,
    corpus: HeadCorpus,
    aligner: Aligner | None,
    settings: Settings,
    progress: Progress,
) -> ReadCorpus:
    """The sentences that are not too long for the model, four pads behind them included.

    Raises CorpusError where there are none.
    """
    anatomy = model.anatomy
    room = anatomy.max_positions - PADS * (anatomy.kind != "decoder")
    given = all(target for _, target in corpus.sentences)
    targets = "none"
    if anatomy.kind == "encoder-decoder":
        targets = "references" if given else "written"
    elif anatomy.kind == "decoder" and anatomy.predicts:
        targets = "text"
    prompt: Tokens | None = None
    found: list[tuple[tuple[str, str], ReadSentence]] = []
    for at, (text, reference) in enumerate(corpus.sentences):
        progress("tokens", 1, len(corpus.sentences))
        source = model.source(text, 0, settings)
        if len(source) > room:
            continue
        if targets == "none":
            found.append(((text, ""), ReadSentence(source, source[:0])))
            continue
        if targets == "text":  # each token is predicted from those before it
            found.append(((text, ""), ReadSentence(source, source, source.ids[1:])))
            continue
        if prompt is None:  # it is the same for every source
            prompt = model.start(source, settings).decoding.target
        if targets == "references":
            target = model.target(reference, settings)
        else:
            reference, target = _written(model, text, settings)
        longest = anatomy.longest_target(len(source))
        if not len(target) or len(prompt) + len(target) - 1 > longest:
            continue
        linked = None
        if aligner is not None:
            linked = aligner.links(EncodedPair(source.ids, (prompt.ids[-1], *target.ids)))
        drawn = corpus.aligned[at] if at < len(corpus.aligned) else None
        links = () if drawn is None else _links(source, target, drawn)
        fed = prompt + target[:-1]
        sentence = ReadSentence(source, fed, target.ids, len(prompt) - 1, links, linked)
        found.append(((text, reference), sentence))
    if not found:
        raise CorpusError(
            f"{model.name} can read none of the {len(corpus.sentences)} sentences of "
            f"{corpus.name}. Give shorter ones: --sentences FILE."
        )
    texts, sentences = zip(*found, strict=True)
    return ReadCorpus(texts, sentences, targets)


def padded(sentence: ReadSentence, pad: int) -> ReadSentence:
    """The same with pads behind its source."""
    more = Tokens((pad,) * PADS, ("",) * PADS, ("",) * PADS, _PADS, (None,) * PADS)
    return replace(sentence, source=sentence.source + more)


def blocks(model: Model, sentences: Sequence[ReadSentence], size: int) -> Iterator[SentenceBlock]:
    """The sentences in passes of at most `size`; padded where that changes nothing."""
    key = {at: (len(one.fed), len(one.source)) for at, one in enumerate(sentences)}
    order = sorted(key, key=lambda at: key[at])
    groups = [list(group) for _, group in groupby(order, key=lambda at: key[at])]
    fill = _pad_that_is_hidden(model)
    if fill is not None:
        groups = [order]
    for group in groups:
        for first in range(0, len(group), size):
            places = group[first : first + size]
            sources = [sentences[at].source.ids for at in places]
            targets = [sentences[at].fed.ids for at in places]
            if fill is not None:
                sources, targets = (pad_rows(ids, fill).tolist() for ids in (sources, targets))
            yield SentenceBlock(tuple(places), sources, targets)


def _pad_that_is_hidden(model: Model) -> int | None:
    """The pad of our own models in which pads change no other row; None of any other model."""
    if not isinstance(model, OwnModel) or not model.config.pad_mask or model.config.reads_whole:
        return None
    return model.config.pad_id


def _written(model: Model, text: str, settings: Settings) -> tuple[str, Tokens]:
    """What the model writes greedily, as a text and as tokens."""
    tracer = Tracer(model, Cache(0))
    recipe, decoding = tracer.extend(Recipe(model.name, text, settings=settings), None)
    return tracer.text(decoding), model.labels(recipe.target_ids)


def _links(source: Tokens, target: Tokens, drawn: HandAligned) -> tuple[frozenset[int], ...]:
    """The source positions that belong to each target token, by the words that were linked."""
    sources = word_of_each(source, drawn.source_spans)
    targets = word_of_each(target, drawn.target_spans)
    return tuple(
        frozenset(at for at, other in enumerate(sources) if (other, word) in drawn.links)
        for word in targets
    )
