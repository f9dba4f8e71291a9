#ifndef PAGECUT_MODULE_H
#define PAGECUT_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyObject *attribute_names; /* tuple, by key */

/* memory.c */
extern PyTypeObject memory_type;

/* A view of a block of int32, which is freed with it; on failure it is freed at once. */
PyObject *own_numbers(void *block, size_t count);

/* A view of bytes in a block that another view owns; NULL if there is no other. */
PyObject *share_bytes(PyObject *owner, void *data, size_t count);

/* wide_text.c */

/* The string of UTF-8 that has so many characters, one of them beyond Latin-1. */
PyObject *wide_text(const unsigned char *bytes, size_t size, size_t length);

/* glance.c */
int check_bytes(PyObject *source);
PyObject *is_utf8(PyObject *module, PyObject *data);
PyObject *charset_meta(PyObject *module, PyObject *arguments);
PyObject *count_tags(PyObject *module, PyObject *source);

/* survey.c */
PyObject *survey(PyObject *module, PyObject *source);

#endif
