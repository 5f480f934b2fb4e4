"""The page in English and in Chinese, and its terms explained where they stand."""

import re

from playwright.sync_api import expect

from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE, ROOMY, WIDE
from viz_app.text import WORDS

INK = """([selector, index, [x, y, width, height]]) => {
    const canvas = document.querySelectorAll(selector)[index];
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    const box = [x, y, width, height].map((length) => Math.round(length * ratio));
    const image = canvas.getContext("2d").getImageData(...box);
    const at = [...image.data.keys()].filter((i) => i % 4 === 3 && image.data[i] > 90);
    const columns = at.map((i) => (i >> 2) % image.width);
    const rows = at.map((i) => Math.floor((i >> 2) / image.width));
    const reach = (places) => Math.max(...places) - Math.min(...places) + 1;
    return at.length ? [reach(columns), reach(rows)] : null;
}"""
STAGE = "document.querySelector('.stage-host').stage.drawn()"

# All that a reader can see or hear outside closed rooms: texts, titles, labels, placeholders.
SEEN = """() => {
    const seen = [];
    const root = document.querySelector('.stage');
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const isClosed = (element) => element.closest('.room[hidden]') !== null;
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        if (!isClosed(parentElement)) seen.push(data.trim());
    }
    for (const element of [root, ...root.querySelectorAll('*')]) {
        if (element.dataset.tool === 'language' || isClosed(element)) continue;
        for (const name of ['title', 'aria-label', 'placeholder', 'aria-valuetext',
            'aria-roledescription']) {
            if (element.hasAttribute(name)) seen.push(element.getAttribute(name));
        }
    }
    return seen.filter((text) => text !== '');
}"""
# What is the same in both languages: names of keys, symbols, and what the glossary's marks leave.
SHARED = {
    "Transformer",
    "Ctrl+Z",
    "EN",
    "Esc",
    "Escape",
    "Enter",
    "Shift+Enter",
    "Space",
    "Home",
    "End",
    "rollout",  # the field's own word, beside the Chinese one
    "top-k",
    "top-p",
    "softmax",
    "logit",
    "BibTeX",
    "Abnar",
    "Kobayashi",
    "Zuidema",
    "Michel",
    "Voita",
    "dropout",
    "PNG",
    "SVG",
    "PDF",
}
STATE = ("recipe", "at", "site", "layer", "head", "view", "rows", "spelled", "order", "room")


def switch(stage):
    stage.page.locator("[data-tool=language]").click()
    return stage.drawn()


def english_words(stage, drawn):
    """The English words on the page, apart from the sentences, their tokens and key names."""
    typed = " ".join(
        [*drawn["source_labels"], *drawn["target_labels"], drawn["recipe"]["source"], drawn["text"]]
    )
    examples = stage.page.locator("select.examples option").all_inner_texts()
    candidates = stage.decoding(drawn).steps
    model = stage.service.library.tracer(drawn["recipe"]["model"]).model
    pieces = [model.labels(step.best(10)) for step in candidates]
    names = [model["name"] for model in stage.service.models]
    own = " ".join(
        [typed, *names, *examples, *(text for p in pieces for text in (*p.texts, *p.pieces))]
    )
    found = set()
    for text in stage.page.evaluate(SEEN):
        for word in re.findall(r"[A-Za-z][A-Za-z+-]{2,}", text):
            if word not in SHARED and word not in own and f"{word}s" not in own:
                found.add(word)
    return found


def assert_is_chinese(stage, drawn):
    for name in ("row_title", "column_title", "reading", "title"):
        assert re.search(r"[\u4e00-\u9fff]", drawn[name]), name
    assert english_words(stage, drawn) == set()


def test_everything_visible_changes_nothing_is_lost_and_the_choice_is_remembered(visit):
    stage = visit()
    named = "() => [document.title, document.documentElement.lang]"
    assert stage.page.evaluate(named) == [WORDS["en"]["title"], "en"]
    stage.choose("site", "decoder")
    stage.lock(1, 2)
    before = stage.act("back")
    calls = stage.server_calls
    english = set(stage.page.evaluate(SEEN))
    after = switch(stage)
    assert stage.page.evaluate(named) == [WORDS["zh"]["title"], "zh-CN"]
    assert stage.page.locator(".stage").get_attribute("lang") == "zh-CN"
    assert {name: before[name] for name in STATE} == {name: after[name] for name in STATE}
    assert before["weights"] == after["weights"]
    assert (before["language"], after["language"]) == ("en", "zh")
    assert after["title"] == "解码器自注意力，第 2 层第 3 头"
    assert after["target_labels"][0] == "开始"
    assert_is_chinese(stage, after)
    again = switch(stage)
    assert before == again
    assert set(stage.page.evaluate(SEEN)) == english
    assert stage.server_calls == calls

    # A browser that stores nothing speaks both, and the keys still work.
    stage.page.evaluate(
        """() => {
            window.real = Storage.prototype.setItem;
            Storage.prototype.setItem = () => { throw new Error('no storage'); };
        }"""
    )
    last = switch(stage)["at"]
    stage.page.evaluate("() => { Storage.prototype.setItem = window.real; }")
    assert stage.key("ArrowLeft")["at"] == last - 1
    stage.page.keyboard.press("?")
    expect(stage.page.get_by_role("dialog", name="帮助")).to_be_visible()
    stage.page.keyboard.press("Escape")
    api = stage.page.locator(".help a.api")
    for language in ("zh", "en"):
        assert stage.drawn()["language"] == language
        stage.page.keyboard.press("?")
        assert api.text_content().strip() == WORDS[language]["api_link"]
        assert api.get_attribute("href") == "./?view=api"
        stage.page.keyboard.press("Escape")
        expect(api).to_be_hidden()
        button = stage.page.locator("[data-tool=language]")
        button.press("Enter")
        stage.drawn(f"drawn.language !== '{language}'")
        expect(button).to_be_focused()

    # No view is half translated, after a reload either.
    stage.page.reload()
    stage.page.wait_for_function(f"() => {STAGE.replace('.stage.', '?.stage?.')}.recipe")
    assert stage.drawn()["language"] == "zh"
    for site, view in (("encoder", "heat"), ("decoder", "lines"), ("cross", "table")):
        stage.choose("site", site)
        assert_is_chinese(stage, stage.choose("view", view))


CUT = """() => [...document.querySelectorAll('.stage :is(button, .site-about, h1, h2, label)')]
    .filter((node) => node.checkVisibility()) // a menu has no width of its own while it is shut
    .filter((node) => !node.matches('.skip')) // nobody sees it before it has the focus
    .filter((node) => node.clientWidth > 1) // what is only for a screen reader is 1 wide
    .filter((node) => node.scrollWidth > node.clientWidth + 1)
    .map((node) => node.textContent)"""


def test_chinese_fits_stands_upright_above_narrow_columns_and_has_no_space_after_a_full_width_sign(
    visit,
):
    stage = visit(locale="zh-CN")
    for window in (WIDE, PHONE):
        stage.resize(**window)
        for site in ("encoder", "decoder", "cross"):
            stage.choose("site", site)
            assert_nothing_sticks_out(stage)
        strategies = stage.page.locator("details.strategy summary")
        for _ in ("shut", "open"):
            assert stage.page.evaluate(CUT) == []
            strategies.click()
        if window is WIDE:
            box = stage.page.locator(".stage").bounding_box()
            assert box["y"] + box["height"] <= window["height"]
            stage.resize(**ROOMY)
            about = stage.page.locator(".site-about:visible").bounding_box()
            assert about["height"] < 30  # one line

    source = "我从今天早上起一点东西都没吃。"
    stage.type_source(source)
    column = source.index("一")  # one stroke, from left to right
    left, top, width, _ = stage.drawn()["cell_boxes"][0][column]
    ink = stage.page.evaluate(INK, [".map-canvas", 0, [left, top - 24, width, 22]])
    assert ink[0] > 3 * ink[1]
    stage.page.locator("[data-open=masks]").click()
    stage.page.locator("[data-masks-site=encoder]").click()
    stage.page.locator("[data-sentence='0']").click()
    stage.page.wait_for_function(
        f"() => {{ const room = {STAGE}.in_room; return !room.busy && room.shown === 0 }}"
    )
    left, top, width, _ = stage.drawn()["in_room"]["maps"][2]["first_cell"]
    box = [left + column * width, top - 24, width, 22]
    ink = stage.page.evaluate(INK, [".masks-box canvas", 2, box])
    assert ink[0] > 3 * ink[1]

    # What is typed and scrolled stays through a change of language.
    stage.page.locator("[data-open=translate]").click()
    stage.page.locator(".source-text").fill("half a sen")
    stage.page.evaluate("() => { window.scrollTo(0, 0); }")
    stage.drawn()  # what was typed moves what is pressed next
    stage.choose("view", "table")
    box = stage.page.locator(".map .table-box")
    box.evaluate("(box) => { box.scrollLeft = 40; }")
    scrolled = box.evaluate("(box) => box.scrollLeft")
    assert scrolled > 0
    spoken = stage.drawn()["language"]
    stage.page.locator("[data-tool=language]").evaluate("(button) => button.click()")
    stage.drawn(f"drawn.language !== '{spoken}'")  # its words may be on their way
    assert stage.page.locator(".source-text").input_value() == "half a sen"
    assert stage.page.locator(".map .table-box").evaluate("(box) => box.scrollLeft") == scrolled

    # No space follows a full-width sign.
    stage.resize(**ROOMY)
    stage.anew("#v=3&model=zh-en")
    for room in ("translate", "masks", "positions"):
        if room != "translate":
            stage.enter(room)
        stage.lay_out()
        said = stage.page.locator("p:visible").all_inner_texts()
        assert said and not [one for one in said if re.search(r"[，。；：？！、] +\S", one)]


def test_a_term_is_explained_by_pointer_and_key_with_the_numbers_shown_unless_it_was_left_before(
    visit,
):
    stage = visit(ROOMY)
    drawn = stage.drawn()
    config = stage.service.library.tracer(drawn["recipe"]["model"]).model.config
    word = stage.page.locator(".map-title .term[data-term=head]")
    word.hover()
    tip = stage.page.get_by_role("tooltip")
    tip.wait_for()
    heads, layers = config.decoder_heads, config.decoder_layers
    assert tip.locator(".tip-formula").inner_text().startswith("MultiHead = Concat")
    assert tip.locator(".tip-here").inner_text() == (
        f"Here: {heads} heads × {config.width // heads} numbers, in each of {layers} layers"
    )
    assert word.get_attribute("aria-describedby") == tip.get_attribute("id")
    stage.page.mouse.move(5, 5)
    tip.wait_for(state="hidden")
    assert word.get_attribute("aria-describedby") is None

    stage.page.locator(".sites .order").focus()
    stage.page.keyboard.press("Tab")  # onto the word after it
    expect(tip).to_be_visible()
    stage.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    stage.page.keyboard.press("Enter")
    expect(tip).to_be_visible()
    stage.page.keyboard.press("Tab")
    expect(tip).to_be_hidden()
    assert stage.drawn()["at"] == drawn["at"]

    def here(word):
        word.hover()
        return tip.locator(".tip-here").inner_text()

    for site in ("encoder", "cross"):
        stage.enter("masks")
        stage.choose("masks-site", site)
        seen = stage.in_room()
        rows, columns = (seen["maps"][0][f"{axis}_labels"] for axis in ("row", "column"))
        heads = stage.page.locator(".masks-room [data-pick=head] option").count()
        assert here(stage.page.locator(".masks-breaks [data-term=score]")) == (
            f"Here: {len(rows)} × {len(columns)} scores in each of {heads} heads; E = 32"
        )
        stage.enter("positions", "[data-study=order]")
        stage.choose("order-site", site)
        stage.in_room()
        layer = stage.page.locator(".positions-order [data-term=head]")
        assert here(layer).startswith(f"Here: {heads} heads")

    # One that was left before its box came stays shut.
    stage.anew("")
    held, answered, left = [], [], []
    stage.page.on("response", lambda one: answered.append(one.url.endswith("/stage/answer")))
    stage.page.route(
        "**/stage/*.js",
        lambda route: held.append(route) if any(answered) and not left else route.continue_(),
    )
    stage.page.reload()
    word = stage.page.locator(".map-title .term[data-term=head]")
    word.hover()
    while not held:
        stage.page.wait_for_timeout(20)
    stage.page.mouse.move(5, 5)
    left.append(True)
    for route in held:
        route.continue_()
    tip = stage.page.locator(".tip")
    tip.wait_for(state="attached")
    stage.page.wait_for_timeout(
        300
    )  # twice as long as a pointer rests before its word is explained
    expect(tip).to_be_hidden()
    word.hover()
    expect(tip).to_be_visible()
