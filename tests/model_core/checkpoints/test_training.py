import json

from model_core.checkpoints.folder import read_config
from model_core.checkpoints.training import StartHead, Training
from model_core.errors import CheckpointBroken, ConfigError
from model_core.folders import CHECKPOINTS
from model_core.values.config import TrainConfig
from tests.model_core.checkpoints.test_store import change_config, save
from tests.refusals import refusal
from tests.tiny import tiny_config, tiny_model

EVALUATION = {"part": "a file", "sources": 2, "sha256": "0", "alpha": 0.6, "loss": 1.5}
EVALUATION |= {"searches": [], "own": []}


def test_nothing_that_a_checkpoint_says_is_lost():
    for path in sorted(CHECKPOINTS.glob("*/config.json")):
        said = json.loads(path.read_text("utf-8"))["training"]
        again = json.loads(json.dumps(Training.from_json(said).to_json()))
        for name in ("config", "evaluation"):
            part = said.pop(name)
            assert {one: again[name][one] for one in part} == part, path
        assert {name: again[name] for name in said} == said, path


def test_what_is_not_known_is_not_written():
    assert Training.from_json({}).to_json() == {}
    head = {"layer": 1, "head": 2, "rows": "fed", "agreement": 0.5}
    training = Training.from_json({"alignment_head": head, "notes": ["a"], "seconds": 3})
    assert training.alignment_head == StartHead(1, 2, "fed", {"agreement": 0.5})
    assert training.to_json() == {"alignment_head": head, "notes": ["a"], "seconds": 3}


def test_the_page_opens_with_the_head_that_aligns_or_one_of_the_last_layer():
    assert Training().start_head(tiny_config()) == StartHead(3, 1)
    assert Training(alignment_head=StartHead(2, 4)).start_head(tiny_config()) == StartHead(2, 4)
    assert Training().languages == ("", "")
    assert Training(config=TrainConfig(source_language="zh")).languages == ("zh", "fr")


def test_a_field_of_the_wrong_type_is_named(tmp_path):
    save(tmp_path / "tiny", tiny_model())
    for values, message in (
        ([], "Training must be a JSON object"),
        ({"surprise": 2}, "Training does not know 'surprise'"),
        ({"config": 7}, "TrainConfig must be a JSON object"),
        ({"config": {"source_language": ["en"]}}, "source_language is ['en']"),
        ({"config": {"updates": "7"}}, "updates is '7'"),
        ({"update": "7"}, "update is '7'; it must be a whole number"),
        ({"update": True}, "update is True"),
        ({"seconds": float("nan")}, "seconds is nan"),
        ({"command": 7}, "command is 7; it must be a text"),
        ({"notes": "tried"}, "notes is 'tried'; it must be a list"),
        ({"notes": [1]}, "notes is (1,); it must be a list of texts"),
        ({"scores": 7}, "scores is 7; it must be a JSON object"),
        ({"evaluation": [1]}, "Evaluation must be a JSON object"),
        ({"evaluation": {"searches": 3}}, "Evaluation lacks part and sources"),
        ({"evaluation": EVALUATION | {"searches": 3}}, "searches is 3; it must be a list"),
        ({"evaluation": EVALUATION | {"own": [1]}}, "Judged must be a JSON object"),
        ({"evaluation": EVALUATION | {"copied": [[0.5], ["a"]]}}, "copied is ((0.5,), ('a',))"),
        ({"guidance": 7}, "Guidance must be a JSON object"),
        (
            {"guidance": {"heads": [[1]]}},
            "heads is ((1,),); it must be a list, each",
        ),
        ({"guidance": {"heads": [1]}}, "heads is (1,); it must be a list"),
        ({"guidance": {"heads": 7}}, "heads is 7; it must be a list"),
        ({"guidance": {"heads": [[0, 1]]}}, "2 whole numbers from 1 up"),
        ({"guidance": {"pairs": "many"}}, "pairs is 'many'"),
        ({"alignment_head": {"layer": 1}}, "a JSON object with layer and head"),
        ({"alignment_head": [1, 2]}, "alignment_head must be a JSON object"),
        ({"alignment_head": {"layer": "1", "head": 1}}, "layer is '1'"),
        ({"alignment_head": {"layer": 0, "head": 1}}, "layer is 0"),
        ({"alignment_head": {"layer": 1, "head": 1, "rows": "up"}}, "rows is 'up'"),
        ({"alignment_head": {"layer": 1, "head": 5}}, "the decoder has 3 layers of 4 heads"),
    ):
        told = refusal(lambda given: Training.from_json(given).check_fits(tiny_config()), values)
        assert isinstance(told, ConfigError) and message in str(told)
        change_config(tmp_path / "tiny", lambda config, said=values: config.update(training=said))
        told = refusal(read_config, tmp_path / "tiny")
        assert isinstance(told, CheckpointBroken) and "config.json: " in str(told)
        assert message in str(told)
