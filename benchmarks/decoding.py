"""Time per decoding step with everything recorded.

Measured against Marian, against the same model without a past, and against the bare matrix
products. All decode the same number of tokens from a source of the same length, greedily, with
random weights, in batches of one on one thread, the encoder included. Nobody stops early: the end
token is never taken.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tokenizers
import torch
from tokenizers import models
from torch.nn import functional

from benchmarks.result import Result, versions
from benchmarks.timing import ratio, take_turns
from model_core.checkpoints.store import Checkpoint
from model_core.checkpoints.training import Training
from model_core.decoding.choosing import choose
from model_core.models.own import OwnModel
from model_core.tokenizer import BYTES, SPECIALS, Tokenizer
from model_core.transformer.fast_steps import make_steps_fast
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig
from model_core.values.recipe import Strategy

SOURCE, STEPS, VOCABULARY, HEADS = 32, 64, 8000, 8
POSITIONS = 128  # of every model; more than are used

OURS = "ours, everything recorded"
MARIAN = "Marian, sdpa, nothing recorded"
MARIAN_EAGER = "Marian, eager, attentions returned"
NO_CACHE = "ours, prefix recomputed every step"
FLOOR = "the bare matrix products"


@dataclass(frozen=True)
class Size:
    """A model size, and the goals at it: largest accepted ratios of our time to theirs."""

    layers: int
    width: int
    to_marian: float | None = None
    to_floor: float | None = None

    @property
    def title(self) -> str:
        return f"{self.layers}+{self.layers} layers, width {self.width}"


SIZES = (Size(3, 256, 0.60, 1.35), Size(6, 512, 0.79, 1.20))


def plain_tokenizer() -> Tokenizer:
    """A tokenizer of VOCABULARY made-up pieces; it labels ids and is never asked to encode."""
    pieces = [*SPECIALS, *BYTES]
    pieces += [f"piece{number}" for number in range(VOCABULARY - len(pieces))]
    vocab = {piece: number for number, piece in enumerate(pieces)}
    return Tokenizer(tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=[])))


def our_model(size: Size) -> Transformer:
    torch.manual_seed(1)
    config = ModelConfig(
        source_vocabulary=VOCABULARY,
        target_vocabulary=VOCABULARY,
        width=size.width,
        encoder_layers=size.layers,
        decoder_layers=size.layers,
        encoder_heads=HEADS,
        decoder_heads=HEADS,
        feed_forward_width=4 * size.width,
        max_positions=POSITIONS,
        tied="all",
    )
    model = Transformer(config).eval()
    make_steps_fast(model)
    return model


def source_ids() -> list[int]:
    """Any ids that are not special, of the agreed length."""
    return [300 + 7 * place for place in range(SOURCE)]


def ours(size: Size) -> dict[str, Callable[[], object]]:
    """Our own decode, step by step as the app does it, and the same model without its past."""
    model, tokenizer = our_model(size), plain_tokenizer()
    behind = OwnModel(Checkpoint("random", model, tokenizer, tokenizer, Training(), ""))
    source = tokenizer.tokens(source_ids())
    config = model.config
    never, greedy = (config.pad_id, config.start_id, config.end_id), Strategy()

    def recorded() -> None:
        state = behind.start(source)
        for _ in range(STEPS - 1):
            token, how = choose(state.decoding.step, greedy, never)
            state = behind.advance(state, token, how)

    @torch.inference_mode()
    def recomputed() -> None:
        encoded = model.encode(torch.tensor([source.ids]))
        ids = [config.start_id]
        for _ in range(STEPS):
            logits_V = model.decode(torch.tensor([ids]), encoded).logits_BTV[0, -1]
            logits_V[list(never)] = -torch.inf
            ids.append(int(logits_V.argmax()))

    return {OURS: recorded, NO_CACHE: recomputed}


def marian(size: Size) -> dict[str, Callable[[], object]]:
    """`generate` of a Marian of the same size, as fast as it goes and with its attentions."""
    from transformers import GenerationConfig, MarianConfig, MarianMTModel

    torch.manual_seed(1)
    width, layers = size.width, size.layers
    sizes: dict[str, Any] = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (
            ("layers", layers), ("attention_heads", HEADS), ("ffn_dim", 4 * width)
        )
    }  # fmt: skip
    config = MarianConfig(
        vocab_size=VOCABULARY,
        decoder_vocab_size=VOCABULARY,
        d_model=width,
        activation_function="relu",
        max_position_embeddings=POSITIONS,
        scale_embedding=True,
        pad_token_id=0,
        eos_token_id=None,
        forced_eos_token_id=None,
        decoder_start_token_id=1,
        **sizes,
    )
    # No end token: then `generate` neither looks for one nor has to suppress it, which is quickest.
    settings: dict[str, Any] = {
        "max_new_tokens": STEPS,
        "do_sample": False,
        "num_beams": 1,
        "pad_token_id": 0,
        "decoder_start_token_id": 1,
    }
    ids_BS = torch.tensor([source_ids()])
    read_BS = torch.ones_like(ids_BS)
    calls: dict[str, Callable[[], object]] = {}
    for name, attention, more in (
        (MARIAN, "sdpa", {}),
        (MARIAN_EAGER, "eager", {"output_attentions": True, "return_dict_in_generate": True}),
    ):
        model = MarianMTModel(config).eval()
        model.set_attn_implementation(attention)
        generation = GenerationConfig(**settings, **more)

        @torch.inference_mode()
        def generate(model: Any = model, generation: Any = generation) -> None:
            made = model.generate(ids_BS, attention_mask=read_BS, generation_config=generation)
            made_BT = made if isinstance(made, torch.Tensor) else made.sequences
            if made_BT.shape != (1, STEPS + 1):
                raise RuntimeError(f"Marian made {made_BT.shape[1] - 1} tokens, not {STEPS}.")

        calls[name] = generate
    return calls


def floor(size: Size) -> dict[str, Callable[[], object]]:
    """The matrix products of a decode and nothing else, as F.linear and @ do them.

    Every weight lies row by row, as nn.Linear makes it; ours do not, see `make_steps_fast`.
    """
    torch.manual_seed(1)
    D, L, E = size.width, size.layers, size.width // HEADS

    def weights(*shapes: tuple[int, int]) -> list[tuple[torch.Tensor, torch.Tensor]]:
        return [(torch.randn(out, into), torch.randn(out)) for out, into in shapes]

    encoder = [weights((3 * D, D), (D, D), (4 * D, D), (D, 4 * D)) for _ in range(L)]
    memory = [weights((2 * D, D)) for _ in range(L)]  # keys and values of cross-attention
    decoder = [
        weights((3 * D, D), (D, D), (D, D), (D, D), (4 * D, D), (D, 4 * D)) for _ in range(L)
    ]
    logits_VD = torch.randn(VOCABULARY, D)
    tokens = {(T, into): torch.randn(1, T, into) for T in (1, SOURCE) for into in (D, 4 * D)}
    q_BHQE = {Q: torch.randn(1, HEADS, Q, E) for Q in (1, SOURCE)}
    most = max(SOURCE, STEPS)
    k_BHKE, v_BHKE = torch.randn(1, HEADS, most, E), torch.randn(1, HEADS, most, E)
    weights_BHQK = {Q: torch.randn(1, HEADS, Q, most) for Q in (1, SOURCE)}

    def attend(Q: int, K: int) -> None:
        q_BHQE[Q] @ k_BHKE[:, :, :K].transpose(-2, -1)
        weights_BHQK[Q][..., :K] @ v_BHKE[:, :, :K]

    def project(layer: list[tuple[torch.Tensor, torch.Tensor]], T: int) -> None:
        for weight, bias in layer:
            functional.linear(tokens[T, weight.shape[1]], weight, bias)

    @torch.inference_mode()
    def products() -> None:
        for layer in encoder:
            project(layer, SOURCE)
            attend(SOURCE, SOURCE)
        for layer in memory:
            project(layer, SOURCE)
        for step in range(STEPS):
            for layer in decoder:
                project(layer, 1)
                attend(1, step + 1)
                attend(1, SOURCE)
            functional.linear(tokens[1, D], logits_VD)

    return {FLOOR: products}


def measure(rounds: int = 21) -> list[Result]:
    """The ratios at both sizes."""
    torch.set_num_threads(1)
    print(f"Decoding: {SOURCE} source tokens, {STEPS} steps, batch 1, one thread; {rounds} rounds.")
    print(versions("torch", "transformers"))
    results = []
    for size in SIZES:
        contestants = {**ours(size), **marian(size), **floor(size)}
        timings = take_turns(contestants, rounds, per=STEPS)
        print(f"\n{size.title}: milliseconds per step (median; smallest to largest)")
        for name, timing in timings.items():
            print(f"  {name:<36}{timing.median:8.2f}   {timing.spread}")
        mine = timings[OURS]
        against = ((MARIAN, size.to_marian), (MARIAN_EAGER, None), (FLOOR, size.to_floor))
        for name, goal in against:
            results.append(
                Result(f"{size.title}: ours / {name}", ratio(mine, timings[name]), "below", goal)
            )
        gained = ratio(timings[NO_CACHE], mine)
        results.append(Result(f"{size.title}: {NO_CACHE} / ours", gained, "at least", 3.0))
    return results
