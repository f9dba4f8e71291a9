# Types of what kernels/objects.py offers to other kernels.
cdef extern from *:
    """
    #include <structmember.h>

    /* What the descriptor of a slot does, without looking it up and without its checks. */
    static int set_slot(PyObject *made, PyObject *slot, PyObject *value)
    {
        return PyMember_SetOne((char *) made, ((PyMemberDescrObject *) slot)->d_member, value);
    }
    """
    int set_slot(object made, object slot, object value) except -1

cdef object new

cdef class Maker:
    cdef object cls
    cdef tuple slots
    cpdef object make(self, tuple values)
