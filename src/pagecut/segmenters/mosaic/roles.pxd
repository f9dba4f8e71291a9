from pagecut.evidence.table cimport H1, TOKENS, TOKENS_BEFORE
from pagecut.evidence.tree_features cimport NODE_COLUMNS, log_of
from pagecut.segmenters.mosaic.divisions cimport Divisions
from pagecut.segmenters.mosaic.features cimport (
    COMMENTS_COLUMN, COMMENTS_ROLE, CONTENT_ROLE, FORM_ROLE, OVERLAY_COLUMN, ROLE_COLUMNS, SIDES
)

cdef double CALLED_CONFIDENCE

cdef class Roles(Divisions):
    cdef readonly int[::1] role
    cdef readonly double[::1] confidence
    cdef void fill_role_row(self, const int[::1] nodes, float[:, ::1] rows, Py_ssize_t at) noexcept
    cdef object judge_roles(self, const float[:, ::1] rows, Py_ssize_t first, Py_ssize_t size)

cpdef Py_ssize_t called(Py_ssize_t role, const float[::1] row) noexcept
