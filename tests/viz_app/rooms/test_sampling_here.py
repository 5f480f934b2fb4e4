"""What the page makes of a draw is what the model's own draw was made with."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from model_core.values.draw import draw
from model_core.values.recipe import Recipe, Strategy
from tests.answered import answered
from tests.javascript.running import run_module

SENTENCE = "The old cat sleeps on the warm roof."
STRATEGIES = (
    Strategy("sample", temperature=1.4, seed=4),  # of which the first token is far from the best
    Strategy("sample", temperature=1.4, top_k=6, seed=4),
    Strategy("sample", temperature=1.5, top_k=40, top_p=0.6, seed=12),
)
TEMPERATURES = (0.1, 0.8, 2.0, 4.35)
NEVER = (0, 1)
SCRIPT = """
import { drawingOfAll, drawingOfStep, rankedTokens }
  from "./viz_app/rooms/translate/candidates/sampling.js";
import { singlesFromBase64 } from "./viz_app/stage/run/wire.js";

const { steps, chosen, tried } = given;
const told = (drawing, tokens) => ({ dart: drawing.dart, kept: drawing.kept, hit: drawing.hit,
  log_total: drawing.logTotal, parts: tokens.map((token) => drawing.partOf(token)) });
console.log(JSON.stringify(steps.map(({ step, numbers }, i) => {
  const shown = [...step.candidates, chosen[i] ?? []].flat().map(({ token }) => token);
  const ranked = rankedTokens(singlesFromBase64(numbers.log_probabilities_V), numbers.never);
  return { shown, made: told(drawingOfStep(step, chosen[i] ?? null), shown),
    tried: tried.map((settings) => told(drawingOfAll(ranked, settings, numbers.dart), shown)) };
})));
"""


def assert_is_the_draw(told, shown, made):
    assert (told["dart"], told["kept"], told["hit"]) == (made.dart, len(made.tokens_N), made.token)
    assert told["log_total"] == pytest.approx(made.log_total, rel=1e-12)
    for token, part in zip(shown, told["parts"], strict=True):
        begin, share = made.part(token)
        assert part["share"] == pytest.approx(share, rel=1e-9, abs=1e-15)
        assert (part["cut"] is None) == (token in made.tokens_N)
        if part["cut"] is None:
            assert part["begin"] == pytest.approx(begin, rel=1e-9, abs=1e-12)
            assert (token == made.token) == (begin <= made.dart < begin + share)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
def test_every_share_of_every_step_is_the_models_draw_at_any_temperature(bundled, strategy):
    tracer = bundled.library.tracer("en-fr")
    recipe = {"model": "en-fr", "source": SENTENCE, "strategy": asdict(strategy)}
    payload = answered(bundled, {"recipe": recipe, "extend": "end"})
    decoding = tracer.evaluate(Recipe.from_json(payload["recipe"]))
    steps, ranks = [], [one["rank"] for one in payload["chosen"] if "rank" in one]
    for at, step in enumerate(payload["steps"][:4]):
        question = {"room": "translate", "recipe": payload["recipe"], "at": at}
        steps.append({"step": step, "numbers": answered(bundled, question)})
    tried = [replace(strategy, temperature=one) for one in TEMPERATURES]
    given = {"steps": steps, "chosen": payload["chosen"]}
    found = run_module(SCRIPT, given | {"tried": [asdict(one) for one in tried]})
    for step, told in zip(decoding.steps, found, strict=False):
        assert_is_the_draw(told["made"], told["shown"], draw(step, strategy, NEVER))
        for one, drawing in zip(tried, told["tried"], strict=True):
            assert_is_the_draw(drawing, told["shown"], draw(step, one, NEVER))
    assert strategy.top_k or max(ranks) > 10  # a token that is not among the ten best is told too
    assert len(found) == 4 and np.all([one["shown"] for one in found])
