"""Small tokenizers, made in the test, saved as the library saves them."""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

WORDS = [*["the", "old", "cat", "sleeps", "on", "warm", "roof", "."], *"abcdefghijklmnopqrstuvwxyz"]


def tokenizer_of(kind, vocabulary=60, **more):
    """Whole words; what is none of them is unknown. An encoder gets [CLS] text [SEP]."""
    from transformers import PreTrainedTokenizerFast  # which takes seconds to load

    specials = ["<pad>", "</s>", "<s>", "<unk>", "<mask>"]
    pieces = [*specials, *dict.fromkeys(WORDS)]
    pieces += [f"w{number}" for number in range(vocabulary - len(pieces))]
    backend = Tokenizer(
        models.WordLevel({piece: place for place, piece in enumerate(pieces)}, unk_token="<unk>")
    )
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.decoder = decoders.WordPiece("##", cleanup=False)
    if kind == "encoder-decoder":
        backend.post_processor = processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
        )
    elif kind == "encoder":
        backend.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>",
            pair="<s> $A </s> $B:1 </s>:1",
            special_tokens=[("<s>", 2), ("</s>", 1)],
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        pad_token="<pad>",
        eos_token="</s>",
        bos_token="<s>",
        unk_token="<unk>",
        mask_token="<mask>",
        **more,
    )
