"""Every room on paper: A4 in both directions, light and dark; whole, on white, without controls;
upright on one page, the table of heads on two."""

import re

import numpy as np

from tests.browser.checks import assert_scheme
from tests.browser.conftest import Stage
from viz_app.text import WORDS

ROOMS = ("translate", "masks", "positions", "inside", "beam", "heads", "compare")
# Rooms of which a page holds all without drawing it smaller.
SPACIOUS = ("translate", "positions", "beam")
ACROSS = ("masks", "inside")  # rooms that are printed dark and across
LONG = "The old cat sleeps on the warm roof because " * 4 + "it rains."
# What asks for a press, which nothing on paper answers to.
ASKING = (
    "reading_hint",
    "masks_reading_hint",
    "masks_lesson",
    "masks_unfold",
    "compare_point",
    "heads_next",
    "positions_press_two",
    "positions_lead_order",
    "positions_reading_order_hint",
    "site_press",
    "heads_here_press",
    "inside_way_next",
    "inside_spread_next",
    "inside_norms_next",
)
LIT = "document.querySelector('.stage')"
# What the page lays out for a printer, and what is left of that afterwards.
ON_PAPER = f"""() => {{
    dispatchEvent(new Event('beforeprint'));
    const stage = {LIT};
    const shown = (node) => node.clientWidth > 0;
    const texts = document.createTreeWalker(stage.querySelector('.stage-body'), 4);
    let words = '';
    while (texts.nextNode()) {{
        const [parent, range] = [texts.currentNode.parentElement, document.createRange()];
        range.selectNodeContents(texts.currentNode);
        const isSeen = range.getBoundingClientRect().width > 1 && parent.clientWidth !== 1
            && parent.closest('select, [style*="opacity: 0"]') === null
            && parent.checkVisibility({{ visibilityProperty: true, opacityProperty: true }});
        if (isSeen) words += `${{texts.currentNode.textContent}} `;
    }}
    const said = {{
        words,
        controls: [...stage.querySelectorAll('input[type=range], .tool, .move, .primary')]
            .filter(shown).length,
        wide: [...stage.querySelectorAll('.room *')].filter(shown)
            .filter((node) => node.getBoundingClientRect().right
                > stage.getBoundingClientRect().right + 1).map((node) => node.className),
        uneven: [...stage.querySelectorAll('.spread-row tr')].filter(shown).filter(({{ cells }}) =>
            [...cells].filter(shown).reduce((all, {{ colSpan }}) => all + colSpan, 0) !== 5).length,
        cut: [...stage.querySelectorAll('.map-extent')].filter(shown).filter((extent) => {{
            const canvas = extent.querySelector('canvas');
            return canvas.height / 3 < extent.clientHeight - 1
                || extent.clientWidth > extent.parentElement.clientWidth + 1;
        }}).map((extent) => extent.parentElement.className),
    }};
    dispatchEvent(new Event('afterprint'));
    return said;
}}"""
LEFT = f"""() => [{LIT}.className, {LIT}.querySelectorAll('.printed, .unrolled').length,
    [...document.querySelectorAll('canvas')].filter((one) => one.checkVisibility())
        .map(({{ width }}) => width)]"""


def pages(content: bytes) -> tuple[str, list[np.ndarray]]:
    """The letters of a print, which may each be a line of its own, and its pages in pixels."""
    import pypdfium2

    printed = list(pypdfium2.PdfDocument(content))
    said = "".join(page.get_textpage().get_text_range() for page in printed)
    return "".join(said.split()), [
        np.asarray(page.render(scale=1).to_pil().convert("L")) for page in printed
    ]


def words_and_arcs(content: bytes) -> tuple[list[float], list[float]]:
    """The middles of the words of the larger first line, and of what begins below it, in points."""
    import pypdfium2

    page = pypdfium2.PdfDocument(content)[0]
    text = page.get_textpage()
    letters = enumerate(text.get_text_range())
    boxes = [text.get_charbox(i) for i, letter in letters if letter.strip()]
    tallest = max(top - bottom for _, bottom, _, top in boxes)
    base = max(bottom for _, bottom, _, top in boxes if top - bottom > 0.95 * tallest)
    line = sorted((left, right) for left, bottom, right, top in boxes if abs(bottom - base) < 4)
    words = [[*line[0]]]
    for left, right in line[1:]:
        if left - words[-1][1] > tallest / 2:
            words.append([left, right])
        words[-1][1] = max(words[-1][1], right)
    fine = 4  # pixels per point
    drawn_RC = np.asarray(page.render(scale=fine).to_pil().convert("L"))
    inked = drawn_RC[round(fine * (page.get_height() - base + 0.7 * tallest))] < 250
    edges = np.flatnonzero(np.diff(inked.astype(int))).reshape(-1, 2)
    return [sum(word) / 2 for word in words], [float(edge.mean()) / fine for edge in edges]


SCROLLS = "({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1"


def test_every_room_is_printed_whole_on_white_paper(visit, pytestconfig):
    """Translate light and upright, and dark and across; of the others each in one of the ways.

    With --whole all in both.
    """
    stage = visit()
    stage.type_source("The old cat sleeps on the warm roof.")
    ways, whole = (("light", False), ("dark", True)), pytestconfig.getoption("--whole")
    for room in ROOMS:
        if room != "translate":  # which is open
            stage.enter(room)
        for scheme, landscape in ways if whole or room == ROOMS[0] else (ways[room in ACROSS],):
            stage.page.emulate_media(color_scheme=scheme)
            assert_scheme(stage, scheme)
            stage.page.evaluate("() => dispatchEvent(new Event('resize'))")
            stage.drawn()
            content = assert_printed_whole(stage, room, landscape)
            if room == "translate":
                assert_arcs_end_at_their_words(content)
            if room in SPACIOUS and not landscape:
                assert_is_large(content)

    stage.enter("heads", "[data-heads=table]")  # every head has a line
    assert_is_large(assert_printed_whole(stage, "heads", False, most=2))
    stage.enter("inside", "[data-inside=spread]")
    told = stage.page.evaluate(ON_PAPER)
    assert "softmax(q · k)" in told["words"] and not told["uneven"], told

    stage.page.locator("[data-open=translate]").click()
    stage.type_source(LONG)
    assert stage.page.locator(".map-box").evaluate(SCROLLS)
    told = stage.page.evaluate(ON_PAPER)
    assert not told["cut"] and not told["wide"], told
    stage.page.emulate_media(media="screen")
    assert stage.page.locator(".map-box").evaluate(SCROLLS)


def assert_arcs_end_at_their_words(content: bytes) -> None:
    words, arcs = words_and_arcs(content)
    assert len(arcs) > 3, (words, arcs)
    for arc in arcs:
        assert min(abs(word - arc) for word in words) < 3, (words, arcs)


def assert_is_large(content: bytes) -> None:
    """Of eight points, in which a digit is three quarters as high, or more; and all on the page."""
    import pypdfium2

    for sheet in pypdfium2.PdfDocument(content):
        text = sheet.get_textpage()
        letters = enumerate(text.get_text_range())
        digits = [text.get_charbox(i) for i, letter in letters if letter.isdigit()]
        assert np.median([top - bottom for _, bottom, _, top in digits]) > 5.8
        assert max(right for _, _, right, _ in digits) < sheet.get_width() - 26


def assert_printed_whole(stage: Stage, room: str, landscape: bool, most: int = 1) -> bytes:
    """What was printed, upright on at most so many pages."""
    before = stage.page.evaluate(LEFT)
    told = stage.page.evaluate(ON_PAPER)
    for found in ("controls", "wide", "cut", "uneven"):
        assert not told[found], (room, told)
    assert [name for name in ASKING if WORDS["en"][name] in told["words"]] == [], room
    assert stage.page.evaluate(LEFT) == before
    content = stage.page.pdf(format="A4", landscape=landscape)
    said, sheets = pages(content)
    assert stage.page.evaluate(LEFT) == before
    assert landscape or len(sheets) <= most, room
    lost = [word for word in re.findall(r"[A-Za-z]{3,}", told["words"]) if word not in said]
    assert not lost or room == "beam"  # whose columns lie over each other where there are many
    assert room != "inside" or re.search(r"cross\s+layer\s", told["words"])  # which head it is
    source = stage.drawn()["recipe"]["source"]
    assert source in told["words"] and "English → French" in told["words"]
    for sheet_RC in sheets:
        rows, columns = (np.flatnonzero((sheet_RC < 200).any(axis)) for axis in (1, 0))
        margin = 28  # points, 10 mm
        assert min(rows[0], columns[0]) >= margin - 2, room
        assert columns[-1] <= sheet_RC.shape[1] - margin + 2, room
        assert np.median(sheet_RC) == 255, room
    return content
