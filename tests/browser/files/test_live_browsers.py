"""A site whose pages compute, in Chromium, in Firefox and in WebKit: one walk through what is
recorded nowhere. With --whole it goes through a site of all shipped models, and through two of
them on a phone that is four times as slow."""

import json
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.browser.conftest import WIDE
from tests.browser.drivers import PACKAGES, Chromium, started
from tests.browser.files.live import LARGE, SMALL, assert_answers, served
from tests.browser.files.visitor import (
    FORMATS,
    NUMPY,
    STAGE,
    Visitor,
    assert_names,
    phone_in,
    slow_down,
)
from tests.conftest import CHECKPOINTS
from viz_app.text import WORDS
from viz_app.values.computed_by import computed_by

OWN = "reverse-tiny"  # which the small site has not
BROWSERS = ("chromium", *PACKAGES)
RECORDED = 4  # steps of the lesson one-head that are about the sentence of the page
# Of each kind of the shipped models one, with two sentences and a lesson, no answer of which is the
# rounding of two ways to compute one number.
SHIPPED = (
    ("en-fr", "The dog eats the red apple.", "She reads.", "first-look"),
    ("zh-en", "他昨天买了一本新书。", "猫在睡觉。", "which-head"),
    ("reverse-hard", "cold winter", "visible", "leak"),
    ("tutorial-joined-heads", "cold winter", "visible", "query-key-value"),
)


@contextmanager
def visiting(name, request, address):
    """A visitor of that site, who hears of no fault and asks no other host for anything."""
    if name in ("chromium", "phone"):
        browser = request.getfixturevalue("browser")
        wide = {"viewport": WIDE, "locale": "en-US"}
        page = phone_in(browser) if name == "phone" else browser.new_context(**wide).new_page()
        if name == "phone":
            slow_down(page, whole=True)
        visitor = Visitor(Chromium(page), address)
        yield visitor
        page.context.close()
    else:
        with started(name) as driver:
            visitor = Visitor(driver, address)
            yield visitor
    assert not visitor.faults
    assert all(url.startswith((f"{address}/", "data:", "blob:")) for url in visitor.fetched)


def assert_waited(told):
    """Whether the page said what it fetches and how much is left, that the model starts, and that
    it runs."""
    words = WORDS["en"]
    fetches = re.escape(words["engine_fetched"] + words["engine_left"]).replace(r"\{n\}", r"(\S+)")
    left = [float(found[1]) for said in told if (found := re.fullmatch(fetches, said))]
    assert left and left == sorted(left, reverse=True)
    assert told.index(words["engine_starts"]) < told.index(words["engine_ready"])


def assert_walks(visitor, model, sentence, other, lesson):
    """Whether everything of a page works on a sentence of one's own; the link to it."""
    begun = visitor.visit(model)
    assert begun["finished"] == "end" and visitor.heard_now() == []  # it is recorded
    here = visitor.step(0)  # another branch: what it begins with was recorded
    assert here["recipe"]["target"][0]["how"] == "forced"
    assert_names(NUMPY, *visitor.save("svg"))
    assert_waited(visitor.told())
    assert visitor.translate(other)["recipe"]["source"] == other
    recipe = visitor.translate(sentence)["recipe"]
    visitor.step(2)
    edited = visitor.edit()["recipe"]
    link = visitor.driver.evaluate("return location.href")
    assert "#v=3" in link and "edit=head-off" in link
    rooms = visitor.rooms()
    assert len(visitor.search()["in_room"]["tree"]) > 4
    # What was stale is never answered; and a step is before the first where it was there in time.
    *before, last = visitor.in_line(recipe)
    assert ({*before}, last) == ({"first", "step"}, "tree")
    assert len([*visitor.lesson(lesson)]) > 2
    here = visitor.follow(link)
    assert here["recipe"] == edited
    assert {one["room"] for one, _ in visitor.heard_now() if "room" in one} >= {*rooms}
    assert len(rooms) > 5
    return link


def assert_saves(visitor, folder):
    """Whether files of every kind are of what is on the screen, and of one engine; the page among
    them works by itself."""
    shown = visitor.drawn()
    files = {}
    for ending in FORMATS:
        name, content = visitor.save(ending)
        assert_names(NUMPY, name, content)
        files[ending] = content
    assert json.loads(files["json"])["recipe"] == shown["recipe"]
    visitor.keep()
    alone = folder / "alone.html"
    alone.write_bytes(files["html"])
    there = visitor.open(alone.as_uri())
    assert (there["recipe"], there["text"]) == (shown["recipe"], shown["text"])


@pytest.mark.parametrize("name", BROWSERS)
def test_everything_of_a_page_works_without_a_server(
    name, request, live_folder, live_models, tmp_path
):
    """In Chromium a lesson goes on where it is recorded no more, on the model that is fetched in
    many parts; with --whole in all three.

    In each of them another lesson is computed from its first step, in `assert_walks`.
    """
    with served(live_folder) as address, visiting(name, request, address) as visitor:
        if name == "chromium" or request.config.getoption("--whole"):
            assert_a_lesson_goes_on(visitor)
        assert_walks(visitor, SMALL, "visible", "cold days", "first-look")
        opened = assert_opens_its_own(visitor, tmp_path)
        assert_saves(visitor, tmp_path)
    for known in opened:
        shutil.copytree(CHECKPOINTS / OWN, tmp_path / "models" / known)
    for known in (SMALL, LARGE):
        (tmp_path / "models" / known).symlink_to(live_models / known)
    assert_answers(visitor.heard, tmp_path / "models")


def assert_a_lesson_goes_on(visitor):
    """Whether a lesson that is recorded in part is computed from there on, by the large model."""
    visitor.visit(LARGE)
    assert_names(computed_by(), *visitor.save("svg"))
    for step, here in enumerate(visitor.lesson("one-head"), 1):
        assert here["room"] == "inside"
        assert f"lesson=one-head.{step}" in visitor.driver.evaluate("return location.hash")
        if step == RECORDED:
            assert visitor.heard_now() == []
    assert step > RECORDED
    assert visitor.translate("The dog eats the red apple.")["text"].startswith("Le chien")
    visitor.keep()


def assert_opens_its_own(visitor, folder):
    """Whether a checkpoint of the visitor's own opens, and links to it work where it has been
    opened; the names that it got."""
    broken, pickled = folder / "broken", folder / "pickled"
    for made in (broken, pickled):
        made.mkdir()
    for file in ("card.md", "config.json", "tokenizer.json"):
        shutil.copy(CHECKPOINTS / OWN / file, broken / file)
    (pickled / "weights.pt").write_bytes(b"\x80\x02")
    alone = visitor.refused(CHECKPOINTS / OWN / "model.safetensors")
    assert alone == WORDS["en"]["error_own_config"]
    assert "has no model.safetensors" in visitor.refused(broken)
    assert "weights.pt" in visitor.refused(pickled)
    opened = []
    for here in visitor.own(CHECKPOINTS / OWN):
        opened.append(here["recipe"]["model"])
        link = visitor.driver.evaluate("return location.href")
        visitor.choose(SMALL)
        visitor.drawn(f"{STAGE}.drawn().recipe.model === '{SMALL}'")
        visitor.follow(link)
        there = visitor.translate("visible")
        assert (there["recipe"]["model"], there["text"]) == (opened[-1], "elbisiv")
    visitor.driver.click("[data-tool=link]")
    visitor.driver.wait("document.querySelector('.cite-hint')")
    said = visitor.driver.evaluate("return document.querySelector('.cite-hint').innerText")
    assert f"“{opened[-1]}”" in said
    visitor.driver.key("Escape")
    return opened


@pytest.fixture(scope="module")
def whole_folder(tmp_path_factory, pytestconfig):
    """A site of all shipped models, by the command."""
    if not pytestconfig.getoption("--whole"):
        pytest.skip("walked with --whole")
    folder = tmp_path_factory.mktemp("whole") / "site"
    subprocess.run([sys.executable, "-m", "viz_app", "site", folder], check=True)
    return folder


@pytest.mark.parametrize(
    ("walk", "name"),
    [
        pytest.param(walk, name, id=f"{walk[0]}-{name}")
        for walk in SHIPPED
        for name in (*BROWSERS, *(["phone"] if walk in SHIPPED[:2] else []))
    ],
)
def test_every_kind_of_shipped_model_is_walked_through(name, walk, request, whole_folder, tmp_path):
    with served(whole_folder) as address, visiting(name, request, address) as visitor:
        link = assert_walks(visitor, *walk)
        visitor.keep()
        there = visitor.open(link)
        assert (there["recipe"]["model"], there["recipe"]["source"]) == walk[:2]
        visitor.rooms()
        assert_saves(visitor, tmp_path)
    assert_answers(visitor.heard, CHECKPOINTS)
