"""Noise: texts that say nothing to keep: denials, questions about the memory itself, greetings, and what is far too short."""

from dataclasses import dataclass

from graph.ingest.gate_words import LANGUAGES, Place, word_set
from graph.ingest.readers.injected import without_injected

SHORTEST_KEPT = 5
SHORTEST_SHOWN = 10
GREETING_WORDS = 8  # a greeting makes noise of a text of at most so many words; after it a longer one may say something


@dataclass(frozen=True, slots=True)
class NoiseFilter:
    """Which kinds count as noise when a text is stored automatically."""

    denials: bool = True
    meta_questions: bool = True
    boilerplate: bool = True
    languages: tuple[str, ...] = LANGUAGES

    def is_noise(self, text: str) -> bool:
        """Whether an automatic caller should not store the text. A text that is all recalled memory is noise too."""
        own = without_injected(text).strip()
        if len(own) < SHORTEST_KEPT:
            return True
        brief = len(own.split(maxsplit=GREETING_WORDS)) <= GREETING_WORDS
        kinds = (
            (self.denials, "denial", Place.ANYWHERE),
            (self.meta_questions, "meta_question", Place.ANYWHERE),
            (self.boilerplate and brief, "boilerplate", Place.START),
        )
        return any(on and word_set(kind, self.languages, place).found_in(own) for on, kind, place in kinds)


def is_retrieved_noise(text: str, languages: tuple[str, ...] = LANGUAGES) -> bool:
    """Whether a recalled text is not worth showing: too short, or an answer that there is nothing."""
    own = text.strip()
    return len(own) < SHORTEST_SHOWN or bool(word_set("denial", languages).found_in(own))
