"""The page of the endpoints, which gradio draws, in a real Chromium."""


def test_it_names_what_is_open_and_complains_of_nothing(visit):
    page = visit(own=True).page  # it leaves the stage
    with page.expect_response("**/mcp/schema"), page.expect_response("**/monitoring/summary"):
        page.locator("[data-tool=help]").click()
        page.locator(".help a.api").click()
    for name in ("/models", "/translate", "/step", "/trace", "/room", "/file"):
        page.get_by_text(name, exact=True).first.wait_for()
    languages = page.locator(".snippets li:visible").all_inner_texts()
    assert [name.strip() for name in languages] == ["Python", "JavaScript", "CLI", "cURL"]
    shown = page.locator(".api-docs").inner_text()
    assert 'text="The old cat sleeps."' in shown and 'model="en-fr"' in shown
    assert "MCP" not in shown
