"""What stands beside the attention of a site: its axes, and the title of a picture of a head."""

from collections.abc import Sequence

from model_core.values.trace import COLUMNS, ROWS, Site, Tokens
from viz_app.values.phrases import Phrase, StepPhrase, Text, say
from viz_app.values.tables import Axis


def rows_title(site: Site, kind: str) -> Phrase:
    """What the rows of an attention are; `kind`: "step", "word", "fed" or "whole" of a target."""
    return say(f"axis_rows_{'source' if ROWS[site] == 'source' else kind}")


def columns_title(site: Site, whole: bool = False) -> Phrase:
    """What its columns are; `whole`: its rows are no steps, all of them are there at once."""
    columns = COLUMNS[site]
    return say(f"axis_columns_{'whole' if whole and columns == 'target' else columns}")


def axes_of(
    site: Site, queries: Tokens, keys: Tokens, steps: bool = False, whole: bool = False
) -> tuple[Axis, Axis]:
    """The queries and the keys of a site; `steps`: rows say what they write; `whole`: as above."""
    row = rows_title(site, "whole" if whole else "step" if steps else "fed")
    return (
        Axis.of("query", queries, row, ROWS[site] == "target"),
        Axis.of("key", keys, columns_title(site, whole), COLUMNS[site] == "target"),
    )


def steps_of(reads: Sequence[Text], writes: Sequence[Text]) -> tuple[StepPhrase, ...]:
    """The labels of steps; what has written nothing yet has an ellipsis."""
    return tuple(map(StepPhrase, reads, (*writes, "…")))


def site_named(site: str) -> Phrase:
    """What an attention is called."""
    return say(f"site_{site}_long")


def head_named(site: str, layer: int, head: int) -> Phrase:
    """What a head is called; its layer and its head count from 0."""
    return say("map_title", site=site_named(site), layer=layer + 1, head=head + 1)


def picture_title(picture: str, *of: Text) -> Text:
    """The title of a picture as the page has it: what it is, and of what."""
    title: list[Text] = [say(f"export_what_{picture}")]
    for one in of:
        title += [" · ", one]
    return tuple(title)
