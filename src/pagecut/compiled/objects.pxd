# Types of what kernels/objects.py offers to other kernels.
cdef extern from *:
    """
    #include <structmember.h>

    /* What object.__new__ makes of a class. */
    static CYTHON_UNUSED PyObject *empty(PyObject *cls)
    {
        return ((PyTypeObject *) cls)->tp_alloc((PyTypeObject *) cls, 0);
    }

    /* What the descriptor of a slot does, without looking it up and without its checks. */
    static CYTHON_UNUSED int set_slot(PyObject *made, PyObject *slot, PyObject *value)
    {
        PyObject **place = (PyObject **) ((char *) made + ((PyMemberDescrObject *) slot)->d_member->offset);
        PyObject *old = *place;
        Py_INCREF(value);
        *place = value;
        Py_XDECREF(old);
        return 0;
    }

    /* The same for its value; what is of another class is left to the descriptor. */
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
    object empty(object cls)
    int set_slot(object made, object slot, object value) except -1
    object get_slot(object made, object slot)

cdef class Maker:
    cdef type cls
    cdef tuple slots
    cpdef object make(self, tuple values)
