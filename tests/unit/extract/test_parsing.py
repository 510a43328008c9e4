"""Every token leads back to the characters it came from."""

import spacy

from graph.extract.parsing import MODEL, parse, pipeline
from graph.extract.rules import RuleExtractor
from graph.model.extraction import Passage
from graph.model.ids import ObservationId


def test_tokens_map_back_to_the_original_characters() -> None:
    text = "The *cache* was\ncold after\n   the ``deploy``.  We fixed it\u00a0now."
    (parsed,) = parse([text])
    words = [parsed.span(t.i, t.i + 1).of(text) for t in parsed.doc]
    assert words == [t.text for t in parsed.doc]
    assert [parsed.span(a, b).of(text) for _, (a, b) in parsed.parsed_sentences()] == [
        "The *cache* was\ncold after\n   the ``deploy``.",
        "We fixed it\u00a0now.",
    ]


def test_the_parser_never_joins_our_sentences() -> None:
    (parsed,) = parse(["- Redis\n- second item\n\nIt was cold. As a result, it broke"])
    assert {a for _, (a, _) in parsed.parsed_sentences()} <= {s.start for s in parsed.doc.sents}
    assert sorted({parsed.sentence_of(t.i) for t in parsed.doc if t.is_sent_start}) == [0, 1, 2, 3]


def test_other_languages_are_split_and_marked_partial() -> None:
    texts = [
        "今天下雨了。所以取消。",
        "Wir haben das abgesagt, weil es regnet. Das ist nicht gut.",
        "Se canceló por la lluvia que no paró.",
    ]
    passages = [Passage(id=ObservationId(str(i)), text=text) for i, text in enumerate(texts)]
    for extraction in RuleExtractor().extract(passages):
        assert extraction.marks["extraction"] == "partial"
        assert extraction.sentences


def test_strange_texts_never_raise() -> None:
    texts = ["", " ", "\x00\x00", "\ud800 odd", "a" * 100_000, "no " * 5_000, "\U0001f600" * 50, "`" * 500]
    found = RuleExtractor().extract([Passage(id=ObservationId(str(i)), text=text) for i, text in enumerate(texts)])
    assert [e.id for e in found] == [str(i) for i in range(len(texts))]


def test_remembered_words_are_read_as_the_model_reads_them() -> None:
    texts = [
        "Let's go: there is no way, and I ain't gonna do it; y'all gotta see it's me.",
        "The children's 5 dogs were running faster than she'd thought, but he won't say so.",
        "It broke because nobody had renewed the certificates, which caused outages.",
    ] * 2
    own = spacy.load(MODEL)
    for ours, theirs in zip(pipeline().pipe(texts), own.pipe(texts), strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert (one.pos_, one.lemma_, str(one.morph), one.tag_, one.dep_) == (
                other.pos_,
                other.lemma_,
                str(other.morph),
                other.tag_,
                other.dep_,
            )
