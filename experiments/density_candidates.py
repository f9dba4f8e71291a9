"""Which discrete distribution fits the changes of density best (§5.1 of the Block Fusion paper).

    python experiments/density_candidates.py [../shared/data]

The paper let the Altmann-Fitter choose among more than 200 distributions; it took the negative
hypergeometric one, where a hyperpascal had been expected. Here are both and the usual few: the
counts of the paper's Appendix A, and with a dataset the changes between blocks that people marked.
All by maximum likelihood but the first, which also has the paper's way; tested alike.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import true_segmentations
from pagecut.studies.laws import (
    ChiSquare,
    compare_counts,
    count_classes,
    density_classes,
    fit_frumkina,
    segment_densities,
)

Floats = NDArray[np.float64]
Law = Callable[[Sequence[float], int], Floats]  # of parameters and a number of classes

# Appendix A: how often each class X = 1 to 18 was counted.
APPENDIX_A: Final = (
    1802, 180, 92, 80, 34, 36, 24, 18, 14, 16, 12, 12, 4, 2, 4, 2, 0, 2,
)  # fmt: skip


def by_quotients(quotient: Callable[[int], float], count: int) -> Floats:
    """(count,) probabilities that follow from the quotient of each to the one before."""
    logs = list(accumulate((math.log(quotient(x)) for x in range(1, count)), initial=0.0))
    values = np.exp(np.array(logs) - max(logs))
    return np.asarray(values / values.sum())


def geometric(parameters: Sequence[float], count: int) -> Floats:
    (q,) = parameters
    return by_quotients(lambda _: q, count)


def poisson(parameters: Sequence[float], count: int) -> Floats:
    (mean,) = parameters
    return by_quotients(lambda x: mean / x, count)


def negative_binomial(parameters: Sequence[float], count: int) -> Floats:
    k, q = parameters
    return by_quotients(lambda x: (k + x - 1) * q / x, count)


def hyperpascal(parameters: Sequence[float], count: int) -> Floats:
    k, m, q = parameters
    return by_quotients(lambda x: (k + x - 1) * q / (m + x - 1), count)


def logarithmic(parameters: Sequence[float], count: int) -> Floats:
    (q,) = parameters
    return by_quotients(lambda x: q * x / (x + 1), count)


def zeta(parameters: Sequence[float], count: int) -> Floats:
    (a,) = parameters
    return by_quotients(lambda x: (x / (x + 1)) ** a, count)


def zipf_mandelbrot(parameters: Sequence[float], count: int) -> Floats:
    a, b = parameters
    return by_quotients(lambda x: ((x + b) / (x + 1 + b)) ** a, count)


def yule(parameters: Sequence[float], count: int) -> Floats:
    (b,) = parameters
    return by_quotients(lambda x: x / (x + b + 1), count)


def waring(parameters: Sequence[float], count: int) -> Floats:
    b, n = parameters
    return by_quotients(lambda x: (n + x - 1) / (n + b + x), count)


# Each with what it starts from, and which of its parameters lie below 1.
CANDIDATES: Final[dict[str, tuple[Law, tuple[float, ...], tuple[bool, ...]]]] = {
    "hyperpascal": (hyperpascal, (0.5, 2.0, 0.8), (False, False, True)),
    "negative binomial": (negative_binomial, (0.3, 0.8), (False, True)),
    "Waring": (waring, (1.0, 1.0), (False, False)),
    "Zipf-Mandelbrot": (zipf_mandelbrot, (2.0, 0.5), (False, False)),
    "Yule": (yule, (1.0,), (False,)),
    "zeta": (zeta, (2.0,), (False,)),
    "logarithmic": (logarithmic, (0.8,), (True,)),
    "geometric": (geometric, (0.5,), (True,)),
    "Poisson": (poisson, (0.5,), (False,)),
}


def fit(observed: Floats, name: str) -> tuple[list[float], ChiSquare]:
    """The parameters of greatest likelihood, and how well the law then fits."""
    law, start, below_one = CANDIDATES[name]

    def parameters(point: Sequence[float]) -> list[float]:
        return [
            1 / (1 + math.exp(-min(max(value, -30), 30))) if small else math.exp(min(value, 30))
            for value, small in zip(point, below_one, strict=True)
        ]

    def unlikelihood(point: Sequence[float]) -> float:
        probabilities = np.maximum(law(parameters(point), len(observed)), 1e-300)
        return -float(observed @ np.log(probabilities))

    first = [
        math.log(value / (1 - value)) if small else math.log(value)
        for value, small in zip(start, below_one, strict=True)
    ]
    found = parameters(simplex(unlikelihood, first))
    expected = float(observed.sum()) * law(found, len(observed))
    return found, compare_counts(observed, expected, parameters=len(found))


def simplex(
    function: Callable[[Sequence[float]], float], start: Sequence[float], steps: int = 600
) -> list[float]:
    """Where a function is least (Nelder & Mead 1965)."""
    points = [list(start)] + [
        [value + (0.5 if at == other else 0.0) for other, value in enumerate(start)]
        for at in range(len(start))
    ]
    values = [function(point) for point in points]
    for _ in range(steps):
        order = sorted(range(len(points)), key=lambda at: values[at])
        points, values = [points[at] for at in order], [values[at] for at in order]
        centre = np.mean(points[:-1], axis=0)
        for factor in (1.0, 2.0, -0.5):
            tried = (centre + factor * (centre - np.array(points[-1]))).tolist()
            value = function(tried)
            if factor == 1.0:
                mirrored, mirrored_value = tried, value
                if values[0] <= value < values[-2]:
                    break
            elif factor == 2.0 and mirrored_value < values[0]:
                tried, value = min((value, tried), (mirrored_value, mirrored))[::-1]
                break
            elif factor < 0 and value < values[-1]:
                break
        else:
            points = [((np.array(point) + points[0]) / 2).tolist() for point in points]
            values = [function(point) for point in points]
            continue
        points[-1], values[-1] = tried, value
    return points[int(np.argmin(values))]


def show(title: str, observed: Floats) -> None:
    print(f"\n{title}: {observed.sum():.0f} changes in {len(observed)} classes\n")
    print("| distribution | parameters | chi-square | d.f. | P | chi-square / N |")
    print("|---|---|---|---|---|---|")
    for method in ("fixed-mean", "likelihood"):
        given = fit_frumkina(observed, method)  # type: ignore[arg-type]
        row(f"negative hypergeometric, {method}", list(given.parameters.values()), given.test)
    for name in CANDIDATES:
        row(name, *fit(observed, name))


def row(name: str, parameters: Sequence[float], test: ChiSquare) -> None:
    values = ", ".join(f"{value:.4g}" for value in parameters)
    probability = "–" if test.probability is None else f"{test.probability:.4f}"
    print(
        f"| {name} | {values} | {test.value:.2f} | {test.freedom} | {probability} | "
        f"{test.contingency:.4f} |"
    )


def main() -> None:
    show("The paper's Appendix A", np.array(APPENDIX_A, dtype=float))
    for folder in sys.argv[1:]:
        for level in (2, 1):
            classes = [
                number
                for each in true_segmentations(read_dataset(Path(folder)), level)
                for number in density_classes(segment_densities(each))
            ]
            show(f"{folder}, people's blocks of level {level}", count_classes(classes))


if __name__ == "__main__":
    main()
