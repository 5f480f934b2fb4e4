"""What holds for all rooms: messages, the model's menu, what does not jump, in a real Chromium."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE
from tests.browser.walks import unfold

SITES = ("encoder", "decoder", "cross")
IN_ROOM = "drawn.in_room && !drawn.in_room.busy"
# What maps there are in the open room, and where, in each frame as it is painted: each change once.
NOTE_MAPS = """() => {
  const seen = ".room:not([hidden]):not(.unanswered) canvas";
  const note = () => {
    if (window.noted === null) return;
    const boxes = [...document.querySelectorAll(seen)].map((one) => one.getBoundingClientRect())
      .filter(({ width }) => width).map(({ x, y, width, height }) => [x, y, width, height]);
    const now = JSON.stringify(boxes);
    if (boxes.length && now !== window.noted.at(-1)) window.noted.push(now);
    requestAnimationFrame(() => { // what is drawn anew in the same frame is, before this is called
      const laid = new ResizeObserver(() => {
        laid.disconnect();
        note();
      });
      laid.observe(document.body);
    });
  };
  window.noted = [];
  note();
}"""
PICKERS = {
    "masks": ([], "masks-site"),
    "inside": ([], "inside-site"),
    "positions": (["[data-study=order]"], "order-site"),
    "translate": ([], "site"),
}


def open_room(stage, name, *selectors):
    for selector in (f"[data-open={name}]", *selectors):
        stage.page.locator(selector).first.click()
    return stage.drawn(f"drawn.room === 'translate' && '{name}' === 'translate' || {IN_ROOM}")


def test_whatever_room_is_open_a_rejected_text_is_told_and_nothing_moves_as_answers_come(visit):
    stage = visit()
    stage.page.locator(".source-text").fill("cat " * 90)
    stage.page.locator(".source-text").press("Enter")
    alert = stage.page.get_by_role("alert")
    alert.wait_for()
    said = alert.inner_text()
    for room in ("masks", "positions", "inside", "translate"):
        open_room(stage, room)
        assert alert.inner_text() == said
    stage.type_source("Where is the station?")
    expect(alert).to_be_hidden()  # by the next answer

    held, kept_back = [], True
    stage.page.route(
        "**/stage/answer",
        lambda route: held.append(route) if kept_back else route.continue_(),
    )
    menu = stage.page.locator("select.model")
    menu.select_option("reverse-tiny")
    for room in ("masks", "translate"):  # each draws the page again
        stage.page.locator(f"[data-open={room}]").click()
        stage.page.evaluate("() => new Promise(requestAnimationFrame)")
        assert menu.input_value() == "reverse-tiny"
    kept_back = False  # also what is asked from now on, such as how long it will be
    for route in held:
        route.continue_()
    stage.drawn("drawn.recipe.model === 'reverse-tiny'")
    assert menu.input_value() == "reverse-tiny"

    # A room is drawn at once in the size that it keeps.
    stage.page.unroute("**/stage/answer")
    stage.anew("")
    stage.drawn()
    for room in ("masks", "inside", "heads", "beam", "compare"):
        stage.page.locator(f"[data-open={room}]").hover()  # its script comes
        stage.page.evaluate(NOTE_MAPS.replace(".room", f"[data-room={room}]"))
        open_room(stage, room)
        for _ in range(3):
            stage.page.evaluate("() => new Promise(requestAnimationFrame)")
        noted = stage.page.evaluate(
            "() => { const { noted } = window; window.noted = null; return noted }"
        )
        # The vectors of a head come with its formulas.
        assert len(noted) == (0 if room == "inside" else 1), room

    # Nor when translations arrive, or positions are switched off.
    stage.anew("")
    parts = [".positions-three", ".positions-both", ".positions-words", ".positions-foot"]

    def places():
        return [stage.page.locator(part).bounding_box() for part in parts]

    held = []
    open_room(stage, "positions")

    def hold(route):
        if '"outcome"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    stage.page.route("**/stage/answer", hold)
    with stage.page.expect_request(lambda one: '"outcome"' in (one.post_data or "")):
        stage.page.locator("[data-study=order]").click()
    early = places()
    assert stage.drawn()["in_room"]["translations_shown"][1:] == ["…"] * 2
    held[0].continue_()
    stage.page.unroute("**/stage/answer")
    room = stage.drawn(IN_ROOM)["in_room"]
    assert "…" not in room["translations_shown"]
    assert places() == early
    stage.page.locator("[data-mode=off]").click()
    assert stage.drawn()["in_room"]["mode"] == "off"
    assert places() == early


# Counts what is painted on a canvas that is seen, and names the others.
WATCH_PAINTING = """() => {
    [window.unseen, window.seen, window.real] = [[], 0, {}];
    for (const name of ["drawImage", "fillRect", "fillText"]) {
        const paint = window.real[name] = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...given) {
            if (this.canvas.checkVisibility()) window.seen += 1;
            else if (this.canvas.isConnected) window.unseen.push(this.canvas.className);
            return paint.apply(this, given);
        };
    }
}"""


def test_the_three_attentions_are_the_same_tabs_in_every_room_and_no_first_line_covers_itself(
    visit,
):
    stage = visit()
    stage.page.evaluate(WATCH_PAINTING)
    looks = set()
    for room, (selectors, name) in PICKERS.items():
        painted = stage.page.evaluate("() => window.seen")
        drawn = open_room(stage, room, *selectors)
        assert stage.page.evaluate("() => window.unseen") == [], f"before {room} is open"
        unfold(stage)
        stage.drawn()
        assert stage.page.evaluate("() => window.seen") > painted, room
        tabs = stage.page.locator(f"[data-{name}]")
        assert (
            tabs.evaluate_all("(tabs) => tabs.map((tab) => tab.getAttribute('role'))")
            == ["tab"] * 3
        )
        looks.add(
            tabs.first.evaluate(
                "(tab) => { const style = getComputedStyle(tab); return [style.fontSize,"
                " style.borderBottomWidth, style.padding, style.backgroundColor].join() }"
            )
        )
        tabs.first.click()
        for turn, site in enumerate(SITES):
            stage.drawn()
            tab = stage.page.locator(f"[data-{name}={site}]")
            assert tab.get_attribute("aria-selected") == "true"
            tab.press("ArrowRight")
            stage.page.wait_for_function(
                "(site) => document.activeElement.textContent === site", arg=SITES[(turn + 1) % 3]
            )
        if room not in ("translate", "masks"):  # there it heads a panel beside another one
            x = stage.page.locator(f"[data-{name}=encoder]").bounding_box()["x"]
            assert x < 60
        if room != "translate":
            stage.page.locator("[data-pick=head]:visible").select_option(index=3)
            stage.drawn()
    assert drawn["room"] == "translate" and (drawn["site"], drawn["head"]) == ("encoder", 3)
    assert len(looks) == 1
    stage.page.evaluate("() => Object.assign(CanvasRenderingContext2D.prototype, window.real)")

    # In no width does the first line cover itself, and chosen tokens are in sight.
    stage.anew("")
    for language in ("en", "zh"):
        for large in (False, True):
            assert_first_line_covers_nothing(stage, large)
            stage.resize(1280, 800)
            stage.page.locator("[data-tool=large]").click()
        stage.page.locator("[data-tool=language]").click()
        assert stage.drawn()["language"] != language

    # The chosen tokens of a long sentence.
    stage.resize(**WIDE)
    stage.type_source("The children are playing in the garden. " * 4)
    open_room(stage, "inside")

    def hidden():
        return stage.page.evaluate(
            """() => [...document.querySelectorAll(".tokens-list [aria-pressed=true]")]
                .filter((token) => token.checkVisibility()).flatMap((token) => {
                    const [list, box] = [token.parentElement, token]
                        .map((one) => one.getBoundingClientRect());
                    const out = box.top < list.top - 1 || box.bottom > list.bottom + 1;
                    return out ? [token.title] : [];
                })"""
        )

    unfold(stage)
    rows = stage.page.locator(".inside-row tbody tr:visible")
    for window in (WIDE, PHONE):
        stage.resize(**window)
        assert window == PHONE or hidden() == []
        for nth in (0, rows.count() - 1):
            rows.nth(nth).click()
            stage.drawn()
            assert hidden() == []


def assert_first_line_covers_nothing(stage, large):
    for width in (390, 500, 641, 768, 961, 1024, 1150, 1280, 1920):
        stage.resize(width, 800)
        covered = stage.page.evaluate(
            """() => {
                const one = (name) => ["", " > *"].map((in_) =>
                    `:is(.head-line, .source-line)${in_} > ${name}`).join();
                const parts = ["h1", "select.model", ".room-tab", ".tool"]
                    .flatMap((name) => [...document.querySelectorAll(one(name))]);
                const boxes = parts.map((part) => part.getBoundingClientRect());
                const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
                    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
                const scrolls = (part) => part.parentElement.scrollWidth
                    > part.parentElement.clientWidth && part.matches(".room-tab");
                return parts.filter((part, i) => boxes[i].left < 0
                    || (boxes[i].right > innerWidth && !scrolls(part))
                    || boxes.some((box, j) => j > i && meet(boxes[i], box)))
                    .map((part) => part.outerHTML);
            }"""
        )
        assert covered == [], (width, large)
        if not large or width <= 960:  # elsewhere a large map has put the menu away
            assert stage.page.locator("select.model").bounding_box()["width"] > 90
