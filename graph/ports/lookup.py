"""Finding nodes by what they are called: names, identifiers, facts."""

from collections.abc import Sequence
from typing import Protocol

from graph.model.entities import Entity, Fact
from graph.model.observations import Record
from graph.model.views import View


class Lookup(Protocol):
    def entities(self, ids: Sequence[str], view: View) -> list[Entity]:
        """The visible entities among `ids`, in the order asked."""
        ...

    def entities_by_key(self, name_keys: Sequence[str], view: View) -> list[Entity]:
        """Entities whose name key, or an alias's key, is one of `name_keys`; ordered by name key, then id."""
        ...

    def entity_list(self, view: View, *, prefix: str = "", limit: int = 100) -> list[Entity]:
        """Entities by descending mentions, then name key, then id; `prefix` is matched on the name key."""
        ...

    def records_by_identifier(self, identifiers: Sequence[str], view: View) -> dict[str, list[Record]]:
        """Records that bear an identifier (compared case-folded, spaces collapsed); keys as asked, values by id."""
        ...

    def facts(
        self,
        view: View,
        *,
        ids: Sequence[str] | None = None,
        subject_ids: Sequence[str] | None = None,
        predicate: str | None = None,
        limit: int = 200,
    ) -> list[Fact]:
        """Facts by id in the order asked, or those of subjects (as subject or object), by valid_from, authored_at, id.

        With `view.as_of` only facts whose interval holds that moment; an unknown bound is open.
        """
        ...

    def mentioning(self, phrase_words: Sequence[str], view: View, limit: int = 200) -> list[str]:
        """Ids of visible observations whose folded text holds these folded words in a row, by id."""
        ...
