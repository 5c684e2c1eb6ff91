/* How the arguments of a call are packed: see `_leaves.h`. */
#include "_leaves.h"
#include <string.h>

static PyTypeObject *array_type, *memmap_type; /* numpy.ndarray and numpy.memmap, an array in a file */

int prepare_leaves(PyObject *numpy) {
    array_type = (PyTypeObject *)PyObject_GetAttrString(numpy, "ndarray");
    memmap_type = (PyTypeObject *)PyObject_GetAttrString(numpy, "memmap");
    return !array_type || !memmap_type;
}

int is_numpy_array(PyObject *object) { return Py_TYPE(object) == array_type || Py_TYPE(object) == memmap_type; }

/* ------------------------------------------------------------------------------------------------------- arrays */

/* The format of a record in the buffer protocol depends on where its memory lies, so its dtype is compared. */
static int same_record(const leaf_t *leaf, PyObject *array) {
    PyObject *dtype = PyObject_GetAttrString(array, "dtype");
    int same = dtype ? PyObject_RichCompareBool(dtype, leaf->type, Py_EQ) : 0;
    Py_XDECREF(dtype);
    if (same < 0 || !dtype) PyErr_Clear();
    return same > 0;
}

static int same_format(const leaf_t *leaf, const Py_buffer *buffer) {
    const char *format = buffer->format ? buffer->format : "B";
    if (format[0] == '@') format++;
    if (format[0] == 'Z') return leaf->kind == 'c' && format[1] && !format[2];
    if (!format[0] || format[1]) return 0;
    switch (format[0]) {
    case '?': return leaf->kind == 'b';
    case 'b': case 'h': case 'i': case 'l': case 'q': return leaf->kind == 'i';
    case 'B': case 'H': case 'I': case 'L': case 'Q': return leaf->kind == 'u';
    case 'e': case 'f': case 'd': return leaf->kind == 'f';
    }
    return 0;
}

_Thread_local weft_guests coming_guests;

/* Whether an array is memory that stands for a guest: any other one is not on the device. */
static int stands_for_guest(const Py_buffer *buffer) {
    for (int k = 0; k < buffer->ndim; k++)
        if (!buffer->shape[k]) return 1;
    for (int k = 0; k < coming_guests.count; k++)
        if ((char *)buffer->buf >= coming_guests.items[k].low && (char *)buffer->buf < coming_guests.items[k].high) return 1;
    return 0;
}

int pack_array(const leaf_t *leaf, PyObject *object, Py_buffer *buffer, weft_view *view) {
    if (!is_numpy_array(object)) return 0;
    int record = leaf->kind == 'V';
    if (record && !same_record(leaf, object)) return 0;
    if (PyObject_GetBuffer(object, buffer, record ? PyBUF_STRIDES : PyBUF_STRIDES | PyBUF_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    int n = buffer->ndim;
    if (leaf->code == 'V' && !stands_for_guest(buffer)) goto misfit;
    if (n != leaf->ndim || buffer->itemsize != leaf->itemsize || !(record || same_format(leaf, buffer))) goto misfit;
    if (leaf->writable != !buffer->readonly) goto misfit;
    if (n > 0) {
        int contiguous = buffer->strides[n - 1] == buffer->itemsize || buffer->shape[n - 1] <= 1;
        if (contiguous != leaf->contiguous) goto misfit;
    }
    size_t alignment = leaf->kind == 'V' ? 1 : leaf->kind == 'c' ? (size_t)leaf->itemsize / 2 : (size_t)leaf->itemsize;
    size_t beyond = (size_t)buffer->buf % alignment;
    int is_empty = buffer->len == 0; /* nothing of it lies anywhere, whatever its address */
    if (beyond && !is_empty) goto misfit;
    view->data = (char *)buffer->buf - beyond;
    view->base = NULL;
    for (int k = 0; k < n; k++) {
        view->shape[k] = buffer->shape[k];
        view->strides[k] = buffer->strides[k];
        if (!is_empty && buffer->shape[k] > 1 && buffer->strides[k] % (Py_ssize_t)alignment) goto misfit;
    }
    return 1;
misfit:
    PyBuffer_Release(buffer);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ numbers */

static double half_to_double(uint16_t half) {
    int sign = half >> 15, exponent = (half >> 10) & 31, fraction = half & 1023;
    double value = exponent == 31 ? (fraction ? Py_NAN : Py_HUGE_VAL)
                   : exponent     ? (1024 + fraction) * (exponent >= 25 ? (double)(1 << (exponent - 25)) : 1.0 / (1 << (25 - exponent)))
                                  : fraction / 16777216.0;
    return sign ? -value : value;
}

static void unpack_scalar(const leaf_t *leaf, const void *memory, weft_value *value) {
    switch (leaf->kind) {
    case 'b': value->i = *(const uint8_t *)memory; break;
    case 'i':
        value->i = leaf->itemsize == 1   ? *(const int8_t *)memory
                   : leaf->itemsize == 2 ? *(const int16_t *)memory
                   : leaf->itemsize == 4 ? *(const int32_t *)memory
                                         : *(const int64_t *)memory;
        break;
    case 'u':
        value->i = leaf->itemsize == 1   ? *(const uint8_t *)memory
                   : leaf->itemsize == 2 ? *(const uint16_t *)memory
                   : leaf->itemsize == 4 ? (int64_t) * (const uint32_t *)memory
                                         : *(const int64_t *)memory;
        break;
    case 'f':
        value->f = leaf->itemsize == 2   ? half_to_double(*(const uint16_t *)memory)
                   : leaf->itemsize == 4 ? *(const float *)memory
                                         : *(const double *)memory;
        break;
    case 'c':
        if (leaf->itemsize == 8) {
            value->c[0] = ((const float *)memory)[0];
            value->c[1] = ((const float *)memory)[1];
        } else memcpy(value->c, memory, 16);
        break;
    }
}

int pack_scalar(const leaf_t *leaf, PyObject *object, weft_value *value) {
    switch (leaf->code) {
    case 'P': return PyCallable_Check(object);
    case 'i': {
        if (!PyLong_CheckExact(object)) return 0;
        int overflow;
        value->i = PyLong_AsLongLongAndOverflow(object, &overflow);
        return !overflow; /* the Python half says what is wrong */
    }
    case 'f':
        if (!PyFloat_CheckExact(object)) return 0;
        value->f = PyFloat_AS_DOUBLE(object);
        return 1;
    case 'b':
        if (!PyBool_Check(object)) return 0;
        value->i = object == Py_True;
        return 1;
    case 'c':
        if (!PyComplex_CheckExact(object)) return 0;
        value->c[0] = PyComplex_RealAsDouble(object);
        value->c[1] = PyComplex_ImagAsDouble(object);
        return 1;
    }
    if ((PyObject *)Py_TYPE(object) != leaf->type) return 0;
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE)) {
        PyErr_Clear();
        return 0;
    }
    unpack_scalar(leaf, buffer.buf, value);
    PyBuffer_Release(&buffer);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------- memory */

int interval(const leaf_t *leaf, const weft_view *view, char **low, char **high) {
    *low = view->data;
    *high = view->data + leaf->itemsize;
    for (int k = 0; k < leaf->ndim; k++) {
        if (view->shape[k] == 0) return 0;
        int64_t span = (view->shape[k] - 1) * view->strides[k];
        if (span < 0) *low += span;
        else *high += span;
    }
    return 1;
}

int may_overlap_itself(const leaf_t *leaf, const weft_view *view) {
    int64_t reach = leaf->itemsize;
    char done[WEFT_MAX_DIMS] = {0};
    for (int round = 0; round < leaf->ndim; round++) {
        int next = -1;
        int64_t best = INT64_MAX;
        for (int k = 0; k < leaf->ndim; k++) {
            int64_t stride = view->strides[k] < 0 ? -view->strides[k] : view->strides[k];
            if (!done[k] && stride < best) best = stride, next = k;
        }
        if (next < 0) return 1;
        done[next] = 1;
        if (view->shape[next] == 0) return 0;
        if (view->shape[next] == 1) continue;
        if (best < reach) return 1;
        reach = (view->shape[next] - 1) * best + reach;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- guests */

PyObject *set_guests(PyObject *module, PyObject *list) {
    (void)module;
    PyObject *fast = PySequence_Fast(list, "guests must be a sequence");
    Py_ssize_t count = fast ? PySequence_Fast_GET_SIZE(fast) : 0;
    weft_guest *items = fast ? PyMem_RawCalloc((size_t)count + 1, sizeof *items) : NULL;
    for (Py_ssize_t k = 0; items && k < count; k++) {
        unsigned long long low, high, address;
        weft_guest *guest = &items[k];
        if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(fast, k), "KKKppp", &low, &high, &address, &guest->is_fresh,
                              &guest->is_home, &guest->is_foreign)) {
            PyMem_RawFree(items);
            items = NULL;
            break;
        }
        guest->low = (char *)(size_t)low;
        guest->high = (char *)(size_t)high;
        guest->address = address;
    }
    Py_XDECREF(fast);
    if (!items) return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    PyMem_RawFree(coming_guests.items);
    coming_guests = (weft_guests){items, (int)count};
    Py_RETURN_NONE;
}
