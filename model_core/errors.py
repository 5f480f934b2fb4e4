"""Every error a user can cause, as one tree. A message names the thing, the limit and the remedy.

VisualiserError
├── ConfigError            a setting is outside its range, or two settings contradict each other
├── RecipeError            a recipe is malformed, too large, or asks for a token there is not
│   ├── SourceTooLong      the source has more tokens or characters than the model reads
│   └── DecodingFinished   a finished decoding was asked to go on
├── CheckpointError        a checkpoint folder cannot be used
│   ├── CheckpointMissing  there is no such folder, or a file of it is not there
│   └── CheckpointBroken   a file is truncated, has unknown keys, lacks tensors or has wrong shapes
├── TokenizerError         a tokenizer cannot be read or does not fit its model
└── CorpusError            training data cannot be used
"""


class VisualiserError(Exception):
    """The root of the tree; `str(error)` is fit to be shown to a reader.

    For readers of other languages, `code` names the sentence and `values` are what it quotes; an
    error without a code of its own has that of its class.
    """

    code = "other"

    def __init__(self, message: str, code: str | None = None, **values: str | int):
        super().__init__(message)
        self.code = code or type(self).code
        self.values = values


class ConfigError(VisualiserError):
    """A setting is outside its range, or two settings contradict each other."""


class RecipeError(VisualiserError):
    """A recipe is malformed, too large, or asks for a token the model does not have."""


class SourceTooLong(RecipeError):
    """The source has more tokens or characters than the model reads."""

    @classmethod
    def check(cls, tokens: int, limit: int) -> None:
        """Raise where so many source tokens, end token and pads included, are over the limit."""
        if tokens > limit:
            raise cls(
                f"The sentence has {tokens} tokens, the end token and pads included; "
                f"this model reads {limit}. Shorten it.",
                "tokens",
                n=tokens,
                limit=limit,
            )


class DecodingFinished(RecipeError):
    """A finished decoding was asked to go on."""


class CheckpointError(VisualiserError):
    """A checkpoint folder cannot be used."""

    code = "checkpoint"


class CheckpointMissing(CheckpointError):
    """There is no such folder, or a file of it is not there."""


class CheckpointBroken(CheckpointError):
    """A file is truncated, has unknown keys, lacks tensors or has tensors of wrong shapes."""


class TokenizerError(VisualiserError):
    """A tokenizer cannot be read or does not fit its model."""

    code = "checkpoint"


class CorpusError(VisualiserError):
    """Training data cannot be used."""
