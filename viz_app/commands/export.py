"""python -m viz_app export: pictures, data, animations and lesson packs without the page."""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from model_core.atomic import replace_file
from model_core.checkpoints.snapshots import find_folder, is_there
from model_core.commands.options import (
    add_edits,
    add_settings,
    add_strategy,
    recipe_said,
)
from model_core.errors import ExportError, RecipeError
from model_core.folders import CHECKPOINTS, HUB
from model_core.terminal import program, reporting_errors
from model_core.values.checked import Kind
from model_core.values.edits import Edit, read_edits
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES
from viz_app.figures.look import CHOICES, LOOK, LOOKS, Look
from viz_app.files.file_request import OF_PACK, PICTURES, FileRequest
from viz_app.files.linked import open_link
from viz_app.files.making import prepared
from viz_app.files.picture import Picture, picture, picture_of
from viz_app.files.reading import read_text
from viz_app.files.tables import FORMATS, lines_of_csv
from viz_app.lessons.lesson import more_lessons
from viz_app.rooms import options, pictures
from viz_app.values.view import Option, View, words_shown

if TYPE_CHECKING:
    from model_core.decoding.library import Library

# What may be said beside a link: of the file, not of what it shows.
_BESIDE_A_LINK = {"link", "out", "view", "format", "checkpoints", "lessons", *OF_PACK, *LOOKS}


@reporting_errors
def run(arguments: Sequence[str], checkpoints: Path = CHECKPOINTS) -> int:
    """The exit status: 0, or 1 where a file could not be made."""
    parsed = parser(checkpoints).parse_args(arguments)
    named = {parsed.out, parsed.texts, parsed.recipe, parsed.checkpoints, parsed.lessons}
    named |= {Path(other) for other in _others(parsed) if not other.startswith(HUB)}
    folder, parsed.shipped = find_folder(parsed.model or "", parsed.checkpoints), parsed.checkpoints
    if parsed.model and is_there(folder) and folder.parent != parsed.checkpoints:
        named.add(Path(parsed.model))
        parsed.checkpoints, parsed.model = folder.resolve().parent, folder.resolve().name
    words = [_without_folders(word, named) for word in arguments]
    parsed.command = shlex.join(["python", "-m", "viz_app", "export", *words])
    return _export(parsed)


def _without_folders(word: str, named: set[Any]) -> str:
    """A word of a command; of a file that is named in it the last part: the rest is private."""
    for start in (0, len("-o"), word.find("=") + 1):
        path = Path(word[start:])
        if word[start:] and path in named:
            return word[:start] + path.name
    return word


def parser(checkpoints: Path) -> argparse.ArgumentParser:
    """All options; the format is the ending of the output's name."""
    parser = argparse.ArgumentParser(
        prog=f"{program('viz_app')} export",
        description="Write what the page shows to a file: .png .svg .pdf (a picture), "
        f"{' '.join(f'.{ending}' for ending in FORMATS)} (its numbers), .plotly (a figure "
        "as JSON, to restyle), .html (the page itself), .gif (a whole decode), "
        ".zip (a lesson pack).",
        epilog="views:\n"
        + "\n".join(f"  {name:<11} {room.views[name].about}" for name, room in pictures().items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--model", help="a name under the checkpoints, a folder, or hf:NAME; a link names its own")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--text", help="one sentence")
    what.add_argument(
        "--texts", type=Path, metavar="FILE", help="one sentence per line; -o names a folder"
    )
    what.add_argument(
        "--link",
        metavar="URL",
        help="what a link of the page shows, which says all that is decoded and shown",
    )
    what.add_argument(
        "--recipe",
        type=Path,
        metavar="FILE",
        help="what recipe.json of a lesson pack decodes, or another file of ours that holds it",
    )
    add("-o", "--out", type=Path, required=True, help="the file, or the folder")
    add("--format", help="of the files in a folder, such as svg (default: png)")
    add("--checkpoints", type=Path, default=checkpoints, help="folder of models")
    add("--lessons", type=Path, metavar="FOLDER", help="lessons of your own that a link may name")
    add("--pads", type=int, default=0, help="pads after the source (default: 0)")
    add_strategy(parser)
    add_edits(parser)
    add_settings(parser)
    _add_view(parser.add_argument_group("what is shown; counted from 1"))
    _add_pack(parser.add_argument_group("what is in a lesson pack"))
    _add_look(parser.add_argument_group("how it looks"))
    return parser


def _add_view(group: Any) -> None:
    """Add --view, and an option for all that can be chosen in a room."""
    group.add_argument(
        "--view",
        choices=pictures(),
        metavar="VIEW",
        help="see below (default: cross, or what the link shows)",
    )
    for flag, _, kind, option in _flags():
        more: dict[str, Any] = {"type": option.reads or int}
        if kind.type is bool or option.means is not None:
            more = {"action": "store_true", "default": None}
        elif kind.words:
            more = {"choices": words_shown(kind)}
        elif kind.type is str:
            more = {"action": "append"}
        elif kind.type is Edit:
            more = {"action": "append", "metavar": "EDIT"}
        elif kind.type is Recipe:
            more = {"metavar": "MODEL|FILE"}
        elif kind.is_list and len(option.names) < 2:
            more["nargs"] = "+"
        group.add_argument(f"--{flag}", help=option.help, **more)
        if kind.type is Recipe:
            _add_run(group, flag)


def _add_run(group: Any, flag: str) -> None:
    """Add what else can be said of the other run that --flag names."""
    add = group.add_argument
    add(f"--{flag}-text", help=f"of --{flag}: another sentence (default: the same)")
    about = f"of --{flag}: what is changed in its arithmetic"
    add(f"--{flag}-edit", action="append", metavar="EDIT", help=about)


def _flags() -> list[tuple[str, str, Kind, Option]]:
    """What can be chosen in a room: the option here, its name in programs, and what it holds."""
    named = [(name, kind, kind.note(Option) or Option()) for name, kind in options().items()]
    return [
        (option.flag or name.replace("_", "-"), name, kind, option)
        for name, kind, option in named
        if option.flag is not None
    ]


def _said(parsed: argparse.Namespace, option: str) -> Any:
    return getattr(parsed, option.replace("-", "_"))


def _others(parsed: argparse.Namespace) -> list[str]:
    """The models and the files of other runs, as they were named."""
    named = [_said(parsed, flag) for flag, _, kind, _ in _flags() if kind.type is Recipe]
    return [one for one in named if one is not None]


def _other(parsed: argparse.Namespace, flag: str, text: str) -> Recipe | None:
    """The other run of --flag; None where nothing is said of it."""
    named, other, edits = (_said(parsed, f"{flag}{part}") for part in ("", "-text", "-edit"))
    if named is not None and named.endswith(".json"):
        return _read_recipe(Path(named))
    if (named, other, edits) == (None, None, None):
        return None
    said = recipe_said(parsed, named or parsed.model, other or text)
    settings = said.settings if said.model == parsed.model else ()
    return replace(said, settings=settings, edits=read_edits(edits or []))


def _add_pack(group: Any) -> None:
    add = group.add_argument
    add("--sites", nargs="+", choices=SITES, help="default: that of --view")
    add("--layers", type=int, nargs="+", help="default: that of --layer")
    add("--heads", type=int, nargs="+", help="default: all")
    add("--pictures", choices=PICTURES, help="default: png")


def _add_look(group: Any) -> None:
    add = group.add_argument
    add("--scale", type=float, default=LOOK.scale, help="of a PNG, 1 to 4 (default: 2)")
    for name, known in CHOICES.items():
        add(f"--{name}", default=getattr(LOOK, name), choices=known)
    add("--width", type=float, metavar="MM", help="of a column, 60 to 300; --size is column then")
    add("--no-title", action="store_false", dest="title", help="for a paper, which has a caption")


def _picture(parsed: argparse.Namespace, text: str) -> Picture:
    chosen = {}
    for flag, name, kind, _ in _flags():
        value = _said(parsed, flag)
        if kind.type is Recipe:
            value = _other(parsed, flag, text)
        elif kind.is_list and kind.type is str and value is not None:
            # The sentence itself is the first.
            value = (text.strip(), *value)
        chosen[name] = value
    return picture(parsed.view or "cross", **chosen)


def _recipe(parsed: argparse.Namespace, text: str) -> Recipe:
    if parsed.model is None:
        raise RecipeError("Which model translates? Name one with --model.")
    return recipe_said(parsed, parsed.model, text)


def _recipe_of_file(parsed: argparse.Namespace) -> Recipe:
    """The recipe in a file, which says all that is decoded."""
    fresh = argparse.ArgumentParser()
    for add in (add_strategy, add_edits, add_settings):
        add(fresh)
    usual = {"model": None, "pads": 0} | vars(fresh.parse_args([]))
    _check_left_out(parsed, usual, "The recipe says what is decoded")
    return _read_recipe(parsed.recipe)


def _check_left_out(parsed: argparse.Namespace, usual: dict[str, Any], about: str) -> None:
    """Raise RecipeError for an option that is given beside what says the same."""
    for name, value in usual.items():
        if getattr(parsed, name) != value:
            raise RecipeError(f"{about}; leave out --{name.replace('_', '-')}.")


def _read_recipe(path: Path) -> Recipe:
    """The recipe in an exported file; ExportError if it cannot be read."""
    try:
        values = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ExportError(f"{path} cannot be read as JSON: {error}.") from error
    if isinstance(values, dict) and "recipe" in values:  # exported numbers
        values = values["recipe"]
    return Recipe.from_json(values)


def _linked(library: "Library", parsed: argparse.Namespace) -> FileRequest:
    """The file of a link; the view alone may be another one of the same recipe."""
    usual = vars(parser(parsed.checkpoints).parse_args(["--link", "", "-o", "x"]))
    others = {name: value for name, value in usual.items() if name not in _BESIDE_A_LINK}
    _check_left_out(parsed, others, "The link says what is decoded and shown")
    lessons = more_lessons(parsed.lessons) if parsed.lessons else ()
    linked = open_link(library, parsed.link, lessons)
    if linked.note is not None:
        print(linked.note, file=sys.stderr)
    if parsed.view is None:
        wanted = _request(parsed, linked.recipe, linked.picture, linked.stage)
    else:
        wanted = _request(parsed, linked.recipe, _another(linked.picture, parsed.view))
    return replace(wanted, lesson=linked.lesson, lessons=lessons)


def _another(shown: Picture, name: str) -> Picture:
    """Another picture of what a link shows: the same head, and in its room all that is chosen."""
    room = pictures()[name]
    names = {one.name for one in fields(View)}
    if room is shown.room:
        made = set(shown.room.views[shown.name].view)  # what made it that picture
        names |= {one.name for one in fields(room.view)} - made
    said = {one: value for one, value in shown.view.to_json().items() if one in names}
    return picture_of(name, said)


def _export(parsed: argparse.Namespace) -> int:
    from model_core.decoding.library import Library  # imports torch: a second or more

    library = Library(parsed.checkpoints, cache_bytes=32 * 2**20, fetches=True)
    for other in _others(parsed):
        found = parsed.shipped / other
        if is_there(found) and not is_there(parsed.checkpoints / other):
            library.add_folder(found)  # --model names a folder elsewhere
    if parsed.lessons and parsed.link is None:
        raise RecipeError("A link names a lesson. Give one with --link, or leave out --lessons.")
    if parsed.texts is not None:
        return _batch(library, parsed)
    parsed.format = parsed.format or parsed.out.suffix.lstrip(".").lower()
    wanted = _linked(library, parsed) if parsed.link is not None else _of_options(library, parsed)
    write_file(parsed.out, content_of(library, wanted))
    print(parsed.out)
    return 0


def _batch(library: "Library", parsed: argparse.Namespace) -> int:
    """A file for each sentence; one that cannot be read is named and left out."""
    lines = read_text(parsed.texts).splitlines()
    index = [("line", "file", "sentence", "translation")]
    sentences = [(n, line) for n, line in enumerate(lines, start=1) if line.strip()]
    parsed.format, status = parsed.format or "png", 0
    for number, sentence in tqdm(sentences, unit="file", disable=None):
        try:
            wanted = _of_options(library, parsed, sentence)
            name = f"{number:04d}.{parsed.format}"
            write_file(parsed.out / name, content_of(library, wanted))
            index.append((str(number), name, wanted.recipe.source, library.run(wanted.recipe).text))
        except RecipeError as error:
            print(f"line {number}: {error}", file=sys.stderr)
            status = 1
    if len(index) > 1:
        write_file(parsed.out / "index.csv", lines_of_csv(index))
    print(parsed.out)
    return status


def _of_options(
    library: "Library", parsed: argparse.Namespace, text: str | None = None
) -> FileRequest:
    """The file of a sentence and the options."""
    if parsed.recipe is not None:
        recipe = _recipe_of_file(parsed)
        recipe, _ = library.extend(recipe, 0 if recipe.target else None)
        return _request(parsed, recipe, _picture(parsed, recipe.source))
    text = parsed.text if text is None else text
    recipe, _ = library.extend(_recipe(parsed, text), None)
    return _request(parsed, recipe, _picture(parsed, text))


def _request(
    parsed: argparse.Namespace,
    recipe: Recipe,
    shown: Picture,
    stage: dict[str, Any] | None = None,
) -> FileRequest:
    return FileRequest(
        recipe=recipe,
        picture=shown,
        ending=parsed.format,
        stage=stage,
        look=Look(**{name: getattr(parsed, name) for name in LOOKS}),
        command=parsed.command,
        **{name: getattr(parsed, name) for name in OF_PACK if getattr(parsed, name)},
    )


def content_of(library: "Library", wanted: FileRequest) -> bytes:
    """The file, with a bar of its pictures; errors as of `prepared`."""
    bar = partial(tqdm, unit="picture", leave=False, disable=None)
    return prepared(library, wanted, progress=bar)()


def write_file(path: Path, content: bytes) -> None:
    """Write a file, or leave the one before; ExportError where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error
