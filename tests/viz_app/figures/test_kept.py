"""What a figure says is of the sentence asked for, on scales no wider than its numbers."""

import re

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from tests.tiny import measured_checkpoint
from viz_app.figures.canvas import colours_of
from viz_app.figures.look import FONTS, Look
from viz_app.files.content import fill
from viz_app.files.picture import picture
from viz_app.rooms import pictures
from viz_app.values.sheets import Map, Scale

SHORT, LONG = "The cat.", "The old cat sleeps on the warm roof of the house."


def contents_of(root, source, most, steps):
    """Every picture of a sentence, by a model that reads and writes at most so many tokens."""
    measured_checkpoint(root / "tiny", max_positions=most)
    library = Library(root)
    recipe, _ = library.extend(Recipe("tiny", source), steps)
    return {(name, source): fill(library, recipe, picture(name)) for name in pictures()}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return contents_of(tmp_path_factory.mktemp("small"), SHORT, 9, 5)


@pytest.fixture(scope="module")
def contents(small, tmp_path_factory):
    """Every picture of a short sentence and of a long one."""
    return small | contents_of(tmp_path_factory.mktemp("large"), LONG, 40, 30)


@pytest.mark.parametrize("width", [0, 59.9, 301, -5])
def test_a_column_that_nothing_fits_into_is_refused(width):
    with pytest.raises(RecipeError, match="60 to 300 mm"):
        Look(size="column", width=width)


@pytest.mark.parametrize("name", pictures())
def test_a_figure_says_its_sentence_whole_or_has_no_title(contents, name):
    for source in (SHORT, LONG):
        plain, titled = (contents[name, source].figure(Look(title=on)) for on in (False, True))
        assert not plain.layout.title.text and not plain.layout.title.subtitle.text
        for figure, on in ((plain, False), (titled, True)):  # which needs no figure
            assert contents[name, source].title(Look(title=on)) == figure.layout.title.text
        told = titled.layout.title.subtitle.text.replace("<br>", " ")
        if pictures()[name].name not in ("heads", "training"):  # which are of no sentence
            assert source in told
        assert pictures()[name].name == "heads" or "tiny" in told  # which says on what


def maps_of(content):
    """The maps of a picture."""
    sheets = content.picture.room.sheets(content.picture.name, content.answer)
    return [sheet for row in sheets.panels for sheet in row if isinstance(sheet, Map)]


@pytest.mark.parametrize("name", pictures())
def test_no_scale_is_wider_than_its_numbers(contents, name):
    for source in (SHORT, LONG):
        numbers = {}
        for one in maps_of(contents[name, source]):
            values_RC = one.values_RC.astype(float)
            numbers.setdefault(one.scale, []).append(values_RC[np.isfinite(values_RC)])
        for scale, parts in numbers.items():
            values_N = np.concatenate(parts)
            assert scale.low >= 0 or values_N.min() < 0, scale
            if scale.signed and values_N.any():
                ends = min(0, values_N.min()), max(0, values_N.max())
                assert (scale.low, scale.high) == pytest.approx(ends)


def test_numbers_of_which_none_is_below_0_have_half_of_the_colours_of_differences():
    look = Look()
    above, below = (colours_of(Scale.of("", np.array([[0.0, end]])), look) for end in (2.0, -2.0))
    assert above[0] == look.diverging[len(look.diverging) // 2]
    assert above[-1] == look.diverging[-1]
    assert below[0] == look.diverging[0]


@pytest.mark.parametrize("name", ["scores", "broken", "masks", "passes"])
def test_the_sentence_that_was_asked_for_is_the_one_in_the_picture(contents, name):
    content = contents[name, SHORT]
    assert content.answer["shown"] == 0
    assert content.answer["batch"][0]["text"] == SHORT
    assert SHORT in content.figure(Look()).layout.title.subtitle.text


def test_digits_do_not_come_from_a_font_of_emoji():
    assert not re.search("emoji", FONTS, re.IGNORECASE)
    families = [family.strip(' "') for family in FONTS.split(",")]
    assert families.index("sans-serif") < families.index("Noto Sans CJK SC")
