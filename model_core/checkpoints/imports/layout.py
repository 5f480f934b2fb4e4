"""How the tensors of other code become our configuration and weights.

A layout's table gives each name there a part here. Parts are called

    source.embedding, target.embedding, logits      followed by .weight or .bias, as all below
    source.table, target.table                      of positions, (P, D) in any shape
    STACK.N.SITE.query, .key, .value                of STACK encoder or decoder, layer N from 0,
    STACK.N.SITE.output, .projection                SITE self or cross; projection is all three
    STACK.N.feed_forward.inner, .outer
    STACK.N.SUBLAYER.norm                           SUBLAYER self, cross or feed_forward
    STACK.norm                                      the final one
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from torch import Tensor

from model_core.values.special import OURS, Special

Parts = dict[str, Tensor]
_GROUPS = {
    "{n}": r"(?P<n>\d{1,3})",
    "{h}": r"(?P<h>\d{1,3})",
    "{stack}": "(?P<stack>encoder|decoder)",
    "{rest}": "(?P<rest>weight|bias)",
    "{within}": r"(?:[^\W\d]\w*\.){0,2}",
}


@dataclass(frozen=True, eq=False)
class Layout:
    """One way in which other code names and uses its weights.

    In `fields`, {n} is a layer, {h} a head, {stack} encoder or decoder, {rest} weight or bias,
    {within} the names of at most two modules around it, and {a|b} any of several spellings.
    `settings` are the fields of ModelConfig that hold for all such files; `further` finds those
    that depend on the tensors, given the settings asked for.
    """

    name: str
    about: str  # one sentence
    fields: Mapping[str, str]  # their name -> our part
    settings: Mapping[str, Any] = field(default_factory=dict)
    special: Special = OURS  # where no tokenizer says it
    source_start: bool = False  # whether a start token stands before the source
    # Changes the parts where a table cannot say it, and returns settings.
    further: Callable[[Parts, Mapping[str, Any]], dict[str, Any]] = lambda parts, asked: {}

    def part(self, name: str) -> str | None:
        """Our part for one of their names; None where it is unknown."""
        for pattern, part in self._patterns:
            if found := pattern.fullmatch(name):
                return part.format(**found.groupdict())
        return None

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(_regex(name)), part) for name, part in self.fields.items()]

    def share_of(self, names: Sequence[str]) -> float:
        """How many of these names the layout knows, 0 to 1."""
        return sum(self.part(name) is not None for name in names) / max(1, len(names))


def linears(theirs: str, ours: str, names: Mapping[str, str]) -> dict[str, str]:
    """The fields of layers that have a weight and perhaps a bias: {their name: our name}."""
    return {f"{theirs}.{name}.{{rest}}": f"{ours}.{part}.{{rest}}" for name, part in names.items()}


def _regex(pattern: str) -> str:
    """The regular expression of a name with groups and alternatives in braces."""
    made = []
    for piece in re.split(r"(\{[^}]*\})", pattern):
        if piece in _GROUPS:
            made.append(_GROUPS[piece])
        elif piece.startswith("{"):
            made.append(f"(?:{'|'.join(map(re.escape, piece[1:-1].split('|')))})")
        else:
            made.append(re.escape(piece))
    return "".join(made)
