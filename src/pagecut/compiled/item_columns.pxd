# Types of what kernels/item_columns.py calls.
from pagecut.compiled.items cimport HEADING, RATIOS, ItemTree
from pagecut.page.tokenizer cimport count_tokens_before

cdef int SMALL_WIDTH, SMALL_HEIGHT
cpdef bint is_small(object width, object height) except -1
cpdef object zeros(Py_ssize_t size)
