"""Every word the reader sees, by language and key. Code elsewhere holds keys only.

One file a part of the page. Each holds the same keys with the same placeholders in every language.
"""

from viz_app.text import glossary, inside, masks, positions, stage_en, stage_zh

WORDS = {
    "en": stage_en.EN | glossary.EN | masks.EN | positions.EN | inside.EN,
    "zh": stage_zh.ZH | glossary.ZH | masks.ZH | positions.ZH | inside.ZH,
}

# By source and target language; the first is what the page opens with, and shows something at once.
EXAMPLES = {
    ("en", "fr"): (
        "The black cat sleeps on the warm roof.",
        "I have not eaten since this morning.",
        "Where is the nearest station?",
        "She gave her brother a small red book.",
        "We do not know what he wants.",
    ),
    ("text", "reversed"): ("attention", "abc123", "9876543210", "aaaabbbb", "transformer2017"),
}
