"""What the app answers to the stage and to programs, each answer a pure function of the request.

The server keeps no session: every request carries the whole recipe. A VisualiserError becomes a
message for the reader; any other exception is a bug and is raised.
"""

import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model_core.errors import RecipeError, VisualiserError
from model_core.recipe import Recipe
from model_core.trace import SITES, Decoding
from viz_app.payload import payload
from viz_app.rooms import ROOMS

if TYPE_CHECKING:
    from model_core.tracer import Library


class Service:
    """Answers for the checkpoints under one folder.

    torch is imported with the first answer, or in the background by `warm_up`.
    """

    def __init__(self, checkpoints: Path):
        self.checkpoints = checkpoints
        self._library: Library | None = None
        self._importing = threading.Lock()

    @property
    def library(self) -> "Library":
        with self._importing:
            if self._library is None:
                from model_core.tracer import Library  # imports torch: a second or more

                self._library = Library(self.checkpoints)
            return self._library

    def warm_up(self, model: str) -> None:
        """Open a model in the background, so that it is ready when the page is."""
        threading.Thread(target=self._open, args=(model,), daemon=True).start()

    def _open(self, model: str) -> None:
        with suppress(VisualiserError):  # whoever asks for the model is told
            self.library.tracer(model)

    def answer(self, request: Any) -> dict[str, Any]:
        """The payload for a request of the stage, or {"error": what `told` says}.

        A request is {"recipe", "extend": 0 | 1 | "end", "force": a token or null, "have": how many
        steps the browser holds}.
        """
        try:
            if isinstance(request, dict) and "room" in request:
                return self._answer_room(request)
            recipe, count, force, have = _checked(request)
            recipe, decoding = self.library.extend(recipe, count, force)
            have = have if have < len(decoding.steps) + 1 else 0
            labels = self.library.tracer(recipe.model).checkpoint.target_tokenizer
            return payload(recipe, decoding, labels, have)
        except VisualiserError as error:
            return {"error": told(error)}

    def _answer_room(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["room"]
        if not isinstance(name, str) or name not in ROOMS:
            raise RecipeError(f"There is no such room; there are {', '.join(ROOMS)}.")
        return ROOMS[name](self.library, request)

    def translate(self, recipe: dict[str, Any]) -> dict[str, Any]:
        """Choose tokens until the end token or the limit: {recipe, text, finished}."""
        done, decoding = self.library.extend(Recipe.from_json(recipe), None)
        return self._outcome(done, decoding)

    def step(self, recipe: dict[str, Any], token: int | None = None) -> dict[str, Any]:
        """Choose one more token, `token` if it is given: {recipe, text, finished, candidates}.

        The candidates are for the token after it, with log-probabilities in nats.
        """
        if token is not None and type(token) is not int:
            raise RecipeError(f"token is {token!r}; it must be a whole number or null.")
        done, decoding = self.library.extend(Recipe.from_json(recipe), 1, token)
        labels = self.library.tracer(done.model).checkpoint.target_tokenizer
        candidates = payload(done, decoding, labels, len(decoding.steps) - 1)["steps"][0][
            "candidates"
        ]
        outcome = self._outcome(done, decoding)
        return outcome | {"candidates": [] if decoding.finished == "end" else candidates}

    def trace(self, recipe: dict[str, Any], site: str, layer: int) -> dict[str, Any]:
        """Every array of one attention sub-layer, layers counted from 1, as nested lists.

        q_HQE, k_HKE, v_HKE, scores_HQK, mask_QK, weights_HQK; `queries` and `keys` are the tokens.
        """
        done, decoding = self.library.extend(Recipe.from_json(recipe), 0)
        layers = len(decoding.encoder if site == "encoder" else decoding.cross_keys)
        if site not in SITES:
            raise RecipeError(f"There is no site {site!r}; there are {', '.join(SITES)}.")
        if type(layer) is not int or not 1 <= layer <= layers:
            raise RecipeError(f"There is no layer {layer!r}; the {site} has layers 1 to {layers}.")
        trace = decoding.trace(site, layer - 1)
        names = ("q_HQE", "k_HKE", "v_HKE", "scores_HQK", "mask_QK", "weights_HQK")
        return {
            "recipe": done.to_json(),
            "site": site,
            "layer": layer,
            "queries": list(trace.queries.pieces),
            "keys": list(trace.keys.pieces),
            **{name: getattr(trace, name).tolist() for name in names},
        }

    def _outcome(self, recipe: Recipe, decoding: Decoding) -> dict[str, Any]:
        text = self.library.tracer(recipe.model).text(decoding)
        return {"recipe": recipe.to_json(), "text": text, "finished": decoding.finished}


def told(error: VisualiserError) -> dict[str, Any]:
    """An error as JSON: {"kind", "message", "code", "values"}.

    The message is English; `error_<code>` with the values is the sentence in any language.
    """
    return {
        "kind": type(error).__name__,
        "message": str(error),
        "code": error.code,
        "values": error.values,
    }


def _checked(request: Any) -> tuple[Recipe, int | None, int | None, int]:
    if not isinstance(request, dict):
        raise RecipeError("A request is a JSON object.")
    extend, force, have = request.get("extend", 0), request.get("force"), request.get("have", 0)
    counts = {0: 0, 1: 1, "end": None}
    if isinstance(extend, bool) or extend not in (0, 1, "end"):
        raise RecipeError(f'extend is {extend!r}; it must be 0, 1 or "end".')
    if force is not None and type(force) is not int:
        raise RecipeError(f"force is {force!r}; it must be a token's id or null.")
    if type(have) is not int or have < 0:
        raise RecipeError(f"have is {have!r}; it must be a whole number of steps.")
    return Recipe.from_json(request.get("recipe")), counts[extend], force, have
