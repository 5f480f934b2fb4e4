"""The models that keep the promises of the protocol: ours, those of families, made-up ones."""

import functools
from typing import Any

from model_core.checkpoints.store import Checkpoint
from model_core.checkpoints.training import Training
from model_core.models.hub.families import FAMILIES
from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.tokenizer import Tokenizer
from tests.made_up import MadeUp
from tests.tiny import LINES, tiny_model
from tests.variants import VARIANTS, WHOLE

OWN = [f"own, {variant}" for variant in VARIANTS]
OWN_WHOLE = [f"own, {variant}" for variant in WHOLE]  # a later token changes earlier rows
HUB = list(FAMILIES)
MADE_UP = [
    *(f"made up, {kind}" for kind in ("encoder-decoder", "decoder", "encoder")),
    *(f"made up, {kind}, biased" for kind in ("encoder-decoder", "decoder")),
]
EVERY = [*OWN, *OWN_WHOLE, *HUB, *MADE_UP]
READING = [name for name in HUB if FAMILIES[name].kind == "encoder"]  # and writing nothing
PADDED = [  # what takes pads behind its source, and hides them
    *OWN,
    *(name for name in HUB if FAMILIES[name].kind != "decoder"),
    "made up, encoder-decoder",
    "made up, encoder",
]
WRITING = [name for name in EVERY if name not in (*READING, "made up, encoder")]

TEXT = "the old cat sleeps"
TOKENS = (7, 9, 12, 8)  # that can be chosen in every one of them
# One or more edits of each kind.
EDITS = {
    "head-off": ["head-off:cross.2.3", "head-off:encoder.1.1"],
    "head-mean": ["head-mean:cross.2.3"],
    "sublayer-off": ["sublayer-off:decoder.2.cross"],
    "hide": ["hide:2"],
    "zero-value": ["zero-value:2", "zero-value:1.cross.2.3"],
    "no-scale": ["no-scale"],
    "no-embedding-scale": ["no-embedding-scale"],
    "no-positions": ["no-positions"],
    "no-pad-mask": ["no-pad-mask"],
    "pads-rows": ["pads-rows"],
    "causal-mask": ["causal-mask:none", "causal-mask:ahead", "causal-mask:behind"],
    "finite-mask": ["finite-mask", "finite-mask causal-mask:behind"],
    "no-transpose": ["no-transpose"],
    "no-split-transpose": ["no-split-transpose"],
    "dropout": ["dropout:3"],
    "encoder-layer": ["encoder-layer:1"],
}


@functools.cache
def _tokenizer() -> Tokenizer:
    return Tokenizer.train(LINES, "bpe", 300)


@functools.cache
def model_called(name: str) -> Model:
    """One of `EVERY`: ours in float64, the others in float32."""
    whose, *more = name.split(", ")
    if whose == "made up":
        return MadeUp(more[0], biased="biased" in more)
    if whose in FAMILIES:
        from tests.model_core.models.hub.test_model import model_of  # which loads transformers

        return model_of(whose)[1]
    size = _tokenizer().size
    settings: dict[str, Any] = {
        "source_vocabulary": size,
        "target_vocabulary": size,
        "dropout_attention": 0.2,  # for edits that let it act
        "dropout_residual": 0.2,
    }
    model = tiny_model(3, **settings | (VARIANTS | WHOLE)[more[0]]).double()
    return OwnModel(Checkpoint(name, model, _tokenizer(), _tokenizer(), Training(), ""))


def near(model: Model) -> dict[str, float]:
    """How far two ways to the same number may be apart."""
    is_double = isinstance(model, OwnModel)
    return {"rtol": 0, "atol": 1e-11} if is_double else {"rtol": 1e-4, "atol": 2e-4}


def pads_of(model: Model) -> int:
    """How many pads a source may have behind it, where it may have any."""
    return 0 if model.anatomy.kind == "decoder" else 2


def decoded(model: Model, pads: int = 0, tokens: tuple[int, ...] = TOKENS) -> Any:
    """The state after these tokens were forced."""
    state = model.start(model.source(TEXT, pads))
    for token in tokens:
        state = model.advance(state, token)
    return state
