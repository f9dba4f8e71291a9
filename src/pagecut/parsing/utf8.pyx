# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whether a page is UTF-8, without decoding it."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.string cimport memcpy


def is_utf8(bytes source):
    """Whether bytes are valid UTF-8 (Unicode, table 3-7)."""
    cdef const unsigned char *at = <const unsigned char *> PyBytes_AS_STRING(source)
    cdef const unsigned char *end = at + PyBytes_GET_SIZE(source)
    cdef unsigned char lead, lowest, highest
    cdef unsigned long long eights[4]
    cdef int following
    while at < end:
        lead = at[0]
        at += 1
        if lead < 0x80:
            while end - at >= 32:
                memcpy(eights, at, 32)
                if (eights[0] | eights[1] | eights[2] | eights[3]) & 0x8080808080808080ULL:
                    break
                at += 32
            while end - at >= 8:
                memcpy(eights, at, 8)
                if eights[0] & 0x8080808080808080ULL:
                    break
                at += 8
            continue
        if not 0xC2 <= lead <= 0xF4:
            return False
        following = 1 + (lead >= 0xE0) + (lead >= 0xF0)
        lowest = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
        highest = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
        while following:  # the zero after the bytes is none of these
            if not lowest <= at[0] <= highest:
                return False
            lowest, highest = 0x80, 0xBF
            at += 1
            following -= 1
    return True
