"""Every word the reader sees, by key. Code elsewhere holds keys only.

One file a part of the page; a room's file holds its words in every language.
"""

from viz_app.text import inside, masks, positions, stage_en

WORDS_EN = stage_en.EN | masks.EN | positions.EN | inside.EN

LANGUAGES = {
    "en": "English",
    "fr": "French",
    "de": "German",
    "es": "Spanish",
    "zh": "Chinese",
    "text": "text",
    "reversed": "reversed",
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
