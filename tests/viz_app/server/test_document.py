"""The page itself: its headers, its languages, what is in it, and where it finds its script."""

import base64
import hashlib
import json
import re
import urllib.request

import pytest
from gradio_client import Client
from starlette.requests import Request

from tests.proxy import proxy_of
from tests.serving import ask, serve
from tests.tiny import tiny_checkpoint
from viz_app.server.address import Address
from viz_app.server.document import Documents, page_options
from viz_app.server.responses import ICON
from viz_app.server.service import Service
from viz_app.stage.bundle import bundle
from viz_app.text import WORDS

MOST_PAGE = 60_000  # bytes of GET / on the wire
HOSTILE = '</script><script>alert(1)</script><!-- & " \u2028'


@pytest.fixture(scope="module")
def served(models):
    with serve(models) as (address, _):
        yield address


def policy_of(headers):
    """What the policy allows, by what it is about."""
    said = dict(headers)["content-security-policy"]
    return {name: allowed for name, *allowed in (part.split() for part in said.split("; "))}


def digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_is_small_and_begins_with_words_and_the_name_of_the_script(served):
    status, headers, page = ask(served, "/", headers={"accept-encoding": "gzip"})
    assert status == 200 and int(dict(headers)["content-length"]) < MOST_PAGE
    assert dict(headers)["content-type"] == "text/html; charset=utf-8"
    assert "function mountStage" not in page and "gradio-app" not in page
    before = page.partition("<script")[0]
    assert bundle().path in before
    assert all(WORDS["en"][key] in before for key in ("title", "tagline", "needs_script"))


def test_its_policy_allows_its_own_lines_and_files_and_makes_no_script_of_a_text(served):
    _, headers, page = ask(served, "/")
    policy = policy_of(headers)
    assert sum(name == "content-security-policy" for name, _ in headers) == 1
    (lines,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (looks,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy["script-src"] == ["'self'", digest(lines)]
    assert digest(looks) in policy["style-src"]
    assert "unsafe" not in str(policy)
    for name in ("default-src", "object-src", "base-uri", "form-action"):
        assert policy[name] == ["'none'"]


def test_the_icon_of_the_page_is_the_programs_own(served):
    assert 'rel="icon" href="./favicon.ico"' in ask(served, "/")[2]
    icon = urllib.request.urlopen(f"{served}/favicon.ico")
    assert icon.read() == ICON.read_bytes() and icon.headers["content-type"] == "image/png"


def test_the_page_of_the_endpoints_is_gradios_and_the_stage_is_not(served):
    _, headers, page = ask(served, "/?view=api")
    assert "<gradio-app" in page and "'unsafe-eval'" in str(policy_of(headers))
    assert "<gradio-app" not in ask(served, "/?__theme=dark&view=apis")[2]


@pytest.mark.parametrize(
    ("accepts", "language"),
    [("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("fr-FR, en", "en"), ("fr, zh", "zh"), ("*", "en")],
)
def test_its_first_words_are_in_the_language_of_the_browser(served, accepts, language):
    _, headers, page = ask(served, "/", headers={"accept-language": accepts})
    assert f'<html lang="{language}">' in page and WORDS[language]["tagline"] in page
    assert "accept-language" in dict(headers)["vary"]


def test_it_is_made_once_and_head_has_its_headers(served):
    first, again = ask(served, "/"), ask(served, "/")
    assert first[2] == again[2]
    assert dict(first[1])["cache-control"] == "no-cache"
    status, headers, body = ask(served, "/", "HEAD")
    assert (status, body) == (200, "")
    assert dict(headers)["content-length"] == str(len(first[2].encode()))


def test_no_name_of_a_model_ends_what_it_is_in(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    service = Service(tmp_path)
    options = page_options(service)
    options["models"][0]["languages"] = [HOSTILE, HOSTILE]
    place = '/a"><script>alert(2)</script>'
    asked = Request({"type": "http", "method": "GET", "headers": []})
    page = Documents(options).page(asked, place).body.decode()
    assert page.count("<script") == 2 and "alert(2)</script>" not in page
    (held,) = re.findall(r'id="options">(.*?)</script>', page, re.DOTALL)
    assert json.loads(held)["models"][0]["languages"] == [HOSTILE, HOSTILE]


@pytest.mark.parametrize("keeps", [False, True], ids=["prefix taken off", "prefix left on"])
def test_behind_a_proxy_everything_is_found_under_its_prefix(models, keeps):
    with (
        serve(models, address=Address(root_path="/attention")) as (url, _),
        proxy_of(url, keeps) as outside,
    ):
        page = ask(outside, "/")[2]
        (script,) = re.findall(r'modulepreload" href="([^"]*)"', page)
        assert script == f"/attention{bundle().path}" and url not in page
        assert 'start(host, options, "/attention/stage/answer")' in page
        assert ask(outside, script.removeprefix("/attention"))[0] == 200
        assert json.loads(ask(outside, "/health")[2])["status"] == "ok"
        assert json.loads(ask(outside, "/config")[2])["root"] == outside
        recipe = {"model": "tiny", "source": "The old cat."}
        done = Client(outside + "/", verbose=False).predict(recipe, api_name="/translate")
        assert done["recipe"]["source"] == recipe["source"]
