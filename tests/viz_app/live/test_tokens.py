"""What stands in for `tokenizers` makes the same ids, offsets and texts as the library."""

import random
import unicodedata

import pytest
import tokenizers

from model_core.folders import CHECKPOINTS
from model_core.tokenizer_parts import checked_parts
from viz_app.live.tokens import Tokenizer
from viz_app.rooms.examples import EXAMPLES

FILES = ("en-fr/tokenizer.json", "en-zh/target_tokenizer.json", "reverse-tiny/tokenizer.json")
ODD = [
    *("", " ", "  two  spaces ", "▁mark", "▁▁a", "tab\tnew\nline", "“quotes” — dash… $5 + 3 = 8"),
    *(
        "<s> </s> <pad>",
        "👨‍👩‍👧 family 👍🏽",
        "naïve café № 5",
        "x²≠y",
        "日本語テキスト",
        "עברית العربية",
    ),
    # Decomposed, in several orders, and what never composes.
    *("a\u0301 e\u0301te\u0301", "\u1100\u1161\u11a8", "e\u0323\u0301x", "e\u0301\u0323x"),
    *("\u0301a", "q\u0307\u0323", "\u0958", "\u212b", "\u0344x", "e\u0301\u1100\u1161"),
]
# First and last characters of scripts, marks and signs.
SCRIPTS = (
    *((0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x400), (0x400, 0x530)),
    *((0x590, 0x700), (0x900, 0x980), (0xE00, 0xE80), (0x1100, 0x1200), (0xAC00, 0xD7A4)),
    *((0x1E00, 0x2070), (0x2190, 0x2600), (0x3040, 0x3100), (0x4E00, 0x9FFF), (0x1F300, 0x1F700)),
)


def drawn(count):
    """Lines over up to four scripts each, the spaces between words among them."""
    draw = random.Random(3)
    for _ in range(count):
        scripts = [(0x20, 0x22), *draw.sample(SCRIPTS, draw.randint(1, 4))]
        places = (draw.choice(scripts) for _ in range(draw.randint(1, 25)))
        yield "".join(chr(draw.randrange(*place)) for place in places)


def assigned():
    """Every character that Unicode has assigned, once, in lines of words."""
    there = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    there = [one for one in there if unicodedata.category(one) not in ("Cn", "Co")]
    for start in range(0, len(there), 60):
        line = there[start : start + 60]
        yield " ".join("".join(line[place : place + 6]) for place in range(0, 60, 6))


@pytest.fixture(scope="module", params=FILES)
def both(request):
    text = checked_parts((CHECKPOINTS / request.param).read_text("utf-8"))
    library = tokenizers.Tokenizer.from_str(text)
    library.encode_special_tokens = True
    return library, Tokenizer.from_str(text)


def check(both, lines):
    library, ours = both
    for line in lines:
        expected, found = library.encode(line, add_special_tokens=False), ours.encode(line)
        assert found.ids == expected.ids, line
        assert found.tokens == expected.tokens, line
        assert found.offsets == expected.offsets, line
        assert ours.decode(found.ids) == library.decode(found.ids, skip_special_tokens=False), line


def test_examples_and_odd_texts_are_read_alike(both):
    check(both, [*ODD, *(text for texts in EXAMPLES.values() for text in texts)])


def test_lines_of_many_scripts_are_read_alike(both, pytestconfig):
    check(both, drawn(10_000 if pytestconfig.getoption("--whole") else 2000))


@pytest.mark.parametrize("both", FILES[:2], indirect=True)  # one of words, one of characters
def test_every_character_of_unicode_is_read_alike(both):
    check(both, assigned())


def test_any_ids_are_decoded_alike(both):
    """Broken characters too: bytes of which some are missing, in any order."""
    library, ours = both
    draw = random.Random(5)
    for _ in range(2000):
        ids = [draw.choice((draw.randrange(3, 259), draw.randrange(259, 330))) for _ in range(9)]
        ids = [token for token in ids if token < library.get_vocab_size()]
        assert ours.decode(ids) == library.decode(ids, skip_special_tokens=False)


def test_a_tokenizer_of_another_kind_is_refused():
    other = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, unk_token="a"))
    other.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    with pytest.raises(ValueError, match="trained here"):
        Tokenizer.from_str(other.to_str())
