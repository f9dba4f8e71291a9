import numpy as np
from numpy.typing import NDArray

LANES: int
LEAVES: int
LINKS: tuple[str, ...]

class BoostedTrees:
    width: int
    outputs: int
    count: int
    def __init__(
        self,
        *,
        width: int,
        edges: NDArray[np.int32],
        columns: NDArray[np.int32],
        missing: NDArray[np.float32],
        column_edges: NDArray[np.int32],
        thresholds: NDArray[np.float32],
        kept: NDArray[np.uint32],
        tested: NDArray[np.int32],
        values: NDArray[np.float32],
        scales: NDArray[np.float64],
        biases: NDArray[np.float64],
        link: int,
        step_edges: NDArray[np.int32],
        step_places: NDArray[np.float64],
        step_scores: NDArray[np.float64],
    ) -> None: ...
    def sums(self, table: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float64]: ...
    def scores(self, table: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float64]: ...
