import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.table import Evidence
from pagecut.page import Page
from pagecut.page.nodes import Int

class Lines:
    evidence: Evidence
    count: int
    table: NDArray[np.float32]
    spans: Int
    tokens: Int
    texts: NDArray[np.uint64]
    def __init__(self, page: Page) -> None: ...
    @property
    def leaves(self) -> Int: ...
    @property
    def tables(self) -> Int: ...
    @property
    def parents(self) -> Int: ...
    def above_zero(self, columns: Int) -> NDArray[np.bool_]: ...
    def copied_texts(self, least: int, exempt: Int) -> NDArray[np.uint64]: ...
