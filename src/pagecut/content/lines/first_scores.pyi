import numpy as np
from numpy.typing import NDArray

from pagecut.content.lines.table import Lines

def second_table(
    lines: Lines,
    first: NDArray[np.float64],
    types: NDArray[np.float64],
    chosen: NDArray[np.int64],
) -> NDArray[np.float32]: ...
def agreed(lines: Lines, scores: NDArray[np.float64]) -> NDArray[np.float64]: ...
