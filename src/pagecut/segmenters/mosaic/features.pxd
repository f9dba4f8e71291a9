from pagecut.evidence.boosted_trees cimport BoostedTrees
from pagecut.evidence.tree_features cimport NODE_COLUMNS

cdef enum:
    SIDES = 7  # what a node may be part of, as probabilities
    JUDGED = 9  # and whether it is whole
    HEADER_SIDE = 0
    FOOTER_SIDE = 3
    PLACE_FEATURES = 10
    SIDE_FEATURES = 45  # 3 * SIDES + 1, 2 * SIDES + 1, SIDES + 1
    BORDER_COLUMNS = 534  # PAIR_COLUMNS, 3 * NODE_COLUMNS, PLACE_FEATURES, SIDE_FEATURES, 6
    DIVISION_COLUMNS = 13
    ROLE_COLUMNS = 161  # NODE_COLUMNS, SIDES, 5 of the segment
    CONTENT_ROLE = 2  # in ROLES
    COMMENTS_ROLE = 4
    FORM_ROLE = 5
    OVERLAY_COLUMN = 82  # "called overlay" of the nodes
    COMMENTS_COLUMN = 107  # "in comments"

cdef class Learnt:
    cdef BoostedTrees sides
    cdef BoostedTrees main
    cdef BoostedTrees whole
    cdef BoostedTrees regions
    cdef BoostedTrees borders
    cdef BoostedTrees seen
    cdef BoostedTrees roles
