"""What is chosen in the room Training."""

from dataclasses import dataclass
from typing import Annotated

from viz_app.values.view import Option, Place, View


@dataclass(frozen=True)
class TrainingView(View):
    """A head, one of the sentences whose attention was noted, and a note."""

    sentence: Annotated[
        Place, Option(counts_from=1, help="of training: which of the noted sentences")
    ] = None
    # Which note; the last.
    note: Annotated[
        Place, Option(counts_from=1, help="of training: which note, the first is 1")
    ] = None
