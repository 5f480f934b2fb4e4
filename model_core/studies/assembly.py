"""How the pieces of a source came about, for the models whose tokenizer can be looked into."""

from model_core.assembly import Assembly, assembly_of
from model_core.models.own import OwnModel
from model_core.models.protocol import Model


def source_assembly(model: Model, text: str) -> Assembly:
    """How a model's tokenizer made the pieces of a source; "other" for foreign tokenizers."""
    if not isinstance(model, OwnModel):
        return Assembly("other")
    return assembly_of(model.checkpoint.source_tokenizer, text)
