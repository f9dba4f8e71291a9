"""VIPS's rules: whether a node is one visual block, or is divided into its children.

The rules are numbered as in the technical report (see docs/methods/vips.md); which of them apply,
and in which order, is a table by groups of tags. The first rule that has an answer decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.layout import INLINE, Layout

# Tags that the paper calls "more likely to form a content coherent sub-tree": its thresholds for
# them are higher. One of its list is lost in the text; <ul> is a guess.
COHERENT_TAGS: Final = frozenset({"table", "tbody", "tr", "td", "p", "ul"})

DIVIDE: Final = True
KEEP: Final = False


@dataclass(frozen=True, slots=True)
class Question:
    """A node that can be seen, and how the search came to it.

    Args:
        is_root: whether the node is the block that this round divides.
        after_whole: whether the sibling before it was kept whole in this round.
        set_off: whether its background differs from that of its parent, which was divided.
    """

    layout: Layout
    row: int
    is_root: bool = False
    after_whole: bool = False
    set_off: bool = False

    @property
    def share(self) -> float:
        return self.layout.share(self.layout.area[self.row])

    @property
    def patience(self) -> float:
        """How many times larger than others a node may be and still count as small."""
        return constants.COHERENT if self.layout.tag[self.row] in COHERENT_TAGS else 1.0


Rule = Callable[[Question], bool | None]


def trace_into_only_child(ask: Question) -> bool | None:
    """Rule 2: one child can be seen, and it is no text: divide."""
    layout, row = ask.layout, ask.row
    return DIVIDE if layout.children[row] == 1 and layout.plain_children[row] == 1 else None


def divide_root(ask: Question) -> bool | None:
    """Rule 3: the node is the block to divide."""
    return DIVIDE if ask.is_root else None


def keep_text(ask: Question) -> bool | None:
    """Rule 4: all children are text."""
    return KEEP if ask.layout.is_text(ask.row) else None


def divide_at_line_breaks(ask: Question) -> bool | None:
    """Rule 5: a child breaks the line: a block element or an image."""
    return DIVIDE if ask.layout.breaking_children[ask.row] else None


def divide_at_drawn_lines(ask: Question) -> bool | None:
    """Rule 6: a child is <hr>, or another drawn line."""
    return DIVIDE if ask.layout.has_rule[ask.row] or ask.layout.has_break[ask.row] else None


def divide_by_size(ask: Question) -> bool | None:
    """Rule 7: the node is much larger than its children together, or they are larger than it."""
    layout, row = ask.layout, ask.row
    own, inside = layout.area[row], layout.children_area[row]
    return DIVIDE if own > ask.patience * constants.SPARSE * inside or inside > own else None


def divide_at_backgrounds(ask: Question) -> bool | None:
    """Rule 8: a child's background differs."""
    return DIVIDE if ask.layout.has_contrast[ask.row] else None


def keep_set_off(ask: Question) -> bool | None:
    """Rule 8, seen from such a child: it is kept whole in this round, whatever its tag."""
    return KEEP if ask.set_off else None


def keep_small_text(ask: Question) -> bool | None:
    """Rule 9: a child is text, and the node is small."""
    layout, row = ask.layout, ask.row
    has_text = layout.plain_children[row] < layout.children[row]
    return KEEP if has_text and ask.share < ask.patience * constants.SMALL_TEXT else None


def keep_narrow_text(ask: Question) -> bool | None:
    """The paper's text rule: a child is text, and the node is low or narrow."""
    return KEEP if ask.layout.is_narrow_text(ask.row) else None


def keep_small_children(ask: Question) -> bool | None:
    """Rule 10: not even the largest child is large."""
    layout, row = ask.layout, ask.row
    largest = layout.share(layout.largest_child[row])
    return KEEP if largest < ask.patience * constants.SMALL_CHILD else None


def keep_after_whole(ask: Question) -> bool | None:
    """Rule 11: the sibling before was kept whole, so there is no separator to be found inside."""
    return KEEP if ask.after_whole else None


def divide_uneven(ask: Question) -> bool | None:
    """The paper's size cue: the children's sizes deviate much from each other."""
    uneven = ask.layout.deviation[ask.row] > ask.patience * constants.UNEVEN
    return DIVIDE if uneven and ask.share >= constants.UNEVEN_LEAST else None


def divide(_ask: Question) -> bool | None:
    """Rule 12."""
    return DIVIDE


def keep(_ask: Question) -> bool | None:
    """Rule 13."""
    return KEEP


_TABLE: Final[tuple[Rule, ...]] = (
    keep_set_off,
    trace_into_only_child,
    divide_root,
    divide_by_size,
    divide_at_backgrounds,
    keep_small_children,
    divide_uneven,
    keep,
)
_CELL: Final[tuple[Rule, ...]] = (
    keep_set_off,
    trace_into_only_child,
    divide_root,
    keep_text,
    keep_narrow_text,
    keep_small_text,
    keep_small_children,
    keep_after_whole,
    divide_uneven,
    keep,
)
_RUNNING_TEXT: Final[tuple[Rule, ...]] = (
    keep_set_off,
    trace_into_only_child,
    divide_root,
    keep_text,
    divide_at_line_breaks,
    divide_at_drawn_lines,
    divide_by_size,
    keep_narrow_text,
    keep_small_text,
    keep_small_children,
    divide,
)
_OTHER: Final[tuple[Rule, ...]] = (
    keep_set_off,
    trace_into_only_child,
    divide_root,
    keep_text,
    divide_at_drawn_lines,
    keep_narrow_text,
    keep_small_text,
    keep_small_children,
    divide_by_size,
    divide_at_backgrounds,
    keep,
)
RULES: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(("table", "thead", "tbody", "tfoot", "tr"), _TABLE),
    **dict.fromkeys(("td", "th"), _CELL),
    **dict.fromkeys((*INLINE, "p"), _RUNNING_TEXT),
}


def is_divided(ask: Question) -> bool:
    """Whether a node is divided into its children in this round; else it is one block."""
    for rule in RULES.get(ask.layout.tag[ask.row], _OTHER):
        answer = rule(ask)
        if answer is not None:
            return answer
    raise AssertionError("the last rule of each group answers")
