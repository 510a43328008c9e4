"""The use case of the read side: a question becomes an answer with the path that led to each hit."""

from collections.abc import Sequence
from datetime import datetime

from graph.errors import BackstoryError
from graph.model.entities import Fact
from graph.model.observations import Observation
from graph.model.points import Space, Vector
from graph.model.questions import Answer, FactLine, Hit, Intent, IntentGuess, Question
from graph.model.views import View
from graph.ports import Clock, Embedder, GraphReader, Lookup, VectorStore
from graph.retrieve import explain
from graph.retrieve.fusion import Fused
from graph.retrieve.intent import intents
from graph.retrieve.known import gives_reason, is_answered, is_tied
from graph.retrieve.memory import MODEL, Guard, Memory
from graph.retrieve.query import query_of, view_of
from graph.retrieve.ranking import Ranked, asks_latest, rank
from graph.retrieve.retrieval import Found, Retrieval
from graph.retrieve.sizes import Sizes
from graph.retrieve.trace import trace
from graph.retrieve.weights import Weights, shipped
from graph.retrieve.window import Spoken, spoken_window

FACTS_SHOWN = 8
FACT_COSINE = 0.5  # from which a fact counts as near to the question
OWN_FACT_COSINE = 0.3  # the same for a fact of an entity that the question names
EVENT_COSINE = 0.5  # from which an observation counts as telling of an event that bounds a time
NO_REASON = "no reason is stated in the record that meets the question best"
WIDENED = "nothing was found in the time asked about: looked beyond it"


class Asker:
    """Answers questions from the stores behind its ports. Thread-safe as far as its ports are; keeps no question's state."""

    def __init__(
        self,
        reader: GraphReader,
        lookup: Lookup,
        vectors: VectorStore,
        embedder: Embedder,
        clock: Clock,
        *,
        weights: Weights | None = None,
    ) -> None:
        self._memory = Memory(reader, lookup, vectors)
        self._embedder = embedder
        self._clock = clock
        self._weights = weights or shipped()
        self._sizes = Sizes(reader, clock)

    def ask(self, question: Question) -> Answer:
        """Results best first, at most `question.limit`. Legs that failed are in `degraded`; when no leg answered at all
        the first error is raised (an outage is never "no memories").
        """
        began = self._clock.monotonic()
        asked_at = question.asked_at or self._clock.now()
        guesses = intents(question.text, question.intent)
        guard = Guard()
        vector = guard.run(MODEL, lambda: self._embed(question.text), lambda: None)
        spoken = self._spoken(question, asked_at, guesses[0].intent, guard)
        embedded = self._clock.monotonic()
        answer = self._answer(question, guesses, spoken, vector=vector, asked_at=asked_at, guard=guard)
        if spoken.demanded and question.window is None and not answer.results:
            answer = self._answer(question, guesses, Spoken(spoken.window), vector=vector, asked_at=asked_at, guard=guard)
            answer = answer.model_copy(
                update={"warnings": (*answer.warnings, "nothing in the time asked about: looked beyond it")}
            )
        if guard.errors and not guard.answered:
            raise guard.errors[0]
        ended = self._clock.monotonic()
        ms = {"embed": (embedded - began) * 1000, "total": (ended - began) * 1000}
        return answer.model_copy(update={"ms": ms, "degraded": tuple(guard.degraded)})

    def retrieve(self, question: Question) -> list[Found]:
        """Per intent what retrieval found, with all features: for measuring and fitting. Raises what a leg raises."""
        guard = Guard()
        view, vector = view_of(question, question.window), self._embed(question.text)
        size = self._sizes.observations(view.scopes)
        queries = [query_of(question, guess.intent, view, vector) for guess in intents(question.text, question.intent)]
        found = [Retrieval(self._memory, query, self._weights, guard, size).run() for query in queries]
        if guard.errors:
            raise guard.errors[0]
        return found

    def _embed(self, text: str) -> Vector | None:
        vector: Vector = self._embedder.embed([text])[0]
        return vector

    def _spoken(self, question: Question, asked_at: datetime, intent: Intent, guard: Guard) -> Spoken:
        """The window asked for, else the one that the words give; an event's own date is looked up."""
        if question.window is not None:
            return Spoken(question.window, demanded=True)
        spoken = spoken_window(question.text, asked_at, intent)
        if not spoken.event:
            return spoken
        moment = guard.run(MODEL, lambda: self._date_of(spoken.event, question), lambda: None)
        return spoken.anchored(moment) if moment else Spoken()

    def _date_of(self, event: str, question: Question) -> datetime | None:
        """When the observation nearest to an event's words was said; None when none is near."""
        vector, view = self._embed(event), view_of(question, None)
        if vector is None:
            return None
        near = self._memory.vectors.search(Space.PASSAGE, vector, view, 1)
        if not near or near[0].score < EVENT_COSINE:
            return None
        found = self._memory.reader.observations([near[0].owner], view)
        return found[0].authored_at if found else None

    def _answer(
        self,
        question: Question,
        guesses: Sequence[IntentGuess],
        spoken: Spoken,
        *,
        vector: Vector | None,
        asked_at: datetime,
        guard: Guard,
    ) -> Answer:
        view = view_of(question, spoken.window if spoken.demanded else None)
        size = guard.run("graph", lambda: self._sizes.observations(view.scopes), lambda: 1)
        queries = [query_of(question, guess.intent, view, vector) for guess in guesses]
        found = [Retrieval(self._memory, query, self._weights, guard, size).run() for query in queries]
        observations = {id_: o for one in found for id_, o in one.observations.items()}
        fused = _united(found)
        latest = asks_latest(question.text)
        soft = None if spoken.demanded else spoken.window
        ranked = rank(fused, observations, self._weights, asked_at, latest=latest, window=soft)
        hits = self._hits(ranked[: question.limit], found, observations, view, guard)
        asked_for = {guess.intent for guess in guesses}
        answered = is_answered(ranked, found, self._weights)
        return Answer(
            question=question.text,
            intents=tuple(guesses),
            window=spoken.window,
            results=tuple(hits),
            dates=explain.dated(hits, observations) if Intent.WHEN in asked_for else (),
            facts=self._facts(found, view, asked_at, guard) if Intent.ENTITY in asked_for else (),
            answered=answered,
            warnings=() if gives_reason(ranked, found, self._weights) else (NO_REASON,),
            tied=answered and is_tied(ranked, observations, self._weights),
            trace={"retrievals": [trace(one) for one in found]} if question.trace else None,
        )

    def _hits(
        self,
        ranked: Sequence[Ranked],
        found: Sequence[Found],
        observations: dict[str, Observation],
        view: View,
        guard: Guard,
    ) -> list[Hit]:
        """The ranked results with their paths in words; labels of entities and records are looked up once for all."""
        trails = [item.fused.best for item in ranked if item.fused.best]
        nodes = {node for trail in trails for node in trail.nodes()}
        known: dict[str, str] = {id_: e.name for one in found for id_, e in one.bridges.known.items()}
        owners = sorted(
            {observations[item.fused.id].record_id for item in ranked} | (nodes - observations.keys() - known.keys())
        )
        records = guard.run("graph", lambda: self._memory.reader.records(owners, view), list)
        missing = sorted(nodes - observations.keys() - known.keys() - {record.id for record in records})
        seen = dict(observations)
        if missing:
            more = guard.run("graph", lambda: self._memory.reader.observations(missing, view), list)
            seen.update({observation.id: observation for observation in more})
        labels: dict[str, str] = {record.id: record.title or record.key for record in records}
        labels.update(known)
        names = explain.Names(seen, labels)
        keys: dict[str, str] = {record.id: record.key for record in records}
        return [
            explain.hit(item, observations[item.fused.id], keys.get(observations[item.fused.id].record_id), names)
            for item in ranked
        ]

    def _facts(self, found: Sequence[Found], view: View, asked_at: datetime, guard: Guard) -> tuple[FactLine, ...]:
        """Facts of the entities named and those nearest to the question, as of the date asked: best first, then by id."""
        as_of = View(view.scopes, view.statuses, None, view.as_of or asked_at, view.sessions, view.authors)
        scores = {fact: one.legs.fact[o] for one in found for o, fact in one.legs.best_fact.items() if o in one.legs.fact}
        subjects = sorted({name.entity.id for one in found for name in one.named})
        facts: dict[str, Fact] = {}
        try:
            near = self._memory.lookup.facts(as_of, ids=sorted(scores)) if scores else []
            own = self._memory.lookup.facts(as_of, subject_ids=subjects) if subjects else []
            facts = {fact.id: fact for fact in [*near, *own]}
            scores |= self._fact_scores(found, as_of, facts.keys() - scores.keys())
        except BackstoryError as error:
            guard.errors.append(error)
            guard.degraded.append("facts")
        own_ids = {id_ for id_, fact in facts.items() if {fact.subject_id, fact.object_id} & set(subjects)}
        near_ids = {id_ for id_ in facts if scores.get(id_, 0.0) >= (OWN_FACT_COSINE if id_ in own_ids else FACT_COSINE)}
        order = sorted(near_ids, key=lambda id_: (-scores.get(id_, 0.0), id_))[:FACTS_SHOWN]
        return tuple(explain.fact_line(facts[id_], scores.get(id_, 0.0)) for id_ in order)

    def _fact_scores(self, found: Sequence[Found], view: View, ids: set[str]) -> dict[str, float]:
        vector = next((one.query.vector for one in found), None)
        if vector is None or not ids:
            return {}
        return {s.owner: s.score for s in self._memory.vectors.search(Space.FACT, vector, view, len(ids), among=sorted(ids))}


def _united(found: Sequence[Found]) -> list[Fused]:
    """The results of all intents together: each observation by its best; order and ties as in fusion."""
    best: dict[str, Fused] = {}
    for hit in (hit for one in found for hit in one.fused):
        if hit.id not in best or hit.score > best[hit.id].score:
            best[hit.id] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, -hit.paths, hit.id))
