"""The page that needs nothing else: what is in it, once, and what can never be in it."""

import base64
import hashlib
import json
import re
import shutil
from html.parser import HTMLParser

import pytest

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.values.recipe import Choice, Recipe
from tests.tiny import tiny_checkpoint
from viz_app.files.picture import picture
from viz_app.files.standalone import InitialState, initial_state, standalone_html
from viz_app.rooms import ROOMS
from viz_app.rooms.translate.payload import payload
from viz_app.stage.stage import FOLDER, script, scripts, style
from viz_app.text import WORDS, words_by_file, words_of_room
from viz_app.version import VERSION

MOST_BYTES = 892_000  # of which 36,000 draw pictures and 86,000 are the faces
SENTENCE = "My brother bought a new red car."
HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> &amp; \u2028 \"'"


class Parts(HTMLParser):
    """The elements of a page, as an HTML parser sees them, with their text."""

    def __init__(self, page):
        super().__init__()
        self.elements = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag):
        self.elements.append((f"/{tag}", {}, ""))

    def handle_data(self, data):
        if self.elements:
            tag, attrs, text = self.elements[-1]
            self.elements[-1] = (tag, attrs, text + data)

    def of(self, wanted, **traits):
        return [
            (attrs, text)
            for tag, attrs, text in self.elements
            if tag == wanted and all(attrs.get(name) == value for name, value in traits.items())
        ]

    @property
    def tags(self):
        return [tag for tag, _, _ in self.elements]

    @property
    def options(self):
        ((_, text),) = self.of("script", type="application/json")
        return json.loads(text)

    @property
    def policy(self):
        ((attrs, _),) = self.of("meta", **{"http-equiv": "Content-Security-Policy"})
        return dict(part.strip().split(" ", 1) for part in attrs["content"].split(";"))


@pytest.fixture(scope="module")
def library(models_of):
    return Library(models_of(max_positions=160))


@pytest.fixture(scope="module")
def done(library):
    return library.extend(Recipe("tiny", "The old cat."), 6)


@pytest.fixture(scope="module")
def page(library, done):
    return standalone_html(library, done[0])


def test_twenty_tokens_with_every_head_of_the_shipped_model_stay_small(bundled):
    library = bundled.library
    source = "The old cat sleeps."
    tokens = len(library.extend(Recipe("en-fr", source), 0)[1].source)
    target = tuple(Choice(token) for token in range(1000, 1020))
    recipe = Recipe("en-fr", source, target, pads=20 - tokens)
    page = standalone_html(library, recipe)
    assert len(page.encode("utf-8")) < MOST_BYTES
    attention = Parts(page).options["payload"]["attention"]
    assert attention["encoder"]["shape"] == [3, 8, 20, 20]
    assert len(base64.b64decode(attention["cross"]["data"])) == 4 * 3 * 8 * 21 * 20


def test_it_holds_every_step_and_the_data_once(library, done, page):
    recipe, decoding = done
    model = library.tracer("tiny").model
    expected = json.loads(json.dumps(payload(recipe, decoding, model)))
    assert Parts(page).options["payload"] == expected
    assert len(expected["steps"]) == len(decoding.steps) and expected["steps_from"] == 0
    for site in ("encoder", "decoder", "cross"):
        assert page.count(expected["attention"][site]["data"]) == 1


def test_the_same_decoding_gives_the_same_page(library, done, page):
    assert standalone_html(Library(library.root), done[0]) == page


def test_only_its_own_scripts_and_style_are_allowed(page):
    parts = Parts(page)
    policy = parts.policy
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in str(policy)

    def digest(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    programs = [text for attrs, text in parts.of("script") if "type" not in attrs]
    looks = [text for _, text in parts.of("style")]
    assert policy["script-src"].split() == [digest(text) for text in programs]
    assert policy["style-src"].split() == [digest(text) for text in looks]
    first = parts.tags.index("meta") + 1
    assert parts.elements[first][1]["http-equiv"] == "Content-Security-Policy"
    assert not {"script", "style", "link"} & set(parts.tags[:first])  # nothing runs before it


def test_it_names_no_address(page):
    assert set(re.findall(r"\w+://[^\"'\s]+", page)) == {"http://www.w3.org/2000/svg"}
    sources = [
        attrs[name]
        for _, attrs, _ in Parts(page).elements
        for name in ("src", "href", "action", "srcset", "data")
        if name in attrs
    ]
    assert sources == ["data:,"]
    assert not re.search(r"@import|url\((?!#|data:)|\bimport\b\s*[\"'(]|\bfetch\(|XMLHttp", page)


def test_hostile_text_is_inert(library, page):
    hostile = standalone_html(library, Recipe("tiny", HOSTILE, (Choice(5), Choice(6))))
    parts = Parts(hostile)
    assert parts.tags == Parts(page).tags
    assert parts.options["payload"]["recipe"]["source"] == HOSTILE
    assert not {"\u2028", "\u2029"} & set(hostile)


def test_a_hostile_name_of_a_model_is_inert(library, page, tmp_path):
    name = "'\"><img src=x onerror=alert(1)><b x='"
    shutil.copytree(library.root / "tiny", tmp_path / name)
    hostile = standalone_html(Library(tmp_path), Recipe(name, "The cat."))
    assert Parts(hostile).tags == Parts(page).tags
    assert Parts(hostile).options["model"] == name


def test_the_title_names_the_sentence_and_the_model(library, page):
    ((_, title),) = Parts(page).of("title")
    assert title.startswith("The old cat. · tiny")
    long = standalone_html(library, Recipe("tiny", "the\n" * 30))
    ((_, title),) = Parts(long).of("title")
    assert "…" in title and "\n" not in title and len(title) < 120


def test_it_names_the_program_and_the_weights(page, tmp_path):
    made = Parts(page).options["made"]
    assert made["version"] == VERSION and made["model"].startswith("tiny (")
    tiny_checkpoint(tmp_path / "tiny", seed=7)
    changed = standalone_html(Library(tmp_path), Recipe("tiny", "The old cat."))
    assert Parts(changed).options["made"]["model"] != made["model"]


ROOM_WORDS = {
    room.name: {
        key for key in words_of_room(room.name)["en"] if not key.startswith(("figure_", "error_"))
    }
    for room in ROOMS
    if room.name != "translate"
}


def test_what_needs_a_server_is_left_out(page):
    options = Parts(page).options
    for language, words in options["words"].items():
        assert words.items() <= WORDS[language].items() and "made_with" in words
        told = {f"error_{code}" for code in re.findall(r'code: "(?!link_)(\w+)"', script(()))}
        told -= {"error_alone_live"}  # only a page of a site knows where a model answers
        export = words_by_file()["text/export.txt"]["en"]
        assert told | {key for key in export if "error_" not in key} <= words.keys()
        assert "error_token_pad" not in words  # only a server refuses a token
        for part in ROOM_WORDS.values():
            assert not words.keys() & part
    assert len(options["models"]) == 1 and options["models"][0]["examples"] == []
    assert options["answers"] == [] and options["view"] == {}
    for name in ("makeMasksRoom", "makePositionsRoom", "makeAddress", "makeCourse", "makeAsking"):
        made = re.compile(rf"\b(?:function {name}|{name} = function)\(")
        assert made.search(script()) and not made.search(page)


def test_it_names_its_attentions(page):
    for site in ("encoder", "decoder", "cross"):
        assert f'"site_{site}_long":' in page
    assert '"site_live":' not in page


@pytest.mark.parametrize("view", ["scores", "positions", "head"])
def test_the_page_of_a_room_has_that_room_alone_and_its_answer_once(library, done, view):
    opened = initial_state(library, done[0], picture(view, site="decoder"))
    (room,) = opened.rooms
    page = standalone_html(library, done[0], opened)
    options = Parts(page).options
    written = json.dumps([one.to_json() for one in opened.answers])
    assert options["answers"] == json.loads(written)
    numbers = [
        value
        for one in opened.answers
        for value in one.answer.values()
        if isinstance(value, str) and len(value) > 60
    ]
    assert numbers and all(page.count(value) == written.count(value) for value in numbers)
    for other, words in ROOM_WORDS.items():
        assert (words <= options["words"]["zh"].keys()) == (other == room)
        maker = f"function make{other.capitalize()}Room"
        assert (maker in page) == (other == room)


def test_the_page_of_a_room_stays_small(bundled):
    library = bundled.library
    recipe, decoding = library.extend(Recipe("en-fr", SENTENCE), None)
    assert len(decoding.source) + len(decoding.target) == 20
    for view in ("scores", "passes", "positions", "order", "head", "way"):
        site = "decoder" if view == "passes" else "encoder"
        page = standalone_html(
            library, recipe, initial_state(library, recipe, picture(view, site=site))
        )
        assert len(page.encode("utf-8")) < 1.25 * MOST_BYTES, view


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_the_theme_is_the_systems_or_the_one_asked_for(library, done, theme):
    parts = Parts(standalone_html(library, done[0], theme=theme))
    ((body, _),) = parts.of("body")
    ((host, _),) = parts.of("div", id="stage")
    assert body.get("class") == ("dark" if theme == "dark" else None)
    assert ("auto-scheme" in host["class"]) == (theme == "auto")
    assert parts.options["choices"] == ({} if theme == "auto" else {"scheme": theme})


def test_the_language_is_the_readers_or_the_one_asked_for(library, done):
    parts = Parts(standalone_html(library, done[0], language="zh"))
    ((root, _),) = parts.of("html")
    assert root["lang"] == "zh" and parts.options["choices"] == {"language": "zh"}
    ((_, title),) = parts.of("title")
    assert title.endswith(WORDS["zh"]["title"])


@pytest.mark.parametrize("wrong", [{"theme": "blue"}, {"language": "fr"}])
def test_a_theme_or_language_there_is_not_is_named(library, done, wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(RecipeError, match=f"no {name} '{value}'; choose"):
        standalone_html(library, done[0], **wrong)


def test_the_view_is_handed_to_the_stage_as_it_is(library, done):
    view = {"site": "encoder", "layer": 1, "head": 0, "at": 2, "view": "lines"}
    assert Parts(standalone_html(library, done[0], InitialState(view))).options["view"] == view


def test_no_rule_asks_what_an_element_holds():
    """With every node that changes the browser looks for what such a rule names: they tripled the
    time of styles. A script says it by a class."""
    assert ":has(" not in style()


def test_no_text_in_a_script_goes_over_several_lines():
    """What makes it safe to drop indentation: only what a template quotes may go on, and those of
    `html` and `svg`, which drop it too."""
    for name in scripts():
        if name.startswith("stage/vendor/"):  # of one line, with patterns that hold quotes
            continue
        assert not open_text((FOLDER / name).read_text(encoding="utf-8")), name


def open_text(script):
    """The first line of a script that ends within a text, or "" where there is none."""
    # "`" in the text of a template, "<" in one of HTML, "{" in what they quote, counted by braces.
    open_at = []
    quote = ""
    for line in script.splitlines():
        if re.match(r"\s*(//|/?\*)", line):
            continue
        before = ""
        for letter in (
            re.sub(r"\\.|/\[[^\]/]*\]/", "", line).replace("html`", "<`").replace("svg`", "<`")
        ):
            if quote:
                quote = "" if letter == quote else quote
            elif letter == "`":
                begins = "<" if before == "<" else "`"
                open_at = open_at[:-1] if open_at[-1:] in (["`"], ["<"]) else [*open_at, begins]
            elif open_at[-1:] in (["`"], ["<"]):
                open_at += ["{"] * (before + letter == "${")
            elif letter in "\"'":
                quote = letter
            elif before + letter == "//":
                break
            elif open_at and letter in "{}":
                open_at = [*open_at, "{"] if letter == "{" else open_at[:-1]
            before = letter
        if quote or open_at[-1:] == ["`"]:
            return line
    return "its end" if open_at else ""
