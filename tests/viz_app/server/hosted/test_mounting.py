"""The page inside an app of somebody else's."""

import json
import re
import threading
import urllib.error
import urllib.request

import gradio as gr
import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from gradio_client import Client
from starlette.routing import Mount

from viz_app import blocks, mount
from viz_app.server.service import Service

RECIPE = {"model": "tiny", "source": "The old cat."}


@pytest.fixture(scope="module")
def app():
    return FastAPI()


@pytest.fixture(scope="module")
def host(app, models):
    """The address of an app that has a page of its own and ours."""

    @app.get("/")
    def own():
        return {"mine": True}

    gr.mount_gradio_app(app, blocks(models), "/plain")  # as the README has it
    mount(app, "/attention", models)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    is_up = threading.Event()
    own_start = server.startup

    async def startup(sockets=None):
        await own_start(sockets)
        is_up.set()

    server.startup = startup
    thread = threading.Thread(target=server.run)
    thread.start()
    assert is_up.wait(60)
    (socket,) = server.servers[0].sockets
    yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    server.should_exit = True
    thread.join(30)


def test_no_visitor_names_the_server_in_the_page_of_the_next(host):
    for said in ({"x-gradio-server": "http://evil.example"}, {}):
        asked = urllib.request.Request(f"{host}/attention/?view=api", headers=said)
        page = urllib.request.urlopen(asked).read().decode()
        assert f'"root":"{host}/attention"' in page and "evil" not in page


def test_both_apps_answer_at_their_own_paths(host):
    assert json.load(urllib.request.urlopen(f"{host}/")) == {"mine": True}
    assert urllib.request.urlopen(f"{host}/docs").status == 200
    page = urllib.request.urlopen(f"{host}/attention/")
    text = page.read().decode()
    assert "Attention Visualiser" in text
    (script,) = re.findall('"(/attention/stage/[^"]*)"', text)[:1]
    assert urllib.request.urlopen(f"{host}{script}").status == 200
    assert json.load(urllib.request.urlopen(f"{host}/attention/health"))["models"] == ["tiny"]


def test_the_page_mounted_by_gradio_itself_answers_too(host):
    client = Client(f"{host}/plain/", verbose=False)
    assert client.predict(RECIPE, api_name="/translate")["recipe"]["model"] == "tiny"


def test_the_endpoints_answer(host):
    done = Client(f"{host}/attention/", verbose=False).predict(RECIPE, api_name="/translate")
    assert done["finished"] in ("end", "limit")
    body = json.dumps({"text": "The old cat.", "model": "tiny"}).encode()
    headers = {"content-type": "application/json"}
    post = urllib.request.Request(f"{host}/attention/api/translate", body, headers)
    assert json.load(urllib.request.urlopen(post)) == done


def test_it_is_ready_when_its_first_model_is_open(models, monkeypatch):
    waiting = []
    monkeypatch.setattr(Service, "warm_up", lambda service: waiting.append(service))
    asking = TestClient(mount(FastAPI(), "/attention", models))
    assert asking.get("/attention/ready").status_code == 503
    (service,) = waiting
    service.open_first()
    assert asking.get("/attention/ready").status_code == 200


def test_nothing_that_was_typed_is_kept_for_a_session_and_other_apps_keep_theirs(host, app):
    (ours,) = [one.app for one in app.routes if one.path == "/attention"]
    (plain,) = [one.app for one in app.routes if one.path == "/plain"]
    (inside,) = [one.app for one in ours.gradio.app.routes if isinstance(one, Mount)]
    for path, gradio, is_kept in (("attention", inside, False), ("plain", plain, True)):
        Client(f"{host}/{path}/", verbose=False).predict(
            "heliotrope", model="tiny", api_name="/translate"
        )
        kept = [one.config_values for one in gradio.state_holder.session_data.values()]
        assert ("heliotrope" in repr(kept)) == is_kept


@pytest.mark.parametrize("path", ["gradio_api/file=/etc/passwd", "monitoring", "gradio_api/runs"])
def test_what_is_closed_alone_is_closed_here_too(host, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{host}/attention/{path}")
    assert refused.value.code == 404
    assert "nothing at this address" in refused.value.read().decode()
