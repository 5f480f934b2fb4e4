"""What a model is made of, as far as anything above it needs to know: its sites, limits, tokens.

Nothing above a model asks what kind of module it is; it asks the anatomy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, cast

from model_core.errors import RecipeError
from model_core.values.beam_tree import Rule
from model_core.values.checked import shown
from model_core.values.config import ModelConfig
from model_core.values.edits import Edits, possible
from model_core.values.recipe import Settings
from model_core.values.special import Special
from model_core.values.trace import SITES, Side, Site

ModelKind = Literal["encoder-decoder", "decoder", "encoder"]
Positions = Literal["sinusoidal", "learned", "rotary", "relative", "none"]
# What a study may need of a model beside its sites: that it runs, that its parameters can be read,
# one mask for all layers of a site, rows that can be computed alone, and notes of its training.
Capability = Literal["runs", "parameters", "one-mask", "single-rows", "history"]


def head_name(layer: int, head: int) -> str:
    """The name of a head of a site, such as L3H5; both are counted from 1."""
    return f"L{layer}H{head}"


@dataclass(frozen=True)
class SiteAnatomy:
    """One place where a model attends, in each of its layers."""

    site: Site
    layers: int
    heads: int  # of queries
    key_heads: int  # divides `heads`; query head h reads key head h // (heads // key_heads)
    rows: Side  # whose tokens the queries are
    columns: Side  # whose tokens the keys are
    causal: bool  # no query sees a later key


@dataclass(frozen=True)
class Control:
    """Something that a reader sets before a text is read, such as its language.

    What was set stands in the recipe's `settings` under its name.
    """

    name: str
    kind: Literal["choice", "text"]
    value: str  # where the recipe says nothing
    choices: tuple[str, ...] = ()


class _SiteJson(TypedDict):
    site: Site
    layers: int
    heads: int
    key_heads: int
    rows: Side
    columns: Side
    causal: bool


class _SpecialJson(TypedDict):
    pad: int | None
    start: int | None
    end: int | None
    unknown: int | None
    source_start: int | None
    more_ends: list[int]


class _ControlJson(TypedDict):
    name: str
    kind: Literal["choice", "text"]
    value: str
    choices: list[str]


class AnatomyJson(TypedDict):
    """An `Anatomy` as a JSON object."""

    kind: ModelKind
    source_vocabulary: int
    target_vocabulary: int
    max_positions: int
    positions: Positions
    mask: int | None
    predicts: bool
    sites: list[_SiteJson]
    special: _SpecialJson
    never: list[int]
    unusual: list[str]
    controls: list[_ControlJson]
    edits: list[str]


def what_is_set(controls: Sequence[Control], settings: Settings) -> dict[str, str]:
    """The value of every control; RecipeError for a setting there is not, and for its value."""
    said = {control.name: control.value for control in controls}
    known = {control.name: control for control in controls}
    for name, value in settings:
        if name not in known:
            raise RecipeError(f"This model has no setting {shown(name)}.", "setting", name=name)
        control = known[name]
        if control.kind == "choice" and value not in control.choices:
            message = (
                f"The setting {name} cannot be {shown(value)}; there are {len(control.choices)} "
                f"choices, such as {shown(control.value)}."
            )
            raise RecipeError(message, "setting_value", name=name, value=value[:40])
        said[name] = value
    return said


@dataclass(frozen=True)
class Anatomy:
    """What a model is made of."""

    sites: tuple[SiteAnatomy, ...]  # in the order encoder, decoder, cross; absent ones left out
    source_vocabulary: int
    target_vocabulary: int
    special: Special
    max_positions: int  # tokens that a side may have, at most
    positions: Positions
    # What it cannot do, beside what follows from the rest, each with a code of the reason.
    lacking: Mapping[Capability, str] = field(default_factory=dict)
    unusual: tuple[str, ...] = ()  # codes of what is unusual about it
    controls: tuple[Control, ...] = ()
    mask: int | None = None  # the token in whose place a masked language model predicts
    edits: tuple[str, ...] = ()  # the kinds of edits that change something in it
    within_source: bool = False  # whether a target has no more tokens than its source
    # Whether every token of the target changes what is made of those before it: a row is then as it
    # was in its own step, and no single pass has the numbers of all steps.
    reads_whole: bool = False
    rule: Rule = field(default_factory=Rule)  # of a beam search
    predicts: bool = True  # whether it writes tokens; weights that came without their model do not

    def __post_init__(self) -> None:
        order = [SITES.index(one.site) for one in self.sites]
        if not order or order != sorted(set(order)):
            raise ValueError(f"sites must be some of {', '.join(SITES)}, in this order")
        for one in self.sites:
            if one.layers < 1 or one.key_heads < 1 or one.heads % one.key_heads:
                raise ValueError(
                    f"{one.site}: {one.layers} layers, {one.heads} heads over "
                    f"{one.key_heads} of keys"
                )

    @property
    def kind(self) -> ModelKind:
        """Which stacks it has."""
        if not self.has("decoder"):
            return "encoder"
        return "encoder-decoder" if self.has("cross") else "decoder"

    @property
    def predicting(self) -> Side:
        """The side at whose tokens something is predicted: of an encoder alone its source."""
        return "source" if self.kind == "encoder" else "target"

    @property
    def first_site(self) -> SiteAnatomy:
        """The site to look at first: cross-attention where there is one."""
        return self.site("cross") if self.has("cross") else self.sites[0]

    def longest_target(self, source_tokens: int) -> int:
        """How many target tokens can be read beside a source of this length."""
        return min(source_tokens, self.max_positions) if self.within_source else self.max_positions

    def attention_bytes(self, source_tokens: int, target_tokens: int) -> int:
        """About how many bytes of scores, masks and weights a decoding of these lengths keeps."""
        length = {"source": source_tokens, "target": target_tokens}
        cells = sum(
            one.layers * one.heads * length[one.rows] * length[one.columns] // (1 + one.causal)
            for one in self.sites
        )
        return 9 * cells  # two numbers of 4 bytes and one of 1

    def is_stepped(self, site: str) -> bool:
        """Whether each row of a site is a step of the decoding; else all are there at once."""
        return self.predicts and self.site(site).rows == "target"

    def has(self, site: str) -> bool:
        """Whether the model has such a site."""
        return any(one.site == site for one in self.sites)

    def lack(self, need: Capability | Site) -> str | None:
        """The code of why it has no such site or capability; None where it has."""
        if need == "encoder" or need == "decoder" or need == "cross":
            return None if self.has(need) else f"site_{need}"
        if need == "runs" and not self.predicts:
            return "no_model"
        if need == "single-rows" and self.reads_whole:
            return "reads_whole"
        return self.lacking.get(need)

    def site(self, site: str) -> SiteAnatomy:
        """The anatomy of a site; RecipeError lists those there are."""
        for one in self.sites:
            if one.site == site:
                return one
        known = ", ".join(one.site for one in self.sites)
        raise RecipeError(f"There is no site {shown(site)}; there are {known}.")

    def to_json(self) -> AnatomyJson:
        """The anatomy as a JSON object."""
        special = {**vars(self.special), "more_ends": list(self.special.more_ends)}
        controls = [{**vars(one), "choices": list(one.choices)} for one in self.controls]
        return {
            "kind": self.kind,
            "source_vocabulary": self.source_vocabulary,
            "target_vocabulary": self.target_vocabulary,
            "max_positions": self.max_positions,
            "positions": self.positions,
            "mask": self.mask,
            "predicts": self.predicts,
            "sites": cast(list[_SiteJson], [dict(vars(one)) for one in self.sites]),
            "special": cast(_SpecialJson, special),
            "never": list(self.special.never),
            "unusual": list(self.unusual),
            "controls": cast(list[_ControlJson], controls),
            "edits": list(self.edits),
        }


def check_edits(edits: Edits, anatomy: Anatomy, with_means: bool) -> None:
    """Raise RecipeError for an edit that the model does not allow, or of a place there is not.

    `with_means`: whether it is known what each head makes on average.
    """
    for edit in edits:
        is_mean = edit.kind == "head-mean" and "head-off" in anatomy.edits
        if is_mean and not with_means:
            message = (
                f"The edit {edit} needs what each head makes on average, which is not measured for "
                "this model. Run: python -m model_core heads NAME"
            )
            raise RecipeError(message, "edit_means", edit=str(edit))
        if not is_mean and edit.kind not in anatomy.edits:
            message = f"The edit {edit} changes nothing in this model, or needs what it lacks."
            raise RecipeError(message, "edit_impossible", edit=str(edit))
        site = "cross" if edit.part == "cross" else edit.site or "encoder"
        found = next((one for one in anatomy.sites if one.site == site), None)
        layers, heads = (found.layers, found.heads) if found else (0, 0)
        if edit.layer >= layers or edit.head >= heads:
            message = (
                f"The edit {edit} names what there is not: {site} has {layers} layers of {heads} "
                "heads."
            )
            raise RecipeError(message, "edit_place", edit=str(edit), layers=layers, heads=heads)


def facts_of(config: ModelConfig) -> dict[str, Any]:
    """What is known of our own model: its configuration, and what follows from it."""
    return {
        **vars(config),
        "encoder_head_width": config.width_of_head(config.encoder_heads),
        "decoder_head_width": config.width_of_head(config.decoder_heads),
        "scaled_embedding": config.scale_embedding,
    }


def anatomy_of(config: ModelConfig, with_means: bool = False, noted: bool = True) -> Anatomy:
    """The anatomy of our own model with this configuration.

    `with_means`: whether it is known what each head makes on average; `noted`: whether the history
    of its training was kept.
    """
    G, H = config.encoder_heads, config.decoder_heads
    return Anatomy(
        sites=(
            SiteAnatomy("encoder", config.encoder_layers, G, G, "source", "source", causal=False),
            SiteAnatomy("decoder", config.decoder_layers, H, H, "target", "target", causal=True),
            SiteAnatomy("cross", config.decoder_layers, H, H, "target", "source", causal=False),
        ),
        source_vocabulary=config.source_vocabulary,
        target_vocabulary=config.target_vocabulary,
        special=config.special,
        max_positions=config.max_positions,
        positions=config.positions,
        reads_whole=config.reads_whole,
        lacking={} if noted else {"history": "history"},
        unusual=config.unusual,
        edits=possible(config, with_means),
        within_source=config.cross_queries == "source",
    )
