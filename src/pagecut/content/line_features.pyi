from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.table import Evidence
from pagecut.page import Page
from pagecut.page.nodes import Int

LINE_FEATURES: tuple[str, ...]
CONTEXT_FEATURES: tuple[str, ...]
FAR_AWAY: int
NEAREST_NAMES: int

def check_order() -> None: ...
def word_codes(text: str, start: int, end: int) -> list[int]: ...
def name_codes(name: bytes) -> list[int]: ...

class Lexicon:
    def __init__(self, codes: Sequence[int], values: Sequence[Sequence[float]]) -> None: ...

class Lines:
    evidence: Evidence
    count: int
    table: NDArray[np.float32]
    spans: Int
    tokens: Int
    texts: NDArray[np.uint64]
    def __init__(self, page: Page, words: Lexicon, names: Lexicon) -> None: ...
    @property
    def leaves(self) -> Int: ...
    @property
    def tables(self) -> Int: ...
    @property
    def parents(self) -> Int: ...
    def above_zero(self, columns: Int) -> NDArray[np.bool_]: ...
    def copied_texts(self, least: int, exempt: Int) -> NDArray[np.uint64]: ...
    def agreed(self, scores: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def second_table(
        self, first: NDArray[np.float64], types: NDArray[np.float64], chosen: NDArray[np.int64]
    ) -> NDArray[np.float32]: ...
