#ifndef PAGECUT_MODULE_H
#define PAGECUT_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyObject *attribute_names; /* tuple, by key */

/* source.c */
PyObject *is_utf8(PyObject *module, PyObject *data);
PyObject *survey(PyObject *module, PyObject *source);
PyObject *count_tags(PyObject *module, PyObject *source);

#endif
