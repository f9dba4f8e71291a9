# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants)
"""The features that Mosaic's models read, by name and number, and the models as compiled trees."""

from __future__ import annotations

from typing import Final

from pagecut.evidence.tree_features import NODE_NAMES, PAIR_NAMES
from pagecut.segmenters.mosaic.layout import NODE_LAYOUT, PAIR_LAYOUT

REGION_ROLES: Final = ("header", "content", "aside", "footer", "navigation", "other")
SIDE_NAMES: Final = (*(f"part of {role}" for role in REGION_ROLES), "part of main text")
_PLACE_NAMES: Final = (
    "share before",
    "lesser share",
    "lesser tokens",
    "page before",
    "page's tokens",
    "page's nodes",
    "page's headings",
    "page's leaves",
    "page's links",
    "page's images",
)
# What is judged of each node before borders are.
JUDGED_NAMES: Final = (*SIDE_NAMES, "one region", "one block")
# The columns of `border_rows`.
BORDER_NAMES: Final = (
    *PAIR_NAMES,
    *(f"{which}: {name}" for which in ("around", "first", "second") for name in NODE_NAMES),
    *_PLACE_NAMES,
    *(f"{which}: {name}" for which in ("around", "first", "second") for name in SIDE_NAMES),
    "change of sides",
    *(f"around, before: {name}" for name in SIDE_NAMES),
    *(f"around, after: {name}" for name in SIDE_NAMES),
    "change of sides around",
    *(f"page, before: {name}" for name in SIDE_NAMES),
    "change of sides on the page",
    *(
        f"{which}: {name}"
        for which in ("around", "first", "second")
        for name in ("one region", "one block")
    ),
)
# The same of a rendered page.
SEEN_NAMES: Final = (
    *BORDER_NAMES,
    *PAIR_LAYOUT,
    *(f"{which}: {name}" for which in ("around", "first", "second") for name in NODE_LAYOUT),
)
# Of a division of the page into regions.
DIVISION_NAMES: Final = (
    "threshold",
    "cuts",
    "cuts against expected",
    "weakest cut",
    "strongest border left",
    "gap in odds",
    "largest region",
    "evenness",
    "sides inside regions",
    "change of sides at cuts",
    "neighbours of one side",
    "header first",
    "footer last",
)
# What segments may be.
ROLES: Final = ("header", "navigation", "content", "aside", "comments", "form", "ad", "footer")
SEGMENT_NAMES: Final = ("share", "starts", "stops", "nodes", "first h1")
ROLE_NAMES: Final = (*NODE_NAMES, *SIDE_NAMES, *SEGMENT_NAMES)


class Learnt:
    """What Mosaic has learnt, as compiled trees.

    Args:
        sides: of nodes, a probability for each of `REGION_ROLES`.
        main: of nodes, the probability of main text.
        whole: of nodes, the probabilities that all of it is in one region, and in one block.
        borders: log odds of a border of regions and of one of blocks.
        seen: the same on a rendered page, by its layout, too.
        regions: of a division into regions, how near it is to the best of the page.
        roles: of segments.
    """

    def __init__(
        self,
        sides: object,
        main: object,
        whole: object,
        borders: object,
        seen: object,
        regions: object,
        roles: object,
    ) -> None:
        self.sides = sides
        self.main = main
        self.whole = whole
        self.regions = regions
        self.borders = borders
        self.seen = seen
        self.roles = roles
        widths = (
            (self.sides.width, NODE_COLUMNS, self.sides.outputs, SIDES - 1),
            (self.main.width, NODE_COLUMNS, self.main.outputs, 1),
            (self.whole.width, NODE_COLUMNS, self.whole.outputs, 2),
            (self.regions.width, DIVISION_COLUMNS, self.regions.outputs, 1),
            (self.borders.width, BORDER_COLUMNS, self.borders.outputs, 2),
            (self.seen.width, len(SEEN_NAMES), self.seen.outputs, 2),
            (self.roles.width, ROLE_COLUMNS, self.roles.outputs, len(ROLES)),
        )
        for width, needed, outputs, wanted in widths:
            if width != needed or outputs != wanted:
                raise ValueError(f"trees of {needed} features for {wanted}, got {width}, {outputs}")


def check_order() -> None:
    """Refuse to start where the names of features and their number in compiled code differ."""
    if not (
        len(BORDER_NAMES) == BORDER_COLUMNS
        and len(DIVISION_NAMES) == DIVISION_COLUMNS
        and len(JUDGED_NAMES) == JUDGED
        and REGION_ROLES.index("header") == HEADER_SIDE
        and REGION_ROLES.index("footer") == FOOTER_SIDE
        and len(ROLE_NAMES) == ROLE_COLUMNS
        and ROLE_NAMES[COMMENTS_COLUMN] == "in comments"
        and ROLE_NAMES[OVERLAY_COLUMN] == "called overlay"
        and ROLES[CONTENT_ROLE] == "content"
        and ROLES[COMMENTS_ROLE] == "comments"
        and ROLES[FORM_ROLE] == "form"
    ):
        raise AssertionError(f"{len(BORDER_NAMES)} and {len(ROLE_NAMES)} features")


check_order()
