"""How a person goes through a lesson: by keys, by touch or with a mouse, from Next to Next.

What is pressed is what the reader's hand reaches: a key goes from control to control of the card by
Tab, a finger taps, a mouse clicks.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.windows import TIMEOUT

WAYS = ("mouse", "keys", "touch")
CARD = ".lesson-card"
LIST = "dialog.lesson-list"
# Until nothing is awaited, and the page shows that step of the lesson, where one is named. It is
# read only then: that takes longer than to see that it waits.
SHOWN = """(step) => {
    const { stage } = document.querySelector(".stage-host");
    const waits = document.querySelector('.stage[aria-busy="true"], .lesson-awaited')
        || !stage.isAnswered();
    const named = `.lesson-card[data-step="${step}"]:not([aria-busy])`;
    if (waits || (step && !document.querySelector(named))) return false;
    const drawn = stage.drawn();
    return !drawn.busy && !drawn.playing && drawn.in_room?.busy !== true
        && drawn.in_room?.ready !== false;
}"""
# A click where a mouse would hit, once it would. A mouse on its way points at much else, for each
# of which the page is drawn.
CLICK = """async (one, most) => {
    const label = one.closest("label");
    const isHit = (block) => {
        one.scrollIntoView({ block, behavior: "instant" });
        const { x, y, width, height } = one.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return width > 0 && !one.disabled && (one.contains(hit) || label?.contains(hit));
    };
    const blocks = ["nearest", "end", "center", "start"]; // what lies over it may hide it in one
    for (const began = performance.now(); !isHit(blocks[0]); blocks.push(blocks.shift())) {
        if (performance.now() - began > most) throw new Error(`No mouse hits ${one.outerHTML}`);
        await new Promise((goOn) => { setTimeout(goOn, 30); });
    }
    one.focus({ preventScroll: true });
    one.click();
}"""
IS_IN_CARD = f"() => Boolean(document.activeElement.closest({CARD!r}))"
TABS = 16  # presses that lead from the card to any control of it


@dataclass(frozen=True, eq=False)
class Taught:
    """A step that is on the page: the lesson, the step from 1, and what the server says of it."""

    lesson: str
    number: int
    said: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.lesson}.{self.number}"


class Reader:
    """Somebody who goes through lessons on a page, in one of three ways."""

    def __init__(self, page: Page, way: str):
        self.page, self.way = page, way
        self.card = page.locator(CARD)
        self.answers: list[Any] = []  # of the server, to who asked for a lesson
        page.on("response", self._keep)

    def _keep(self, response: Any) -> None:
        if '"lesson":{' in (response.request.post_data or ""):
            self.answers.append(response)

    def visit(self, name: str, numbers: Iterable[int]) -> Iterator[Taught]:
        """Some steps of a lesson, in their order: by Next, or by a link over what is left out."""
        steps: list[dict[str, Any]] = []
        before = None
        for number in numbers:
            if before == number - 1:
                self.press_in_card("[data-lesson=next]")
            else:
                link = f"lesson={name}.{number}"
                self.page.evaluate("(link) => { location.hash = link; }", link)
            self.page.wait_for_function(SHOWN, arg=number)
            steps = steps or self.answers[-1].json()["steps"]
            yield Taught(name, number, steps[number - 1])
            before = number

    def walk(self, name: str) -> Iterator[Taught]:
        """Every step of a lesson, from the list of lessons to its end; after each comes Next."""
        if not self.page.locator(LIST).is_visible():
            self.press(self.page.locator("[data-act=lessons]"))
        self.press(self.page.locator(f"[data-lesson-name={name}]"))
        self.page.locator(f"{CARD}[data-step='1']").wait_for()
        steps = self.answers[-1].json()["steps"]
        for number, step in enumerate(steps, 1):
            self.page.wait_for_function(SHOWN, arg=number)
            yield Taught(name, number, step)
            self.press_in_card("[data-lesson=next]")
        expect(self.page.locator(LIST)).to_be_visible()

    # what is pressed

    def press(self, control: Locator) -> None:
        """Presses what is on the screen, the way this reader does."""
        if self.way == "touch":
            control.tap()
        elif self.way == "mouse":
            control.evaluate(CLICK, TIMEOUT)
        else:
            control.wait_for()
            control.focus()
            expect(control).to_be_focused()
            is_box = control.get_attribute("type") == "checkbox"
            self.page.keyboard.press("Space" if is_box else "Enter")

    def press_in_card(self, selector: str) -> None:
        """Presses a control of the card."""
        control = self.card.locator(selector).first
        if self.way != "keys":
            self.press(control)
            return
        self.go_to(control)
        self.page.keyboard.press("Enter")

    def go_to(self, control: Locator) -> None:
        """By Tab from wherever the reader is in the card, or from its beginning."""
        control.wait_for()
        for _ in range(TABS):
            if control.evaluate("(one) => one === document.activeElement"):
                return
            if not self.page.evaluate(IS_IN_CARD):
                self.card.focus()
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {control}")

    def settle(self) -> None:
        """Until everything that was asked for is there."""
        self.page.wait_for_function(SHOWN)

    # how a question is answered

    def take_hints(self) -> None:
        """Every hint there is."""
        while self.card.locator("[data-lesson=hint]").count():
            before = self.card.locator(".lesson-hint").count()
            self.press_in_card("[data-lesson=hint]")
            expect(self.card.locator(".lesson-hint")).to_have_count(before + 1)

    def guess(self, ask: dict[str, Any]) -> None:
        """The first that is offered; of a number a wild guess."""
        if ask["kind"] == "number":
            box = self.card.locator("[name=guess]")
            if self.way == "keys":
                self.go_to(box)
            else:
                self.press(box)
            self.page.keyboard.type("0,5")
            self.page.keyboard.press("Enter")
        elif ask["of"]:
            self.press_in_card(".lesson-choices button")
        else:
            self.press(self.page.locator(".lesson-pick").first)

    def show(self) -> None:
        self.press_in_card("[data-lesson=show]")

    # what a step waits for

    def meet(self, until: dict[str, Any]) -> None:
        """Brings the page where a step leads, as its words say."""
        name = f"meet_{until['kind'].replace('-', '_')}"
        meets: Callable[[dict[str, Any]], None] = getattr(self, name)
        meets(until)
        self.settle()

    def meet_all(self, until: dict[str, Any]) -> None:
        for one in until["of"]:
            self.meet(one)

    def meet_answered(self, until: dict[str, Any]) -> None:
        """It is already."""

    def meet_at(self, until: dict[str, Any]) -> None:
        self.press(self.page.locator("[data-act=end]:visible").first)

    def meet_lock(self, until: dict[str, Any]) -> None:
        head = f'[data-layer="{until["layer"]}"][data-head="{until["head"]}"]'
        self.press(self.page.locator(f".heads {head}:visible").first)

    def meet_view(self, until: dict[str, Any]) -> None:
        field, value = until["field"], until["value"]
        room = self.page.locator(f"[data-room={until['room']}]")
        slider = room.locator(f"input[data-{until['room']}={field}]")
        if slider.count():
            slider.focus()
            way = slider.evaluate("(one, value) => (value - one.value) / one.step", int(value))
            for _ in range(round(abs(way))):
                self.page.keyboard.press("ArrowRight" if way > 0 else "ArrowLeft")
            slider.blur()
            return
        chosen = ["scale", "mode", *(f"masks-{one}" for one in ("causal", "pads", "fill"))]
        every = ", ".join(f"[data-{one}='{value}']:visible" for one in chosen)
        self.press(room.locator(every).first)

    def meet_edit(self, until: dict[str, Any]) -> None:
        kind, _, value = until["edit"].partition(":")
        menu = self.page.locator(".whatif").first
        self.press(menu.locator("> summary"))
        line = menu.locator(f'.whatif-line[data-edit="{kind}"][data-wanted]')
        line.wait_for()  # the step unfolds it
        if line.locator("select").count():
            line.locator("select").select_option(value)
        else:
            self.press(line.locator("input"))
        self.settle()
        self.press(menu.locator("[data-act=close-whatif]"))

    def meet_edits_empty(self, until: dict[str, Any]) -> None:
        self.press(self.page.locator(".edits .edit-chip:visible").first)

    def meet_source_changed(self, until: dict[str, Any]) -> None:
        box = self.page.locator(".source-text:visible").first
        words = re.findall(r"\w+|\W", box.input_value())
        box.fill("".join([words[-2], *words[1:-2], words[0], words[-1]]))
        box.press("Enter")

    def meet_target(self, until: dict[str, Any]) -> None:
        self.press(self.page.locator(f'.candidate[data-token="{until["token"]}"]:visible').first)

    def meet_strategy(self, until: dict[str, Any]) -> None:
        menu = self.page.locator(".strategy:visible").first
        self.press(menu.locator("summary"))
        self.press(menu.locator(f'[data-strategy="{until["strategy"]}"]'))
        self.settle()
        if menu.evaluate("(one) => one.open"):
            self.press(menu.locator("summary"))


def begun(stage: Any, step: int) -> dict[str, Any]:
    """What is drawn at a step, once the page shows it."""
    stage.page.locator(f"{CARD}[data-step='{step}']").wait_for()
    drawn: dict[str, Any] = stage.drawn(
        "!document.querySelector('.lesson-awaited, .lesson-card[aria-busy]')"
    )
    return drawn


def go_to(stage: Any, place: str, model: str = "en-fr") -> dict[str, Any]:
    """What is drawn at a step of a lesson, `name.step`, on the page at hand."""
    link = f"v=3&model={model}&lesson={place}"
    stage.page.evaluate("(link) => { location.hash = link; }", link)
    return begun(stage, int(place.rpartition(".")[2]))
