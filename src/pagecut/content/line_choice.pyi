import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Int, PackedNodes

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]

def choose_lines(
    probability: Float, tokens: Float, beta: float = 1.0, hidden: Bool | None = None
) -> Bool: ...
def find_copies(
    chosen: Bool,
    probability: Float,
    texts: NDArray[np.uint64],
    again: Bool,
    parents: Int,
) -> Bool: ...
def complete_tables(chosen: Bool, tables: Int, hidden: Bool, tokens: Float) -> None: ...
def close_gaps(
    chosen: Bool, headings: Bool, preformatted: Bool, hidden: Bool, copies: Bool, tokens: Float
) -> None: ...
def drop_last_headings(chosen: Bool, headings: Bool, probability: Float) -> None: ...
def runs_of(chosen: Bool) -> list[tuple[int, int]]: ...
def hidden_leaves(packed: PackedNodes, lines: Int, hidden: Bool) -> list[tuple[int, int]]: ...
