"""What a room is: what it answers, which pictures it has, and its words.

An answer is values: arrays, tokens, and what JSON knows; values/wire.py says how they travel.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from model_core.errors import RecipeError
from model_core.values.anatomy import Anatomy, Capability
from model_core.values.trace import Decoding, Site
from viz_app.text import ALL_WORDS, named_error, notice
from viz_app.values.phrases import say
from viz_app.values.sheets import Sheets, sheets_of
from viz_app.values.tables import Table, TableOf, filled
from viz_app.values.view import View
from viz_app.values.wire import Json, Noticed, packed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.values.recipe import Recipe


Values = TypeVar("Values", bound=Mapping[str, Any], covariant=True)


@dataclass(frozen=True, eq=False)
class Answer(Generic[Values]):
    """What a room answers: values by name, and its tables by the pictures that show them."""

    view: View  # with every choice made
    values: Values  # a TypedDict
    tables: Mapping[str, tuple[TableOf, ...]] = field(default_factory=dict)
    check: Callable[[], None] = lambda: None  # raises where there is nothing to be drawn

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def table(self, picture: str) -> tuple[Table, ...]:
        """The tables of a picture with their numbers; raises where there is nothing in them."""
        self.check()
        if picture not in self.tables:
            raise named_error(RecipeError, "no_steps")
        view = vars(self.view)
        return tuple(filled(table, self.values, view) for table in self.tables[picture])

    def to_json(self) -> Json:
        """The answer as the page gets it; see `packed`."""
        tables = {name: [one.to_json() for one in tables] for name, tables in self.tables.items()}
        return packed(self.values) | {"tables": tables}


PLACE = ("site", "layer", "head", "at", "step")


@dataclass(frozen=True)
class Shown:
    """A picture of a room: a line about it, and what a view says wherever it is shown.

    `sheets` are what is to be seen of an answer; left out, its tables as they are. `named` is what
    of a view says which picture it is, in the name of its file. `called` are the fields that an
    option means here instead of its own.
    """

    about: str
    view: Mapping[str, str] = field(default_factory=dict)
    sheets: Callable[[Answer[Any]], Sheets] | None = None
    named: tuple[str, ...] = PLACE
    called: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[Any], None] = lambda view: None  # raises where it cannot show what is chosen


Said = Json  # a view


@dataclass(frozen=True, eq=False)
class Seen:
    """A run on the page: what is locked there and at which step it is, and what a room says."""

    model: "Model"
    decoding: Decoding
    page: Mapping[str, Any]  # site, locks, at, ...: as `read_link` gives it
    said: Said  # what is chosen in the room

    @property
    def site(self) -> Site:
        """The attention that the page shows."""
        site: Site = self.page["site"]
        return site

    @property
    def sites(self) -> list[Site]:
        """The attentions of the model."""
        return [one.site for one in self.model.anatomy.sites]

    def placed(self, usual: str | None = None) -> Said:
        """What is chosen, with the head that is locked at its site; where none is named, `usual`.

        Of a model without that site it is the one that the page shows.
        """
        first = usual if usual is not None and self.model.anatomy.has(usual) else self.site
        site = self.said.get("site", first)
        return {"site": site} | self.page["locks"].get(site, {}) | self.said

    def of_site(self, site: str) -> Said:
        """A site and the head that is locked there."""
        return {"site": site, **self.page["locks"][site]}


def asked(*names: str) -> Callable[[View], tuple[Said, ...]]:
    """What the page asks a room whose answer depends on these parts of its view alone."""
    return lambda view: (view.parts(names),)


@dataclass(frozen=True, eq=False)
class Room:
    """A room of the page: the value that its folder exports.

    `answer` is a pure function; RecipeError where the model or the sentence has no such place.
    `needs` are the sites and capabilities that a model must have; of a model without them the page
    says why. `views` are its pictures by name. Its words are in words.txt beside it.
    `asks(view)` are the questions that the page asks for a view, as parts of it. `to_page`
    answers the page where that asks for something else than the pictures show. `beside` are the
    other recipes that an answer evaluates: they have the same limits.

    `shows` is the view of a link, with the places that this run has. `beforehand` are the views
    whose answers a page without a server has; of the first sentence of a model, `whole`, that may
    be more. `of_model` are questions with their answers that no sentence changes. `keeps_cell`: its
    query and key are the cell that the page keeps. `may_change`: its answer to the same question is
    another one when a file of the model has come.
    """

    name: str
    view: type[View]
    answer: "Callable[[Tracer, Recipe, Any], Answer]"
    views: Mapping[str, Shown]
    needs: tuple[Capability | Site, ...] = ()
    asks: "Callable[[Any], tuple[Said, ...]]" = lambda view: ()
    to_page: "Callable[[Tracer, Recipe, Any], Answer] | None" = None
    beside: "Callable[[Tracer, Recipe, Any], tuple[Recipe, ...]]" = lambda tracer, recipe, view: ()
    shows: Callable[[Seen], Said] = Seen.placed
    beforehand: Callable[[Seen, bool], Iterable[Said]] = lambda seen, whole: ()
    of_model: "Callable[[Tracer, Recipe], Iterable[tuple[Said, Answer]]]" = lambda tracer, recipe: (
        ()
    )
    keeps_cell: bool = False
    may_change: bool = False

    def picture_of(self, seen: Seen) -> tuple[str, Said]:
        """The picture that a link shows, the first whose choices are the link's, and its view."""
        said = self.shows(seen)
        view = vars(self.view.from_json(said))
        for name, picture in self.views.items():
            if picture.view and all(view[one] == value for one, value in picture.view.items()):
                return name, said
        return next(iter(self.views)), said

    def lacks(self, anatomy: Anatomy) -> str | None:
        """Why the room is not for such a model, as a code whose sentence is "error_lacks_CODE"."""
        return next((code for need in self.needs if (code := anatomy.lack(need))), None)

    def check(self, anatomy: Anatomy) -> None:
        """Raise RecipeError, in the page's own words, where a model has no such room."""
        lacks = self.lacks(anatomy)
        if lacks is not None:
            raise named_error(RecipeError, f"lacks_{lacks}")

    def sheets(self, name: str, answer: Answer) -> Sheets:
        """What is to be seen of an answer in one of the pictures."""
        shown, title = self.views[name], f"export_what_{name}"
        if shown.sheets is not None:
            return shown.sheets(answer)
        is_known = title in ALL_WORDS["en"]
        return sheets_of(say(title) if is_known else shown.about, answer.table(name))

    def figure(self, name: str, answer: Answer, look: Any, about: str) -> "go.Figure":
        """A picture in a `Look`, with a line about it under its title; Plotly is imported here."""
        from viz_app.figures.figure import figure_of

        return figure_of(self.sheets(name, answer), look, about)


def cut_notice(is_cut: bool, steps: int) -> Noticed:
    """A notice where the limit of steps ended a translation that a room made."""
    return notice("limit_room_steps", limit=steps) if is_cut else {}
