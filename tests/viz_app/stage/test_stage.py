"""The stage's scripts and styles as joined from their files."""

import dataclasses
import re

import pytest

from viz_app.rooms import ROOMS
from viz_app.stage import stage
from viz_app.stage.stage import FOLDER, following, joined, script, scripts, styles

BESIDE = [room.name for room in ROOMS if room.name != "translate"]
ALL = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js"))


def test_every_script_and_style_in_the_folders_is_reached_by_imports():
    assert sorted(scripts()) == ALL
    assert sorted(styles()) == sorted(
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.css")
    )


def test_a_script_comes_after_all_that_it_imports():
    for name in ALL:
        assert following(name)[-1] == name


def test_what_imports_and_exports_stays_out_of_the_joined_script():
    assert not re.search(r"^(import|export)\b", script(), re.MULTILINE)
    assert script().count("\nfunction mountStage(") == 1


def test_no_name_is_declared_by_two_scripts():
    declared = r"^(?:async )?(?:function|const|let|class) (\w+)"
    names = re.findall(declared, joined(scripts()), re.MULTILINE)
    assert len(names) > 300
    assert sorted(names) == sorted(set(names))


def test_a_name_keeps_its_name_where_it_is_imported():
    """What makes it safe to drop the lines that import."""
    for name in ALL:
        text = (FOLDER / name).read_text(encoding="utf-8")
        listed = re.findall(r"^import ([^;]*) from", text, re.MULTILINE)
        assert all(re.fullmatch(r"\{[\w\s,]*\}", names) for names in listed), name
        assert not re.search(r"^import \{[^}]*\bas\b", text, re.MULTILINE), name


def test_scripts_that_import_each_other_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "FOLDER", tmp_path)
    (tmp_path / "one.js").write_text('import { two } from "./two.js";\n')
    (tmp_path / "two.js").write_text('import { one } from "./one.js";\n')
    with pytest.raises(ImportError, match=r"one\.js -> two\.js -> one\.js"):
        following("one.js")


@pytest.mark.parametrize("room", BESIDE)
def test_a_page_without_a_room_has_none_of_its_files(room):
    others = [other for other in BESIDE if other != room]
    for files in (scripts, styles):
        assert any(name.startswith(f"rooms/{room}/") for name in files())
        assert not any(name.startswith(f"rooms/{room}/") for name in files(others))


def test_a_room_is_a_folder_and_a_name(tmp_path, monkeypatch):
    """Its script comes with the page, and its style beside it."""
    copied = tmp_path / "viz_app"
    for name in (*scripts(), *styles()):
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        (copied / name).write_text((FOLDER / name).read_text(encoding="utf-8"), encoding="utf-8")
    (copied / "rooms/tiny").mkdir()
    (copied / "rooms/tiny/tiny.css").write_text(".stage .tiny { color: red; }\n")
    (copied / "rooms/tiny/tiny.js").write_text(
        'import { make } from "../../stage/page/elements.js";\n'
        'import { ROOMS } from "../../stage/page/rooms.js";\n\n'
        "function makeTiny() {\n"
        '  return { element: make("p", { class: "tiny" }), update() {}, drawn: () => ({}) };\n'
        "}\n\n"
        'ROOMS.push({ name: "tiny", make: makeTiny, keep: { views: () => [] } });\n'
    )
    before = scripts()
    monkeypatch.setattr(stage, "FOLDER", copied)
    monkeypatch.setattr(stage, "ROOMS", (*ROOMS, dataclasses.replace(ROOMS[-1], name="tiny")))
    assert set(scripts()) - set(before) == {"rooms/tiny/tiny.js"}
    assert "function makeTiny" in script() and ".tiny {" in stage.style()
    assert "function makeTiny" not in script(())
