import dataclasses
import json
import math
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from model_core.errors import ConfigError
from model_core.values.config import ModelConfig, TrainConfig, from_json, shown
from model_core.values.presets import PRESETS
from tests.tiny import tiny_config


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_comes_back_from_json_equal(name):
    preset = PRESETS[name]
    for config in (preset.model, preset.train):
        again = from_json(type(config), json.loads(json.dumps(dataclasses.asdict(config))))
        assert again == config and hash(again) == hash(config)
    assert preset.about.endswith(".")


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
                with pytest.raises(ConfigError, match=f"{name} is"):
                    cls(**{name: value})


@pytest.mark.parametrize(
    "changes",
    [
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
    ],
    ids=str,
)
def test_an_architecture_outside_its_ranges_is_refused(changes):
    with pytest.raises(ConfigError):
        tiny_config(**changes)


@pytest.mark.parametrize(
    "changes",
    [
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
    ],
    ids=str,
)
def test_a_training_outside_its_ranges_is_refused(changes):
    with pytest.raises(ConfigError):
        TrainConfig(**changes)


@dataclasses.dataclass(frozen=True)
class Example:
    count: int
    share: float = 0.5
    name: str = ""
    on: bool = False


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "Example must be a JSON object"),
        ([], "Example must be a JSON object"),
        ({}, "Example lacks count"),
        ({"count": 1, "other": 2, "surprise": 3}, "does not know 'other', 'surprise'"),
        ({"count": True}, "count is True; it must be of type int"),
        ({"count": 1.0}, "count is 1.0; it must be of type int"),
        ({"count": "1"}, "count is '1'; it must be of type int"),
        ({"count": 1, "share": True}, "share is True; it must be of type float"),
        ({"count": 1, "share": 10**400}, "share is a number of more than 20 digits"),
        ({"count": 1, "name": None}, "name is None; it must be of type str"),
        ({"count": 1, "on": 1}, "on is 1; it must be of type bool"),
    ],
)
def test_json_that_does_not_fit_is_a_config_error_that_names_the_key(values, message):
    with pytest.raises(ConfigError, match=message):
        from_json(Example, values)


def test_a_whole_number_may_stand_for_a_float():
    assert from_json(Example, {"count": 3, "share": 1}) == Example(3, 1)


def test_a_value_is_shown_short_however_large_or_deep_it_is():
    deep = []
    for _ in range(50_000):
        deep = [deep]
    for value in (deep, 10**10_000, -(10**10_000), "x" * 10**6, list(range(10**5)), b"x" * 10**5):
        assert len(shown(value)) < 200
    assert shown(12) == "12" and shown("a") == "'a'"


@pytest.mark.parametrize("heads", [1, 2, 8])
def test_the_width_of_a_head_is_given_or_follows(heads):
    assert ModelConfig(width=64).width_of_head(heads) == 64 // heads
    assert ModelConfig(width=64, head_width=10).width_of_head(heads) == 10
