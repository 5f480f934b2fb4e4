"""What a model is made of and how it is trained, as plain values with checked ranges.

Every variant of the Transformer that the project knows is a combination of the fields of
`ModelConfig`; `presets.py` names the combinations that people meet.
"""

import math
import reprlib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from model_core.errors import ConfigError
from model_core.values.special import Special


def require(condition: bool, message: str) -> None:
    """Raise ConfigError with the message where the condition does not hold."""
    if not condition:
        raise ConfigError(message)


def _check_literals(config: Any) -> None:
    """Refuse a value that its Literal field does not list, and say which it does."""
    for name, hint in _fields_of(config.__class__)[0].items():
        if get_origin(hint) is Literal:
            value, allowed = getattr(config, name), get_args(hint)
            told = f"{name} is {shown(value)}; choose one of {', '.join(allowed)}."
            require(value in allowed, told)


_LONG = "a number of more than 20 digits"


def shown(value: object) -> str:
    """The value as an error message quotes it: short, however large or deep the value is."""
    try:
        return reprlib.repr(value) if not isinstance(value, int) or abs(value) < 10**20 else _LONG
    except ValueError:  # Python refuses to spell the longest ones
        return _LONG


@cache
def _fields_of(cls: type) -> tuple[dict[str, Any], frozenset[str]]:
    """The types of a dataclass's fields by name, and which of them have no default."""
    needed = {f.name for f in fields(cls) if f.default is f.default_factory is MISSING}
    return get_type_hints(cls), frozenset(needed)


def from_json(cls: type, values: Any) -> Any:
    """An instance of the dataclass `cls` from a JSON object, each field read by its type.

    A whole number may stand for a float, and a list is read as a tuple. Raises ConfigError, which
    names unknown keys, missing keys and wrong types, besides what the class's own checks raise.
    """
    require(isinstance(values, dict), f"{cls.__name__} must be a JSON object.")
    hints, needed = _fields_of(cls)
    unknown = [shown(name) for name in values if name not in hints]
    require(not unknown, f"{cls.__name__} does not know {', '.join(unknown[:3])}.")
    missing = sorted(needed - set(values))
    require(not missing, f"{cls.__name__} lacks {' and '.join(missing)}.")
    return cls(**{name: _read(name, hints[name], value) for name, value in values.items()})


def _read(name: str, hint: Any, value: Any) -> Any:
    """A field's value of the type `hint`; what a Literal allows its class checks."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is UnionType:  # or None
        return None if value is None else _read(name, parts[0], value)
    if isinstance(hint, type) and is_dataclass(hint):
        own = getattr(hint, "from_json", None)
        return value if isinstance(value, hint) else own(value) if own else from_json(hint, value)
    if origin is tuple:
        count = None if parts[-1] is Ellipsis else len(parts)
        right = isinstance(value, list | tuple) and count in (None, len(value))
        if not right:
            many = f" of {count}" if count else ""
            raise ConfigError(f"{name} is {shown(value)}; it must be a list{many}.")
        return tuple(_read(name, parts[0], one) for one in value)
    if origin in (dict, Mapping):
        require(isinstance(value, dict), f"{name} must be a JSON object.")
    if hint in (int, float, bool, str):
        whole = hint is float and type(value) is int and abs(value) < 2**53
        finite = hint is not float or whole or (type(value) is float and math.isfinite(value))
        if not ((type(value) is hint or whole) and finite):
            raise ConfigError(f"{name} is {shown(value)}; it must be of type {hint.__name__}.")
    return value


# What sets a model apart from the paper's mathematics, the gravest first.
UNUSUAL = {
    "cross_queries": (
        "Cross-attention takes its queries and keys from the source and its values from the "
        "target: the target is filled up with pads to the length of the source, cannot be "
        "longer, and is read as a whole. Add pads for a longer one."
    ),
    "joined": (
        "Heads are joined as they lie in memory, without transposing back: a position's row "
        "holds pieces of other positions, later ones too, so every new token changes all earlier "
        "rows."
    ),
    "no_pad_mask": "No mask hides pads: they are attended to like any token.",
    "hidden_score": (
        "Masks write −1e9 in the place of −∞: a row without any allowed key attends evenly."
    ),
    "divisor": "Scores are divided by √D, the width of the model, not by √E, that of a head.",
    "rotation": "Rotary positions turn queries and keys by minus the usual angle.",
    "scalar_norm": (
        "A norm has one gain and one bias for all dimensions, divides by the sample deviation "
        "and adds ε outside the root."
    ),
    "sample_norm": (
        "A norm divides by the sample deviation (divisor D − 1) and adds ε outside the root."
    ),
    "no_output_projection": "The heads are joined and not projected again.",
    "unscaled_embedding": "Embeddings are not multiplied by √D.",
    "source_start": "A start token stands before the source too.",
}


@dataclass(frozen=True)
class ModelConfig:
    """The architecture of one encoder-decoder Transformer."""

    source_vocabulary: int = 8000  # 4 or more
    target_vocabulary: int = 8000  # 4 or more
    width: int = 256  # D; even where positions are sinusoidal
    encoder_layers: int = 3  # 1 to 48
    decoder_layers: int = 3  # 1 to 48
    encoder_heads: int = 8
    decoder_heads: int = 8  # of both decoder self-attention and cross-attention
    head_width: int = 0  # E; 0 means width / heads, which must then divide
    feed_forward_width: int = 1024  # F
    max_positions: int = 128  # longest sequence, special tokens included
    norm_place: Literal["post", "pre"] = "post"
    # "layer": the paper's. The others divide by the sample deviation plus eps; "sample" has a gain
    # and a bias per dimension, "scalar" one for all.
    norm: Literal["layer", "sample", "scalar"] = "layer"
    norm_eps: float = 1e-5  # 0 < eps <= 1; "layer" adds it under the root, the others outside
    final_norm: bool = False  # one more norm after the last layer of each stack
    feed_forward: Literal["linear", "convolution"] = "linear"
    activation: Literal["relu", "gelu"] = "relu"
    scale_embedding: bool = True  # multiply embeddings by sqrt(width)
    attention_bias: bool = True  # in the projections to queries, keys and values
    output_projection: bool = True  # the linear layer after the heads are joined
    output_bias: bool = True  # in that layer
    logits_bias: bool = False  # in the projection to the target vocabulary
    tied: Literal["none", "target", "all"] = "none"  # target: embedding = logits; all: and source
    positions: Literal["sinusoidal", "learned", "rotary", "none"] = "sinusoidal"
    # "stored": the table of sines comes with the weights, as another program computed it.
    position_table: Literal["computed", "stored"] = "computed"
    rotation: Literal["forward", "backward"] = "forward"  # of rotary positions: the sense of turn
    similarity: Literal["scaled_dot", "dot", "additive", "bilinear"] = "scaled_dot"
    divisor: Literal["head", "model"] = "head"  # scaled_dot divides by the root of this width
    attention: Literal["soft", "hard"] = "soft"
    # What takes the place of a hidden score; with -1e9 a row without an allowed key attends evenly.
    hidden_score: Literal["-inf", "-1e9"] = "-inf"
    pad_mask: bool = True  # False: pads are attended to like any token
    # "as_they_lie": the heads (H, T, E) are read as (T, H x E) without transposing, so that a
    # position's row holds pieces of other positions.
    joined: Literal["transposed", "as_they_lie"] = "transposed"
    # "source": cross-attention takes queries and keys from the source, values from the target.
    cross_queries: Literal["target", "source"] = "target"
    dropout_embedding: float = 0.1  # after positions are added; 0 <= p < 1, as all dropouts
    dropout_attention: float = 0.0  # on the weights; what is recorded is before it
    dropout_feed_forward: float = 0.0  # after the activation
    dropout_residual: float = 0.1  # on each sub-layer's output before it is added
    pad_id: int = 0
    start_id: int = 1
    end_id: int = 2
    unknown_id: int | None = None  # of what the vocabulary lacks; None where nothing is unknown
    source_start_id: int | None = None  # stands before every source; None: nothing does

    def __post_init__(self) -> None:
        _check_literals(self)
        for low, high, names in (
            (4, 1_000_000, ("source_vocabulary", "target_vocabulary")),
            (2, 8192, ("width", "max_positions")),
            (1, 48, ("encoder_layers", "decoder_layers")),
            (1, 128, ("encoder_heads", "decoder_heads")),
            (0, 1024, ("head_width",)),
            (1, 65536, ("feed_forward_width",)),
        ):
            for name in names:
                value = getattr(self, name)
                told = f"{name} is {shown(value)}; it must lie in {low} to {high}."
                require(low <= value <= high, told)
        for name in ("embedding", "attention", "feed_forward", "residual"):
            value = getattr(self, f"dropout_{name}")
            told = f"dropout_{name} is {value}; it must be at least 0 and below 1."
            require(0 <= value < 1, told)
        told = f"norm_eps is {self.norm_eps}; it must be above 0 and at most 1."
        require(0 < self.norm_eps <= 1, told)
        special = {self.pad_id, self.start_id, self.end_id}
        smaller = min(self.source_vocabulary, self.target_vocabulary)
        told = "pad_id, start_id and end_id must be three different ids inside both vocabularies."
        require(len(special) == 3 and min(special) >= 0 and max(special) < smaller, told)
        for name in ("unknown_id", "source_start_id"):
            token = getattr(self, name)
            known = type(token) is int and token in range(smaller)
            require(
                token is None or (known and token not in (self.pad_id, self.end_id)),
                f"{name} is {shown(token)}; it must be null, or an id inside both vocabularies "
                "that is not the pad or the end.",
            )
        for side in ("encoder", "decoder"):
            heads = getattr(self, f"{side}_heads")
            told = f"width {self.width} is not divisible by {heads} {side} heads; set head_width."
            require(self.head_width > 0 or self.width % heads == 0, told)
            E, is_rotary = self.width_of_head(heads), self.positions == "rotary"
            told = f"without output_projection the {side} heads must add up to the width: "
            told += f"{heads * E} is not {self.width}."
            require(self.output_projection or heads * E == self.width, told)
            require(not is_rotary or E % 2 == 0, "rotary positions need an even head width.")
        told = f"sinusoidal positions need an even width, not {self.width}."
        require(self.positions != "sinusoidal" or self.width % 2 == 0, told)
        told = f"position_table is stored, and positions are {self.positions}, not sinusoidal."
        require(self.position_table == "computed" or self.positions == "sinusoidal", told)
        told = "rotary positions go with heads joined by position and queries from the target only."
        require(not self.reads_whole or self.positions != "rotary", told)
        told = "tied='all' needs source and target vocabularies of the same size."
        require(self.tied != "all" or self.source_vocabulary == self.target_vocabulary, told)

    def width_of_head(self, heads: int) -> int:
        """E, the width of one of `heads` heads."""
        return self.head_width or self.width // heads

    @property
    def special(self) -> Special:
        """The tokens that are no text."""
        ids = (self.pad_id, self.start_id, self.end_id, self.unknown_id, self.source_start_id)
        return Special(*ids)

    def longest_target(self, source_tokens: int) -> int:
        """How many target tokens the decoder can read beside a source of so many."""
        of_source = self.cross_queries == "source"
        return min(source_tokens, self.max_positions) if of_source else self.max_positions

    @property
    def reads_whole(self) -> bool:
        """Whether every token of the target changes what is made of those before it.

        Then nothing that was computed for a shorter target can be kept.
        """
        return self.joined == "as_they_lie" or self.cross_queries == "source"

    @property
    def unusual(self) -> tuple[str, ...]:
        """Codes of what sets this model apart from the paper's mathematics, the gravest first."""
        codes = {
            "cross_queries": self.cross_queries == "source",
            "joined": self.joined == "as_they_lie",
            "no_pad_mask": not self.pad_mask,
            "hidden_score": self.hidden_score == "-1e9",
            "divisor": self.similarity == "scaled_dot" and self.divisor == "model",
            "rotation": self.positions == "rotary" and self.rotation == "backward",
            "scalar_norm": self.norm == "scalar",
            "sample_norm": self.norm == "sample",
            "no_output_projection": not self.output_projection,
            "unscaled_embedding": not self.scale_embedding,
            "source_start": self.source_start_id is not None,
        }
        return tuple(code for code, applies in codes.items() if applies)


@dataclass(frozen=True)
class TrainConfig:
    """How a model is trained and on what. Together with the data it determines the weights."""

    task: Literal["translate", "reverse"] = "translate"  # "reverse" generates its own strings
    strings: int = 100_000  # that it generates for training, at most; 100 or more
    longest_string: int = 32  # characters, of the reverse task; 1 or more
    source_column: int = 0  # of train.tsv and valid.tsv, counted from 0
    target_column: int = 1
    synthetic: str = ""  # file of the data folder with pairs of which a model wrote one side
    repeated: int = 1  # how often an epoch reads each pair of train.tsv; a synthetic one, once
    source_language: str = "en"
    target_language: str = "fr"
    tokenizer: Literal["bpe", "characters"] = "bpe"
    target_tokenizer: Literal["same", "bpe", "characters"] = "same"  # "same": one for both sides
    vocabulary: int = 8000  # upper limit of each tokenizer
    references_per_source: int = 4  # translations of one source that are used; 0 = all
    max_tokens: int = 64  # longer training pairs are left out; tokens per side
    updates: int = 20_000
    # The most on either side of a batch, pads included; read twice with consistency.
    batch_tokens: int = 4096
    learning_rate: float = 1e-3  # at the end of the warm-up
    warmup: int = 2000  # updates
    cooldown: int = 0  # last updates, over which the rate falls to zero; 0 = it does not
    betas: tuple[float, float] = (0.9, 0.98)
    weight_decay: float = 0.0
    label_smoothing: float = 0.1
    consistency: float = 0.0  # weight of the loss that makes two readings with dropout agree
    guided_alignment: float = 0.0  # weight of the loss that teaches two heads an aligner's links
    clip: float = 1.0  # largest norm of the gradient; 0 = no clipping
    precision: Literal["auto", "float32", "bfloat16"] = "auto"  # "auto" measures which is faster
    stored: Literal["float32", "float16"] = "float16"  # the weights on disk; they open as float32
    validate_every: int = 500  # updates
    average_last: int = 5  # validation points whose weights are averaged
    seed: int = 1

    def __post_init__(self) -> None:
        _check_literals(self)
        told = f"betas is {shown(self.betas)}; it must be two numbers of at least 0 and below 1."
        pair = isinstance(self.betas, tuple) and list(map(type, self.betas)) == [float, float]
        require(pair and all(0 <= beta < 1 for beta in self.betas), told)
        positive = ("vocabulary", "max_tokens", "updates", "batch_tokens", "validate_every")
        for name in (*positive, "longest_string", "average_last", "warmup", "repeated"):
            value = getattr(self, name)
            require(value >= 1, f"{name} is {shown(value)}; it must be 1 or more.")
        told = f"learning_rate is {self.learning_rate}; it must be a finite number above 0."
        require(0 < self.learning_rate < math.inf, told)
        told = f"seed is {shown(self.seed)}; it must be 0 or more and have at most 63 bits."
        require(0 <= self.seed < 2**63, told)
        require(self.strings >= 100, f"strings is {shown(self.strings)}; it must be 100 or more.")
        require(0 <= self.label_smoothing < 1, "label_smoothing must be at least 0 and below 1.")
        not_negative = ("consistency", "guided_alignment", "weight_decay", "clip", "cooldown")
        for name in (*not_negative, "references_per_source", "source_column", "target_column"):
            value = getattr(self, name)
            told = f"{name} is {shown(value)}; it must be 0 or more, and finite."
            require(0 <= value < math.inf, told)
        require(
            self.batch_tokens >= self.max_tokens,
            f"a batch of {shown(self.batch_tokens)} tokens cannot hold a sentence of max_tokens "
            f"{shown(self.max_tokens)}.",
        )
