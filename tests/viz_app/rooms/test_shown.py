"""What a link shows of a room is there, whatever model and sentence it is about."""

import pytest

from model_core.decoding.tracer import Tracer
from model_core.values.recipe import Recipe
from tests.every_model import TEXT, model_called
from viz_app.rooms import room_named
from viz_app.rooms.room import Seen

ORDER = {"study": "order"}


@pytest.mark.parametrize(
    ("name", "room", "said", "expected"),
    [
        ("bert", "masks", {}, {"site": "encoder"}),
        ("bert", "masks", {"breaks": ["no-pad-mask"]}, {"site": "encoder"}),
        ("bert", "positions", ORDER | {"at": 2}, {"at": 2}),
        ("bert", "positions", ORDER | {"at": 99}, {"at": 5}),
        ("bert", "inside", {}, {"view": "cell", "site": "encoder"}),
        ("bert", "inside", {"view": "way", "position": 2}, {"side": "source", "position": 2}),
        ("gpt2", "masks", {"breaks": ["causal-mask:none"]}, {"site": "decoder"}),
        ("gpt2", "positions", ORDER | {"at": 2}, {"site": "decoder", "at": 2}),
        ("own, paper", "inside", {"view": "way", "position": 99}, {"side": "target"}),
        ("own, paper", "inside", {"view": "way", "side": "source"}, {"side": "source"}),
        (
            "own, paper",
            "inside",
            {"view": "way", "site": "encoder", "position": 9},
            {"side": "source", "position": 9},
        ),
    ],
)
def test_a_link_leads_to_a_place_that_the_run_has(name, room, said, expected):
    model = model_called(name)
    tracer, shown = Tracer(model), room_named(room)
    recipe, decoding = tracer.extend(Recipe(model.name, TEXT), 3)
    locks = {one.site: {"layer": 0, "head": 0} for one in model.anatomy.sites}
    page = {"site": model.opens_on["site"], "locks": locks, "cells": {}, "at": 2}
    _, view = shown.picture_of(Seen(model, decoding, page, said))
    made = shown.answer(tracer, recipe, shown.view.from_json(view)).view
    assert vars(made) | expected == vars(made)
