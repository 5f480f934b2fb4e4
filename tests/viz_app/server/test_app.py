"""The app from outside, as another program sees it."""

import json
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from model_core.values.recipe import Recipe
from tests.serving import serve


@pytest.fixture(scope="module")
def served(models):
    with serve(models) as (address, service):
        yield address, service


@pytest.fixture(scope="module")
def client(served):
    return Client(served[0], verbose=False)


def recipe(source="The old cat.", **changes):
    return {"model": "tiny", "source": source} | changes


def test_the_endpoints_are_named(client):
    endpoints = client.view_api(return_format="dict")["named_endpoints"]
    assert list(endpoints) == ["/models", "/translate", "/step", "/trace", "/room", "/file"]


def test_step_by_step_ends_where_translate_ends(client):
    done = client.predict(recipe(), api_name="/translate")
    begun = done["recipe"] | {"target": done["recipe"]["target"][:-4]}
    walked = {"recipe": begun, "finished": None}
    while not walked["finished"]:
        walked = client.predict(walked["recipe"], None, api_name="/step")
    assert walked["recipe"] == done["recipe"]
    assert walked["text"] == done["text"]


def test_a_forced_token_is_kept_and_a_recipe_replays(client):
    forced = client.predict(recipe(), 42, api_name="/step")
    assert forced["recipe"]["target"] == [{"token": 42, "how": "forced"}]
    again = client.predict(forced["recipe"], None, api_name="/step")
    assert again["recipe"]["target"][0] == forced["recipe"]["target"][0]


def test_trace_is_what_the_model_computed(served, client):
    service = served[1]
    done = client.predict(recipe(), api_name="/translate")["recipe"]
    for site, layer in (("encoder", 2), ("decoder", 1), ("cross", 3)):
        traced = client.predict(done, site, layer, api_name="/trace")
        decoding = service.library.tracer("tiny").evaluate(Recipe.from_json(done))
        expected = decoding.trace(site, layer - 1)
        assert np.array_equal(traced["weights_HQK"], expected.weights_HQK)
        assert traced["keys"] == list(expected.keys.pieces)


def test_errors_reach_the_caller_in_words(client):
    with pytest.raises(AppError, match=r"this model reads 24\. Shorten it"):
        client.predict(recipe("cat " * 60), api_name="/translate")
    with pytest.raises(AppError, match="There is no model"):
        client.predict(recipe(model="no-such"), api_name="/translate")


def test_two_visitors_at_once_never_see_each_others_text(served, client):
    start = threading.Barrier(2)

    def visit(words):
        client = Client(served[0], verbose=False)
        start.wait()
        seen = []
        for turn in range(6):
            source = f"{words} {turn}"
            answer = client.predict(recipe(source), None, api_name="/step")
            seen.append((source, answer["recipe"]["source"], answer["recipe"]["target"]))
        return seen

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(visit, ("The old cat", "warm roof on")))
    for seen in both:
        for asked, answered, target in seen:
            assert asked == answered
            again = client.predict(recipe(asked), None, api_name="/step")
            assert again["recipe"]["target"] == target


def test_no_checkpoint_and_no_source_file_is_served(served):
    address, _ = served
    for path in ("requirements.txt", "model_core/values/config.py"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{address}/gradio_api/file={path}")
        assert refused.value.code in (403, 404)


def test_the_page_names_no_other_host(served):
    address, _ = served
    page = urllib.request.urlopen(address).read().decode()
    config = json.dumps(json.load(urllib.request.urlopen(address + "/config")))
    for text in (page, config):
        assert "fonts.googleapis" not in text
        assert "cdnjs" not in text
