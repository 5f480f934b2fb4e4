"""Bytes that bring every attention head of one decode to the browser, against BertViz's page.

Both show the same arrays: 64 source tokens, 64 decoded steps, 6 + 6 layers of 8 heads, all three
kinds of attention, random weights. Ours is the whole answer of the server as JSON; BertViz's is
the HTML that its model view returns, without the libraries that it then loads from elsewhere.
Beside it, the bytes of the whole site of the shipped models.
"""

import json
from typing import Any

import torch

from benchmarks.decoding import Size, our_model, plain_tokenizer
from benchmarks.result import Result, versions
from model_core.checkpoints.store import Checkpoint
from model_core.checkpoints.training import Training
from model_core.decoding.choosing import choose
from model_core.decoding.library import Library
from model_core.folders import CHECKPOINTS
from model_core.models.own import OwnModel
from model_core.values.recipe import Choice, Recipe, Strategy
from model_core.values.trace import SITES, Decoding
from viz_app.rooms.translate.payload import payload
from viz_app.site.building import site_files

TOKENS, LAYERS = 64, 6


def decode(model: OwnModel) -> tuple[Recipe, Decoding]:
    """A recipe and its decoding, of TOKENS source tokens and as many steps."""
    config = model.config
    source = model.labels([300 + 7 * place for place in range(TOKENS)])
    never = (config.pad_id, config.start_id, config.end_id)
    state = model.start(source)
    for _ in range(TOKENS - 1):
        token, how = choose(state.decoding.step, Strategy(), never)
        state = model.advance(state, token, how)
    chosen = tuple(Choice(choice.token, choice.how) for choice in state.decoding.chosen)
    recipe = Recipe("random", " ".join(source.texts), target=chosen)
    return recipe, state.decoding


def bertviz_page(decoding: Decoding) -> str:
    """The HTML of BertViz's model view of the same weights."""
    from bertviz import model_view

    weights: dict[str, Any] = {
        f"{site}_attention": [
            torch.tensor(decoding.trace(site, layer).weights_HQK).unsqueeze(0)
            for layer in range(LAYERS)
        ]
        for site in SITES
    }
    page = model_view(
        **weights,
        encoder_tokens=list(decoding.source.pieces),
        decoder_tokens=list(decoding.target.pieces),
        html_action="return",
    )
    return str(page.data)


def random_model() -> OwnModel:
    """The model whose payload is measured, with random weights."""
    tokenizer, transformer = plain_tokenizer(), our_model(Size(LAYERS, 512))
    return OwnModel(Checkpoint("random", transformer, tokenizer, tokenizer, Training(), ""))


def measure() -> list[Result]:
    """Our bytes as a part of BertViz's."""
    model = random_model()
    recipe, decoding = decode(model)
    ours = len(json.dumps(payload(recipe, decoding, model), ensure_ascii=False).encode())
    theirs = len(bertviz_page(decoding).encode())
    print(f"Payload: {TOKENS} source tokens, {TOKENS} steps, {LAYERS}+{LAYERS} layers x 8 heads.")
    print(versions("bertviz"))
    print(f"  ours {ours / 1e6:.2f} MB, BertViz {theirs / 1e6:.2f} MB")
    name = f"{TOKENS} x {TOKENS} tokens, {LAYERS}+{LAYERS} layers x 8 heads: our bytes / BertViz's"
    site = sum(map(len, site_files(Library(CHECKPOINTS, threads=1)).values()))
    return [
        Result(name, ours / theirs, "at most", 0.1),
        Result("the whole site of the shipped models", site / 1e6, "below", 15, " MB"),
    ]
