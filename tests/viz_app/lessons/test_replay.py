"""Every lesson that comes with the program, on every model that it allows."""

import ast
import re
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.studies.head import study_head
from model_core.values.head_measures import MEASURES
from tests.conftest import CHECKPOINTS
from viz_app.lessons.expressions import variables
from viz_app.lessons.lesson import own_lessons
from viz_app.lessons.linking import laid_over, link_of
from viz_app.lessons.needed import needed
from viz_app.lessons.playing import spelled
from viz_app.lessons.values import under
from viz_app.links.link import read_link
from viz_app.menu.catalogue import models_of
from viz_app.server.service import Service
from viz_app.text import LANGUAGES, filled

LESSONS = {one.name: one for one in own_lessons()}
PLAYS = [(name, model) for name, lesson in LESSONS.items() for model in lesson.models]


@pytest.fixture(scope="module")
def service():
    return Service(CHECKPOINTS)


@pytest.fixture(scope="module")
def plays():
    """What was played, by the lesson and the model."""
    return {}


@pytest.fixture
def opened(service, monkeypatch):
    """The models that the library is asked for."""
    names, tracer = set(), service.library.tracer

    def named(name, edits=()):
        names.add(name)
        return tracer(name, edits)

    monkeypatch.setattr(service.library, "tracer", named)
    return names


@pytest.fixture(scope="module")
def menu():
    return models_of(CHECKPOINTS)[0]


def met_already(until, recipe, view):
    """Whether a condition holds where the step begins; an answer never does."""
    choices = view["choices"] if view["room"] != "translate" else view
    match until:
        case {"kind": "all", "of": conditions}:
            return all(met_already(one, recipe, view) for one in conditions)
        case {"kind": "at", "step": step}:
            return view.get("at") == step
        case {"kind": "kept", "query": query, "key": key}:
            return {"query": query, "key": key} in view["cells"].values()
        case {"kind": "lock", "site": site, "layer": layer, "head": head}:
            return view["locks"].get(site) == {"layer": layer, "head": head}
        case {"kind": "view", "room": room, "field": field, "value": value}:
            found = choices.get(field)
            is_there = value in map(str, found) if isinstance(found, list) else found == value
            return view["room"] == room and is_there
        case {"kind": "edit", "edit": edit}:
            return any(str(one) == edit for one in recipe.edits)
        case {"kind": "edits-empty"}:
            return not recipe.edits
        case {"kind": "room", "room": room}:
            return view["room"] == room
        case {"kind": "strategy", "strategy": strategy}:
            return recipe.strategy.kind == strategy
    return False


def is_offered(until, view):
    """Whether "What if" has the head or the sub-layer to switch off: it has those of the lock."""
    if until["kind"] == "all":
        return all(is_offered(one, view) for one in until["of"])
    found = re.match(r"(?:head|sublayer)-off:\w+\.(\d+)(?:\.(\d+))?", until.get("edit", ""))
    if not found:
        return True
    lock = view["locks"][view["site"]]
    return [lock["layer"] + 1, lock["head"] + 1][: found.lastindex] == [
        int(one) for one in found.groups() if one
    ]


@pytest.mark.parametrize(("name", "model"), PLAYS)
def test_a_lesson_can_be_played(service, menu, opened, plays, name, model):
    played = service.answer({"lesson": {"name": name, "model": model}})
    assert "error" not in played, played
    plays[name, model] = played
    assert opened == needed(LESSONS[name], model)
    assert played["model"] == model and len(played["steps"]) == len(LESSONS[name].steps)
    for step in played["steps"]:
        recipe, view = read_link(step["link"], menu)
        assert not met_already(step["until"], recipe, view), step["id"]
        assert is_offered(step["until"], view), step["id"]
        assert view["view"] and view["reading"], step["id"]  # whatever was looked at before
        for one in all_said(step["says"]):
            for language in LANGUAGES:
                text = filled(played["words"][language][one["word"]], one["values"])
                assert "{" not in text, text
        ask = step["ask"]
        if ask is None:
            assert step["cover"] == []
            continue
        assert ask["shown"]
        if ask["of"]:
            assert ask["answer"] in [one["value"] for one in ask["of"]]
            assert all(one.get("text") or one["word"] in played["words"]["en"] for one in ask["of"])
        elif ask["kind"] == "cell":
            assert set(ask["answer"]) == {"query", "key"}
        else:
            assert isinstance(ask["answer"], int | float)


def test_where_a_choice_of_two_stands_tells_nothing(service, plays):
    for name, model in PLAYS:
        if (name, model) not in plays:
            plays[name, model] = service.answer({"lesson": {"name": name, "model": model}})
    asks = [step["ask"] for played in plays.values() for step in played["steps"] if step["ask"]]
    pairs = [ask for ask in asks if len(ask["of"]) == 2 and "word" in ask["of"][0]]
    first = sum(ask["of"][0]["value"] == ask["answer"] for ask in pairs)
    assert 0.4 < first / len(pairs) < 0.6 and len(pairs) > 50


@pytest.mark.parametrize("name", ["first-look", "pads"])
def test_each_column_that_is_counted_is_pointed_at_once_it_is(service, plays, name):
    for model in LESSONS[name].models:
        if (name, model) not in plays:
            plays[name, model] = service.answer({"lesson": {"name": name, "model": model}})
        steps = plays[name, model]["steps"]
        (step,) = (one for one in steps if "them" in (one["says"]["then"] or {}).get("values", ()))
        assert {place["kind"] for place in step["proof"]} <= {"column"}
        assert len({place["key"] for place in step["proof"]}) == step["ask"]["answer"]


@pytest.mark.parametrize("model", LESSONS["shift"].models)
def test_the_head_that_is_said_to_follow_what_was_fed_does_so_most(model):
    of = LESSONS["shift"].models[model]
    measures_LHM = open_checkpoint(CHECKPOINTS / model).heads.sites["cross"].measures_LHM
    fed_LH, links_LH = (
        measures_LHM[..., MEASURES["cross"].index(name)] for name in ("fed", "links")
    )
    layer, head = map(int, of["behind"].split("."))
    assert fed_LH[layer, head] == fed_LH.max() > 0.5
    layer, head = map(int, of["head"].split("."))
    assert links_LH[layer, head] > 0.5 > fed_LH[layer, head]


def test_what_the_heads_add_is_said_without_the_bias_that_no_head_adds(service):
    played = service.answer({"lesson": {"name": "one-head", "model": "en-fr"}})
    (step,) = (one for one in played["steps"] if one["id"] == "heads")
    said = {name: one.replace("−", "-") for name, one in step["says"]["say"]["values"].items()}
    recipe, view = read_link(step["link"], models_of(CHECKPOINTS)[0])
    _, decoding = service.library.extend(recipe, None)
    model, query = service.library.tracer("en-fr").model, view["cells"]["cross"]["query"]
    study = study_head(model, decoding, "cross", *view["locks"]["cross"].values(), query)
    place = int(said["dimension"])
    added = float(study.shares_HD[:, place].sum())
    assert abs(float(said["whole"]) - added) < 0.001
    assert abs(float(study.output_D[place]) - added) > 0.01  # else the two are not told apart


def all_said(says):
    every = [says[name] for name in ("say", "ask", "then", "numbers", "formula")]
    return [one for one in (*every, *says["hints"]) if one is not None]


def asked_for(lesson, tree):
    """The names of the answers that an expression comes to, its variables among them."""
    said = [lesson.let[name] for name in variables(tree) if name in lesson.let]
    called = (one.func.id for one in ast.walk(tree) if isinstance(one, ast.Call))
    return {*called, *(name for one in said for name in asked_for(lesson, one))}


def sentence_of(lesson, model, step):
    of = lesson.models[model]
    names = {**dict.fromkeys(lesson.let, 0), **of, "model": model, "sentence": of["text"]}
    return dict(parse_qsl(link_of(model, of, laid_over(lesson.link, step.show), names)))["text"]


@pytest.mark.parametrize("name", LESSONS)
def test_the_last_step_asks_an_older_question_on_a_new_sentence(name):
    lesson, every = LESSONS[name], list(LESSONS.values())
    *before, last = lesson.steps
    older = every[: every.index(lesson)] or [replace(lesson, steps=before)]  # the first has its own
    wanted = asked_for(lesson, last.ask.answer)
    assert any(
        step.ask.kind == last.ask.kind and wanted <= asked_for(one, step.ask.answer)
        for one in older
        for step in one.steps
        if step.ask
    )
    for model in lesson.models:
        shown = {sentence_of(lesson, model, step) for step in before}
        assert sentence_of(lesson, model, last) not in shown


def test_in_six_lessons_a_mistake_is_named_from_its_picture():
    found = [one for one in LESSONS.values() if any("breaks" in step.cover for step in one.steps)]
    assert len(found) == 6
    for lesson in found:
        step = next(step for step in lesson.steps if "breaks" in step.cover)
        assert step.ask.kind == "choice" and lesson.has(f"{step.id}.hint2")


@pytest.mark.parametrize("name", LESSONS)
def test_a_step_has_three_depths_and_a_question_a_nudge_and_a_suggestion(name):
    lesson = LESSONS[name]
    for step in lesson.steps:
        for key in ("numbers", "formula", "hint1"):
            assert lesson.has(f"{step.id}.{key}"), (step.id, key)
        assert step.point and any(key.startswith(f"{step.id}.then") for key in lesson.words["en"])
        if step.ask:
            assert step.ask.kind == "number" or lesson.has(f"{step.id}.hint2"), step.id


@pytest.mark.parametrize("name", LESSONS)
def test_no_number_is_written_in_the_words_of_a_lesson(name):
    for words in LESSONS[name].words.values():
        for key, text in words.items():
            assert not re.search("[0-9]", re.sub(r"\{[^}]*\}", "", text)), key


# A weight is dark on a light page and bright on a dark one.
OF_ONE_SCHEME = re.compile(
    r"\b(dark|bright|pale) (cells?|columns?|words?)\b|\b(dark|bright|pal)(er|est)\b"
    "|[深亮浅](色)?的?格|最[深亮浅]|颜色[很越最]?[深亮浅]"
)


@pytest.mark.parametrize("name", LESSONS)
def test_what_is_said_of_a_colour_holds_on_a_light_and_on_a_dark_page(name):
    for words in LESSONS[name].words.values():
        for key, text in words.items():
            assert not OF_ONE_SCHEME.search(" ".join(text.split())), key


@pytest.mark.parametrize("name", LESSONS)
def test_what_a_step_says_stays_true_while_the_reader_steps(name):
    lesson = LESSONS[name]
    for step in lesson.steps:
        for language, words in lesson.words.items():
            said = words[f"{step.id}.say"]
            # How far the translation is, which each press of Step changes.
            assert not re.search(
                r"[Ss]o\s+far\s+it|^Nothing is written|到现在|^什么都还没写", said
            ), step.id
            for key in (key for key in words if key.startswith(f"{step.id}.then")):
                told = r"[Pp]ress\s+“Step”" if language == "en" else "点“前进”"
                assert not re.search(told, words[key]), key


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_speaks_both_languages(name):
    words = LESSONS[name].words
    assert words["en"].keys() == words["zh"].keys()
    assert [
        key for key, text in words["zh"].items() if not re.search("[\u4e00-\u9fff]", text)
    ] == []
    assert [key for key, text in words["en"].items() if re.search("[\u4e00-\u9fff]", text)] == []


def test_the_menu_lists_the_lessons_of_the_models_there_are(service, models):
    listed = service.answer({"lessons": True})
    assert [one["name"] for one in listed["lessons"]] == list(LESSONS)
    for one in listed["lessons"]:
        assert all(one[said] in listed["words"]["zh"] for said in ("title", "about"))
    assert Service(models).answer({"lessons": True})["lessons"] == []


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"name": "none"}, "lesson"),
        ({"name": "pads", "model": "reverse-hard"}, "lesson_model"),
        (None, "lesson"),
    ],
)
def test_a_lesson_that_is_not_there_is_told_by_name(service, asked, code):
    assert service.answer({"lesson": asked})["error"]["code"] == code


@pytest.mark.parametrize(("name", "model"), [("leak", "reverse-leak"), ("norm", "en-fr-prenorm")])
def test_a_step_that_shows_another_model_leads_back_to_its_lesson(service, name, model):
    played = service.answer({"lesson": {"name": name, "model": model}})
    assert any(f"model={model}" in step["link"] for step in played["steps"])
    assert played["model"] in LESSONS[name].models


def test_a_link_names_the_lesson_and_its_step():
    link = "v=3&model=en-fr&text=The+cat.&lesson=first-look.3"
    _, view = read_link(link)
    assert view["lesson"] == "first-look.3"
    assert dict(parse_qsl(link))["lesson"] == "first-look.3"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6e-7, "0.0000006"),
        (-7.14e-5, "\u22120.000071"),
        (0.0, "0"),
        (16.0, "16"),
        (0.9391, "0.939"),
        (-28.841, "\u221228.84"),
        (123456.7, "123457"),
        (3.2e-12, "3.2 × 10⁻¹²"),
        (2e9, "2 × 10⁹"),
        (-3, "\u22123"),
    ],
)
def test_a_number_is_written_as_people_write_it(value, text):
    assert spelled(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(5.4e-7, "0.000001"), (-6.6e-7, "0.000001"), (1e-6, "0.00001"), (0.0, "0.0000001")],
)
def test_rounding_is_said_by_a_power_of_ten_that_it_stays_under(value, text):
    assert spelled(under(None, value)) == text
