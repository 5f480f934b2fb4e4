"""Every word the reader sees, by language and key. Code elsewhere holds keys only.

One file a part of the page. Each holds the same keys with the same placeholders in every language.
"""

from viz_app.text import (
    export,
    glossary,
    inside,
    link,
    masks,
    positions,
    serving,
    stage_en,
    stage_zh,
)

_PARTS = (glossary, masks, positions, inside, export, link, serving)

WORDS = {
    "en": stage_en.EN | {key: text for part in _PARTS for key, text in part.EN.items()},
    "zh": stage_zh.ZH | {key: text for part in _PARTS for key, text in part.ZH.items()},
}

# By source and target language; the first is what the page opens with, and shows something at once.
EXAMPLES = {
    ("en", "fr"): (
        "The old cat sleeps on the warm roof.",
        "My brother bought a new red car.",
        "I have a white cat and a black dog.",
        "I have not eaten since this morning.",
        "Where is the nearest station?",
        "Can you help me find my keys?",
    ),
    ("zh", "en"): (
        "她上个星期买了一辆红色的车。",
        "我从今天早上起就没吃东西。",
        "最近的车站在哪里？",
        "你会说英语吗？",
        "我们不知道他想要什么。",
    ),
    ("en", "zh"): (
        "My brother works in a hospital.",
        "She bought a red car last week.",
        "Where is the nearest station?",
        "How much does this book cost?",
        "What time does the train leave?",
    ),
    ("text", "reversed"): ("attention", "abc123", "9876543210", "aaaabbbb", "transformer2017"),
}

# What the tutorials teach with, by source language: the padded batch of song titles, the shortest
# last, and a sentence that says something else when its first and last word change places.
LESSONS = {
    "en": {
        "batch": ("Blue and white porcelain", "Love before the common era", "Clear starry sky"),
        "order": "Tom loves Mary.",
    },
    "zh": {"batch": ("青花瓷", "爱在西元前", "星晴"), "order": "你打我。"},
    "text": {"batch": ("qinghuaci", "aizaixiyuanqian", "xingqing"), "order": "abc"},
}
