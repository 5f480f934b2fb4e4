"""What every head does on the sentence of a decoding, in a word, as the page writes it."""

from typing import TYPE_CHECKING, TypedDict
from weakref import WeakKeyDictionary

from model_core.values.roles import Role, roles_of
from model_core.values.trace import AttentionTrace, Decoding, Site
from viz_app.rooms.translate.summary import seen_by_steps, weights_of

if TYPE_CHECKING:
    from model_core.models.protocol import Model


class _Role(TypedDict):
    word: str | None
    second: str | None
    key: int | None


_ByHead = list[list[_Role]]  # by layer
Roles = dict[Site, _ByHead]
# Of encoders, by the first trace: every step of a translation says them again.
_said: WeakKeyDictionary[AttentionTrace, _ByHead] = WeakKeyDictionary()


def roles_json(decoding: Decoding, model: "Model") -> Roles:
    """By site, layer and head: the word, and the second one where it has one."""
    opens = model.opens_on
    aligner_QK = None
    said: Roles = {}
    for one in model.anatomy.sites:
        if one.site == "encoder" and decoding.encoder[0] in _said:
            said["encoder"] = _said[decoding.encoder[0]]
            continue
        if one.site == "cross" and opens["site"] == "cross" and opens["rows"] == "predicted":
            aligner_QK = weights_of(one, decoding, opens["layer"])[opens["head"]]
        layers = (weights_of(one, decoding, layer) for layer in range(one.layers))
        mask_QK = seen_by_steps(one, decoding)
        queries, keys = decoding.side(one.rows), decoding.side(one.columns)
        found = roles_of(one, queries, keys, layers, aligner_QK, mask_QK)
        said[one.site] = [[_json(role) for role in layer] for layer in found]
        if one.site == "encoder":
            _said[decoding.encoder[0]] = said["encoder"]
    return said


def _json(role: Role) -> _Role:
    return {"word": role.word, "second": role.second, "key": role.key}
