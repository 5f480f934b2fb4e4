"""The stage as one HTML page that needs nothing else: no server, no network, no second file.

The page holds the scripts of the stage, its words and one payload with every step. Its policy
allows these very scripts and this very style and no request at all, so it opens from a file, and
text in it stays text. The same decoding gives the same page, byte for byte.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from model_core.decoding.run import Run
from model_core.errors import RecipeError
from model_core.values.checked import shown
from model_core.values.recipe import Recipe
from viz_app.files.picture import Picture, named
from viz_app.limits import LOCAL
from viz_app.menu.catalogue import entry_of
from viz_app.rooms import HOME, ROOMS, HomeView
from viz_app.rooms.beforehand import Answered, answered
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.payload import payload
from viz_app.stage.stage import joined, script, style
from viz_app.text import WORDS, words_of_room
from viz_app.values.colours import COLOURS
from viz_app.values.computed_by import computed_by
from viz_app.version import VERSION

if TYPE_CHECKING:
    from model_core.decoding.library import Library

Theme = Literal["auto", "light", "dark"]
Language = Literal["en", "zh"]

_TITLE = 80  # characters of the sentence in the title
_DARK = COLOURS["dark"]["paper"]
PAGE_STYLE = f"""
html {{ background: {COLOURS["light"]["paper"]}; }}
html:has(> body.dark) {{ background: {_DARK}; color-scheme: dark; }}
@media (prefers-color-scheme: dark) {{
  html:has(> body > .stage.auto-scheme, > body > .stage-host > .stage.auto-scheme) {{
    background: {_DARK}; color-scheme: dark;
  }}
}}
body {{ margin: 0; }}
.missing {{ font: 16px system-ui, sans-serif; padding: 2em; }}
"""
_MOUNT = """
const host = document.getElementById("stage");
const options = JSON.parse(document.getElementById("options").textContent);
host.addEventListener("stage:language", (event) => {
  document.documentElement.lang = event.detail;
});
mountStage(host, options, null);
document.documentElement.lang = host.stage.language();
// A notebook says whether it is dark, which a frame cannot see, until the reader chooses.
let follows = host.classList.contains("auto-scheme");
host.addEventListener("click", (event) => {
  if (event.target.closest("[data-tool=scheme]")) follows = false;
});
addEventListener("message", ({ source, data }) => {
  if (!follows || source !== parent || !["light", "dark"].includes(data?.scheme)) return;
  for (const one of document.querySelectorAll(".auto-scheme")) one.classList.remove("auto-scheme");
  document.body.classList.toggle("light", data.scheme === "light");
  document.body.classList.toggle("dark", data.scheme === "dark");
});
"""
# What a page in a lesson pack says to a learning platform; see platform.js.
_REPORT = """
const report = reportTo(platformAround(window), Boolean(options.lessons));
host.addEventListener("stage:lesson", report.finish);
addEventListener("pagehide", report.leave);
"""
# What only a server answers: its errors, but for those that the page itself raises.
_OWN = "alone|answer|characters|empty|export|network|no_models|other|picture_large|rows"
# What is said in the menus of edits and of strategies, of what an edit changed, where questions are
# asked, in lessons, of a piece and of many draws, of a sentence that a model is not good at, of
# earlier versions and where one is begun, of trainings that a page begins or goes through, and
# beside a page of a site; other sites are attentions.
_ELSEWHERE = re.compile(
    r"site_(all|live)|engine_|made_here|alone_(file|browser|hub)|bring|asking|lesson|making|key_ask|"
    r"whatif|assembly_|changed_|head_o|many|trains_|updates_|guard_|branch_|begin(_hint|_take|_leave)?$|"
    r"strategy_(about|applies|anew|\w+_hint)|(temperature|top_k|top_p|seed|width)_hint|"
    r"edit_.*_(about|lacks)$"
)
_FROM_SERVER = re.compile(rf"error_(?!lacks_|({_OWN})$)")


@dataclass(frozen=True, eq=False)
class InitialState:
    """What a page is opened on; everything counts from 0, as in the stage."""

    view: dict[str, Any] = field(default_factory=dict)  # see stage/run/view.js
    answers: tuple[Answered, ...] = ()  # of the open room
    lessons: Mapping[str, Any] | None = None  # those that are among the answers; see taught.py

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms that have something to show beside the translation, and lessons."""
        return tuple(dict.fromkeys(answer.room for answer in self.answers))


def standalone_html(
    library: "Library",
    recipe: Recipe,
    initial: InitialState | None = None,
    theme: Theme = "auto",
    language: Language | None = None,
    reports: bool = False,
) -> str:
    """The page for a recipe, as it is: nothing is chosen beyond its target.

    `initial` is what it opens on; what is missing there or does not fit is what the stage itself
    would choose. Beside the translation the page has the rooms whose answers are in it.
    `theme` "auto" follows the reader's system, `language` None the reader's browser. A page that
    `reports` tells the learning platform that opened it how far its reader has come.
    """
    initial = initial or InitialState()
    if theme not in get_args(Theme):
        raise RecipeError(f"There is no theme {theme!r}; choose {', '.join(get_args(Theme))}.")
    if language is not None and language not in WORDS:
        raise RecipeError(f"There is no language {language!r}; choose {', '.join(WORDS)}.")
    shown = (HOME.name, *initial.rooms)
    apart = [room.name for room in ROOMS if room.name not in shown]
    unused = {key for room in apart for key in words_of_room(room)["en"]}
    # Chinese has all keys: errors too, of which English stands where they are raised.
    unused |= {key for key in WORDS["zh"] if _FROM_SERVER.match(key) or _ELSEWHERE.match(key)}
    if initial.lessons is not None:
        unused -= {key for key in WORDS["zh"] if key.startswith("lesson")}
    run = library.run(recipe)
    options = options_of(library, run, initial, theme, language) | {
        "words": {
            name: {key: text for key, text in words.items() if key not in unused}
            for name, words in WORDS.items()
        },
    }
    program = script(initial.rooms) + _MOUNT
    program += joined(("files/platform.js",)) + _REPORT if reports else ""
    looks = f"{style(initial.rooms)}{PAGE_STYLE}"
    words = WORDS[language or "en"]
    head = head_of(
        language or "en",
        f"{titled(recipe)} · {words['title']}",
        f"<style>{looks}</style>",
        scripts=digest(program),
        styles=digest(looks),
    )
    return f"""{head}
<body{' class="dark"' if theme == "dark" else ""}>
<div id="stage" class="stage-host{" auto-scheme" if theme == "auto" else ""}"></div>
<noscript><p class="missing">{html.escape(words["needs_script"])}</p></noscript>
<script type="application/json" id="options">{inert(options)}</script>
<script>{program}</script>
</body>
</html>
"""


def options_of(
    library: "Library",
    run: Run,
    initial: InitialState,
    theme: Theme,
    language: Language | None,
) -> dict[str, Any]:
    """What the stage of one run gets where no server is, less the words."""
    choices = {"scheme": None if theme == "auto" else theme, "language": language}
    answers = (*initial.answers, *_of_reading(library, run, initial.view))
    return stage_of(run, initial.view) | {
        "models": [entry_of(run.model) | {"examples": []}],
        "answers": [one.to_json() for one in answers],
        "lessons": initial.lessons,
        "choices": {name: value for name, value in choices.items() if value is not None},
    }


def stage_of(run: Run, view: Mapping[str, Any]) -> dict[str, Any]:
    """What the stage gets of a run where no server is, less models, words and answers."""
    model = run.recipe.model
    return {
        "model": model,
        "payload": payload(run.recipe, run.decoding, run.model, whole=True),
        "view": dict(view),
        "named": named(),
        "made": {"version": VERSION, "model": f"{model} ({run.model.fingerprint})"},
        "product": VERSION,
        "computes": computed_by(),
        "limits": LOCAL.for_page(),
    }


def titled(recipe: Recipe) -> str:
    """The title of a recipe's page: its sentence, at most a line of it, and its model."""
    text = " ".join(recipe.source.split())
    short = text if len(text) <= _TITLE else f"{text[: _TITLE - 1]}…"
    return f"{short} · {recipe.model}"


def _of_reading(library: "Library", run: Run, view: Mapping[str, Any]) -> list[Answered]:
    """What the page is answered for the reading that it opens on, of every site that has it."""
    sites = run.model.anatomy.sites
    views = [{"reading": view.get("reading"), "site": one.site} for one in sites]
    asked = [one for one in views if HOME.asks(HomeView.from_json(one))]
    return answered(library, run, ((HOME.name, one) for one in asked))


def head_of(
    language: str, title: str, looks: str, scripts: str, styles: str, more: str = ""
) -> str:
    """The beginning of a page without a server, up to its body.

    `looks` is the element that styles it; its policy allows only these `scripts` and `styles`, and
    what it says `more`.
    """
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; {more}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Attention Visualiser {VERSION}">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:,">
{looks}
</head>"""


def inert(options: Any) -> str:
    """JSON that no text in it can end or turn into anything else, wherever HTML parses it."""
    text = json.dumps(options, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def digest(text: str) -> str:
    """What a policy calls exactly this inline script or style."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def initial_state(
    library: "Library",
    recipe: Recipe,
    picture: Picture,
    stage: Mapping[str, Any] | None = None,
    answer: Answer | None = None,
) -> InitialState:
    """What opens on a picture; RecipeError where the model or the decoding has no such place.

    `stage` is what a link says of the stage, of which the picture is one; it says more. `answer` is
    that of the picture's room, where it was asked already: then the picture is all there is to see.
    """
    room, tracer = picture.room, library.tracer(recipe.model, recipe.edits)
    room.check(tracer.anatomy)
    with library.calls():
        is_drawn = answer is not None
        answer = answer or room.answer(tracer, recipe, picture.view)
        answer.table(picture.name)  # raises where there is nothing to be seen
        view: Any = answer.view
        if room is HOME:
            return InitialState(seen_in(picture) if stage is None else dict(stage))
        if view.batch and view.batch[0] != recipe.source and not is_drawn:
            raise RecipeError(
                f"The page shows {shown(recipe.source)}, so its batch must begin with that "
                "sentence."
            )
        answers: list[Answered] = []
        for asked in room.asks(view):
            is_here = view.parts(asked) == asked
            here = answer if is_here else room.answer(tracer, recipe, room.view.from_json(asked))
            made = here.to_json()
            if made not in [one.answer for one in answers]:  # one answer to both questions
                answers.append(Answered(room.name, asked, made))
    seen = seen_in(replace(picture, view=view))
    return InitialState(seen | dict(stage or {}) | {"choices": view.to_json()}, tuple(answers))


def seen_in(picture: Picture) -> dict[str, Any]:
    """What a page or a link says of a picture: the room, the head, and what is chosen there."""
    room, view = picture.room, picture.view
    if room is HOME:
        return view.to_json()
    seen = {"room": room.name, "spelled": view.spelled, "choices": view.to_json()}
    if view.site is not None and view.layer is not None:
        seen["site"] = view.site
        seen["locks"] = {view.site: view.parts(("layer", "head"))}
        cell = view.parts(("query", "key")) if room.keeps_cell else {}
        if cell and None not in cell.values():
            seen["cells"] = {view.site: cell}
    return seen
