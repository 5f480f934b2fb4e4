"""A room is a folder and one name: its answer, its picture and its files need nothing else."""

import hashlib
import json
import os
import subprocess
import sys
import textwrap

import pytest

from model_core.decoding.library import Library
from model_core.values.recipe import Recipe
from tests.conftest import ROOT
from tests.tiny import tiny_checkpoint
from viz_app import rooms
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture
from viz_app.server.service import Service

FILES = {
    "__init__.py": """
        from viz_app.rooms.room import Answer, Room, Shown
        from viz_app.values.tables import Axis, TableOf
        from viz_app.values.view import View

        def answer(tracer, recipe, view):
            source = tracer.evaluate(recipe).source
            lengths = [len(text) for text in source.texts]
            table = TableOf("lengths", (Axis.of("token", source),), {"letters": "lengths"})
            return Answer(view, {"lengths": lengths, "source": source}, {"letters": (table,)})

        ROOM = Room(
            "letters", View, answer, {"letters": Shown("how long each token is")},
            asks=lambda view: ({"site": view.site},),
        )
    """,
}


@pytest.fixture
def room(tmp_path, monkeypatch):
    folder = tmp_path / "packages" / "letters_room"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(folder.parent)
    import letters_room

    monkeypatch.setattr(rooms, "ROOMS", (*rooms.ROOMS, letters_room.ROOM))
    yield letters_room.ROOM
    for name in [name for name in sys.modules if name.startswith("letters_room")]:
        del sys.modules[name]


@pytest.fixture
def library(tmp_path):
    tiny_checkpoint(tmp_path / "models" / "tiny")
    return Library(tmp_path / "models")


def test_a_folder_and_a_name_make_a_room(room, library):
    recipe = Recipe("tiny", "The old cat.")
    shown = fill(library, recipe, picture("letters"))
    source = library.extend(recipe, 0)[1].source
    lengths = [len(text) for text in source.texts]
    drawn = shown.figure(Look())
    assert list(drawn.data[0].x) == lengths and drawn.layout.title.text == "How long each token is"
    stored = json.loads(prepared(library, FileRequest(recipe, picture("letters"), "json"))())
    assert stored["tables"]["lengths"]["values"]["letters"] == lengths
    rows = prepared(library, FileRequest(recipe, picture("letters"), "csv"))().decode("utf-8-sig")
    assert rows.splitlines()[0] == "token,token_token,letters"
    answer = Service(library.root).answer({"room": "letters", "recipe": recipe.to_json()})
    assert answer["lengths"] == lengths and answer["source"]["texts"] == list(source.texts)
    assert answer["tables"]["letters"][0]["arrays"] == {"letters": "lengths"}


def count(monkeypatch, owner, name):
    calls, real = [], getattr(owner, name)

    def counted(*arguments, **keywords):
        calls.append(arguments)
        return real(*arguments, **keywords)

    monkeypatch.setattr(owner, name, counted)
    return calls


@pytest.mark.parametrize("name", ["scores", "order", "head", "sum"])
def test_a_page_of_a_room_asks_each_question_once(library, monkeypatch, name):
    recipe, _ = library.extend(Recipe("tiny", "The old cat."), 3)
    room = rooms.pictures()[name]
    asked = []

    def answer(tracer, recipe, view):
        asked.append(view)
        return room.answer(tracer, recipe, view)

    counted = type(room)(**vars(room) | {"answer": answer})
    monkeypatch.setattr(
        rooms, "ROOMS", tuple(counted if one is room else one for one in rooms.ROOMS)
    )
    extended = count(monkeypatch, Library, "extend")
    prepared(library, FileRequest(recipe, picture(name), "html"))()
    assert len(asked) == {"order": 2}.get(name, 1)  # what is seen, and what is told below it
    assert len(set(asked)) == len(asked)
    assert len(extended) == 1


def test_pieces_on_the_screen_are_pieces_in_files(library):
    recipe, decoding = library.extend(Recipe("tiny", "The old cat."), 3)
    for name in ("cross", "scores", "order", "head"):
        shown = fill(library, recipe, picture(name, site="cross", spelled=True))
        said = {text for table in shown.tables for a in table.axes for text in a.tokens or ()}
        assert any(piece in said for piece in decoding.source.pieces if "▁" in piece), name
        drawn = json.dumps(shown.figure(Look()).to_dict(), ensure_ascii=False, default=list)
        assert "▁" in drawn, name


def digest(root):
    """Of files of two rooms."""
    library, recipe = Library(root), Recipe("tiny", "The old cat sleeps.")
    wanted = [FileRequest(recipe, picture(name), "json") for name in ("scores", "order")]
    made = b"".join(prepared(library, wanted)() for wanted in wanted)
    return hashlib.sha256(made).hexdigest()


def test_a_file_is_the_same_under_every_hash_seed(library):
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # other than this process has
    program = f"from {__name__} import digest; print(digest({str(library.root)!r}))"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
        text=True,
    )
    assert ended.stdout.strip() == digest(library.root)


def test_weights_without_their_model_open_translate_alone():
    for room in rooms.ROOMS:
        assert ("runs" in room.needs) == (room is not rooms.HOME)
