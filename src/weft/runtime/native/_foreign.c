/* Arrays of other libraries that are on an NVIDIA GPU: used where they are, in the order of their streams.

   The CUDA array interface from version 3 on names the stream to wait for, and the one that has to wait for us in turn.
   Older versions do not: then DLPack is asked, whose producer orders its work before our stream; since nobody tells on
   which stream it goes on, the host waits before the call returns. */
#include "_foreign.h"
#include "_cupy.h"
#include "_dlpack.h"
#include <stdlib.h>

enum { NO_STREAM = 0, FIRST_WITH_STREAMS = 3 };

static PyObject *interface_name, *dlpack_name, *device_name, *stream_name, *version_name, *exchange_name, *newest;
static PyObject *gradient_name, *conjugate_name, *negative_name; /* what PyTorch says of tensors, see `is_lazy` */
static PyObject *data_key, *strides_key, *mask_key, *shape_key, *typestr_key, *version_key; /* of an interface */

static int prepare_keys(void) {
    static const struct {
        PyObject **key;
        const char *text;
    } keys[] = {{&data_key, "data"},   {&strides_key, "strides"}, {&mask_key, "mask"},
                {&shape_key, "shape"}, {&typestr_key, "typestr"}, {&version_key, "version"}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (!(*keys[k].key = PyUnicode_InternFromString(keys[k].text))) return 1;
    return 0;
}

int prepare_foreign(void) {
    interface_name = PyUnicode_InternFromString("__cuda_array_interface__");
    dlpack_name = PyUnicode_InternFromString("__dlpack__");
    device_name = PyUnicode_InternFromString("__dlpack_device__");
    stream_name = PyUnicode_InternFromString("stream");
    version_name = PyUnicode_InternFromString("max_version");
    exchange_name = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
    gradient_name = PyUnicode_InternFromString("requires_grad");
    conjugate_name = PyUnicode_InternFromString("is_conj");
    negative_name = PyUnicode_InternFromString("is_neg");
    newest = Py_BuildValue("(ii)", 1, 0);
    return !interface_name || !dlpack_name || !device_name || !stream_name || !version_name || !exchange_name ||
           !gradient_name || !conjugate_name || !negative_name || !newest || prepare_keys() || prepare_cupy();
}

static int is_type(const foreign_type *type, char kind, Py_ssize_t itemsize, int ndim, int writable) {
    return type->kind == kind && type->itemsize == itemsize && type->ndim == ndim && type->writable == writable;
}

/* Whether the last dimension is as the program wants it. */
static int has_layout(const foreign_type *type, const weft_view *view) {
    int n = type->ndim, contiguous = n == 0 || view->shape[n - 1] == 1 || view->strides[n - 1] == type->itemsize;
    for (int k = 0; k < n; k++) contiguous |= view->shape[k] == 0;
    return n == 0 || contiguous == type->contiguous;
}

static void fill_strides(const foreign_type *type, weft_view *view) {
    int64_t step = type->itemsize;
    for (int k = type->ndim - 1; k >= 0; k--) {
        view->strides[k] = step;
        step *= view->shape[k];
    }
}

static int read_typestr(PyObject *text, char *kind, Py_ssize_t *size) {
    const char *letters = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
    if (!letters || (letters[0] != '<' && letters[0] != '|')) return 0;
    *kind = letters[1];
    *size = atol(letters + 2);
    return 1;
}

static int read_interface(const foreign_type *type, PyObject *interface, weft_view *view) {
    PyObject *data = PyDict_GetItem(interface, data_key), *strides = PyDict_GetItem(interface, strides_key),
             *mask = PyDict_GetItem(interface, mask_key), *shape = PyDict_GetItem(interface, shape_key);
    char kind;
    Py_ssize_t size;
    if (!read_typestr(PyDict_GetItem(interface, typestr_key), &kind, &size)) return 0;
    if (!data || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 2 || (mask && mask != Py_None)) return 0;
    PyObject *address = PyTuple_GET_ITEM(data, 0);
    int writable = !PyObject_IsTrue(PyTuple_GET_ITEM(data, 1));
    if (!shape || !PyTuple_Check(shape)) return 0;
    if (!is_type(type, kind, size, (int)PyTuple_GET_SIZE(shape), writable)) return 0;
    view->data = address == Py_None ? NULL : PyLong_AsVoidPtr(address);
    view->base = NULL;
    if (!read_tuple(shape, type->ndim, view->shape)) return 0;
    if (!strides || strides == Py_None) fill_strides(type, view);
    else if (!read_tuple(strides, type->ndim, view->strides)) return 0;
    return !PyErr_Occurred() && has_layout(type, view);
}

/* The stream that an interface of version 3 names; -1 where it is older. */
static int64_t stream_of(PyObject *interface) {
    PyObject *version = PyDict_GetItem(interface, version_key), *stream = PyDict_GetItem(interface, stream_name);
    if (!version || PyLong_AsLong(version) < FIRST_WITH_STREAMS) return -1;
    return stream && stream != Py_None ? PyLong_AsLongLong(stream) : NO_STREAM;
}

/* Lets what we queue come after what is queued on a stream, once in a call, and remembers it for the way back. */
static int follow(const weft_device *device, void *stream, foreign_order *order) {
    for (int k = 0; k < order->count; k++)
        if (order->streams[k] == stream) return 0;
    if (order->count == FOREIGN_STREAMS) order->waits = 1;
    else order->streams[order->count++] = stream;
    return device->follow(device, stream);
}

/* What we queue comes after the stream, on which its library's next work has to wait for us in turn. */
static int follow_stream(const weft_device *device, void *stream, foreign_order *order) {
    int status = follow(device, stream, order);
    return status ? (PyErr_Format(PyExc_RuntimeError, "streams cannot be ordered: error %d", status), -1) : 1;
}

static PyObject *capsule_of(PyObject *method, void *stream) {
    PyObject *number = PyLong_FromVoidPtr(stream), *made = NULL;
    PyObject *both = number ? PyTuple_Pack(2, stream_name, version_name) : NULL,
             *old = number ? PyTuple_Pack(1, stream_name) : NULL;
    PyObject *values[2] = {number, newest};
    if (both && old) {
        made = PyObject_Vectorcall(method, values, 0, both);
        if (!made && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            made = PyObject_Vectorcall(method, values, 0, old);
        }
    }
    Py_XDECREF(number);
    Py_XDECREF(both);
    Py_XDECREF(old);
    return made;
}

static int read_tensor(const foreign_type *type, const dlpack_tensor *tensor, int read_only, weft_view *view) {
    if (!tensor || tensor->device_type != DLPACK_CUDA || tensor->lanes != 1) return 0;
    char kind = dlpack_kind(tensor->code);
    if (!is_type(type, kind, tensor->bits / 8, tensor->ndim, !read_only)) return 0;
    view->data = (char *)tensor->data + tensor->byte_offset;
    view->base = NULL;
    for (int k = 0; k < type->ndim; k++) {
        view->shape[k] = tensor->shape[k];
        if (tensor->strides) view->strides[k] = tensor->strides[k] * type->itemsize;
    }
    if (!tensor->strides) fill_strides(type, view);
    return has_layout(type, view);
}

/* Lets the producer order its work before ours, and packs the array where its interface did not. The capsule gives the
   export back at once: the array itself keeps the memory. */
static int ask_dlpack(const foreign_type *type, const weft_device *device, PyObject *method, weft_view *view) {
    PyObject *capsule = capsule_of(method, device->stream(device));
    if (!capsule) return -1;
    int read_only = 0;
    const dlpack_tensor *tensor = dlpack_read(capsule, &read_only);
    int fits = view ? read_tensor(type, tensor, read_only, view) : 1;
    Py_DECREF(capsule);
    return PyErr_Occurred() ? -1 : fits;
}

/* Whether an array says by DLPack that it is on a GPU; arrays of the host do not know streams. */
static int is_on_gpu(PyObject *object) {
    PyObject *method = attribute(object, device_name), *place = method ? PyObject_CallNoArgs(method) : NULL;
    int found = place && PyTuple_Check(place) && PyTuple_GET_SIZE(place) == 2 &&
                PyLong_AsLong(PyTuple_GET_ITEM(place, 0)) == DLPACK_CUDA;
    Py_XDECREF(method);
    Py_XDECREF(place);
    return found && !PyErr_Occurred();
}

/* What is known of a type of arrays: its functions in C, NULL where it has none, and what it says of tensors. */
typedef struct {
    PyTypeObject *type;
    const dlpack_exchange *exchange;
    int has_gradient, has_negative, has_conjugate;
} array_kind;

/* Of the type that was asked for last. */
static const array_kind *kind_of(PyTypeObject *type) {
    static array_kind known;
    if (type == known.type) return &known;
    PyObject *object = (PyObject *)type, *capsule = attribute(object, exchange_name);
    const dlpack_exchange *table = NULL;
    if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        table = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    while (table && table->major != 1) table = table->older;
    Py_XDECREF(capsule);
    Py_INCREF(type);
    Py_XSETREF(known.type, type);
    known.exchange = table && table->tensor_of && table->stream_of ? table : NULL;
    known.has_gradient = PyObject_HasAttr(object, gradient_name);
    known.has_negative = PyObject_HasAttr(object, negative_name);
    known.has_conjugate = PyObject_HasAttr(object, conjugate_name);
    return &known;
}

/* Whether what an attribute or a method gave is true; who fails to say so says yes. */
static int says_yes(PyObject *said) {
    int yes = said ? PyObject_IsTrue(said) : 1;
    Py_XDECREF(said);
    PyErr_Clear();
    return yes != 0;
}

/* Whether a tensor is not simply what is in its memory, or may not be changed without its library's knowing. Real numbers
   are no conjugates. */
static int is_lazy(const foreign_type *type, const array_kind *kind, PyObject *object) {
    return (kind->has_gradient && says_yes(PyObject_GetAttr(object, gradient_name))) ||
           (kind->has_negative && says_yes(PyObject_CallMethodNoArgs(object, negative_name))) ||
           (kind->has_conjugate && type->kind == 'c' && says_yes(PyObject_CallMethodNoArgs(object, conjugate_name)));
}

/* The same as `pack_foreign` for arrays whose library tells in C: microseconds less, and the host need not wait. */
static int pack_exchanged(const foreign_type *type, const weft_device *device, const dlpack_exchange *table,
                          PyObject *object, weft_view *view, foreign_order *order) {
    dlpack_tensor tensor;
    void *stream;
    if (table->tensor_of(object, &tensor)) return PyErr_Clear(), 0;
    if (!read_tensor(type, &tensor, 0, view) || !device->is_here(device, view->data)) return 0;
    if (table->stream_of(tensor.device_type, tensor.device_id, &stream)) return PyErr_Clear(), 0;
    return follow_stream(device, stream ? stream : (void *)LEGACY_STREAM, order);
}

/* The same for arrays of CuPy; its stream is asked for once a call. */
static int pack_cupy(const foreign_type *type, const weft_device *device, PyObject *object, weft_view *view,
                     foreign_order *order) {
    char kind;
    Py_ssize_t size;
    if (!cupy_view(object, type->ndim, view, &kind, &size) || !is_type(type, kind, size, type->ndim, 1)) return 0;
    if (!has_layout(type, view) || !device->is_here(device, view->data)) return 0;
    if (order->of_cupy) return 1;
    void *stream = cupy_stream();
    if (!stream) return 0;
    order->of_cupy = 1;
    return follow_stream(device, stream, order);
}

int pack_foreign(const foreign_type *type, const weft_device *device, PyObject *object, weft_view *view,
                 foreign_order *order) {
    const int is_of_cupy = cupy_has(Py_TYPE(object));
    if (is_of_cupy && cupy_is_trusted()) return pack_cupy(type, device, object, view, order);
    const array_kind kind = *kind_of(Py_TYPE(object)); /* a copy: what `is_lazy` calls may ask for another type */
    const dlpack_exchange *table = type->writable ? kind.exchange : NULL;
    if (table && !is_lazy(type, &kind, object)) return pack_exchanged(type, device, table, object, view, order);
    PyObject *interface = attribute(object, interface_name);
    int is_told = interface && PyDict_Check(interface), fits = 0;
    int64_t stream = is_told ? stream_of(interface) : -1;
    if (is_told) fits = read_interface(type, interface, view);
    Py_XDECREF(interface);
    if (!is_told && !is_on_gpu(object)) return PyErr_Occurred() ? -1 : 0;
    if (stream < 0 && (fits || !is_told)) {
        PyObject *method = attribute(object, dlpack_name);
        int asked = method ? ask_dlpack(type, device, method, is_told ? NULL : view) : 0;
        Py_XDECREF(method);
        if (asked > 0 && !device->is_here(device, view->data)) return 0;
        if (asked || !is_told) return order->waits = 1, asked;
        stream = LEGACY_STREAM;
    }
    if (PyErr_Occurred()) return -1;
    if (fits && !device->is_here(device, view->data)) return 0;
    if (fits && is_of_cupy)
        cupy_compare(object, type->ndim, view, type->kind, type->itemsize, (void *)(size_t)stream);
    if (fits && stream != NO_STREAM) return follow_stream(device, (void *)(size_t)stream, order);
    order->waits |= fits;
    return fits;
}

int return_foreign(const weft_device *device, const foreign_order *order) {
    int status = order->waits ? device->wait(device) : 0;
    for (int k = 0; !status && !order->waits && k < order->count; k++) status = device->lead(device, order->streams[k]);
    return status;
}
