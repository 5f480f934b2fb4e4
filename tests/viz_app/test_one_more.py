"""What adding costs: a room is a folder and one line, a format a function and its words."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.tiny import tiny_checkpoint

ROOT = Path(__file__).resolve().parents[2]
ROOM = {
    "__init__.py": """
        from viz_app.rooms.letters.answer import answer
        from viz_app.rooms.letters.sheets import spectrum
        from viz_app.rooms.letters.view import LettersView
        from viz_app.rooms.room import Room, Shown, asked

        ROOM = Room(
            "letters",
            LettersView,
            answer,
            {
                "letters": Shown(
                    "how long each token is", {"form": "bars"}, named=("side", "least")
                ),
                "spectrum": Shown("how many are so long", {"form": "spectrum"}, spectrum, ()),
            },
            asks=asked("form", "side", "least"),
            beforehand=lambda seen, whole: ({"form": "bars"},),
        )
    """,
    "view.py": """
        from dataclasses import dataclass
        from typing import Annotated, Literal

        from viz_app.values.view import Option, Place, View

        @dataclass(frozen=True)
        class LettersView(View):
            form: Literal["bars", "spectrum"] | None = "bars"
            side: Annotated[Literal["source", "target"] | None, Option()] = "source"
            least: Annotated[
                Place,
                Option(("shortest",), counts_from=1, help="of letters: the shortest of all"),
            ] = None
    """,
    "answer.py": """
        from viz_app.rooms.room import Answer
        from viz_app.values.tables import Axis, TableOf

        def answer(tracer, recipe, view):
            decoding = tracer.evaluate(recipe)
            tokens = decoding.source if view.side == "source" else decoding.target
            lengths = [max(len(text), view.least or 0) for text in tokens.texts]
            table = TableOf("lengths", (Axis.of("token", tokens),), {"letters": "lengths"})
            values = {"lengths": lengths}
            return Answer(view, values, {"letters": (table,), "spectrum": (table,)})
    """,
    "sheets.py": """
        import numpy as np

        from viz_app.values.phrases import say
        from viz_app.values.sheets import Bars, alone

        def spectrum(answer):
            (table,) = answer.table("spectrum")
            lengths = table.values["letters"]
            return alone(say("export_what_letters"), Bars(np.sort(lengths), *table.axes))
    """,
    "words.txt": """
        room_letters: Letters
          zh: 字母
        export_what_letters: How long each token is
          zh: 每个词元的长度
    """,
    "letters.js": 'export const room = { name: "letters" };',
    "letters.css": "",
}
USES = """
    import base64
    import json
    import sys
    from pathlib import Path

    from model_core.decoding.library import Library
    from model_core.values.recipe import Recipe
    from viz_app import read_link, rooms, show, write_link
    from viz_app.commands.export import parser, run
    from viz_app.files.content import fill
    from viz_app.files.linked import open_link
    from viz_app.files.making import name_of
    from viz_app.files.picture import picture
    from viz_app.files.signed import signature_of
    from viz_app.files.standalone import initial_state, standalone_html
    from viz_app.files.file_request import FileRequest
    from viz_app.server.endpoints import endpoints
    from viz_app.server.service import Service
    from viz_app.rooms.beforehand import answered
    from viz_app.site.questions import first_view, of_sentence
    from viz_app.text import WORDS

    TEXT, CHOSEN = "The old cat.", {"side": "target", "shortest": 3}
    root, here = Path(sys.argv[1]), Path.cwd()
    library = Library(root)
    recipe, decoding = library.extend(Recipe("tiny", TEXT), None)
    shown = picture("letters", **CHOSEN)
    assert shown.view.to_json() == {"side": "target", "least": 2}
    assert name_of(FileRequest(recipe, shown, "csv")) == "tiny-letters-target-shortest3.csv"

    # command line, notebook and endpoint
    options = ["--model", "tiny", "--text", TEXT, "--view", "letters", "--side", "target"]
    assert run([*options, "--shortest", "3", "-o", "a.csv"], root) == 0
    show(root / "tiny", TEXT).save("b.csv", "letters", **CHOSEN)
    file = next(one for one in endpoints(Service(root)) if one.__name__ == "file")
    answer = file(TEXT, "letters", "csv", model="tiny", choices=CHOSEN)
    content = base64.b64decode(answer["data"])
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes() == content

    # its link, from the picture itself too
    link = write_link(recipe, {"room": "letters", "choices": {"side": "target", "least": 2}})
    linked = open_link(library, link).picture
    assert shown.view.to_json().items() <= linked.view.to_json().items()
    signed = signature_of(recipe, "1a2b3c4d", fill(library, recipe, shown).picture, "letters")
    assert "&room=letters&letters.side=target&letters.least=2" in signed.link
    other = write_link(recipe, {"room": "letters", "choices": {"form": "spectrum"}})
    assert open_link(library, other).picture.name == "spectrum"
    assert run(["--link", link, "-o", "c.csv"], root) == 0
    assert Path("c.csv").read_bytes() == content

    # a page without a server, and a site
    opened = initial_state(library, recipe, shown)
    assert opened.view["room"] == "letters" and len(opened.answers) == 1
    assert 'name: "letters"' in standalone_html(library, recipe, opened)
    model = library.tracer("tiny").model
    asked = of_sentence(model, decoding, first_view(model, decoding), True)
    (ours,) = [one for one in answered(library, recipe, asked) if one.room == "letters"]
    assert len(ours.answer["lengths"]) == len(decoding.source)
    assert WORDS["zh"]["room_letters"] == "字母"

    # a format of numbers
    assert run(["--model", "tiny", "--text", TEXT, "-o", "a.txt"], root) == 0
    show(root / "tiny", TEXT).save("b.txt", "cross")
    answer = file(TEXT, "cross", "txt", model="tiny")
    assert Path("a.txt").read_bytes() == Path("b.txt").read_bytes()
    assert base64.b64decode(answer["data"]) == Path("a.txt").read_bytes()
    assert b"weights_QK" in Path("a.txt").read_bytes() and answer["type"] == "text/plain"
    assert ".txt" in parser(root).format_help() and "export_about_txt" in WORDS["zh"]
    print("all of it")
"""


FORMAT = """

def to_text(tables, about):
    names = [name for table in tables for name in table.values]
    return (about["text"] + ": " + " ".join(names)).encode()


FORMATS["txt"] = ("text/plain", to_text)
"""
WORDS = """
export_format_txt: TXT, the names alone
  zh: TXT，只有名称
export_about_txt: The names of the numbers.
  zh: 数值的名称。
"""


@pytest.fixture
def app(tmp_path):
    """The app as a folder of its own, which may be changed."""
    app = tmp_path / "viz_app"
    shutil.copytree(ROOT / "viz_app", app, ignore=shutil.ignore_patterns("__pycache__"))
    tiny_checkpoint(tmp_path / "models" / "tiny")
    return app


def runs(app, program):
    """Run a program with the changed app."""
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(app.parent / "models")],
        cwd=app.parent,
        env=os.environ | {"PYTHONPATH": f"{app.parent}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert ended.stdout.strip().endswith("all of it"), ended.stderr


def test_a_room_as_good_as_the_others_is_a_folder_and_one_line_and_a_format_a_function(app):
    (app / "rooms/letters").mkdir()
    for name, text in ROOM.items():
        (app / "rooms/letters" / name).write_text(textwrap.dedent(text), encoding="utf-8")
    listed = (app / "rooms/__init__.py").read_text(encoding="utf-8")
    with_it = listed.replace("    compare.ROOM,\n", "    compare.ROOM,\n    letters.ROOM,\n")
    with_it = with_it.replace("inside, masks,", "inside, letters, masks,")
    (app / "rooms/__init__.py").write_text(with_it, encoding="utf-8")
    for path, text in (("files/tables.py", FORMAT), ("text/export.txt", WORDS)):
        with (app / path).open("a", encoding="utf-8") as file:
            file.write(text)
    runs(app, USES)
