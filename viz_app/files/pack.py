"""A lesson pack: one zip with pictures of the chosen heads, the numbers, the recipe, a manifest."""

import hashlib
import importlib.metadata
import io
import json
import math
import platform
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from model_core.decoding.run import Run
from model_core.errors import ExportError
from model_core.studies.checks import check_place
from model_core.values.decoding_file import decoding_arrays, decoding_labels, npz_of
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES, Site
from viz_app.figures.look import Look
from viz_app.files.chromium import Chromium
from viz_app.files.content import Content, Progress, fill, written
from viz_app.files.drawing import Drawing
from viz_app.files.picture import picture, picture_of
from viz_app.files.scorm import MANIFEST, manifest
from viz_app.files.standalone import InitialState, standalone_html, titled
from viz_app.files.tables import MOST_ROWS, to_csv
from viz_app.files.taught import lesson_on, teaching
from viz_app.lessons.lesson import Lesson
from viz_app.lessons.recording import LESSON
from viz_app.lessons.sheet import in_html, sheet_of
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.translate.readings import KINDS, read
from viz_app.text import named_error
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.file_request import FileRequest

MOST_PICTURES = 300
_SHEET = "sheet.html"
_PACKAGES = ("torch", "numpy", "plotly", "kaleido", "tokenizers", "safetensors")
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


@dataclass(frozen=True)
class _Place:
    """What one picture shows: a site, a layer and a head of it from 1, 0 stands for all of them."""

    site: Site
    layer: int
    head: int
    reading: str = "weights"

    @property
    def name(self) -> str:
        """Its file in the folder of pictures, without the ending."""
        parts = [f"layer-{self.layer}"] * (self.layer > 0) + [f"head-{self.head}"] * (self.head > 0)
        parts += [self.reading] * (self.reading != "weights")
        return f"{self.site}/{'-'.join(parts) or 'all-heads'}"


@dataclass(frozen=True)
class _Taught:
    """The lesson of a pack, in words for its README, and the sheet of its teacher."""

    title: str
    sheet: str  # HTML
    sentence: str


def pack(
    library: "Library",
    wanted: "FileRequest",
    chromium: Chromium,
    progress: Progress = iter,
    most_bytes: float = math.inf,
) -> Callable[[], bytes]:
    """Makes the zip; the model is asked here, the pictures are drawn by what is returned.

    Where the arrays alone have more than `most_bytes`, nothing is drawn: ExportError says so.
    """
    run = library.run(wanted.recipe)
    recipe, model = run.recipe, run.model
    view: Any = wanted.picture.view
    said = {name: getattr(view, name) for name in ("rows", "by", "spelled") if hasattr(view, name)}
    shown = view.site or model.anatomy.first_site.site
    sites = [site for site in SITES if site in (wanted.sites or (shown,))]  # in their order
    wholes = {
        site: fill(library, recipe, picture_of("heads", said | {"site": site})) for site in sites
    }
    reading = str(getattr(view, "reading", "weights"))
    usual = placed(model, sites[0], None, None)[0] if view.layer is None else view.layer
    traces = {site: whole.answer["traces"] for site, whole in wholes.items()}
    chosen = _chosen(wanted.layers or (usual + 1,), wanted.heads, traces)
    other = _of_reading(reading, chosen)
    if len(chosen) + len(other) > MOST_PICTURES:
        raise named_error(ExportError, "files", n=len(chosen) + len(other), limit=MOST_PICTURES)
    read_as = {} if reading == "weights" else {"reading": reading}
    read_as |= {"by": said["by"]} if said.get("by") else {}
    opened, taught = _opened(
        library, wanted, recipe, {"site": other[-1].site if other else sites[-1], **read_as}
    )
    look = wanted.look
    page = standalone_html(library, recipe, opened, look.theme, look.language, reports=True)
    drawings = _drawings(library, look, run, wholes, chosen + other)
    tables = {f"data/{site}.csv": whole.tables[0] for site, whole in wholes.items()}
    left_out = {name: len(table) for name, table in tables.items() if len(table) > MOST_ROWS}

    def make() -> bytes:
        labels = decoding_labels(recipe, run.decoding, run.text)
        arrays = npz_of(decoding_arrays(run.decoding), labels)
        if len(arrays) > most_bytes:
            raise named_error(ExportError, "file_large", n=len(arrays), limit=round(most_bytes))
        files: dict[str, bytes] = {"lesson.html": page.encode()}
        for name, content, drawing in progress(drawings):
            drawn = written(content, wanted.pictures, look, chromium, drawing)
            files[f"pictures/{name}.{wanted.pictures}"] = drawn
        files |= {name: to_csv([tables[name]]) for name in tables if name not in left_out}
        files |= {"data/decoding.npz": arrays, "recipe.json": _json(recipe.to_json())}
        if taught is not None:
            files[_SHEET] = taught.sheet.encode()
        files["README.txt"] = _readme(files, wanted.pictures, reading, taught).encode()
        title = titled(recipe) if taught is None else taught.title
        files[MANIFEST] = manifest(title, "lesson.html", [*files, "manifest.json"])
        about = _about(wanted, run) | _listed(files, left_out)
        return _zip(files | {"manifest.json": _json(about)})

    return make


def _opened(
    library: "Library", wanted: "FileRequest", recipe: Recipe, view: dict[str, Any]
) -> tuple[InitialState, _Taught | None]:
    """What the page of a pack is opened on, and the lesson that is on."""
    on = lesson_on(wanted.lesson, wanted.lessons)
    if on is None:
        return InitialState(view), None
    lesson, _ = on
    model = recipe.model if recipe.model in lesson.models else None
    opened = teaching(library, recipe, InitialState(view), on, model)
    if opened.lessons is not None:  # the reader begins it
        opened = replace(opened, view={**opened.view, "lesson": f"{lesson.name}.1"})
    language = wanted.look.language
    blocks = sheet_of(library, lesson, model, language)
    sheet = in_html(blocks, language)
    return opened, _Taught(blocks[0].text, sheet, _sentence_of(lesson, opened))


def _drawings(
    library: "Library",
    look: Look,
    run: Run,
    wholes: dict[Site, Content],
    places: Sequence[_Place],
) -> list[tuple[str, Content, Drawing]]:
    """Every picture: its name, its numbers, and what a browser draws of them."""
    drawings = []
    pages: dict[str, Drawing] = {}  # by reading: they differ in what they show alone
    for place in places:
        shown = wholes[place.site]
        if place.name != f"{place.site}/all-heads":
            shown = _of_head(library, run, shown, place)
        if place.reading not in pages:
            pages[place.reading] = shown.drawing(look)
        drawings.append((place.name, shown, pages[place.reading].seen(shown.picture)))
    return drawings


def _readme(files: Iterable[str], ending: str, reading: str, taught: _Taught | None) -> str:
    """What is in a pack of these files, for who opens it."""
    named = next((name for name in files if name.endswith(f"{reading}.{ending}")), None)
    return _ABOUT.format(
        version=VERSION,
        ending=ending,
        rows=MOST_ROWS,
        readings=f"{named:<37} and others by the reading “{reading}”\n" if named else "",
        taught="" if taught is None else taught.sentence,
    )


def _about(wanted: "FileRequest", run: Run) -> dict[str, Any]:
    """What the manifest of a pack says beside its files."""
    return {
        "format": "attention-visualiser lesson 1",
        "program": VERSION,
        "model": {"name": run.recipe.model, "fingerprint": run.model.fingerprint},
        "edits": list(map(str, run.recipe.edits)),
        "source": run.recipe.source,
        "translation": run.text,
        "command": wanted.command,
        "look": vars(replace(wanted.look, spelled=wanted.picture.view.spelled)),
        "versions": versions(),
    }


def _sentence_of(lesson: Lesson, opened: InitialState) -> str:
    """How much of a lesson a page has, and the sheet beside it."""
    held = [one.answer["steps"] for one in opened.answers if one.room == LESSON]
    has = "with one step of the lesson: the others show other sentences or changes"
    if held and len(held[0]) > 1:
        has = "with the lesson up to the first step that shows another sentence"
    if not held:
        has = "without the lesson that was on: it is of another sentence or model"
    elif len(held[0]) == len(lesson.steps):
        has = "with the whole lesson"
    return f"{'':<37} {has}\n{_SHEET:<37} for the teacher: with all answers\n"


def _of_head(library: "Library", run: Run, whole: Content, place: _Place) -> Content:
    """One place, of what all heads of its site were asked for."""
    answer = whole.answer
    said: Any = whole.picture.view
    more = {name: getattr(said, name) for name in ("rows", "by", "spelled")}
    more["reading"] = place.reading
    shown = picture(place.site, place.site, max(1, place.layer), max(1, place.head), **more)
    with library.calls():
        seen = read(run.tracer, run.recipe, run.decoding, answer["weights"], shown.view)
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
) -> list[_Place]:
    """The place of every picture of the weights; no heads are named where all are meant."""
    for name, named, most in (
        ("layer", layers, max(map(len, all_traces.values()))),
        ("head", heads, max(len(one[0].weights_HQK) for one in all_traces.values())),
    ):
        for place in named:
            check_place(place - 1, most, name)
    chosen = []
    for site, traces in all_traces.items():
        chosen.append(_Place(site, 0, 0))
        for trace in traces:
            for head in range(1, len(trace.weights_HQK) + 1):
                layer = trace.layer + 1
                if layer in layers and head in (heads or (head,)):
                    chosen.append(_Place(site, layer, head))
    return chosen


def _of_reading(reading: str, chosen: list[_Place]) -> list[_Place]:
    """The places of the pictures of another reading, which may be of no head or no layer alone."""
    heads = [replace(place, reading=reading) for place in chosen if place.head > 0]
    if reading == "weights":
        return []
    kind = KINDS[reading]
    if kind.map_of == "head":
        return heads
    if kind.map_of == "layer":
        return list(dict.fromkeys(replace(place, head=0) for place in heads))
    sites = dict.fromkeys(place.site for place in heads)
    if kind.is_change and "cross" in sites:
        sites = dict.fromkeys(["cross"])
    return [_Place(site, 0, 0, reading) for site in sites]


def _json(values: Any) -> bytes:
    return (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode()


def _zip(files: dict[str, bytes]) -> bytes:
    """The archive; the same files give the same bytes, as each has the date of no clock."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()
