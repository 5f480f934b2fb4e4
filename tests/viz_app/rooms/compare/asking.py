"""Two runs of one sentence and a shorter one, and what is asked about them."""

from model_core.values.recipe import Recipe
from tests.answered import answered, floats

SENTENCE, OTHER = "The old cat.", "The cat."
A = {"model": "tiny", "source": SENTENCE, "target": []}
B = Recipe("twin", OTHER).to_json()


def ask(service, recipe, **changes):
    """What the room answers, with the numbers of its maps as arrays."""
    answer = answered(service, {"room": "compare", "recipe": recipe} | changes)
    shape = len(answer["row_pairs"]), len(answer["column_pairs"])
    for name in ("a", "b", "difference"):
        answer[name] = floats(answer[name], *shape)
    return answer
