/* Arrays of CuPy by their attributes: see `_cupy.c`. */
#ifndef WEFT_CUPY_H
#define WEFT_CUPY_H
#include "_foreign.h"

int prepare_cupy(void);

/* Whether arrays of this very class are CuPy's own; classes derived from it may say something else of themselves. */
int cupy_has(PyTypeObject *type);

/* The elements of an array of so many dimensions, and their type: 1; 0, without an error, where that cannot be told. */
int cupy_view(PyObject *array, int ndim, weft_view *view, char *kind, Py_ssize_t *itemsize);

/* The stream on which CuPy works on this thread; NULL, without an error, where it does not say. */
void *cupy_stream(void);

/* Whether arrays of CuPy may be read this way: once it was seen to say of one array what its interface says of it. */
int cupy_is_trusted(void);

/* Compares with what the interface of an array says: its elements, the stream, and that it may be written. */
void cupy_compare(PyObject *array, int ndim, const weft_view *view, char kind, Py_ssize_t itemsize, void *stream);
#endif
