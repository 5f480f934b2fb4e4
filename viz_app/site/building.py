"""Writes a site into a folder: a page for every sentence, an index, and the files they share.

A folder is written anew only if this program wrote it, as its site.json says; then the files named
there go first, and nothing else.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from model_core.atomic import naming
from model_core.errors import ExportError, RecipeError, VisualiserError
from model_core.values.recipe import Recipe
from viz_app.files.reading import read_text
from viz_app.files.standalone import stage_of, titled
from viz_app.lessons.lesson import Lesson, own_lessons
from viz_app.lessons.playing import menu_of
from viz_app.lessons.recording import Recorded, recorded, sentences_of
from viz_app.links.link import MAX_LINK, write_link
from viz_app.live.pieces import Pieces
from viz_app.menu.catalogue import ModelJson, default_model, entry_of, models_of
from viz_app.rooms.beforehand import Answered, answered
from viz_app.site.pages import (
    index_name,
    index_page,
    index_script,
    model_script,
    packed,
    questions_script,
    sentence_page,
    shared_script,
    shared_style,
)
from viz_app.site.questions import first_view, news, of_model, of_sentence
from viz_app.text import WORDS
from viz_app.values.wire import Json
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.decoding.library import Library

MARK = "site.json"
_FORMAT = "attention-visualiser site 1"
_SLUG = 40  # letters of a sentence in the name of its page


@dataclass(frozen=True)
class SiteSentence:
    """A sentence of a model, and the line of the reader's file that asks for it; 0: shipped."""

    model: str
    text: str
    line: int = 0


def read_sentences(path: Path, models: list[str]) -> list[SiteSentence]:
    """The sentences of a file: one per line, for the model before a tab or else the usual one.

    ExportError where the file cannot be read, RecipeError where it names a model that is not there.
    """
    lines = read_text(path).splitlines()
    found = []
    for number, line in enumerate(lines, start=1):
        model, tab, text = line.partition("\t")
        name, text = (model.strip(), text.strip()) if tab else (default_model(models), line.strip())
        if not text:
            continue
        if name not in models:
            raise RecipeError(
                f"Line {number} of {path.name} names the model {name!r}; there are "
                f"{', '.join(models)}."
            )
        found.append(SiteSentence(str(name), text, number))
    return found


def checked_live(live: str) -> str:
    """The address of the running app without a fragment; ExportError for anything else."""
    try:
        parts = urlsplit(live)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ExportError(f"{live} is no address of a page. Give all of it, https:// included.")
    return parts._replace(fragment="").geturl()


def site_files(
    library: "Library",
    sentences: Iterable[SiteSentence] = (),
    live: str | None = None,
    progress: Any = iter,
    pieces: Pieces | None = None,
    lessons: Sequence[Lesson] = (),
) -> dict[str, bytes]:
    """The files of the site by their paths: every example of every model, then the sentences.

    `lessons` are beside those of the program; the sentences of each have pages. With `pieces` the
    pages of models whose files are there also compute what is not recorded in them. The same
    models, sentences and lessons give the same bytes. RecipeError, with the line, where a model
    cannot read a sentence.
    """
    entries, snapshots = _entries(library)
    of_lessons = [
        SiteSentence(entry["name"], text)
        for one in lessons
        for entry in entries
        if entry["name"] in one.models
        for text in sentences_of(one, entry["name"])
    ]
    wanted = _wanted(entries, [*of_lessons, *sentences])
    # What a model cannot read is refused before any page is made.
    decoded = [_decoded(library, sentence) for sentence in wanted]
    models = [
        entry | {"examples": [one.text for one in wanted if one.model == entry["name"]]}
        for entry in entries
    ]
    models = [entry for entry in models if entry["examples"]]
    pages = {entry["name"]: _paths(entry) for entry in models}
    files: dict[str, bytes] = {}
    styles = _add(files, "css", shared_style())
    worker, offered = None, list[ModelJson]()
    if pieces is not None:
        files |= {f"{pieces.base}{name}": content for name, content in pieces.files.items()}
        sizes = {"shared": dict(pieces.shared), "models": dict(pieces.models)}
        worker = {"base": pieces.base, "sizes": sizes}
        # Snapshots have no pages: they are computed.
        offered = [one for one in snapshots if one["of"] in pages]
    questions = _add(files, "js", questions_script())
    every = (*own_lessons(), *lessons)
    taught = _taught(library, models, every)
    menu = _offered(library, taught, models, pages, worker is not None, every)
    script = shared_script([*models, *offered], pages, questions, worker, menu)
    program = _add(files, "js", script)
    computed = {} if pieces is None else pieces.models
    tables: dict[str, tuple[str, list[Answered]]] = {}
    paths = chain.from_iterable(pages.values())  # in the order of the sentences
    for (recipe, _), path in zip(progress(decoded), paths, strict=True):
        model = recipe.model
        is_first = model not in tables
        if is_first:
            of_all = of_model(library, recipe)
            tables[model] = _add(files, "js", model_script(of_all)), of_all
        table, of_all = tables[model]
        here = taught.get((model, recipe.source), ())
        options = options_for(library, recipe, live, is_first, of_all, here)
        shared = (table, program), styles, "../", model in computed
        files[path] = sentence_page(titled(recipe), options, *shared).encode()
    translations = {
        entry["name"]: [text for recipe, text in decoded if recipe.model == entry["name"]]
        for entry in models
    }
    looks = _add(files, "js", index_script()), styles
    fetched = None if pieces is None else pieces.models
    for language in WORDS:
        of_all_models = models, pages, translations, looks, live, fetched, _playing(menu, pages)
        files[index_name(language)] = index_page(language, *of_all_models).encode()
    return files


def _entries(library: "Library") -> tuple[list[ModelJson], list[ModelJson]]:
    """The models that can be opened, and the snapshots of their trainings; ExportError for none."""
    known, of_hub, refused = models_of(library.root)
    snapshots = [entry for entry in known if entry["of"] is not None]
    entries = [entry for entry in known if entry["of"] is None] + _opened(library, of_hub)
    if not entries:
        reasons = " ".join(map(str, refused.values()))
        raise ExportError(f"No model in {library.root} can be opened. {reasons}".strip())
    return entries, snapshots


def _paths(entry: ModelJson) -> list[str]:
    """The pages of a model's sentences."""
    return [
        f"{entry['name']}/{number}{_slug(text)}.html"
        for number, text in enumerate(entry["examples"], start=1)
    ]


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files; ExportError where the folder holds what this program did not write."""
    earlier = written_before(folder)
    folder.mkdir(parents=True, exist_ok=True)
    mark = {"format": _FORMAT, "version": VERSION, "files": sorted({*earlier, *files})}
    _write_mark(folder, mark)
    for name in earlier:
        if name not in files:
            (folder / name).unlink(missing_ok=True)
            for above in (folder / name).parents:
                if above == folder or any(above.iterdir()):
                    break
                above.rmdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        with naming(folder / name):
            (folder / name).write_bytes(content)
    _write_mark(folder, mark | {"files": sorted(files)})


def _write_mark(folder: Path, mark: Json) -> None:
    with naming(folder / MARK):
        (folder / MARK).write_text(json.dumps(mark, indent=1) + "\n", encoding="utf-8")


def written_before(folder: Path) -> list[str]:
    """The files of an earlier site in the folder; ExportError where it holds anything else."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return []
    refusal = ExportError(
        f"{folder} is not empty, and this program did not write a site there. Name a new folder."
    )
    try:
        mark = json.loads((folder / MARK).read_text(encoding="utf-8"))
        names = mark["files"]
        if mark["format"] != _FORMAT or not all(map(_is_ours, names)):
            raise refusal
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise refusal from error
    found = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()
    } - {MARK}
    if strange := sorted(found - set(names)):
        raise ExportError(
            f"{folder} holds {strange[0]}, which is not of the site. Move it, or name a new folder."
        )
    return [name for name in names if name in found]


def _is_ours(name: Any) -> bool:
    """Whether a path stays in the folder."""
    parts = PurePosixPath(name).parts
    return bool(parts) and ".." not in parts and not PurePosixPath(name).is_absolute()


def _opened(library: "Library", names: Iterable[str]) -> list[ModelJson]:
    """Those models of transformers that can be opened here; no browser computes them."""
    found = []
    for name in names:
        with suppress(VisualiserError):  # the library says so
            found.append(entry_of(library.tracer(name).model))
    return found


def _wanted(entries: list[ModelJson], sentences: Iterable[SiteSentence]) -> list[SiteSentence]:
    """Each sentence once, grouped by model."""
    all_of_them = [SiteSentence(one["name"], text) for one in entries for text in one["examples"]]
    all_of_them += sentences
    order = [entry["name"] for entry in entries]
    for one in all_of_them:
        if one.model not in order:
            raise RecipeError(f"Line {one.line}: The model {one.model!r} cannot be opened.")
    first = {(one.model, one.text): one for one in reversed(all_of_them)}
    known = [first[key] for key in dict.fromkeys((one.model, one.text) for one in all_of_them)]
    return sorted(known, key=lambda one: order.index(one.model))


def _decoded(library: "Library", sentence: SiteSentence) -> tuple[Recipe, str]:
    try:
        recipe = Recipe(sentence.model, sentence.text)
        run = library.run(recipe, library.tracer(recipe.model).opening_steps(recipe))
    except VisualiserError as error:
        if not sentence.line:
            raise
        raise RecipeError(f"Line {sentence.line}: {error}") from error
    return run.recipe, run.text


def options_for(
    library: "Library",
    recipe: Recipe,
    live: str | None,
    is_first: bool,
    known: list[Answered],
    taught: Iterable[Recorded] = (),
) -> Json:
    """What the page of a recipe gets, beside what is `known` of its model; `is_first`: of it.

    `taught` are the lessons that are played on the page.
    """
    run = library.run(recipe)
    model, decoding = run.model, run.decoding
    view = first_view(model, decoding)
    answers = answered(library, run, of_sentence(model, decoding, view, is_first))
    asked = {one.question for one in answers}
    for lesson in taught:
        more = [one for one in (lesson.own, *lesson.answers) if one.question not in asked]
        answers, asked = answers + more, asked | {one.question for one in more}
    answers = news(answers, known)
    link = live and write_link(recipe, {"weights": model.fingerprint}, live)
    return stage_of(run, view) | {
        **packed(answers),
        "site": {"root": "../", "live": live, "link": link},
        "link": {"limit": MAX_LINK},
    }


def _taught(
    library: "Library", models: list[ModelJson], lessons: Iterable[Lesson]
) -> dict[tuple[str, str], list[Recorded]]:
    """The lessons that can be played on a page, by its model and its sentence."""
    found: dict[tuple[str, str], list[Recorded]] = {}
    for lesson, model in taught_with(lessons, models):
        for made in recorded(lesson, library, model):
            found.setdefault((made.recipe.model, made.recipe.source), []).append(made)
    return found


def taught_with(
    lessons: Iterable[Lesson], models: Iterable[ModelJson]
) -> Iterator[tuple[Lesson, str]]:
    """Lessons whose sentences have pages, each with one model of every pair of languages."""
    for lesson in lessons:
        there = {
            tuple(entry["languages"]): entry["name"]
            for entry in reversed([*models])
            if entry["name"] in lesson.models
            and (shown := sentences_of(lesson, entry["name"]))
            and {*shown} <= {*entry["examples"]}
        }
        yield from ((lesson, model) for model in there.values())


def _offered(
    library: "Library",
    taught: Mapping[tuple[str, str], Iterable[Recorded]],
    models: list[ModelJson],
    pages: Mapping[str, list[str]],
    computes: bool,
    every: Sequence[Lesson],
) -> Json:
    """The list of lessons, with the page on which each is recorded, by model.

    Where nothing `computes` those that are recorded nowhere are counted, and left out.
    """
    places: dict[str, dict[str, str]] = {}
    for entry in models:
        for text, page in zip(entry["examples"], pages[entry["name"]], strict=True):
            for one in taught.get((entry["name"], text), ()):
                if "view" in one.played["steps"][0]:  # where it begins
                    places.setdefault(one.played["name"], {})[entry["name"]] = page
    names = library.names()
    menu = menu_of([one for one in every if computes or one.name in places], names)
    entries = [one | {"pages": places.get(one["name"], {})} for one in menu["lessons"]]
    return menu | {
        "lessons": entries,
        "left": len(menu_of(every, names)["lessons"]) - len(entries),
    }


def _playing(menu: Json, pages: Mapping[str, list[str]]) -> dict[str, str]:
    """The page that plays each lesson: one where it is recorded, else the first of its model."""
    found = {
        one["name"]: [
            *one["pages"].values(),
            *(pages[model][0] for model in one["models"] if model in pages),
        ]
        for one in menu["lessons"]
    }
    return {name: places[0] for name, places in found.items() if places}


def _add(files: dict[str, bytes], ending: str, text: str) -> str:
    """The name of a shared file, which holds the hash of what is in it."""
    content = text.encode()
    name = f"shared/{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
    files[name] = content
    return name


def _slug(text: str) -> str:
    """Some letters of a sentence for the name of its page; nothing where it has no Latin ones."""
    words = re.sub(r"[^a-z0-9]+", "-", text.lower())[:_SLUG].strip("-")
    return f"-{words}" if words else ""
