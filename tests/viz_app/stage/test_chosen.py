"""What is chosen is seen without its colour: in grey, on paper, in the colours of a system."""

import re
from collections import defaultdict

from viz_app.stage.stage import style

_SAID = r"\[aria-(?:pressed|selected|current)=\"?(?:true|step)\"?\]"
CHOSEN = rf"{_SAID}|\.(?:chosen|now|picked|current|taken|it)\b"
COLOURS = ("color", "background", "background-color", "border-color")
FORMS = r"(border|outline|box-shadow|text-decoration|font-weight|font-style|translate|width|height)"


DRAWN = ".heads-cell"  # a cell that the reader draws, filled or not


def declared() -> dict[str, dict[str, str]]:
    """What all rules together declare of each selector that ends in something chosen."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style()):
        for selector in re.split(r",(?![^(]*\))", selectors):
            if re.search(rf"(?:{CHOSEN})(?:::before|::after)?$", selector.strip()):
                of = dict(one.split(":", 1) for one in body.split(";") if ":" in one)
                found[selector.strip()] |= {name.strip(): value for name, value in of.items()}
    return found


def test_nothing_is_chosen_by_colour_alone():
    every = declared()
    assert len(every) > 20
    by_colour = [
        selector
        for selector, of in every.items()
        if DRAWN not in selector
        and any(name in COLOURS for name in of)
        and not any(re.match(FORMS, name) and name not in COLOURS for name in of)
    ]
    assert by_colour == []
