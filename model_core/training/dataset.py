"""What a model learns from: every kind of pair that a training asks for, as token ids."""

from model_core.tokenizer import Tokenizer, Tokenizers
from model_core.training.data.corpus import Corpus, EncodedPair, encode_pairs
from model_core.training.data.names import renamed
from model_core.training.data.phrases import drawn
from model_core.training.data.synthetic import TAG, Synthetic, tagged
from model_core.training.evaluation.aligner import learn_aligner, with_links
from model_core.training.evaluation.own_sentences import own_sentences
from model_core.values.config import ModelConfig, TrainConfig

Pairs = tuple[EncodedPair, ...]


def learn_tokenizers(corpus: Corpus, synthetic: Synthetic, config: TrainConfig) -> Tokenizers:
    """New tokenizers of both sides; one object where they share it."""
    sources, targets = zip(*corpus.train, *synthetic.pairs, strict=True)
    sources += (TAG,) * len(synthetic.pairs)  # a line of its own, so a piece of its own
    if config.target_tokenizer == "same":
        shared = Tokenizer.train((*sources, *targets), config.tokenizer, config.vocabulary)
        return shared, shared
    return (
        Tokenizer.train(sources, config.tokenizer, config.vocabulary),
        Tokenizer.train(targets, config.target_tokenizer, config.vocabulary),
    )


def pairs_to_learn(
    corpus: Corpus,
    synthetic: Synthetic,
    tokenizers: Tokenizers,
    architecture: ModelConfig,
    config: TrainConfig,
) -> tuple[Pairs, int]:
    """What an epoch reads, the synthetic pairs last, and how many of it people wrote."""
    longest = config.max_tokens
    people = encode_pairs(corpus.train, tokenizers, architecture, longest)
    read = len(people)
    if copies := renamed(corpus, config.names, config.seed):
        people += encode_pairs(copies, tokenizers, architecture, longest)
    phrases: Pairs = ()
    if config.phrases:
        languages = config.source_language, config.target_language
        own = own_sentences(*languages)  # a card counts how many of these are right
        given = drawn(config.phrases, languages, corpus, own, config.seed)
        phrases = encode_pairs(given, tokenizers, architecture, longest)
    made: Pairs = ()
    tag = tokenizers[0].ids(TAG)  # several pieces to one that was made without it
    if synthetic.pairs:
        made = encode_pairs(synthetic.pairs, tokenizers, architecture, longest - len(tag))
    if config.guided_alignment:
        sizes = architecture.source_vocabulary, architecture.target_vocabulary
        aligner = learn_aligner((*people, *phrases, *made), *sizes)
        people, phrases, made = (
            tuple(with_links(some, aligner)) for some in (people, phrases, made)
        )
    return people * config.repeated + phrases + tuple(tagged(pair, tag) for pair in made), read
