"""What adding costs: a room is a folder and one line, a format a function and its words.

An edit is its arithmetic and three files beside it, a measure of heads its arithmetic and two, a
family of models a row of a table.
"""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.conftest import ROOT
from tests.tiny import tiny_checkpoint

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
    done = library.run(recipe)
    asked = of_sentence(done.model, decoding, first_view(done.model, decoding), True)
    (ours,) = [one for one in answered(library, done, asked) if one.room == "letters"]
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

# The line that lists the room, and the name that it imports; the function of a format, its words.
LISTED = {
    "viz_app/rooms/__init__.py": [
        ("    compare.ROOM,\n", "    letters.ROOM,\n"),
        ("inside,", " letters,"),
    ],
    "viz_app/files/tables.py": FORMAT,
    "viz_app/text/export.txt": WORDS,
}

# The arithmetic of an edit, and what there is beside it: its name and its forms, its words, and
# what it is found by where something is asked.
EDIT = {
    "model_core/transformer/edited.py": """


        def _half(edit: Edit, around: Around) -> Tap:
            name = f"{sublayer_of(cast(Site, edit.site), edit.layer)}.heads"

            def change(value_BHQE: Tensor) -> Tensor:
                changed_BHQE = value_BHQE.clone()
                changed_BHQE[:, edit.head] /= 2
                return changed_BHQE

            return lambda given, value: change(value) if given == name else value


        _CHANGES["half"] = _half
    """,
    "model_core/values/edits.py": (
        "KINDS: dict[str, EditKind] = {\n",
        '    "half": EditKind("head", ("site.layer.head",), "half of what this head makes"),\n',
    ),
    "viz_app/text/edits.txt": """
        edit_half: {site} L{layer}H{head} halved
          zh: {site} L{layer}H{head} 减半
        whatif_about_half: This head adds half of what it made.
          zh: 这个头只贡献原来的一半。
    """,
    "viz_app/text/asked/places.txt": """
        edit_half.title: half of one head
          zh: 一个头减半
        edit_half.link: {cat}&edit=half:cross.3.3&site=cross&cross=2.2
        edit_half.words: weaken a head
          zh: 削弱一个头
    """,
}
EDITS = """
    import sys
    from contextlib import redirect_stdout
    from io import StringIO
    from pathlib import Path

    import numpy as np

    from model_core.__main__ import main
    from model_core.decoding.library import Library
    from model_core.values.recipe import Recipe
    from tests.javascript.__main__ import ROOT
    from tests.javascript.answers import choices
    from tests.javascript.running import run_module
    from viz_app import read_link, write_link
    from viz_app.menu.catalogue import models_of
    from viz_app.text import WORDS
    from viz_app.text.asked import asked

    TEXT, KIND, EDIT = "The old cat.", "half", "half:cross.2.3"
    root, here = Path(sys.argv[1]), Path.cwd()
    library = Library(root)
    recipe, decoding = library.extend(Recipe("tiny", TEXT, edits=(EDIT,)), None)
    assert list(map(str, recipe.edits)) == [EDIT]

    # what it computes is what a tap computes that stands nowhere
    def half(name, value):
        if name == "decoder.2.cross.heads":
            value[:, 2] /= 2
        return value

    model = library.tracer("tiny").model
    target = decoding.target.ids[:-1]
    passed = model.full_pass([decoding.source.ids], [target], tap=half)
    made = library.tracer("tiny", recipe.edits).model.full_pass([decoding.source.ids], [target])
    assert np.array_equal(passed.logits_BTV.numpy(), made.logits_BTV.numpy())
    untouched = model.full_pass([decoding.source.ids], [target])
    assert not np.array_equal(passed.logits_BTV.numpy(), untouched.logits_BTV.numpy())

    # a link, what can be asked, and the command line
    assert read_link(write_link(recipe, {}))[0].edits == recipe.edits
    question = next(one for one in asked()["questions"] if one["name"] == "edit_half")
    asks, _ = read_link(question["link"], models_of(ROOT / "checkpoints")[0])
    assert [edit.kind for edit in asks.edits] == [KIND]
    with redirect_stdout(StringIO()) as said:
        options = ["--model", str(root / "tiny"), "--text", TEXT, "--edit", EDIT]
        assert main(["translate", *options]) == 0
    assert library.tracer("tiny").text(decoding).strip() in said.getvalue()

    # a line of the menu, and a name under the translation
    Path("viz_app/stage/choices.js").write_text(choices(), encoding="utf-8")
    SCRIPT = '''
    const { whatIfPanel } = await import(`${given.app}/stage/page/whatif/panel.js`);
    const { readerOf } = await import(`${given.app}/stage/page/words.js`);
    const t = readerOf(given.words, "en");
    const locks = { cross: { layer: 1, head: 2 } };
    const run = { recipe: given.recipe, text: "", anatomy: given.anatomy, steps: [] };
    const edited = [];
    const state = { run, site: "cross", locks, other: null };
    const session = { state, actions: { edit: (edits) => edited.push(edits) } };
    const inside = (one) => (Array.isArray(one) ? one.flatMap(inside)
      : Array.isArray(one?.values) ? one.values.flatMap(inside) : [one]);
    const found = inside(whatIfPanel(t, session, [], "", () => {}));
    const at = found.lastIndexOf(given.kind);
    found.slice(at).find((one) => typeof one === "function")();
    const texts = found.filter((one) => typeof one === "string");
    console.log(JSON.stringify({ texts, edited }));
    '''
    anatomy = {"edits": list(library.tracer("tiny").anatomy.edits), "sites": []}
    given = {"app": str(here / "viz_app"), "words": WORDS, "kind": KIND, "anatomy": anatomy}
    drawn = run_module(SCRIPT, given | {"recipe": {"model": "tiny", "edits": []}})
    name = WORDS["en"]["edit_half"].format(site="cross", layer=2, head=3)
    assert name in drawn["texts"] and WORDS["en"]["whatif_about_half"] in drawn["texts"], drawn
    assert drawn["edited"] == [[EDIT]]
    print("all of it")
"""

MEASURE = {
    "model_core/training/evaluation/heads/sums.py": (
        '            "likeness": likeness_LH,\n',
        '            "oddness": 1 - likeness_LH,\n',
    ),
    "model_core/values/head_measures.py": (
        '_EVERYWHERE = ("distance", "reach", "coverage", "likeness"',
        ', "oddness"',
    ),
    "viz_app/rooms/heads/words.txt": """
        heads_measure_oddness: oddness
          zh: 独特度
        heads_about_oddness: How unlike every other head it is.
          zh: 它与其他各个头有多不同。
    """,
}
MEASURES = """
    import sys
    from pathlib import Path

    import numpy as np

    from model_core.decoding.library import Library
    from model_core.values.recipe import Recipe
    from tests.javascript.running import run_module
    from tests.tiny import measured_checkpoint
    from viz_app import rooms, write_link
    from viz_app.commands.export import run
    from viz_app.files.linked import open_link
    from viz_app.text import WORDS

    TEXT, NAME = "The old cat.", "oddness"
    root, here = Path(sys.argv[1]), Path.cwd()
    measured_checkpoint(root / "measured")
    library = Library(root)
    recipe, _ = library.extend(Recipe("measured", TEXT), None)
    room = rooms.room_named("heads")
    answer = room.answer(library.tracer("measured"), recipe, room.view(measure=NAME))
    for site in answer.values["sites"].values():
        likeness, oddness = (site["values"][name] for name in ("likeness", NAME))
        assert np.allclose(oddness, 1 - likeness, atol=1e-6) and oddness.any()

    # a link, the picture behind it, and a column of its table
    link = write_link(recipe, {"room": "heads", "choices": {"view": "grid", "measure": NAME}})
    linked = open_link(library, link)
    assert linked.picture.view.measure == NAME
    assert run(["--link", link, "-o", "a.csv"], root) == 0
    assert NAME in Path("a.csv").read_text()

    # what the page says of it
    SCRIPT = '''
    const { aboutOf } = await import(`${given.app}/rooms/heads/numbers.js`);
    const { readerOf } = await import(`${given.app}/stage/page/words.js`);
    const t = readerOf(given.words, "en");
    console.log(JSON.stringify(t(`heads_about_${aboutOf(t, "oddness")}`)));
    '''
    said = run_module(SCRIPT, {"app": str(here / "viz_app"), "words": WORDS})
    assert said == WORDS["en"]["heads_about_oddness"]
    print("all of it")
"""

# A row that says that a model of this type is made as one of another is.
FAMILY = {
    "model_core/models/hub/families.py": ('    "bart": _BART,\n', '    "twin": _BART,\n'),
}
FAMILIES = """
    import sys
    from pathlib import Path

    import numpy as np
    import torch
    from transformers import AutoConfig, AutoModelForSeq2SeqLM, BartConfig
    from transformers import BartForConditionalGeneration as Bart

    from model_core.decoding.library import Library
    from model_core.values.recipe import Recipe
    from tests.model_core.models.hub.tiny import CONFIGS, saved_hub
    from viz_app import show
    from viz_app.menu.catalogue import models_of

    class TwinConfig(BartConfig):
        model_type = "twin"

    class Twin(Bart):
        config_class = TwinConfig

    Twin.__module__ = Bart.__module__  # where the library looks up how a class attends
    AutoConfig.register("twin", TwinConfig)
    AutoModelForSeq2SeqLM.register(TwinConfig, Twin)
    CONFIGS["twin"] = CONFIGS["bart"]
    root = Path(sys.argv[1])
    saved_hub(root / "foreign", "twin")
    own = Twin.from_pretrained(root / "foreign").eval()

    library = Library(root)
    recipe, decoding = library.extend(Recipe("foreign", "the old cat sleeps"), 4)
    model = library.tracer("foreign").model
    assert [one.site for one in model.anatomy.sites] == ["encoder", "decoder", "cross"]
    fed = [*decoding.fed.ids]
    with torch.inference_mode():
        inputs = {"input_ids": torch.tensor([decoding.source.ids])}
        inputs["decoder_input_ids"] = torch.tensor([fed])
        found = own(**inputs, output_attentions=True)
    for layer, weights_BHQK in enumerate(found.cross_attentions):
        shown = decoding.trace("cross", layer).weights_HQK
        assert np.allclose(shown, weights_BHQK[0].numpy(), atol=1e-5)
    figure = show(root / "foreign", "the old cat sleeps").figure("cross")
    assert figure.data
    print("all of it")
"""


# Every program begins with what was imported before, and sees what every addition brought.
EACH = """
    import os
    import sys
    import traceback

    import model_core.models.loading, transformers
    import viz_app.files.notebook, viz_app.server.service

    for name in sys.argv[2:]:
        if (child := os.fork()) == 0:
            text = open(name, encoding="utf-8").read()
            sys.stdout = sys.stderr = open(f"{name}.said", "w", encoding="utf-8")
            try:
                exec(compile(text, name, "exec"), {"__name__": name})
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)
"""
PROGRAMS = {"room": USES, "edit": EDITS, "measure": MEASURES, "family": FAMILIES}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What the program of each addition said, in an app and a core with all of them."""
    folder = tmp_path_factory.mktemp("grown")
    for name in ("viz_app", "model_core"):
        unread = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=unread)
    tiny_checkpoint(folder / "models" / "tiny")
    (folder / "viz_app/rooms/letters").mkdir()
    for name, text in ROOM.items():
        (folder / "viz_app/rooms/letters" / name).write_text(textwrap.dedent(text), "utf-8")
    add(folder, LISTED)
    for added in (EDIT, MEASURE, FAMILY):
        add(folder, added)
    for name, program in PROGRAMS.items():
        (folder / name).write_text(textwrap.dedent(program), "utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(EACH), str(folder / "models"), *PROGRAMS],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    return {name: (folder / f"{name}.said").read_text("utf-8") for name in PROGRAMS}


def add(root, files):
    """Add a text at the end of each file, or behind another text of it."""
    for path, added in files.items():
        for one in added if isinstance(added, list) else [added]:
            behind, text = one if isinstance(one, tuple) else ("", textwrap.dedent(one))
            was = (root / path).read_text(encoding="utf-8")
            assert not behind or was.count(behind) == 1, path
            now = was.replace(behind, behind + text) if behind else was + text
            (root / path).write_text(now, encoding="utf-8")


def assert_all_of_it(said):
    assert said.strip().endswith("all of it"), said


def test_a_room_as_good_as_the_others_is_a_folder_and_one_line_and_a_format_a_function(said):
    assert_all_of_it(said["room"])


def test_an_edit_is_its_arithmetic_and_three_files(said):
    assert sum("transformer" not in path for path in EDIT) == 3
    assert_all_of_it(said["edit"])


def test_a_measure_of_heads_is_its_arithmetic_and_two_files(said):
    assert sum("evaluation" not in path for path in MEASURE) == 2
    assert_all_of_it(said["measure"])


def test_a_family_of_models_like_another_is_a_row_of_the_table(said):
    assert len(FAMILY) == 1
    assert_all_of_it(said["family"])
