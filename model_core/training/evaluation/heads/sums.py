"""What is added up over a corpus for the heads of one site, and what follows from it."""

import numpy as np

from model_core.training.evaluation.heads.reading import ReadSentence
from model_core.values.anatomy import SiteAnatomy
from model_core.values.habits import OVER_A_CORPUS, Rows, rows_of
from model_core.values.head_measures import (
    ATTRACTING,
    BEST,
    FAR,
    MEASURES,
    PLACES,
    WORDS,
    SiteMeasures,
)
from model_core.values.trace import Tokens


class TokenTexts:
    """Token texts with their kinds, each once, numbered as they came."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def numbers(self, tokens: Tokens) -> np.ndarray:
        """The number of each token."""
        pairs = zip(tokens.texts, tokens.kinds, strict=True)
        keys = [(text.strip(), str(kind)) for text, kind in pairs]
        return np.array([self._numbers.setdefault(key, len(self._numbers)) for key in keys], int)

    @property
    def tokens(self) -> tuple[tuple[str, str], ...]:
        """All of them, by number."""
        return tuple(self._numbers)


class SiteSums:
    """The heads of one site. Rows that may look at one key only count for nothing but entropy."""

    def __init__(self, site: SiteAnatomy, sentences: int, vocabulary: TokenTexts, width: int):
        L, H, P = site.layers, site.heads, len(PLACES[site.site])
        self.site, self.E, self._vocabulary = site, width, vocabulary
        self._sums_NLHM = np.zeros((sentences, L, H, 2 + P))
        self._totals_NM = np.zeros((sentences, 2 + P))
        self._even_NP = np.zeros((sentences, P))
        self._distances_LHN = np.zeros((L, H, 2 * FAR + 1))
        self._moments_LH3 = np.zeros((L, H, 3))  # attention, times distance, times its square
        self._covered_LH = np.zeros((L, H))
        self._coverable = 0
        self._read_LHV = np.zeros((L, H, 0))
        self._even_V = np.zeros(0)
        self._alike_GG = np.zeros((L * H, L * H))
        self._made_LHE = np.zeros((L, H, width))
        self._rows_made = self._rows_padded = 0
        self._pads_LH = np.zeros((L, H))
        self._hits = {name: np.zeros((L, H)) for name in ("links", "fed", "needed", "aligner")}
        self._linked = dict.fromkeys(self._hits, 0)

    def add(self, at: int, sentence: ReadSentence, weights_LHQK: np.ndarray) -> None:
        """The weights of one sentence, all layers; `at` is its place in the list."""
        site = self.site.site
        queries = sentence.source if site == "encoder" else sentence.fed
        keys = sentence.fed if site == "decoder" else sentence.source
        rows = rows_of(self.site, queries, keys)
        self._totals_NM[at], self._even_NP[at] = rows.totals, rows.even
        for layer, weights_HQK in enumerate(weights_LHQK):
            self._sums_NLHM[at, layer] = rows.sums(weights_HQK)
        chosen_LHRK = weights_LHQK[:, :, rows.choice_Q]
        self._add_distances(chosen_LHRK, np.flatnonzero(rows.choice_Q) - sentence.shift_of(site))
        self._add_coverage(chosen_LHRK, keys)
        self._add_tokens(chosen_LHRK, rows, keys)
        flat_GN = chosen_LHRK.reshape(len(self._alike_GG), -1)
        self._alike_GG += flat_GN @ flat_GN.T
        if site == "cross":
            self._add_links(sentence, weights_LHQK)

    def add_needed(self, hits_LH: np.ndarray, rows: int) -> None:
        """In how many rows of one sentence the darkest word is the needed one, of how many."""
        self._hits["needed"] += hits_LH
        self._linked["needed"] += rows

    def add_made(self, made_LHQE: np.ndarray) -> None:
        """The weighted sums of the values of one sentence."""
        self._made_LHE += made_LHQE.sum(axis=2)
        self._rows_made += made_LHQE.shape[2]

    def add_pads(self, pads_LHQ: np.ndarray) -> None:
        """What the pads behind a source get, row by row."""
        self._pads_LH += pads_LHQ.sum(axis=2)
        self._rows_padded += pads_LHQ.shape[2]

    def means_LHE(self) -> np.ndarray:
        """The mean weighted sum of the values of every head."""
        return (self._made_LHE / max(1, self._rows_made)).astype(np.float32)

    def measures(self, effects_LH4: np.ndarray | None) -> SiteMeasures:
        """What follows for every head; `effects_LH4` as the last of MEASURES, None: not taken."""
        L, H = self._covered_LH.shape
        totals_M = np.maximum(self._totals_NM.sum(axis=0), 1)
        means_LHM = self._sums_NLHM.sum(axis=0) / totals_M
        mass_LH, first_LH, second_LH = np.moveaxis(self._moments_LH3, -1, 0)
        mass_LH = np.maximum(mass_LH, 1e-12)
        distance_LH = first_LH / mass_LH
        like_LH, likeness_LH = self._alike(L, H)
        extra = {
            "distance": distance_LH,
            "reach": np.sqrt(np.maximum(second_LH / mass_LH - distance_LH**2, 0)),
            "coverage": self._covered_LH / max(1, self._coverable),
            "likeness": likeness_LH,
        }
        if self._rows_padded:
            extra["pads"] = self._pads_LH / self._rows_padded
        for name, hits_LH in self._hits.items():
            if self._linked[name]:
                extra[name] = hits_LH / self._linked[name]
        names = MEASURES[self.site.site]
        measures_LHM = np.full((L, H, len(names)), np.nan, np.float32)
        measures_LHM[..., : means_LHM.shape[-1]] = means_LHM
        for name, value_LH in extra.items():
            measures_LHM[..., names.index(name)] = value_LH
        if effects_LH4 is not None:
            measures_LHM[..., -4:] = effects_LH4
        word_LH = self._words(means_LHM, totals_M)
        tokens_LHC, share_LHC, even_LHC = self._attracting()
        return SiteMeasures(
            measures_LHM,
            (self._distances_LHN / mass_LH[..., None]).astype(np.float32),
            word_LH,
            like_LH,
            *self._best(word_LH),
            tokens_LHC,
            share_LHC,
            even_LHC,
            self.means_LHE() if self.E else None,
        )

    def _add_distances(self, weights_LHRK: np.ndarray, rows_R: np.ndarray) -> None:
        distance_RK = np.arange(weights_LHRK.shape[-1])[None, :] - rows_R[:, None]
        self._moments_LH3 += np.stack(
            [(weights_LHRK * distance_RK**power).sum(axis=(2, 3)) for power in range(3)], axis=-1
        )
        bars_RK = distance_RK.clip(-FAR, FAR) + FAR
        for bar in np.unique(bars_RK):
            self._distances_LHN[..., bar] += weights_LHRK[:, :, bars_RK == bar].sum(axis=2)

    def _add_coverage(self, weights_LHRK: np.ndarray, keys: Tokens) -> None:
        """Which of the keys that are text some row looks at most."""
        text_K = np.array([kind == "text" for kind in keys.kinds])
        self._coverable += int(text_K.sum())
        if weights_LHRK.shape[2]:
            best_LHR1 = weights_LHRK.argmax(axis=3)[..., None]
            seen_LHK = (best_LHR1 == np.arange(len(text_K))).any(axis=2)
            self._covered_LH += seen_LHK[..., text_K].sum(axis=2)

    def _add_tokens(self, weights_LHRK: np.ndarray, rows: Rows, keys: Tokens) -> None:
        """What each token gets, and what a head that looks at all keys alike would give it."""
        numbers_K = self._vocabulary.numbers(keys)
        size = len(self._vocabulary.tokens)
        if size > len(self._even_V):
            more = size - len(self._even_V)
            self._even_V = np.pad(self._even_V, (0, more))
            self._read_LHV = np.pad(self._read_LHV, ((0, 0), (0, 0), (0, more)))
        open_RK = rows.open_QK[rows.choice_Q]
        even_K = (open_RK / np.maximum(open_RK.sum(axis=1, keepdims=True), 1)).sum(axis=0)
        np.add.at(self._even_V, numbers_K, even_K)
        for at, number in enumerate(numbers_K):
            self._read_LHV[..., number] += weights_LHRK[..., at].sum(axis=2)

    def _add_links(self, sentence: ReadSentence, weights_LHTS: np.ndarray) -> None:
        """Whether the largest weight of a row that writes a linked token is on a linked one."""
        best_LHT = weights_LHTS[:, :, sentence.shift :].argmax(axis=3)
        for t, wanted in enumerate(sentence.links):
            # The row reads the token before, the one that was fed, and writes this one.
            fed = sentence.links[t - 1] if t else ()
            for name, linked in (("links", wanted), ("fed", fed)):
                if linked:
                    self._linked[name] += 1
                    self._hits[name] += np.isin(best_LHT[..., t], list(linked))
        if sentence.linked is not None:
            places = np.flatnonzero(sentence.linked >= 0)
            hits_LHT = best_LHT[..., places] == sentence.linked[places]
            self._hits["aligner"] += hits_LHT.sum(axis=2)
            self._linked["aligner"] += len(places)

    def _alike(self, L: int, H: int) -> tuple[np.ndarray, np.ndarray]:
        """The head whose weights, all rows in one list, have the largest cosine with a head's."""
        lengths_G = np.sqrt(np.maximum(self._alike_GG.diagonal(), 1e-12))
        cosine_GG = self._alike_GG / lengths_G / lengths_G[:, None]
        np.fill_diagonal(cosine_GG, -1)
        if L * H == 1:
            return np.full((1, 1), -1, np.int32), np.full((1, 1), np.nan)
        like_LH = cosine_GG.argmax(axis=1).reshape(L, H).astype(np.int32)
        return like_LH, cosine_GG.max(axis=1).reshape(L, H)

    def _words(self, means_LHM: np.ndarray, totals_M: np.ndarray) -> np.ndarray:
        """The word of each head, by its place in WORDS; no place that few rows have."""
        L, H, M = means_LHM.shape
        even_P = self._even_NP.sum(axis=0) / totals_M[2:]
        usual_P = self._totals_NM.sum(axis=0)[2:] >= OVER_A_CORPUS.rows * totals_M[1]
        means_AM = means_LHM.reshape(L * H, M)
        shares_AP = np.where(usual_P, means_AM[:, 2:], 0.0)
        words_A = OVER_A_CORPUS.words(shares_AP, even_P, means_AM[:, 1])
        return words_A.astype(np.int32).reshape(L, H)

    def _best(self, word_LH: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sentences in which each head does most of what its word says, and how much."""
        names = ("spread", "sharp", *PLACES[self.site.site])
        totals_NM = self._totals_NM
        each_NLHM = self._sums_NLHM / np.maximum(totals_NM, 1)[:, None, None]
        each_NLHM[np.broadcast_to((totals_NM == 0)[:, None, None], each_NLHM.shape)] = -1
        L, H = word_LH.shape
        best_LHC = np.full((L, H, BEST), -1, np.int32)
        amount_LHC = np.zeros((L, H, BEST), np.float32)
        for layer, head in np.ndindex(L, H):
            word = WORDS[self.site.site][word_LH[layer, head]]
            amount_N = each_NLHM[:, layer, head, names.index(word)]
            order = [at for at in np.argsort(-amount_N, kind="stable")[:BEST] if amount_N[at] > 0]
            best_LHC[layer, head, : len(order)] = order
            amount_LHC[layer, head, : len(order)] = amount_N[order]
        return best_LHC, amount_LHC

    def _attracting(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The tokens that each head reads more than one that looks at all keys alike."""
        L, H, _ = self._read_LHV.shape
        share_LHV = self._read_LHV / np.maximum(self._read_LHV.sum(axis=2, keepdims=True), 1e-12)
        even_V = self._even_V / max(float(self._even_V.sum()), 1e-12)
        order_LHC = np.argsort(-(share_LHV - even_V), axis=2, kind="stable")[..., :ATTRACTING]
        tokens_LHC = np.full((L, H, ATTRACTING), -1, np.int32)
        share_LHC = np.zeros((L, H, ATTRACTING), np.float32)
        even_LHC = np.zeros((L, H, ATTRACTING), np.float32)
        count = order_LHC.shape[2]
        share_LHC[..., :count] = np.take_along_axis(share_LHV, order_LHC, axis=2)
        even_LHC[..., :count] = even_V[order_LHC]
        more_LHC = share_LHC > even_LHC
        tokens_LHC[..., :count] = order_LHC
        return np.where(more_LHC, tokens_LHC, -1), share_LHC * more_LHC, even_LHC * more_LHC
