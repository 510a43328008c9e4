"""A question made ready: its vector, its terms, what it asks for, and what may be seen."""

from dataclasses import dataclass

from graph.model.observations import Status
from graph.model.points import Sparse, Vector
from graph.model.questions import Intent, Question
from graph.model.times import Window
from graph.model.views import ACTIVE_ONLY, View
from graph.text.folding import words
from graph.text.terms import query_sparse

GRAPH = "graph"
EVERY_STATUS = frozenset(Status) - {Status.FORGOTTEN}


@dataclass(frozen=True, slots=True)
class Query:
    """`vector` is None when no embedder answered. `view` bounds anchors, `beyond` what is walked to from them."""

    text: str
    vector: Vector | None
    sparse: Sparse
    words: frozenset[str]
    intent: Intent
    view: View
    beyond: View
    without: frozenset[str] = frozenset()

    def uses(self, *names: str) -> bool:
        """Whether none of these legs, edge kinds or meta-paths is switched off."""
        return not self.without.intersection(names)

    @property
    def walks(self) -> bool:
        return GRAPH not in self.without


def view_of(question: Question, window: Window | None) -> View:
    """What the question may see; an `as_of` in the question bounds validity."""
    return View(
        scopes=None if question.scopes is None else frozenset(question.scopes),
        statuses=EVERY_STATUS if question.include_inactive else ACTIVE_ONLY,
        window=window,
        as_of=question.as_of,
        sessions=frozenset({question.session}) if question.session else None,
        authors=frozenset({question.author}) if question.author else None,
    )


def beyond(view: View, intent: Intent) -> View:
    """The view of a walk: the same, but causes may lie before the window."""
    if intent is not Intent.WHY or view.window is None:
        return view
    window = Window(start=None, end=view.window.end, granularity=view.window.granularity)
    return View(view.scopes, view.statuses, window, view.as_of, view.sessions, view.authors)


def query_of(question: Question, intent: Intent, view: View, vector: Vector | None) -> Query:
    """The question made ready for one of its intents."""
    return Query(
        text=question.text,
        vector=vector,
        sparse=query_sparse(question.text),
        words=frozenset(word.key for word in words(question.text)),
        intent=intent,
        view=view,
        beyond=beyond(view, intent),
        without=question.without,
    )
