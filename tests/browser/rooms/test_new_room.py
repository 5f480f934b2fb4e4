"""A room is a folder and a name on both sides: one that asks, on a real page; and who is to blame
where it fails."""

import json
import re
import shutil
import textwrap
import urllib.request

import pytest

from tests.browser.conftest import WIDE
from tests.browser.windows import open_context, wait_here
from tests.serving import serve
from tests.tiny import tiny_checkpoint
from tests.viz_app.stage.source_maps import places
from viz_app import rooms
from viz_app.rooms.room import Answer, Room
from viz_app.stage import bundle, stage
from viz_app.stage.stage import FOLDER
from viz_app.values.view import View

SCRIPT = textwrap.dedent("""\
    import { press } from "../../stage/page/elements.js";
    import { html, makePart } from "../../stage/page/html.js";

    function fail() {
      throw new Error("the letters fail");
    }

    function makeLetters(t, { state }, ask) {
      const { element, update } = makePart((says = "") => html`
        <section><output class="letters-says">${says}</output>
          <button type="button" class="letters-fail" @click=${press(fail)}></button></section>`);
      const question = ask({ element, settle: (answer) => update(answer.lengths.join(" ")) });
      return {
        element,
        update() {
          question.of({ recipe: state.run.recipe });
        },
      };
    }

    export const room = { name: "letters", make: makeLetters, keep: { pictures: () => [] } };
    """)


def answer(tracer, recipe, view):
    texts = tracer.evaluate(recipe).source.texts
    return Answer(view, {"lengths": [len(text) for text in texts]})


LETTERS = Room("letters", View, answer, {}, "")


@pytest.fixture
def address(tmp_path, monkeypatch):
    copied = tmp_path / "viz_app"
    shutil.copytree(FOLDER, copied, ignore=shutil.ignore_patterns("__pycache__"))
    (copied / "rooms/letters").mkdir()
    (copied / "rooms/letters/letters.js").write_text(SCRIPT, encoding="utf-8")
    (copied / "rooms/letters/letters.css").write_text(".stage .letters-says { color: red; }\n")
    monkeypatch.setattr(stage, "FOLDER", copied)
    monkeypatch.setattr(stage, "ROOMS", (*rooms.ROOMS, LETTERS))
    monkeypatch.setattr(rooms, "ROOMS", (*rooms.ROOMS, LETTERS))
    forget()
    tiny_checkpoint(tmp_path / "models" / "tiny")
    with serve(tmp_path / "models") as (address, _):
        yield address
    forget()


def forget():
    for made in vars(bundle).values():
        if hasattr(made, "cache_clear"):
            made.cache_clear()


def test_a_new_room_opens_asks_and_answers_for_its_errors(address, browser):
    context = open_context(browser, viewport=WIDE, locale="en-US")
    page = context.new_page()
    failures = []
    page.on("pageerror", lambda error: failures.append(error))
    parsed = []
    debugger = context.new_cdp_session(page)
    debugger.on("Debugger.scriptParsed", lambda script: parsed.append(script))
    debugger.send("Debugger.enable")
    page.goto(address)
    # The example that opens is too long for this model, which is said; then it is typed over.
    page.locator(".stage .message:not(:empty)").first.wait_for()
    page.locator(".source-text").fill("The old cat.")
    page.locator(".source-text").press("Enter")
    page.wait_for_function("() => document.querySelector('.stage-host')?.stage?.drawn().recipe")
    page.locator("[data-open=letters]").click()
    source = page.evaluate(
        "() => document.querySelector('.stage-host').stage.drawn().source_labels"
    )
    said = page.locator(".letters-says:not(:empty)")
    assert len(said.text_content().split()) == len(source)
    assert said.evaluate("(node) => getComputedStyle(node).color") == "rgb(255, 0, 0)"
    assert not failures

    page.locator(".letters-fail").click()
    wait_here(page, lambda: failures)
    (failure,) = failures
    script, line = re.search(r"(http\S+\.js):(\d+):\d+", failure.stack).groups()
    name = next(one["sourceMapURL"] for one in parsed if one["url"] == script)
    with urllib.request.urlopen(script.rpartition("/")[0] + f"/{name}") as stored:
        found = json.load(stored)
    file, at, _ = places(found["mappings"])[int(line) - 1]
    assert found["sources"][file] == "rooms/letters/letters.js"
    assert SCRIPT.split("\n")[at].strip() == 'throw new Error("the letters fail");'
    context.close()
