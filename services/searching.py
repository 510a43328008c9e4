"""The ways of searching one memory, each by itself: by words, by vectors, both, along the graph, by time, by kind."""

from collections.abc import Callable, Sequence

from graph.errors import NotFound
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.observations import Observation, ObservationKind
from graph.model.points import Space
from graph.model.questions import Hit, Question
from graph.model.views import View
from graph.retrieve.routing import relevance
from graph.retrieve.routing.backends import Backend
from graph.retrieve.routing.dispatch import BackendAnswer
from graph.retrieve.routing.envelope import RoutedResult, RoutedStatus
from graph.text.terms import query_sparse
from services.memory import MemoryService
from services.showing import everything_of

BM25_HALF = 6.0  # the BM25 score that counts as relevance one half
LOOKED_AT = 400  # recent observations among which kinds are chosen
CAUSE_FANOUT = 16
MAX_DEPTH = 10

Found = list[tuple[Observation, float]]


class Searching:
    """Every backend takes a question and gives what it found with a relevance from 0 to 1, best first."""

    def __init__(self, memory: MemoryService) -> None:
        self._memory = memory
        self._container = memory.container
        self._backends: dict[Backend, Callable[[Question], Found]] = {
            Backend.KEYWORD: self._by_words,
            Backend.VECTOR: self._by_vector,
            Backend.RECENT: self._recent,
            Backend.OBSERVATIONS: self._session_log,
        }

    def answer(self, backend: Backend, question: Question) -> BackendAnswer:
        """What one backend says to a question with scopes. Raises what the stores raise."""
        if backend in self._backends:
            return _answer([_result(one, score) for one, score in self._backends[backend](question)])
        return _answer([_of_hit(hit) for hit in self._asked(backend, question)])

    def similar(self, id_: str, scopes: Sequence[str], limit: int) -> Found:
        """Observations nearest to one in meaning, itself left out. Raises NotFound."""
        view = View(frozenset(scopes))
        vectors = self._container.vectors.vectors(Space.PASSAGE, [id_]) if self._visible(id_, view) else {}
        if id_ not in vectors:
            raise NotFound(f"no observation has the id {id_!r} in the scopes asked for", id=id_)
        found = self._container.vectors.search(Space.PASSAGE, vectors[id_][0], view, limit + 1)
        return self._read({one.owner: relevance.of_cosine(one.score) for one in found if one.owner != id_}, view)[:limit]

    def causes(self, id_: str, scopes: Sequence[str], direction: Direction, depth: int) -> list[dict[str, object]]:
        """The chain of causes behind an observation (`in`) or of effects after it (`out`), nearest first, each once."""
        view = View(frozenset(scopes))
        if not self._visible(id_, view):
            raise NotFound(f"no observation has the id {id_!r} in the scopes asked for", id=id_)
        hop = Hop(EdgeKind.CAUSES, direction, fanout=CAUSE_FANOUT)
        seen, frontier, chain = {id_}, [id_], []
        for step in range(1, min(depth, MAX_DEPTH) + 1):
            walked = self._container.reader.expand(frontier, [hop], view)
            fresh = list(dict.fromkeys(one.to for one in walked if one.to not in seen))
            text: dict[str, str] = {one.id: one.text for one in self._container.reader.observations(fresh, view)}
            for one in walked:
                if one.to in text and one.to not in seen:
                    seen.add(one.to)
                    chain.append({"depth": step, "from": one.at, "id": one.to, "text": text[one.to], "weight": one.edge.weight})
            frontier = [id_ for id_ in fresh if id_ in text]
            if not frontier:
                break
        return chain

    def _asked(self, backend: Backend, question: Question) -> Sequence[Hit]:
        """Hybrid is the whole question side with its graph leg off; decisions are what it finds of that kind."""
        if backend is Backend.HYBRID:
            question = question.model_copy(update={"without": question.without | {"graph"}})
        if backend is not Backend.DECISIONS:
            return self._memory.ask(question).results
        wide = question.model_copy(update={"limit": min(200, question.limit * 5)})
        hits = self._memory.ask(wide).results
        return [hit for hit in hits if hit.kind == ObservationKind.DECISION.value][: question.limit]

    def _by_words(self, question: Question) -> Found:
        view = _view(question)
        found = self._container.vectors.search(Space.PASSAGE, query_sparse(question.text), view, question.limit)
        return self._read({one.owner: one.score / (one.score + BM25_HALF) for one in found}, view)

    def _by_vector(self, question: Question) -> Found:
        view = _view(question)
        vector = self._container.embedder.embed([question.text])[0]
        found = self._container.vectors.search(Space.PASSAGE, vector, view, question.limit)
        return self._read({one.owner: relevance.of_cosine(one.score) for one in found}, view)

    def _recent(self, question: Question) -> Found:
        now = self._container.clock.now()
        newest = self._container.reader.timeline(_view(question), limit=question.limit, newest_first=True)
        return [(one, relevance.of_age((now - one.authored_at).days)) for one in newest if one.authored_at]

    def _session_log(self, question: Question) -> Found:
        """The words of the question within what sessions said: observations that are part of one."""
        return [(one, score) for one, score in self._by_words(question) if one.session]

    def _read(self, scores: dict[str, float], view: View) -> Found:
        """The observations themselves, read under the view once more, best first, ties by id."""
        seen = self._container.reader.observations(list(scores), view)
        return sorted(((one, scores[one.id]) for one in seen), key=lambda pair: (-pair[1], pair[0].id))

    def _visible(self, id_: str, view: View) -> bool:
        return bool(self._container.reader.observations([id_], everything_of(view.scopes)))


def _view(question: Question) -> View:
    return View(
        frozenset(question.scopes or ()),
        window=question.window,
        as_of=question.as_of,
        sessions=frozenset({question.session}) if question.session else None,
        authors=frozenset({question.author}) if question.author else None,
    )


def _answer(results: list[RoutedResult]) -> BackendAnswer:
    best = max((result.relevance for result in results), default=0.0)
    return BackendAnswer(RoutedStatus.SUCCESS if results else RoutedStatus.EMPTY, best, tuple(results))


def _result(one: Observation, score: float) -> RoutedResult:
    return RoutedResult(content=one.text, relevance=score, source=one.source or "", timestamp=one.authored_at, id=one.id)


def _of_hit(hit: Hit) -> RoutedResult:
    score = relevance.of_log_odds(hit.score)
    return RoutedResult(content=hit.text, relevance=score, source=hit.source or "", timestamp=hit.authored_at, id=hit.id)
