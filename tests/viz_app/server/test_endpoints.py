"""The endpoints for programs: what their page shows runs, and what each of them answers."""

import base64
import json
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

import numpy as np
import plotly.io
import pytest
from gradio.cli import cli
from gradio_client import Client
from gradio_client.exceptions import AppError

from model_core.errors import RecipeError
from tests.model_core.models.hub.tiny import saved_hub
from tests.serving import ask
from tests.tiny import measured_checkpoint, tiny_checkpoint
from viz_app.limits import DEMO
from viz_app.rooms import pictures
from viz_app.server.endpoints import SENTENCE, endpoints, in_full
from viz_app.server.service import Service
from viz_app.server.serving import Address
from viz_app.server.serving import serve as begin

NAMES = ("models", "translate", "step", "trace", "room", "file")
RECIPE = {"model": "tiny", "source": SENTENCE}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    measured_checkpoint(root / "tiny")
    tiny_checkpoint(root / "other")
    app = begin(Service(root, DEMO), Address())
    app.root = root
    yield app.local_url.rstrip("/"), app
    app.close()


@pytest.fixture(scope="module")
def client(served):
    return Client(served[0], verbose=False, httpx_kwargs={"timeout": 120})


def endpoints_of(address):
    """What gradio's page of the endpoints shows."""
    return json.load(urllib.request.urlopen(f"{address}/gradio_api/info"))["named_endpoints"]


def post(address, name, data, under="api"):
    """Status and answer of one plain POST."""
    headers = {"content-type": "application/json"}
    status, _, text = ask(address, f"/{under}/{name}", "POST", json.dumps(data), headers)
    return status, json.loads(text)


def test_the_examples_for_curl_run_as_pasted(served):
    for name in NAMES:
        command = endpoints_of(served[0])[f"/{name}"]["code_snippets"]["bash"]
        ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
        answer = json.loads(ended.stdout)
        assert answer and "error" not in answer, name


def test_the_examples_for_gradios_own_command_run_as_pasted(served, monkeypatch, capsys):
    commands = [endpoints_of(served[0])[f"/{name}"]["code_snippets"]["cli"] for name in NAMES]
    assert all(command.startswith("gradio predict http") for command in commands)
    monkeypatch.setattr(sys, "argv", shlex.split(commands[1]))
    with pytest.raises(SystemExit) as ended:
        cli()
    assert not ended.value.code and '"recipe"' in capsys.readouterr().out


def test_the_examples_for_python_run_as_pasted(served):
    examples = [endpoints_of(served[0])[f"/{name}"]["code_snippets"]["python"] for name in NAMES]
    for example in examples:
        exec(example, names := {})
        assert names["result"]


def test_every_parameter_has_a_name_a_type_and_a_default(served):
    for name, endpoint in endpoints_of(served[0]).items():
        assert len(endpoint["description"]) > 20
        for part in endpoint["parameters"]:
            assert part["parameter_has_default"] and part["label"] == part["parameter_name"], name
            assert part["python_type"]["type"] not in ("", "Any"), (name, part)


def test_a_model_that_comes_later_is_listed_and_answers(served, client):
    """One of ours, and one of transformers, which says what it is made of once it was asked."""
    root = served[1].root
    tiny_checkpoint(root / "later", 3)
    saved_hub(root / "gpt", "gpt2")

    def listed():
        return {model["name"]: model for model in client.predict(api_name="/models")}

    try:
        assert set(listed()) == {"tiny", "other", "later", "gpt"}
        assert listed()["gpt"]["closed"] and "anatomy" not in listed()["gpt"]
        for name in ("later", "gpt"):
            done = client.predict("the old cat", name, api_name="/translate")
            assert done["recipe"]["model"] == name and done["recipe"]["target"]
        assert listed()["gpt"]["anatomy"]["kind"] == "decoder"
        edited = client.predict(
            "the old cat", "gpt", edits=["head-off:decoder.1.1"], api_name="/translate"
        )
        head = client.predict(edited["recipe"], "decoder", 1, api_name="/trace")
        assert len(head["weights_HQK"]) == 4
    finally:
        shutil.rmtree(root / "later")
        shutil.rmtree(root / "gpt")
    assert set(listed()) == {"tiny", "other"}


def test_nothing_that_is_closed_is_asked_for_by_the_page_of_the_endpoints(served):
    counted = urllib.request.urlopen(f"{served[0]}/monitoring/summary")
    assert json.load(counted) == {"functions": {}}
    with pytest.raises(urllib.error.HTTPError) as asked:  # neither found nor an error
        urllib.request.urlopen(f"{served[0]}/gradio_api/mcp/schema")
    assert asked.value.code == 300


def test_a_text_gives_what_its_recipe_gives(client):
    by_recipe = client.predict(RECIPE, api_name="/translate")
    assert client.predict(SENTENCE, "tiny", api_name="/translate") == by_recipe
    assert client.predict(recipe=RECIPE, api_name="/translate") == by_recipe
    again = client.predict(recipe=by_recipe["recipe"], api_name="/translate")
    assert again["text"] == by_recipe["text"]


def test_a_search_and_a_drawing_are_chosen_by_what_is_said_of_them(client):
    asked = {"model": "tiny", "api_name": "/step"}
    for more, kind in (({"beam": 2}, "beam"), ({"temperature": 2, "seed": 5}, "sample")):
        strategy = client.predict(SENTENCE, **more, **asked)["recipe"]["strategy"]
        assert strategy["kind"] == kind
    assert (strategy["temperature"], strategy["seed"]) == (2, 5)
    with pytest.raises(AppError, match="choose one of them"):
        client.predict(SENTENCE, beam=2, seed=1, **asked)


def test_edits_are_part_of_the_recipe_that_comes_back(client):
    done = client.predict("The old cat.", edits=["hide:1"], api_name="/translate")
    assert done["recipe"]["edits"] == ["hide:1"]
    trace = client.predict(done["recipe"], "cross", 1, api_name="/trace")
    assert not any(row[0] for row in trace["mask_QK"])


def test_a_trace_of_a_text_is_that_of_its_translation(client):
    done = client.predict(SENTENCE, model="tiny", api_name="/translate")["recipe"]
    of_recipe = client.predict(done, "cross", 2, api_name="/trace")
    assert client.predict(SENTENCE, layer=2, model="tiny", api_name="/trace") == of_recipe
    assert np.shape(of_recipe["weights_HQK"])[1] == len(of_recipe["queries"])


@pytest.mark.parametrize("name", ["masks", "positions", "inside", "heads", "compare"])
def test_every_room_answers_without_a_request_and_with_one(served, name):
    address = served[0]
    status, first = post(address, "room", {"name": name, "text": SENTENCE, "model": "tiny"})
    assert status == 200 and first
    request = {
        "masks": {"view": "passes", "sentences": ["The old cat.", "A cat."]},
        "positions": {"study": "sum"},
        "inside": {"view": "way", "side": "target", "position": 0},
        "heads": {"site": "encoder"},
        "compare": {"b": {"model": "tiny", "source": "A cat."}},
    }[name]
    asked = {"name": name, "text": SENTENCE, "model": "tiny", "request": request}
    status, other = post(address, "room", asked)
    assert status == 200 and other != first


@pytest.mark.parametrize("view", pictures())
def test_every_view_is_a_file(served, view):
    given = {"text": SENTENCE, "view": view, "model": "tiny", "format": "json"}
    if view in ("curves", "similarity", "positions"):
        given |= {"format": "npz"}
    status, answer = post(served[0], "file", given)
    assert status == 200, answer
    content = base64.b64decode(answer["data"])
    assert answer["name"].startswith("tiny-") and content
    assert content[:1] == (b"P" if given["format"] == "npz" else b"{")


def test_a_file_may_be_a_figure_that_plotly_reads(served):
    given = {"text": SENTENCE, "view": "cross", "model": "tiny", "choices": {"by": "pieces"}}
    given |= {"format": "plotly"}
    status, answer = post(served[0], "file", given)
    assert status == 200 and answer["name"].endswith(".plotly"), answer
    figure = plotly.io.from_json(base64.b64decode(answer["data"]).decode())
    assert "Cross-attention" in figure.layout.title.text
    (packed,) = [trace.z for trace in figure.data if trace.type == "heatmap"]
    shown = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    status, numbers = post(served[0], "file", given | {"format": "json"})
    (table,) = json.loads(base64.b64decode(numbers["data"]))["tables"].values()
    weights = np.ravel(table["values"]["weights_QK"])
    np.testing.assert_allclose(shown[~np.isnan(shown)], weights, atol=1e-6)


def test_a_link_says_what_the_file_shows(served):
    fragment = "#v=3&model=tiny&text=The+old+cat.&site=encoder&encoder=1.0"
    status, answer = post(served[0], "file", {"link": fragment, "format": "csv"})
    assert status == 200 and answer["name"] == "tiny-encoder-layer2-head1.csv"
    for also in ({"text": "a"}, {"recipe": RECIPE}, {"view": "heads"}, {"reading": "norms"}):
        status, answer = post(served[0], "file", {"link": fragment, **also})
        assert status == 400 and f"link is given, and {next(iter(also))}" in answer["detail"]
    status, answer = post(served[0], "file", {"link": fragment, "choices": {"query": 3}})
    assert status == 400 and "link is given, and query" in answer["detail"]
    status, answer = post(served[0], "file", {"link": "#v=3&model=nothing&text=a"})
    assert status == 400 and "nothing" in answer["detail"]


def test_a_plain_post_takes_values_in_order_or_by_name(served):
    address = served[0]
    by_name = post(address, "translate", {"text": SENTENCE, "model": "tiny"})
    assert by_name[0] == 200 and by_name == post(address, "translate", [SENTENCE, "tiny"])
    for wrong in ({"txet": SENTENCE}, [SENTENCE] * 20, "text", None):
        status, answer = post(address, "translate", wrong)
        assert status == 400 and "some of text, model, beam" in answer["error"]["message"]


def test_the_javascript_client_is_answered_as_it_asks(served):
    """It posts a list of values, and reads a list of one."""
    address = served[0]
    plain = post(address, "translate", [SENTENCE, "tiny"])[1]

    def run(body):
        return post(address, "translate", body, "gradio_api/run")

    given = {"data": [SENTENCE, "tiny", None], "session_hash": "x", "fn_index": 1}
    assert run(given) == (200, {"data": [plain]})
    for wrong, status, said in (
        ([], 400, "list of values"),
        ({"data": []}, 400, "text is missing"),
        ({"data": ["a", "absent"]}, 404, "absent"),
    ):
        found, answer = run(wrong)
        assert found == status and said in answer["detail"]


def test_the_limits_of_the_demo_hold_for_all_of_them(served):
    address = served[0]
    long = "a" * (DEMO.characters + 1)
    asked = [
        *((name, {"text": long, "model": "tiny"}) for name in NAMES[1:]),
        ("translate", {"text": "a", "model": "tiny", "beam": DEMO.beam_width + 1}),
        ("translate", {"text": "a", "model": "tiny", "pads": DEMO.pads + 1}),
        ("room", {"text": "a", "name": "masks", "request": {"sentences": ["a"] * 7}}),
        ("file", {"link": f"#v=3&model=tiny&text={long}"}),
    ]
    for name, given in asked:
        status, answer = post(address, name, given)
        assert status == 400 and isinstance(answer["detail"], str), (name, answer)


def test_what_makes_no_sense_is_named(served):
    address = served[0]
    for name, given, message in (
        ("translate", {"text": 5}, "source"),
        ("step", {"token": "x"}, "token is 'x'"),
        ("trace", {"layer": 0}, "from 1 to"),
        ("room", {"name": "cellar"}, "masks, positions, inside"),
        ("room", {"request": 5}, "request is 5"),
        ("file", {"view": "nothing"}, "view"),
        ("file", {"format": "exe"}, "format"),
    ):
        status, answer = post(address, name, {"text": SENTENCE, "model": "tiny"} | given)
        assert status == 400 and message in answer["detail"], (name, answer)
    status, answer = post(address, "file", {"link": 5})
    assert status == 400 and "link is 5; it must be" in answer["detail"]
    status, answer = post(address, "translate", {"text": SENTENCE, "model": "no-such"})
    assert status == 404 and "no-such" in answer["detail"]
    status, answer = post(address, "translate", {"text": SENTENCE, "model": "\ud800"})
    assert (status, answer["error"]["code"]) == (400, "half_character")


@pytest.mark.parametrize("name", NAMES[1:])
def test_no_sentence_and_one_beside_its_recipe_are_refused(served, client, name):
    for given in ({}, {"model": "tiny"}, {"text": None, "model": "tiny"}, []):
        status, answer = post(served[0], name, given)
        assert status == 400 and "text is missing: give text or recipe" in answer["detail"]
    for also in ({"edits": ["no-positions"]}, {"pads": 1}, {"text": SENTENCE}, {"model": "tiny"}):
        status, answer = post(served[0], name, {"recipe": RECIPE, **also})
        assert status == 400 and f"recipe is given, and {next(iter(also))}" in answer["detail"]
    with pytest.raises(AppError, match="recipe is given, and text, pads beside it"):
        client.predict(text="Else.", recipe=RECIPE, pads=2, api_name=f"/{name}")
    with pytest.raises(AppError, match="recipe is given, and edits beside it"):
        client.predict(text=RECIPE, edits=["hide:1"], api_name=f"/{name}")


@pytest.mark.parametrize(
    ("name", "more"),
    [("trace", {}), ("room", {"name": "inside"}), ("file", {"format": "json"})],
)
def test_every_endpoint_takes_edits_as_its_recipe_does(served, name, more):
    asked = {"text": SENTENCE, "model": "tiny"} | more
    edits = {"edits": ["head-off:cross.1.1"]}
    done = post(served[0], "translate", {"text": SENTENCE, "model": "tiny"} | edits)[1]["recipe"]
    status, edited = post(served[0], name, asked | edits)
    assert status == 200 and edited == post(served[0], name, {"recipe": done} | more)[1]
    assert edited != post(served[0], name, asked)[1]


def test_values_are_filled_up_by_their_names(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    _, translate, step, *_ = endpoints(Service(tmp_path))
    assert [*in_full(step, ["a", 7]).items()][:3] == [
        ("text", "a"),
        ("token", 7),
        ("model", "tiny"),
    ]
    known = in_full(translate, {"pads": 2, "text": "a"})
    assert [*known][:2] == ["text", "model"] and known["model"] == "tiny" and known["pads"] == 2
    with pytest.raises(RecipeError, match="some of text"):
        in_full(translate, {"nothing": 1})
