# Characters of a string by their place (kernels/_characters.py has them for Python).
cdef extern from "Python.h":
    void *PyBytes_AS_STRING(object values)
    int PyUnicode_KIND(object text)
    bint PyUnicode_IS_ASCII(object text)
    void *PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void *data, Py_ssize_t at) nogil
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 ch, Py_ssize_t start, Py_ssize_t end, int direction) except -2
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 ch) nogil
