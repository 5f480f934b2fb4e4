"""Asking a model that may be in training, and leaving it as it was."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from model_core.transformer.transformer import Transformer

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def evaluating(
    function: Callable[Concatenate[Transformer, Arguments], Result],
) -> Callable[Concatenate[Transformer, Arguments], Result]:
    """The function, its model in evaluation mode while it runs, whatever ends it."""

    @wraps(function)
    def run(model: Transformer, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        was_training = model.training
        model.eval()
        try:
            return function(model, *args, **kwargs)
        finally:
            model.train(was_training)

    return run
