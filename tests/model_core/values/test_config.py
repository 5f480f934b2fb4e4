import dataclasses
import json
import math
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.presets import PRESETS
from tests.refusals import refusal
from tests.tiny import tiny_config


def test_a_preset_comes_back_from_json_equal():
    for preset in PRESETS.values():
        for config in (preset.model, preset.train):
            again = type(config).from_json(json.loads(json.dumps(dataclasses.asdict(config))))
            assert again == config and hash(again) == hash(config)


def test_the_paper_preset_is_table_3_of_the_paper():
    paper = PRESETS["paper"].model
    assert (paper.encoder_layers, paper.decoder_layers, paper.width) == (6, 6, 512)
    assert (paper.feed_forward_width, paper.encoder_heads, paper.width_of_head(8)) == (2048, 8, 64)
    assert paper.norm_place == "post" and not paper.final_norm and paper.activation == "relu"
    assert paper.positions == "sinusoidal" and paper.tied == "all"


@pytest.mark.parametrize("cls", [ModelConfig, TrainConfig])
def test_every_choice_is_a_literal_whose_other_values_are_refused(cls):
    for name, hint in get_type_hints(cls).items():
        if get_origin(hint) is Literal:
            assert getattr(cls(), name) in get_args(hint)
            for value in ("surprise", None, ["post"], 3):
                assert f"{name} is" in str(refusal(cls, **{name: value}))


def test_what_is_outside_its_range_is_refused():
    for changes in (
        {"source_vocabulary": 3},
        {"width": 10_000},
        {"width": 25},
        {"encoder_layers": 0},
        {"decoder_layers": 49},
        {"encoder_heads": 0},
        {"decoder_heads": 5},
        {"head_width": -1},
        {"head_width": 5, "positions": "rotary"},
        {"head_width": 10, "output_projection": False},
        {"max_positions": 1},
        {"norm_eps": 0.0},
        {"norm_eps": math.inf},
        {"norm_eps": math.nan},
        {"dropout_attention": 1.0},
        {"dropout_residual": -0.1},
        {"dropout_embedding": math.nan},
        {"pad_id": 1},
        {"pad_id": -1},
        {"end_id": 300},
        {"tied": "all", "source_vocabulary": 299},
        {"source_vocabulary": 4, "end_id": 5},
    ):
        refusal(tiny_config, **changes)
    for changes in (
        {"updates": 0},
        {"learning_rate": 0.0},
        {"label_smoothing": 1.0},
        {"batch_tokens": 10},
        {"betas": 0.9},
        {"betas": (0.9,)},
        {"betas": (0.9, 1.0)},
        {"betas": ("a", "b")},
        {"clip": -1.0},
        {"weight_decay": -1.0},
        {"learning_rate": math.inf},
        {"guided_alignment": math.inf},
        {"consistency": math.nan},
        {"seed": -1},
        {"seed": 2**63},
    ):
        refusal(TrainConfig, **changes)


def test_the_width_of_a_head_is_given_or_follows():
    for heads in (1, 2, 8):
        assert ModelConfig(width=64).width_of_head(heads) == 64 // heads
        assert ModelConfig(width=64, head_width=10).width_of_head(heads) == 10
