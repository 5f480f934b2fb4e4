"""Sentences of our own with the word links that a reader drew by hand, to score aligners with.

Words are separated by a space, or by "·" where the text has none. A link "3-4" joins source word 3
and target word 4, both counted from 0. All links are sure ones. This module never looks at a model.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class HandAligned:
    """A sentence pair as it is written, where its words stand, and which belong together."""

    source: str
    target: str
    source_spans: tuple[tuple[int, int], ...]
    target_spans: tuple[tuple[int, int], ...]
    links: frozenset[tuple[int, int]]  # (source word, target word)

    def reversed(self) -> "HandAligned":
        """The same pair read the other way round."""
        links = frozenset((target, source) for source, target in self.links)
        return HandAligned(self.target, self.source, self.target_spans, self.source_spans, links)


_PAIRS = {
    ("en", "fr"): """
The old cat sleeps on the warm roof·. | Le vieux chat dort sur le toit chaud·.
    0-0 1-1 2-2 3-3 4-4 5-5 6-7 7-6 8-8
I have not eaten since this morning·. | Je n'·ai pas mangé depuis ce matin·.
    0-0 1-2 2-1 2-3 3-4 4-5 5-6 6-7 7-8
Where is the station·? | Où est la gare ?
    0-0 1-1 2-2 3-3 4-4
She gave him a red book·. | Elle lui a donné un livre rouge·.
    0-0 1-2 1-3 2-1 3-4 4-6 5-5 6-7
My brother is taller than me·. | Mon frère est plus grand que moi·.
    0-0 1-1 2-2 3-3 3-4 4-5 5-6 6-7
They live in a small white house·. | Ils vivent dans une petite maison blanche·.
    0-0 1-1 2-2 3-3 4-4 5-6 6-5 7-7
Do you speak French·? | Parlez·-vous français ?
    1-1 2-0 3-2 4-3
We will leave tomorrow morning·. | Nous partirons demain matin·.
    0-0 1-1 2-1 3-2 4-3 5-4
I do not understand this question·. | Je ne comprends pas cette question·.
    0-0 2-1 2-3 3-2 4-4 5-5 6-6
The children are playing in the garden·. | Les enfants jouent dans le jardin·.
    0-0 1-1 2-2 3-2 4-3 5-4 6-5 7-6
He bought a new black car·. | Il a acheté une nouvelle voiture noire·.
    0-0 1-1 1-2 2-3 3-4 4-6 5-5 6-7
This coffee is too hot·. | Ce café est trop chaud·.
    0-0 1-1 2-2 3-3 4-4 5-5
Her sister works in a hospital·. | Sa sœur travaille dans un hôpital·.
    0-0 1-1 2-2 3-3 4-4 5-5 6-6
I saw them yesterday·. | Je les ai vus hier·.
    0-0 1-2 1-3 2-1 3-4 4-5
You must wash your hands·. | Tu dois te laver les mains·.
    0-0 1-1 2-2 2-3 3-4 4-5 5-6
It is raining today·. | Il pleut aujourd'hui·.
    0-0 1-1 2-1 3-2 4-3
The train arrived late because of the snow·. | Le train est arrivé en retard à cause de la neige·.
    0-0 1-1 2-2 2-3 3-4 3-5 4-6 4-7 5-8 6-9 7-10 8-11
Nobody knows his real name·. | Personne ne connaît son vrai nom·.
    0-0 0-1 1-2 2-3 3-4 4-5 5-6
What time does the shop open·? | À quelle heure ouvre le magasin ?
    0-1 1-2 3-4 4-5 5-3 6-6
I am looking for my keys·. | Je cherche mes clés·.
    0-0 1-1 2-1 3-1 4-2 5-3 6-4
""",
    ("zh", "en"): """
老·猫·在·屋顶·上·睡觉·。 | The old cat is sleeping on the roof·.
    0-1 1-2 2-5 3-7 4-5 5-4 6-8
我·喜欢·苹果·。 | I like apples·.
    0-0 1-1 2-2 3-3
他·昨天·买·了·一·本·书·。 | He bought a book yesterday·.
    0-0 1-4 2-1 3-1 4-2 5-2 6-3 7-5
你·为什么·哭·？ | Why are you crying·?
    0-2 1-0 2-3 3-4
请·打开·窗户·。 | Please open the window·.
    0-0 1-1 2-3 3-4
我们·明天·去·北京·。 | We are going to Beijing tomorrow·.
    0-0 1-5 2-2 3-4 4-6
她·比·我·高·。 | She is taller than me·.
    0-0 1-3 2-4 3-2 4-5
这·是·我·的·狗·。 | This is my dog·.
    0-0 1-1 2-2 3-2 4-3 5-4
孩子·们·在·花园·里·玩·。 | The children are playing in the garden·.
    0-1 1-1 2-4 3-6 4-4 5-3 6-7
我·不·明白·这个·问题·。 | I don't understand this question·.
    0-0 1-1 2-2 3-3 4-4 5-5
今天·很·冷·。 | It is very cold today·.
    0-4 1-2 2-3 3-5
汤姆·会·说·法语·。 | Tom can speak French·.
    0-0 1-1 2-2 3-3 4-4
火车·站·在·哪里·？ | Where is the station·?
    0-3 1-3 2-1 3-0 4-4
他·的·父亲·是·医生·。 | His father is a doctor·.
    0-0 1-0 2-1 3-2 4-4 5-5
我·没有·时间·看·电视·。 | I have no time to watch television·.
    0-0 1-1 1-2 2-3 3-5 4-6 5-7
""",
}


def hand_aligned(source_language: str, target_language: str) -> tuple[HandAligned, ...]:
    """The pairs of two languages, in either direction; none where nobody has drawn any."""
    languages = (source_language, target_language)
    if languages in _PAIRS:
        lines = _PAIRS[languages].strip().split("\n")
        return tuple(
            _read(both, links) for both, links in zip(lines[::2], lines[1::2], strict=True)
        )
    if languages[::-1] in _PAIRS:
        return tuple(pair.reversed() for pair in hand_aligned(*languages[::-1]))
    return ()


def _read(both: str, links: str) -> HandAligned:
    source, target = both.split("|")
    joined = frozenset(
        (int(word), int(other)) for word, other in (link.split("-") for link in links.split())
    )
    return HandAligned(*_words(source.strip(), target.strip()), joined)


def _words(
    source: str, target: str
) -> tuple[str, str, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Both sides as they are written, and the span of each of their words."""
    texts, spans = [], []
    for marked in (source, target):
        text, found = marked.replace("·", ""), []
        at = 0
        for word in marked.replace("·", " ").split():
            at = text.index(word, at)
            found.append((at, at + len(word)))
            at += len(word)
        texts.append(text)
        spans.append(tuple(found))
    return texts[0], texts[1], spans[0], spans[1]
