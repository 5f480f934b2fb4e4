"""The examples of hosting name what the server has: its port, its addresses, its image."""

import re
from pathlib import Path

import pytest
import yaml

import viz_app.server
from tests.conftest import ROOT
from tests.serving import kind_at
from viz_app.server.application import Application
from viz_app.server.document import page_options
from viz_app.server.gradio.mounted import Mounted
from viz_app.server.service import Service

FOLDER = Path(viz_app.server.__file__).parent / "examples"
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
(PORT,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)


def read(name):
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def application(models):
    service = Service(models)
    options = page_options(service)
    return Application(service, options, Mounted(service, options))


def test_the_proxy_asks_the_next_replica_and_keeps_clients_that_queue_at_one(application):
    text = re.sub(r"#.*", "", read("nginx.conf"))
    assert text.count("{") == text.count("}")
    statements = [line.strip() for line in re.split(r"[{}\n]", text) if line.strip()]
    blocks = ("upstream", "server", "location", "if")
    assert all(line.endswith(";") or line.startswith(blocks) for line in statements)
    headers = dict(re.findall(r"proxy_set_header (\S+) ([^;]*);", text))
    assert headers["X-Forwarded-Host"] == "$http_host" and headers["X-Gradio-Server"] == '""'
    (retry,) = re.findall(r"proxy_next_upstream ([^;]*);", text)
    assert {"error", "timeout", "http_503", "non_idempotent"} == set(retry.split())
    (queues,) = re.findall(r"location ~ (\S+) \{\s+proxy_pass http://sticky;", text)
    api = "/gradio_api"
    for method, path in (
        *(("POST", f"{api}/{path}") for path in ("queue/join", "call/translate", "cancel")),
        *(("GET", f"{api}/{path}") for path in ("queue/data", "call/translate/x")),
    ):
        assert re.match(queues, path) and kind_at(application, method, path)
    for method, path in (
        ("POST", "/stage/answer"),
        ("POST", "/api/translate"),
        ("GET", "/"),
        ("GET", f"{api}/info"),
    ):
        assert not re.match(queues, path) and kind_at(application, method, path)


def test_the_containers_are_replicas_of_the_image_that_the_proxy_knows():
    composed = yaml.safe_load(read("compose.yaml"))["services"]
    proxy, conf = composed.pop("proxy"), read("nginx.conf")
    assert set(re.findall(rf"server ([\w-]+):{PORT} max_fails=0;", conf)) == set(composed)
    assert set(proxy["depends_on"]) == set(composed)
    (mounted,) = proxy["volumes"]
    assert (FOLDER / mounted.split(":")[0]).is_file()
    for replica in composed.values():
        assert (FOLDER / replica["build"]["context"]).resolve() == ROOT
        # What the Dockerfile has an argument for: torch without CUDA.
        assert re.search("^ARG PIP_EXTRA_INDEX_URL$", DOCKERFILE, re.MULTILINE)
        assert replica["build"]["args"]["PIP_EXTRA_INDEX_URL"].endswith("/cpu")
        assert replica["read_only"] and replica["tmpfs"] == ["/tmp"]
        assert replica["environment"] == {"FORWARDED_ALLOW_IPS": "*"}


def test_the_cluster_asks_for_the_addresses_that_the_server_has(application):
    deployment, service = yaml.safe_load_all(read("kubernetes.yaml"))
    template = deployment["spec"]["template"]
    (container,) = template["spec"]["containers"]
    (port,) = container["ports"]
    assert str(port["containerPort"]) == PORT
    for name, kind in (("readiness", "ready"), ("liveness", "health"), ("startup", "health")):
        asked = container[f"{name}Probe"]["httpGet"]
        assert kind_at(application, "GET", asked["path"]) == kind and asked["port"] == port["name"]
    notes = template["metadata"]["annotations"]
    assert kind_at(application, "GET", notes["prometheus.io/path"]) == "metrics"
    assert notes["prometheus.io/port"] == PORT
    labels = template["metadata"]["labels"].items()
    assert service["spec"]["selector"].items() <= labels
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels
    (mount,), (volume,) = container["volumeMounts"], template["spec"]["volumes"]
    assert mount["name"] == volume["name"] and mount["mountPath"] == "/tmp"
