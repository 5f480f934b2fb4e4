"""The page: a document of our own that starts the stage. gradio's client is not loaded for it.

It holds what the stage begins with, its first words, and the few lines that fetch the script. Its
policy allows these lines, the files of the stage, and nothing that makes a script of a text.
"""

import gzip
import html
import logging
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from model_core.values.importing import LAYOUT_NAMES
from viz_app.files.chromium import why_undrawn
from viz_app.files.picture import named
from viz_app.files.standalone import PAGE_STYLE, digest, inert
from viz_app.files.tables import FORMATS
from viz_app.menu.catalogue import stage_options
from viz_app.server.answers.backend import Backend
from viz_app.server.responses import kept_packed
from viz_app.server.trainings.settings import offered
from viz_app.stage.bundle import bundle, faces, sheets
from viz_app.text import LANGUAGES, WORDS
from viz_app.values.colours import COLOURS
from viz_app.values.wire import Json

ANSWER_PATH = "/stage/answer"  # where the stage asks
_LOG = logging.getLogger(__name__)
_API = "view=api"  # the query of gradio's page of the endpoints

_LOOKS = f"""{PAGE_STYLE}
.stage-host {{ padding: 10px 12px; }}
@media (max-width: 480px) {{ .stage-host {{ padding-inline: 0; }} }}
.first-words {{ margin: 8px 14px; font: 14px/1.3 Inter, system-ui, sans-serif; }}
.first-words b {{ display: block; font-size: 1.2em; font-weight: 650; letter-spacing: -0.01em; }}
.first-words small {{ font-size: 13px; opacity: 0.7; }}
body {{ color: {COLOURS["light"]["ink"]}; }}
body.dark {{ color: {COLOURS["dark"]["ink"]}; }}
@media (prefers-color-scheme: dark) {{
  body:has(.auto-scheme) {{ color: {COLOURS["dark"]["ink"]}; }}
}}
"""

_FORM = """
form { display: grid; gap: 10px; max-width: 280px; margin: 8px 24px; }
form { font: 14px/1.4 Inter, system-ui, sans-serif; }
label { display: grid; gap: 2px; }
input, button { box-sizing: border-box; min-height: 36px; padding: 4px 8px; font: inherit; }
#wrong { min-height: 1.4em; margin: 0; }
"""
# A theme that the address names, as gradio's pages read it.
_THEME = """const theme = new URLSearchParams(location.search).get("__theme");
if (theme === "dark" || theme === "light") {
  document.body.classList.add(theme);
  host.classList.remove("auto-scheme");
}"""


def page_options(service: Backend) -> Json:
    """What the stage begins with, as JSON: the models, and what this server lets it do.

    The log says which models are left out, and why.
    """
    service.entered(service.first)  # the page begins with a model that is open
    options = stage_options(service.models, service.limits)
    for name, error in service.menu.refused.items():
        _LOG.warning("The model %s is left out: %s", name, error)
    if service.opened_on:
        options = {**options, "model": service.opened_on, "opens": {}}
    return {
        **options,
        "address": True,
        "layouts": LAYOUT_NAMES if service.opens_paths else None,
        "trains": offered() if service.opens_paths else None,
        "undrawn": why_undrawn(hosted=not service.opens_paths),
        "data": [*FORMATS],
        "named": named(),
    }


def wants_endpoints(request: Request) -> bool:
    """Whether a request for "/" wants gradio's page of the endpoints, and not ours."""
    return _API in request.url.query.split("&")


@dataclass(frozen=True, eq=False)
class _Document:
    plain: bytes
    packed: bytes  # with gzip
    policy: str


class Documents:
    """The page, and the form in its place, in each language and below each path; made once each.

    `frames` is what the policy says of who may frame it, where that is not everybody. With `locked`
    no proxy may keep it.
    """

    def __init__(self, options: Json, frames: str = "", locked: bool = False):
        self._options, self._frames, self._locked = options, frames, locked
        self._made: dict[tuple[bool, str, str], _Document] = {}

    def page(self, request: Request, above: str) -> Response:
        """The page; `above` is the path below which the browser finds it."""
        return self._response(request, above, is_in=True)

    def login(self, request: Request, above: str) -> Response:
        """The form that asks for a name and a password; it names no model."""
        return self._response(request, above, is_in=False)

    def _response(self, request: Request, above: str, is_in: bool) -> Response:
        language = _language(request.headers.get("accept-language", ""))
        document = self._made.get((is_in, language, above))
        if document is None:
            # Without a path of its own the page is relative, so that a proxy may put it anywhere.
            root = above or "."
            make = partial(_page, self._options) if is_in else _login
            document = self._made[is_in, language, above] = make(language, root, self._frames)
        headers = {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": document.policy,
            "cache-control": "private, no-cache" if self._locked else "no-cache",
            "vary": "accept-encoding, accept-language, cookie",
        }
        return kept_packed(request, document.plain, document.packed, headers)


def unanswered() -> str:
    """What a page says whose script did not come, in every language."""
    return " ".join(table["error_network"] for table in WORDS.values())


def _page(options: Json, language: str, root: str, frames: str) -> _Document:
    place = html.escape(root)
    start = f"""
const host = document.getElementById("stage");
const options = JSON.parse(document.getElementById("options").textContent);
{_THEME}
import({inert(root + bundle().path)})
  .then(({{ start }}) => start(host, options, {inert(root + ANSWER_PATH)}))
  .catch(() => {{ host.textContent = {inert(unanswered())}; }});
"""
    body = f"""{_first_words(language)}
<noscript><p class="missing">{html.escape(WORDS[language]["needs_script"])}</p></noscript>
<script type="application/json" id="options">{inert(options)}</script>"""
    preload = f"""<link rel="modulepreload" href="{place}{bundle().path}">
<link rel="preload" as="fetch" crossorigin href="{place}{faces().path}">"""
    styles = [_LOOKS, *sheets()]
    return _document(language, root, (preload, body), start, styles, frames)


def _login(language: str, root: str, frames: str) -> _Document:
    words = {key: html.escape(text) for key, text in WORDS[language].items()}
    body = f"""{_first_words(language)}
<form id="login">
<label>{words["login_name"]} <input name="username" autocomplete="username" required></label>
<label>{words["login_password"]}
<input name="password" type="password" autocomplete="current-password" required></label>
<button>{words["login_enter"]}</button>
<p role="alert" id="wrong"></p>
</form>
<noscript><p class="missing">{words["needs_script"]}</p></noscript>"""
    wrong, failed = (WORDS[language][key] for key in ("login_wrong", "error_network"))
    start = f"""
const host = document.getElementById("stage");
const form = document.getElementById("login");
const wrong = document.getElementById("wrong");
{_THEME}
form.addEventListener("submit", (event) => {{
  event.preventDefault();
  wrong.textContent = "";
  const body = new URLSearchParams(new FormData(form));
  fetch({inert(root + "/login")}, {{ method: "POST", body }})
    .then((answer) => {{
      if (answer.ok) location.reload();
      else wrong.textContent = {inert(wrong)};
    }})
    .catch(() => {{ wrong.textContent = {inert(failed)}; }});
}});
form.elements[0].focus();
"""
    return _document(language, root, ("", body), start, [_LOOKS + _FORM], frames)


def _first_words(language: str) -> str:
    title, tagline = (html.escape(WORDS[language][key]) for key in ("title", "tagline"))
    return f"""<main id="stage" class="stage-host auto-scheme"><p class="first-words"><b>{title}</b>
<small>{tagline}</small></p></main>"""


def _document(
    language: str,
    root: str,
    parts: tuple[str, str],
    start: str,
    styles: list[str],
    frames: str,
) -> _Document:
    """A document of these parts, of the head and of the body, whose script is `start`.

    The first of the styles is its own; those after it are put there by scripts.
    """
    head, body = parts
    text = f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(WORDS[language]["title"])}</title>
<link rel="icon" href="{html.escape(root)}/favicon.ico">
{head}
<style>{styles[0]}</style>
</head>
<body>
{body}
<script type="module">{start}</script>
</body>
</html>
"""
    policy = [
        f"default-src 'none'; script-src 'self' {digest(start)}",
        f"style-src {' '.join(map(digest, styles))}",
        "img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'",
        "form-action 'none'",
    ]
    plain = text.encode("utf-8")
    said = "; ".join([*policy, frames] if frames else policy)
    return _Document(plain, gzip.compress(plain, mtime=0), said)


def _language(accepted: str) -> str:
    """The first of our languages in a browser's list, which begins with the one it likes best."""
    for one in accepted.lower().split(","):
        name = one.strip()[:2]
        if name in LANGUAGES:
            return name
    return LANGUAGES[0]
