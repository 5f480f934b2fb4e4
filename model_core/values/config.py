"""What a model is made of and how it is trained, as plain values with checked ranges.

Every variant of the Transformer that the project knows is a combination of the fields of
`ModelConfig`; `presets.py` names the combinations that people meet.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Checked, Within, check, shown
from model_core.values.special import Special

Vocabulary = Annotated[int, Within(4, 1_000_000)]
Layers = Annotated[int, Within(1, 48)]
Heads = Annotated[int, Within(1, 128)]
Rate = Annotated[float, Within(0, below=1)]
Count = Annotated[int, Within(1)]
Natural = Annotated[int, Within(0)]
Amount = Annotated[float, Within(0)]

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
    "split": (
        "Vectors are split into heads as they lie in memory, without transposing: a head's row "
        "holds pieces of a few neighbouring positions, and which they are changes with the length."
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
class ModelConfig(Checked):
    """The architecture of one encoder-decoder Transformer."""

    source_vocabulary: Vocabulary = 8000
    target_vocabulary: Vocabulary = 8000
    width: Annotated[int, Within(2, 8192)] = 256  # D; even where positions are sinusoidal
    encoder_layers: Layers = 3
    decoder_layers: Layers = 3
    encoder_heads: Heads = 8
    decoder_heads: Heads = 8  # of both decoder self-attention and cross-attention
    # E; 0 means width / heads, which must then divide.
    head_width: Annotated[int, Within(0, 1024)] = 0
    feed_forward_width: Annotated[int, Within(1, 65536)] = 1024  # F
    # The longest sequence, special tokens included.
    max_positions: Annotated[int, Within(2, 8192)] = 128
    norm_place: Literal["post", "pre"] = "post"
    # "layer": the paper's. The others divide by the sample deviation plus eps; "sample" has a gain
    # and a bias per dimension, "scalar" one for all.
    norm: Literal["layer", "sample", "scalar"] = "layer"
    # "layer" adds it under the root, the others outside.
    norm_eps: Annotated[float, Within(above=0, most=1)] = 1e-5
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
    # "as_they_lie": the vectors (T, H x E) are read as (H, T, E) without transposing, so that a
    # head's row holds a piece of some other position.
    split: Literal["transposed", "as_they_lie"] = "transposed"
    # "source": cross-attention takes queries and keys from the source, values from the target.
    cross_queries: Literal["target", "source"] = "target"
    dropout_embedding: Rate = 0.1  # after positions are added
    dropout_attention: Rate = 0.0  # on the weights; what is recorded is before it
    dropout_feed_forward: Rate = 0.0  # after the activation
    dropout_residual: Rate = 0.1  # on each sub-layer's output before it is added
    pad_id: int = 0
    start_id: int = 1
    end_id: int = 2
    unknown_id: int | None = None  # of what the vocabulary lacks; None where nothing is unknown
    source_start_id: int | None = None  # stands before every source; None: nothing does

    def __post_init__(self) -> None:
        super().__post_init__()
        special = {self.pad_id, self.start_id, self.end_id}
        smaller = min(self.source_vocabulary, self.target_vocabulary)
        message = (
            "pad_id, start_id and end_id must be three different ids inside both vocabularies."
        )
        check(len(special) == 3 and min(special) >= 0 and max(special) < smaller, message)
        for name in ("unknown_id", "source_start_id"):
            token = getattr(self, name)
            known = type(token) is int and token in range(smaller)
            check(
                token is None or (known and token not in (self.pad_id, self.end_id)),
                f"{name} is {shown(token)}; it must be null, or an id inside both vocabularies "
                "that is not the pad or the end.",
            )
        for side in ("encoder", "decoder"):
            heads = getattr(self, f"{side}_heads")
            message = (
                f"width {self.width} is not divisible by {heads} {side} heads; set head_width."
            )
            check(self.head_width > 0 or self.width % heads == 0, message)
            E, is_rotary = self.width_of_head(heads), self.positions == "rotary"
            message = f"without output_projection the {side} heads must add up to the width: "
            message += f"{heads * E} is not {self.width}."
            check(self.output_projection or heads * E == self.width, message)
            check(not is_rotary or E % 2 == 0, "rotary positions need an even head width.")
        message = f"sinusoidal positions need an even width, not {self.width}."
        check(self.positions != "sinusoidal" or self.width % 2 == 0, message)
        message = f"position_table is stored, and positions are {self.positions}, not sinusoidal."
        check(self.position_table == "computed" or self.positions == "sinusoidal", message)
        message = (
            "rotary positions go with heads split and joined by position and with queries from "
            "the target only."
        )
        check(not self.reads_whole or self.positions != "rotary", message)
        message = "tied='all' needs source and target vocabularies of the same size."
        check(self.tied != "all" or self.source_vocabulary == self.target_vocabulary, message)

    def width_of_head(self, heads: int) -> int:
        """E, the width of one of `heads` heads."""
        return self.head_width or self.width // heads

    @property
    def special(self) -> Special:
        """The tokens that are no text."""
        ids = (self.pad_id, self.start_id, self.end_id, self.unknown_id, self.source_start_id)
        return Special(*ids)

    def longest_target(self, source_tokens: int) -> int:
        """How many target tokens the decoder can read beside a source of this length."""
        of_source = self.cross_queries == "source"
        return min(source_tokens, self.max_positions) if of_source else self.max_positions

    @property
    def reads_whole(self) -> bool:
        """Whether every token of the target changes what is made of those before it.

        Then nothing that was computed for a shorter target can be kept.
        """
        return "as_they_lie" in (self.joined, self.split) or self.cross_queries == "source"

    @property
    def unusual(self) -> tuple[str, ...]:
        """Codes of what sets this model apart from the paper's mathematics, the gravest first."""
        codes = {
            "cross_queries": self.cross_queries == "source",
            "joined": self.joined == "as_they_lie",
            "split": self.split == "as_they_lie",
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
class TrainConfig(Checked):
    """How a model is trained and on what. Together with the data it determines the weights."""

    # All but "translate" make up the strings that they learn from.
    task: Literal["translate", "reverse", "copy", "sort"] = "translate"
    strings: Annotated[int, Within(100)] = 100_000  # made up for training, at most
    longest_string: Count = 32  # characters of those
    source_column: Natural = 0  # of train.tsv and valid.tsv, counted from 0
    target_column: Natural = 1
    synthetic: str = ""  # file of the data folder with pairs of which a model wrote one side
    names: Natural = 0  # copies of each pair with a name on both sides, with another name
    phrases: Natural = 0  # pairs of a phrasebook of our own, which an epoch reads too
    repeated: Count = 1  # how often an epoch reads each pair of train.tsv; a synthetic one, once
    source_language: str = "en"
    target_language: str = "fr"
    tokenizer: Literal["bpe", "characters"] = "bpe"
    target_tokenizer: Literal["same", "bpe", "characters"] = "same"  # "same": one for both sides
    vocabulary: Count = 8000  # upper limit of each tokenizer
    references_per_source: Natural = 4  # translations of one source that are used; 0 = all
    max_tokens: Count = 64  # longer training pairs are left out; tokens per side
    updates: Count = 20_000
    # The most on either side of a batch, pads included; read twice with consistency.
    batch_tokens: Count = 4096
    learning_rate: Annotated[float, Within(above=0)] = 1e-3  # at the end of the warm-up
    warmup: Count = 2000  # updates
    # The share of that rate where the warm-up begins; 1 = there is none.
    warmup_from: Annotated[float, Within(0, 1)] = 0.0
    cooldown: Natural = 0  # last updates, over which the rate falls to zero; 0 = it does not
    betas: Annotated[tuple[float, float], Within(0, below=1)] = (0.9, 0.98)
    weight_decay: Amount = 0.0
    label_smoothing: Rate = 0.1
    consistency: Amount = 0.0  # weight of the loss that makes two readings with dropout agree
    guided_alignment: Amount = 0.0  # weight of the loss that teaches two heads an aligner's links
    # While it is trained; the model itself keeps the right mask. "": it is not broken.
    broken_causal_mask: Literal["", "none", "ahead", "behind"] = ""
    clip: Amount = 1.0  # largest norm of the gradient; 0 = no clipping
    precision: Literal["auto", "float32", "bfloat16"] = "auto"  # "auto" measures which is faster
    stored: Literal["float32", "float16"] = "float16"  # the weights on disk; they open as float32
    validate_every: Count = 500  # updates
    average_last: Count = 5  # validation points whose weights are averaged
    seed: Annotated[int, Within(0, 2**63 - 1)] = 1

    @property
    def is_of_strings(self) -> bool:
        """Whether it makes up what it learns from."""
        return self.task != "translate"

    def __post_init__(self) -> None:
        super().__post_init__()
        check(
            self.batch_tokens >= self.max_tokens,
            f"a batch of {shown(self.batch_tokens)} tokens cannot hold a sentence of max_tokens "
            f"{shown(self.max_tokens)}.",
        )
