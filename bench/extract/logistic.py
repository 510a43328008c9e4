"""Ridge logistic regression by Newton's method over binary features beside dense ones; deterministic."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
NEWTON_STEPS = 8
BIAS_RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class Fit:
    """`weights` of the binary features seen often enough, `dense` those of the dense columns, in their order."""

    bias: float
    weights: dict[str, float]
    dense: Array


def fit(
    features: Sequence[set[str]],
    targets: Sequence[float],
    *,
    dense: Array | None = None,
    ridge: float = 4.0,
    dense_ridge: float = 200.0,
    min_count: int = 6,
) -> Fit:
    """Minimise the ridged log-loss against targets in [0, 1]; shape of `dense`: (rows, columns), standardised."""
    counts = Counter(name for row in features for name in row)
    names = sorted(name for name, count in counts.items() if count >= min_count)
    column = {name: i for i, name in enumerate(names)}
    extra = np.zeros((len(features), 0)) if dense is None else dense
    design = np.zeros((len(features), len(names) + extra.shape[1] + 1))
    for i, row in enumerate(features):
        design[i, [column[name] for name in row if name in column]] = 1.0
    design[:, len(names) : -1] = extra
    design[:, -1] = 1.0
    penalty = np.full(design.shape[1], ridge)
    penalty[len(names) : -1] = dense_ridge
    penalty[-1] = BIAS_RIDGE
    weights = _newton(design, np.asarray(targets, float), penalty)
    return Fit(float(weights[-1]), dict(zip(names, weights.tolist(), strict=False)), weights[len(names) : -1])


def _newton(design: Array, targets: Array, penalty: Array) -> Array:
    weights = np.zeros(design.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (chance - targets) + penalty * weights
        hessian = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(penalty)
        weights -= np.linalg.solve(hessian, gradient)
    return weights
