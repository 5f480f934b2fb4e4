"""What a link shows, as a file and in a notebook; browser/test_link.py asks the page too."""

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest

from model_core.errors import RecipeError
from model_core.values.recipe import Choice, Recipe, Strategy
from tests.refusals import refusal
from tests.viz_app.files.test_notebook import options
from viz_app import show
from viz_app.commands.export import run
from viz_app.figures.look import LOOK
from viz_app.files.content import fill
from viz_app.files.linked import open_link
from viz_app.files.picture import picture, picture_of
from viz_app.links.link import write_link
from viz_app.rooms.heads_shown import best_cells

TEXT = "The old cat."
RUN = Recipe("tiny", TEXT, (Choice(42),) * 3)
KNOWN = "#v=3&model=tiny&text=The+old+cat."


def export(library, *words):
    return run([*map(str, words)], library.root)


def as_the_page_opens(name, **choices):
    """A picture of the room Masks of no sentence that was chosen; the page shows one with pads."""
    chosen = picture(name, "decoder", **choices)
    return replace(chosen, view=replace(chosen.view, shown=None))


def on_the_page(name, *place, **choices):
    """A picture of the room Positions; the page shows those of its sentence."""
    chosen = picture(name, *place, **choices)
    return replace(chosen, view=replace(chosen.view, span="sentence"))


def test_a_link_is_the_view_that_its_page_shows(library):
    for choices, view in (
        ("", picture("cross", rows="fed")),
        ("&site=encoder&encoder=1.0&view=table", picture("encoder", "encoder", 2, 1, rows="fed")),
        ("&site=decoder&view=lines&rows=predicted", picture("lines", "decoder", rows="predicted")),
        ("&cross=1.2&at=1", picture("cross", layer=2, head=3, step=2, rows="fed")),
        ("&by=pieces&rows=predicted", picture("cross", by="pieces", rows="predicted")),
        ("&room=masks", as_the_page_opens("scores")),
        (
            "&room=masks&masks.breaks=pads-rows&masks.shown=1&masks.sentences=The+old+cat."
            "&masks.sentences=A&masks.sentences=B",
            picture("scores", "cross", breaks=["pads-rows"], sentences=(TEXT, "A", "B"), shown=2),
        ),
        ("&room=masks&masks.view=passes", as_the_page_opens("passes")),
        ("&room=positions", on_the_page("positions")),
        ("&room=positions&positions.kind=learned", on_the_page("positions", kind="learned")),
        (
            "&room=positions&positions.study=sum&positions.side=target",
            on_the_page("sum", side="target"),
        ),
        (
            "&room=positions&positions.study=rotary&positions.query=0&positions.key=1",
            on_the_page("rotary", "encoder", query=1, key=2),
        ),
        (
            "&room=positions&positions.study=sum&positions.row=1&positions.column=5",
            on_the_page("sum", row=1, column=5),
        ),
        (
            "&room=positions&positions.dimensions=0.2&positions.column=4&positions.row=3",
            on_the_page("positions", dimensions=(0, 2, 4), row=3, column=4),
        ),
        (
            "&room=positions&positions.study=rotary&positions.query=0&positions.key=0"
            "&positions.pair=900",
            on_the_page("rotary", "encoder", query=1, key=1, pair=5),
        ),
    ):
        assert open_link(library, f"{KNOWN}{choices}").picture == view, choices


def test_a_step_beyond_the_translation_is_its_last(library):
    linked = open_link(library, f"{KNOWN}&at=999")
    assert linked.picture == picture("cross", step=len(linked.decoding.steps), rows="fed")


def test_a_picture_is_whole_unless_its_link_is_of_somebody_stepping(library):
    def rows(**view):
        linked = open_link(library, write_link(RUN, {"site": "cross", **view}))
        named = fill(library, linked.recipe, linked.picture).figure(LOOK).layout.yaxis.ticktext
        return len(linked.decoding.steps), sum(bool(name) for name in named)

    for view in ({}, {"at": 1}):
        steps, named = rows(**view)
        assert named == steps == 4
    assert rows(at=1, stepping=True)[1] == 2


def test_a_pair_of_tokens_beyond_the_sentence_is_its_last(library):
    link = f"{KNOWN}&room=positions&positions.study=rotary&positions.site=decoder&positions.key=900"
    linked = open_link(library, f"{link}&target=5.6")
    assert linked.picture == on_the_page("rotary", "decoder", key=3)


def test_an_order_of_tokens_that_a_link_leaves_open_is_the_usual_one(library):
    link = f"{KNOWN}&room=positions&positions.study=order&positions.mode=off"
    source = library.extend(Recipe("tiny", TEXT), 0)[1].source
    left = open_link(library, link)
    assert left.picture.view.order is None
    usual = fill(library, left.recipe, left.picture).picture.view
    assert usual.study == "order" and usual.mode == "off" and usual.rows is None
    assert sorted(usual.order) == list(range(len(source))) != list(usual.order)
    order = ".".join(map(str, range(len(source))))
    moved = open_link(library, f"{link}&positions.order={order}&positions.rows={order}")
    assert moved.picture.view.order == moved.picture.view.rows == tuple(range(len(source)))


def test_inside_a_head_a_cell_that_is_not_there_gives_way_to_the_strongest(library):
    link = f"{KNOWN}&room=inside&site=encoder&encoder=0.0"
    linked = open_link(library, link)
    query, key = best_cells(linked.decoding.trace("encoder", 0))[0]
    view = fill(library, linked.recipe, linked.picture).picture.view
    assert (view.query, view.key) == (query, key)
    weights_QK = linked.decoding.trace("encoder", 0).weights_HQK[0]
    words = np.array([kind == "text" for kind in linked.decoding.source.kinds])
    others_QK = np.where(words[:, None] & words & ~np.eye(len(words), dtype=bool), weights_QK, 0)
    assert weights_QK[query, key] == others_QK.max()
    assert open_link(library, f"{link}&cell_encoder=899.0").picture == linked.picture
    assert open_link(library, f"{link}&cell_encoder=1.0").picture.view.query == 1
    link = f"{link}&inside.view=way"
    way = open_link(library, f"{link}&inside.side=target&inside.position=2").picture
    assert (way.name, way.view.side, way.view.position) == ("way", "target", 2)
    way = open_link(library, f"{link}&cell_encoder=1.0").picture
    assert fill(library, linked.recipe, way).picture.view.side == "source"


def test_a_link_becomes_a_file(library, tmp_path, capsys):
    out = tmp_path / "x.json"
    recipe = Recipe("tiny", TEXT, (Choice(42),), 2)
    link = write_link(recipe, {"site": "cross", "layer": 1, "head": 2}, "http://x/")
    assert export(library, "--link", link, "-o", out) == 0
    stored = json.loads(out.read_text(encoding="utf-8"))
    assert Recipe.from_json(stored["recipe"]) == recipe
    assert picture_of(stored["picture"], stored["view"]) == picture(
        "cross", layer=2, head=3, rows="fed", step=2
    )
    # Another view of the same recipe.
    assert export(library, "--link", link, "--view", "candidates", "-o", out) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["picture"] == "candidates"
    assert capsys.readouterr().err == ""


def test_a_link_becomes_a_page_that_opens_as_it_says(library, tmp_path):
    link = f"{KNOWN}&site=encoder&encoder=1.0&cross=2.1&view=table&spelled=true&at=1&cell_cross=0.1"
    out = tmp_path / "x.html"
    assert export(library, "--link", link, "-o", out) == 0
    view = options(out.read_text(encoding="utf-8"))["view"]
    assert view["locks"] == {
        "encoder": {"layer": 1, "head": 0},
        "cross": {"layer": 2, "head": 1},
    }
    assert (view["site"], view["view"], view["spelled"], view["at"]) == (
        "encoder",
        "table",
        True,
        1,
    )
    assert view["cells"] == {"cross": {"query": 0, "key": 1}}
    assert options(show(library.root / "tiny", link=link).html)["view"] == view


def test_the_page_of_a_room_opens_that_room(library, tmp_path):
    out, link = tmp_path / "x.html", f"{KNOWN}&room=masks"
    assert export(library, "--link", link, "-o", out) == 0
    said = options(out.read_text(encoding="utf-8"))
    assert said["view"]["room"] == "masks"
    (answer,) = said["answers"]
    assert answer["asked"]["sentences"][0] == "The old cat."
    shown = options(show(library.root / "tiny", link=link).html)
    for part in ("view", "answers", "payload"):
        assert shown[part] == said[part]


def test_a_link_that_cannot_be_shown_is_told_and_leaves_nothing(library, tmp_path, capsys):
    for link, told in (
        ("", "damaged"),
        ("https://example.org/", "damaged"),
        (f"{KNOWN}&cross=1.2.3", "damaged at “cross”"),
        (f"{KNOWN}&cross=8.0", "points at layer 9; there the model has 3"),
        (f"{KNOWN}&target=46655", "There is no token"),
        ("#v=7&model=tiny&text=A", "version v7; this program reads v3"),
        ("#v=3&model=none&text=A", "needs the model “none”, which is not here; there are: tiny"),
        ("#v=3&model=tiny&text=" + "cat+" * 60, "Shorten it"),
        (f"{KNOWN}&" + "x" * 12_000, "at most 12000"),
    ):
        assert export(library, "--link", link, "-o", tmp_path / "x.csv") == 1
        error = capsys.readouterr().err
        assert error.startswith("error: ") and told in error
        assert told in str(refusal(show, library.root / "tiny", link=link))
    assert list(tmp_path.iterdir()) == []


def test_what_the_link_says_is_not_said_again(library, tmp_path, capsys):
    for words, told in (
        (("--model", "tiny"), "leave out --model"),
        (("--layer", 2), "leave out --layer"),
        (("--beam", 3), "leave out --beam"),
        (("--top-k", 3), "leave out --top-k"),
        (("--break", "no-pad-mask"), "leave out --break"),
    ):
        assert export(library, "--link", KNOWN, *words, "-o", tmp_path / "x.csv") == 1
        assert told in capsys.readouterr().err
    assert export(library, "--text", TEXT, "-o", tmp_path / "x.csv") == 1  # nor without a model
    assert "--model" in capsys.readouterr().err


def test_tokens_of_other_weights_are_chosen_anew_and_it_is_said(library, tmp_path, capsys):
    link = f"{KNOWN}&weights=00000000&target=5"
    out = tmp_path / "x.json"
    assert export(library, "--link", link, "-o", out) == 0
    assert "translated anew" in capsys.readouterr().err
    recipe = Recipe.from_json(json.loads(out.read_text(encoding="utf-8"))["recipe"])
    assert recipe == library.extend(Recipe("tiny", TEXT), None)[0]
    with pytest.warns(UserWarning, match="translated anew"):
        assert show(library.root / "tiny", link=link).recipe == recipe


def test_show_opens_a_link_on_what_it_shows(library, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = show(
            library.root / "tiny", link=f"{KNOWN}&cross=1.2&temperature=0.5&top_k=0&top_p=1&seed=7"
        )
    assert shown.recipe.strategy == Strategy("sample", 0.5, seed=7)
    assert "layer 2, head 3" in shown.figure().layout.title.text
    saved = json.loads(shown.save(tmp_path / "x.json").read_text(encoding="utf-8"))
    assert picture_of(saved["picture"], saved["view"]) == picture(
        "cross", layer=2, head=3, rows="fed", step=8
    )
    for said in ({"source": "A."}, {"pads": 1}, {"beam": 2}, {"seed": 0}, {"drawing": "heat"}):
        with pytest.raises(RecipeError, match=f"leave out {next(iter(said))}"):
            show(library.root / "tiny", link=KNOWN, **said)


@pytest.mark.parametrize(
    ("words", "asked", "strategy"),
    [
        (("--beam", 3), {"beam": 3}, Strategy("beam", width=3)),
        (
            ("--temperature", 2.5, "--top-k", 7, "--top-p", 0.9, "--seed", 4),
            {"temperature": 2.5, "top_k": 7, "top_p": 0.9, "seed": 4},
            Strategy("sample", 2.5, 7, 0.9, 4),
        ),
        (("--sample", "--seed", 0), {"seed": 0}, Strategy("sample")),
    ],
)
def test_every_strategy_is_there_on_the_command_line_and_in_a_notebook(
    library, tmp_path, words, asked, strategy
):
    out = tmp_path / "x.json"
    assert export(library, "--model", "tiny", "--text", TEXT, *words, "-o", out) == 0
    recipe = Recipe.from_json(json.loads(out.read_text(encoding="utf-8"))["recipe"])
    assert recipe == library.extend(Recipe("tiny", TEXT, strategy=strategy), None)[0]
    assert recipe.target and recipe.strategy == strategy
    assert show(library.root / "tiny", TEXT, **asked).recipe == recipe


def test_strategies_that_make_no_sense_are_named(library, tmp_path, capsys):
    out = tmp_path / "x.csv"
    for words, told in (
        (("--beam", 3, "--sample"), "choose one of them"),
        (("--beam", 17), "width is 17; it must be a whole number from 1 to 16"),
        (("--beam", 0), "width is 0"),
        (("--beam", 2, "--top-k", 2), "beam searches and top_k draws; choose one of them"),
        (("--sample", "--temperature", 0), "0.01 to 100"),
        (("--sample", "--top-p", 2), "at most 1"),
        (("--sample", "--seed", -1), "seed is -1"),
    ):
        assert export(library, "--model", "tiny", "--text", TEXT, *words, "-o", out) == 1
        assert told in capsys.readouterr().err and not out.exists()
    for asked in ({"beam": 2, "top_k": 1}, {"beam": 2, "seed": 1}, {"top_k": 1.5}, {"top_p": 7}):
        assert list(asked)[-1] in str(refusal(show, library.root / "tiny", TEXT, **asked))
