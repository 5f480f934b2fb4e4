"""What one head is worth on one sentence: the tokens that were chosen, with the head off."""

from dataclasses import dataclass

import numpy as np

from model_core.models.protocol import Model
from model_core.studies.full_pass import nats_of
from model_core.transformer.passes import nothing
from model_core.values.edits import Edit, Edits, ordered
from model_core.values.recipe import Settings
from model_core.values.trace import Decoding, Site, Tokens


@dataclass(frozen=True, eq=False)
class WithoutHead:
    """The log-probabilities of the chosen tokens, in nats, with a head and without it.

    Edits of other places hold in all of them.
    """

    chosen: Tokens
    with_T: np.ndarray
    zero_T: np.ndarray  # the head adds nothing
    mean_T: np.ndarray | None  # it adds its mean over the corpus; None where that is not known


def without_head(
    model: Model,
    edits: Edits,
    decoding: Decoding,
    site: Site,
    layer: int,
    head: int,
    settings: Settings = (),
) -> WithoutHead | None:
    """The same target forced with the head off; None where nothing was chosen, or none is edited.

    `edits` are those that the model has already, `settings` those it read the source with. Where a
    later token changes the rows before it, the target is forced step by step, as it was decoded.
    """
    if not decoding.chosen or "head-off" not in model.anatomy.edits:
        return None
    kinds = ("head-off", "head-mean")
    own = [edit for edit in edits if edit.kind in kinds and _place(edit) == (site, layer, head)]
    others = tuple(edit for edit in edits if edit not in own)
    ids = [choice.token for choice in decoding.chosen]
    fed = decoding.target.ids[: decoding.prompt + len(ids) - 1]

    def log_probabilities_T(*kinds: str) -> np.ndarray:
        more = (Edit(kind, site, layer, head) for kind in kinds)
        edited = model.edited(ordered((*others, *more)))
        if edited.anatomy.reads_whole:
            state = edited.start(decoding.source, settings)
            for token in ids:
                state = edited.advance(state, token)
            return np.array(state.decoding.log_probabilities, np.float32)
        passed = edited.full_pass([decoding.source.ids], [fed], keep=nothing)
        made: np.ndarray = nats_of(passed.logits_BTV[:, decoding.prompt - 1 :], ids)[0].numpy(
            force=True
        )
        return made

    return WithoutHead(
        decoding.target[decoding.prompt :],
        log_probabilities_T() if own else np.array(decoding.log_probabilities, np.float32),
        log_probabilities_T("head-off"),
        log_probabilities_T("head-mean") if "head-mean" in model.anatomy.edits else None,
    )


def _place(edit: Edit) -> tuple[str, int, int]:
    return edit.site, edit.layer, edit.head
