# How many features there are of each kind, and where they begin; `check_order` compares them with
# their names.
cdef enum:
    CHAIN = 4  # blocks around a line, each with more text than the one before
    LARGEST = 3  # blocks around a line that hold certain shares of the page's text
    NEIGHBOURS = 4  # lines before and after
    NEAREST = 3  # elements around a line whose names say something else than those farther away
    FAR = 50  # elements up to a name: farther, but around the line
    OWN = 16
    OF_NEIGHBOUR = 4
    OF_SAME = 4
    OF_PLACE = 8
    OF_HEADING = 5
    OF_TITLE = 2
    OF_TEXT = 8
    OF_CHAIN = 18
    OF_LARGE = 8
    OF_NAMES = 2
    OF_REPEATED = 5
    OF_PAGE = 14
    SAME_PARENT = OWN + NEIGHBOURS * OF_NEIGHBOUR
    LINE_PLACE = SAME_PARENT + OF_SAME
    HEADING_PLACE = LINE_PLACE + OF_PLACE
    TITLE_PLACE = HEADING_PLACE + OF_HEADING
    TEXT_PLACE = TITLE_PLACE + OF_TITLE
    CHAIN_PLACE = TEXT_PLACE + OF_TEXT
    LARGE_PLACE = CHAIN_PLACE + CHAIN * OF_CHAIN
    NAME_PLACE = LARGE_PLACE + LARGEST * OF_LARGE

# The same of what a first model thinks.
cdef enum:
    BLOCKS_FIRST = 5  # blocks around a line, each with more lines than the one before
    NEAR_FIRST = 9
    OF_BLOCK_FIRST = 2
    OF_SECTION_FIRST = 5
    OF_PAGE_FIRST = 10
