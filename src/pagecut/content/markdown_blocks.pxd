from pagecut.content.inline_markdown cimport Run
from pagecut.content.surroundings cimport Place, Surroundings
from pagecut.page.text.readable_text cimport TextReader

cdef int FARTHEST, LONGEST_INDEX, STRONG, MARKED, RAISED, LOWERED

cdef class Block:
    cdef readonly int row, heading, table, table_row, cell
    cdef readonly bint is_listing
    cdef bint has_words
    cdef readonly list runs

cdef class BlockReader:
    cdef object page
    cdef str text
    cdef Surroundings surroundings
    cdef TextReader reader
    cdef const int[::1] starts, ends
    cdef const unsigned char[::1] kinds
    cdef bytes marks, dress
    cdef bint links, images
    cdef frozenset left_out
    cdef set linked
    cdef dict image_of, addresses
    cpdef list read(self, object spans)
    cdef object link_blocks(self, list blocks)
    cdef str white_space(self, Py_ssize_t before, Py_ssize_t after)
    cdef Run dressed(self, int row, int block, str text, bint image)
    cdef bint is_index(self, int row)
    cdef str address(self, int row)
