"""Every link that is accepted opens on what it says, or says by name what is not there.

The fields and their choices are those of the views themselves.
"""

import dataclasses
import re
from urllib.parse import urlencode

import pytest

from model_core.checkpoints.folder import fingerprint
from model_core.errors import RecipeError
from model_core.values.checked import Form, kinds
from model_core.values.edits import Edit
from model_core.values.recipe import Recipe
from tests.browser.walks import READY
from tests.conftest import CHECKPOINTS
from viz_app.files.linked import open_link
from viz_app.links.link import PageView, read_link
from viz_app.rooms import ROOMS
from viz_app.text import WORDS
from viz_app.values.view import MOST, Inner, View, words_shown

MODEL = "tutorial-pre-norm"  # two layers of every site, so that all places from 0 to 1 are there
SOURCE = "a"  # two tokens, its end among them
BEGIN = {"v": 3, "model": MODEL, "text": SOURCE}
MODELS = {"training": "reverse-leak"}  # of rooms that this model lacks
UNSHOWN = re.compile(
    re.escape(WORDS["en"]["error_link_unshown"]).replace(re.escape("{names}"), "(.*)")
)
OF_VIEWS = {one.name for one in dataclasses.fields(View)}
OF_VIEWS |= {f"{room.name}.{name}" for room in ROOMS for name in OF_VIEWS}
OF_RECIPE = {one.name for one in dataclasses.fields(Recipe)} | {"beam", "top_k", "seed"}
# What goes without saying, what this model lacks, or what another value stands for.
HIDDEN = {
    "masks.left": ["combined"],
    "masks.right": ["weights", "stepped"],
    "masks.step": ["0"],
    "positions.kind": ["relative"],
    "positions.rows": ["0.1"],
    "beam.site": ["encoder", "decoder"],
    "beam.layer": ["0"],
    "beam.head": ["1"],
    "heads.measure": ["aligner"],
    "heads.across": ["aligner"],
    "heads.order": ["aligner"],
    "training.sentence": ["0"],
}
MENU = 8  # choices
APART = {"lesson"}  # which chooses model, sentence and view by itself: test_lesson.py


def values_of(kind):
    """What a field may hold, as links write it; of numbers those that this sentence has."""
    if kind.words:
        words = words_shown(kind)
        # Of many the page makes one menu; test_link.py draws among all of them.
        return [[one] for one in (words if len(words) <= MENU else [*words[::MENU], words[-1]])]
    if kind.type is bool:
        return [["true"], ["false"]]
    if kind.type is Edit:
        return [["causal-mask:none"], ["no-pad-mask", "finite-mask"], ["pads-rows"]]
    if kind.type is Recipe:
        return [[urlencode(BEGIN | {"text": "b"})]]
    if kind.note(Form):
        return [[fingerprint(CHECKPOINTS / MODEL)]]
    if kind.type is str:
        return [[SOURCE, "b c"]]
    return [["0.1"], ["1.0"]] if kind.is_list else [[str(kind.bounds.least)], ["1"]]


def beyond(kind):
    """A place that no sentence has, where a field of places may hold one."""
    if kind.bounds.most != MOST:
        return []
    return [f"{MOST}.{MOST}" if kind.is_list else str(MOST)]


def fields_of(room):
    """The fields of links to a room by their names there, with what they hold."""
    view, prefix = (PageView, "") if room.name == "translate" else (room.view, f"{room.name}.")
    own = {f"{prefix}{name}": kind for name, kind in kinds(view).items()}
    inner = {name for name, kind in own.items() if kind.note(Inner) == Inner()}
    return {name: kind for name, kind in own.items() if name not in OF_RECIPE | APART | inner}


def mode_of(fields):
    """The field that says which part of the room is open."""
    modes = (name for name in fields if fields[name].words and name not in OF_VIEWS)
    return next(modes, None)


def contexts(fields, name):
    """What a field is tried with: nothing, then all others, in every part of the room."""
    yield {}
    others = {other: values_of(kind)[0] for other, kind in fields.items() if other != name}
    mode = mode_of(fields)
    for part in values_of(fields[mode]) if mode not in (name, None) else ():
        yield others | {mode: part}
    yield others


def linked(room, fields):
    begin = BEGIN | {"model": model_of(room)}
    return "#" + urlencode(begin | {"room": [room.name]} | fields, doseq=True)


def model_of(room):
    return MODELS.get(room.name, MODEL)


def said(link):
    """What the view of a link says, by the names of fields."""
    view = read_link(link)[1]
    room = f"{view['room']}."
    others = ("locks", "cells", "choices", "to_end", "stale", "weights")
    flat = {name: one for name, one in view.items() if name not in others}
    flat |= {site: [lock["layer"], lock["head"]] for site, lock in view["locks"].items()}
    flat |= {f"cell_{of}": [cell["query"], cell["key"]] for of, cell in view["cells"].items()}
    flat |= {f"{room}{name}": one for name, one in view["choices"].items()}
    spelled = view["spelled"] or view["choices"].get("spelled") or None
    flat |= {"spelled": spelled, f"{room}spelled": spelled}
    usual = {"view": "heat", "order": "place", "reading": "weights", "by": "words"}
    flat = {name: one for name, one in flat.items() if one is not False}
    return {name: one for name, one in flat.items() if one not in (None, usual.get(name))}


def open_in(stage, link):
    """Opens a link in the page at hand; gives what it names as not shown."""
    stage.page.evaluate("(link) => { location.hash = link; }", link)
    seen = stage.drawn(f"{READY} && (drawn.message !== null || location.hash !== {link!r})")
    told = seen["message"] or ""
    named = UNSHOWN.fullmatch(told)
    assert named or not told or f"points at layer {MOST + 1};" in told, (link, told)
    return set(named[1].split(", ")) if named else {"a layer"} if told else set()


def assert_is_there(stage, asked):
    """The address of the page says what was asked, and the server has an answer to all of it."""
    link = stage.page.evaluate("() => location.hash")
    now = said(link)
    assert {name: now.get(name) for name in asked} == asked, link
    shown = open_link(stage.service.library, link)
    tracer = stage.service.library.tracer(shown.recipe.model)
    if lacks := shown.picture.room.lacks(tracer.anatomy):
        assert stage.drawn()["in_room"] == {"lacks": WORDS["en"][f"error_lacks_{lacks}"]}, link
        return
    answer = shown.picture.room.answer(tracer, shown.recipe, shown.picture.view)
    made = answer.view.to_json()
    for name, one in shown.picture.view.to_json().items():
        if name == "b":  # a run that names no tokens was carried to its end
            one = one | {"target": made[name]["target"]}
        assert made[name] == one, (link, name)


def lacks_layer(stage, link):
    try:
        read_link(link, stage.service.models)
    except RecipeError as error:
        return error.code == "link_layer"
    return False


def shown_together(stage, room, fields):
    """What is shown of links that choose all that fits together, and in which part of the room."""
    mode, shown = mode_of(fields), {name: {} for name in fields}
    for part in values_of(fields[mode]) if mode else ({},):
        fitting, new = [*fields], fields
        while new:
            left = {
                name: [one for one in values_of(fields[name]) if tuple(one) not in shown[name]]
                for name in fitting
            }
            chosen = {name: (left[name] or values_of(fields[name]))[0] for name in fitting}
            chosen |= {mode: part} if mode else {}
            link = linked(room, chosen)
            if lacks_layer(stage, link):  # which the model has at another site
                fitting = [name for name in fitting if not name.endswith("layer")]
                continue
            if named := open_in(stage, link):
                assert named < {*fitting}, link
                fitting = [name for name in fitting if name not in named]
                continue
            assert_is_there(stage, said(link))
            new = [name for name in fitting if chosen[name] in left[name]]
            for name in new:
                shown[name][tuple(chosen[name])] = {mode: part} if mode else {}
    return shown


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_every_choice_of_a_link_is_shown_and_what_is_not_there_is_named(visit, room):
    stage = visit()
    stage.drawn()
    fields = fields_of(room)
    shown = shown_together(stage, room, fields)
    for name, kind in fields.items():
        for many in values_of(kind):  # what others excluded
            if tuple(many) in shown[name]:
                continue
            alone = [{}] if many[0] in HIDDEN.get(name, ()) else contexts(fields, name)
            for context in alone:
                link = linked(room, context | {name: many})
                asked, named = said(link), open_in(stage, link)
                if not named:
                    assert_is_there(stage, asked)
                if name not in named:
                    shown[name][tuple(many)] = context
                    break
        hidden = {many[0] for many in values_of(kind) if tuple(many) not in shown[name]}
        assert hidden == set(HIDDEN.get(name, ())), name
    assert_places_beyond_are_named(stage, room, fields, shown)


def assert_places_beyond_are_named(stage, room, fields, shown):
    """Places that no sentence has, all of a part of the room at once, are each named."""
    mode, far = mode_of(fields), {}
    for name in (name for name in fields if beyond(fields[name])):
        part = next(reversed(shown[name].values())).get(mode) if mode != name else None
        far.setdefault(tuple(part or ()), {})[name] = beyond(fields[name])
    for part, places in far.items():
        begin = {mode: list(part)} if part else {}
        named = open_in(stage, linked(room, begin | places))
        for name in places.keys() - named:  # one that the model lacks is told before the others
            assert open_in(stage, linked(room, begin | {name: places[name]})) & {name, "a layer"}
