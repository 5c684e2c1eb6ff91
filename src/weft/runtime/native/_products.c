/* Products of matrices that the vendor's library may compute, for Python: which decides, measures and remembers. A product is
   (bytes of an element, extents, strides, addresses, freedom, kernel), as in `weft_product`. */
#include "_stub.h"
#include "support/products.h"
#include "support/vendor.h"
#include <string.h>

static PyObject *chooser;

static PyObject *product_object(const weft_product *p) {
    const int64_t *e = p->extents;
    const uint64_t *at = p->places;
    return Py_BuildValue("L(LLL)((LL)(LL)(LL))(KKK)iK", p->size, e[0], e[1], e[2], p->strides[0][0], p->strides[0][1],
                         p->strides[1][0], p->strides[1][1], p->strides[2][0], p->strides[2][1], at[0], at[1], at[2],
                         p->freedom, (unsigned long long)(size_t)p->kernel);
}

static int product_from(PyObject *object, weft_product *p) {
    unsigned long long kernel;
    int64_t *e = p->extents;
    uint64_t *at = p->places;
    if (!PyArg_ParseTuple(object, "L(LLL)((LL)(LL)(LL))(KKK)iK", &p->size, &e[0], &e[1], &e[2], &p->strides[0][0],
                          &p->strides[0][1], &p->strides[1][0], &p->strides[1][1], &p->strides[2][0], &p->strides[2][1], &at[0],
                          &at[1], &at[2], &p->freedom, &kernel))
        return 0;
    p->kernel = (void *)(size_t)kernel;
    return 1;
}

static int algorithm_from(PyObject *object, weft_algorithm *algorithm) {
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(object, &bytes, &size)) return 0;
    if (size != sizeof *algorithm) return PyErr_Format(PyExc_ValueError, "this is no algorithm"), 0;
    memcpy(algorithm, bytes, sizeof *algorithm);
    return 1;
}

/* What Python says: bytes for an algorithm of the library, None for the own way. An exception is no reason to fail. */
static weft_way choose(const weft_device *device, const weft_product *product, weft_algorithm *algorithm) {
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *table = PyLong_FromVoidPtr((void *)(size_t)device), *described = product_object(product);
    PyObject *found = table && described ? PyObject_CallFunctionObjArgs(chooser, table, described, NULL) : NULL;
    weft_way way = found && found != Py_None && algorithm_from(found, algorithm) ? WEFT_BY_LIBRARY : WEFT_OWN_WAY;
    if (PyErr_Occurred()) PyErr_WriteUnraisable(chooser);
    Py_XDECREF(table);
    Py_XDECREF(described);
    Py_XDECREF(found);
    PyGILState_Release(state);
    return way;
}

static PyObject *choose_products(PyObject *module, PyObject *callable) {
    Py_XSETREF(chooser, Py_NewRef(callable));
    weft_choose_product = choose;
    Py_RETURN_NONE;
}

static PyObject *load_vendor(PyObject *module, PyObject *path) {
    const char *text = PyUnicode_AsUTF8(path);
    return text ? PyLong_FromSize_t(weft_vendor_load(text)) : NULL;
}

enum { MOST = 16 };

static PyObject *find_algorithms(PyObject *module, PyObject *args) {
    unsigned long long table;
    PyObject *described;
    weft_product product;
    weft_algorithm found[MOST];
    int count = 0, status;
    if (!PyArg_ParseTuple(args, "KO", &table, &described) || !product_from(described, &product)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = weft_find_algorithms((const weft_device *)(size_t)table, &product, found, MOST, &count);
    Py_END_ALLOW_THREADS
    PyObject *list = PyList_New(status ? 0 : count);
    for (int k = 0; list && !status && k < count; k++)
        PyList_SET_ITEM(list, k, PyBytes_FromStringAndSize((const char *)&found[k], sizeof found[k]));
    return list;
}

static PyObject *time_product(PyObject *module, PyObject *args) {
    unsigned long long table;
    PyObject *described, *chosen;
    weft_product product;
    weft_algorithm algorithm;
    int runs, status;
    double seconds = 0;
    if (!PyArg_ParseTuple(args, "KOOi", &table, &described, &chosen, &runs) || !product_from(described, &product)) return NULL;
    const weft_algorithm *given = chosen == Py_None ? NULL : &algorithm;
    if (given && !algorithm_from(chosen, &algorithm)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = weft_time_product((const weft_device *)(size_t)table, &product, given, runs, &seconds);
    Py_END_ALLOW_THREADS
    return status ? Py_NewRef(Py_None) : PyFloat_FromDouble(seconds);
}

PyMethodDef product_functions[] = {
    {"choose_products", choose_products, METH_O,
     "Let a function decide, once for each product, how it is computed: (table, product) -> an algorithm, or None."},
    {"load_vendor", load_vendor, METH_O, "The version of the vendor's library at a path; 0 where it cannot be used."},
    {"find_algorithms", find_algorithms, METH_VARARGS, "(table, product): ways of the library, the best first."},
    {"time_product", time_product, METH_VARARGS,
     "(table, product, algorithm or None, runs): seconds of a run; None where the library refuses."},
    {NULL, NULL, 0, NULL}};
