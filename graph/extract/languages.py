"""Which language a text is in, as far as extraction must know: English is read in full, the rest by patterns."""

import re

from graph.text.folding import cjk_runs

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    "the a an and of to in is are was were be it that this we i you he she they not on for with as at by from have has had do "
    "does did but or if so my our your their there what when which who why how can will would should because its no yes".split()
)
_OTHERS = frozenset(
    "der die das und ist nicht ein eine wir ich sie mit auf für von zu den dem des wurde haben hat weil dass "
    "el la los las y es no un una que de en por con para se lo fue porque está "
    "le les et est un une des du que qui dans pour pas sur avec nous je il elle ont été parce ce "
    "il lo gli e è di che per non sono con una o os as e é um uma não em do da com para het een en van niet dat wij".split()
) - {"a", "an", "die", "no", "do", "as", "es", "on", "in", "so", "is", "per", "den", "or", "van", "pas", "des"}
SAMPLE_WORDS = 200
FOREIGN_MARGIN = 2


def is_english(text: str) -> bool:
    """True unless the text is mostly of a script other than Latin, or its small words are those of another language.

    Texts without any telling word (titles, names, code) count as English.
    """
    letters = [c for c in text[:4000] if c.isalpha()]
    if letters and sum(not c.isascii() and ord(c) > 0x24F for c in letters) * 2 > len(letters):
        return False
    if sum(map(len, cjk_runs(text[:4000]))) * 4 > len(letters):
        return False
    words = [w.lower() for w in _WORD.findall(text[:4000])][:SAMPLE_WORDS]
    english = sum(w in _ENGLISH for w in words)
    others = sum(w in _OTHERS and w not in _ENGLISH for w in words)
    return others < FOREIGN_MARGIN or others <= english
