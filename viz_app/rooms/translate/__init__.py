"""The room Translate: one decoding, step by step, with every head of every attention."""

from collections.abc import Iterator

from model_core.values.trace import ROWS
from viz_app.rooms.room import Room, Said, Seen, Shown
from viz_app.rooms.translate import sheets
from viz_app.rooms.translate.answer import answer, to_page
from viz_app.rooms.translate.readings import check_heads, check_lines
from viz_app.rooms.translate.view import TranslateView


def _asks(view: TranslateView) -> tuple[Said, ...]:
    """The readings that the page does not make itself; a hidden word is one of cross-attention."""
    is_asked = view.reading == "norms" or (view.reading == "hidden" and view.site == "cross")
    return (view.parts(("reading", "site")),) if is_asked else ()


def _shows(seen: Seen) -> Said:
    page = seen.page
    said = seen.placed() | {name: page[name] for name in ("rows", "by") if name in page}
    if page["view"] == "lines":
        said["view"] = "lines"
    elif "reading" in page:
        said["reading"] = page["reading"]
    if ROWS[page["site"]] == "target":
        said |= {name: page[name] for name in ("at", "stepping") if name in page}
    return said


def _beforehand(seen: Seen, whole: bool) -> Iterator[Said]:
    """The norms of values, and each word hidden."""
    yield from ({"reading": "norms", "site": site} for site in seen.sites)
    if "cross" in seen.sites:
        yield {"reading": "hidden", "site": "cross"}


_MAPS = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}
ROOM = Room(
    "translate",
    TranslateView,
    answer,
    {
        "lines": Shown(
            "one head as lines between two columns of tokens",
            {"view": "lines"},
            sheets.of_lines,
            check=check_lines,
        ),
        "pair": Shown(
            "the two sentences as words, and one head as arcs between them",
            sheets=sheets.of_lines,
            check=check_lines,
        ),
        **{
            site: Shown(f"one head of {about} as a map", {"site": site}, sheets.of_map)
            for site, about in _MAPS.items()
        },
        "heads": Shown(
            "all heads of a site",
            sheets=sheets.of_all_heads,
            named=("site", "at"),
            check=check_heads,
        ),
        "candidates": Shown(
            "the most probable next tokens of a step",
            sheets=sheets.of_candidates,
            named=("at",),
        ),
    },
    asks=_asks,
    to_page=to_page,
    shows=_shows,
    beforehand=_beforehand,
)
