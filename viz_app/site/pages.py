"""The pages of a site as HTML, and the scripts and the style that they share.

A page of a sentence holds its own decoding; everything else it shares with the others by files
whose names hold the hash of what is in them. All are plain scripts: browsers load no modules from
a file.
"""

import base64
import gzip
import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from viz_app.files.standalone import PAGE_STYLE, head_of, inert
from viz_app.menu.catalogue import ModelJson
from viz_app.rooms.beforehand import Answered
from viz_app.stage.stage import bare, faces_script, style, worker_script
from viz_app.text import WORDS, words_beside
from viz_app.text.asked import asked
from viz_app.values.wire import Json
from viz_app.version import VERSION

_LEAST_ARRAY = 32  # characters; what is shorter is not worth a place of its own
_SMALL = ("reversal", "positions", "similarity", "layers")  # groups that stand together
_HERE = Path(__file__).parent
INDEX_WORDS = words_beside(__file__, "words.txt")
# A host may serve the folder, or a browser open it from a disk, where 'self' is not for all.
_FILES = "'self' file:"
# What computes in a page: a worker, which fetches its own files and is WebAssembly.
_COMPUTES = ("'wasm-unsafe-eval'", "connect-src 'self'; worker-src 'self'; ")


def packed(answers: Sequence[Answered]) -> Json:
    """What answers answer, and these in the same order: a JSON list, compressed, in base64.

    In the list an array is {"bytes": [from, to]}, its place in what follows the list's line: base64
    can hardly be compressed, and some arrays are in several answers.
    """
    arrays, places = bytearray(), dict[str, list[int]]()

    def apart(value: Any) -> Any:
        if isinstance(value, str) and (content := _bytes_of(value)):
            if value not in places:
                places[value] = [len(arrays), len(arrays) + len(content)]
                arrays.extend(content)
            return {"bytes": places[value]}
        if isinstance(value, dict):
            return {name: apart(one) for name, one in value.items()}
        return [apart(one) for one in value] if isinstance(value, list | tuple) else value

    listed = apart([one.answer for one in answers])
    text = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    content = gzip.compress(text.encode() + b"\n" + arrays, mtime=0)
    return {
        "answers": [[one.room, one.asked] for one in answers],
        "packed": base64.b64encode(content).decode("ascii"),
    }


def _bytes_of(text: str) -> bytes:
    """What a text of some length is the base64 of; nothing where it is none."""
    if len(text) < _LEAST_ARRAY:
        return b""
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return content if base64.b64encode(content) == text.encode() else b""


def shared_script(
    models: list[ModelJson],
    pages: dict[str, list[str]],
    questions: str,
    worker: Json | None = None,
    lessons: Json | None = None,
) -> str:
    """The stage with its words, the models and where their pages are; it mounts the stage.

    `questions` is where the script of `questions_script` is. `worker` is what a page gets about
    what computes in it; None where nothing does. `lessons` are those that are offered.
    """
    constants = {
        "siteWords": WORDS,
        "siteModels": models,
        "sitePages": pages,
        "siteQuestions": questions,
        "siteWorker": worker,
        "siteLessons": lessons,
    }
    said = "".join(f"const {name} = {inert(value)};\n" for name, value in constants.items())
    return worker_script() + said + bare(_read("boot.js"))


def questions_script() -> str:
    """What can be asked of the pages; a page fetches it with the first question."""
    return f"var siteAsked = {inert(asked())};\n"


def model_script(answers: Sequence[Answered]) -> str:
    """What is the same for every sentence of a model."""
    return f"const siteTable = {inert(packed(answers))};\n"


def shared_style() -> str:
    """The style sheet of every page."""
    return f"{style()}{PAGE_STYLE}{_read('index.css')}"


def sentence_page(
    title: str,
    options: Json,
    scripts: Sequence[str],
    styles: str,
    root: str,
    computes: bool = False,
) -> str:
    """The page of a sentence; `scripts` in their order, all paths from the folder `root`.

    `computes`: whether something may compute in it.
    """
    tags = "".join(f'<script src="{root}{name}"></script>\n' for name in scripts)
    return f"""{_head("en", f"{title} · {WORDS['en']['title']}", root + styles, computes)}
<body>
<div id="stage" class="stage-host auto-scheme"></div>
<noscript><p class="missing">{html.escape(WORDS["en"]["needs_script"])}</p></noscript>
<script type="application/json" id="options">{inert(options)}</script>
{tags}</body>
</html>
"""


def index_name(language: str) -> str:
    """What the index of a language is called."""
    return "index.html" if language == "en" else f"index.{language}.html"


def index_page(
    language: str,
    models: list[ModelJson],
    pages: dict[str, list[str]],
    written: dict[str, list[str]],
    files: tuple[str, str],
    live: str | None,
    fetched: Mapping[str, int] | None = None,
    lessons: Mapping[str, str] | None = None,
) -> str:
    """The index in a language: every model with its sentences and what it wrote for each.

    `files` are the script that chooses language and scheme, and the style sheet. `fetched`: how
    many bytes a page fetches of its model, of those that pages compute; None where nothing computes
    in them. `lessons` are the pages that play them, by name.
    """
    words, own = WORDS[language], INDEX_WORDS[language]
    (other,) = (name for name in WORDS if name != language)
    groups = dict.fromkeys(_shelf(model) for model in models)
    parts = []
    for group in groups:
        cards = "".join(
            _card(model, pages[model["name"]], written[model["name"]], language, fetched)
            for model in models
            if _shelf(model) == group
        )
        heading = words.get(f"group_{group or 'yours'}", group)
        title = f"<h3>{html.escape(heading)}</h3>\n" if len(groups) > 1 else ""
        parts.append(f'{title}<div class="models">\n{cards}</div>\n')
    address = html.escape(live or "")
    link = f'<a href="{address}" rel="noreferrer">{address}</a>'
    asks = own["live"].format(live=link) if live else html.escape(own["no_live"])
    if fetched is not None:
        asks = html.escape(own["computes"])
    counts = {"sentence": sum(map(len, pages.values())), "model": len(models)}
    said = {
        f"{what}s": own[what if count == 1 else f"{what}s"].format(n=count)
        for what, count in counts.items()
    }
    made = own["made"].format(version=VERSION, **said)
    return f"""{_head(language, words["title"], files[1])}
<body>
<script type="application/json" id="lessons">{inert(lessons or {})}</script>
<script src="{files[0]}"></script>
<div class="stage auto-scheme" data-language="{language}">
<main class="site">
<header class="head-line">
<div class="name"><h1>{html.escape(words["title"])}</h1>
<p class="tagline">{html.escape(words["tagline"])}</p></div>
<a class="language" lang="{other}" hreflang="{other}" href="{index_name(other)}#{other}">\
{html.escape(words["language_switch"])}</a>
</header>
<p class="lead">{html.escape(own["lead"])}</p>
<p class="quiet">{asks}</p>
{"".join(parts)}<p class="quiet made">{html.escape(made)}</p>
</main>
</div>
</body>
</html>
"""


def _shelf(model: ModelJson) -> str:
    """The group of a model as the menu of the page names it, see stage/page/model.js."""
    return "small" if model["group"] in _SMALL else model["group"]


def index_script() -> str:
    """What chooses language and scheme of the index as the reader did before; and its faces."""
    return bare(_read("index.js")) + faces_script()


def _card(
    model: ModelJson,
    pages: list[str],
    written: list[str],
    language: str,
    fetched: Mapping[str, int] | None,
) -> str:
    words, own = WORDS[language], INDEX_WORDS[language]
    names = [words.get(f"language_{name}", name) for name in model["languages"]]
    title = " → ".join(names) or model["name"]
    if apart := words.get(f"named_{model['name']}"):
        title += f" · {apart}"
    sites = model["anatomy"]["sites"]
    layers, heads = (
        "/".join(map(str, dict.fromkeys(one[part] for one in sites)))
        for part in ("layers", "heads")
    )
    sizes = {"layers": layers, "heads": heads, "width": model.get("width", "?")}
    about = f"{model['name']} · {own['sizes'].format(**sizes)}"
    if fetched is not None:
        size = fetched.get(model["name"])
        said = own["fetched"].format(megabytes=f"{size / 1e6:.1f}") if size else own["recorded"]
        about += f" · {said}"
    items = "".join(
        f'<li><a href="{quote(page)}#{language}">{html.escape(text)}</a>'
        f'<span class="written" dir="auto">{html.escape(translation)}</span></li>\n'
        for page, text, translation in zip(pages, model["examples"], written, strict=True)
    )
    return f"""<section class="site-model"><h4>{html.escape(title)}</h4>
<p class="quiet">{html.escape(about)}</p>
<ul>
{items}</ul></section>
"""


def _head(language: str, title: str, styles: str, computes: bool = False) -> str:
    looks = f'<link rel="stylesheet" href="{styles}">'
    scripts, more = _COMPUTES if computes else ("", "")
    return head_of(language, title, looks, f"{_FILES} {scripts}".strip(), _FILES, more)


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
