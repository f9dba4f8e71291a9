import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Int, PackedNodes

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]

def line_measures(
    lines: Int, tokens_before: Int, spans: Int, labels: Int, count: int
) -> tuple[Float, Float]: ...
def leaf_shares(
    packed: PackedNodes, counted: Bool, spans: Int, labels: Int, count: int
) -> Float: ...
def leaves_inside(packed: PackedNodes, ranges: Int) -> Bool: ...
