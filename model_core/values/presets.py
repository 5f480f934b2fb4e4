"""Named architectures and trainings: of papers, of tutorials, and of the shipped models."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from model_core.errors import ConfigError
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.strings import LANGUAGES


@dataclass(frozen=True)
class Preset:
    """A named pair of configurations with one sentence on where it comes from."""

    about: str
    model: ModelConfig
    train: TrainConfig = field(default_factory=TrainConfig)
    group: str = ""  # under which the menu of the page has its models

    def __post_init__(self) -> None:
        if self.train.max_tokens > self.model.max_positions:
            raise ConfigError(
                f"max_tokens is {self.train.max_tokens}, and the model reads "
                f"{self.model.max_positions}. Raise max_positions, or lower max_tokens."
            )
        if self.model.tied == "all" and self.train.target_tokenizer != "same":
            raise ConfigError(
                "tied is 'all', and the two sides have tokenizers of their own, so that their "
                "embeddings cannot be shared. Set tied to 'target'."
            )
        dropouts = (p for name, p in vars(self.model).items() if name.startswith("dropout_"))
        if self.train.consistency and not any(dropouts):
            raise ConfigError(
                f"consistency is {self.train.consistency}, and without any dropout both readings "
                "are the same. Set consistency to 0, or dropout_residual to 0.1."
            )


# The same configuration, but for some fields.
_but = dataclasses.replace

_PAPER = ModelConfig(
    width=512,
    encoder_layers=6,
    decoder_layers=6,
    feed_forward_width=2048,
    max_positions=512,
    attention_bias=False,
    output_bias=False,
    tied="all",
)
_SMALL = ModelConfig(tied="all", max_positions=64, dropout_attention=0.1)
_SMALL_FR = _but(_SMALL, feed_forward_width=768)
# Two vocabularies, and few pairs: more dropout.
_OF_CHARACTERS = _but(
    _SMALL, tied="target", feed_forward_width=512, dropout_embedding=0.2, dropout_residual=0.2
)
_TRANSLATING = TrainConfig(batch_tokens=2048, learning_rate=1.2e-3, average_last=4)
# For 160,000 short pairs and an hour or two on two CPU cores.
_EN_FR = _but(_TRANSLATING, updates=4500, batch_tokens=3072, warmup=800, cooldown=1500)
_EN_DE = _but(_EN_FR, target_language="de", updates=3600, cooldown=1200, validate_every=400)
_CHINESE = _but(_TRANSLATING, vocabulary=4000, guided_alignment=0.1, warmup=600, validate_every=300)
_EN_ZH = _but(_CHINESE, target_language="zh", updates=3000, cooldown=1000)
_EN_ZH = _but(_EN_ZH, tokenizer="bpe", target_tokenizer="characters")
_ZH_EN = _but(_CHINESE, source_language="zh", target_language="en", updates=4500, cooldown=1500)
_ZH_EN = _but(_ZH_EN, tokenizer="characters", target_tokenizer="bpe", consistency=2.5)
_ZH_EN = _but(_ZH_EN, source_column=1, target_column=0)
# What `prepare` writes: its columns, and sentences of up to 60 words.
_OWN_PAIR = _but(_TRANSLATING, source_language="source", target_language="target", max_tokens=128)
_OWN_PAIR = _but(_OWN_PAIR, updates=4000, warmup=500, cooldown=1000, validate_every=250)
# Wu et al. 2021 (ACL), the text-only Transformer-Tiny. They read up to 8,000 updates at the rate of
# the inverse square root; half as many are enough where it falls to zero.
_MULTI30K = TrainConfig(
    target_language="de",
    vocabulary=9708,
    references_per_source=0,
    updates=4000,
    batch_tokens=8192,
    learning_rate=5e-3,
    warmup=2000,
    cooldown=1200,
    validate_every=80,
    average_last=10,
)
# One cross-attention head that all copying must pass through: it becomes the anti-diagonal that
# readers look for.
_TINY = ModelConfig(
    source_vocabulary=320,
    target_vocabulary=320,
    width=96,
    encoder_layers=2,
    decoder_layers=1,
    encoder_heads=4,
    decoder_heads=1,
    feed_forward_width=192,
    max_positions=48,
    norm_place="pre",
    final_norm=True,
    tied="all",
    dropout_embedding=0.0,
    dropout_residual=0.0,
)
_REVERSE = TrainConfig(
    task="reverse",
    source_language="text",
    target_language=LANGUAGES["reverse"],
    tokenizer="characters",
    vocabulary=320,
    max_tokens=33,
    updates=4000,
    batch_tokens=2048,
    learning_rate=4e-3,
    warmup=300,
    cooldown=1200,
    label_smoothing=0.0,
    validate_every=250,
    average_last=3,
)
# Strings of up to 12 characters, learnt in minutes on one core. The models of this family differ
# from `reverse-sinusoidal` in what their names say and in nothing else.
_FAMILY = _but(_TINY, width=64, feed_forward_width=128, max_positions=32)
_SHORT_REVERSE = _but(
    _REVERSE,
    longest_string=12,
    max_tokens=13,
    updates=800,
    batch_tokens=1024,
    warmup=150,
    cooldown=400,
    precision="float32",
    validate_every=400,
    average_last=1,
)


# Each by its group and its name: what is said of it, and how it differs from the first.
_MEMBERS: dict[str, dict[str, tuple[str, dict[str, Any]]]] = {
    "positions": {
        "sinusoidal": ("positions are added sines (Vaswani et al. 2017)", {}),
        "learned": ("positions are learnt vectors that are added", {"positions": "learned"}),
        "rotary": ("positions turn queries and keys (Su et al. 2021)", {"positions": "rotary"}),
        "no-positions": ("it has to do so without positions", {"positions": "none"}),
    },
    "similarity": {
        "dot": ("the similarity is a product that is not scaled", {"similarity": "dot"}),
        "additive": (
            "the similarity is additive (Bahdanau et al. 2015)",
            {"similarity": "additive"},
        ),
        "bilinear": ("the similarity is bilinear (Luong et al. 2015)", {"similarity": "bilinear"}),
    },
    "layers": {
        "post-norm": (
            "the norm follows each sub-layer",
            {"norm_place": "post", "final_norm": False},
        ),
        "four-heads": ("the decoder has four heads, the others one", {"decoder_heads": 4}),
    },
}


def _small(name: str, tutorial: Preset) -> Preset:
    """A tutorial's Transformer at a width that is trained in minutes, on the family's task."""
    model = _but(
        tutorial.model,
        width=64,
        encoder_layers=2,
        decoder_layers=2,
        encoder_heads=4,
        decoder_heads=4,
        head_width=16,
        feed_forward_width=128,
        max_positions=32,
    )
    about = f"The Transformer of the preset {name}, small: {tutorial.about}"
    return Preset(about, model, _SHORT_REVERSE, "tutorials")


# The five from "convolutions" on are the Transformers of five widely read from-scratch tutorials;
# in brackets, what sets each apart.
PRESETS: dict[str, Preset] = {
    "paper": Preset("Vaswani et al. 2017, the base model.", _PAPER),
    "en-fr": Preset(
        "English to French, 3+3 layers, every embedding shared.", _SMALL_FR, _EN_FR, "translation"
    ),
    "en-fr-prenorm": Preset(
        "English to French, with the norm before each sub-layer.",
        _but(_SMALL_FR, norm_place="pre", final_norm=True),
        _EN_FR,
        "translation",
    ),
    "en-de": Preset(
        "English to German, 3+3 layers, every embedding shared.", _SMALL_FR, _EN_DE, "translation"
    ),
    "zh-en": Preset(
        "Chinese characters to English word pieces, 3+3 layers.",
        _OF_CHARACTERS,
        _ZH_EN,
        "translation",
    ),
    "en-zh": Preset(
        "English word pieces to Chinese characters, 3+3 layers.",
        _OF_CHARACTERS,
        _EN_ZH,
        "translation",
    ),
    "own-pair": Preset(
        "A language pair of your own, 3+3 layers, every embedding shared.",
        _but(_SMALL_FR, max_positions=128),
        _OWN_PAIR,
    ),
    "multi30k": Preset(
        "The Transformer-Tiny of Wu et al. 2021 for Multi30k, to compare with a published score.",
        ModelConfig(
            width=128,
            encoder_layers=4,
            decoder_layers=4,
            encoder_heads=4,
            decoder_heads=4,
            feed_forward_width=256,
            max_positions=64,
            tied="all",
            dropout_embedding=0.3,
            dropout_residual=0.3,
        ),
        _MULTI30K,
    ),
    "reverse-tiny": Preset(
        "Reverses a string of digits and letters; the right cross-attention is an anti-diagonal.",
        _TINY,
        _REVERSE,
        "reversal",
    ),
    "reverse-hard": Preset(
        "Reverses a string, with hard attention: each query reads the one key that scores highest.",
        _but(_TINY, attention="hard"),
        _REVERSE,
        "reversal",
    ),
    "convolutions": Preset(
        "Post-norm, width-1 convolutions as feed-forward [unscaled embedding, heads of 64, no "
        "bias].",
        _but(
            _PAPER,
            tied="none",
            scale_embedding=False,
            head_width=64,
            feed_forward="convolution",
            max_positions=1024,
            dropout_residual=0.0,
        ),
    ),
    "pre-norm": Preset(
        "Pre-norm with a final norm [one gain and one bias per norm, eps outside the root].",
        _but(
            _PAPER,
            tied="none",
            norm_place="pre",
            norm="scalar",
            norm_eps=1e-6,
            final_norm=True,
            attention_bias=True,
            output_bias=True,
            logits_bias=True,
            dropout_attention=0.1,
            dropout_feed_forward=0.1,
        ),
    ),
    "joined-heads": Preset(
        "Heads are joined and not projected again [dropout after the activation].",
        _but(
            _PAPER,
            tied="none",
            attention_bias=True,
            output_projection=False,
            dropout_feed_forward=0.1,
        ),
    ),
    "bilinear": Preset(
        "Similarity q W k; the same article also has dot, scaled dot, additive and hard attention.",
        _but(_PAPER, tied="none", attention_bias=True, output_bias=True, similarity="bilinear"),
    ),
    "no-bias": Preset(
        "Post-norm without biases in attention [dropout on the weights, unscaled embedding].",
        _but(_PAPER, tied="none", scale_embedding=False, dropout_attention=0.1, max_positions=1000),
    ),
}
PRESETS |= {
    f"reverse-{name}": Preset(
        f"Reverses a string; {about}.", _but(_FAMILY, **changes), _SHORT_REVERSE, group
    )
    for group, members in _MEMBERS.items()
    for name, (about, changes) in members.items()
}
PRESETS |= {
    task: Preset(
        f"{about}, as `reverse-sinusoidal` reverses it.",
        _FAMILY,
        _but(_SHORT_REVERSE, task=task, target_language=LANGUAGES[task]),
    )
    for task, about in {"copy": "Copies a string", "sort": "Sorts a string"}.items()
}
PRESETS["reverse-no-warm-up"] = Preset(
    "Reverses a string; the norm follows each sub-layer, and the learning rate was full from the "
    "first update.",
    PRESETS["reverse-post-norm"].model,
    _but(_SHORT_REVERSE, warmup_from=1.0),
    "layers",
)
PRESETS["reverse-leak"] = Preset(
    "Reverses a string; while it learnt, a mistake in the causal mask let it see what to write.",
    _FAMILY,
    _but(_SHORT_REVERSE, broken_causal_mask="ahead"),
    "layers",
)
_TUTORIALS = ("convolutions", "pre-norm", "joined-heads", "bilinear", "no-bias")
PRESETS |= {f"tutorial-{name}": _small(name, PRESETS[name]) for name in _TUTORIALS}
