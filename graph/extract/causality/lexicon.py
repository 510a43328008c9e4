"""Word classes of the causal grammar: happenings, reactions and agents. General English, no proper names."""

import re

from spacy.tokens import Token

REACTIONS = frozenset(
    "protest demonstration demonstrate agitation strike clash rally march anger outrage concern fear worry dispute row "
    "tension uproar criticism condemn criticise criticize arrest detain charge fine jail convict sentence sack dismiss "
    "fire punish blame accuse thank praise congratulate apologise apologize blockade boycott shutdown riot violence "
    "quarrel fight irk upset enrage unhappy angry furious resent dissent stir campaign unrest controversy crackdown ban "
    "suspend expel retaliate retaliation revenge regret alarm panic complain complaint object objection resign "
    "resignation sue lawsuit prosecute indict fury backlash mourn grief sad happy afraid worried sorry proud ashamed "
    "surprised disappointed frustrated annoyed grateful".split()
)
_HAPPENINGS = frozenset(
    "damage pain death injury disease fire flood earthquake war loss harm stress fear anger joy anxiety grief problem "
    "trouble accident attack shock storm hurricane cancer fever rash burn noise sound light heat wave smoke delay crash "
    "blast explosion riot strike protest violence conflict crisis panic chaos outbreak collapse change effect impact "
    "symptom discomfort headache cough cold allergy acne swelling tension uproar outrage scandal suffering trauma wound "
    "scar ulcer tumor tumour famine drought quake tsunami eruption pressure impulse rise fall increase decrease decline "
    "growth error failure mistake leak spill scream cry tear delight worry horror shame guilt sorrow despair illness "
    "sickness ailment flu flame glow emission vibration buzz odor odour smell revenue income profit benefit trend shadow "
    "quality bug fault defect regression timeout deadlock latency outage downtime overhead conflict race spike drop "
    "drift breach lockup slowdown hang retry overflow mismatch confusion complaint cost risk gain win defeat victory "
    "vote deal debt shortage surplus boom slump bleeding fatigue rust rot decay stain crack tear break cut bruise itch "
    "lag jam traffic queue clash gap hole poverty hunger thirst need fuss".split()
)
_SENSES = {
    "harm": frozenset(
        (
            "kill injure wound hurt die damage destroy burn crash collapse attack shoot bomb explode break fail lose "
            "suffer fall drown hit murder beat assault explosion blast accident fire death injury casualty victim loss"
        ).split()
    ),
    "law": frozenset(
        (
            "arrest charge convict sentence jail detain sue indict prosecute fine try imprison accuse suspend ban expel "
            "sack dismiss punish summon arraign acquit remand custody trial conviction crime offence offense fraud theft"
        ).split()
    ),
    "speech": frozenset(
        (
            "say tell claim state report announce add allege argue explain note warn believe think know hope ask admit "
            "deny insist suggest describe call"
        ).split()
    ),
    "feeling": frozenset(
        (
            "anger fear joy love hate worry sad happy afraid angry upset surprise shock enrage please delight annoy "
            "frustrate grief sorrow shame guilt pride panic anxiety despair fury outrage relief excitement "
            "disappointment pleasure pain stress boredom"
        ).split()
    ),
    "motion": frozenset(
        (
            "go come arrive leave move travel run walk march drive fly return enter gather flee bring take carry send "
            "put place pour pull push emerge remove import export transport deliver"
        ).split()
    ),
    "change": frozenset(
        (
            "increase decrease rise fall grow drop decline change improve worsen reduce raise lower gain lose shrink "
            "surge expand slow spread become turn growth reduction"
        ).split()
    ),
    "making": frozenset(
        (
            "make build create produce write develop design establish form generate manufacture construct cook bake "
            "paint draw found compose prepare"
        ).split()
    ),
    "state": frozenset(("be have seem remain exist live stay contain include know like want need belong").split()),
}
_ENTITY_CLASSES = {
    "DATE": "time", "TIME": "time", "GPE": "place", "LOC": "place", "FAC": "place", "CARDINAL": "num", "MONEY": "num",
    "PERCENT": "num", "QUANTITY": "num", "ORDINAL": "num", "PERSON": "person", "ORG": "org", "NORP": "org",
}  # fmt: skip
_POS_CLASSES = {"PRON": "pron", "PROPN": "prop", "VERB": "verb", "AUX": "verb", "ADJ": "adj"}
_EVENT_SUFFIX = re.compile(
    r"(?:tion|sion|ment|ness|ing|ance|ence|ency|ancy|sis|itis|emia|oma|osis|algia|ure|age|ity|asm|ism|ery|al|th|ia|our|or|ude|ache)\Z"
)
_THINGS = frozenset(
    (
        "package image language message storage page usage author editor vector constructor operator color colour "
        "structure feature signature architecture furniture figure literature picture document element environment "
        "segment department government instrument equipment apartment argument statement comment entity facility utility "
        "identity community university city authority function section option version extension location application "
        "information station organization organisation documentation dimension collection position configuration "
        "notation annotation session string thing building setting heading meaning signal material journal manual "
        "terminal interval animal hospital metal capital goal path length month youth cloth depth width mechanism "
        "business witness battery gallery machinery latitude altitude instance distance insurance sentence reference "
        "sequence audience science agency currency dependency library directory repository factory memory"
    ).split()
)
_AGENT_SUFFIX = re.compile(r"(?:er|or|ist|ian|man|men|people|company|factory|team|government|police)\Z")
MIN_SUFFIXED = 6  # letters; "king" and "ring" are no happenings
_AGENT_ENTITIES = frozenset(("PERSON", "ORG", "NORP", "GPE"))
_MODALS = frozenset("may might could would should".split())


def lemma(token: Token) -> str:
    return str(token.lemma_).lower()


def is_event(token: Token) -> bool:
    """A verb, or a noun that names something that happens rather than a thing."""
    if token.pos_ == "VERB":
        return True
    word = lemma(token)
    return (
        token.pos_ == "NOUN"
        and word not in _THINGS
        and (word in _HAPPENINGS or (len(word) >= MIN_SUFFIXED and bool(_EVENT_SUFFIX.search(word))))
    )


def is_reaction(token: Token) -> bool:
    return lemma(token) in REACTIONS


def is_agent(token: Token) -> bool:
    """A person, group or maker: one who acts rather than something that happens."""
    named = token.ent_type_ in _AGENT_ENTITIES or token.pos_ in ("PRON", "PROPN")
    return named or bool(_AGENT_SUFFIX.search(lemma(token)))


def argument_class(token: Token | None) -> str:
    """One letter-like class of an argument's head: `react`, `ag`, `ev`, `x`, or `0` for none."""
    if token is None:
        return "0"
    if is_reaction(token):
        return "react"
    if is_agent(token):
        return "ag"
    return "ev" if is_event(token) else "x"


def fine_classes(token: Token | None) -> list[str]:
    """Finer classes of an argument's head: its named-entity or part-of-speech class and its senses; at least one."""
    if token is None:
        return ["0"]
    first = _ENTITY_CLASSES.get(token.ent_type_) or _POS_CLASSES.get(token.pos_)
    word = lemma(token)
    found = [first] if first else []
    found += [name for name, words in _SENSES.items() if word in words]
    return found or ["ev" if is_event(token) else "x"]


def is_nothing(token: Token | None) -> bool:
    """A noun that says there is none: "no changes", "nothing", "neither patch"."""
    if token is None:
        return False
    if token.dep_ in ("acl", "relcl"):  # "no changes caused by it": the participle stands for its noun
        token = token.head
    if token.lower_ in ("nothing", "none", "nobody"):
        return True
    return token.pos_ in ("NOUN", "PROPN") and any(t.lower_ in ("no", "neither") for t in token.subtree if t.i < token.i)


def is_negated(token: Token | None) -> bool:
    return token is not None and any(c.dep_ == "neg" or c.lower_ in ("no", "never", "without") for c in token.children)


def is_modal(token: Token | None) -> bool:
    return token is not None and any(c.dep_ == "aux" and lemma(c) in _MODALS for c in token.children)
