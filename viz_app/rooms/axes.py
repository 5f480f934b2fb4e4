"""What stands beside the attention of a site: its axes, and the title of a picture of a head."""

from collections.abc import Sequence

from model_core.values.trace import COLUMNS, ROWS, Site, Tokens
from viz_app.values.phrases import Phrase, StepPhrase, Text, say
from viz_app.values.tables import Axis


def axes_of(
    site: Site, queries: Tokens, keys: Tokens, steps: bool = False, whole: bool = False
) -> tuple[Axis, Axis]:
    """The queries and the keys of a site; `steps`: rows say what they write.

    `whole`: its rows are no steps, all of them are there at once.
    """
    rows, columns = ROWS[site], COLUMNS[site]
    fed = "whole" if whole else "step" if steps else "fed"
    row = say(f"axis_rows_{'source' if rows == 'source' else fed}")
    column = say(f"axis_columns_{'whole' if whole and columns == 'target' else columns}")
    return (
        Axis.of("query", queries, row, rows == "target"),
        Axis.of("key", keys, column, columns == "target"),
    )


def steps_of(reads: Sequence[Text], writes: Sequence[Text]) -> tuple[StepPhrase, ...]:
    """The labels of steps; what has written nothing yet has an ellipsis."""
    return tuple(map(StepPhrase, reads, (*writes, "…")))


def title_of(site: str, layer: int, head: int, key: str = "figure_title") -> Phrase:
    """The title of a picture of one head; its layer and its head count from 0."""
    return say(key, site=say(f"figure_site_{site}"), layer=layer + 1, head=head + 1)
