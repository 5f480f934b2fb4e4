"""Answers in the visitor's browser: what `Service` says, of models whose files come one by one.

It runs in Pyodide; interpreter.js calls it with texts and gets texts. What imports torch finds the
array module in its place.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from viz_app.live import written
from viz_app.live.arrays.functional import Kernel, use
from viz_app.live.standing import stand_in

if TYPE_CHECKING:
    from model_core.errors import VisualiserError
    from viz_app.server.service import Service


# Of the product: addresses of x, the weights, the bias (0: none) and what is made, and M, K, N.
Linear = Callable[[int, int, int, int, int, int, int], None]
_LEAST = 4096  # weights; of fewer the product takes less time than the call
_WEIGHTS = "model.safetensors"


class Absent(BaseException):
    """The files of a model have not come yet. No error: the browser fetches them and asks again."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


class Inside:
    """The service of a folder that has the configurations of all models, and files as they come."""

    def __init__(self, models: str, linear: Linear | None = None, limits: str = "local"):
        """`limits` names the limits of the server of this page: "demo", else "local"."""
        written.use()
        stand_in()
        if linear is not None:
            use(kernel_of(linear))
        self._service = _service(Path(models), limits)

    def computes(self) -> str:
        """What computes all answers, as files name it."""
        from viz_app.values.computed_by import computed_by

        return computed_by()

    def answer(self, text: str) -> str:
        """The answer to a request, both in JSON; {"absent": NAME} if that model must come first."""
        try:
            return self._service.reply(json.loads(text)).body.decode()
        except Absent as absent:
            return json.dumps({"absent": absent.name})

    def bring(self, folder: str) -> str:
        """What the page knows of a checkpoint of the visitor's own, which is offered from now on.

        In JSON: {"model"}, or {"error"}. Nothing in the folder is run, and nothing leaves it.
        """
        from model_core.errors import CheckpointError
        from model_core.models.hub.folder import is_hub_folder
        from viz_app.server.answers.requests import reply_or_error
        from viz_app.text import named_error

        def brought() -> dict[str, Any]:
            if is_hub_folder(Path(folder)):
                raise named_error(CheckpointError, "own_hub")
            return {"model": self._service.offer(Path(folder))}

        return reply_or_error(brought).body.decode()


def _service(models: Path, limits: str) -> "Service":
    from model_core.checkpoints.snapshots import parted
    from viz_app.limits import DEMO, LOCAL
    from viz_app.server.service import Service

    class Partly(Service):
        """A service some of whose models lack their files."""

        def _tell(self, name: str, error: "VisualiserError") -> None:
            whole = parted(name)[0]
            if not (self.checkpoints / whole / _WEIGHTS).exists():
                raise Absent(whole) from error
            super()._tell(name, error)

    return Partly(models, DEMO if limits == "demo" else LOCAL)


def kernel_of(linear: Linear) -> Kernel:
    """What makes products by a function of WebAssembly, which reads and writes this memory."""

    def product(x: np.ndarray, weight_NK: np.ndarray, bias_N: np.ndarray | None) -> Any:
        N, K = weight_NK.shape
        if K % 4 or N * K < _LEAST or not x.dtype == weight_NK.dtype == _FLOAT:
            return None
        x = np.ascontiguousarray(x)
        made = np.empty((*x.shape[:-1], N), np.float32)
        bias = 0 if bias_N is None else _address(bias_N)
        linear(_address(x), _address(weight_NK), bias, _address(made), x.size // K, K, N)
        return made

    return product


_FLOAT = np.dtype(np.float32)


def _address(array: np.ndarray) -> int:
    place: int = array.__array_interface__["data"][0]
    return place
