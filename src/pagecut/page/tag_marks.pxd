# Bits of `PackedNodes.tag_marks`, in the order of `nodes.MARKED_TAGS`.
cdef enum:
    IS_LETTERING = 1
    IS_CODE = 2
    IS_LINK = 4
    IS_SPAN = 8
    IS_PARAGRAPH = 16
    IS_ROW = 32
    IS_CELL = 64
    IS_TABLE = 128
