"""What the page writes, the server reads: the same recipe and the same view."""

from tests.javascript.running import run_module
from tests.viz_app.links.test_link import GOOD
from viz_app.links.link import read_link, write_link

SCRIPT = """
import { writeLink } from "./viz_app/stage/keep/link.js";
console.log(JSON.stringify(given.map(([recipe, view]) => writeLink(recipe, view))));
"""


def written(links):
    """The links as the page writes them."""
    return run_module(SCRIPT, links)


def test_the_server_reads_what_the_page_writes():
    links = []
    for recipe, view in GOOD:
        recipe, seen = read_link(write_link(recipe, view))
        links.append((recipe, seen | {"to_end": False}))  # a page has its tokens
    fragments = written([(recipe.to_json(), seen) for recipe, seen in links])
    for (recipe, seen), fragment in zip(links, fragments, strict=True):
        assert read_link(fragment) == (recipe, seen)
        assert read_link(write_link(recipe, seen)) == (recipe, seen)


def test_half_a_character_and_strange_names_are_only_text():
    texts = ("half \ud83d", "__proto__", "a&room=masks#*+%")
    recipes = [{"model": "m", "source": text, "pads": 0, "target": []} for text in texts]
    for text, fragment in zip(
        texts, written([(recipe, {"room": "translate"}) for recipe in recipes]), strict=True
    ):
        whole = text.encode("utf-16", "replace").decode("utf-16") if "\ud83d" in text else text
        assert read_link(fragment)[0].source.replace("\ufffd", "?") == whole
        assert "*" not in fragment
