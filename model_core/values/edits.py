"""Edits: what a person changes in a model's arithmetic, as values in a recipe.

Each is spelled as a kind and, after a colon, where: `head-off:cross.2.5`, `hide:3`, `no-scale`.
Layers, heads and tokens are counted from 1 there, as on the page, and from 0 in the fields.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from model_core.errors import RecipeError
from model_core.values.config import ModelConfig

MAX_EDITS = 16
_MOST = 10_000  # of any number in an edit
CAUSAL_BREAKS = ("none", "ahead", "behind")

# The groups of the menu that offers them, in its order.
Group = Literal["words", "head", "sees", "sums", "mistakes"]
GROUPS: tuple[Group, ...] = get_args(Group)


class EditKind(NamedTuple):
    """A kind of edit: its group in the menu, what may follow its name, and what it changes."""

    group: Group
    forms: tuple[str, ...]
    does: str


KINDS: dict[str, EditKind] = {
    "head-off": EditKind(
        "head",
        ("site.layer.head",),
        "the weighted sum of the values is zero for this head; its weights stay as they are",
    ),
    "head-mean": EditKind(
        "head",
        ("site.layer.head",),
        "the weighted sum of the values is replaced by its mean over the named corpus",
    ),
    "sublayer-off": EditKind(
        "head",
        ("encoder.layer.part", "decoder.layer.part"),
        "the sub-layer's output is zero, and the residual connection carries on alone",
    ),
    "hide": EditKind(
        "words", ("token",), "the mask hides this source token from the encoder and cross-attention"
    ),
    "zero-value": EditKind(
        "words",
        ("token", "token.site.layer.head"),
        "this source token's value is zero; attention to it stays, and adds nothing",
    ),
    "no-scale": EditKind("sums", (), "scores are not divided by the root of the head width"),
    "no-embedding-scale": EditKind(
        "sums", (), "embeddings are not multiplied by the root of the model width"
    ),
    "no-positions": EditKind("sees", (), "no positions are added, and none are rotated by"),
    "no-pad-mask": EditKind("sees", (), "pads are keys like others"),
    "pads-rows": EditKind("mistakes", (), "the mask hides the rows of pads, and not their columns"),
    "causal-mask": EditKind(
        "sees",
        CAUSAL_BREAKS,
        "decoder self-attention sees everything, one token ahead, or not even its own token",
    ),
    "finite-mask": EditKind(
        "mistakes", (), "a hidden score becomes -1e9 instead of minus infinity"
    ),
    "no-transpose": EditKind(
        "mistakes", (), "heads are joined as they lie in memory, without transposing back first"
    ),
    "no-split-transpose": EditKind(
        "mistakes", (), "vectors are split into heads as they lie in memory, without transposing"
    ),
    "dropout": EditKind("sums", ("seed",), "dropout stays on, drawn from this seed"),
    "encoder-layer": EditKind(
        "sees", ("layer",), "cross-attention reads the encoder after this layer"
    ),
}
OF_PADS = ("no-pad-mask", "pads-rows")  # the kinds that let pads be keys
OF_MASKS = (*OF_PADS, "causal-mask", "finite-mask")  # those that break a mask
PARTS = {"encoder": ("self", "feed_forward"), "decoder": ("self", "cross", "feed_forward")}
_SITES = ("encoder", "decoder", "cross")


@dataclass(frozen=True)
class Edit:
    """One change; only what its kind needs is set."""

    kind: str
    site: str = ""  # of a head; of a sub-layer the stack
    layer: int = -1
    head: int = -1
    token: int = -1  # a position of the source
    part: str = ""  # of a layer: self, cross, feed_forward
    causal: str = ""  # none, ahead, behind
    seed: int = -1

    def __str__(self) -> str:
        where: list[str | int] = []
        if self.token >= 0:
            where.append(self.token + 1)
        if self.site:
            where += [self.site, self.layer + 1]
            where.append(self.part or self.head + 1)
        elif self.layer >= 0:
            where.append(self.layer + 1)
        if self.causal:
            where.append(self.causal)
        if self.seed >= 0:
            where.append(self.seed)
        return f"{self.kind}:{'.'.join(map(str, where))}" if where else self.kind


Edits = tuple[Edit, ...]


def read_edit(text: object, kinds: Iterable[str] = KINDS) -> Edit:
    """The edit of one of these kinds that a string spells; RecipeError says what is wrong."""
    if isinstance(text, Edit) and text.kind in kinds:
        return text
    kind, _, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    if kind not in kinds:
        shown = text[:40] if isinstance(text, str) else type(text).__name__
        raise RecipeError(
            f"There is no edit {shown!r}; there are {', '.join(kinds)}.", "edit", edit=shown
        )
    try:
        return _placed(kind, rest.split(".") if rest else [])
    except ValueError as error:
        forms = [f"{kind}:{form}" for form in KINDS[kind].forms] or [kind]
        message = (
            f"The edit {str(text)[:60]!r} cannot be read; it is spelled {' or '.join(forms)}, "
            "counted from 1."
        )
        raise RecipeError(message, "edit", edit=str(text)[:60]) from error


def read_edits(texts: object, kinds: Iterable[str] = KINDS) -> Edits:
    """Edits of these kinds from a list of strings, in their own order and each once."""
    if not isinstance(texts, list | tuple):
        raise RecipeError("edits must be a list of strings.")
    if len(texts) > MAX_EDITS:
        message = f"The recipe has {len(texts)} edits; {MAX_EDITS} are allowed. Remove some."
        raise RecipeError(message, "edits", n=len(texts), limit=MAX_EDITS)
    return ordered(read_edit(each, kinds) for each in texts)


def ordered(edits: Iterable[Edit]) -> Edits:
    """The same edits, each once, ordered by kind and then by place."""
    return tuple(sorted(set(edits), key=lambda edit: (list(KINDS).index(edit.kind), str(edit))))


def in_place(edits: Edits, others: Iterable[Edit]) -> Edits:
    """The edits with others added; edits of the same kinds are replaced."""
    others = tuple(others)
    kinds = {edit.kind for edit in others}
    return ordered((*(edit for edit in edits if edit.kind not in kinds), *others))


def layer_read(edits: Edits) -> int | None:
    """The layer of the encoder that cross-attention reads where an edit says so, from 0."""
    return min((edit.layer for edit in edits if edit.kind == "encoder-layer"), default=None)


def possible(config: ModelConfig, with_means: bool = False) -> tuple[str, ...]:
    """The kinds of edits that change something in a model of this configuration.

    `with_means`: whether it is known what each head makes on average.
    """
    rates = ("embedding", "attention", "feed_forward", "residual")
    lacking = {
        "head-mean": not with_means,
        "no-scale": config.similarity != "scaled_dot",
        "no-embedding-scale": not config.scale_embedding,
        "no-positions": config.positions == "none",
        "no-pad-mask": not config.pad_mask,
        "finite-mask": config.hidden_score != "-inf",
        "no-transpose": config.joined == "as_they_lie" or config.positions == "rotary",
        "no-split-transpose": config.split == "as_they_lie" or config.positions == "rotary",
        "dropout": not any(getattr(config, f"dropout_{name}") for name in rates),
        "encoder-layer": config.encoder_layers == 1,
    }
    return tuple(kind for kind in KINDS if not lacking.get(kind, False))


def _placed(kind: str, words: list[str]) -> Edit:
    """The edit of a kind at a place; ValueError where the place has none of the kind's forms."""
    forms = [form.split(".") for form in KINDS[kind].forms] or [[]]
    for form in forms:
        literals = [slot for slot in form if slot in (*PARTS, *CAUSAL_BREAKS)]
        if len(form) == len(words) and literals in ([], words[: len(literals)]):
            made = Edit(kind, **dict(map(_field, form, words)))
            if made.part and made.part not in PARTS[made.site]:
                raise ValueError(made.part)
            if kind == "zero-value" and made.site == "decoder":  # whose keys are target tokens
                raise ValueError(made.site)
            return made
    raise ValueError(words)


def _field(slot: str, word: str) -> tuple[str, Any]:
    """The field that a word of a form sets, and its value."""
    if slot == "site" and word not in _SITES:
        raise ValueError(word)
    if slot in ("site", "part", *PARTS):
        return slot if slot == "part" else "site", word
    if slot in CAUSAL_BREAKS:
        return "causal", word
    least = 0 if slot == "seed" else 1
    if not (word.isascii() and word.isdecimal() and len(word) <= 5):
        raise ValueError(word)
    if not least <= int(word) <= _MOST:
        raise ValueError(word)
    return slot, int(word) - least
