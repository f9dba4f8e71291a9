"""What a terminal shows of a segmentation."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from pagecut.cli.terminal import Indented

COLOUR = "#56b4e9"
COLOUR_ON = "\x1b[38;2;86;180;233m"


def written(what: RenderableType, width: int, *, colours: bool) -> str:
    console = Console(
        file=StringIO(),
        width=width,
        highlight=False,
        force_terminal=colours,
        color_system="truecolor" if colours else None,
        _environ={},
    )
    console.print(what)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text.replace(f"\x1b[0m{COLOUR_ON}", "")  # off and on again, as after a tab


@pytest.mark.parametrize("colours", [False, True])
@given(
    text=st.text(alphabet="ab   \n\t\u6587\u0301\u00e9\ufffd", min_size=1, max_size=120),
    width=st.integers(6, 40),
)
def test_indented_text_is_what_padding_writes(colours: bool, text: str, width: int) -> None:
    padded = Padding(Text(text, style=COLOUR), (0, 0, 0, 2))
    shown = written(Indented(text, COLOUR), width, colours=colours)
    assert shown == written(padded, width, colours=colours)
    assert (COLOUR_ON in shown) == (colours and bool(text.strip("\n")))
