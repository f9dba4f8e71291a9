/* Memory that was filled without Python, handed over to it without a copy. */
#include "module.h"

typedef struct {
    PyObject_HEAD
    void *block; /* freed with the object; NULL where `owner` has it */
    PyObject *owner;
    void *data;
    const char *format;
    Py_ssize_t size; /* of an item */
    Py_ssize_t count;
} memory_object;

static void release_memory(PyObject *self)
{
    free(((memory_object *) self)->block);
    Py_XDECREF(((memory_object *) self)->owner);
    Py_TYPE(self)->tp_free(self);
}

static int lend_memory(PyObject *self, Py_buffer *view, int flags)
{
    memory_object *memory = (memory_object *) self;

    if (PyBuffer_FillInfo(view, self, memory->data, memory->count * memory->size, 1, flags) < 0) {
        return -1;
    }
    view->itemsize = memory->size;
    if (view->format != NULL) {
        view->format = (char *) memory->format;
    }
    if (view->shape != NULL) {
        view->shape = &memory->count;
    }
    if (view->strides != NULL) {
        view->strides = &memory->size;
    }
    return 0;
}

static PyBufferProcs lending = {lend_memory, NULL};

PyTypeObject memory_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "pagecut._native.Memory",
    .tp_basicsize = sizeof(memory_object),
    .tp_dealloc = release_memory,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A read-only block of numbers.",
    .tp_as_buffer = &lending,
};

static PyObject *view_of(memory_object *self)
{
    PyObject *view = PyMemoryView_FromObject((PyObject *) self);

    Py_DECREF(self);
    return view;
}

PyObject *own_numbers(void *block, size_t count)
{
    memory_object *self = PyObject_New(memory_object, &memory_type);

    if (self == NULL) {
        free(block);
        return NULL;
    }
    self->block = self->data = block;
    self->owner = NULL;
    self->format = "i";
    self->size = sizeof(int32_t);
    self->count = (Py_ssize_t) count;
    return view_of(self);
}

PyObject *share_bytes(PyObject *owner, void *data, size_t count)
{
    memory_object *self = owner == NULL ? NULL : PyObject_New(memory_object, &memory_type);

    if (self == NULL) {
        return NULL;
    }
    self->block = NULL;
    self->data = data;
    self->owner = Py_NewRef(owner);
    self->format = "B";
    self->size = 1;
    self->count = (Py_ssize_t) count;
    return view_of(self);
}
