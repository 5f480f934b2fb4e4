"""Every error a user can cause, as a tree. A message names the thing, the limit and the remedy."""

from typing import TypedDict


class ToldError(TypedDict):
    """An error as a JSON object."""

    kind: str
    message: str
    code: str
    values: dict[str, str | int]


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

    def to_json(self) -> ToldError:
        """The error as a JSON object."""
        kind, message = type(self).__name__, str(self)
        return {"kind": kind, "message": message, "code": self.code, "values": self.values}


class ConfigError(VisualiserError):
    """A setting is outside its range, or two settings contradict each other."""


class RecipeError(VisualiserError):
    """A recipe is malformed, too large, or asks for a token the model does not have.

    One without a code of its own cannot be caused by hand on the page.
    """

    code = "request"


class SourceTooLong(RecipeError):
    """The source has more tokens or characters than the model reads."""

    @classmethod
    def check(cls, tokens: int, limit: int) -> None:
        """Raise where the source has more tokens than the limit, end token and pads included."""
        if tokens > limit:
            message = (
                f"The sentence has {tokens} tokens, the end token and pads included; "
                f"this model reads {limit}. Shorten it."
            )
            raise cls(message, "tokens", n=tokens, limit=limit)


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


class ExportError(VisualiserError):
    """A file of a picture or of data cannot be made."""

    code = "export"


class LessonError(VisualiserError):
    """A lesson cannot be read, or not with this model."""


class ServingError(VisualiserError):
    """The app cannot be served as it was asked; no visitor ever sees one."""


class Bug(VisualiserError):
    """The program has an error of its own. The log has the details; this message has none."""

    code = "bug"

    def __init__(self) -> None:
        super().__init__(
            "Something went wrong on the server; its log says what. Try something else."
        )


class LimitReached(VisualiserError):
    """What was asked for is more than this server gives, though a model could do it."""

    code = "busy"


class TooBusy(LimitReached):
    """Everyone at work and in line was there before."""


class OutOfTime(LimitReached):
    """The request took longer than requests may."""

    code = "seconds"


class Left(LimitReached):
    """The client disconnected. This message is never shown."""

    code = "left"

    def __init__(self) -> None:
        super().__init__("The client that asked for this has disconnected.")


class ReplicaLost(LimitReached):
    """What computed the answer ended before it was there, and so did another one."""

    code = "replicas"
