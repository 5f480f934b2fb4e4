"""The colours of colours.json can be read: the contrasts of WCAG 2.2, level AA."""

import itertools

import pytest

from viz_app.values.colours import COLOURS

TEXT, SHAPE = 4.5, 3.0


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    low, high = sorted(luminance(colour) for colour in (a, b))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "quiet", "accent", "alarm"])
def test_what_is_written_reads_on_the_page_and_on_its_panels(scheme, name):
    colours = COLOURS[scheme]
    grounds = ["paper", "panel"]
    if f"{name}-soft" in colours:
        grounds.append(f"{name}-soft")
    for ground in grounds:
        assert contrast(colours[name], colours[ground]) >= TEXT, ground


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_chosen_is_seen_on_the_lightest_and_the_darkest_cell(scheme):
    """A frame is drawn at the edge of its cell, so one of cell and panel is beside it."""
    colours = COLOURS[scheme]
    for cell in ("scale-0", "panel"):
        assert contrast(colours["accent"], colours[cell]) >= SHAPE, cell
    assert contrast(colours["edge"], colours["panel"]) >= SHAPE


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_chosen_wrong_and_what_is_read_are_three_colours(scheme):
    hues = [COLOURS[scheme][name] for name in ("accent", "alarm", "ink")]
    for a, b in itertools.combinations(hues, 2):
        apart = [abs(int(a[at : at + 2], 16) - int(b[at : at + 2], 16)) for at in (1, 3, 5)]
        assert sum(apart) >= 80, (a, b)
