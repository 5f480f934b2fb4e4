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
        "My brother bought a new red car.",
        "I have a white cat and a black dog.",
        "I have not eaten since this morning.",
        "Where is the nearest station?",
        "We do not know what he wants.",
        "Can you help me find my keys?",
    ),
    ("zh", "en"): (
        "我弟弟买了一辆新的红色汽车。",
        "我从今天早上起就没吃东西。",
        "最近的车站在哪里？",
        "你会说英语吗？",
        "我们不知道他想要什么。",
    ),
    ("text", "reversed"): ("attention", "abc123", "9876543210", "aaaabbbb", "transformer2017"),
}
