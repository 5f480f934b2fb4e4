"""What the app answers to the stage and to programs.

The server keeps no session: every request carries the whole recipe, and what a decoding, a room or
a lesson answers depends on the request alone.
"""

import logging
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from model_core.checkpoints.snapshots import parted
from model_core.decoding.queue import check_left, check_time
from model_core.errors import (
    CheckpointError,
    RecipeError,
    SourceTooLong,
    VisualiserError,
)
from model_core.values.checked import shown
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding
from viz_app.lessons.lesson import Lesson, own_lessons, read_written
from viz_app.lessons.places import bare_place, whole_link
from viz_app.lessons.playing import lesson_named, menu_of, model_for, played
from viz_app.limits import LOCAL, Limits
from viz_app.links.link import read_link
from viz_app.menu.catalogue import ModelJson, entry_of
from viz_app.rooms.translate.answer import words_asked
from viz_app.rooms.translate.payload import candidates_of, payload
from viz_app.server.answers.ahead import Ahead, answers_ahead, checked_ahead
from viz_app.server.answers.backend import (
    Backend,
    Decoded,
    LinkShown,
    Outcome,
    Phase,
    StepOutcome,
)
from viz_app.server.answers.requests import Extent, Reply, checked, kind_of, reply_or_error, room_of
from viz_app.server.bringing import FROM_HERE, read_hints
from viz_app.text import named_error, notice
from viz_app.values.view import check_whole
from viz_app.values.wire import File, Json, Noticed

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.values.importing import Hints
    from viz_app.rooms.room import Room
    from viz_app.server.trainings.runs import Runs, Trainings
    from viz_app.values.view import View

_LOG = logging.getLogger(__name__)
_DIGITS = 16  # bytes of a number as JSON, about
_SILENCE = 60.0  # seconds between two lines of log about the same model


class Service(Backend):
    """Answers for the checkpoints under one folder, computed in this process.

    torch is imported with the first answer, or in the background by `warm_up`.
    """

    def __init__(
        self,
        checkpoints: Path,
        limits: Limits = LOCAL,
        opens_paths: bool = False,
        device: str = "auto",
    ):
        super().__init__(checkpoints, limits, opens_paths)
        self.device = device  # where models of transformers compute
        self.more_lessons: tuple[Lesson, ...] = ()  # beside those of the program
        self._library: Library | None = None
        self._importing = threading.Lock()
        self._logged: dict[str, float] = {}  # when it was, by the model that cannot be opened

    @property
    def library(self) -> "Library":
        with self._importing:
            if self._library is None:
                from model_core.decoding.library import Library  # imports torch: a second or more

                self._library = Library(
                    self.checkpoints,
                    self.limits.cache_bytes,
                    self.queue,
                    self.limits.steps,
                    # Several calls at once with a few threads each took ten times as long.
                    threads=1,
                    device=self.device,
                    on_failure=self._tell,
                )
            return self._library

    @property
    def _is_asked_here(self) -> bool:
        """Whether the client is on this computer, and may have its files and trainings."""
        return self.opens_paths and FROM_HERE.get()

    @cached_property
    def runs(self) -> "Runs":
        """Trainings, for who sits at this computer."""
        from viz_app.server.trainings.runs import Runs

        return Runs(self.checkpoints)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons, the program's own first."""
        return (*own_lessons(), *self.more_lessons)

    def _tell(self, name: str, error: VisualiserError) -> None:
        """Log why a model cannot be opened, which may name a file of this computer.

        Once in a while, and its snapshots with it: asking again does not fill the log.
        Raises CheckpointError, which names the model alone, unless the visitor sits at it.
        """
        now, whole = self.queue.clock(), parted(name)[0]
        if now - self._logged.get(whole, -math.inf) > _SILENCE:
            self._logged[whole] = now
            _LOG.warning("The model %s cannot be opened: %s", name, error)
        if not self._is_asked_here:
            raise named_error(CheckpointError, "unopened", name=name) from error

    def add(self, model: "Model") -> ModelJson:
        """Offer a model beside the folder's; returns what the page knows of it."""
        self.library.add(model.name, lambda: model)
        entry = entry_of(model)
        self.added = (*self.added, entry)
        return entry

    def open_on(self, where: str) -> None:
        """Add the model of --model and open the page on it."""
        self.opened_on = self.offer(Path(where))["name"]

    def _opened(self, name: str) -> ModelJson:
        return entry_of(self.library.tracer(name).model)

    def warm_up(self) -> None:
        threading.Thread(target=self.open_first, daemon=True).start()

    def open_first(self) -> None:
        """Open the first model, if it can be opened."""
        model = self.first
        if model is None:
            return
        with suppress(VisualiserError):  # said when the model is asked for
            self.library.tracer(model)
            # The first step of a process takes ten times as long as the next ones.
            text = next(one for one in self.models if one["name"] == model)["examples"][:1]
            self._handle({"recipe": {"model": model, "source": "".join(text)}, "extend": 1})

    def close(self) -> None:
        if self.opens_paths:
            self.runs.close()

    def is_open(self, model: Any) -> bool:
        return self._library is not None and isinstance(model, str) and self._library.is_open(model)

    def running(self, name: str) -> str | None:
        return self.library.tracer(name).model.fingerprint if self.is_open(name) else None

    @property
    def phase(self) -> Phase:
        return "torch" if self._library is None else "model"

    def _reply(self, request: Any) -> Reply:
        check_bytes = None if kind_of(request).is_file else self.limits.check_bytes
        return reply_or_error(lambda: self._handle(request), check_bytes)

    def _handle(self, request: Any) -> Mapping[str, Any]:
        match kind_of(request).field:
            case "export":
                return self.file(request["export"], request.get("drawing"))
            case "training":
                return {"training": self.training(request["training"])}
            case "room":
                return self.room(request)
            case "next":
                return self._ahead(request)
            case "lesson":
                return self.lesson(request["lesson"])
            case "lessons":
                return menu_of(self.lessons, self.library.names())
            case "bring":
                return {"model": self.bring(request["bring"])}
            case "brought":
                return {"models": [*self.menu.opened, *self.added]}
            case "link":
                recipe, view = self._read(request["link"])
                decoded = self._decoded(recipe, "opening" if view["to_end"] else 0)
                return {**decoded, "view": view}
        recipe, extend, force, have = checked(request)
        return self._decoded(recipe, extend, force, have, request.get("begins"))

    def _decoded(
        self,
        recipe: Recipe,
        extend: Extent,
        force: int | None = None,
        have: int = 0,
        begins: Any = None,
    ) -> Decoded:
        """A decoding that goes on by `extend`, see `Backend.answer`."""
        with self._at_work(recipe) as tracer:
            if begins is not None:
                recipe = self._begun(tracer, recipe, begins)
            count = extend if isinstance(extend, int) else None  # None: all up to the end
            if extend == "opening":
                count = tracer.opening_steps(recipe)
            recipe, decoding, noticed = self._extend(tracer, recipe, count, force)
            if extend == "opening" and count is not None and decoding.finished is None:
                noticed = notice("opening", n=len(recipe.target)) | noticed
            sent: Decoded = {**payload(recipe, decoding, tracer.model, have), **noticed}
            return sent if sent["steps_from"] else {**sent, **self.entered(recipe.model)}

    def _ahead(self, request: Json) -> Ahead:
        """What may be asked next, see answers/ahead.py; TooBusy where anybody waits."""
        asked = checked_ahead(request)
        if self.queue.waiting:
            raise self.queue.refusal()
        with self._at_work(asked[0]) as tracer:
            return answers_ahead(asked, tracer.model, partial(self._extend, tracer), self.queue)

    def _begun(self, tracer: "Tracer", recipe: Recipe, text: Any) -> Recipe:
        """The recipe with a target that begins with what the reader typed, within the limits."""
        if not isinstance(text, str):
            raise RecipeError("begins must be a text.")
        if len(text) > self.limits.characters:
            raise named_error(
                SourceTooLong, "characters", n=len(text), limit=self.limits.characters
            )
        # after a prompt the space before the first word is part of its token
        said = text if tracer.anatomy.kind == "decoder" else text.strip()
        begun = tracer.beginning(recipe, said)
        self.limits.check_recipe(begun)
        self.limits.check_work(tracer, begun)
        return begun

    def _read(self, link: Any) -> tuple[Recipe, Json]:
        """The recipe and the view of a link; of the page itself if nothing follows its #."""
        link = whole_link(link, lambda: self.lessons, self.library.names())
        named = read_link(link)[0].model if link else self.first
        with self.queue.place():
            self.entered(named)
        if link or named is None:
            return read_link(link, self.models)
        start_on = next(
            one["start_on"] for one in self.models if one["name"] == named and "closed" not in one
        )
        start = {name: value for name, value in start_on.items() if value is not None}
        return read_link(urlencode({"v": 3, "model": self.first} | start), self.models)

    def room(self, request: Json) -> Json:
        room = room_of(request)
        recipe = Recipe.from_json(request.get("recipe"))
        said = {name: value for name, value in request.items() if name not in ("room", "recipe")}
        view = room.view.from_json(said)
        self.limits.check_view(view)
        with self._at_work(recipe, (room, view)) as tracer:
            room.check(tracer.anatomy)
            answer = room.to_page or room.answer
            return answer(tracer, recipe, view).to_json()

    def lesson(self, request: Any) -> Json:
        """A lesson with a model; LessonError where there is none, or it is not for that model.

        "written" is the text of a file that lies with the reader, which is kept nowhere.
        """
        named = request if isinstance(request, dict) else {}
        name = named.get("name")
        own = "written" in named
        lesson = read_written(name, named["written"]) if own else lesson_named(self.lessons, name)
        model = model_for(lesson, named.get("model"), self.library.names())
        with self._at_work(Recipe(model, str(lesson.models[model]["text"]))) as tracer:
            return played(lesson, tracer, self.library.names(), check=self._check_beside)

    def _check_beside(self, tracer: "Tracer", recipe: Recipe) -> None:
        """Raise if a recipe that is run beside the request's own is over a limit."""
        check_time()
        self.limits.check_recipe(recipe)
        self.limits.check_work(tracer, recipe)

    def bring(self, request: Any) -> ModelJson:
        """What the page knows of the model at a path, which is in the menu from now on.

        RecipeError where this server opens no paths, CheckpointError where there is no model.
        """
        if not self._is_asked_here:
            raise named_error(RecipeError, "bring")
        path, tokenizers, hints = read_hints(request)
        with self.queue.place():
            return self.offer(path, tokenizers, hints)

    def training(self, request: Any) -> "Trainings":
        """What is asked of trainings, see trainings/runs.py.

        RecipeError where this server trains nothing, or the visitor does not sit at it.
        """
        if not self._is_asked_here:
            raise named_error(RecipeError, "training_here")
        answer = self.runs.answer(request)
        if kept := answer.get("kept"):
            entry = next((one for one in self.models if one["name"] == kept), None)
            return {**answer, "model": entry}
        return answer

    def offer(
        self, path: Path, tokenizers: Sequence[Path] = (), hints: "Hints | None" = None
    ) -> ModelJson:
        """What the page knows of the model at a path, which is offered beside the others."""
        from model_core.models.bringing import bring

        model = bring(path, self.library.names(), tokenizers, hints, self.device)
        entry = self.add(model)
        entry |= {"group": "imported"}  # the very value that the menu gets from now on
        return entry

    def linked(self, link: str) -> LinkShown:
        from viz_app.files.linked import picture_seen, step_link

        if (place := bare_place(link)) is not None:
            link = step_link(self.library, place, lessons=self.more_lessons)
        recipe, seen = self._read(link)
        with self._at_work(recipe) as tracer:
            recipe, decoding, _ = self._extend(tracer, recipe, None if seen["to_end"] else 0)
            _, picture = picture_seen(tracer.model, decoding, seen)
            return {"recipe": recipe.to_json(), **picture.to_json()}

    def file(self, request: Any, drawing: Any = None) -> File:
        from viz_app.files.making import file_of, file_request, prepared

        wanted = file_request(request, self.more_lessons)
        if "written" in request:  # what a visitor wrote is held to the limits first
            (own,) = wanted.lessons
            model = wanted.recipe.model if wanted.recipe.model in own.models else None
            self.lesson({"name": own.name, "written": request["written"], "model": model})
        self.limits.check_view(wanted.picture.view)
        asked = (wanted.picture.room, wanted.picture.view)
        named = drawing if isinstance(drawing, str) else ""
        with self._at_work(wanted.recipe, asked):
            most = self.limits.export_bytes
            make = prepared(self.library, wanted, progress=self._in_time(named), most_bytes=most)
        # The browser that draws it takes no turn.
        return file_of(wanted, make, most, hosted=not self.opens_paths)

    def _in_time(self, drawing: str) -> Callable[[Iterable[Any]], Iterable[Any]]:
        """What goes through the pictures of a file, counts them, and stops where they take too
        long."""
        began = self.queue.clock()

        def each(pictures: Iterable[Any]) -> Iterator[Any]:
            try:
                for count, picture in enumerate(pictures):
                    check_left()
                    self.limits.check_export(self.queue.clock() - began)
                    self.drawn[drawing] = count
                    yield picture
            finally:
                self.drawn.pop(drawing, None)

        return each

    @contextmanager
    def _at_work(
        self, recipe: Recipe, asked: "tuple[Room, View] | None" = None
    ) -> Iterator["Tracer"]:
        """The recipe's tracer, for the time of one turn in the line.

        `asked` is the room that is asked: it may read a batch, and evaluate other recipes beside
        this one.
        """
        self.limits.check_recipe(recipe)
        with self.queue.place():
            library = self.library
            tracer = library.tracer(recipe.model, recipe.edits)
            others = asked[0].beside(tracer, recipe, asked[1]) if asked else ()
            for other in others:
                self.limits.check_recipe(other)
            opened = [(one, tracer.beside(one)) for one in others]  # before the turn begins
            with library.calls():
                check_time()
                for one, its in ((recipe, tracer), *opened):
                    self.limits.check_work(its, one)
                if asked and self.limits.tokens < tracer.anatomy.max_positions:
                    for number, text in enumerate(asked[1].batch, start=1):
                        self.limits.check_tokens(len(tracer.source(text)), number)
                yield tracer

    def _extend(
        self, tracer: "Tracer", recipe: Recipe, count: int | None, force: int | None = None
    ) -> tuple[Recipe, Decoding, Noticed]:
        """`Tracer.extend`, and {"notice"} where a limit ended it or keeps nothing of it."""
        is_full = len(recipe.target) >= self.limits.steps and (count != 0 or force is not None)
        if is_full and tracer.evaluate(recipe).finished is None:
            self.limits.check_steps(len(recipe.target))
        recipe, decoding = tracer.extend(recipe, count, force)
        if count is None and decoding.finished is None:
            return recipe, decoding, notice("limit_steps", limit=self.limits.steps)
        if tracer.keeps(recipe):
            return recipe, decoding, {}
        return recipe, decoding, notice("limit_cache", limit=self.limits.cache_bytes)

    def translate(self, recipe: Json) -> Outcome:
        checked = Recipe.from_json(recipe)
        with self._at_work(checked) as tracer:
            done, decoding, noticed = self._extend(tracer, checked, None)
            return {**_outcome(tracer, done, decoding), **noticed}

    def step(self, recipe: Json, token: int | None = None) -> StepOutcome:
        if token is not None and type(token) is not int:
            raise RecipeError(f"token is {shown(token)}; it must be a whole number or null.")
        checked = Recipe.from_json(recipe)
        with self._at_work(checked) as tracer:
            done, decoding, _ = self._extend(tracer, checked, 1, token)
            candidates = [] if decoding.finished == "end" else candidates_of(decoding, tracer.model)
            return {**_outcome(tracer, done, decoding), "candidates": candidates}

    def trace(
        self,
        recipe: Json,
        site: str,
        layer: int,
        by: str = "pieces",
        rows: str | None = None,
    ) -> Json:
        done = Recipe.from_json(recipe)
        with self._at_work(done) as tracer:
            decoding = tracer.evaluate(done)
        place = tracer.anatomy.site(site).site
        check_whole("layer", layer, 1, decoding.layers(place))
        trace = decoding.trace(place, layer - 1)
        words = words_asked(decoding, trace.site, by, rows)
        if words is not None:
            trace = words.trace(trace)
        of_tokens = () if words else ("q_HQE", "k_HKE", "v_HKE", "scores_HQK")
        names = (*of_tokens, "mask_QK", "weights_HQK")
        self.limits.check_bytes(_DIGITS * sum(getattr(trace, name).size for name in names))
        return {
            "recipe": done.to_json(),
            "site": site,
            "layer": layer,
            "queries": list(trace.queries.pieces),
            "keys": list(trace.keys.pieces),
            **{name: getattr(trace, name).tolist() for name in names},
            **(words.to_json() if words else {}),
        }


def _outcome(tracer: "Tracer", recipe: Recipe, decoding: Decoding) -> Outcome:
    text = tracer.text(decoding)
    return {"recipe": recipe.to_json(), "text": text, "finished": decoding.finished}
