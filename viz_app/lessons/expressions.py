"""The small language in which a lesson says what is computed: `weight("cross", head, row, 3)`.

It has calls of the answers there are, variables, texts, numbers, and + - * /. An expression is
read into a tree and walked here; Python never runs it.
"""

import ast
import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any

MOST = 400  # letters of an expression
MOST_NUMBER = 2**53  # of what is reckoned: of larger ones a browser loses digits
Value = Any  # a number, a text, or what one answer hands to another
Answers = Mapping[str, Callable[..., Value]]
_BETWEEN: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def read(said: Any, answers: Answers) -> ast.expr:
    """The tree of an expression; ValueError says what in it is not allowed."""
    if isinstance(said, int | float) and not isinstance(said, bool):
        return ast.Constant(said)
    if not isinstance(said, str) or len(said) > MOST:
        raise ValueError(f"an expression is a number, or a text of at most {MOST} letters")
    try:
        tree = ast.parse(said, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"{said[:60]!r} cannot be read") from error
    _check(tree, said, answers)
    return tree


def variables(tree: ast.expr) -> set[str]:
    """The names that it takes from elsewhere."""
    called = {id(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)}
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and id(one) not in called}


def worth(tree: ast.expr, answers: Answers, names: Mapping[str, Value]) -> Value:
    """What it comes to; `answers` are bound to the run that is asked about."""
    if isinstance(tree, ast.Constant):
        return tree.value
    if isinstance(tree, ast.Name):
        return names[tree.id]
    if isinstance(tree, ast.UnaryOp):
        return -_number(worth(tree.operand, answers, names))
    if isinstance(tree, ast.BinOp):
        sides = (tree.left, tree.right)
        left, right = (_number(worth(one, answers, names)) for one in sides)
        made = _BETWEEN[type(tree.op)](left, right)
        if not abs(made) <= MOST_NUMBER:  # products of products would soon take minutes
            raise OverflowError(f"a number is larger than {MOST_NUMBER}")
        return made
    call: Any = tree
    given = [worth(one, answers, names) for one in call.args]
    named = {one.arg: worth(one.value, answers, names) for one in call.keywords}
    return answers[call.func.id](*given, **named)


def _number(value: Value) -> int | float:
    if isinstance(value, int | float):
        return value
    raise TypeError(f"{str(value)[:40]!r} is no number")


def _nearest(name: str, names: Iterable[str]) -> list[str]:
    """The three that share most pairs of letters with a name; browsers have no difflib."""
    pairs = {one: {one[i : i + 2] for i in range(len(one) - 1)} for one in (name, *names)}
    shared = {one: len(pairs[one] & pairs[name]) / len(pairs[one] | pairs[name]) for one in names}
    return sorted(shared, key=lambda one: -shared[one])[:3]


def _check(tree: ast.expr, said: str, answers: Answers) -> None:
    if isinstance(tree, ast.Constant) and type(tree.value) in (str, int, float):
        if isinstance(tree.value, float) and not isfinite(tree.value):
            raise ValueError("a number is too large")
        return
    if isinstance(tree, ast.Name):
        return
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return _check(tree.operand, said, answers)
    if isinstance(tree, ast.BinOp) and type(tree.op) in _BETWEEN:
        _check(tree.left, said, answers)
        return _check(tree.right, said, answers)
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        part = str(ast.get_source_segment(said, tree))
        raise ValueError(f"{part[:60]!r} is no answer, variable, text or number")
    name = tree.func.id
    if name not in answers:
        near = ", ".join(_nearest(name, answers))
        raise ValueError(f"there is no answer {name!r}; the nearest are {near}")
    if any(isinstance(one, ast.Starred) for one in tree.args) or None in {
        one.arg for one in tree.keywords
    }:
        raise ValueError(f"{name} is not called with stars")
    try:
        named = {str(one.arg): None for one in tree.keywords}
        inspect.signature(answers[name]).bind(None, *tree.args, **named)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from error
    for one in (*tree.args, *(one.value for one in tree.keywords)):
        _check(one, said, answers)
