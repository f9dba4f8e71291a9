from libc.math cimport exp, fabs, log1p
from pagecut.segmenters.mosaic.borders cimport Borders
from pagecut.segmenters.mosaic.features cimport DIVISION_COLUMNS, FOOTER_SIDE, HEADER_SIDE, SIDES

cdef enum:
    THRESHOLDS = 33
    MOST_CUTS = 60  # of a division into regions

cdef double USUAL_THRESHOLD, STEP, STEADY, FAR_ODDS

cdef class Divisions(Borders):
    cdef object choose_regions(self)
    cpdef double best_threshold(self, const float[:, ::1] rows, const double[::1] found) noexcept
    cdef Py_ssize_t fill_divisions(self, const double[::1] odds, float[:, ::1] rows) except -1
    cdef double side_squares(self) noexcept
    cdef double fill_regions(
        self, const double[::1] odds, double threshold, Py_ssize_t cuts, float *row
    ) noexcept
