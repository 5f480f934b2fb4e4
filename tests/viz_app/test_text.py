"""Every word of the page, in every language: none missing, none left over, none half-translated."""

import ast
import re

import pytest

from model_core import errors
from model_core.values import config
from tests.conftest import ROOT
from viz_app.rooms import ROOMS
from viz_app.text import ALL_WORDS, WORDS, filled, words_by_file

ERRORS = "text/errors.txt"  # their English stands where they are raised
FILES = {
    name: (words["en"], words["zh"]) for name, words in words_by_file().items() if name != ERRORS
}
CHINESE_OF = {name: words["zh"] for name, words in words_by_file().items()}
CHINESE_OF_ERRORS = CHINESE_OF[ERRORS]
GLOSSARY = FILES["text/glossary.txt"][0] | FILES["text/glossary_heads.txt"][0]
UNUSUAL = {f"unusual_{code}" for code in config.UNUSUAL}  # their English stands there
SCRIPT = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "viz_app").rglob("*.js"))
)
MARK = re.compile(r"\[(\w+)\|([^\]|]*)\]")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
ENDING = re.compile(r"\{(\w+)\|(?:(\w*)\|)?\w*\}")  # "{n} row{n|s}", see filled in words.js
NEVER_ONE = {
    "positions",
    "width",
    "head_width",
    "vocabulary",
    "bits",  # with three digits
    "most_bits",
    "nats",
    "pairs",
    "updates",
    "begun",  # updates
}
CHINESE = re.compile(r"[\u4e00-\u9fff]")

# Keys that are put together out of sight of the patterns below, and where.
DYNAMIC = (
    r"term_\w+",  # glossary.js, from the marks; what is marked is tested below
    r"key_\w+",  # help.js
    r"language_(..|text|reversed)",  # titleOfModel, by the languages in config.json
    r"(temperature|top_k|top_p|seed|width)(_hint)?",  # NUMBER_FIELDS
    r"(strategy_(greedy|sample|beam)|view_(heat|lines|table))(_hint)?",  # makeWordSwitch
    r"guard_\w+",  # adviceFor
    r"unsure_(some|most)",  # pair.js
    r"habits_(encoder|decoder|cross|cross_aligned)",  # sites.js
    r"translate(_encoder|_decoder)?(_hint)?",  # header.js, by the kind of the model
    r"(edit|causal|part)_[\w-]+",  # labelOf and the lines of whatif.js
    r"named_[\w-]+",  # titleAmong, by the names of the models
    r"card_data_\w+",  # card.js, by the name of the data
    r"error_\w+",  # wordsOfError; the codes are tested below
    r"api_link|login_(name|password|enter|wrong)",  # document.py
    r"needs_script",  # standalone.py
)
# What Chinese text says in Latin letters, apart from formulas and file names.
LATIN_WORDS = {"softmax", "logit", "top", "enter", "shift", "space", "home", "end", "esc", "ctrl"}
LATIN_WORDS |= {"max", "norm", "tanh", "cos"}  # functions
LATIN_WORDS |= {"bleu", "chrf"}  # scores
LATIN_KEYS = {
    "language_switch",  # these two speak the other language
    "language_switch_hint",
}
MESSAGE_KEYS = {"error_other"}


def first_arguments(call):
    """The source text of the first argument of every call of a function in the scripts."""
    for match in re.finditer(rf"(?<![\w.]){call}\(", SCRIPT):
        depth, at, quote = 0, match.end(), ""
        while depth >= 0:
            letter = SCRIPT[at]
            if quote:
                quote = "" if letter == quote else quote
            elif letter in "\"'`":
                quote = letter
            elif letter in "([{":
                depth += 1
            elif letter in ")]}":
                depth -= 1
            elif letter == "," and depth == 0:
                break
            at += 1
        yield SCRIPT[match.end() : at].strip()


def literals(source):
    """The strings a piece of script may give; those it compares with are left out."""
    return re.findall(r'(?<!=== )(?<!!== )"([a-z]\w*)"', source)


def patterns(source):
    """The template strings in a piece of script as patterns of keys."""
    for template in re.findall(r"`([a-z]\w*_\$\{[^`]*)`", source):
        pattern = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", r"[\\w-]+", template)
        if re.fullmatch(r"[][\w\\+-]+", pattern):
            yield pattern


TOLD = [*first_arguments("t"), *re.findall(r"makeTermed\(t, ([^,)]+)", SCRIPT)]


@pytest.mark.parametrize("name", FILES)
def test_both_languages_say_the_same_keys_with_the_same_placeholders_and_terms(name):
    english, chinese = FILES[name]
    assert sorted(english) == sorted(chinese.keys() - UNUSUAL)
    for key, text in english.items():
        for parts in (PLACEHOLDER, MARK):
            ours, theirs = (sorted({m[1] for m in parts.finditer(x)}) for x in (text, chinese[key]))
            assert ours == theirs, key


def test_a_single_one_is_said_in_the_singular():
    counted = {key: text for key, text in WORDS["en"].items() if ENDING.search(text)}
    counted |= {key: text for key, text in GLOSSARY.items() if key.endswith("_here")}
    assert len(counted) > 60
    # Of a translation that is only its end there is one step, one row and one token.
    alone = ("masks_passes_same", "masks_small_stepped", "masks_counts", "compare_lead_fed")
    assert counted.keys() >= {*alone, "inside_norms_of_alone"}
    for key, text in counted.items():
        one = ENDING.sub(lambda match: match[2] or "", text)
        said = PLACEHOLDER.sub(lambda match: "9" if match[1] in NEVER_ONE else "#", one)
        assert not re.search(r"(?<!× )# (?!is )((source|target) )?\w*[^s\W]s\b", said), key


def test_a_picture_says_one_and_many_as_the_page_does():
    text = "{n} quer{n|y|ies} in {m} row{m|s}; %{x[0]} and {other}"
    assert filled(text, {"n": 1, "m": 2}) == "1 query in 2 rows; %{x[0]} and {other}"
    assert filled(text, {"n": 3, "m": "1"}) == "3 queries in 1 row; %{x[0]} and {other}"
    assert filled("{n}", {"n": "{m}", "m": 1}) == "{m}"  # in one pass


def test_no_key_belongs_to_two_files():
    english = sum(len(english) for english, _ in FILES.values())
    assert english + len(UNUSUAL) == len(ALL_WORDS["en"])
    assert sum(map(len, CHINESE_OF.values())) == len(ALL_WORDS["zh"])


def test_every_key_the_scripts_read_is_there():
    asked = {key for source in TOLD for key in literals(re.sub(r"`[^`]*`", "", source))}
    assert len(asked) > 60
    assert sorted(asked - set(WORDS["en"])) == []
    for source in TOLD:
        for pattern in patterns(source):
            assert any(re.fullmatch(pattern, key) for key in WORDS["en"]), source


def test_every_picture_of_a_room_has_a_name_in_the_dialog_that_saves_it():
    assert {f"export_what_{name}" for room in ROOMS for name in room.views} <= set(WORDS["en"])


def test_no_key_is_left_over():
    read = set(literals(SCRIPT))
    found = {*DYNAMIC, *(pattern for source in TOLD for pattern in patterns(source))}
    left = [
        key
        for key in WORDS["en"]
        if key not in read and not any(re.fullmatch(pattern, key) for pattern in found)
    ]
    assert left == []


def terms():
    return {
        match[1]
        for key in GLOSSARY
        if (match := re.fullmatch(r"term_(\w+)_about", key)) is not None
    }


def test_every_marked_word_is_explained_and_every_term_is_marked():
    marked = {match[1] for text in WORDS["en"].values() for match in MARK.finditer(text)}
    marked |= set(re.findall(r'(?<![\w.])term\("(\w+)"', SCRIPT))
    assert marked == terms()
    for name in terms():
        assert {f"term_{name}", f"term_{name}_here"} <= set(WORDS["en"])


def test_every_entry_of_the_glossary_belongs_to_a_term():
    names = "|".join(terms())
    for key in set(GLOSSARY) - {"term_here"}:
        assert re.fullmatch(rf"term_({names})(_about|_here|_formula(_\w+)?)?", key), key


KINDS = {name for name, kind in vars(errors).items() if isinstance(kind, type)}


def error_codes():
    """The codes that errors are raised with, and those of their classes."""
    codes = set()
    for path in [*(ROOT / "model_core").rglob("*.py"), *(ROOT / "viz_app").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            call = node.exc if isinstance(node, ast.Raise) else node
            name = getattr(getattr(call, "func", 0), "id", "")
            is_raised = call is not node or name in KINDS
            if isinstance(call, ast.Call) and (is_raised or name == "notice"):
                place = 0 if name == "notice" else 1
                for given in call.args[place : place + 1]:
                    codes |= texts_of(given)
            elif isinstance(node, ast.ClassDef) and path.name == "errors.py":
                for line in node.body:
                    if isinstance(line, ast.Assign):
                        codes |= texts_of(line.value)
    return codes


def texts_of(node):
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, ast.IfExp):
        return texts_of(node.body) | texts_of(node.orelse)
    if isinstance(node, ast.JoinedStr):  # f"token_{name}"
        beginning = node.values[0].value
        return {
            key.removeprefix("error_")
            for key in WORDS["zh"]
            if key.startswith(f"error_{beginning}")
        }
    return set()


def test_every_error_code_has_its_sentence_and_every_sentence_its_code():
    codes = error_codes()
    in_script = set(re.findall(r'code: "(\w+)"', SCRIPT)) | {
        key.removeprefix("error_") for key in literals(SCRIPT) if key.startswith("error_")
    }
    sentences = {key.removeprefix("error_") for key in WORDS["zh"] if key.startswith("error_")}
    assert codes >= {"characters", "tokens", "model", "checkpoint", "token_pad", "full"}
    assert codes | in_script == sentences


def test_english_that_stands_where_an_error_is_raised_is_not_said_again():
    assert not CHINESE_OF_ERRORS.keys() & WORDS["en"].keys()


def test_chinese_quotes_only_what_its_error_has():
    found = set()
    for path in (ROOT / "model_core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if getattr(getattr(node, "func", 0), "id", "") not in KINDS or len(node.args) < 2:
                continue
            values = {given.arg for given in node.keywords}
            for code in texts_of(node.args[1]):
                found.add(code)
                quoted = PLACEHOLDER.findall(CHINESE_OF_ERRORS.get(f"error_{code}", ""))
                assert set(quoted) <= values or None in values, code
    assert found >= {"full", "heads_stale", "hub_size", "token_pad"}


def bare(text):
    """The text as it is read: marks gone, a number in each placeholder."""
    return PLACEHOLDER.sub("0", MARK.sub(r"\2", text))


NEAR_CHINESE = re.compile(
    r"[\u4e00-\u9fff）”』」][,;:?!.]"  # half-width after a character
    r"|[\u4e00-\u9fff]\s?\("
    r"|[，。；：？！、][^\S\n]+\S"  # full-width signs bring their own space; a line may end
    r"|[^\S\n][，。；：？！、（）]"
    r"|[\u4e00-\u9fff][A-Za-z\u221a]"  # but Latin words and roots stand apart
    r"|\.\.\.|\""
)


def test_chinese_is_chinese_and_has_full_width_punctuation():
    for key, text in ((key, text) for words in CHINESE_OF.values() for key, text in words.items()):
        plain = bare(text)
        assert not NEAR_CHINESE.search(plain), f"{key}: {plain}"
        if "_formula" not in key and key not in LATIN_KEYS and not CHINESE.search(text):
            words = re.findall(r"[A-Za-z]{3,}", plain)
            assert {word.lower() for word in words} <= LATIN_WORDS, f"{key}: {text}"


def test_english_is_english_does_not_shout_and_ends_its_sentences_as_chinese_does():
    for english, chinese in FILES.values():
        for key, text in english.items():
            assert key in LATIN_KEYS or not CHINESE.search(text), f"{key}: {text}"
            assert not text.endswith("!"), key
            is_part = key.endswith(("_formula", "_here")) or "{message}" in text
            if not is_part and key not in MESSAGE_KEYS | LATIN_KEYS:
                assert text.endswith(".") == chinese[key].endswith("。"), f"{key}: {chinese[key]}"


def test_a_head_has_one_long_name_and_one_short_one():
    long = {"en": "layer {layer}, head {head}", "zh": "第 {layer} 层第 {head} 头"}
    for language, words in ALL_WORDS.items():
        told = {key: MARK.sub(r"\2", text) for key, text in words.items()}
        named = {
            key: text
            for key, text in told.items()
            if {"layer", "head"} <= set(PLACEHOLDER.findall(text))
        }
        assert len(named) > 20
        others = {
            key: text
            for key, text in named.items()
            if long[language] not in text.lower() and "L{layer}H{head}" not in text
        }
        assert others == {}
