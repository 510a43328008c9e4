"""Words by which something is decided, and the state in which they leave it."""

_W = str.split

# The verb alone says that a choice was made, whoever is its subject.
CHOOSING = frozenset(_W("decide choose pick select opt settle agree adopt standardize standardise ratify"))
# These are decisions when the team, or an imperative of a change, says them.
CHANGING = frozenset(
    _W(
        "switch migrate move replace drop use keep stop stick go stay deprecate introduce commit "
        "remove disable enable pin split merge rename rewrite"
    )
)
# These only as the order of a change ("Require a token"): as verbs of a sentence they describe.
ORDERING = frozenset(_W("avoid require enforce limit allow forbid ban"))
STATUS = {
    "reject": "rejected", "decline": "rejected", "veto": "rejected", "dismiss": "rejected", "refuse": "rejected",
    "withdraw": "withdrawn", "abandon": "withdrawn", "retract": "withdrawn", "cancel": "withdrawn", "scrap": "withdrawn",
    "defer": "deferred", "postpone": "deferred", "shelve": "deferred", "suspend": "deferred",
    "accept": "accepted", "approve": "accepted", "ratify": "accepted",
    "revert": "reverted", "undo": "reverted", "supersede": "superseded", "obsolete": "superseded",
    "deprecate": "deprecated",
}  # fmt: skip
# Verb and particle or preposition.
PHRASAL = {
    ("turn", "down"): "rejected", ("rule", "out"): "rejected", ("vote", "down"): "rejected", ("shoot", "down"): "rejected",
    ("put", "off"): "deferred", ("roll", "back"): "reverted", ("back", "out"): "reverted", ("call", "off"): "withdrawn",
    ("give", "up"): "withdrawn", ("sign", "off"): "accepted", ("go", "with"): "decided", ("stick", "with"): "decided",
    ("stick", "to"): "decided", ("stay", "with"): "decided", ("settle", "on"): "decided", ("settle", "for"): "decided",
    ("opt", "for"): "decided", ("commit", "to"): "decided", ("move", "to"): "decided", ("move", "from"): "decided",
    ("move", "off"): "decided", ("move", "away"): "decided", ("switch", "to"): "decided", ("switch", "from"): "decided",
    ("migrate", "to"): "decided", ("migrate", "from"): "decided", ("replace", "with"): "decided",
}  # fmt: skip
NEEDS_PARTNER = frozenset(_W("go stick stay move switch migrate commit give put turn rule roll back sign call shoot"))
BODIES = frozenset(
    _W(
        "team council committee board maintainer author group management majority company owner lead architect customer client "
        "engineer developer manager government court parliament jury staff community project organisation organization everyone"
    )
)
SPEAKERS = frozenset(_W("i we they he she"))
