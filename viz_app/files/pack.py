"""A lesson pack: one zip with pictures of the chosen heads, the numbers, the recipe, a manifest."""

import hashlib
import importlib.metadata
import io
import json
import math
import platform
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from model_core.errors import ExportError
from model_core.studies.places import check_place
from model_core.values.decoding_file import decoding_arrays, decoding_labels, npz_of
from model_core.values.trace import Site
from viz_app.files.animation import Progress
from viz_app.files.engine import Engine
from viz_app.files.picture import Picture
from viz_app.files.picture import picture as picture_at
from viz_app.files.signed import signature_of, signed
from viz_app.files.standalone import Opening, standalone_html
from viz_app.files.tables import MOST_ROWS, to_csv
from viz_app.rooms.translate import ROOM, TranslateView
from viz_app.rooms.translate.figures.attention import Rows, about_decoding, attention_figure
from viz_app.rooms.translate.figures.heads import heads_figure
from viz_app.rooms.translate.readings import read
from viz_app.text import told
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from viz_app.files.wish import Wish

MOST_PICTURES = 300
_PACKAGES = ("torch", "numpy", "plotly", "kaleido", "tokenizers", "safetensors")
_BEFORE_ALL = (1980, 1, 1, 0, 0, 0)  # the same lesson gives the same bytes
_ABOUT = """One translation with its attention, made by Attention Visualiser {version}.

pictures/SITE/all-heads.{ending}             every head of a site
pictures/SITE/layer-N-head-M.{ending}        one head: rows are queries, columns keys
{readings}data/decoding.npz                     every array: "SITE.LAYER.weights_HQK", layers from 1
data/SITE.csv                         one row per weight; not where that is more than {rows} rows
lesson.html                           the page itself: open it in a browser, it needs nothing else
recipe.json                           what was decoded; `export --recipe recipe.json` reads it back
manifest.json                         model, versions, command, and every file with its SHA-256
"""


def pack(
    library: "Library",
    wish: "Wish",
    engine: Engine,
    progress: Progress = iter,
    most_bytes: float = math.inf,
) -> Callable[[], bytes]:
    """Makes the zip; the model is asked here, the pictures are drawn by what is returned.

    Where the arrays alone have more than `most_bytes`, nothing is drawn: ExportError says so.
    """
    recipe, decoding = library.extend(wish.recipe, 0)
    tracer = library.tracer(recipe.model, recipe.edits)
    text = tracer.text(decoding)
    view = wish.picture.view
    rows_named = view.rows if isinstance(view, TranslateView) else "fed"
    with library.calls():
        answers = {
            site: ROOM.answer(tracer, recipe, TranslateView(site=site, rows=rows_named))
            for site in wish.sites
        }
    traces = {site: answer["traces"] for site, answer in answers.items()}
    reading = str(view.reading) if isinstance(view, TranslateView) else "weights"
    chosen = _chosen(wish, traces)
    other = _of_reading(reading, chosen)
    if len(chosen) + len(other) > MOST_PICTURES:
        raise told(ExportError, "files", n=len(chosen) + len(other), limit=MOST_PICTURES)
    look = replace(wish.look, spelled=view.spelled)
    about = about_decoding(recipe.model, recipe.source, text)
    weights = tracer.model.fingerprint
    model = {"name": recipe.model, "fingerprint": weights}

    tables = {f"data/{site}.csv": answers[site].table("heads")[0] for site in wish.sites}
    left_out = {name: len(table) for name, table in tables.items() if len(table) > MOST_ROWS}

    said = {} if reading == "weights" else {"reading": reading}
    opened = Opening({"site": other[-1][0] if other else wish.sites[-1], **said})
    page = standalone_html(library, recipe, opened, look.theme, look.language)

    drawings: list[tuple[str, Picture, Callable[[], Any]]] = []
    rows = {site: Rows(answers[site]["written"]) for site in wish.sites}
    for site, layer, head in chosen:
        if head == 0:
            name, shown = "all-heads", picture_at("heads", site)
            figure = partial(heads_figure, traces[site], look, rows[site], about)
        else:
            name, shown = f"layer-{layer}-head-{head}", picture_at(site, site, layer, head)
            one = traces[site][layer - 1]
            figure = partial(attention_figure, one, head, look, rows[site], about)
        drawings.append((f"pictures/{site}/{name}.{wish.pictures}", shown, figure))
    for site, layer, head in other:
        name = "".join(f"{part}-{n}-" for part, n in (("layer", layer), ("head", head)) if n)
        layer, head = max(1, layer), max(1, head)
        shown = picture_at(site, site, layer, head, reading=reading)
        with library.calls():
            weights_LHQK = answers[site]["weights"]
            seen = read(tracer, recipe, decoding, weights_LHQK, shown.view)
        one = traces[site][layer - 1]
        figure = partial(attention_figure, one, head, look, rows[site], about, seen)
        drawings.append((f"pictures/{site}/{name}{reading}.{wish.pictures}", shown, figure))

    def make() -> bytes:
        labels = decoding_labels(recipe, decoding, text)
        arrays = npz_of(decoding_arrays(decoding), labels)
        if len(arrays) > most_bytes:
            raise told(ExportError, "file_large", n=len(arrays), limit=round(most_bytes))
        files: dict[str, bytes] = {"lesson.html": page.encode()}
        for name, shown, draw in progress(drawings):
            figure = draw()
            signature = signature_of(recipe, weights, shown, figure.layout.title.text)
            drawn = engine.draw(figure, wish.pictures, wish.scale)
            files[name] = signed(drawn, wish.pictures, signature, wish.scale)
        for name, table in tables.items():
            if name not in left_out:
                files[name] = to_csv([table])
        files["data/decoding.npz"] = arrays
        files["recipe.json"] = _json(recipe.to_json())
        names = [name for name in files if name.endswith(f"{reading}.{wish.pictures}")]
        readings = f"{names[0]:<37} and others by the reading “{reading}”\n" if names else ""
        readme = _ABOUT.format(
            version=VERSION, ending=wish.pictures, rows=MOST_ROWS, readings=readings
        )
        files["README.txt"] = readme.encode()
        manifest = {
            "format": "attention-visualiser lesson 1",
            "program": VERSION,
            "model": model,
            "source": recipe.source,
            "translation": text,
            "command": wish.command,
            "look": vars(look),
            "versions": versions(),
            "left_out": [
                {"name": name, "rows": rows, "limit": MOST_ROWS} for name, rows in left_out.items()
            ],
            "files": [
                {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                for name, content in files.items()
            ],
        }
        return _zip(files | {"manifest.json": _json(manifest)})

    return make


def versions() -> dict[str, str]:
    """What made a file: Python and the packages behind the numbers and the pictures."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "none"
    return found


def _chosen(wish: "Wish", all_traces: dict[Site, list[Any]]) -> list[tuple[Site, int, int]]:
    """Site, layer and head of every picture, from 1; head 0 stands for all heads."""
    chosen: list[tuple[Site, int, int]] = []
    for name, named, most in (
        ("layer", wish.layers, max(map(len, all_traces.values()))),
        ("head", wish.heads, max(len(one[0].weights_HQK) for one in all_traces.values())),
    ):
        for place in named:
            check_place(place - 1, most, name)
    for site, traces in all_traces.items():
        chosen.append((site, 0, 0))
        for trace in traces:
            for head in range(1, len(trace.weights_HQK) + 1):
                layer = trace.layer + 1
                if (wish.layers or (layer,)).count(layer) and (wish.heads or (head,)).count(head):
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
