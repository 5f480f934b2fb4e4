"""Ten sentences of our own per pair of languages, with every translation of them that we accept.

They were written without looking at a model, for the kind of thing that a visitor types. What is
judged is the wording: letter case, spaces and punctuation are not compared. This module never looks
at a model.
"""

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class OwnSentence:
    """A sentence and its accepted translations, as patterns.

    In a pattern "(a|b|)" stands for a, b or nothing.
    """

    source: str
    patterns: tuple[str, ...]

    def accepts(self, output: str) -> bool:
        """Whether the output is one of the accepted translations."""
        wording = _wording(output)
        return any(re.fullmatch(_expression(pattern), wording) for pattern in self.patterns)


def own_sentences(source_language: str, target_language: str) -> tuple[OwnSentence, ...]:
    """The sentences for this pair of languages; none where we have not written any."""
    if target_language == "reversed":
        return tuple(OwnSentence(text, (text[::-1],)) for text in _STRINGS)
    table = _TABLES.get((source_language, target_language), "")
    table = table.replace("\n    ", "")  # an indented line goes on with the one above it
    blocks = [block.splitlines() for block in table.strip().split("\n\n") if block]
    return tuple(OwnSentence(lines[0], tuple(lines[1:])) for lines in blocks)


def _expression(pattern: str) -> str:
    """The regular expression of the wordings that a pattern stands for."""
    spelt = {"(": "(?:", "|": "|", ")": ")"}
    parts = re.split(r"([(|)])", pattern)
    return "".join(spelt.get(part) or re.escape(_wording(part)) for part in parts)


def _wording(text: str) -> str:
    """The letters, digits and accents of a text, folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if unicodedata.category(letter)[0] in "LNM")


_STRINGS = (
    "hello",
    "attention",
    "0123456789",
    "transformer2017",
    "racecar",
    "x",
    "thequickbrownfox",
    "a1b2c3d4e5",
    "zzzzzz",
    "everystringofthirtytwocharacters",
)

_TABLES = {
    ("en", "fr"): """
Where is the nearest station?
Où (est|se trouve) la (gare|station) la plus proche ?
Où est-ce que (est|se trouve) la (gare|station) la plus proche ?
Où la (gare|station) la plus proche (est-elle|se trouve-t-elle) ?

I have not eaten since this morning.
Je n'ai (pas|rien) mangé depuis ce matin.
Depuis ce matin, je n'ai (pas|rien) mangé.

Could you help me, please?
(pourriez-vous|pouvez-vous|est-ce que vous pourriez|est-ce que vous pouvez|vous pourriez|
    vous pouvez) m'aider, (s'il vous plaît|je vous prie) ?
(pourrais-tu|peux-tu|est-ce que tu pourrais|est-ce que tu peux|tu pourrais|tu peux) m'aider,
    (s'il te plaît|je te prie) ?
S'il vous plaît, (pourriez-vous|pouvez-vous) m'aider ?
S'il te plaît, (pourrais-tu|peux-tu) m'aider ?

My brother works in a hospital.
Mon frère travaille (dans un hôpital|à l'hôpital).

How much does this book cost?
Combien (|est-ce que )(coûte|vaut) ce livre ?
Combien (est-ce que ce livre coûte|ce livre coûte-t-il|ce livre vaut-il) ?
(Quel est le prix de|À combien est) ce livre ?
Ce livre coûte combien ?

It will rain tomorrow.
(|Demain, )il (pleuvra|va pleuvoir).
Il (pleuvra|va pleuvoir) demain.

I don't understand the question.
Je ne comprends pas la question.

The old cat sleeps on the warm roof.
(Le vieux chat|La vieille chatte) dort sur le toit (chaud|tiède).

She bought a red car last week.
Elle (a acheté|acheta|s'est acheté|s'acheta) une (voiture|auto) rouge la semaine (dernière|passée).
La semaine (dernière|passée), elle (a acheté|acheta|s'est acheté) une (voiture|auto) rouge.

What time does the train leave?
(À|A) quelle heure (|est-ce que )(part|partira|partirait) le train ?
(À|A) quelle heure (est-ce que le train part|le train part-il|le train partira-t-il|
    le train va-t-il partir) ?
Le train part à quelle heure ?
Quand (|est-ce que )(part|partira) le train ?
Quand (est-ce que le train part|le train part-il|le train partira-t-il) ?
""",
    ("en", "de"): """
Where is the nearest station?
Wo (ist|liegt|befindet sich) der nächste Bahnhof?
Wo (ist|liegt|befindet sich) die nächste (Station|Haltestelle)?
Wo ist hier der nächste Bahnhof?

I have not eaten since this morning.
Ich habe seit (heute Morgen|heute früh|heute Vormittag|diesem Morgen|dem Morgen)
    (nichts|nichts mehr|nicht|nicht mehr) gegessen.
Seit (heute Morgen|heute früh|diesem Morgen) habe ich
    (nichts|nichts mehr|nicht|nicht mehr) gegessen.

Could you help me, please?
(Könntest du|Kannst du|Könnten Sie|Können Sie|Könntet ihr|Könnt ihr|Würdest du|Würden Sie) mir
    (bitte|bitte mal|mal bitte) helfen?
(Könntest du|Kannst du|Könnten Sie|Können Sie|Könntet ihr|Könnt ihr)
    (bitte mir helfen|mir helfen, bitte)?

My brother works in a hospital.
Mein Bruder arbeitet (in einem|im) (Krankenhaus|Spital).

How much does this book cost?
(Wie viel|Wieviel|Was) kostet (dieses|das) Buch?
Wie teuer ist (dieses|das) Buch?

It will rain tomorrow.
Es (wird morgen regnen|regnet morgen|wird morgen Regen geben).
Morgen (wird es regnen|regnet es|wird es Regen geben|gibt es Regen).

I don't understand the question.
Ich verstehe die Frage nicht.
Die Frage verstehe ich nicht.

The old cat sleeps on the warm roof.
(Die alte Katze|Der alte Kater) schläft auf dem warmen (Dach|Dache).

She bought a red car last week.
Sie hat (|sich )(letzte|vergangene|vorige) Woche (ein rotes Auto|einen roten Wagen) gekauft.
Sie kaufte (|sich )(letzte|vergangene|vorige) Woche (ein rotes Auto|einen roten Wagen).
(Letzte|Vergangene|Vorige) Woche (hat sie ein rotes Auto gekauft|kaufte sie ein rotes Auto).
Sie hat in der letzten Woche ein rotes Auto gekauft.

What time does the train leave?
(Um wie viel Uhr|Um wieviel Uhr|Wann|Zu welcher Uhrzeit|Zu welcher Zeit) (fährt|geht)
    (der|dieser) Zug(| ab| los)?
""",
    ("en", "zh"): """
Where is the nearest station?
(|离这里|离这儿|离我)最近的(车站|火车站|地铁站|站)在(|什么)(哪里|哪儿|哪|地方)？
最近的(车站|火车站|地铁站)(是|是在)(哪里|哪儿)？

I have not eaten since this morning.
(|我)(自|从|自从)(今天|今)(早上|早|天早晨|早晨|天上午|上午)(|起|以来|到现在|开始)，(|我)
    (|就|还|都|一直|就一直)(没|没有)
    (吃|吃饭|吃过|吃过饭|吃东西|吃过东西|吃任何东西|吃过任何东西)(|了)。
我(今天|今)(早上|早|早晨|上午)(起|以来|到现在|开始)(|就|还|都|一直|就一直)(没|没有)
    (吃|吃饭|吃过|吃过饭|吃东西|吃过东西|吃任何东西|吃过任何东西)(|了)。
我(从早上|从早上起|从早上开始|从早上到现在)(|就|还|都|一直|就一直)(没|没有)
    (吃|吃饭|吃过|吃过饭|吃东西|吃过东西)(|了)。

Could you help me, please?
(|请问|请|拜托)(你|您)(能|可以|能不能|可不可以)(|请)
    (帮我|帮助我|帮帮我|帮我一下|帮我个忙|帮我一个忙|帮个忙|帮忙|帮一下忙)(|吗)？
(你|您)(能|可以)(帮我|帮助我|帮帮我|帮我一下|帮我个忙)吗，(拜托|请|求你了)？
请(|你|您)(帮我|帮帮我|帮助我|帮我一下|帮我个忙)(|好吗|吧)？

My brother works in a hospital.
(我|我的)(哥哥|弟弟|兄弟)在(|一家|一所|一间)医院(工作|上班|里工作|里上班|做事)。

How much does this book cost?
(这|那)(本书|书)(|要|要花|卖|值|是)(多少钱|多少)？
这本书的(价格|价钱)是多少？
这本书怎么卖？

It will rain tomorrow.
明天(|会|将会|将|要|将要|就会)(下雨|有雨)(|的|了)。

I don't understand the question.
我(不|不太|没|没有|没能)(明白|懂|理解|了解|听懂|看懂)(|这个|这道|那个|该)(问题|题目|题)(|的意思)。
我(听不懂|看不懂|搞不懂)(|这个|那个)(问题|题目)。
(这个|那个)(问题|题目)我不(明白|懂|理解)。

The old cat sleeps on the warm roof.
(|那只|这只|那|这)(老|年老的)猫(|正|正在)(睡在|在)(|一个)(温暖|暖和|暖|热|温热)(|的)
    (屋顶|房顶|屋顶子)上(睡|睡觉|睡着|睡着了)(|了)。
(|那只|这只|那|这)(老|年老的)猫(睡|正睡|躺着睡)在(温暖|暖和|暖|热|温热)(|的)(屋顶|房顶)上。

She bought a red car last week.
她(上周|上星期|上个星期|上礼拜|上个礼拜)(买了|买|购买了)(|一)(|辆|部|台)(红|红色|红色的|红的)
    (车|汽车|轿车|小汽车|车子)(|了)。
(上周|上星期|上个星期|上礼拜|上个礼拜)她(买了|购买了)(|一)(|辆|部|台)(红|红色|红色的)
    (车|汽车|轿车|小汽车|车子)。

What time does the train leave?
(|这班|这趟|那班|这|那|这列|那列)(火车|列车)(几点|几点钟|什么时候|何时|什么时间|在几点)(|会|要)
    (开|开车|出发|离开|发车|启程|走|开走|离站|启动)(|的|呢)？
""",
    ("zh", "en"): """
最近的车站在哪里？
(Where is|Where's) the (nearest|closest)
    (station|train station|railway station|bus station|bus stop|subway station|stop)?

我从今天早上起就没吃东西。
(I haven't|I have not|I've not)
    (eaten|eaten anything|eaten a thing|had anything to eat|eaten any food) since this morning.
(I have|I've) (eaten nothing|had nothing to eat|not eaten anything) since this morning.
Since this morning, (I haven't|I have not) eaten(| anything).

你能帮我一下吗？
(|Please )(can|could|will|would) you (|please )
    (help me|help me out|give me a hand|give me some help|lend me a hand|
    do me a favor|do me a favour)
    (|, please| a bit| a little| for a moment| for a second| for a minute)?

我哥哥在医院工作。
My (brother|older brother|elder brother|big brother) (works|is working) (in|at) (a|the) hospital.

这本书多少钱？
How much is (this|the) book?
How much does (this|the) book cost?
(What is|What's) the price of (this|the) book?

明天会下雨吗？
Will it (rain|be raining) tomorrow?
Is it going to rain tomorrow?
Will there be rain tomorrow?

我不明白这个问题。
I (don't|do not|can't|cannot|didn't) (understand|get) (this|the|that) (question|problem|issue).

她上个星期买了一辆红色的车。
She bought (a|one) red car last week.
Last week she bought (a|one) red car.

火车几点开？
(What time|At what time|When) (does|will) (the|this) train (leave|depart|start|go)?
(What time|When) is the train (leaving|departing)?

你会说英语吗？
(Can|Do|Could) you speak English?
Are you able to speak English?
""",
}
