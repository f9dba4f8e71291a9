from pagecut.contexts.item.candidate_evidence cimport CandidateEvidence
from pagecut.contexts.item.image_role cimport RoleJudge

cdef int SIGNS_COUNT, AROUND_COUNT, GROUP_COUNT, OWN_COUNT, NOT_SHOWN
cdef dict ENDINGS
cdef bytes GROUP_BITS, AROUND_BITS

cpdef object read_images(object page, CandidateEvidence evidence, RoleJudge judge, list items)
cdef double digits_in(str name) noexcept
