# Types of what kernels/objects.py offers to other kernels.
cdef extern from *:
    """
    #include <structmember.h>

    /* What `object.__new__` does with a class that it suits. */
    static inline PyObject *new_object(PyObject *cls)
    {
        return ((PyTypeObject *) cls)->tp_alloc((PyTypeObject *) cls, 0);
    }

    /* What the descriptors of slots do with an object whose slots are empty. */
    static inline void fill_slots(PyObject *made, PyObject *slots, PyObject *values)
    {
        Py_ssize_t at;

        for (at = 0; at < PyTuple_GET_SIZE(slots); at++) {
            PyObject *value = PyTuple_GET_ITEM(values, at);
            PyObject *slot = PyTuple_GET_ITEM(slots, at);
            Py_ssize_t place = ((PyMemberDescrObject *) slot)->d_member->offset;
            Py_INCREF(value);
            *(PyObject **) ((char *) made + place) = value;
        }
    }

    /* What the descriptor of a slot gives; what is of another class is left to it. */
    static CYTHON_UNUSED PyObject *get_slot(PyObject *made, PyObject *slot)
    {
        PyObject *value;
        if (Py_IS_TYPE(slot, &PyMemberDescr_Type) && Py_IS_TYPE(made, PyDescr_TYPE(slot))) {
            value = *(PyObject **) ((char *) made + ((PyMemberDescrObject *) slot)->d_member->offset);
            if (value != NULL) {
                Py_INCREF(value);
                return value;
            }
        }
        return PyObject_CallMethod(slot, "__get__", "O", made);
    }
    """
    object new_object(object cls)
    void fill_slots(object made, tuple slots, tuple values)
    object get_slot(object made, object slot)

cdef class Maker:
    cdef type cls
    cdef tuple slots
    cpdef object make(self, tuple values)
