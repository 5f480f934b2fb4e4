"""The manifest of a lesson pack for learning platforms, and the lesson in it."""

import io
import json
import re
import zipfile
from xml.etree import ElementTree

import pytest

from model_core.values.recipe import Recipe
from tests.viz_app.files.test_notebook import options
from viz_app.figures.look import Look
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture
from viz_app.files.scorm import MANIFEST, manifest
from viz_app.lessons.lesson import own_lessons, read_written

CP = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
ADL = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
SENTENCE = "The old cat sleeps on the warm roof."
# What may stand in what, in this order, and what each must say: as imscp_rootv1p1p2.xsd has it.
CHILDREN = {
    "manifest": ("metadata", "organizations", "resources"),
    "metadata": ("schema", "schemaversion"),
    "organizations": ("organization",),
    "organization": ("title", "item"),
    "item": ("title", "item"),
    "resources": ("resource",),
    "resource": ("file",),
}
REQUIRED = {
    "manifest": {"identifier"},
    "organization": {"identifier"},
    "item": {"identifier"},
    "resource": {"identifier", "type"},
    "file": {"href"},
}
MINE = {
    "version": 1,
    "minutes": 2,
    "models": {"en-fr": {"text": SENTENCE}},
    "steps": [
        {
            "id": "one",
            "show": "at=2",
            "ask": {"kind": "number", "answer": "steps()"},
            "until": {"kind": "answered"},
        },
        {"id": "two", "show": "at=3", "until": {"kind": "all", "of": []}},
    ],
    "words": {
        "en": {
            "title": "<b>Mine</b> \0",
            "about": "",
            "one.say": "<img src=x onerror=alert(1)>",
            "one.ask": "?",
            "two.say": "2",
        }
    },
}


def assert_has_its_order(element):
    name = element.tag.removeprefix(CP)
    known = CHILDREN.get(name, ())
    places = [known.index(child.tag.removeprefix(CP)) for child in element]
    assert places == sorted(places), name
    assert REQUIRED.get(name, set()) <= set(element.keys()), name
    if name in ("title", "schema", "schemaversion"):
        assert len(element.text) <= {"title": 200, "schema": 100, "schemaversion": 20}[name]
    assert len(element.get("href", "")) <= 2000
    assert re.fullmatch(r"[A-Za-z_][\w.-]*", element.get("identifier", "a"))
    for child in element:
        assert_has_its_order(child)


def assert_is_scorm(text, names):
    """One organization with one item, whose resource is launched; every file is listed once."""
    root = ElementTree.fromstring(text)
    assert_has_its_order(root)
    assert root.tag == f"{CP}manifest" and root.get("identifier")
    tags = [one.tag for one in root]
    assert tags == [f"{CP}{one}" for one in ("metadata", "organizations", "resources")]
    assert root.findtext(f"{CP}metadata/{CP}schema") == "ADL SCORM"
    assert root.findtext(f"{CP}metadata/{CP}schemaversion") == "1.2"
    identifiers = [one.get("identifier") for one in root.iter() if one.get("identifier")]
    assert len(set(identifiers)) == len(identifiers)
    (organization,) = root.findall(f"{CP}organizations/{CP}organization")
    assert root.find(f"{CP}organizations").get("default") == organization.get("identifier")
    (item,) = organization.findall(f"{CP}item")
    resources = {one.get("identifier"): one for one in root.iter(f"{CP}resource")}
    launched = resources[item.get("identifierref")]
    assert launched.get(f"{ADL}scormtype") == "sco" and launched.get("type") == "webcontent"
    scos = [one for one in resources.values() if one.get(f"{ADL}scormtype") == "sco"]
    assert scos == [launched]
    listed = [one.get("href") for one in root.iter(f"{CP}file")]
    assert sorted(listed) == sorted(name for name in names if name != MANIFEST)
    assert launched.get("href") in [one.get("href") for one in launched]
    assert organization.findtext(f"{CP}title") == item.findtext(f"{CP}title")
    return launched.get("href"), item.findtext(f"{CP}title")


def test_any_title_and_any_name_of_a_file_is_text():
    names = ["a & b.html", 'pictures/"x" <y>.png', "图.csv"]
    title = "]]> <script> & \u201c图\u201d"
    href, said = assert_is_scorm(manifest(title, names[0], names), names)
    assert (href, said) == (names[0], title)
    assert manifest(title, names[0], names) == manifest(title, names[0], names)


@pytest.mark.parametrize("title", ["x" * 201, "a\0b\x1b\ud800\ufffe c", ""])
def test_a_title_is_cut_to_what_a_manifest_takes(title):
    _, said = assert_is_scorm(manifest(title, "page.html", ["page.html"]), ["page.html"])
    assert said == {201: "x" * 199 + "…", 0: "page.html"}.get(len(title), "a b c")


@pytest.fixture(scope="module")
def library(bundled):
    return bundled.library


def packed(library, monkeypatch, place, source=SENTENCE, language="en", lessons=()):
    monkeypatch.setattr("viz_app.files.pack.written", lambda *_: b"drawn")
    recipe = library.extend(Recipe("en-fr", source), None)[0]
    shown = picture("head", "cross", 3, 5, query=4)
    look, of_pack = Look(language=language), {"layers": (3,), "heads": (5,)}
    wanted = FileRequest(recipe, shown, "zip", look, lesson=place, lessons=lessons, **of_pack)
    content = prepared(library, wanted)()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(("place", "steps"), [("one-head.2", 6), ("leak.2", 1)])
def test_a_pack_has_the_lesson_that_is_on_and_the_sheet_of_its_teacher(
    library, monkeypatch, place, steps
):
    files = packed(library, monkeypatch, place, language="zh")
    lesson = next(one for one in own_lessons() if one.name == place.split(".")[0])
    href, title = assert_is_scorm(files[MANIFEST], files)
    assert href == "lesson.html" and title == lesson.words["zh"]["title"]
    page = options(files[href].decode())
    (held,) = [one["answer"] for one in page["answers"] if one["room"] == "lesson"]
    assert len(held["steps"]) == steps and page["view"]["lesson"] == f"{lesson.name}.1"
    assert "LMSSetValue" in files[href].decode()  # it tells the platform
    sheet = files["sheet.html"].decode()
    assert title in sheet and sheet.count("<h2>") == len(lesson.steps)
    told = files["README.txt"].decode()
    assert "sheet.html" in told and ("with the lesson" in told) == (steps > 1)
    named = {one["name"] for one in json.loads(files["manifest.json"])["files"]}
    assert named == set(files) - {"manifest.json"}


@pytest.mark.parametrize(("place", "source"), [(None, SENTENCE), ("mine.1", SENTENCE)])
def test_a_pack_without_a_lesson_of_the_program_has_no_sheet(library, monkeypatch, place, source):
    files = packed(library, monkeypatch, place, source)
    href, title = assert_is_scorm(files[MANIFEST], files)
    assert source in title and "sheet.html" not in files
    assert options(files[href].decode())["lessons"] is None


def test_a_pack_has_a_lesson_of_ones_own(library, monkeypatch):
    own = read_written("mine", json.dumps(MINE))
    files = packed(library, monkeypatch, "mine.2", lessons=(own,))
    href, title = assert_is_scorm(files[MANIFEST], files)
    assert title == "<b>Mine</b>"
    page = options(files[href].decode())
    (held,) = [one["answer"] for one in page["answers"] if one["room"] == "lesson"]
    assert [one["id"] for one in held["steps"]] == ["one", "two"]
    assert page["view"]["lesson"] == "mine.1"
    sheet = files["sheet.html"].decode()
    assert "&lt;img" in sheet and "<img" not in sheet
