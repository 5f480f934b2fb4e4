"""A lesson pack: one zip with pictures of the chosen heads, the numbers, the recipe, a manifest."""

import hashlib
import importlib.metadata
import io
import json
import math
import platform
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from model_core.errors import ExportError
from model_core.studies.checks import check_place
from model_core.values.decoding_file import decoding_arrays, decoding_labels, npz_of
from model_core.values.trace import SITES, Decoding, Site
from viz_app.files.chromium import Chromium
from viz_app.files.content import Content, Progress, fill, written
from viz_app.files.drawing import Drawing
from viz_app.files.picture import picture, picture_of
from viz_app.files.scorm import MANIFEST, manifest
from viz_app.files.standalone import Opening, standalone_html, titled
from viz_app.files.tables import MOST_ROWS, to_csv
from viz_app.files.taught import lesson_on, teaching
from viz_app.lessons.lesson import Lesson
from viz_app.lessons.playing import model_for, played
from viz_app.lessons.recording import LESSON
from viz_app.lessons.sheet import in_html, sheet_of
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.translate.readings import read
from viz_app.text import named_error
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.wish import Wish

MOST_PICTURES = 300
_SHEET, _PAGE = "sheet.html", "http://127.0.0.1:7860/"
_PACKAGES = ("torch", "numpy", "plotly", "kaleido", "tokenizers", "safetensors")
_BEFORE_ALL = (1980, 1, 1, 0, 0, 0)  # the same lesson gives the same bytes
_ABOUT = """One translation with its attention, made by Attention Visualiser {version}.

pictures/SITE/all-heads.{ending}           every head of a site
pictures/SITE/layer-N-head-M.{ending}      one head: rows are queries, columns keys
{readings}data/decoding.npz                     every array: "SITE.LAYER.weights_HQK", layers from 1
data/SITE.csv                         one row per weight; not where that is more than {rows} rows
lesson.html                           the page itself: open it in a browser, it needs nothing else
{taught}imsmanifest.xml                       makes it a package for learning platforms: SCORM 1.2
recipe.json                           what was decoded; `export --recipe recipe.json` reads it back
manifest.json                         model, versions, command, and every file with its SHA-256
"""


def pack(
    library: "Library",
    wish: "Wish",
    chromium: Chromium,
    progress: Progress = iter,
    most_bytes: float = math.inf,
) -> Callable[[], bytes]:
    """Makes the zip; the model is asked here, the pictures are drawn by what is returned.

    Where the arrays alone have more than `most_bytes`, nothing is drawn: ExportError says so.
    """
    recipe, decoding = library.extend(wish.recipe, 0)
    tracer = library.tracer(recipe.model, recipe.edits)
    view = wish.picture.view
    said = {name: getattr(view, name) for name in ("rows", "by", "spelled") if hasattr(view, name)}
    shown: Any = view.site or tracer.anatomy.first_site.site
    sites = [site for site in SITES if site in (wish.sites or (shown,))]  # in their order
    wholes = {
        site: fill(library, recipe, picture_of("heads", said | {"site": site})) for site in sites
    }
    reading = str(getattr(view, "reading", "weights"))
    usual = placed(tracer.model, sites[0], None, None)[0] if view.layer is None else view.layer
    layers = wish.layers or (usual + 1,)
    traces = {site: whole.answer["traces"] for site, whole in wholes.items()}
    chosen = _chosen(layers, wish.heads, traces)
    other = _of_reading(reading, chosen)
    if len(chosen) + len(other) > MOST_PICTURES:
        raise named_error(ExportError, "files", n=len(chosen) + len(other), limit=MOST_PICTURES)
    tables = {f"data/{site}.csv": whole.tables[0] for site, whole in wholes.items()}
    left_out = {name: len(table) for name, table in tables.items() if len(table) > MOST_ROWS}
    read_as = {} if reading == "weights" else {"reading": reading}
    read_as |= {name: said[name] for name in ("by",) if said.get(name)}
    opened = Opening({"site": other[-1][0] if other else sites[-1], **read_as})
    on = lesson_on(wish.lesson, wish.lessons)
    of = recipe.model if on and recipe.model in on[0].models else None
    opened = teaching(library, recipe, opened, on, of)
    if on is not None and opened.lessons is not None:  # whoever opens the pack begins it
        opened = replace(opened, view={**opened.view, "lesson": f"{on[0].name}.1"})
    sheet = None if on is None else _sheet(library, on[0], of, wish.look.language)
    look = wish.look
    page = standalone_html(library, recipe, opened, look.theme, look.language, reports=True)
    drawings: list[tuple[str, Content, Drawing]] = []
    pages: dict[str, Drawing] = {}  # by reading: they differ in what they show alone
    for shown, places in (("weights", chosen), (reading, other)):
        for site, layer, head in places:
            parts = [f"layer-{layer}"] * (layer > 0) + [f"head-{head}"] * (head > 0)
            parts += [shown] if shown != "weights" else []
            drawn = wholes[site]
            if parts:
                drawn = _of_head(library, drawn, decoding, site, layer, head, shown)
            if shown not in pages:
                pages[shown] = drawn.drawing(wish.look)
            one = pages[shown].seen(drawn.picture)
            drawings.append((f"{site}/{'-'.join(parts) or 'all-heads'}", drawn, one))

    def make() -> bytes:
        labels = decoding_labels(recipe, decoding, tracer.text(decoding))
        arrays = npz_of(decoding_arrays(decoding), labels)
        if len(arrays) > most_bytes:
            raise named_error(ExportError, "file_large", n=len(arrays), limit=round(most_bytes))
        files: dict[str, bytes] = {"lesson.html": page.encode()}
        for name, content, drawing in progress(drawings):
            drawn = written(content, wish.pictures, wish.look, chromium, drawing)
            files[f"pictures/{name}.{wish.pictures}"] = drawn
        for name, table in tables.items():
            if name not in left_out:
                files[name] = to_csv([table])
        files["data/decoding.npz"] = arrays
        files["recipe.json"] = _json(recipe.to_json())
        if sheet is not None:
            files[_SHEET] = sheet[1].encode()
        names = [name for name in files if name.endswith(f"{reading}.{wish.pictures}")]
        readings = f"{names[0]:<37} and others by the reading “{reading}”\n" if names else ""
        readme = _ABOUT.format(
            version=VERSION,
            ending=wish.pictures,
            rows=MOST_ROWS,
            readings=readings,
            taught="" if on is None else _told_of(on[0], opened),
        )
        files["README.txt"] = readme.encode()
        about = {
            "format": "attention-visualiser lesson 1",
            "program": VERSION,
            "model": {"name": recipe.model, "fingerprint": tracer.model.fingerprint},
            "edits": list(map(str, recipe.edits)),
            "source": recipe.source,
            "translation": tracer.text(decoding),
            "command": wish.command,
            "look": vars(replace(wish.look, spelled=view.spelled)),
            "versions": versions(),
        }
        title = titled(recipe) if sheet is None else sheet[0]
        files[MANIFEST] = manifest(title, "lesson.html", [*files, "manifest.json"])
        return _zip(files | {"manifest.json": _json(about | _listed(files, left_out))})

    return make


def _told_of(lesson: Lesson, opened: Opening) -> str:
    """How much of a lesson a page has, and the sheet beside it."""
    held = [one["answer"]["steps"] for one in opened.answers if one["room"] == LESSON]
    has = "with one step of the lesson: the others show other sentences or changes"
    if held and len(held[0]) > 1:
        has = "with the lesson up to the first step that shows another sentence"
    if not held:
        has = "without the lesson that was on: it is of another sentence or model"
    elif len(held[0]) == len(lesson.steps):
        has = "with the whole lesson"
    return f"{'':<37} {has}\n{_SHEET:<37} for the teacher: with all answers\n"


def _sheet(library: "Library", lesson: Lesson, model: str | None, language: str) -> tuple[str, str]:
    """The title of a lesson and the sheet of its teacher, with a model or its first."""
    names = library.names()
    known = model_for(lesson, model, names)
    with library.calls():
        tracer = library.tracer(known)
        made = played(lesson, tracer, names, f"{_PAGE}#")
    about, weights = lesson.word("about"), tracer.model.fingerprint
    blocks = sheet_of(made, about, lesson.minutes, language, _PAGE, weights)
    return blocks[0].text, in_html(blocks, language)


def _of_head(
    library: "Library",
    whole: Content,
    decoding: Decoding,
    site: Site,
    layer: int,
    head: int,
    reading: str,
) -> Content:
    """One head, counted from 1, of what all heads of its site were asked for."""
    recipe, answer = whole.recipe, whole.answer
    said: Any = whole.picture.view
    more = {"reading": reading} | {name: getattr(said, name) for name in ("rows", "by", "spelled")}
    shown = picture(site, site, max(1, layer), max(1, head), **more)
    with library.calls():
        tracer = library.tracer(recipe.model, recipe.edits)
        seen = read(tracer, recipe, decoding, answer["weights"], shown.view)
    answer = replace(answer, view=shown.view, values=answer.values | {"reading": seen})
    return replace(whole, picture=shown, answer=answer)


def _listed(files: dict[str, bytes], left_out: dict[str, int]) -> dict[str, Any]:
    """The files of a pack with their SHA-256, and the tables that were too long for one."""
    return {
        "left_out": [
            {"name": name, "rows": rows, "limit": MOST_ROWS} for name, rows in left_out.items()
        ],
        "files": [
            {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        ],
    }


def versions() -> dict[str, str]:
    """What made a file: Python and the packages behind the numbers and the pictures."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "none"
    return found


def _chosen(
    layers: Sequence[int], heads: Sequence[int], all_traces: dict[Site, list[Any]]
) -> list[tuple[Site, int, int]]:
    """Site, layer and head of every picture, from 1; head 0 stands for all heads.

    No heads are named where all are meant.
    """
    chosen: list[tuple[Site, int, int]] = []
    for name, named, most in (
        ("layer", layers, max(map(len, all_traces.values()))),
        ("head", heads, max(len(one[0].weights_HQK) for one in all_traces.values())),
    ):
        for place in named:
            check_place(place - 1, most, name)
    for site, traces in all_traces.items():
        chosen.append((site, 0, 0))
        for trace in traces:
            for head in range(1, len(trace.weights_HQK) + 1):
                layer = trace.layer + 1
                if layer in layers and head in (heads or (head,)):
                    chosen.append((site, layer, head))
    return chosen


def _of_reading(reading: str, chosen: list[tuple[Site, int, int]]) -> list[tuple[Site, int, int]]:
    """The places of the pictures of another reading; 0 where it is of no head or no layer alone."""
    heads = [place for place in chosen if place[2] > 0]
    if reading == "weights":
        return []
    if reading == "norms":
        return heads
    if reading in ("rollout", "mean"):
        return list(dict.fromkeys((site, layer, 0) for site, layer, _ in heads))
    sites = dict.fromkeys(site for site, _, _ in heads)
    if reading == "hidden" and "cross" in sites:
        sites = dict.fromkeys(["cross"])
    return [(site, 0, 0) for site in sites]


def _json(values: Any) -> bytes:
    return (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode()


def _zip(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _BEFORE_ALL), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()
