import pytest

from benchmarks.posters import score
from tests.conftest import CHECKPOINTS
from viz_app.menu.catalogue import models_of

TRANSLATING = [model for model in models_of(CHECKPOINTS)[0] if model["group"] == "translation"]


@pytest.mark.parametrize("model", TRANSLATING, ids=lambda model: model["name"])
def test_a_model_that_translates_opens_on_the_crispest_of_its_examples(bundled, model):
    """Of its written words, in no other example more have what they needed as their darkest."""
    name, (layer, head) = model["name"], (model["start_on"]["layer"], model["start_on"]["head"])
    crisp = {text: score(bundled.library, name, text, layer, head)[0] for text in model["examples"]}
    opens, best = model["examples"][0], max(crisp.values())
    assert crisp[opens] == best, (
        f"{name} opens on {opens!r}, of which {crisp[opens]:.0%} of the words have what they needed"
        f" as their darkest; another has {best:.0%}. `python -m benchmarks.posters {name}` lists"
        " all: put the crispest first in EXAMPLES of viz_app/rooms/examples.py, or try sentences of"
        f" yours with `python -m benchmarks.posters {name} SENTENCE ...`."
    )
