"""The card of a trained model: what it is, what it learnt from, how good it is."""

from collections.abc import Mapping, Sequence
from typing import Any

from model_core.config import ModelConfig, TrainConfig
from model_core.evaluation import Scores

# The dates of the exports that the prepared data folders were made from.
_TATOEBA_EXPORTS = {
    "tatoeba-en-fr": "2019-04-07",
    "tatoeba-en-de": "2018-05-13",
    "tatoeba-en-es": "2018-05-13",
    "tatoeba-en-zh": "2026-02-13",
}


def model_card(
    name: str,
    about: str,
    model: ModelConfig,
    config: TrainConfig,
    training: Mapping[str, Any],
    scores: Scores,
    samples: Sequence[tuple[str, str]],
) -> str:
    """The card as Markdown."""
    shape = (
        f"{model.encoder_layers}+{model.decoder_layers} layers, width {model.width}, "
        f"{model.encoder_heads} heads, feed-forward {model.feed_forward_width}, "
        f"vocabulary {model.target_vocabulary:,}"
    )
    minutes = training["seconds"] / 60
    sections = [
        f"# {name}",
        about,
        f"An encoder-decoder Transformer with {training['parameters']:,} parameters: {shape}. "
        f"Trained from nothing for {training['update']:,} updates ({minutes:,.0f} minutes) "
        f"with torch {training['torch']}. The weights are {training['weights']}.",
        "## Data",
        _data_line(config, training["data"]),
        f"{training['training_pairs']:,} training pairs; {training['validation_sources']:,} "
        "validation sources that training never saw.",
        "## Scores on the validation part, greedy",
        "\n".join(_score_lines(scores, config)),
        "## Samples",
        "\n".join(f"- {_code(source)} → {_code(output)}" for source, output in samples),
        "## To train it again",
        f"    {training['command']}",
    ]
    return "\n\n".join(sections) + "\n"


def _data_line(config: TrainConfig, data: str) -> str:
    if config.task == "reverse":
        return "Random strings of lower-case letters and digits, made by the program."
    if data in _TATOEBA_EXPORTS:
        return (
            "Trained on sentences from Tatoeba (https://tatoeba.org), CC BY 2.0 FR, "
            f"by way of manythings.org/anki, export of {_TATOEBA_EXPORTS[data]}."
        )
    return f"Trained on the pairs of the folder `{data}`; look up their licence before sharing it."


def _score_lines(scores: Scores, config: TrainConfig) -> list[str]:
    lines = []
    if scores.bleu is not None and scores.chrf is not None:
        tokens = "zh" if config.target_language.startswith("zh") else "13a"
        lines.append(f"- BLEU {scores.bleu:.1f} (sacreBLEU {tokens}, all references)")
        lines.append(f"- chrF {scores.chrf:.1f}")
    lines.append(f"- exact match {scores.exact_match:.1f}%")
    lines.append(f"- loss {scores.loss:.3f} nats per token")
    if scores.anti_diagonal is not None:
        best = max(
            (weight, layer + 1, head + 1)
            for layer, heads in enumerate(scores.anti_diagonal)
            for head, weight in enumerate(heads)
        )
        lines.append(
            f"- cross-attention weight on the token to copy: {best[0]:.2f} on average, "
            f"in layer {best[1]}, head {best[2]}"
        )
    return lines


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`" if text else "(nothing)"
