/* Arrays of other libraries on an NVIDIA GPU: see `_foreign.c`. */
#ifndef WEFT_FOREIGN_H
#define WEFT_FOREIGN_H
#include "_stub.h"

enum { FOREIGN_STREAMS = 4, LEGACY_STREAM = 1 };

/* An attribute of an object, if that is there, or NULL without an error. */
static inline PyObject *attribute(PyObject *object, PyObject *name) {
    PyObject *found = object ? PyObject_GetAttr(object, name) : NULL;
    if (!found) PyErr_Clear();
    return found;
}

/* The numbers of a tuple that has so many; an error of Python's where one is none. */
static inline int read_tuple(PyObject *tuple, int count, int64_t *numbers) {
    if (!tuple || !PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != count) return 0;
    for (int k = 0; k < count; k++) numbers[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, k));
    return 1;
}

/* What a program wants of an array. */
typedef struct {
    char kind;
    int ndim, contiguous, writable;
    Py_ssize_t itemsize;
} foreign_type;

/* Streams of other libraries that have to wait for a call; `waits`: the host waits instead; `of_cupy`: that of CuPy was asked
   for. */
typedef struct {
    void *streams[FOREIGN_STREAMS];
    int count, waits, of_cupy;
} foreign_order;

int prepare_foreign(void);

/* 1: the array is packed, and what the device does from now on comes after what its producer has queued; 0: it does not fit;
   -1: a Python error is set. */
int pack_foreign(const foreign_type *type, const weft_device *device, PyObject *object, weft_view *view,
                 foreign_order *order);

/* Lets the producers come after what was queued since; a status. */
int return_foreign(const weft_device *device, const foreign_order *order);
#endif
