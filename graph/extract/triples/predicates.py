"""The predicate vocabulary: what each predicate is called, whether it holds one value at a time, and which verbs mean it.

A verb form is a lemma with its particle and preposition; "be LEMMA" is the passive, "be WORD of" a copula with a noun or an
adjective. A form that begins with "<" tells the relation from its other end: "own" makes owned_by with subject and object
changed over.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Predicate:
    """`functional`: one value at a time, so that a newer one closes the older. `state`: it lasts, where others happen once."""

    name: str
    functional: bool = False
    state: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """A predicate as a verb form means it; `swapped` when the form's subject is the predicate's object."""

    predicate: Predicate
    swapped: bool = False


FUNCTIONAL_STATES = {
    "lives_in": "live in|live at|live near|reside in|be base in|settle in|relocate to",
    "works_at": "work at|work for|be employ by|be employ at|start at",
    "owned_by": "be own by|<own|be maintain by|<maintain|belong to|<take over",
    "led_by": "be lead by|be head by|be run by|be manage by|<lead|<head|<manage",
    "reports_to": "report to|answer to",
    "assigned_to": "be assign to|be give to",
    "married_to": "marry|be marry to|be engage to",
    "scheduled_for": "be schedule for|be plan for|be due on|be due in|be due by|be set for",
    "has_status": "",
    "has_version": "be at version|be on version|be pin to|pin to|upgrade to|be upgrade to|downgrade to|be downgrade to|bump to",
    "has_value": "be set to|default to|be configure to|be change to|be raise to|be lower to|be increase to|be reduce to",
    "costs": "cost|be price at",
    "located_in": "be locate in|be situate in|be headquarter in|be locate at|lie in|be headquarter at|stand in|be in|be at",
}
FUNCTIONAL_EVENTS = {
    "born_in": "be bear in|be bear at",
    "born_on": "be bear on",
    "died_in": "die in|pass away in|die at",
    "died_on": "die on",
}
STATES = {
    "uses": (
        "use|utilize|utilise|leverage|employ|adopt for|be power by|be write in|be implement in|be build with|be build in|"
        "rely upon|make use of|be use by"
    ),
    "runs_on": "run on|run in|be host on|be host in|be host at|be host by|sit on|be serve by|be serve from",
    "depends_on": "depend on|depend upon|rely on|require|need|be build on|be base on|be depend on|build on",
    "integrates_with": "integrate with|be integrate with|connect to|be connect to|hook into|plug into|talk to|interface with",
    "member_of": "be member of|belong with|sit on board of|be join by|play for|join",
    "part_of": "be part of|be include in|be contain in|be component of|be piece of|be subset of",
    "contains": "contain|include|consist of|comprise|be make of|be compose of",
    "is_a": "",
    "named": "be call|be name|be title",
    "also_known_as": "be know as|be refer to as|be abbreviate as|be alias of",
    "likes": "like|love|enjoy|adore|be fan of|be fond of|be into|be keen on",
    "dislikes": "dislike|hate|detest|loathe|be sick of|be tire of",
    "prefers": "prefer|favor|favour|lean towards|lean toward",
    "avoids": "avoid|stay away from|refrain from|steer clear of|shun|stay off",
    "wants": "want|wish for|look for|crave",
    "has": "have|possess|hold|get",
    "knows": "know|be friend with|be acquaint with|be friend of",
    "speaks": "speak",
    "studies": "study|major in|be major in|study at|be enroll in|be enroll at",
    "supports": "support|be compatible with",
    "provides": "provide|offer|expose|supply|deliver",
    "responsible_for": "be responsible for|be in charge of|be accountable for|look after|take care of",
    "allergic_to": "be allergic to",
    "interested_in": "be interested in|be passionate about|be curious about",
    "child_of": "be child of|be son of|be daughter of",
    "parent_of": "be parent of|be father of|be mother of",
    "capital_of": "be capital of",
    "blocked_by": "be block by|be block on|<block|wait for|wait on|be wait for",
    "stored_in": "be store in|be keep in|be save in|store in|be save to|live under",
    "tested_with": "be test with|test with",
    "configured_with": "be configure with",
    "owes": "owe",
}
EVENTS = {
    "adopted": "adopt|switch to|choose|pick|select|go with|settle on|opt for|standardize on|standardise on|decide on|change to",
    "migrated_to": "migrate to|move to|port to|transition to|convert to|be migrate to|be move to|be port to|be convert to",
    "migrated_from": "migrate from|move from|move off|migrate off|move away from|migrate away from|be migrate from",
    "deployed_to": (
        "deploy to|deploy on|deploy in|be deploy to|be deploy on|be deploy in|roll out to|be roll out to|ship to|release to"
    ),
    "replaced": "replace|supersede|supplant|<be replace by|<be replace with|<be supersede by|<be supplant by",
    "resolved_by": (
        "be resolve by|be resolve in|be fix by|be fix in|be solve by|be close by|be address by|be address in|"
        "<fix|<resolve|<solve"
    ),
    "caused_by": "be cause by|<cause|result from|stem from|be due to|be trigger by|<trigger|be drive by|<lead to|<result in",
    "decided": "decide|agree|resolve to|vote|conclude|determine|agree on|agree to",
    "rejected": "reject|decline|dismiss|turn down|rule out|decide against|be reject by",
    "created_by": (
        "be create by|be write by|be develop by|be design by|be build by|be author by|be make by|be invent by|"
        "be direct by|"
        "<create|<write|<develop|<design|<build|<author|<invent|<direct|<compose|be compose by"
    ),
    "founded_by": "be found by|<found|<co-found|be establish by|<establish|be start by",
    "introduced": "introduce|add|implement|be introduce in|be add in|be introduce by|be add by",
    "removed": "remove|delete|drop|deprecate|retire|sunset|be remove in|be drop in|be deprecate in|be remove by",
    "released": "release|launch|ship|publish|be publish by|be release by|be release as",
    "reverted": "revert|roll back|undo|back out|be revert by|be revert in|be roll back to|roll back to",
    "bought": "buy|purchase|acquire|be acquire by|be buy by",
    "sold": "sell|get rid of|give away|be sell to|sell to",
    "visited": "visit|travel to|go to|fly to|drive to|tour",
    "attended": "attend|graduate from|go to school at|take part in|participate in",
    "met": "meet|meet with|run into",
    "won": "win",
    "started": "start|begin|kick off",
    "finished": "finish|complete|end|wrap up",
    "left": "leave|quit|resign from|depart from|retire from",
    "lost": "lose",
    "proposed_by": "be propose by|<propose|be suggest by|<suggest|<recommend|be recommend by",
    "approved_by": "be approve by|<approve|be accept by|<accept|be sign off by",
    "reported_by": "be report by|<report|be file by|be raise by",
    "reviewed_by": "be review by|<review",
    "merged_into": "be merge into|merge into|be merge to",
    "renamed_to": "rename to|be rename to",
}
STATUS_WORDS = frozenset(
    "down up offline online broken stable unstable deprecated enabled disabled on off done complete completed finished pending "
    "blocked open closed merged released live ready active inactive running stopped healthy unhealthy degraded available "
    "unavailable accepted rejected approved final draft withdrawn superseded obsolete outdated fixed resolved unresolved "
    "cancelled canceled postponed delayed overdue paused frozen archived retired dead married single divorced engaged "
    "pregnant sick retired unemployed green red flaky ill healthy vegetarian vegan".split()
)
THOUGHTS = frozenset(
    "think guess hope believe feel mean wonder suppose imagine assume bet figure doubt see hear notice remember forget realize "
    "realise understand say tell ask mention claim argue note explain suggest expect fear worry".split()
)
MAX_SPEECH = frozenset("say tell mention claim argue note explain suggest report announce".split())


def _forms(words: str) -> list[str]:
    return [form for form in words.split("|") if form]


def _vocabulary() -> dict[str, Form]:
    forms: dict[str, Form] = {}
    for table, functional, state in (
        (FUNCTIONAL_STATES, True, True),
        (FUNCTIONAL_EVENTS, True, False),
        (STATES, False, True),
        (EVENTS, False, False),
    ):
        for name, words in table.items():
            predicate = Predicate(name, functional, state)
            for form in _forms(words):
                forms.setdefault(form.lstrip("<"), Form(predicate, form.startswith("<")))
    return forms


FORMS = _vocabulary()
IS_A = Predicate("is_a")
HAS_STATUS = Predicate("has_status", functional=True)
LOCATED_IN = Predicate("located_in", functional=True)
LIVES_IN = Predicate("lives_in", functional=True)
BECAME = Predicate("has_status", functional=True, state=False)  # "was enabled" still holds
HAS_VALUE = Predicate("has_value", functional=True, state=False)
MIGRATED_TO = Predicate("migrated_to", state=False)
USES = Predicate("uses")
OWNED_BY = Predicate("owned_by", functional=True)


def functional(name: str) -> bool:
    """Whether a predicate of this name holds one value at a time; unknown names are multi-valued."""
    return name in FUNCTIONAL_STATES or name in FUNCTIONAL_EVENTS
