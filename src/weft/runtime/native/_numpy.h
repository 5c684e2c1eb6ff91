/* New arrays of NumPy, made by its C interface: a call of Python's would cost more than a short program. */
#ifndef WEFT_NUMPY_H
#define WEFT_NUMPY_H
#include "_leaves.h"

/* Finds NumPy's functions; 0 when done, otherwise with an error set. */
int prepare_numpy(void);

/* An array over memory that `owner` keeps alive; NULL with an error set. */
PyObject *new_array(const leaf_t *leaf, const weft_view *view, PyObject *owner);
#endif
