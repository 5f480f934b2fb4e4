"""The sentences that the page offers, and those that the tutorials teach with."""

from typing import TypedDict

from model_core.values.strings import LANGUAGES


class Lessons(TypedDict):
    """What the tutorials teach with: a batch, and a sentence whose words change places."""

    batch: tuple[str, ...]
    order: str


# By source and target language; the first is what the page opens with: each written word's darkest
# source word is the one that it needs (`python -m benchmarks.posters`), and words change places.
# Models of strings open on the same one, so that they can be compared.
EXAMPLES = {
    ("en", "fr"): (
        "She wants to buy a red car.",
        "The old cat sleeps on the warm roof.",
        "My brother bought a new red car.",
        "I have a white cat and a black dog.",
        "I have not eaten since this morning.",
        "Where is the nearest station?",
        "Can you help me find my keys?",
    ),
    ("en", "de"): (
        "Tom has sold his car.",
        "My brother works in a hospital.",
        "She bought a red car last week.",
        "He has lost his key.",
    ),
    ("zh", "en"): (
        "我昨天买了一本书。",
        "她上个星期买了一辆红色的车。",
        "我从今天早上起就没吃东西。",
        "最近的车站在哪里？",
        "你会说英语吗？",
        "我们不知道他想要什么。",
    ),
    ("en", "zh"): (
        "I read a book yesterday.",
        "My brother works in a hospital.",
        "She bought a red car last week.",
        "Where is the nearest station?",
        "How much does this book cost?",
        "What time does the train leave?",
    ),
    **{
        ("text", made): ("attention", "abc123", "aaaabbbb", "transformer2017")
        for made in LANGUAGES.values()
    },
}

# What the tutorials teach with, by source language: the padded batch of song titles, the shortest
# last, and a sentence that says something else when its first and last word change places.
LESSONS: dict[str, Lessons] = {
    "en": {
        "batch": ("Blue and white porcelain", "Love before the common era", "Clear starry sky"),
        "order": "Tom loves Mary.",
    },
    "zh": {"batch": ("青花瓷", "爱在西元前", "星晴"), "order": "你打我。"},
    "text": {"batch": ("qinghuaci", "aizaixiyuanqian", "xingqing"), "order": "abc"},
}

# The two words of an example that change places when the room Positions opens on it: who does
# something and to whom, or two things that the sentence can also be said of.
SWAPS = {
    "She wants to buy a red car.": ("She", "car"),
    "Tom has sold his car.": ("Tom", "car"),
    "He has lost his key.": ("He", "key"),
    "我昨天买了一本书。": ("我", "书"),
    "I read a book yesterday.": ("I", "book"),
    "The old cat sleeps on the warm roof.": ("cat", "roof"),
    "I have a white cat and a black dog.": ("cat", "dog"),
    "I have not eaten since this morning.": ("I", "have"),
    "Where is the nearest station?": ("nearest", "station"),
    "Can you help me find my keys?": ("you", "me"),
    "She bought a red car last week.": ("She", "car"),
    "How much does this book cost?": ("does", "this book"),
    "What time does the train leave?": ("time", "train"),
    "她上个星期买了一辆红色的车。": ("她", "车"),
    "我从今天早上起就没吃东西。": ("我", "东西"),
    "最近的车站在哪里？": ("最近", "哪里"),
    "你会说英语吗？": ("你", "英语"),
    "我们不知道他想要什么。": ("我们", "他"),
}
