"""Cue tables: which words say that one thing brought about another, and on which side the cause stands."""

_W = str.split

# Active subject causes object or clause; passive with "by": the agent causes the subject.
STRONG_VERBS = frozenset(
    _W(
        "cause trigger induce provoke spark prompt ignite stoke engender evoke elicit instigate precipitate inflict "
        "arouse inspire kindle incite fuel unleash occasion beget spawn effect necessitate"
    )
)
WEAK_VERBS = frozenset(
    _W(
        "produce generate create establish yield give make emit provide bring force raise stir drive send leave compel "
        "motivate enable worsen aggravate exacerbate hamper disrupt paralyse paralyze affect hit damage destroy kill "
        "injure wound hurt claim convince persuade help allow require mar anger enrage irk shock influence intensify "
        "increase reduce prevent block delay deliver release start begin spread transmit pollute infect contaminate "
        "erode threaten endanger displace delight scare frighten upset disturb annoy irritate strain cripple throw break "
        "slow stop avoid facilitate permit let protect hinder inhibit impede preclude thwart deter corrupt crash ruin "
        "lower boost accelerate improve degrade confuse alter shape render"
    )
)
ENABLING = frozenset(_W("enable allow permit let facilitate help empower"))
PREVENTING = frozenset(
    _W("prevent block avoid stop preclude hinder inhibit impede thwart deter forestall avert prohibit forbid protect")
)

# Verb and preposition: the subject is the cause.
TO_EFFECT = frozenset(
    {
        ("lead", "to"), ("result", "in"), ("contribute", "to"), ("culminate", "in"), ("end", "in"), ("translate", "into"),
        ("turn", "into"), ("degenerate", "into"), ("snowball", "into"), ("escalate", "into"), ("give", "to"),
        ("conspire", "to"),
        ("account", "for"), ("add", "to"), ("make", "for"), ("play", "in"), ("pose", "to"), ("bring", "to"), ("force", "into"),
        ("plunge", "into"), ("boil", "into"), ("spiral", "into"), ("develop", "into"), ("drive", "to"), ("push", "into"),
    }
)  # fmt: skip
PARTICLE_VERBS = frozenset(
    {
        ("bring", "about"), ("set", "off"), ("touch", "off"), ("spark", "off"), ("give", "off"), ("bring", "on"),
        ("trigger", "off"), ("stir", "up"), ("give", "out"), ("whip", "up"), ("give", "rise"),
    }
)  # fmt: skip

# Verb and preposition: the preposition's object is the cause, the subject (or the verb's object) the effect.
_FROM = _W(
    "result stem arise derive come originate ensue emanate spring follow flow emerge develop issue suffer die proceed "
    "accrue evolve grow get benefit recover appear start radiate begin occur gain profit receive obtain sustain feel "
    "experience have take produce make generate create cause cry scream smell learn expect"
)
FROM_CAUSE = frozenset({(verb, "from") for verb in _FROM}) | frozenset(
    {
        ("die", "of"), ("die", "after"), ("root", "in"), ("originate", "in"), ("originate", "with"), ("start", "with"),
        ("start", "by"), ("begin", "with"), ("depend", "on"), ("hinge", "on"), ("arise", "out"), ("arise", "of"),
        ("grow", "out"), ("come", "out"), ("come", "of"), ("attribute", "to"), ("ascribe", "to"), ("blame", "on"),
        ("owe", "to"),
        ("credit", "to"), ("link", "to"), ("relate", "to"), ("base", "on"), ("react", "to"), ("respond", "to"),
        ("trace", "to"), ("boil", "down"), ("pin", "on"),
    }
)  # fmt: skip

SURE_LINKS = frozenset(("result in", "culminate in", "mean", "give rise", "snowball into", "escalate into"))
HARD_LINKS = SURE_LINKS | {"lead to", "contribute to"}
# "The migration from X": where something leaves, not what brought it about.
DEPARTURES = frozenset(
    _W(
        "migration move switch transition departure shift change upgrade separation protection freedom recovery distance "
        "removal import export translation conversion exit escape retreat withdrawal transfer isolation difference "
        "deviation"
    )
)
HARD_ORIGINS = frozenset(
    {
        "result from", "stem from", "arise from", "arise out", "arise of", "ensue from", "attribute to", "ascribe to",
        "blame on",
        "pin on", "trace to", "die of", "die from", "suffer from", "root in", "emanate from",
    }
)  # fmt: skip
NO_CAUSES = frozenset(("depend on", "hinge on", "relate to", "link to", "base on", "derive from", "make from", "take from"))
PATHWAYS = frozenset(
    _W("road street path trail door gate stair stairs bridge tunnel corridor link page url route way highway lane")
)

# Verbs that do most of their work with their object's help: what they bring about is not stored on their word.
LIGHT_VERBS = frozenset(
    _W("make give bring provide take put send leave start begin get claim help let throw hit release deliver")
)

# Nouns and adjectives with a preposition: "X is the CAUSE of Y", "Y is the RESULT of X".
CAUSE_NOUNS = frozenset(
    {
        ("cause", "of"), ("source", "of"), ("reason", "for"), ("reason", "behind"), ("trigger", "for"), ("trigger", "of"),
        ("origin", "of"), ("cause", "for"), ("factor", "in"), ("factor", "behind"), ("factor", "for"), ("catalyst", "for"),
        ("responsible", "for"), ("culprit", "for"), ("culprit", "behind"), ("driver", "of"), ("force", "behind"), ("key", "to"),
        ("guilty", "of"), ("author", "of"), ("inducer", "of"), ("contributor", "to"), ("producer", "of"), ("root", "of"),
        ("motivation", "for"), ("motive", "for"), ("motive", "behind"), ("impetus", "for"), ("motivation", "behind"),
        ("rationale", "for"), ("rationale", "behind"), ("explanation", "for"), ("grounds", "for"), ("driver", "behind"),
    }
)  # fmt: skip
EFFECT_NOUNS = frozenset(
    {
        ("result", "of"), ("consequence", "of"), ("outcome", "of"), ("product", "of"), ("byproduct", "of"),
        ("by-product", "of"),
        ("effect", "of"), ("aftermath", "of"), ("fruit", "of"), ("symptom", "of"), ("upshot", "of"), ("response", "to"),
        ("reaction", "to"), ("result", "from"), ("attributable", "to"), ("sign", "of"), ("impact", "of"), ("function", "of"),
        ("manifestation", "of"), ("complication", "of"), ("sick", "of"), ("sick", "from"), ("due", "to"), ("thanks", "to"),
        ("side-effect", "of"), ("repercussion", "of"), ("ramification", "of"), ("artifact", "of"), ("artefact", "of"),
    }
)  # fmt: skip

# Of these, something must happen on one side: "a source of truth" is no cause.
LOOSE_NOUNS = frozenset(
    (
        "guilty of",
        "source of",
        "origin of",
        "author of",
        "force behind",
        "key to",
        "root of",
        "producer of",
        "function of",
        "sign of",
        "product of",
    )
)

# Nouns folded onto their verbs: "the reduction of Y by X" is read as "Y is reduced by X".
NOMINALISED = {
    "reduction": "reduce", "prevention": "prevent", "destruction": "destroy", "production": "produce", "creation": "create",
    "generation": "generate", "emission": "emit", "disruption": "disrupt", "provocation": "provoke", "inducement": "induce",
    "induction": "induce", "instigation": "instigate", "infliction": "inflict", "arousal": "arouse", "inspiration": "inspire",
    "incitement": "incite", "aggravation": "aggravate", "exacerbation": "exacerbate", "killing": "kill", "intensification":
    "intensify", "increase": "increase", "release": "release", "spread": "spread", "transmission": "transmit", "pollution":
    "pollute", "infection": "infect", "contamination": "contaminate", "erosion": "erode", "displacement": "displace",
    "improvement": "improve", "degradation": "degrade", "corruption": "corrupt", "acceleration": "accelerate", "inhibition":
    "inhibit", "alteration": "alter", "loss": "lose", "failure": "fail", "damage": "damage", "avoidance": "avoid",
}  # fmt: skip

# Connectives after which the cause stands; the governor is the effect. Longest first wins.
CAUSE_FOLLOWS = frozenset(
    {
        "because of", "due to", "owing to", "on account of", "thanks to", "as a result of", "as a consequence of", "in view of",
        "in the wake of", "in wake of", "in response to", "in reaction to", "in protest against", "in protest at",
        "in protest over", "in protest of", "in protest", "in connection with", "in support of", "in solidarity with",
        "on charges of", "on the charges of", "on charge of", "on the basis of", "on suspicion of", "in the name of",
        "in anticipation of", "in a bid to", "in an attempt to", "in an effort to", "in order to", "in order that",
        "with a view to",
        "with the aim of", "with an intention to", "with the intention of", "so as to", "so that", "for fear of", "for lack of",
        "for want of", "under pressure from", "in light of", "in the light of", "by virtue of", "out of", "because",
        "as part of", "on the grounds of", "on the ground that", "on the grounds that", "in retaliation for",
        "in retaliation to", "in retaliation", "in revenge for", "to protest against", "to demand", "in memory of",
        "in honour of", "in honor of", "with the help of", "by means of", "over the issue of", "in case", "as if", "even as",
        "now that", "given that", "given", "in favour of", "in favor of", "with the objective of", "for the purpose of",
        "as a mark of", "as a sign of", "to mark", "on the occasion of", "to commemorate", "in exchange for", "in return for",
        "for the sake of", "following", "despite", "in spite of", "amid", "amidst", "such that", "so as", "in return",
        "at the instance of", "at the behest of", "at the request of", "on the orders of", "seeing that", "seeing as",
        "inasmuch as", "in consequence of", "as a response to", "as a reaction to", "by reason of", "in the face of",
        "in the interest of", "under the weight of", "as a reward for", "as punishment for", "in the hope of", "in hopes of",
        "in the hope that", "in pursuit of", "for reasons of", "on grounds of", "in the absence of", "through lack of",
        "in the event of", "in preparation for", "in compliance with", "in accordance with",
    }
)  # fmt: skip
EFFECT_FOLLOWS = frozenset(
    {
        "therefore", "hence", "thus", "consequently", "as a result", "as a consequence", "for this reason", "for that reason",
        "that is why", "that 's why", "this is why", "which is why", "accordingly", "in turn", "thereby", "so",
        "in consequence",
        "ergo", "because of this", "because of that", "due to this", "for these reasons",
    }
)  # fmt: skip
# Eaten by the longest match so that their parts do not fire; they say nothing causal by themselves.
CONCESSIVE = frozenset(("despite", "in spite of", "amid", "amidst", "even as", "as if"))
PURPOSE_CONNECTIVES = frozenset(
    {
        "in a bid to", "in an attempt to", "in an effort to", "in order to", "with a view to", "with the aim of",
        "with an intention to", "with the intention of", "so as to", "so that", "with the objective of", "for the purpose of",
        "to demand", "to mark", "to commemorate", "to protest against", "for the sake of", "in the hope of", "in hopes of",
        "in the hope that", "in pursuit of", "such that", "so as", "in the interest of", "in preparation for", "in case",
        "for fear of",
    }
)  # fmt: skip
REACTION_CONNECTIVES = frozenset(
    {
        "in response to", "in reaction to", "in protest against", "in protest at", "in protest over", "in protest of",
        "in protest", "in solidarity with", "in support of", "in retaliation for", "in retaliation to", "in retaliation",
        "in revenge for", "on charges of", "on the charges of", "on charge of", "on suspicion of", "in memory of",
        "in honour of", "in honor of", "as a mark of", "as a sign of", "as a response to", "as a reaction to",
        "as a reward for", "as punishment for", "in return for", "in exchange for", "in return",
    }
)  # fmt: skip
HARD_CONNECTIVES = frozenset(
    {
        "so that", "in order to", "so as to", "in order that", "with the aim of", "in an effort to", "in an attempt to",
        "in a bid to", "for the purpose of", "with a view to", "for the sake of",
        "because", "because of", "due to", "as a result of", "owing to", "thanks to", "in the wake of", "in response to",
        "in reaction to", "as a consequence of", "in consequence of", "on account of", "by virtue of", "given that",
        "now that", "seeing that", "on the grounds that", "for fear of", "for lack of", "for want of", "in view of",
        "in light of", "in the light of", "by reason of", "in the face of", "inasmuch as",
    }
)  # fmt: skip

SUBORDINATORS = frozenset(
    _W(
        "because as since so if unless until till when after while though although whereas once before lest where "
        "whenever cause cos cuz"
    )
)
# Verbs of a state, which lasts and so gives a reason where a happening would give a time.
STATES = frozenset(
    _W(
        "be have need want know think believe understand lack require depend mean cost contain include exceed seem "
        "appear feel own belong like love hate prefer fear hope trust doubt remain stay stand lie matter suffice run "
        "support hold"
    )
)
CONDITIONAL = frozenset(("if", "unless", "lest", "whenever", "in case", "in the event of"))
TEMPORAL = frozenset(
    (
        "as",
        "when",
        "after",
        "while",
        "once",
        "before",
        "until",
        "till",
        "since",
        "where",
        "whenever",
        "even as",
        "during",
        "following",
    )
)
PREPOSITIONS = frozenset(
    _W("from by through with after for over against on under of at without via upon about in to before during since")
)
PLACE_OR_TOPIC = frozenset(_W("of in on at to about before during under"))  # causal only with a gerund

DEMANDING = frozenset(
    _W(
        "demand seek urge protest allege condemn oppose claim call want accuse criticise criticize support resent "
        "denounce ask insist appeal press cite fear believe hope say shout raise chant"
    )
)
RESULTING = frozenset(
    _W(
        "leave kill injure wound damage hurt force cause fuel spark trigger lead result prompt provoke disrupt affect "
        "create bring make put throw block paralyse paralyze cripple destroy send claim raise hit set turn push drive "
        "give increase add disturb hamper stall halt delay end trap stir evoke erode allow enable prevent break"
    )
)
HYPHENATED = frozenset(_W("induced related caused borne driven triggered provoked sparked"))
SLIPS = frozenset(_W("cause causes trigger triggers"))  # often tagged as nouns between two nominals
PREPOSITIONAL_SLIPS = {"lead": "to", "leads": "to", "result": "in", "results": "in"}
