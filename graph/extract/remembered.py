"""Two steps of the English pipeline with a memory: a word's part of speech and its lemma are looked up, not worked out again.

They give what the model's own steps give, at a fraction of the time: those take almost half of a parse.
"""

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

MARKS, LEMMAS = "backstory_marks", "backstory_lemmas"
MAX_REMEMBERED = 100_000  # words of each kind
# Words by which the model's rules reach beyond one token ("ain't", "gonna", "let's"); such a text goes to the model's own step.
_REACHING = frozenset(("ai", "gon", "got", "let", "c'm", "y", "y'"))


@Language.factory(MARKS)
def _marks(nlp: Language, name: str) -> "RememberedMarks":
    del name
    return RememberedMarks(nlp.get_pipe("attribute_ruler"), nlp.vocab)


@Language.factory(LEMMAS)
def _lemmas(nlp: Language, name: str) -> "RememberedLemmas":
    del name
    return RememberedLemmas(nlp.get_pipe("lemmatizer"))


def with_memory(nlp: Language) -> Language:
    """The pipeline with these two in the place of its own."""
    nlp.add_pipe(MARKS, before="attribute_ruler")
    nlp.add_pipe(LEMMAS, before="lemmatizer")
    for name in ("attribute_ruler", "lemmatizer"):
        nlp.disable_pipe(name)
    return nlp


class RememberedMarks:
    """Part of speech, morphology and exceptional lemmas by word, tag and dependency."""

    def __init__(self, ruler: Any, vocab: Vocab) -> None:
        self._ruler, self._vocab = ruler, vocab
        self._known: dict[tuple[int, int, int], tuple[int, str, str]] = {}

    def __call__(self, doc: Doc) -> Doc:
        if any(token.lower_ in _REACHING or token.dep_ == "expl" for token in doc):
            return self._whole(doc)
        for token in doc:
            key = (token.orth, token.tag, token.dep)
            marks = self._known.get(key)
            if marks is None:
                marks = self._alone(token)
                if len(self._known) < MAX_REMEMBERED:
                    self._known[key] = marks
            token.pos = marks[0]
            token.set_morph(marks[1])  # type: ignore[attr-defined]  # spaCy's stubs leave it out
            if marks[2]:
                token.lemma_ = marks[2]
        return doc

    def _whole(self, doc: Doc) -> Doc:
        done: Doc = self._ruler(doc)
        return done

    def _alone(self, token: Token) -> tuple[int, str, str]:
        """The marks of a word by itself."""
        doc = self._whole(Doc(self._vocab, words=[token.text], tags=[token.tag_], deps=[token.dep_], heads=[0]))
        return doc[0].pos, str(doc[0].morph), str(doc[0].lemma_)


class RememberedLemmas:
    """Lemmas by word, tag and part of speech; those set before are kept."""

    def __init__(self, lemmatizer: Any) -> None:
        self._lemmatizer = lemmatizer
        self._known: dict[tuple[int, int, int], str] = {}

    def __call__(self, doc: Doc) -> Doc:
        for token in doc:
            if token.lemma:
                continue
            key = (token.orth, token.tag, token.pos)
            lemma = self._known.get(key)
            if lemma is None:
                lemma = str(self._lemmatizer.lemmatize(token)[0])
                if len(self._known) < MAX_REMEMBERED:
                    self._known[key] = lemma
            token.lemma_ = lemma
        return doc
