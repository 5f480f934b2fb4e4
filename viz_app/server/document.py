"""The page: a document of our own that starts the stage. gradio's client is not loaded for it.

It holds what the stage begins with, its first words, and the few lines that fetch the script. Its
policy allows these lines, the files of the stage, and nothing that makes a script of a text.
"""

import gzip
import html
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from model_core.values.importing import LAYOUT_NAMES
from viz_app.files.engine import why_undrawn
from viz_app.files.picture import named
from viz_app.files.standalone import PAGE_STYLE, digest, inert
from viz_app.files.tables import FORMATS
from viz_app.menu.catalogue import stage_options
from viz_app.server.desk.answering import Answering
from viz_app.server.doors import Scope, header, takes_gzip
from viz_app.stage.bundle import bundle, sheets
from viz_app.text import LANGUAGES, WORDS
from viz_app.values.colours import COLOURS

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

ANSWERS = "/stage/answer"  # where the stage asks
_API = "view=api"  # the query of gradio's page of the endpoints

_LOOKS = f"""{PAGE_STYLE}
.stage-host {{ padding: 10px 12px; }}
.first-words {{ margin: 8px 14px; font: 14px/1.3 system-ui, sans-serif; }}
.first-words b {{ display: block; font-size: 1.2em; font-weight: 650; letter-spacing: -0.01em; }}
.first-words small {{ font-size: 0.76em; opacity: 0.7; }}
body, footer a {{ color: {COLOURS["light"]["ink"]}; }}
body.dark, .dark footer a {{ color: {COLOURS["dark"]["ink"]}; }}
@media (prefers-color-scheme: dark) {{
  body:has(.auto-scheme), body:has(.auto-scheme) footer a {{ color: {COLOURS["dark"]["ink"]}; }}
}}
footer {{ padding-bottom: 2px; text-align: center; font: 12px/1.2 system-ui, sans-serif; }}
footer a {{ opacity: 0.8; text-decoration: none; }}
footer a:hover {{ opacity: 1; }}
@media (max-width: 640px) {{ footer {{ padding-bottom: 76px; }} }}
@media print {{ footer {{ display: none; }} }}
"""


def page_options(service: Answering) -> dict[str, Any]:
    """What the stage begins with, as JSON: the models, and what this server lets it do."""
    service.told(service.first)  # the page begins with a model that is open
    added = [*service.menu.opened, *service.added]
    options = stage_options(service.checkpoints, service.limits, added)
    if service.opened_on:
        options |= {"model": service.opened_on, "opens": {}}
    return options | {
        "address": True,
        "layouts": LAYOUT_NAMES if service.opens_paths else None,
        "undrawn": why_undrawn(hosted=not service.opens_paths),
        "data": [*FORMATS],
        "named": named(),
    }


def asks_for_page(scope: Scope) -> bool:
    """Whether a request for "/" wants our document, and not gradio's page of the endpoints."""
    return _API.encode() not in scope["query_string"].split(b"&")


@dataclass(frozen=True, eq=False)
class _Document:
    plain: bytes
    packed: bytes  # with gzip
    policy: str


class Documents:
    """The page in each language, below each path at which it was asked for; each is made once.

    `frames` is what the policy says of who may frame it, where that is not everybody. With `locked`
    no proxy may keep it.
    """

    def __init__(self, options: dict[str, Any], frames: str = "", locked: bool = False):
        self._options, self._frames, self._locked = options, frames, locked
        self._made: dict[tuple[str, str], _Document] = {}

    async def send(self, scope: Scope, send: Send, above: str) -> None:
        """Answer a request by the page; `above` is the path below which the browser finds it."""
        key = (_language(header(scope, "accept-language") or ""), above)
        document = self._made.get(key)
        if document is None:
            document = self._made[key] = _document(self._options, *key, self._frames)
        packs = takes_gzip(scope)
        body = document.packed if packs else document.plain
        kept = "private, no-cache" if self._locked else "no-cache"
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"content-security-policy", document.policy.encode()),
            (b"cache-control", kept.encode()),
            (b"vary", b"accept-encoding, accept-language, cookie"),
            *([(b"content-encoding", b"gzip")] if packs else []),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        asked = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": asked})


def _document(options: dict[str, Any], language: str, above: str, frames: str) -> _Document:
    # Without a path of its own the page is relative, so that a proxy may put it anywhere.
    root, place = above or ".", html.escape(above or ".")
    failed = " ".join(table["error_network"] for table in WORDS.values())
    start = f"""
const host = document.getElementById("stage");
const options = JSON.parse(document.getElementById("options").textContent);
const theme = new URLSearchParams(location.search).get("__theme");
if (theme === "dark" || theme === "light") {{
  document.body.classList.add(theme);
  host.classList.remove("auto-scheme");
}}
import({inert(root + bundle().path)})
  .then(({{ start }}) => start(host, options, {inert(root + ANSWERS)}))
  .catch(() => {{ host.textContent = {inert(failed)}; }});
"""
    looks = _LOOKS + "".join(
        f"html:not([lang|={one}]) footer [lang={one}] {{ display: none; }}\n" for one in LANGUAGES
    )
    links = "".join(
        f'<span lang="{one}">{html.escape(WORDS[one]["api_link"])}</span>' for one in LANGUAGES
    )
    words = {key: html.escape(text) for key, text in WORDS[language].items()}
    text = f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{words["title"]}</title>
<link rel="icon" href="{place}/favicon.ico">
<link rel="modulepreload" href="{place}{bundle().path}">
<style>{looks}</style>
</head>
<body>
<main id="stage" class="stage-host auto-scheme"><p class="first-words"><b>{words["title"]}</b>
<small>{words["tagline"]}</small></p></main>
<noscript><p class="missing">{words["needs_script"]}</p></noscript>
<footer><a href="{place}/?{_API}">{links}</a></footer>
<script type="application/json" id="options">{inert(options)}</script>
<script type="module">{start}</script>
</body>
</html>
"""
    policy = [
        f"default-src 'none'; script-src 'self' {digest(start)}",
        f"style-src {' '.join(map(digest, (looks, *sheets())))}",
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
