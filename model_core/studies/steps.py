"""One full pass beside the steps that made a translation."""

from dataclasses import dataclass

import numpy as np

from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.transformer.attention import AttentionRecord
from model_core.values.trace import Decoding, Site, Tokens, copied, frozen
from model_core.values.verdict import Verdict, verdict


@dataclass(frozen=True, eq=False)
class OnePassAndSteps:
    """The same target read by the decoder in one pass and in many steps."""

    source: Tokens
    fed: Tokens
    predicted: Tokens
    site: Site
    allowed_QK: np.ndarray  # in its own step, as the rows of the steps
    once_allowed_QK: np.ndarray  # in the one pass
    once: tuple[np.ndarray, ...]  # weights (H, Q, K) by layer
    stepped: tuple[np.ndarray, ...]
    once_probability_T: np.ndarray  # of the tokens that should be predicted
    stepped_probability_T: np.ndarray
    # The largest difference anywhere, decoder and cross, all layers and heads.
    scores_apart: float
    weights_apart: float
    log_probabilities_apart: float  # nats, over the whole vocabulary
    # What may be said of all that: in exact numbers both are the same, unless a later token changes
    # the rows before it.
    verdict: Verdict


def study_passes(model: Model, decoding: Decoding, site: Site) -> OnePassAndSteps:
    """One pass over what was decoded, beside the steps that made it."""
    if model.anatomy.site(site).rows == "source":
        raise RecipeError("The encoder reads in one pass, always; choose decoder or cross.")
    fed, steps = decoding.fed, decoding.steps
    scores_apart = weights_apart = size = 0.0
    shown_arrays: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    allowed_QK = once_allowed_QK = np.ones((0, 0), dtype=bool)

    def keep(name: Site, layer: int, record: AttentionRecord) -> None:
        nonlocal scores_apart, weights_apart, size, allowed_QK, once_allowed_QK
        if model.anatomy.site(name).rows == "source":
            return
        trace = decoding.trace(name, layer)
        scores_HQK, weights_HQK = (
            one[0].numpy(force=True) for one in (record.scores_BHQK, record.weights_BHQK)
        )
        # A step never computes the scores of keys to come.
        apart_HQK = np.abs(scores_HQK - trace.scores_HQK) * trace.mask_QK
        scores_apart = max(scores_apart, float(apart_HQK.max()))
        size = max(size, float(np.abs(scores_HQK).max()))
        apart_HQK = np.abs(weights_HQK - trace.weights_HQK)
        weights_apart = max(weights_apart, float(apart_HQK.max()))
        if name == site:
            allowed_QK = trace.mask_QK
            once_allowed_QK = copied(record.mask.allowed_BQK[0].expand(allowed_QK.shape))
            shown_arrays[0].append(weights_HQK)
            shown_arrays[1].append(trace.weights_HQK)

    once = model.full_pass([decoding.source.ids], [fed.ids], keep=keep)
    once_TV = copied(once.logits_BTV[0].log_softmax(dim=-1))
    stepped_TV = np.stack([step.log_probabilities_V for step in steps])
    T = len(fed)
    predicted = decoding.target[1 : T + 1]
    log_probabilities_apart = float(np.abs(once_TV - stepped_TV).max())
    proven = not model.anatomy.reads_whole
    verdicts = {
        verdict(scores_apart, proven, size),
        verdict(weights_apart, proven),
        verdict(log_probabilities_apart, proven, float(np.abs(once_TV).max())),
    }
    places = (np.arange(len(predicted)), list(predicted.ids))
    return OnePassAndSteps(
        source=decoding.source,
        fed=fed,
        predicted=predicted,
        site=site,
        allowed_QK=frozen(allowed_QK),
        once_allowed_QK=once_allowed_QK,
        once=tuple(shown_arrays[0]),
        stepped=tuple(shown_arrays[1]),
        once_probability_T=frozen(np.exp(once_TV[places])),
        stepped_probability_T=frozen(np.exp(stepped_TV[places])),
        scores_apart=scores_apart,
        weights_apart=weights_apart,
        log_probabilities_apart=log_probabilities_apart,
        verdict="differs" if "differs" in verdicts else verdicts.pop(),
    )
