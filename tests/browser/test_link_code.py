"""Python and the page spell and check links alike: one table of fields, two readers."""

import json

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from tests.browser.conftest import CHECKPOINTS
from tests.viz_app.test_link import BROKEN, GOOD
from viz_app.link import link_rules, read_link, write_link
from viz_app.server.catalogue import stage_options
from viz_app.stage.stage import following, joined


def test_python_and_the_page_read_and_write_links_alike(browser):
    script = joined(following("stage/keep/link.js"))
    page = browser.new_page()
    both = """(given) => {
        const { readLink, writeLink } = new Function(
            given.script + '; return $stage_keep_link;')();
        return given.links.map((link) => {
            try {
                const read = readLink(link, given.rules, given.models);
                return { ...read, again: writeLink(read.recipe, read.view, given.rules) };
            } catch (error) {
                return error.told;
            }
        });
    }"""
    model = stage_options(CHECKPOINTS)["models"][0]
    fitting = [
        Recipe(model["name"], "A."),
        Recipe("no such model", "A."),
    ]
    good = [write_link(recipe, view)[1:] for recipe, view in GOOD]
    tried = [*good, *(link.strip() for some in BROKEN.values() for link in some)]
    tried += [
        f"v1&model={model['name']}&text=A&{more}"
        for more in ("cross=4.1", "encoder=1.9", "target=.zzz", "weights=00000000&target=.5&step=2")
    ]
    tried += [write_link(recipe)[1:] for recipe in fitting]
    for models in (None, [model]):
        given = {"script": script, "links": tried, "rules": link_rules()}
        answers = page.evaluate(both, given | {"models": models})
        for text, answer in zip(tried, answers, strict=True):
            assert answer == json.loads(json.dumps(by_python(text, models))), text
    page.close()


def by_python(text, models):
    """What the page's readLink and writeLink give, from Python's."""
    try:
        recipe, view = read_link(text, models)
    except RecipeError as error:
        return {"code": error.code, "values": error.values}
    shown = recipe.to_json()
    if recipe.strategy.kind != "beam":
        del shown["strategy"]["width"]
    return {"recipe": shown, "view": view, "again": write_link(recipe, view)[1:]}
