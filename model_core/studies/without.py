"""What heads are worth on one sentence: one with it and without, and each off in turn.

The translation that was written is fed in whole (teacher forcing), and nothing is trained again.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.decoding.queue import check_time
from model_core.models.protocol import Model
from model_core.studies.full_pass import nats_of, rows_at_once
from model_core.transformer.passes import nothing
from model_core.transformer.taps import Tap, sublayer_of
from model_core.values.edits import Edit, Edits, ordered
from model_core.values.recipe import Settings
from model_core.values.trace import Decoding, Site, Tokens, frozen


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
    place = site, layer, head
    own = [one for one in edits if one.kind in kinds and (one.site, one.layer, one.head) == place]
    others = tuple(edit for edit in edits if edit not in own)
    ids, fed = _forced(decoding)

    def log_probabilities_T(*kinds: str) -> np.ndarray:
        more = (Edit(kind, *place) for kind in kinds)
        edited = model.edited(ordered((*others, *more)))
        if edited.anatomy.reads_whole:
            state = edited.start(decoding.source, settings)
            for token in ids:
                state = edited.advance(state, token)
            return np.array(state.decoding.log_probabilities, np.float32)
        passed = edited.full_pass([decoding.source.ids], [fed], keep=nothing)
        nats_T = nats_of(passed.logits_BTV[:, decoding.prompt - 1 :], ids)[0]
        return np.asarray(nats_T.numpy(force=True))

    return WithoutHead(
        decoding.target[decoding.prompt :],
        log_probabilities_T() if own else np.array(decoding.log_probabilities, np.float32),
        log_probabilities_T("head-off"),
        log_probabilities_T("head-mean") if "head-mean" in model.anatomy.edits else None,
    )


def _forced(decoding: Decoding) -> tuple[list[int], tuple[int, ...]]:
    """The tokens that were chosen, and what is fed so that they follow."""
    ids = [choice.token for choice in decoding.chosen]
    return ids, decoding.target.ids[: decoding.prompt + len(ids) - 1]


Head = tuple[Site, int, int]  # site, layer and head, from 0


@dataclass(frozen=True, eq=False)
class WithoutEach:
    """Losses are nats per token of the translation; G heads.

    `added` is by how much the loss grows with one head off. `order` begins with the head without
    which it grows least; `losses_N[n]` is the loss with the first n of them off together, so that
    N is G + 1.
    """

    loss: float
    added: dict[Site, np.ndarray]  # (L, H) of every site
    order: tuple[Head, ...]
    losses_N: np.ndarray


def without_each(
    model: Model, decoding: Decoding, cache: StudyCache = NO_CACHE
) -> WithoutEach | None:
    """Every head off in turn, then all in the order of what is lost without them.

    None where nothing was chosen, where no head can be switched off, and where a later token
    changes the rows before it, so that no pass over the whole is what was decoded.
    """
    if not decoding.chosen or "head-off" not in model.anatomy.edits or model.anatomy.reads_whole:
        return None
    key = ("without each", decoding.source.ids, decoding.target.ids)
    return cache.of(key, lambda: _measured(model, decoding))


def _measured(model: Model, decoding: Decoding) -> WithoutEach:
    heads: list[Head] = [
        (one.site, layer, head)
        for one in model.anatomy.sites
        for layer, head in np.ndindex(one.layers, one.heads)
    ]
    each_NG = np.concatenate([np.zeros((1, len(heads)), bool), np.eye(len(heads), dtype=bool)])
    loss, *losses = losses_without(model, decoding, heads, each_NG)
    added_G = np.array(losses) - loss
    order_G = np.argsort(added_G, kind="stable")
    together_NG = np.zeros((len(heads) + 1, len(heads)), bool)
    for n, at in enumerate(order_G.tolist()):
        together_NG[n + 1 :, at] = True
    added: dict[Site, np.ndarray] = {}
    for one in model.anatomy.sites:
        places = [at for at, (site, _, _) in enumerate(heads) if site == one.site]
        added[one.site] = frozen(added_G[places].reshape(one.layers, one.heads))
    return WithoutEach(
        float(loss),
        added,
        tuple(heads[at] for at in order_G.tolist()),
        frozen(losses_without(model, decoding, heads, together_NG)),
    )


@torch.inference_mode()
def losses_without(
    model: Model, decoding: Decoding, heads: list[Head], off_NG: np.ndarray
) -> np.ndarray:
    """The loss on what was chosen (N), nats per token, with the heads of each row off.

    All rows of a pass are the same sentence.
    """
    ids, fed = _forced(decoding)
    most = rows_at_once(model, fed)
    found = []
    for first in range(0, len(off_NG), most):
        check_time()
        part_NG = off_NG[first : first + most]
        count = len(part_NG)
        batch = [decoding.source.ids] * count, [fed] * count
        passed = model.full_pass(*batch, tap=_switching(heads, part_NG), keep=nothing)
        nats_NT = nats_of(passed.logits_BTV[:, decoding.prompt - 1 :].double(), ids)
        found.append(-nats_NT.mean(dim=1).numpy(force=True))
    return np.concatenate(found)


def _switching(heads: list[Head], off_NG: np.ndarray) -> Tap:
    """A tap under which the heads of each row that are off add nothing."""
    places: dict[str, list[tuple[int, int]]] = {}
    for at, (site, layer, head) in enumerate(heads):
        places.setdefault(f"{sublayer_of(site, layer)}.heads", []).append((at, head))

    def tap(name: str, value_NHQE: Tensor) -> Tensor:
        if name not in places:
            return value_NHQE
        ats, numbers = zip(*places[name], strict=True)
        keep_NH = torch.ones(value_NHQE.shape[:2], dtype=torch.bool)
        keep_NH[:, list(numbers)] = torch.from_numpy(~off_NG[:, list(ats)])
        return value_NHQE * keep_NH.to(value_NHQE)[..., None, None]

    return tap
