"""What a page without a server is opened on: the room as it was, and every answer it asks for."""

import pytest

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture
from viz_app.files.standalone import initial_state
from viz_app.rooms import pictures


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("tiny", "The old cat."), 6)[0]


@pytest.mark.parametrize("view", pictures())
def test_each_view_has_a_page_and_its_room_every_answer(library, recipe, view):
    site = "decoder" if view == "passes" else "cross"
    opened = initial_state(library, recipe, picture(view, site=site))
    room, tracer = pictures()[view], library.tracer(recipe.model)
    assert opened.view.get("room", "translate") == room.name
    assert opened.rooms == (() if room.name == "translate" else (room.name,))
    assert bool(opened.answers) == (room.name != "translate")
    for one in opened.answers:
        asked = room.view.from_json(one.asked)
        assert one.answer == room.answer(tracer, recipe, asked).to_json()
    page = prepared(library, FileRequest(recipe, picture(view, site=site), "html"))()
    assert page.startswith(b"<!DOCTYPE html>")


def test_translate_opens_on_the_head_and_the_step(library, recipe):
    view = picture("lines", site="decoder", layer=1, head=2, step=3, rows="predicted", spelled=True)
    assert initial_state(library, recipe, view).view == {
        "site": "decoder",
        "layer": 0,
        "head": 1,
        "at": 2,
        "rows": "predicted",
        "view": "lines",
        "spelled": True,
    }


OPEN = ["no-pad-mask"]


def test_the_batch_and_the_broken_masks_are_kept(library, recipe):
    view = picture("scores", site="encoder", sentences=(recipe.source, "a"), shown=2, breaks=OPEN)
    kept = initial_state(library, recipe, view).view["choices"]
    assert kept["sentences"] == [recipe.source, "a"] and kept["shown"] == 1
    assert kept["breaks"] == OPEN and not {"cell", "step"} & set(kept)
    cell = picture("passes", site="decoder", query=3, key=2, step=4)
    kept = initial_state(library, recipe, cell).view["choices"]
    assert kept["cell"] == [2, 1] and kept["step"] == 3


def test_a_batch_of_another_sentence_is_no_page_of_this_one(library, recipe):
    with pytest.raises(RecipeError, match="must begin with that sentence"):
        initial_state(library, recipe, picture("scores", sentences=("another",)))


def test_the_models_own_table_stands_beside_another_kind_but_not_twice(library, recipe):
    studies = {
        kind: [
            one.asked["kind"]
            for one in initial_state(library, recipe, picture("positions", kind=kind)).answers
        ]
        for kind in ("own", "sinusoidal", "learned")
    }
    assert studies == {"own": ["own"], "sinusoidal": ["own"], "learned": ["own", "learned"]}


def test_the_marked_place_is_kept(library, recipe):
    table = initial_state(library, recipe, picture("curves", dimensions=(0, 4, 8), row=3, column=4))
    expected = {"dimensions": [0, 4, 8], "row": 3, "column": 4}
    assert expected.items() <= table.view["choices"].items()
    added = initial_state(library, recipe, picture("sum", side="target", row=1, column=2))
    expected = {"study": "sum", "side": "target", "row": 1, "column": 2}
    assert expected.items() <= added.view["choices"].items()
    turned = initial_state(
        library, recipe, picture("rotary", site="decoder", query=3, key=2, pair=1)
    )
    expected = {"study": "rotary", "site": "decoder", "query": 2, "key": 1, "pair": 1}
    assert expected.items() <= turned.view["choices"].items()


def test_an_order_is_asked_for_as_the_page_asks(library, recipe):
    S = len(library.extend(recipe, 0)[1].source)
    own = tuple(range(S))
    view = picture("order", order=tuple(range(S, 0, -1)), places=own, step=2, positions_off=True)
    opened = initial_state(library, recipe, view)
    effect, outcome = (one.asked for one in opened.answers)
    assert effect["order"] == outcome["order"] == list(own[::-1])
    assert effect["rows"] is None and effect["at"] == 1  # each place has its own position
    kept = opened.view["choices"]
    assert kept["mode"] == "off" and kept["order"] == list(reversed(own))


def test_the_chosen_cell_is_kept_and_without_one_the_largest_weight(library, recipe):
    given = initial_state(library, recipe, picture("head", site="cross", query=3, key=2))
    assert given.view["cells"] == {"cross": {"query": 2, "key": 1}}
    open_ = initial_state(library, recipe, picture("head", site="cross", layer=1, head=1, query=3))
    row_K = library.extend(recipe, 0)[1].trace("cross", 0).weights_HQK[0, 2]
    assert open_.view["cells"] == {"cross": {"query": 2, "key": int(row_K.argmax())}}
