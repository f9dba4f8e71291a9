"""The bits and columns that Mosaic's kernels share.

compiled/_mosaic_marks.pxd says the same for compiled code, in which they are constants.
"""

from __future__ import annotations

# Bits of a row: its kind, its tag and its names. The first of them are counted below each node.
BIT_TEXT = 0
BIT_IMAGE = 1
BIT_BELOW = 2  # lists, tables, forms, paragraphs
BIT_LEVEL = 6  # h1 to h6
BIT_PART = 12  # seven parts by name
COUNTED = 19
BIT_OUTRIGHT = 19  # comments, ad
BIT_LINK = 21
BIT_GROUP = 22  # ten groups of tags, the first of them headings
BIT_ID = 32
BIT_FORCE_GAP = 33
BIT_NO_GAP = 34
BIT_RULE = 35
BIT_BREAKS = 36
# Bits of a node only.
BIT_INLINE = 37
BIT_HEADED = 38

# Columns of facts after the counts.
TOKENS = 19
LINKED_TOKENS = 20
LINKED = 21
DENSITY = 22
BEFORE = 23
CHILDREN = 24
HEIGHT = 25
DEPTH = 26
PART_CHILDREN = 27
NAMED_CHILDREN = 34
INLINE_CHILDREN = 35
HEADED_CHILDREN = 36
ALIKE = 37
SIZE_SUM = 38  # with the sum of squares after it, as the next two
LINKED_SUM = 40
DENSITY_SUM = 42
LARGEST = 44
BIG = 45
ENTROPY = 46
MOST_LINKED = 47
LEAST_LINKED = 48
FACTS = 49

HEADINGS = 6
PARTS = 7
OUTRIGHT = 2
NODE_FEATURES = 75
PAIR_FEATURES = 40

LINE_WIDTH = 80  # as in `graph_cuts_features`
CHUNK = 16  # rows of features at a time, which stay in the cache
PRIME = 2147483647
TREES_PER_WORD = 7  # eight leaves each: their bits stay clear of the sign
