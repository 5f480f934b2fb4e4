"""The box in which people ask in their own words."""

from playwright.sync_api import expect


def ask(stage, text):
    """Types a question into the open box; what is found first."""
    box = stage.page.get_by_role("combobox", name="Your question")
    expect(box).to_be_focused()
    box.fill(text)
    option = stage.page.locator(".asked[aria-selected=true]")
    expect(option).to_be_visible()
    assert box.get_attribute("aria-activedescendant") == option.get_attribute("id")
    return option.get_attribute("data-asked")


def test_a_question_leads_to_its_picture_and_back_from_what_is_typed_first_whatever_is_there(visit):
    stage = visit()
    before = stage.drawn()
    # In one task: nothing that opens can be there yet.
    stage.page.evaluate("""() => {
        for (const key of ["/", ..."sort ex2", "Backspace", "Enter"]) {
            document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        }
    }""")
    box = stage.page.get_by_role("combobox", name="Your question")
    expect(box).to_be_focused()
    expect(box).to_have_value("sort ex")
    stage.page.keyboard.press("Escape")
    expect(stage.page.locator("dialog[open]")).to_have_count(0)
    assert stage.drawn()["recipe"] == before["recipe"]

    # A question in own words leads to its picture, and back leads back.
    stage.anew("")
    before = stage.drawn()
    stage.page.keyboard.press("/")
    stage.page.locator(".asked").first.wait_for()
    assert ask(stage, "In cross-attention, which comes from the encoder?") == "cross_qkv"
    stage.page.keyboard.press("Enter")
    inside = stage.drawn("drawn.room === 'inside'")
    assert inside["message"] is None
    assert inside["recipe"]["source"] == "The old cat sleeps on the warm roof."
    stage.page.go_back()
    assert stage.drawn("drawn.room === 'translate'")["recipe"] == before["recipe"]

    # What any sentence shows is shown of the visitor's own.
    own = stage.type_source("The black dog sleeps.")
    stage.page.keyboard.press("/")
    stage.page.locator(".asked").first.wait_for()
    assert ask(stage, "what are q k v") == "qkv"
    stage.page.keyboard.press("ArrowDown")
    stage.page.keyboard.press("ArrowUp")
    stage.page.keyboard.press("Enter")
    inside = stage.drawn("drawn.room === 'inside'")
    assert inside["recipe"]["source"] == own["recipe"]["source"]
    # Escape leaves everything as it was, and what was typed is only text.
    stage.page.keyboard.press("/")
    hostile = "<img src=x onerror=alert(1)>"
    stage.page.get_by_role("combobox", name="Your question").fill(hostile)
    assert stage.page.locator(".asking img").count() == 0
    stage.page.keyboard.press("Escape")
    expect(stage.page.locator(".asking")).to_be_hidden()
    assert stage.drawn()["recipe"] == inside["recipe"]

    # It can be asked before the first sentence is there.
    address = stage.page.url.partition("#")[0]
    held = []
    stage.page.route("**/stage/answer", lambda route: held.append(route))
    link = "#v=3&model=en-fr&text=The+old+dog+sleeps."
    stage.page.goto("about:blank")
    stage.page.goto(f"{address}{link}")
    stage.page.locator(".ask").click()
    stage.page.locator(".asked").first.wait_for()
    assert ask(stage, "what word made the model say this") == "which_input"
    stage.page.keyboard.press("Escape")
    for route in held:
        route.continue_()
    stage.page.unroute("**/stage/answer")
    assert stage.drawn()["recipe"]["source"] == "The old dog sleeps."
