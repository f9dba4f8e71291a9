from pagecut.contexts.item.candidate_evidence cimport CandidateEvidence
from pagecut.contexts.item.image_role cimport RoleJudge

cdef int AROUND_COUNT
cdef dict ENDINGS

cpdef object read_images(object page, CandidateEvidence evidence, RoleJudge judge, list items)
cdef bint is_home(str target) except -1
