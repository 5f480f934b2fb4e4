"""A site: its files, what they may hold, and into which folders it is written."""

import base64
import errno
import gzip
import io
import json
import os
import re
import shutil
import zipfile
from html.parser import HTMLParser

import pytest

from model_core.decoding.library import Library
from model_core.errors import ExportError, LessonError, RecipeError
from model_core.folders import CHECKPOINTS
from model_core.values.recipe import Recipe
from tests.model_core.models.hub.tiny import saved_hub
from tests.tiny import tiny_checkpoint
from viz_app.commands.site import announced, run
from viz_app.lessons.lesson import lesson_files, more_lessons
from viz_app.live import compiling
from viz_app.live.packages import archive
from viz_app.live.pieces import Pieces
from viz_app.menu.catalogue import models_of
from viz_app.rooms import ROOMS
from viz_app.rooms.examples import EXAMPLES
from viz_app.site.building import (
    MARK,
    SiteSentence,
    options_for,
    read_sentences,
    site_files,
    write_site,
)
from viz_app.site.pages import (
    INDEX_WORDS,
    index_name,
    index_page,
)
from viz_app.site.questions import of_model
from viz_app.text import WORDS

HOSTILE = "</script><img src=x>"
LIVE = "https://example.org/app/"


@pytest.fixture(scope="module", autouse=True)
def _one_example():
    """A short one; one kind of page more often shows nothing new."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EXAMPLES, ("en", "fr"), ("The old cat.",))
        yield


@pytest.fixture(scope="module")
def library(models):
    return Library(models, threads=1)


@pytest.fixture(scope="module")
def files(library):
    return site_files(library, [SiteSentence("tiny", HOSTILE, 1)], LIVE)


def pages_of(files):
    return [name for name in files if name.startswith("tiny/")]


class Links(HTMLParser):
    """What a page leads to or loads, and the texts of its elements."""

    def __init__(self, page):
        super().__init__()
        self.found, self.tags = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.found += [value for name, value in attrs if name in ("href", "src")]


def options_of(page):
    (text,) = re.findall(r'<script type="application/json" id="options">(.*?)</script>', page)
    return json.loads(text)


def test_every_example_and_sentence_has_a_page_to_which_both_indexes_lead(files):
    pages = pages_of(files)
    assert len(pages) == len(EXAMPLES["en", "fr"]) + 1
    for language in ("en", "zh"):
        index = "index.html" if language == "en" else "index.zh.html"
        led = [link.partition("#")[0] for link in Links(files[index].decode()).found]
        assert set(pages) <= set(led)
        assert {name for name in led if name in files or "://" in name or name == "data:,"} == set(
            led
        )
        assert LIVE in led


@pytest.mark.parametrize("language", WORDS)
def test_the_index_calls_groups_of_models_as_the_menu_does(language):
    models = [one | {"examples": []} for one in models_of(CHECKPOINTS)[0] if one["of"] is None]
    none = {one["name"]: [] for one in models}
    index = index_page(language, models, none, none, ("a.js", "a.css"), None)
    shelves = [WORDS[language][f"group_{name}"] for name in ("translation", "small", "tutorials")]
    assert re.findall("<h3>(.*?)</h3>", index) == shelves


def test_the_index_says_of_each_model_how_much_a_page_fetches_and_counts_one_as_one(library):
    entries = models_of(library.root)[0]
    pages, written = {"tiny": ["tiny/1.html"]}, {"tiny": ["le chien"]}
    models = [one | {"examples": ["The dog."]} for one in entries]
    shown = {
        (language, fetched is None): index_page(
            language, models, pages, written, ("a.js", "a.css"), None, fetched
        )
        for language in WORDS
        for fetched in (None, {"tiny": 9_760_000})
    }
    assert all(("9.8 MB" in index) == (not alone) for (_, alone), index in shown.items())
    assert "1 sentence, 1 model." in shown["en", True]
    assert "1 个句子，1 个模型。" in shown["zh", True]


def test_models_of_transformers_are_recorded_beside_those_that_pages_compute(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    for kind in ("marian", "gpt2", "bert"):
        saved_hub(tmp_path / f"my-{kind}", kind, max_position_embeddings=16)
    shutil.copytree(tmp_path / "my-bert", tmp_path / "broken")
    (tmp_path / "broken" / "tokenizer.json").unlink()
    told = []
    library = Library(tmp_path, threads=1, on_failure=lambda name, error: told.append(name))
    pieces = Pieces({"worker.js": b"//"}, {"packages": 5}, {"tiny": 7_000_000})
    made = site_files(library, [SiteSentence("my-marian", "the old cat", 1)], pieces=pieces)
    assert set(told) == {"broken"}
    shown = {
        name: [page for page in made if page.startswith(f"my-{name}/")]
        for name in ("marian", "gpt2", "bert", "broken")
    }
    assert [len(pages) for pages in shown.values()] == [2, 1, 1, 0]
    for page in (made[name].decode() for pages in shown.values() for name in pages):
        assert "wasm" not in page and "connect-src" not in page
        payload = options_of(page)["payload"]
        model = library.tracer(payload["recipe"]["model"]).model
        assert len(payload["recipe"]["target"]) == 0 or len(payload["steps"]) > 1
        asked = {room for room, _ in options_of(page)["answers"]}
        assert asked <= {one.name for one in ROOMS if one.lacks(model.anatomy) is None}
        assert "translate" in asked
    for language, words in INDEX_WORDS.items():
        index = made[index_name(language)].decode()
        assert index.count(words["recorded"]) == 3 and index.count("7.0 MB") == 1
    with pytest.raises(RecipeError, match="Line 4: The model 'broken'"):
        site_files(library, [SiteSentence("broken", "the old cat", 4)])


def test_a_page_loads_nothing_but_files_of_the_site_and_none_twice(files):
    for name in pages_of(files):
        page = files[name].decode()
        for link in Links(page).found:
            assert link == "data:," or link.removeprefix("../") in files, link
        assert "mountStage" not in page and "<style" not in page
    programs = [name for name, text in files.items() if b"mountStage(" in text]
    assert len(programs) == 1


def test_lessons_of_ones_own_are_listed_and_played_on_a_page_of_their_sentence(library, tmp_path):
    words = {"title": "Mine", "about": "", "one.say": HOSTILE, "one.ask": "How many?"}
    said = {"version": 1, "minutes": 1, "models": {"tiny": {"text": "A new dog."}}}
    said["steps"] = [{"id": "one", "show": "at=0", "ask": {"kind": "number", "answer": "steps()"}}]
    text = json.dumps(said | {"words": {"en": words}})
    (tmp_path / "mine.json").write_text(text, encoding="utf-8")
    made = site_files(library, lessons=more_lessons(tmp_path))
    (program,) = (text.decode() for text in made.values() if b"mountStage(" in text)
    menu = json.loads(re.findall(r"^const siteLessons = (.*);$", program, re.MULTILINE)[0])
    (entry,) = [one for one in menu["lessons"] if one["name"] == "mine"]
    page = made[entry["pages"]["tiny"]].decode()
    options = options_of(page)
    assert options["payload"]["recipe"]["source"] == "A new dog."
    assert ["lesson", {"name": "mine", "model": "tiny"}] in options["answers"]
    for language in WORDS:
        led = re.search('id="lessons">(.*?)</script>', made[index_name(language)].decode())
        assert json.loads(led[1]) == {"mine": entry["pages"]["tiny"]}
    assert HOSTILE not in page
    (tmp_path / "pads.json").write_text(text, encoding="utf-8")
    with pytest.raises(LessonError, match="pads already"):
        more_lessons(tmp_path)


def test_what_computes_in_the_pages_has_lessons_of_ones_own_too(tmp_path):
    (tmp_path / "mine.json").write_text("{}")
    (tmp_path / "mine.txt").write_text("title: A")
    (tmp_path / "other.txt").write_text("of no lesson")
    with zipfile.ZipFile(io.BytesIO(archive(lesson_files(tmp_path)))) as held:
        names = held.namelist()
        assert held.read("viz_app/lessons/mine.json") == b"{}"
    assert "viz_app/lessons/mine.txt" in names and "viz_app/lessons/other.txt" not in names


def test_pages_that_compute_share_what_does_and_may_fetch_it_from_their_own_site_alone(
    library, files, tmp_path
):
    pieces = Pieces({"worker.js": b"//", "models/tiny.bin": b"w"}, {"packages": 5}, {"tiny": 7})
    made = site_files(library, pieces=pieces)
    assert made["live/worker.js"] == b"//" and made["live/models/tiny.bin"] == b"w"
    page = made[pages_of(made)[0]].decode()
    for more in ("'wasm-unsafe-eval'", "connect-src 'self';", "worker-src 'self';"):
        assert more in page and more not in files[pages_of(files)[0]].decode()
    assert "connect-src" not in made["index.html"].decode()
    (program,) = (text.decode() for text in made.values() if b"mountStage(" in text)
    said = json.loads(re.findall(r"^const siteWorker = (.*);$", program, re.MULTILINE)[0])
    assert said == {"base": "live/", "sizes": {"shared": {"packages": 5}, "models": {"tiny": 7}}}

    write_site(tmp_path / "site", made)
    assert (tmp_path / "site/live/models/tiny.bin").read_bytes() == b"w"
    write_site(tmp_path / "site", files)  # recorded pages again
    assert not (tmp_path / "site/live").exists()


def unpacked(said):
    """Questions and answers of a page or of its model's table."""
    text, _, arrays = gzip.decompress(base64.b64decode(said["packed"])).partition(b"\n")

    def whole(value):
        if set(value) != {"bytes"}:
            return value
        start, end = value["bytes"]
        return base64.b64encode(arrays[start:end]).decode()

    answers = json.loads(text, object_hook=whole)
    return list(zip(said["answers"], answers, strict=True))


def test_the_answers_in_a_page_are_those_of_the_rooms(library, files):
    page = files[pages_of(files)[0]].decode()
    options = options_of(page)
    recipe = Recipe.from_json(options["payload"]["recipe"])
    rooms = {room.name: room for room in ROOMS}
    (table,) = re.findall(r'src="../(shared/\w+.js)"', page)[:1]
    of_model = unpacked(json.loads(files[table].decode().split("= ", 1)[1].rstrip(";\n")))
    of_page = unpacked(options)
    assert {room for (room, _), _ in of_page} == set(rooms) - {"training"}  # it has no history
    known = {json.dumps(asked): answer for asked, answer in of_model}
    for (name, asked), answer in [*of_page, *of_model]:
        room = rooms[name]
        view = room.view.from_json(asked)
        fresh = (room.to_page or room.answer)(library.tracer("tiny"), recipe, view).to_json()
        whole = known.get(json.dumps([name, asked]), {}) | answer
        assert json.loads(json.dumps(fresh)) == whole
    sites = {"encoder", "decoder", "cross"}
    for one in ("inside", "compare", "heads"):
        assert {asked.get("site") for (name, asked), _ in of_page if name == one} >= sites
    read = [asked for (name, asked), _ in of_page if name == "translate"]
    assert {(one["reading"], one["site"]) for one in read} == {
        *(("norms", site) for site in sites),
        ("hidden", "cross"),
    }
    assert options["site"]["link"].startswith(f"{LIVE}#v=")


def test_every_head_has_its_page_and_none_is_written_twice():
    library = Library(CHECKPOINTS, threads=1)
    recipe = library.extend(Recipe("reverse-tiny", "abc"), None)[0]
    known = of_model(library, recipe)
    anatomy = library.tracer("reverse-tiny").anatomy
    heads = [one for one in known if one.room == "heads"]
    assert len(heads) == sum(one.layers * one.heads for one in anatomy.sites)
    assert all("effect" not in one.answer for one in heads)
    options = options_for(library, recipe, None, True, known)
    for (name, asked), answer in unpacked(options):
        is_page = name == "heads" and asked.get("view") != "here"
        assert not is_page or set(answer) == {"effect", "rest"}


def test_all_shipped_examples_together_stay_below_21_megabytes(pytestconfig):
    if not pytestconfig.getoption("--whole"):
        pytest.skip("counted with --whole")
    files = site_files(Library(CHECKPOINTS, threads=1))
    assert sum(map(len, files.values())) < 21e6


def test_what_a_visitor_of_the_file_typed_stays_text(files):
    for name in (pages_of(files)[-1], "index.html", "index.zh.html"):
        page = files[name].decode()
        assert "</script><img" not in page
        assert "img" not in Links(page).tags
    assert options_of(files[pages_of(files)[-1]].decode())["payload"]["recipe"]["source"] == HOSTILE


def test_the_same_models_and_sentences_give_the_same_bytes(library, files):
    again = site_files(Library(library.root, threads=1), [SiteSentence("tiny", HOSTILE, 1)], LIVE)
    assert again == files


def test_a_folder_is_written_anew_only_where_the_site_wrote_it(
    library, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(compiling, "modules", archive)  # compiled: viz_app/live/test_compiling.py
    folder = tmp_path / "site"
    command = [str(folder), "--checkpoints", str(library.root)]
    extra = tmp_path / "extra.txt"
    extra.write_text("The dog sleeps.\n\ntiny\tThe cat.\n", encoding="utf-8")
    assert run([*command, "--examples", str(extra)]) == 0
    before = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    assert len(before) == 2 + len(EXAMPLES["en", "fr"]) + 2
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"tiny (1 of 1): {len(before) - 2} pages" and len(told) == 2
    assert (folder / "live/pieces.json").is_file()
    assert run([*command, "--recorded"]) == 0  # fewer sentences: their pages go
    assert not (folder / "live").exists()
    after = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    assert after < before and len(after) == len(before) - 2
    assert set(json.loads((folder / MARK).read_text())["files"]) == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    } - {MARK}

    mine = folder / "notes.txt"
    mine.write_text("mine")
    assert run(command) == 1
    assert "notes.txt, which is not of the site" in capsys.readouterr().err
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("mine")
    assert run([str(other), "--checkpoints", str(library.root)]) == 1
    assert "is not empty" in capsys.readouterr().err
    (other / MARK).write_text(
        json.dumps({"format": "attention-visualiser site 1", "files": ["../extra.txt"]})
    )
    assert run([str(other), "--checkpoints", str(library.root)]) == 1
    assert extra.exists() and mine.exists() and (other / "thesis.tex").exists()


def test_a_line_says_which_model_the_pages_are_of_that_are_made(capsys):
    recipes = [(Recipe(name, text), "") for name in ("one", "two") for text in ("a", "b", "c")]
    made = announced(recipes[:4])
    assert [next(made), next(made), next(made)] == recipes[:3]
    assert capsys.readouterr().out == "one (1 of 2): 3 pages\n"
    assert list(made) == recipes[3:4]
    assert capsys.readouterr().out == "two (2 of 2): 1 page\n"


@pytest.mark.parametrize("file", [MARK, "index.html"])
def test_a_file_of_a_site_for_which_there_is_no_room_is_named(tmp_path, monkeypatch, file):
    real = io.open

    class Full:
        """Every file can be opened; into this one nothing fits."""

        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def write(self, _):
            raise OSError(errno.EFBIG, "File too large")

    def opened(path, mode="r", *more, **named):
        is_full = os.path.basename(path) == file and "w" in mode
        return Full() if is_full else real(path, mode, *more, **named)

    monkeypatch.setattr(io, "open", opened)
    with pytest.raises(OSError, match="File too large") as told:
        write_site(tmp_path / "site", {"index.html": b"<p>"})
    assert told.value.filename == str(tmp_path / "site" / file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nobody\tThe cat.", "Line 1 of e.txt names the model 'nobody'; there are tiny"),
        (None, "e.txt"),
    ],
)
def test_a_file_of_sentences_that_cannot_be_used_is_refused_by_name(tmp_path, text, said):
    path = tmp_path / "e.txt"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises((RecipeError, ExportError), match=said):
        read_sentences(path, ["tiny"])


def test_a_sentence_too_long_is_refused_with_its_line(library):
    with pytest.raises(RecipeError, match="Line 7: The sentence has"):
        site_files(library, [SiteSentence("tiny", "old cat " * 60, 7)])


def test_an_address_that_is_none_is_refused(library, tmp_path, capsys):
    command = [str(tmp_path / "site"), "--checkpoints", str(library.root), "--live"]
    for live in ("javascript:alert(1)", "example.org", "https://"):
        assert run([*command, live]) == 1
        assert "is no address of a page" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
