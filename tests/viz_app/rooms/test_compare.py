"""Two runs side by side: what is laid beside what, and that every number is a model's own."""

from dataclasses import replace

import numpy as np
import pytest

from model_core.errors import RecipeError
from model_core.studies.path import path_lengths
from model_core.studies.readings import value_norms
from model_core.values.recipe import Choice, Recipe
from model_core.values.trace import Tokens
from model_core.values.words import by_words
from tests.answered import answered, floats
from tests.conftest import CHECKPOINTS
from tests.made_up import MadeUp
from tests.tiny import tiny_checkpoint
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture
from viz_app.limits import DEMO
from viz_app.links.link import read_link, write_link
from viz_app.rooms.compare import ROOM
from viz_app.rooms.compare.aligned import aligned, aligned_at_their_first, common, words_beside
from viz_app.rooms.compare.apart import heads_apart
from viz_app.rooms.compare.runs import Run
from viz_app.rooms.compare.view import CompareView
from viz_app.server.service import Service

SENTENCE, OTHER = "The old cat.", "The cat."
A = {"model": "tiny", "source": SENTENCE, "target": []}
B = Recipe("twin", OTHER).to_json()


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny", max_positions=20)
    tiny_checkpoint(root / "twin", seed=7, max_positions=20, norm_place="pre", final_norm=True)
    service = Service(root)
    for kind in ("encoder", "decoder"):
        service.add(MadeUp(kind))
    return service


@pytest.fixture(scope="module")
def recipe(service):
    return service.answer({"recipe": A, "extend": "end"})["recipe"]


def ask(service, recipe, **changes):
    answer = answered(service, {"room": "compare", "recipe": recipe} | changes)
    shape = len(answer["row_pairs"]), len(answer["column_pairs"])
    for name in ("a", "b", "difference"):
        answer[name] = floats(answer[name], *shape)
    return answer


def tokens(text):
    words = tuple(text.split())
    kinds = tuple("special" if word == "</s>" else "text" for word in words)
    return Tokens(tuple(range(len(words))), words, words, kinds, (None,) * len(words))


@pytest.mark.parametrize("how", ["text", "position"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the old cat sleeps </s>", "the cat sleeps </s>"),
        ("a b c a b b a", "c b a b a c"),
        ("a", "b c"),
        ("", "a b"),
        ("the the the", "the"),
    ],
)
def test_each_token_stands_in_one_place_and_in_order(how, a, b):
    pairs = aligned(tokens(a), tokens(b), how)
    for of, text in enumerate((a, b)):
        places = [pair[of] for pair in pairs if pair[of] is not None]
        assert places == list(range(len(text.split())))
    assert (None, None) not in pairs
    beside = list(zip(*common(pairs), strict=True))
    if how == "text":
        assert all(a.split()[i] == b.split()[j] for i, j in beside)
        assert len(beside) == longest(a.split(), b.split())
    else:
        assert all(i == j for i, j in beside)


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ("the old cat .", "the cat .", "the/the old/ cat/cat ./."),
        ("sur le toit chaud", "au chaud", "sur/au le/ toit/ chaud/chaud"),
        ("a", "", "a/"),
        ("", "", ""),
        ("a b", "c d", "a/c b/d"),
    ],
)
def test_words_stand_beside_equal_ones_and_between_them_one_for_one(a, b, pairs):
    wanted = [tuple(word or None for word in pair.split("/")) for pair in pairs.split()]
    assert words_beside(a.split(), b.split()) == wanted


def longest(a, b):
    """The length of a longest common subsequence, by its definition."""
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return 1 + longest(a[:-1], b[:-1])
    return max(longest(a[:-1], b), longest(a, b[:-1]))


def test_a_word_spelled_like_a_special_token_is_not_it():
    end = tokens("</s>")
    word = replace(end, kinds=("text",))
    assert aligned(end, word, "text") == [(0, None), (None, 0)]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("align", ["text", "position"])
def test_every_weight_is_the_models_own_and_what_is_missing_is_no_number(
    service, recipe, site, align
):
    answer = ask(
        service,
        recipe,
        b=B,
        site=site,
        layer=1,
        head=1,
        other_layer=0,
        other_head=0,
        align=align,
    )
    library = service.library
    own = library.extend(Recipe.from_json(recipe), 0)[1].trace(site, 1).weights_HQK[1]
    its = library.extend(Recipe.from_json(B), None)[1].trace(site, 0).weights_HQK[0]
    expected = {"a": own, "b": its}
    for run, weights_QK in expected.items():
        of = "ab".index(run)
        seen = 0
        for row, rows in enumerate(answer["row_pairs"]):
            for column, columns in enumerate(answer["column_pairs"]):
                value = answer[run][row, column]
                if rows[of] is None or columns[of] is None:
                    assert np.isnan(value)
                else:
                    assert value == weights_QK[rows[of], columns[of]]
                    seen += 1
        assert seen == weights_QK.size
    missing = np.isnan(answer["a"]) | np.isnan(answer["b"])
    assert missing.any() or site == "decoder"  # the sources have other lengths
    np.testing.assert_array_equal(np.isnan(answer["difference"]), missing)
    apart = (answer["a"] - answer["b"])[~missing]
    np.testing.assert_array_equal(answer["difference"][~missing], apart)
    most = answer["most"]
    assert abs(most["difference"]) == np.abs(apart).max()
    assert answer["difference"][most["row"], most["column"]] == np.float32(most["difference"])


def test_words_stand_beside_each_other_where_both_begin_after_the_same_token():
    a, b = ((0,), (1, 2), (3,)), ((0,), (1,), (2, 3), (4,))
    pairs = [(0, 0), (1, 1), (2, None), (None, 2), (None, 3), (3, 4)]
    assert aligned_at_their_first(a, b, pairs) == [(0, 0), (1, 1), (None, 2), (2, 3)]
    # A word that begins where another one goes on stands alone.
    assert aligned_at_their_first(((0, 1),), ((0,), (1,)), [(0, None), (1, 1), (None, 0)]) == [
        (0, None),
        (None, 0),
        (None, 1),
    ]
    assert aligned_at_their_first((), ((0,),), [(None, 0)]) == [(None, 0)]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("align", ["position", "text"])
def test_words_stand_beside_each_other_with_all_of_their_tokens(service, recipe, site, align):
    answer = ask(service, recipe, b=B, site=site, align=align)
    own = by_words(service.library.extend(Recipe.from_json(recipe), 0)[1], site, written=True)
    its = by_words(service.library.extend(Recipe.from_json(B), None)[1], site, written=True)
    for of, run in enumerate((own, its)):
        for axis, words in (("row_words", run.rows), ("column_words", run.columns)):
            beside = tuple(tuple(pair[of]) for pair in answer[axis] if pair[of] is not None)
            assert beside == words
    if align == "text":  # those that are written alike
        texts = [
            [
                run.keys.texts[run.columns.index(tuple(w))]
                for w, run in zip(p, (own, its), strict=True)
            ]
            for p in answer["column_words"]
            if None not in p
        ]
        assert texts and all(a.strip() == b.strip() for a, b in texts)


def test_the_distance_of_two_rows_is_total_variation(service, recipe):
    answer = ask(service, recipe, b=B, site="cross")
    for (i, j), row_a, row_b, far in zip(
        answer["row_pairs"], answer["a"], answer["b"], answer["row_distance"], strict=True
    ):
        if i is None or j is None:
            assert far is None
            continue
        # By the definition: the most that any set of keys can differ by.
        a, b = np.nan_to_num(row_a.astype(float)), np.nan_to_num(row_b.astype(float))
        assert far == pytest.approx(np.maximum(a - b, 0).sum(), abs=1e-6)
        assert 0 <= far <= 1 + 1e-6


def test_where_no_row_has_a_counterpart_no_heads_are_compared(service, recipe):
    wanted = Recipe.from_json(recipe)
    tracer = service.library.tracer("tiny")
    run = Run(tracer, *tracer.extend(wanted, 0))
    columns = [(at, at) for at in range(len(run.decoding.source))]
    assert heads_apart(run, run, "encoder", [(0, 0)], columns).max() == 0
    assert heads_apart(run, run, "encoder", [(0, None), (None, 0)], columns) is None


def test_a_run_beside_itself_differs_nowhere(service, recipe):
    answer = ask(service, recipe, b=recipe, site="decoder")
    assert not np.nan_to_num(answer["difference"]).any()
    assert answer["parting"] is None and set(answer["row_distance"]) == {0.0}
    heads = floats(answer["heads"])
    assert not heads.any() and answer["alike"]["distance"] == 0


def test_of_another_model_the_head_most_like_is_shown(service, recipe):
    for site in ("encoder", "decoder", "cross"):
        answer = ask(service, recipe, b=B, site=site)
        alike = {name: answer["alike"][name] for name in ("layer", "head")}
        assert answer["places"][1].items() >= alike.items()


def test_candidates_have_the_probability_that_each_run_gives_them(service, recipe):
    answer = ask(service, recipe, b=B)
    runs = [
        service.library.extend(Recipe.from_json(one), count)[1]
        for one, count in ((recipe, 0), (B, None))
    ]
    tracer = service.library.tracer("tiny")
    pieces = tracer.labels(range(tracer.anatomy.target_vocabulary)).pieces
    for step in answer["steps"]:
        for candidate in step["candidates"]:
            token = pieces.index(candidate["piece"])  # both read by one tokenizer
            for run, name in enumerate("ab"):
                at = step[name]
                known = None if at is None else np.exp(runs[run].steps[at].log_probabilities_V)
                assert candidate[name] == (
                    None if known is None else pytest.approx(float(known[token]))
                )
    parting = answer["parting"]
    first = next(
        at
        for at, (x, y) in enumerate(
            zip(runs[0].target.ids[1:], runs[1].target.ids[1:], strict=False)
        )
        if x != y
    )
    assert parting["a"] == parting["b"] == first


def test_b_is_fed_the_tokens_of_a_and_then_every_row_has_its_like(service, recipe):
    own = ask(service, recipe, b=B)
    fed = ask(service, recipe, b=B, feed="a")
    assert (own["fed"], fed["fed"], fed["unfed"]) == (False, True, None)
    assert fed["runs"][0]["target"]["ids"] == fed["runs"][1]["target"]["ids"]
    assert all(i == j for i, j in fed["row_pairs"]) and fed["parting"] is None
    assert {a == b for a, b in fed["words"]} <= {True}
    chosen = fed["runs"][1]["recipe"]
    its = service.library.extend(Recipe.from_json(chosen), None)[1]
    for step in fed["steps"][:-1]:  # what B itself thinks of what it is fed
        log_V = its.steps[step["b"]].log_probabilities_V
        token = its.target.ids[step["b"] + 1]
        (taken,) = [one["b"] for one in step["candidates"] if one["taken"][1]]
        assert taken == pytest.approx(float(np.exp(log_V[token])))
    # It writes its own again.
    again = ask(service, recipe, b=chosen, feed="own")
    assert again["runs"][1]["recipe"] == own["runs"][1]["recipe"]


def test_a_model_that_lacks_a_token_is_not_fed_and_the_token_is_named(service):
    decoder = service.answer(
        {"recipe": {"model": "made-up-decoder", "source": "the cat"}, "extend": 2}
    )
    b = Recipe("tiny", SENTENCE).to_json()
    answer = ask(service, decoder["recipe"], b=b, feed="a")
    assert not answer["fed"] and answer["unfed"]["because"] == "vocabulary"
    named = answer["unfed"]["token"]
    tracers = [service.library.tracer(name) for name in ("made-up-decoder", "tiny")]
    theirs, ours = (
        dict(zip(labels.texts, labels.pieces, strict=True))
        for labels in (one.labels(range(one.anatomy.target_vocabulary)) for one in tracers)
    )
    chosen = [one["token"] for one in decoder["recipe"]["target"]]
    assert named in tracers[0].labels(chosen).texts
    assert theirs[named] not in ours.values()


def test_a_model_that_numbers_its_tokens_otherwise_is_fed_those_that_are_spelled_alike(service):
    """The usual B of en-fr: of its 8,000 tokens all but a few are spelled as some of en-fr."""
    shipped = Service(CHECKPOINTS)
    recipe = Recipe("en-fr", "I have not eaten since this morning.")
    recipe, decoding = shipped.library.extend(recipe, None)
    answer = ask(shipped, recipe.to_json(), feed="a")
    a, b = answer["runs"]
    assert b["recipe"]["model"] == "en-fr-prenorm" and answer["fed"] and answer["unfed"] is None
    assert a["target"]["pieces"] == b["target"]["pieces"] == list(decoding.target.pieces)
    assert a["target"]["ids"] != b["target"]["ids"]
    assert answer["parting"] is None and all(i == j for i, j in answer["row_pairs"])


@pytest.mark.parametrize("site", ["encoder", "cross"])
def test_the_paths_are_the_lengths_that_each_model_has(service, recipe, site):
    answer = ask(service, recipe, b=B, site=site, numbers="path")
    side = "source" if site == "encoder" else "target"
    assert [path["norm_place"] for path in answer["paths"]] == ["post", "pre"]
    for run, path in zip(answer["runs"], answer["paths"], strict=True):
        tracer = service.library.tracer(run["recipe"]["model"])
        decoding = tracer.evaluate(Recipe.from_json(run["recipe"]))
        lengths = path_lengths(tracer.model, decoding, side)
        assert path["names"] == list(lengths.names)
        for name in ("stream_ST", "made_ST"):
            numbers = floats(path[name])
            np.testing.assert_array_equal(numbers, getattr(lengths, name).ravel())
    assert answer["paths"][1]["names"][-1] == "output" != answer["paths"][0]["names"][-1]
    assert ask(service, recipe, b=B, site=site)["paths"] is None


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_the_vectors_make_the_scores_that_each_head_has(service, recipe, site):
    view = {"b": B, "site": site, "layer": 1, "head": 1, "other_layer": 0, "other_head": 0}
    answer = ask(service, recipe, numbers="vectors", **view)
    assert "vectors" in answer["offer"] and answer["vectors"] is not None
    for run, place, sent in zip(answer["runs"], answer["places"], answer["vectors"], strict=True):
        tracer = service.library.tracer(run["recipe"]["model"])
        decoding = tracer.evaluate(Recipe.from_json(run["recipe"]))
        trace = decoding.trace(site, place["layer"])
        Q, K = trace.mask_QK.shape
        one = {name: floats(of) for name, of in sent.items()}
        products_QK = one["q_QE"].reshape(Q, -1) @ one["k_KE"].reshape(K, -1).T
        scores_QK = products_QK / np.sqrt(one["q_QE"].size // Q)
        own_QK = trace.scores_HQK[place["head"]]
        seen = trace.mask_QK
        np.testing.assert_allclose(scores_QK[seen], own_QK[seen], atol=1e-5)
        sizes_QK = one["q_length_Q"][:, None] * one["k_length_K"]
        np.testing.assert_allclose(
            sizes_QK * one["cosine_QK"].reshape(Q, K), products_QK, atol=1e-5
        )
    assert ask(service, recipe, **view)["vectors"] is None


def test_the_picture_of_the_vectors_has_those_of_both_runs(service, recipe):
    view = CompareView(site="cross", b=Recipe.from_json(B), numbers="vectors")
    tracer = service.library.tracer("tiny")
    sheets = ROOM.sheets("compare", ROOM.answer(tracer, Recipe.from_json(recipe), view))
    titles = [panel.title for row in sheets.panels for panel in row]
    assert titles == ["q_QE", "k_KE", "v_KE"] * 2


def test_the_picture_of_the_paths_has_a_map_for_each_run(service, recipe):
    view = CompareView(site="cross", b=Recipe.from_json(B), numbers="path")
    tracer = service.library.tracer("tiny")
    sheets = ROOM.sheets("compare", ROOM.answer(tracer, Recipe.from_json(recipe), view))
    assert [panel.title for panel in sheets.panels[0]] == ["A", "B"]
    for panel in sheets.panels[0]:
        S, T = panel.values_RC.shape
        assert (len(panel.rows.labels), len(panel.columns.labels)) == (S, T)


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("numbers", ["scores", "norms"])
def test_scores_and_lengths_are_the_models_own_and_distances_stay_those_of_weights(
    service, recipe, site, numbers
):
    view = {"b": B, "site": site, "feed": "a", "layer": 1, "head": 1}
    answer = ask(service, recipe, numbers=numbers, **view)
    assert answer["numbers"] == numbers and numbers in answer["offer"]
    plain = ask(service, recipe, **view)
    assert answer["row_distance"] == plain["row_distance"] and answer["heads"] == plain["heads"]
    decoding = service.library.extend(Recipe.from_json(recipe), 0)[1]
    trace = decoding.trace(site, 1)
    if numbers == "scores":
        wanted = np.where(trace.mask_QK, trace.scores_HQK[1], np.nan)
    else:
        norms_LHK = value_norms(service.library.tracer("tiny").model, decoding, site)
        wanted = trace.weights_HQK[1] * norms_LHK[1, 1]
    own = [at for at, pair in enumerate(answer["column_pairs"]) if pair[0] is not None]
    rows = [at for at, pair in enumerate(answer["row_pairs"]) if pair[0] is not None]
    np.testing.assert_array_equal(answer["a"][np.ix_(rows, own)], wanted)


def test_a_link_says_what_b_is_fed_and_which_numbers_are_shown(recipe):
    for more in ({"numbers": "scores"}, {"numbers": "vectors", "row": 3, "column": 1}):
        choices = {"feed": "a", **more}
        link = write_link(Recipe.from_json(recipe), {"room": "compare", "choices": choices})
        assert read_link(link)[1]["choices"] == choices


def test_what_b_is_where_nothing_is_said(service, recipe):
    assert ask(service, recipe)["runs"][1]["recipe"]["model"] == "twin"
    edited = service.answer({"recipe": A | {"edits": ["head-off:cross.1.1"]}, "extend": "end"})
    untouched = ask(service, edited["recipe"])["runs"][1]["recipe"]
    assert untouched["model"] == "tiny" and "edits" not in untouched


def test_b_whose_model_has_other_weights_now_is_translated_anew(service, recipe):
    kept = Recipe("twin", OTHER, (Choice(9),)).to_json()
    assert ask(service, recipe, b=kept)["runs"][1]["target"]["ids"][1] == 9
    stale = ask(service, recipe, b=kept, weights="01234567")
    assert stale["stale"] and stale["runs"][1]["recipe"]["target"][0]["how"] == "greedy"


def test_models_without_a_common_attention_are_refused_in_one_sentence(service):
    decoder = service.answer({"recipe": {"model": "made-up-decoder", "source": "the cat"}})
    b = Recipe("made-up-encoder", "the cat").to_json()
    answer = service.answer({"room": "compare", "recipe": decoder["recipe"], "b": b})
    assert answer["error"]["code"] == "compare_sites"
    same = Recipe("made-up-decoder", "a dog sings").to_json()
    assert ask(service, decoder["recipe"], b=same)["site"] == "decoder"


@pytest.mark.parametrize(
    ("b", "code"),
    [
        ({"model": "twin", "source": "a" * (DEMO.characters + 1)}, "characters"),
        ({"model": "twin", "source": "a", "pads": DEMO.pads + 1}, "limit_pads"),
        ({"model": "twin", "source": "a " * 25}, "compare_tokens"),
        ({"model": "nobody", "source": "a"}, "model"),
        ({"model": "twin", "source": "a", "target": [{"token": 999_999}]}, "token"),
        ({"model": "twin"}, None),
        ("twin", None),
    ],
)
def test_b_has_the_limits_of_any_recipe(service, recipe, b, code):
    strict = Service(service.checkpoints, DEMO)
    error = strict.answer({"room": "compare", "recipe": recipe, "b": b})["error"]
    assert code is None or error["code"] == code


def test_a_link_holds_both_recipes(recipe):
    a = Recipe.from_json(recipe)
    b = Recipe("twin", "& = # % “Ça” 猫", (Choice(5), Choice(7, "greedy")), 2, edits=("hide:1",))
    choices = {"b": b.to_json(), "weights": "0123abcd", "other_head": 1, "align": "text"}
    link = write_link(a, {"room": "compare", "choices": choices})
    again, view = read_link(link)
    assert again == a and view["choices"] == choices
    assert len(link) < 600


@pytest.mark.parametrize(
    "b",
    [
        "v=3&model=m",
        "v=1&model=m&text=a",
        "v=3&model=m&text=a&room=compare",
        "v=3&model=m&text=a&compare.align=text",
        "v=3&model=m&text=a&target=x",
        "v=3&model=m&text=%E7",
        "",
        "{}",
    ],
)
def test_a_link_with_a_broken_run_in_it_is_refused(b):
    from urllib.parse import urlencode

    link = urlencode({"v": 3, "model": "m", "text": "A", "room": "compare", "compare.b": b})
    with pytest.raises(RecipeError) as error:
        read_link(link)
    assert error.value.values["name"] == "compare.b"


def test_the_picture_and_its_tables_are_the_answers(service, recipe):
    shown = picture("compare", "cross", 1, 2, b=Recipe.from_json(B), align="text")
    content = fill(service.library, Recipe.from_json(recipe), shown)
    table = content.tables[0]
    assert set(table.values) == {"a_RC", "b_RC", "difference_RC"}
    figure = content.figure(Look())
    rows = [axis.ticktext for axis in figure.select_yaxes() if axis.ticktext]
    assert rows and all("→</span>" in label for labels in rows for label in labels)
    drawn = [trace.z for trace in figure.data if trace.type == "heatmap"]
    for z_RC, array_RC in zip(drawn, table.values.values(), strict=True):
        np.testing.assert_array_equal(np.array(z_RC), array_RC)  # cross-attention hides nothing
    csv = prepared(service.library, FileRequest(Recipe.from_json(recipe), shown, "csv"))().decode()
    assert "nan" not in csv.lower() and ",," in csv
    runs = [[*run["target"].texts, "…"] for run in content.answer["runs"]]
    for (i, j), name in zip(content.answer["row_pairs"], table.axes[0].tokens, strict=True):
        of_a = of_b = []
        if i is not None:
            of_a = runs[0][i : i + 2]
        if j is not None:
            of_b = runs[1][j : j + 2]
        read, written = zip(of_a or of_b, of_b or of_a, strict=True)
        assert name == " → ".join(" | ".join(dict.fromkeys(pair)) for pair in (read, written))


def test_a_notebook_opens_on_two_runs(service):
    from viz_app.files.notebook import show

    folder = service.checkpoints / "tiny"
    both = show(folder, SENTENCE, compare="twin", site="cross", layer=1, head=2)
    assert '"room":"compare"' in both.html
    names = [trace.name for trace in both.figure().data if trace.type == "heatmap"]
    assert [name[:5] for name in names] == ["A · l", "B · l", "A − B"]
    again = show(folder, SENTENCE, compare=show(folder, OTHER))
    assert f'"source":"{OTHER}"' in again.html
