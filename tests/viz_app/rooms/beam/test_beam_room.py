"""The room Beam: its answer and its files say what the core's tree says."""

import csv
import io
import json

import numpy as np
import pytest

from model_core.errors import LimitReached, RecipeError
from model_core.values.recipe import Recipe, Strategy
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture
from viz_app.limits import DEMO
from viz_app.rooms.beam import ROOM
from viz_app.rooms.beam.view import BeamView
from viz_app.server.service import Service

TEXT = "The old <b> cat."


def answered(library, recipe=None, **view):
    return ROOM.answer(library.tracer("tiny"), recipe or Recipe("tiny", TEXT), BeamView(**view))


def test_the_answer_is_the_tree_and_the_map_is_the_row_of_each_token(library):
    tracer = library.tracer("tiny")
    answer = answered(library, width=3, alpha=100, node=4, layer=1, head=2)
    tree = tracer.tree(Recipe("tiny", TEXT), 3, 1.0)
    assert answer["tree"]["total"] == [node.total for node in tree.nodes]
    assert answer["tree"]["found"] == tree.found
    assert answer["tokens"].ids == tuple(node.token for node in tree.nodes)
    path = tree.tokens(4)
    begun = Recipe.from_json(
        {
            "model": "tiny",
            "source": TEXT,
            "target": [{"token": token, "how": "beam"} for token in path],
        }
    )
    trace = tracer.evaluate(begun).trace("cross", 1)
    assert np.array_equal(answer["map"]["weights"], trace.weights_HQK[2, : len(path)])
    assert answer["map"]["written"].ids == path
    part = answered(library, width=3, alpha=100, node=4, layer=1, head=2, part="node")
    assert list(part.values) == ["map"]


def test_the_search_begins_where_it_is_told_and_as_wide_as_the_strategy(library):
    tracer = library.tracer("tiny")
    begun = tracer.beginning(Recipe("tiny", TEXT, strategy=Strategy("beam", width=2)), "Le")
    done, _ = tracer.extend(begun, None)
    whole = answered(library, done)
    assert (whole["taken"], whole["forced"], whole["tree"]["width"]) == (0, len(begun.target), 2)
    rest = answered(library, done, begin="forced")
    assert rest["taken"] == len(begun.target)
    assert rest["tree"]["before_total"] == sum(tracer.evaluate(begun).log_probabilities)
    winner = rest["found"]["texts"][0]
    assert winner == tracer.text(library.extend(done, 0)[1])  # what the beam wrote in Translate


def test_what_there_is_not_is_refused_and_so_is_a_beam_too_wide(library):
    with pytest.raises(RecipeError, match="There is no hypothesis 10000"):
        answered(library, node=9999)
    with pytest.raises(RecipeError, match="There is no step 901"):
        answered(library, step=900)
    with pytest.raises(LimitReached):
        DEMO.check_view(BeamView(width=6))
    error = Service(library.root, DEMO).answer(
        {"room": "beam", "recipe": {"model": "tiny", "source": TEXT}, "width": 6}
    )["error"]
    assert error["code"] == "limit_beam"


def test_files_hold_every_node_and_the_picture_every_token(library):
    recipe = Recipe("tiny", TEXT)
    tree = library.tracer("tiny").tree(recipe, 5)
    shown = picture("beam")
    stored = json.loads(prepared(library, FileRequest(recipe, shown, "json"))())
    values = stored["tables"]["nodes"]["values"]
    assert values["total"] == [node.total for node in tree.nodes]
    assert values["parent"] == [0 if n.parent is None else n.parent + 1 for n in tree.nodes]
    rows = list(
        csv.DictReader(
            io.StringIO(prepared(library, FileRequest(recipe, shown, "csv"))().decode("utf-8-sig"))
        )
    )
    assert len(rows) >= len(tree.nodes)
    for look in (Look(), Look(size="column", theme="dark", language="zh")):
        drawn = fill(library, recipe, shown).figure(look)
        texts = [text for trace in drawn.data if trace.mode == "text" for text in trace.text]
        assert len(texts) == len(tree.nodes)
        assert sum("<s>" in text for text in texts) == sum(n.fate == "pruned" for n in tree.nodes)
        written = " ".join(note.text for note in drawn.layout.annotations)
        written += " ".join(trace.name or "" for trace in drawn.data if trace.showlegend)
        signs = ("kept", "won", "finished", "pruned", "greedy", "dead", "twice")  # as on the page
        assert all(look.word(f"beam_key_{sign}") in written for sign in signs)
        assert not any(
            "<b>" in text.removeprefix("<b>").removesuffix("</b>")
            for text in texts
            if "&lt;" in text
        )
    page = prepared(library, FileRequest(recipe, shown, "html"))().decode()
    assert '"room":"beam"' in page
