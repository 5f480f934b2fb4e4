"""`show`: the stage as the value of a notebook's cell, without a server.

What it shows is a model's decoding, or attention weights that came without their model.

A notebook displays a page of its own in a frame: it reads nothing of the notebook, and neither
changes how the other looks. The same value can be saved, and gives the figures and the arrays.
"""

import dataclasses
import functools
import html
import re
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from model_core.atomic import replace_file
from model_core.checkpoints.snapshots import find_folder, is_there
from model_core.errors import CheckpointMissing, RecipeError
from model_core.folders import CHECKPOINTS, HUB
from model_core.values.checked import shown
from model_core.values.recipe import MAX_CHARACTERS, Recipe, strategy_of
from model_core.values.trace import AttentionTrace, Decoding, Site
from viz_app.files.standalone import InitialState, Language, Theme, standalone_html
from viz_app.rooms import HomeView
from viz_app.rooms.translate.answer import words_asked
from viz_app.rooms.translate.view import By, Drawing, Rows
from viz_app.values.taking import open_ones, options_of, takes
from viz_app.values.view import check_whole, check_word

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from model_core.decoding.library import Library
    from model_core.models.protocol import Model
    from viz_app.figures.look import Look
    from viz_app.files.picture import Picture
    from viz_app.lessons.lesson import Lesson

HEIGHT = 680  # CSS pixels
_Look = tuple[Theme, Language | None, int]  # and the height
_LESSON_FILE = re.compile(r"(.+\.json)(\.\w+)?")  # and its step
# Tells every stage of a notebook whether the notebook is dark, that is, its text light; now and
# whenever it changes. Only what displays an output as it is runs this.
_TELL_SCHEME = """<script>(() => {
const frames = () => document.querySelectorAll("iframe[data-attention-visualiser]");
const tell = () => { for (const frame of frames()) {
const rgb = getComputedStyle(frame.parentElement).color.match(/[\\d.]+/g).slice(0, 3);
const light = rgb.reduce((sum, part) => sum + Number(part), 0) > 382;
frame.contentWindow.postMessage({ scheme: light ? "dark" : "light" }, "*");
} };
for (const frame of frames()) frame.onload = tell;
tell();
for (const one of [document.documentElement, document.body])
new MutationObserver(() => setTimeout(tell, 200)).observe(one, { attributes: true });
})()</script>"""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Showing:
    """A decoding that a notebook displays as the interactive stage. Made by `show`."""

    recipe: Recipe
    decoding: Decoding
    _library: "Library"
    _view: dict[str, Any]
    _theme: Theme
    _language: Language | None
    _height: int
    _picture: "Picture | None" = None
    _on: "tuple[Lesson, int] | None" = None  # the lesson that the page has, and its step
    _of: str | None = None  # the model that it is played with; none: its first

    def __post_init__(self) -> None:
        if type(self._height) is not int or not 200 <= self._height <= 4000:
            message = f"height is {shown(self._height)}; it must lie in 200 to 4000 pixels."
            raise RecipeError(message)

    @property
    def _model(self) -> "Model":
        return self._library.tracer(self.recipe.model).model

    @property
    def _place(self) -> str | None:
        return None if self._on is None else f"{self._on[0].name}.{self._on[1]}"

    @property
    def text(self) -> str:
        """The target as plain text."""
        return self._model.text(self.decoding.target.ids)

    @property
    def html(self) -> str:
        """The stage as a page that needs nothing else."""
        opened = InitialState(self._view)
        if self._picture is not None:
            from viz_app.files.standalone import initial_state

            opened = initial_state(self._library, self.recipe, self._picture, self._view)
        if self._on is not None:
            from viz_app.files.taught import teaching

            opened = teaching(self._library, self.recipe, opened, self._on, self._of)
        return standalone_html(self._library, self.recipe, opened, self._theme, self._language)

    def save(self, path: Path | str, view: "str | Picture | None" = None, **choices: Any) -> Path:
        """Write a file of the kind that its name ends in; gives its path.

        .html is the page; .png, .svg, .pdf, .npz, .json, .csv, .plotly, .gif and .zip are a view,
        as on the command line: its name, with choices such as layer, head and reading, counted from
        1; by default what the link shows, or cross-attention where there is any. Further choices
        say how it looks: size, width, title, palette, theme, language and scale; or what is in a
        lesson pack: sites, layers, heads, pictures. Pictures need kaleido and a Chromium;
        ExportError says what is missing.
        """
        from viz_app.files.file_request import parted
        from viz_app.files.making import FileRequest, prepared

        path = Path(path)
        ending = path.suffix.lower().removeprefix(".")
        if ending == "html" and view is None and not choices:
            content = self.html.encode()
        else:
            looks, of_pack, seen = parted(choices)
            look = dataclasses.replace(self._look(), **looks)
            shown = self._shown(view, seen)
            on: Any = {}
            if self._on is not None:
                on = {"lesson": self._place, "lessons": (self._on[0],)}
            wanted = FileRequest(self.recipe, shown, ending, look, **on, **of_pack)
            content = prepared(self._library, wanted)()
        replace_file(path, content)
        return path

    def trace(
        self, site: Site, layer: int, *, by: By = "pieces", rows: Rows | None = None
    ) -> AttentionTrace:
        """Every array of one attention sub-layer; layers are counted from 1.

        Of arrays that were shown it has the weights; scores are NaN. So it is `by` "words": the sum
        over a word's tokens as keys, the mean over them as queries. Of the target these are the
        steps that write them, or those that read them, with `rows` "fed".
        """
        place = self._model.anatomy.site(site)
        check_whole("layer", layer, 1, place.layers)
        trace = self.decoding.trace(place.site, layer - 1)
        words = words_asked(self.decoding, place.site, by, rows)
        return words.trace(trace) if words else trace

    def figure(
        self,
        view: "str | Picture | None" = None,
        layer: int | None = None,
        head: int | None = None,
        step: int | None = None,
        **choices: Any,
    ) -> "go.Figure":
        """A view as a Plotly figure to be styled further; all is counted from 1.

        Maps are heat maps with axes and a colour bar; `save` draws a view as it is printed. `view`
        is a name as on the command line, "cross" or "heads" say; `choices` are what else can be
        chosen there. None is what the link shows, or what the page opens with.
        """
        from viz_app.files.content import fill
        from viz_app.files.displayed import Displayed

        choices |= {"layer": layer, "head": head, "step": step}
        content = fill(self._library, self.recipe, self._shown(view, choices))
        return Displayed(content.figure(self._look()))

    def _shown(self, view: "str | Picture | None", choices: dict[str, Any]) -> "Picture":
        from viz_app.files.picture import Picture, chosen, picture

        given = {name: value for name, value in choices.items() if value is not None}
        shown = view if isinstance(view, Picture) else self._picture if view is None else None
        if shown is None:
            usual = self._model.anatomy.first_site.site
            return picture(usual if view is None else str(view), **given)
        changed = vars(shown.view) | chosen(shown.name, given)
        return Picture(shown.name, shown.view.from_json(changed))

    def _look(self) -> "Look":
        from viz_app.figures.look import Look

        return Look(
            theme="dark" if self._theme == "dark" else "light", language=self._language or "en"
        )

    def _repr_html_(self) -> str:
        # Single quotes: the page is full of double ones. `srcdoc` and not a file or a server, so
        # that a saved notebook keeps it; the sandbox gives the page an origin of its own. Notebooks
        # that are not trusted take the frame away, and leave the line under it.
        page = html.escape(self.html, quote=False).replace("'", "&#39;")
        said = html.escape(repr(self))
        return (
            f'<iframe title="{said}" data-attention-visualiser loading="lazy" '
            'sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {self._height}px; border: 0; resize: vertical; '
            f"overflow: auto\" srcdoc='{page}'></iframe>"
            f'<p class="mathjax_ignore tex2jax_ignore"><small>{said} (Nothing above? Trust this '
            f"notebook, or run the cell again.)</small></p>{_TELL_SCHEME}"
        )

    def __repr__(self) -> str:
        if self._on is not None:  # which asks what the translation would say
            title = self._on[0].words[self._language or "en"]["title"]
            return f"{title} ({self._place}), with {self.recipe.model}"
        said = (self.recipe.source, self.text)
        return f"{self.recipe.model}: {' → '.join(text for text in said if text)}"


@takes(open_ones(options_of(HomeView)))
def show(
    model: str | Path | None = None,
    source: str | None = None,
    *,
    link: str | None = None,
    lesson: str | Path | None = None,
    target: str | None = None,
    pads: int = 0,
    beam: int | None = None,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int | None = None,
    rows: Rows | Sequence[Any] | None = None,
    columns: Sequence[Any] | None = None,
    drawing: Drawing | None = None,
    attention: Any = None,
    encoder: Any = None,
    decoder: Any = None,
    cross: Any = None,
    name: str = "arrays",
    theme: Theme = "auto",
    language: Language | None = None,
    height: int = HEIGHT,
    edits: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    compare: "str | Recipe | Showing | None" = None,
    **seen: Any,
) -> Showing:
    """The stage for a sentence, to be displayed by a notebook or saved as a page.

    `model` is the name of a checkpoint that comes with the program, or the path of a folder.
    `target` is forced token by token; without it the model translates: greedily, by searching with
    `beam` hypotheses, or by drawing tokens where a `temperature`, `top_k`, `top_p` or `seed` is
    given. `edits` change the model's arithmetic, such as ["head-off:cross.2.5", "no-positions"];
    `settings` are what a model of transformers lets one set, such as {"to": "fra_Latn"}. The stage
    opens on `site`, `layer`, `head` and `step`, with the rows after it or, `stepping`, without. All
    count from 1. `reading` is what the large map shows: "weights", "norms" (weight x norm of the
    value), "rollout", "mean" (of the heads), "mean_all" (of all layers too) or "hidden" (each
    source word in turn); `by` whether between "words" or "pieces", which are tokens. `height` is in
    CSS pixels.

    `link` is the address of a page, or what follows its #; it says all of that itself. `model` then
    names the folder of its model, where that did not come with the program.

    `lesson` is one of the lessons, "leak", or a step of it, "leak.3"; or the file of one of your
    own, "lessons/mine.json", "lessons/mine.json.3". `model` may be one that it runs on, and is else
    its first. The page has the lesson up to the first step that shows another sentence, where
    its model is unchanged; else that step of it.

    Without a model it shows weights from anywhere: `attention`, or several sites at once as
    `encoder`, `decoder` and `cross`. Each is a NumPy array, a tensor, or lists of them: (Q, K) of
    one head, (H, Q, K) of a layer, (L, H, Q, K) of all layers, or one (1, H, Q, K) per layer, as
    transformers gives them. `rows` and `columns` are labels: of the target and of the source, where
    there are both. `name` is what the page calls them. Numbers that are not finite are refused;
    rows that do not sum to about 1 and numbers below 0 or above 1 are shown as they are, with a
    warning, and the page says so at its foot.
    """
    drawn = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed}
    sites = {"attention": attention, "encoder": encoder, "decoder": decoder, "cross": cross}
    arrays = {which: array for which, array in sites.items() if array is not None}
    said: dict[str, Any] = {"source": source, "target": target, "pads": pads or None, "beam": beam}
    said |= drawn | {"edits": edits or None, "settings": settings, "compare": compare}
    look = theme, language, height
    if arrays:
        steps = {"step": seen["step"], "stepping": seen["stepping"]}
        apart = {"model": model, "link": link, "lesson": lesson}
        _check_unsaid("Arrays need no model", apart | steps | said)
        library, recipe = _of_arrays(arrays, rows, columns, name)
        view = _view(library, recipe, seen, drawing)
        decoding = library.extend(recipe, 0)[1]
        return Showing(recipe, decoding, library, view, *look)
    if lesson is not None:
        said |= seen | {"link": link, "rows": rows, "columns": columns, "drawing": drawing}
        _check_unsaid("The lesson says what is decoded and shown", said)
        return _of_lesson(lesson, model, look)
    if link is not None:
        said |= seen | {"rows": rows, "columns": columns, "drawing": drawing}
        _check_unsaid("The link says what is decoded and shown", said)
        return _linked(link, model, look)
    if model is None or source is None:
        raise RecipeError("show needs a model and a source, or a link, a lesson, or arrays.")
    _check_unsaid("Labels are for arrays", {"columns": columns})
    library, known = _found(model)
    how: Any = (strategy_of(beam, drawn), {} if settings is None else settings, edits)
    recipe, decoding = _decoded(library, Recipe(known, source, (), pads, *how), target)
    view = _view(library, recipe, seen | {"rows": rows}, drawing)
    beside = None if compare is None else _beside(compare, recipe, seen)
    return Showing(recipe, decoding, library, view, *look, beside)


def _decoded(library: "Library", recipe: Recipe, target: str | None) -> tuple[Recipe, Decoding]:
    """The recipe with its target, token by token as it is said, or else as the model writes it."""
    if target is None:
        return library.extend(recipe, None)
    Recipe(recipe.model, target)  # checks the text as that of a source
    with library.calls():
        tracer = library.tracer(recipe.model, recipe.edits)
        return tracer.extend(tracer.beginning(recipe, target, ended=True), 0)


def _beside(other: "str | Recipe | Showing", recipe: Recipe, looked: dict[str, Any]) -> "Picture":
    """The picture of a run beside another one; a model's name stands for the same sentence."""
    from viz_app.files.picture import picture

    if isinstance(other, str):
        other = Recipe(other, recipe.source, (), recipe.pads, recipe.strategy)
    b = other.recipe if isinstance(other, Showing) else other
    return picture("compare", **{name: looked[name] for name in ("site", "layer", "head")}, b=b)


def _view(
    library: "Library", recipe: Recipe, said: dict[str, Any], drawing: Drawing | None
) -> dict[str, Any]:
    """What the stage opens on, counted from 0; RecipeError where there is no such place."""
    run = library.run(recipe)
    place = run.model.anatomy.site(said["site"] or run.model.opens_on["site"])
    steps = len(run.decoding.steps)
    for name, count in (("layer", place.layers), ("head", place.heads), ("step", steps)):
        if said[name] is not None:
            check_whole(name, said[name], 1, count)
    view = HomeView.chosen(said)
    if drawing is not None:
        check_word("drawing", drawing, get_args(Drawing))
        view["view"] = drawing
    HomeView.from_json(view)  # whose words are known
    return view


def _of_arrays(
    arrays: dict[str, Any], rows: Any, columns: Any, name: str
) -> tuple["Library", Recipe]:
    """A library of these arrays alone, and the recipe for them."""
    from model_core.decoding.library import Library
    from viz_app.files.arrays import given

    if not isinstance(name, str):
        raise RecipeError(f"name is {shown(name)}; it must be a text.")
    model = given(arrays, rows, columns, name)
    labels = model.source() if model.source() else model.labels(range(model.anatomy.max_positions))
    recipe = Recipe(name, " ".join(labels.texts)[:MAX_CHARACTERS])
    library = Library(Path("none"))
    library.add(name, lambda: model)
    return library, recipe


def _check_unsaid(about: str, said: dict[str, Any]) -> None:
    """Raise RecipeError for arguments that cannot be combined."""
    for name, value in said.items():
        if value is not None:
            raise RecipeError(f"{about}; leave out {name}.")


def _linked(link: str, model: str | Path | None, look: _Look) -> Showing:
    from viz_app.files.linked import open_link

    library = _library(CHECKPOINTS) if model is None else _found(model)[0]
    linked = open_link(library, link)
    if linked.note is not None:
        warnings.warn(linked.note, stacklevel=4)  # where `show` was called
    return Showing(linked.recipe, linked.decoding, library, linked.stage, *look, linked.picture)


def _of_lesson(lesson: str | Path, model: str | Path | None, look: _Look) -> Showing:
    from viz_app.files.linked import open_link, step_link
    from viz_app.files.taught import lesson_on
    from viz_app.lessons.lesson import read_lesson

    if not isinstance(lesson, str | Path):
        raise RecipeError(f"lesson is {shown(lesson)}; it is a name, and a step: leak.3.")
    place = str(lesson)
    own: tuple[Lesson, ...] = ()
    if file := _LESSON_FILE.fullmatch(place):
        own = (read_lesson(Path(file[1])),)
        place = f"{own[0].name}{file[2] or ''}"
    library, known = (_library(CHECKPOINTS), None) if model is None else _found(model)
    linked = open_link(library, step_link(library, place, known, own))
    how = (linked.stage, *look, linked.picture, lesson_on(linked.lesson, own), known)
    return Showing(linked.recipe, linked.decoding, library, *how)


def _found(model: str | Path) -> tuple["Library", str]:
    """The library that holds a model, and the model's name in it."""
    if not isinstance(model, str | Path):
        raise RecipeError(f"model is {shown(model)}; it is a name, or the path of a folder.")
    folder = find_folder(model)
    if is_there(folder):
        return _library(folder.resolve().parent), folder.name
    if len(Path(model).parts) > 1 and not str(model).startswith(HUB):
        raise CheckpointMissing(f"There is no checkpoint at {folder.absolute()}. Check the path.")
    return _library(CHECKPOINTS), str(model)


@functools.cache
def _library(root: Path) -> "Library":
    """One for each folder, so that a second cell does not open the model again."""
    from model_core.decoding.library import Library  # imports torch: a second or more

    return Library(root, fetches=True)
