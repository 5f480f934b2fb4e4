"""The stage's scripts and styles as joined from their files."""

import json
import re

import pytest

from tests.viz_app.stage.source_maps import places
from viz_app.rooms import ROOMS
from viz_app.stage import stage
from viz_app.stage.stage import FOLDER, following, joined, script, scripts, source_map, styles

BESIDE = [room.name for room in ROOMS if room.name != "translate"]
TYPE_IN_LINE = re.compile(r"/\*\* @(?:type|param|returns) .*?\*/ ?")
# Of the pages of a site alone, and of those whose browser answers.
APART = {"site/boot.js", "site/index.js", "site/index.css"}
APART |= {"stage/run/worker_client.js", "stage/run/local.js"}
APART |= {"files/platform.js"}  # of a lesson pack
ALL = sorted(
    name
    for path in FOLDER.rglob("*.js")
    if (name := path.relative_to(FOLDER).as_posix()) not in APART
    and not name.startswith("live/")  # modules of a worker
)


def test_every_script_and_style_in_the_folders_is_reached_by_imports():
    assert sorted(scripts()) == ALL
    assert sorted(styles()) == sorted(
        {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.css")} - APART
    )


def test_no_style_gives_several_values_at_once_to_the_line_of_a_text():
    """WebKit drops such a `text-decoration` as a whole."""
    for name in styles():
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert not re.search(r"text-decoration:\s*[^;\s]+\s+[^;]+;", text), name


def test_a_script_comes_after_all_that_it_imports():
    for name in ALL:
        assert following(name)[-1] == name


def test_what_imports_and_exports_stays_out_of_the_joined_script():
    assert not re.search(r"^(import|export)\b(?!:)", script(), re.MULTILINE)
    assert script().count("\nvar mountStage = function(") == 1


def test_the_source_map_says_of_each_line_where_it_is_written():
    stored = json.loads(source_map(scripts()))
    assert stored["sources"] == list(scripts())
    written = [text.split("\n") for text in stored["sourcesContent"]]
    lines = script().split("\n")
    said = places(stored["mappings"])
    for at, (file, line, column) in said.items():
        original = re.sub(r"/\*\* @.*?\*/ ?", "", written[file][line][column:]).rstrip()
        exported = re.match(r"export (?:const |((?:async )?function|class) )(\w+)", original)
        if exported and not re.match(r"rooms/(\w+)/\1\.js", stored["sources"][file]):
            kind = f" = {exported[1]}" if exported[1] else ""
            assert lines[at] == f"var {exported[2]}{kind}{original[exported.end() :]}"
        else:
            assert lines[at] == original.removeprefix("export ")
    assert list(said.values()) == sorted(said.values())
    around = len(stored["sources"]) * 2  # what begins and ends a module
    assert len(said) + around == len(joined(scripts()).splitlines())


def test_every_import_and_export_is_one_that_joining_knows():
    for name in ALL:
        text = (FOLDER / name).read_text(encoding="utf-8")
        imports = re.findall(r"^import\b", text, re.MULTILINE)
        assert len(imports) == len(
            re.findall(r'^import \{[\w\s,]*\} from "\.', text, re.MULTILINE)
        ), name
        assert not re.search(r"^import \{[^}]*\bas\b", text, re.MULTILINE), name
        exports = r"^export (?!const \w|class |(async )?function \w)"
        assert not re.search(exports, text, re.MULTILINE), name
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)  # a comment may name a type's file
        assert not re.search(r"^export let|\bimport\(|\bimport\.meta", code, re.MULTILINE), name


def test_scripts_that_import_each_other_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "FOLDER", tmp_path)
    (tmp_path / "one.js").write_text('import { two } from "./two.js";\n')
    (tmp_path / "two.js").write_text('import { one } from "./one.js";\n')
    with pytest.raises(ImportError, match=r"one\.js -> two\.js -> one\.js"):
        following("one.js")


def test_scripts_that_export_one_name_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "FOLDER", tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"{name}.js").write_text("export const twice = 1;\n")
    assert "var twice" in joined(["one.js"])
    with pytest.raises(ImportError, match=r"twice: one\.js and two\.js"):
        joined(["one.js", "two.js"])


@pytest.mark.parametrize("room", BESIDE)
def test_a_page_without_a_room_has_none_of_its_files(room):
    others = [other for other in BESIDE if other != room]
    for files in (scripts, styles):
        assert any(name.startswith(f"rooms/{room}/") for name in files())
        assert not any(name.startswith(f"rooms/{room}/") for name in files(others))


def test_selectors_that_end_in_a_choice_of_the_same_weight_are_sent_one_by_one(
    tmp_path, monkeypatch
):
    rules = {
        ".s :is(.a, .b)": ".s .a,.s .b",
        ".s > :is(th, td), .c": ".s > th,.s > td,.c",
        ":is(.a, .b), .c": ".a,.b,.c",
        # Of these one weighs more than the other, or the choice is but a part of what is matched.
        ".s :is(.a, td)": None,
        ".s :is(.a, .b.c)": None,
        ".s :is(.a .b, .c)": None,
        ".s :is(.a, .b)::before": None,
        ".s:is(.a, .b)": None,
        ":is(th, td)": None,
    }
    monkeypatch.setattr(stage, "FOLDER", tmp_path)
    for selectors, sent in rules.items():
        (tmp_path / "a.css").write_text(
            f"{selectors} {{ x: y; }}\n@media print {{\n  {selectors} {{ x: y; }}\n}}\n"
            f".s.t {{\n  {selectors} {{ x: y; }}\n}}\n"
        )
        rule = (sent or selectors) + "{x:y}"
        assert stage.style_of(["a.css"]) == f"{rule}@media print{{{rule}}}.s.t{{{rule}}}"


def test_a_comment_has_its_lines_to_itself():
    """What makes it safe to drop comments line by line; types in a line are dropped before."""
    for name in (*scripts(), *styles()):
        inside = False
        text = TYPE_IN_LINE.sub("", (FOLDER / name).read_text(encoding="utf-8"))
        for line in map(str.strip, text.splitlines()):
            inside = inside or line.startswith("/*")
            assert "*/" not in line or (inside and line.endswith("*/")), (name, line)
            assert inside or "/*" not in line, (name, line)
            inside = inside and "*/" not in line


def test_what_is_chosen_of_several_has_one_frame_and_one_line_in_every_room():
    """A frame or a line of its own would be another look of the same thing."""
    chosen = re.compile(
        r'\.picked|\.shown\b|\.current\b|tr\.chosen|(?:pressed|selected|current)="true"'
    )
    own = re.compile(
        r"(?:outline|border\S*|box-shadow): (?:inset )?[\d. ]*\dpx (?:solid )?"
        r"var\(--(?:accent|ink)\)"
    )
    pictures = re.compile(r"^\.stage[^{},]*\.picture[^{}]*\{(?:[^{}]|\{[^{}]*\})*\}", re.MULTILINE)
    sheets = sorted(FOLDER.glob("rooms/*/*.css"))
    rules = [
        rule
        for sheet in sheets
        for rule in re.findall(
            r"([^{}]+)\{([^{}]*)\}", pictures.sub("", sheet.read_text(encoding="utf-8"))
        )
        if chosen.search(rule[0])
    ]
    assert len(rules) > 10
    assert [selector for selector, said in rules if own.search(said)] == []
    assert sum("--chosen-" in said for _, said in rules) >= 8
