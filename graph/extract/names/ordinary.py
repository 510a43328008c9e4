"""Ordinary words that look like names: commands that open a sentence, words in capitals for weight, words of any code."""

_COMMANDS = frozenset(
    "use add fix remove update create make see check run set get let call move change note keep try drop bump merge "
    "revert rename refactor replace implement improve support allow avoid enable disable handle ensure introduce delete "
    "deprecate document test clean bring start stop switch migrate upgrade downgrade deploy release install build "
    "configure wrap extract split convert ask tell send read write open close visit meet join follow validate cache "
    "store load save show hide return raise accept reject return render parse format lint apply require provide include "
    "exclude expose pass pin lock unlock mark adjust align correct define declare describe export import fetch generate "
    "guard initialize initialise inject inline invoke limit link list log map mention mock normalize normalise optimize "
    "optimise override pick prefer preserve prevent print propagate publish pull push query re reduce register relax "
    "reload reorder reset resolve restore restrict retry reuse rework rewrite roll sanitize scope serialize simplify "
    "skip sort specify strip sync tag tighten track trim turn tweak unify unwrap verify warn work accidentally".split()
)
_ENDINGS = ("", "s", "es", "ed", "d", "ing")
SHOUTED = frozenset(
    "must should shall may not required recommended optional only never always all none no yes and or if then else add "
    "delete update insert select get put post patch head fix bug fixes note warning important caution danger see new old "
    "todo done wip now very really please do is are be in on to the this that use removed added changed before after "
    "true false null error info debug license".split()
)
CODE_WORDS = frozenset(
    "none true false null undefined nan self this int str bool float dict list set tuple string object bytes number any "
    "void type class def return import from if else for while try except finally raise with as in is not and or add get "
    "put pop append len print range len sum min max map filter super init main test foo bar baz".split()
)


def is_command(word: str) -> bool:
    """Whether a lower-case word that opens a sentence is a command or its past: "fix", "fixes", "removed"."""
    if word.endswith("ly"):
        return True
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    return any(
        stem in _COMMANDS or stem + "e" in _COMMANDS or (stem[-2:-1] == stem[-1:] and stem[:-1] in _COMMANDS) for stem in stems
    )
