from pagecut.contexts.item.candidate_evidence cimport CandidateEvidence
from pagecut.contexts.item.candidates cimport Candidates
from pagecut.contexts.item.image_role cimport RoleJudge

cdef int SOURCE_PERSON, NEAR_PERSON, SHORT_SIDE, LARGE, SMALL

cdef class PageEvidence:
    cdef readonly object page
    cdef readonly Candidates candidates
    cdef readonly CandidateEvidence evidence
    cdef readonly RoleJudge judge
    cdef readonly object images
    cdef readonly object layout

cdef class PageChoice:
    cdef Candidates candidates
    cdef RoleJudge judge
    cdef double threshold
    cdef const long long[::1] chosen
    cdef const double[::1] content
    cdef object others
    cdef const double[::1] confidence
    cdef const float[:, ::1] images
    cdef tuple spans(self, int image)
    cdef tuple role(self, int image, object source)
    cdef bint shows_person(self, int image, object source) except -1
