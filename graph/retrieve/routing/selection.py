"""Selection: the backend for a category of question, from a table, within a budget. Pure; nothing is called."""

from dataclasses import dataclass
from enum import StrEnum

from graph.errors import BudgetExceeded, InvalidInput
from graph.retrieve.routing.costs import CostPoint, Costs, Table


class BudgetMode(StrEnum):
    """What happens when the table's pick costs more than the budget.

    HARD refuses; SOFT keeps the pick when it gives more right answers per dollar; CHEAPEST_FALLBACK takes what is cheapest.
    """

    HARD = "hard"
    SOFT = "soft"
    CHEAPEST_FALLBACK = "cheapest-fallback"


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen backend, why, what it is expected to cost, and whether that is more than the budget."""

    category: str
    backend: str
    reason: str
    usd: float
    budget_usd: float | None = None
    budget_exceeded: bool = False


@dataclass(frozen=True, slots=True)
class _Offer:
    backend: str
    point: CostPoint


def choose(
    category: str, table: Table, costs: Costs, budget_usd: float | None = None, mode: BudgetMode = BudgetMode.CHEAPEST_FALLBACK
) -> Choice:
    """The table's pick if there is no budget or it fits; else what the mode says. Ties in cost: the earlier backend.

    Raises InvalidInput for a category that the table or the costs do not know, BudgetExceeded in HARD mode.
    """
    if category not in table or category not in costs.get(table[category], {}):
        raise InvalidInput(f"no backend for questions of the category {category!r}", category=category)
    picked = _Offer(table[category], costs[table[category]][category])
    if budget_usd is None:
        return _choice(category, picked, "routing-table pick (no budget)", None)
    if picked.point.usd <= budget_usd:
        return _choice(category, picked, "routing-table pick fits budget", budget_usd)
    if mode is BudgetMode.HARD:
        raise BudgetExceeded(
            f"{picked.backend} costs {picked.point.usd:g} USD, the budget is {budget_usd:g}",
            backend=picked.backend,
            cost=picked.point.usd,
            budget=budget_usd,
        )
    offers = [_Offer(backend, points[category]) for backend, points in costs.items() if category in points]
    cheapest = min(offers, key=lambda offer: offer.point.usd)
    if cheapest.point.usd > budget_usd:
        return _choice(category, cheapest, "no backend fits budget; picking absolute cheapest", budget_usd)
    if mode is BudgetMode.CHEAPEST_FALLBACK:
        return _choice(category, cheapest, "budget downgrade (cheapest-fallback mode)", budget_usd)
    return _soft(category, picked, cheapest, budget_usd)


def _soft(category: str, picked: _Offer, cheapest: _Offer, budget_usd: float) -> Choice:
    if picked.point.accuracy == 0:
        return _choice(category, cheapest, "soft budget downgrade: picked backend has 0 accuracy", budget_usd)
    if cheapest.point.accuracy == 0:
        return _choice(category, picked, "soft exceed: cheapest has 0 accuracy", budget_usd)
    if picked.point.usd_per_correct <= cheapest.point.usd_per_correct:
        return _choice(category, picked, "soft exceed: better $/correct", budget_usd)
    return _choice(category, cheapest, "soft budget downgrade: cheaper $/correct", budget_usd)


def _choice(category: str, offer: _Offer, reason: str, budget_usd: float | None) -> Choice:
    exceeded = budget_usd is not None and offer.point.usd > budget_usd
    return Choice(category, offer.backend, reason, offer.point.usd, budget_usd, exceeded)
