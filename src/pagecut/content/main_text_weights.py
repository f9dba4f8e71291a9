"""The weights of main text, as experiments/main_text.py wrote them.

That of notices, which is set like those of <nav> and <footer>, came later: learnt anew, the others
would move by at most 0.012 and choose no better.
"""

from __future__ import annotations

from typing import Final

BIAS: Final = 0.8558

WEIGHTS: Final[dict[str, float]] = {
    "tokens": 0.0000,
    "density": 0.1858,
    "links": -0.1603,
    "main": 2.0000,
    "nav": -4.0000,
    "header": -1.0000,
    "footer": -3.0000,
    "aside": -2.0000,
    "paragraph": 0.5110,
    "item": -0.4839,
    "heading": 0.3774,
    "form": -0.1822,
    "table": 0.0967,
    "notice": -4.0000,
    "surrounding": -0.2570,
    "surroundings": -0.2062,
    "textual": 0.5788,
    "textuals": 0.2817,
    "position": -1.3741,
    "centre": -2.3213,
    "top": -0.9502,
    "end": -0.3685,
    "tokens within 5": 0.0000,
    "links within 5": -0.4115,
    "tokens within 15": 0.0000,
    "links within 15": 0.0000,
}
