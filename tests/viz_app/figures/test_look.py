"""The colours are said once: colours.json is what the page and kept pictures are made of."""

import re
from pathlib import Path

import pytest

from viz_app.figures.look import Look
from viz_app.stage.stage import style
from viz_app.values.colours import COLOURS

APP = Path(__file__).resolve().parents[3] / "viz_app"
HEX = re.compile(r"#[0-9a-fA-F]{6}\b")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_kept_picture_has_the_colours_of_the_page(theme):
    rules = re.findall(r"--scale-0:[^}]*", style())
    mine = next(rule for rule in rules if COLOURS[theme]["scale-0"] in rule)
    page = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6});", mine))
    assert page == COLOURS[theme]
    look = Look(theme=theme)
    names = {"paper": "panel" if theme == "light" else "paper", "mask": "faint"}
    for name in ("paper", "ink", "quiet", "hair", "mask", "accent"):
        assert look[name] == page[names.get(name, name)]
    assert [look.sequential[at] for at in (0, 8, 16, 24, 32)] == [
        page[f"scale-{i}"] for i in range(5)
    ]
    ends = [page[name] for name in ("minus-2", "minus-1", "scale-0", "plus-1", "plus-2")]
    assert [look.diverging[at] for at in (0, 16, 32, 48, 64)] == ends


def test_no_other_file_of_the_page_names_a_colour():
    for path in [*APP.rglob("*.css"), *APP.rglob("*.js"), APP / "server/document.py"]:
        assert not HEX.findall(path.read_text(encoding="utf-8")), path
