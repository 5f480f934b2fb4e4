"""What the page writes, the server reads: the same recipe and the same view."""

import pytest

from tests.viz_app.links.test_link import GOOD
from viz_app.links.link import read_link, write_link
from viz_app.stage.stage import following, joined


@pytest.fixture(scope="module")
def written(browser):
    """Writes links as the page does."""
    script = joined(following("stage/keep/link.js"))
    page = browser.new_page()
    yield lambda links: page.evaluate(
        """({ script, links }) => {
            const writeLink = new Function(`${script}; return writeLink;`)();
            return links.map(([recipe, view]) => writeLink(recipe, view));
        }""",
        {"script": script, "links": links},
    )
    page.close()


def test_the_server_reads_what_the_page_writes(written):
    links = []
    for recipe, view in GOOD:
        recipe, seen = read_link(write_link(recipe, view))
        links.append((recipe, seen | {"to_end": False}))  # a page has its tokens
    fragments = written([(recipe.to_json(), seen) for recipe, seen in links])
    for (recipe, seen), fragment in zip(links, fragments, strict=True):
        assert read_link(fragment) == (recipe, seen)
        assert read_link(write_link(recipe, seen)) == (recipe, seen)


def test_half_a_character_and_strange_names_are_only_text(written):
    for text in ("half \ud83d", "__proto__", "a&room=masks#*+%"):
        (fragment,) = written(
            [({"model": "m", "source": text, "pads": 0, "target": []}, {"room": "translate"})]
        )
        whole = text.encode("utf-16", "replace").decode("utf-16") if "\ud83d" in text else text
        assert read_link(fragment)[0].source.replace("\ufffd", "?") == whole
        assert "*" not in fragment
