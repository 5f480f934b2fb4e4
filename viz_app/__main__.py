"""python -m viz_app: start the app on this machine, or for others with --demo and --host."""

import argparse
import gc
import importlib
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from viz_app.server.ending import Ending

if TYPE_CHECKING:
    from viz_app.server.answers.backend import Backend
    from viz_app.server.local import Local


_COMMANDS = ("export", "open", "site", "space", "lessons")  # modules of viz_app.commands
_OF_CORE = (
    *("translate", "trace", "info", "import", "evaluate", "card"),
    *("align", "heads", "guide", "mean", "prepare", "backtranslate", "train"),
)
_EPILOG = f"""commands, each with a --help of its own:
  export    write pictures, data, pages or a lesson pack of sentences
  open      write a page of arrays, and open it
  site      write pages that need no server
  lessons   print a teacher's sheet of a lesson, or check lessons of your own
  space     write what a Hugging Face Space needs

and those of python -m model_core:
  {" ".join(_OF_CORE)}
"""


def main(words: Sequence[str] | None = None) -> int:
    """Serve until interrupted, or do what the first word says."""
    words = sys.argv[1:] if words is None else words
    command = words[0] if words else ""
    serves = command not in (*_COMMANDS, *_OF_CORE)
    ending = Ending() if serves else None  # heard before anything is imported that takes a while
    from model_core.terminal import print_utf8, reporting_errors

    print_utf8()
    if ending:
        return reporting_errors(_app)(words, ending)
    if command in _OF_CORE:
        from model_core.__main__ import main as core

        return core(list(words))
    module = importlib.import_module(f"viz_app.commands.{command}")
    status: int = module.run(words[1:])
    return status


def _app(words: Sequence[str], ending: Ending) -> int:
    _serve(options().parse_args(words), ending)


def options() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    from model_core.commands.options import add_device
    from model_core.folders import CHECKPOINTS
    from model_core.terminal import program
    from viz_app.server.replicas import replicas_of
    from viz_app.version import VERSION

    parser = argparse.ArgumentParser(
        prog=program("viz_app"),
        usage="%(prog)s [options]\n       %(prog)s command ...",
        description="Start the app on this machine, or for others with --demo and --host.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--version", action="version", version=f"Attention Visualiser {VERSION}")
    add("--checkpoints", type=Path, default=CHECKPOINTS, help="models (default: %(default)s)")
    add(
        "--model",
        action="append",
        default=[],
        metavar="MODEL",
        help="also this one, and open on it: a folder, a file of weights, or hf:NAME of the "
        "Hugging Face Hub, which is downloaded; can be given again",
    )
    add_device(parser)
    add(
        "--lessons",
        type=Path,
        metavar="FOLDER",
        help="lessons of your own beside the others (see python -m viz_app lessons --help)",
    )
    add("--open", action="store_true", help="open the page in your browser")
    add("--desktop", action="store_true", help="in a window of its own; needs pywebview")
    add(
        "--demo",
        action="store_true",
        help="tight limits for strangers, and one line of log per request",
    )
    add(
        "--local",
        action="store_true",
        help="let visitors' browsers answer by themselves, once they have fetched a model of this "
        "program of at most 30 MB",
    )
    add(
        "--ray",
        type=replicas_of,
        nargs="?",
        const=(2, 2),
        metavar="REPLICAS",
        help="compute in so many processes of Ray Serve (default: 2), or in 2-8 as there is work, "
        "on the cluster that RAY_ADDRESS names or on this machine; needs the package ray",
    )
    where = parser.add_argument_group(
        "where it is served",
        "Gradio's variables say it too: GRADIO_SERVER_NAME, GRADIO_SERVER_PORT, "
        "GRADIO_NUM_PORTS, GRADIO_ROOT_PATH, GRADIO_SHARE.",
    ).add_argument
    where("--host", help="address to listen on (default: 127.0.0.1)")
    where("--port", type=int, help="default: the first free one from 7860")
    where(
        "--root-path",
        metavar="PATH",
        help="the prefix behind a proxy, such as /attention, or the page's whole address",
    )
    where("--ssl-certfile", type=Path, metavar="FILE", help="serve https with this PEM certificate")
    where("--ssl-keyfile", type=Path, metavar="FILE", help="its key, unless it holds that too")
    where(
        "--framed-by",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="whose pages may frame this one, such as https://example.org; can be given again "
        "(default: every page, and with accounts none)",
    )
    where("--share", action="store_true", help="also a public link (take --demo too)")
    who = parser.add_argument_group("who may enter (default: everybody)").add_argument
    who(
        "--auth",
        metavar="USER:PASSWORD",
        help="one account; better in VIZ_APP_AUTH or a file, which no list of processes shows",
    )
    who(
        "--auth-file",
        type=Path,
        metavar="FILE",
        help="accounts, USER:PASSWORD in each line; lines that begin with # are skipped",
    )
    return parser


def _serve(parsed: argparse.Namespace, ending: Ending) -> NoReturn:
    from model_core.checkpoints.folder import list_checkpoints
    from model_core.errors import ServingError
    from viz_app.desktop.package import check_options, web_view
    from viz_app.files.chromium import why_undrawn
    from viz_app.limits import DEMO, LOCAL
    from viz_app.server.address import Address, accounts_of, address_of, any_socket, bound_socket
    from viz_app.server.ending import end_drawing, leave
    from viz_app.server.logs import keep_words_out_of_tracebacks, log_requests
    from viz_app.text import WORDS

    if parsed.desktop:
        check_options(parsed)
    webview = web_view() if parsed.desktop else None
    if parsed.ray:
        from viz_app.server.replicas.ray_serve import ray_serve

        ray_serve()  # or say at once what is missing
    accounts = () if webview else accounts_of(parsed.auth, parsed.auth_file, os.environ)
    address = Address() if webview else address_of(parsed, accounts, os.environ)
    listening = any_socket() if webview else bound_socket(address)  # or say why there is none
    if not list_checkpoints(parsed.checkpoints) and not parsed.model:
        raise ServingError(f"There is no checkpoint in {parsed.checkpoints}. Train one first.")
    # Importing gradio makes a great many objects and hardly any garbage: looking for it takes a
    # tenth of the time.
    gc.disable()
    from viz_app.lessons.lesson import more_lessons
    from viz_app.server.local import Local
    from viz_app.server.service import Service
    from viz_app.server.serving import serve

    gc.enable()
    gc.freeze()
    keep_words_out_of_tracebacks()
    if parsed.demo:
        log_requests()
    limits = DEMO if parsed.demo else LOCAL
    lessons = more_lessons(parsed.lessons) if parsed.lessons else ()
    if parsed.ray:
        from viz_app.server.replicas.ray_serve import forwarding

        print("Starting Ray, then its replicas, each of which opens the first model.", flush=True)
        given = (parsed.ray, parsed.model, parsed.device, lessons)
        service: Backend = forwarding(parsed.checkpoints, limits, *given)
        ending.listen()  # Ray did
    else:
        service = here = Service(parsed.checkpoints, limits, address.is_own, parsed.device)
        here.more_lessons = lessons
        for model in parsed.model:
            here.open_on(model)
    if service.first is None:
        reasons = " ".join(map(str, service.menu.refused.values()))
        raise ServingError(f"No checkpoint in {parsed.checkpoints} can be opened. {reasons}")
    if webview:
        from viz_app.desktop.window import show_window

        show_window(service, listening, webview)
    local = Local() if parsed.local else None
    app = serve(service, address, listening=listening, local=local)
    service.warm_up()  # torch is imported while the page opens, not before
    if local:
        named = "demo" if parsed.demo else "local"
        threading.Thread(
            target=_offer, args=(local, parsed.checkpoints, named), daemon=True
        ).start()
    moved = address.port is None and app.server_port != address.first_port
    note = f"port {address.first_port} is in use; " if moved else ""
    print(f"Attention Visualiser on {app.local_url} ({note}Ctrl+C stops it)", flush=True)
    if code := why_undrawn(hosted=False):
        print(f"Note: {WORDS['en'][f'error_{code}']}", flush=True)
    ending.wait()
    app.close()
    end_drawing()
    service.close()
    leave()


def _offer(local: "Local", checkpoints: Path, limits: str) -> None:
    """Let browsers answer by themselves; to compile and pack what they fetch takes a while."""
    from viz_app.live.compiling import modules
    from viz_app.live.offering import offered

    local.offer(*offered(checkpoints, limits, modules()))


if __name__ == "__main__":
    sys.exit(main())
