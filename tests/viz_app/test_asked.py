"""What can be asked of the page: every link can be opened, and every question is found."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from model_core.errors import RecipeError
from model_core.folders import CHECKPOINTS
from model_core.values.edits import KINDS
from tests.javascript.running import run_module
from viz_app.lessons.lesson import own_lessons
from viz_app.links.link import read_link
from viz_app.menu.catalogue import models_of
from viz_app.rooms import ROOMS
from viz_app.text import LANGUAGES, WORDS, read_words
from viz_app.text.asked import asked

QUESTIONS = asked()["questions"]
ASKED = {one["name"]: one for one in QUESTIONS}
WORDINGS = read_words((Path(__file__).parent / "wordings.txt").read_text(encoding="utf-8"))
ASKS = """
import { indexOf, nearestEntries } from "./viz_app/stage/asking/matching.js";
const { asked, texts } = given;
const index = indexOf(asked);
console.log(JSON.stringify(texts.map((text) => {
  const { questions, isSure } = nearestEntries(index, text);
  return { names: questions.map(({ name }) => name), isSure };
})));
"""


@pytest.fixture(scope="module")
def models():
    return models_of(CHECKPOINTS)[0]


def found(texts):
    """What the page finds for texts: names, the nearest first, and whether it is sure of them."""
    return run_module(ASKS, {"asked": asked(), "texts": texts})


def test_every_link_is_read_and_fits_its_model(models):
    cat, early = "The old cat sleeps on the warm roof.", "He is used to getting up early."
    known = {cat, early, "Tom loves Mary.", "abc123"}
    for question in QUESTIONS:
        recipe, _ = read_link(question["link"], models)
        (model,) = (one for one in models if one["name"] == recipe.model)
        assert recipe.source in {*model["examples"], *known}, question["name"]


@pytest.mark.parametrize("name", ["en-de", "zh-en", "reverse-rotary"])
def test_what_any_sentence_shows_is_shown_of_other_models_too(name, models):
    refused = []
    for question in QUESTIONS:
        if question["own"] is not None:
            try:
                read_link(f"v=3&model={name}&text=a&{question['own']}", models)
            except RecipeError:
                refused.append(question["name"])
    assert refused == []


@pytest.mark.parametrize(
    "name",
    [
        *("encoder_layer", "encoder_pads", "mask_inference", "dropout", "two_roots"),
        *("join_heads", "feed_forward", "head_removed"),
    ],
)
def test_a_translation_that_an_answer_says_is_changed_is_another_one(bundled, models, name):
    (one,) = (question for question in asked()["questions"] if question["name"] == name)
    recipe, _ = read_link(one["link"], models)
    library = bundled.library
    edited, plain = (
        library.tracer(run.model, run.edits).text(library.extend(run, None)[1])
        for run in (recipe, replace(recipe, edits=()))
    )
    assert edited != plain


def test_every_term_room_and_edit_can_be_asked_for():
    terms = {match[1] for key in WORDS["en"] if (match := re.fullmatch(r"(term_\w+)_about", key))}
    names = {one["name"] for one in QUESTIONS if one["list"] == "terms"}
    assert names == terms
    places = {one["name"] for one in QUESTIONS if one["list"] == "places"}
    assert places == {f"room_{room.name}" for room in ROOMS} | {f"edit_{kind}" for kind in KINDS}
    lessons = {one["name"] for one in QUESTIONS if one["list"] == "lessons"}
    assert lessons == {f"lesson_{one.name}" for one in own_lessons()}
    assert len(ASKED) == len(QUESTIONS)


def test_answers_are_in_both_languages_and_hold_no_measured_number():
    for one in QUESTIONS:
        for language in LANGUAGES:
            said = f"{one['asks'][language]} {one['says'][language]}"
            assert not re.search(r"\d\.\d|[{}\[\]|]", said), said
        assert one["list"] != "questions" or re.search("[\u4e00-\u9fff]", one["says"]["zh"])
        assert not re.search("[\u4e00-\u9fff]", one["asks"]["en"] + one["says"]["en"])


# What answers quote that is a word of theirs, or is typed in a terminal.
OF_NO_PAGE = {"viz_app site", "and", "may be looked at", "与", "可以看"}


def test_what_an_answer_quotes_is_written_on_the_page():
    for language in LANGUAGES:
        written = {re.sub(r"\[\w+\|([^\]|]*)\]", r"\1", one) for one in WORDS[language].values()}
        quoted = {
            (one["name"], text)
            for one in QUESTIONS
            if one["list"] == "questions"
            for text in re.findall("“([^”]+)”", one["says"][language])
        }
        assert {text for _, text in quoted} & written
        assert {(name, text) for name, text in quoted if text not in written | OF_NO_PAGE} == set()


def test_the_sixty_questions_are_found_in_other_words():
    questions = {one["name"] for one in QUESTIONS if one["list"] == "questions"}
    assert set(WORDINGS["en"]) == questions and len(questions) == 60
    texts = [
        (name, text)
        for language in LANGUAGES
        for name, line in WORDINGS[language].items()
        for text in line.split(" | ")
    ]
    for language in LANGUAGES:
        assert all(line.count(" | ") >= 2 for line in WORDINGS[language].values())
    answers = found([text for _, text in texts])
    pairs = zip(texts, answers, strict=True)
    missed = [(*pair, said["names"]) for pair, said in pairs if pair[0] not in said["names"][:3]]
    assert missed == []
    # None of them is said to have no answer.
    unsure = [pair for pair, said in zip(texts, answers, strict=True) if not said["isSure"]]
    assert unsure == []


def test_terms_rooms_and_questions_are_found_by_their_own_names():
    for language in LANGUAGES:
        texts = [one["asks"][language] for one in QUESTIONS]
        for one, said in zip(QUESTIONS, found(texts), strict=True):
            assert one["name"] in said["names"][:3], one["asks"][language]
            assert said["isSure"], one["asks"][language]


# How somebody might ask for each lesson.
LESSONS = {
    "first-look": ("teach me how to read an attention map", "beginner lesson", "入门课"),
    "shift": ("lesson about shifted right", "teacher forcing lesson", "错开一位的课"),
    "choosing": ("lesson on greedy and beam search", "a course on decoding", "束搜索的课"),
    "query-key-value": ("lesson about query key and value", "qkv lesson", "查询、键和值的课"),
    "one-head": ("compute an attention weight by hand", "every number of one head", "手算注意力"),
    "roots": ("lesson on the two square roots", "scaling lesson", "根号的课"),
    "split": ("lesson on splitting heads", "multi-head lesson", "多头注意力的课"),
    "order": ("lesson on word order", "positional encoding lesson", "位置编码的课"),
    "pads": ("padding lesson", "a lesson on pads", "填充的课"),
    "leak": ("lesson on a leak in the causal mask", "too good to be true", "泄漏的课"),
    "norm": ("layer norm lesson", "lesson: norm before or after", "归一化的课"),
    "which-head": ("which head matters lesson", "ablation lesson", "哪个头重要"),
}


def test_every_lesson_is_found_in_other_words():
    texts = [(name, text) for name, every in LESSONS.items() for text in every]
    assert set(ASKED) >= {f"lesson_{name}" for name in LESSONS}
    answers = found([text for _, text in texts])
    missed = [
        (name, text, said["names"])
        for (name, text), said in zip(texts, answers, strict=True)
        if f"lesson_{name}" not in said["names"][:3]
    ]
    assert missed == []


def test_what_the_page_does_not_answer_is_said_to_be_none_of_it():
    none = [
        "what is the weather in Paris",
        "how to bake bread",
        "capital of France",
        "stable diffusion with LoRA",
        "今天天气怎么样",
        "怎么做红烧肉",
        "who won the world cup",
        "how tall is mount everest",
        "how much does an H100 cost",
        "write me a poem about autumn",
        "how do I install docker on ubuntu",
        "what is the best pizza in town",
        "how do convolutional neural networks work",
        "what is an LSTM",
        "difference between gru and lstm",
        "how does reinforcement learning from human feedback work",
        "how to fine-tune llama",
        "is chatgpt conscious",
        "what is a support vector machine",
        "how many planets are there",
        "why is the sky blue",
        "who are you",
        "hello",
        "asdf qwer zxcv",
        "lorem ipsum dolor sit amet",
        "how to train a dog",
        "can I get a refund",
        "why does my head hurt",
        "what is the value of a bitcoin",
        "how do I mask my voice",
        "wear a mask in hospital",
        "key to the city",
        "position of the moon tonight",
        "how long is the great wall",
        "best restaurants near me",
        "how do I change my password",
        "how does a gan work",
        "what is the learning objective of alphago",
        "卷积神经网络是什么",
        "怎样训练一只狗",
        "头疼怎么办",
        "钥匙丢了怎么办",
        "口罩在哪里买",
        "比特币现在值多少钱",
        "怎么退款",
        "我的订单到哪了",
        "推荐一部电影",
        "你是谁",
        "你好",
        "世界上最高的山",
        "强化学习是什么",
        "扩散模型的原理",
        "支持向量机怎么用",
        "写一首关于秋天的诗",
        "明天股票会涨吗",
        "怎么修改密码",
        "附近有什么好吃的",
        "<script>alert(1)</script>",
        "</s" * 200,
        "\ud83d\ude00",
        "",
    ]
    assert [text for text, said in zip(none, found(none), strict=True) if said["isSure"]] == []
