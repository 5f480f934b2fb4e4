"""What a kept picture says can be read: large, whole, apart, and of the sentence asked for."""

import itertools
import re

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from tests.tiny import measured_checkpoint
from viz_app.figures.canvas import colours_of
from viz_app.figures.labels import width_of
from viz_app.figures.look import FONTS, LEAST_TYPE, Look
from viz_app.files.content import fill
from viz_app.files.picture import picture
from viz_app.rooms import pictures
from viz_app.values.sheets import Map, Scale

SHORT, LONG = "The cat.", "The old cat sleeps on the warm roof of the house."
LOOKS = [Look(), Look(size="column"), Look(language="zh"), Look(size="column", language="zh")]


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


@pytest.fixture(scope="module")
def figures(contents):
    """Each of them, drawn in every look."""
    return {
        (name, source, str(look)): content.figure(look)
        for (name, source), content in contents.items()
        for look in LOOKS
    }


def sizes_of(values, path=""):
    """Every size of type in a figure, with where it stands."""
    if isinstance(values, dict):
        for name, value in values.items():
            if name == "size" and path.endswith("font"):
                yield path, value
            else:
                yield from sizes_of(value, f"{path}.{name}")
    elif isinstance(values, (list, tuple)) and not isinstance(next(iter(values), 0), (float, int)):
        for value in values:
            yield from sizes_of(value, path)


def test_no_text_is_smaller_than_six_points(figures):
    for which, figure in figures.items():
        found = list(sizes_of({"data": figure._data, "layout": figure._layout}))  # not a copy
        assert len(found) > 2, which
        assert [one for one in found if one[1] < LEAST_TYPE] == [], which


def boxes_of(figure):
    """Text, left, top, right and bottom of everything that is written level, in pixels."""
    W, H = figure.layout.width, figure.layout.height
    for note in figure.layout.annotations:
        if note.textangle or not note.text:
            continue
        size = note.font.size
        lines = note.text.split("<br>")
        wide, high = max(width_of(line, size) for line in lines), 1.2 * size * len(lines)
        x, y = note.x * W, (1 - note.y) * H
        left = {"left": x, "center": x - wide / 2, "right": x - wide}[note.xanchor]
        top = {"top": y, "middle": y - high / 2, "bottom": y - high}[note.yanchor]
        yield note.text, left, top, left + wide, top + high


def test_what_is_written_is_whole_and_lies_on_nothing_else(figures):
    for which, figure in figures.items():
        boxes = list(boxes_of(figure))
        for text, left, top, right, bottom in boxes:
            inside = (left > -1, top > -1, right < figure.layout.width + 3)
            assert all((*inside, bottom < figure.layout.height + 3)), (which, text, left, right)
        for one, other in itertools.combinations(boxes, 2):
            wide = min(one[3], other[3]) - max(one[1], other[1])
            high = min(one[4], other[4]) - max(one[2], other[2])
            assert wide < 3 or high < 3, (which, one, other)


def test_labels_of_rows_are_no_higher_than_their_rows(figures):
    for which, figure in figures.items():
        for axis in figure.select_yaxes():
            if not axis.ticktext or not axis.showticklabels:
                continue
            pitch = (axis.domain[1] - axis.domain[0]) * figure.layout.height
            pitch /= abs(axis.range[1] - axis.range[0])
            assert axis.tickfont.size <= pitch, which


@pytest.mark.parametrize("name", pictures())
def test_a_column_is_as_wide_as_it_is_asked_for(small, name):
    for width in (77, 90, 160):
        figure = small[name, SHORT].figure(Look(size="column", width=width))
        assert figure.layout.width == round(width * 96 / 25.4)


@pytest.mark.parametrize("width", [0, 59.9, 301, -5])
def test_a_column_that_nothing_fits_into_is_refused(width):
    with pytest.raises(RecipeError, match="60 to 300 mm"):
        Look(size="column", width=width)


@pytest.mark.parametrize("name", pictures())
def test_without_a_title_neither_title_nor_sentence_takes_room(contents, name):
    for size in ("slide", "column"):
        content = contents[name, SHORT]
        plain, titled = (content.figure(Look(size=size, title=on)) for on in (False, True))
        assert titled.layout.title.text and not plain.layout.title.text
        told = [note.text for note in plain.layout.annotations]
        assert not [text for text in told if text.startswith("tiny")]
        if size == "column":
            assert plain.layout.height < titled.layout.height


def test_the_sentence_under_a_title_is_whole_or_not_there(figures):
    for (name, source, _), figure in figures.items():
        if pictures()[name].name in ("heads", "compare"):
            continue  # of no sentence, or of two runs; they say on what, or how far the two differ
        told = [
            note.text.replace("<br>", " ")
            for note in figure.layout.annotations
            if note.text.startswith("tiny")
        ]
        assert len(told) == 1 and "…" not in told[0], name
        assert told[0] == "tiny" or source.strip() in told[0], name


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


@pytest.mark.parametrize("name", ["measures", "way", "candidates"])
def test_what_a_slide_shows_goes_down_to_its_foot(contents, name):
    figure = contents[name, LONG].figure(Look())
    assert 0 < min(axis.domain[0] for axis in figure.select_yaxes()) < 0.2


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
    assert SHORT in " ".join(note.text for note in content.figure(Look()).layout.annotations)


def test_digits_do_not_come_from_a_font_of_emoji():
    assert not re.search("emoji", FONTS, re.IGNORECASE)
    families = [family.strip(' "') for family in FONTS.split(",")]
    assert families.index("sans-serif") < families.index("Noto Sans CJK SC")
