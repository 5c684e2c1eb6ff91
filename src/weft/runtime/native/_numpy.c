/* New arrays of NumPy: see `_numpy.h`. */
#include "_numpy.h"
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

int prepare_numpy(void) { return _import_array(); }

PyObject *new_array(const leaf_t *leaf, const weft_view *view, PyObject *owner) {
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    int is_empty = 0;
    for (int k = 0; k < leaf->ndim; k++) {
        shape[k] = view->shape[k];
        strides[k] = view->strides[k];
        is_empty |= !shape[k];
    }
    PyArray_Descr *type = (PyArray_Descr *)Py_NewRef(leaf->type);
    if (is_empty) return PyArray_NewFromDescr(&PyArray_Type, type, leaf->ndim, shape, NULL, NULL, 0, NULL);
    PyObject *made = PyArray_NewFromDescr(&PyArray_Type, type, leaf->ndim, shape, strides, view->data,
                                          leaf->writable ? NPY_ARRAY_WRITEABLE : 0, NULL);
    if (made && PyArray_SetBaseObject((PyArrayObject *)made, Py_NewRef(owner))) Py_CLEAR(made);
    return made;
}
