"""The hand-made chains as values, and stories told from them in varied word orders."""

from dataclasses import dataclass
from pathlib import Path

CHAINS = Path(__file__).with_name("chains.txt")


@dataclass(frozen=True)
class Happening:
    """One event of a chain in three wordings, and statements that must not be taken for it."""

    stated: str
    as_cause: str
    as_effect: str
    misses: tuple[str, ...]


def chains() -> list[tuple[Happening, ...]]:
    """All chains of the file, first cause first."""
    return [tuple(_happenings(block.splitlines())) for block in CHAINS.read_text("utf-8").split("\n\n")]


def _happenings(lines: list[str]) -> list[Happening]:
    told: list[tuple[str, ...]] = []
    misses: list[str] = []
    for line in lines:
        if line.startswith("~"):
            misses.append(line[1:].strip())
        elif line and not line.startswith("#"):
            told.append(tuple(part.strip() for part in line.split("|")))
    return [Happening(*three, tuple(misses) if number == 0 else ()) for number, three in enumerate(told)]  # type: ignore[call-arg]


def sentence(effect: str, cause: str, order: int) -> str:
    """`effect` because of `cause` in one of four word orders; a cause that begins with "of" is a noun phrase."""
    noun = cause.removeprefix("of ")
    phrase = cause.startswith("of ")
    links = ("because of", "due to") if phrase else ("because", "because")
    forms = (
        f"{effect} {links[0]} {noun}",
        f"{links[0]} {noun}, {effect}",
        f"{effect} {links[1]} {noun}",
        f"{'After all, ' if phrase else 'Since '}{noun}, {effect}" if not phrase else f"{links[1]} {noun}, {effect}",
    )
    told = forms[order % len(forms)]
    return told[0].upper() + told[1:] + "."


def story(chain: tuple[Happening, ...], order: int) -> list[str]:
    """The chain as it is told: the first event plainly, each later one with its cause, words and order varied."""
    later = range(1, len(chain))
    return [chain[0].stated, *(sentence(chain[n].as_effect, chain[n - 1].as_cause, order + n) for n in later)]
