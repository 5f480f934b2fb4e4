"""Pictures, animations and packs as files; those that a browser draws need a Chromium."""

import asyncio
import gc
import io
import json
import queue
import re
import signal
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from model_core.decoding.library import Library
from model_core.errors import ExportError, RecipeError, TooBusy
from model_core.values.recipe import Recipe
from viz_app.figures.look import Look
from viz_app.files.animation import gif_of
from viz_app.files.chromium import CHROMIUM, Chromium, why_undrawn
from viz_app.files.chromium import kill_with_children as kill
from viz_app.files.file_request import FileRequest
from viz_app.files.linked import open_link
from viz_app.files.making import file_of, prepared
from viz_app.files.picture import picture
from viz_app.files.signed import Signature
from viz_app.server.answers.requests import refusal
from viz_app.version import VERSION

HOSTILE = "</svg><script>alert(1)</script> 我😀"


@pytest.fixture(scope="module")
def library(models_of):
    return Library(models_of(max_positions=64))


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("tiny", HOSTILE[:26]), 3)[0]


@pytest.fixture
def chromium():
    """The one that other files draw with too: to start a browser takes longer than to draw."""
    return CHROMIUM


def wanted(recipe, ending, **more):
    return FileRequest(
        recipe, **{"picture": picture("cross", layer=1, head=1), "ending": ending} | more
    )


@pytest.mark.parametrize("scale", [1, 3])
def test_a_png_has_the_size_that_was_asked_for(library, recipe, chromium, scale):
    content = prepared(library, wanted(recipe, "png", look=Look(scale=scale)), chromium)()
    picture = Image.open(io.BytesIO(content))
    assert picture.format == "PNG" and picture.size[0] == 1280 * scale
    assert len(picture.convert("L").resize((64, 36)).getcolors()) > 3


def test_an_svg_is_vectors_and_holds_the_tokens_as_text(library, recipe, chromium):
    content = prepared(library, wanted(recipe, "svg"), chromium)()
    root = ElementTree.fromstring(content)
    texts = {"".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")}
    decoding = library.extend(recipe, 0)[1]
    for text in decoding.source.texts[:-1]:
        if text.strip():
            assert text.strip() in texts, text
    tags = {node.tag.split("}")[1] for node in root.iter()}
    assert not tags & {"image", "script", "pattern", "foreignObject"}
    assert not any(name.startswith("on") for node in root.iter() for name in node.attrib)


@pytest.mark.parametrize("size", ["slide", "column"])
def test_a_pdf_is_one_page_of_the_pictures_size(library, chromium, size):
    recipe = library.extend(Recipe("tiny", HOSTILE[:12]), 3)[0]  # more labels make a column wider
    content = prepared(library, wanted(recipe, "pdf", look=Look(size)), chromium)()
    assert content.startswith(b"%PDF-") and content.count(b"/Type /Page\n") == 1
    width = float(re.search(rb"/MediaBox \[0 0 ([\d.]+)", content)[1])
    assert width == pytest.approx(960 if size == "slide" else 255, abs=1)
    assert b"/Subtype /Image" not in content


def test_an_animation_has_one_frame_a_step(library, recipe, chromium):
    content = prepared(library, wanted(recipe, "gif", look=Look("column")), chromium)()
    picture = Image.open(io.BytesIO(content))
    assert picture.n_frames == len(library.extend(recipe, 0)[1].steps) == 4
    said = picture.info["comment"].decode()
    weights = library.tracer("tiny").model.fingerprint
    its = f"model tiny; weights {weights}; Attention Visualiser {VERSION}; computed by torch "
    assert its in said
    linked = open_link(library, said.rpartition("link ")[2])
    assert linked.recipe == recipe and linked.picture.view.site == "cross"


def test_a_lesson_pack_holds_what_its_manifest_names(library, recipe, chromium):
    asked = wanted(recipe, "zip", sites=("cross",), layers=(2,), heads=(1, 4), command="it")
    content = prepared(library, asked, chromium)()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files["manifest.json"])
    assert {one["name"] for one in manifest["files"]} == set(files) - {"manifest.json"}
    assert {"pictures/cross/all-heads.png", "pictures/cross/layer-2-head-4.png"} <= set(files)
    assert "pictures/cross/layer-1-head-1.png" not in files
    assert manifest["model"]["name"] == "tiny" and manifest["command"] == "it"
    page = files["lesson.html"].decode()
    assert page.startswith("<!DOCTYPE html>") and "mountStage(host" in page
    assert json.dumps(recipe.source)[1:6].replace("<", "\\u003c") in page
    assert manifest["versions"]["python"] and manifest["versions"]["torch"]
    assert Recipe.from_json(json.loads(files["recipe.json"])) == recipe
    with np.load(io.BytesIO(files["data/decoding.npz"]), allow_pickle=False) as arrays:
        trace = library.extend(recipe, 0)[1].trace("cross", 1)
        np.testing.assert_array_equal(arrays["cross.2.weights_HQK"], trace.weights_HQK)


class Sketching:
    """In the place of the browser, where a picture need not be one."""

    def draw(self, figure, format, scale):
        return b"<svg></svg>"


@pytest.mark.parametrize(("reading", "name"), [("norms", "layer-2-head-3"), ("rollout", "layer-2")])
def test_a_pack_has_the_maps_of_the_reading_that_is_chosen(library, recipe, reading, name):
    shown = picture("cross", layer=1, head=1, reading=reading)
    more = {"sites": ("cross",), "layers": (2,), "heads": (3,), "pictures": "svg"}
    content = prepared(library, wanted(recipe, "zip", picture=shown, **more), Sketching())()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {one: archive.read(one).decode() for one in archive.namelist() if "svg" in one}
    read = f"pictures/cross/{name}-{reading}.svg"
    assert set(files) == {read, "pictures/cross/all-heads.svg", "pictures/cross/layer-2-head-3.svg"}
    assert f"&amp;reading={reading}" in files[read] and "reading" not in files[min(files)]


def test_all_heads_by_norms_are_drawn_as_the_page_draws_them(library, recipe, chromium):
    shown = picture("heads", "cross", reading="norms")
    content = prepared(library, wanted(recipe, "svg", picture=shown), chromium)()
    assert "value norm" in content.decode()


def test_a_pack_says_which_table_is_too_long_for_a_csv(library, recipe, monkeypatch):
    for module in ("pack", "tables"):
        monkeypatch.setattr(f"viz_app.files.{module}.MOST_ROWS", 3)
    asked = wanted(recipe, "zip", sites=("cross",), layers=(2,), pictures="svg")
    content = prepared(library, asked, Sketching())()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        names = archive.namelist()
    assert "data/cross.csv" not in names and "data/decoding.npz" in names
    (left_out,) = manifest["left_out"]
    assert left_out["name"] == "data/cross.csv" and left_out["rows"] > left_out["limit"] == 3


def test_a_browser_that_was_ended_is_started_again(library, recipe, chromium):
    asked = wanted(recipe, "svg")
    first = prepared(library, asked, chromium)()
    chromium.close()
    second = prepared(library, asked, chromium)()
    assert first == second  # to the byte


class Stopped:
    """A browser as kaleido has it, which hears nothing any more."""

    def __init__(self):
        self.subprocess = subprocess.Popen(["sleep", "600"], start_new_session=True)

    async def close(self):
        await asyncio.Event().wait()

    async def draw(self, drawing, format, scale):
        try:
            await asyncio.Event().wait()
        finally:
            raise ConnectionError


def test_a_browser_that_is_stopped_is_killed_and_another_one_draws(
    library, recipe, monkeypatch, caplog
):
    stopped, hears = Stopped(), Stopped()

    async def draws(drawing, format, scale):
        return b"<svg></svg>"

    async def opened(path):
        return browsers.pop(0)

    hears.draw, browsers = draws, [stopped, hears]
    for name, value in (("SECONDS", 0.2), ("SHUTDOWN_SECONDS", 0.2), ("opened_browser", opened)):
        monkeypatch.setattr(f"viz_app.files.chromium.{name}", value)
    chromium, asked = Chromium(sys.executable), wanted(recipe, "svg")
    with pytest.raises(ExportError, match="could not draw"):
        prepared(library, asked, chromium)()
    assert stopped.subprocess.wait(60) == -signal.SIGKILL
    assert prepared(library, asked, chromium)().startswith(b"<svg")
    chromium.close()
    assert hears.subprocess.wait(60) == -signal.SIGKILL
    gc.collect()
    assert not caplog.records


class Waiting:
    """A browser as kaleido has it, which draws each picture when it is told to."""

    def __init__(self):
        self.may = threading.Event()

    async def close(self):
        pass

    async def draw(self, drawing, format, scale):
        assert await asyncio.to_thread(self.may.wait, 60)
        return b"<svg></svg>"


@pytest.fixture
def waiting(monkeypatch):
    browser = Waiting()

    async def opened(path):
        return browser

    monkeypatch.setattr("viz_app.files.chromium.opened_browser", opened)
    chromium = Chromium(sys.executable)
    yield chromium, browser
    browser.may.set()
    chromium.close()


def test_five_who_ask_at_the_same_moment_all_get_their_picture(library, recipe, waiting):
    chromium, browser = waiting
    make = prepared(library, wanted(recipe, "svg"), chromium)
    with ThreadPoolExecutor(5) as threads:
        asked = [threads.submit(make) for _ in range(5)]
        while chromium.waiting < 4:
            assert not any(one.done() for one in asked)
        browser.may.set()
        assert all(one.result(60).startswith(b"<svg") for one in asked)


def test_who_finds_the_line_full_is_told_when_to_come_back(library, recipe, waiting, monkeypatch):
    chromium, browser = waiting
    monkeypatch.setattr("viz_app.files.chromium.MOST_WAITING", 1)
    make = prepared(library, wanted(recipe, "svg"), chromium)
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(make) for _ in range(2)]
        while chromium.waiting < 1:
            assert not any(one.done() for one in asked)
        with pytest.raises(TooBusy) as error:
            make()
        browser.may.set()
        assert all(one.result(60) for one in asked)
    told = refusal(error.value)
    assert told.status == 503 and told.after >= 1 and error.value.values["n"] == 2


def test_a_browser_that_never_opens_is_not_left_behind(library, recipe, monkeypatch, tmp_path):
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\nexec sleep 600\n")
    browser.chmod(0o755)
    killed = queue.Queue()
    monkeypatch.setattr(
        "viz_app.files.chromium.kill_with_children", lambda one: killed.put(one) or kill(one)
    )
    monkeypatch.setattr("viz_app.files.chromium.SECONDS", 2.0)
    with pytest.raises(ExportError, match="could not draw"):
        prepared(library, wanted(recipe, "svg"), Chromium(str(browser)))()
    assert killed.get(timeout=60).wait(60) == -signal.SIGKILL


def test_without_a_browser_the_remedy_is_told_and_data_still_works(library, recipe, monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    chromium = Chromium()
    for ending in ("png", "svg", "pdf", "gif", "zip"):
        with pytest.raises(ExportError, match=r"Install Chromium.*set CHROMIUM") as error:
            prepared(library, wanted(recipe, ending), chromium)()
        assert error.value.code == "browser"
    for ending in ("npz", "json", "csv", "html"):
        assert prepared(library, wanted(recipe, ending), chromium)()


def test_a_visitor_of_a_host_without_a_browser_is_told_what_works_and_to_install_nothing(
    library, recipe, monkeypatch
):
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    assert (why_undrawn(hosted=False), why_undrawn(hosted=True)) == ("browser", "undrawn")
    asked = wanted(recipe, "png")
    make = prepared(library, asked, Chromium())
    with pytest.raises(ExportError, match="Install Chromium"):
        file_of(asked, make, 10**6)
    with pytest.raises(ExportError, match="the HTML page and the data work too") as error:
        file_of(asked, make, 10**6, hosted=True)
    assert error.value.code == "undrawn" and "nstall" not in str(error.value)


def test_without_kaleido_the_remedy_is_told(library, recipe, monkeypatch, tmp_path):
    browser = tmp_path / "chromium"
    browser.write_text("")
    browser.chmod(0o755)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ExportError, match="pip install kaleido"):
        prepared(library, wanted(recipe, "png"), Chromium(str(browser)))()


def test_a_picture_without_end_is_refused_before_anything_is_drawn(library, recipe, monkeypatch):
    monkeypatch.setattr("viz_app.files.chromium.MOST_PIXELS", 10**6)
    with pytest.raises(ExportError, match="smaller scale"):
        prepared(library, wanted(recipe, "png", look=Look(scale=4)), Chromium("/nowhere"))()


def test_too_many_frames_or_pictures_are_refused(library, recipe, monkeypatch):
    monkeypatch.setattr("viz_app.files.animation.MOST_FRAMES", 3)
    with pytest.raises(ExportError, match="4 frames"):
        prepared(library, wanted(recipe, "gif"))
    monkeypatch.setattr("viz_app.files.pack.MOST_PICTURES", 3)
    with pytest.raises(ExportError, match="at most 3"):
        prepared(library, wanted(recipe, "zip"))


def test_a_pack_that_is_too_large_is_refused_before_anything_is_drawn(library, recipe):
    asked = wanted(recipe, "zip", sites=("cross",), layers=(2,))
    with pytest.raises(ExportError, match="at most 1000"):
        prepared(library, asked, Chromium("/nowhere"), most_bytes=1000)()


@pytest.mark.parametrize("ending", ["bmp", 3])
def test_a_format_there_is_not_is_named(recipe, ending):
    with pytest.raises(RecipeError, match="choose"):
        FileRequest(recipe, picture(), ending)


def test_frames_keep_their_order_and_their_time():
    def png(shade):
        file = io.BytesIO()
        Image.new("RGB", (8, 8), (shade, shade, shade)).save(file, "PNG")
        return file.getvalue()

    picture = Image.open(io.BytesIO(gif_of([png(0), png(90), png(250)], Signature("t", "m", "w"))))
    shades, times = [], []
    for frame in range(picture.n_frames):
        picture.seek(frame)
        shades.append(picture.convert("L").getpixel((4, 4)))
        times.append(picture.info["duration"])
    assert shades == sorted(shades) and times[-1] > times[0]


@pytest.mark.parametrize(
    ("more", "name"), [({"layers": (9,)}, "layer 9"), ({"heads": (99,)}, "99")]
)
def test_a_pack_of_a_layer_or_head_there_is_not_is_refused(library, recipe, more, name):
    with pytest.raises(RecipeError, match=f"There is no .*{name}"):
        prepared(library, wanted(recipe, "zip", **more))
