from cpython.object cimport PyObject_GenericSetAttr


# An object of a frozen, slotted dataclass, of values that are known to be right, in the order of
# its fields. Its own constructor takes about ten times as long, and checks them.
cdef inline object construct(type cls, tuple values):
    cdef tuple names = cls.__slots__
    cdef object made = cls.__new__(cls)
    cdef Py_ssize_t at
    if len(names) != len(values):
        raise TypeError(f"{len(values)} values for the {len(names)} fields of {cls.__name__}")
    for at in range(len(names)):
        PyObject_GenericSetAttr(made, names[at], values[at])
    return made
