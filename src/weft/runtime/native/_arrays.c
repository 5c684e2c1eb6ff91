/* Coherent arrays for Python: storages, views of them, and loans. What is current where is decided in `support/storage.c`;
   what an array looks like to NumPy and others in `arrays.py`. */
#include "_stub.h"
#include <structmember.h>
#include <string.h>

/* Raises what `weft.runtime.arrays.arrays.failure` makes of a status. */
static void raise_failure(int status, const weft_device *place, size_t bytes) {
    PyObject *module = PyImport_ImportModule("weft.runtime.arrays.arrays");
    PyObject *error = module ? PyObject_CallMethod(module, "failure", "iKn", status, (unsigned long long)(size_t)place,
                                                   (Py_ssize_t)bytes)
                             : NULL;
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(module);
}

/* The device that failed where bytes were wanted in a place. */
static const weft_device *culprit(const Storage *self, const weft_device *place) {
    return self->storage.failed ? self->storage.failed : place;
}

static int acquire(Storage *self, const weft_device *place, int writes, uint64_t *address) {
    int status;
    if (weft_ledger_on && !weft_present_cause.program) find_user_line();
    if (weft_storage_is_there(&self->storage, place, address)) return 1;
    Py_BEGIN_ALLOW_THREADS
    status = weft_storage_acquire(&self->storage, place, writes, address);
    Py_END_ALLOW_THREADS
    if (status) raise_failure(status, culprit(self, place), self->storage.bytes);
    return !status;
}

/* Whoever asks for an address may queue work of its own behind the kernels: it comes after the copies, too. */
static int join(Storage *self, const weft_device *place) {
    int status = place ? place->join(place) : 0;
    if (status) raise_failure(status, place, self->storage.bytes);
    return !status;
}

static int wrote(Storage *self, const weft_device *place) {
    int status;
    if (weft_storage_has_written(&self->storage, place)) return 0;
    Py_BEGIN_ALLOW_THREADS
    status = weft_storage_wrote(&self->storage, place);
    Py_END_ALLOW_THREADS
    return status;
}

int coherent_view(Coherent *array, const weft_device *place, int writes, weft_view *view) {
    uint64_t address;
    if (!acquire(array->storage, place, writes, &address)) return 0;
    view->data = (char *)(size_t)address + array->offset;
    view->base = NULL;
    memcpy(view->shape, array->shape, sizeof view->shape);
    memcpy(view->strides, array->strides, sizeof view->strides);
    return 1;
}

int coherent_wrote(Coherent *array, const weft_device *place) { return wrote(array->storage, place); }

void raise_unshown(Coherent *array, const weft_device *place, int status) {
    raise_failure(status, place, array->storage->storage.bytes);
}

/* ------------------------------------------------------------------------------------------------------ Storage */

static int storage_init(Storage *self, PyObject *args, PyObject *kwargs) {
    Py_ssize_t bytes;
    int zeros;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "np", &bytes, &zeros)) return -1;
    if (self->storage.bytes || bytes < 0) return PyErr_SetString(PyExc_ValueError, "a storage is made once"), -1;
    weft_storage_init(&self->storage, (size_t)bytes, zeros);
    return 0;
}

static void storage_dealloc(Storage *self) {
    Py_BEGIN_ALLOW_THREADS
    weft_storage_free(&self->storage);
    Py_END_ALLOW_THREADS
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* Places come as the addresses of device tables; 0 is the host. */
static const weft_device *place_of(unsigned long long table) { return (const weft_device *)(size_t)table; }

static PyObject *storage_acquire(Storage *self, PyObject *args) {
    unsigned long long place;
    int writes;
    uint64_t address;
    if (!PyArg_ParseTuple(args, "Kp", &place, &writes)) return NULL;
    if (!acquire(self, place_of(place), writes, &address) || !join(self, place_of(place))) return NULL;
    return PyLong_FromUnsignedLongLong(address);
}

/* For who asks from Python for an address on a device, and keeps it. */
static PyObject *storage_pin(Storage *self, PyObject *ignored) {
    (void)ignored;
    weft_storage_hold(&self->storage);
    Py_RETURN_NONE;
}

static PyObject *storage_wrote(Storage *self, PyObject *place) {
    unsigned long long table = PyLong_AsUnsignedLongLong(place);
    if (PyErr_Occurred()) return NULL;
    int status = wrote(self, place_of(table));
    if (status) return raise_failure(status, place_of(table), self->storage.bytes), NULL;
    Py_RETURN_NONE;
}

static int read_integers(PyObject *tuple, int count, int64_t *numbers) {
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != count)
        return PyErr_SetString(PyExc_ValueError, "shape and strides are tuples of the same length, at most 8"), 0;
    for (int k = 0; k < count; k++) numbers[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, k));
    return !PyErr_Occurred();
}

/* A part as Python gives it: (offset, shape, strides, bytes of an element). */
static int read_part(PyObject *args, weft_part *part, Py_buffer *data, int writes) {
    PyObject *shape, *strides;
    Py_ssize_t offset, size;
    *part = (weft_part){0};
    if (!PyArg_ParseTuple(args, writes ? "nO!O!ny*" : "nO!O!nw*", &offset, &PyTuple_Type, &shape, &PyTuple_Type, &strides,
                          &size, data))
        return 0;
    int dimensions = (int)PyTuple_GET_SIZE(shape);
    int fits = dimensions <= WEFT_MAX_DIMS && read_integers(shape, dimensions, part->shape) &&
               read_integers(strides, dimensions, part->strides);
    int64_t bytes = size;
    for (int k = 0; fits && k < dimensions; k++) bytes *= part->shape[k];
    if (fits && bytes != data->len) fits = 0;
    if (!fits) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the part has another size than the buffer");
        PyBuffer_Release(data);
        return 0;
    }
    part->offset = (size_t)offset;
    part->size = (size_t)size;
    part->dimensions = dimensions;
    part->data = data->buf;
    return 1;
}

/* Moves a part; returns False where all of the storage has to be moved instead. */
static PyObject *move_part(Storage *self, PyObject *args, int writes) {
    weft_part part;
    Py_buffer data;
    int status;
    if (!read_part(args, &part, &data, writes)) return NULL;
    if (weft_ledger_on && !weft_present_cause.program) find_user_line();
    weft_present_cause.array = self->storage.name;
    Py_BEGIN_ALLOW_THREADS
    status = writes ? weft_storage_write_part(&self->storage, &part) : weft_storage_read_part(&self->storage, &part);
    Py_END_ALLOW_THREADS
    weft_present_cause.array = NULL;
    PyBuffer_Release(&data);
    if (status && status != WEFT_NO_PART) return raise_failure(status, self->storage.failed, self->storage.bytes), NULL;
    return PyBool_FromLong(!status);
}

static PyObject *storage_read_part(Storage *self, PyObject *args) { return move_part(self, args, 0); }

static PyObject *storage_write_part(Storage *self, PyObject *args) { return move_part(self, args, 1); }

/* A device failed that may have been writing. */
static PyObject *storage_spoiled(Storage *self, PyObject *place) {
    unsigned long long table = PyLong_AsUnsignedLongLong(place);
    if (PyErr_Occurred()) return NULL;
    WITHOUT_PYTHON(weft_storage_spoiled(&self->storage, place_of(table)));
    Py_RETURN_NONE;
}

/* The addresses of the device tables where the bytes are current now; 0 is the host. */
static PyObject *storage_current(Storage *self, PyObject *ignored) {
    (void)ignored;
    enum { MOST = 64 };
    const weft_device *found[MOST];
    int count = 0;
    weft_storage *storage = &self->storage;
    Py_BEGIN_ALLOW_THREADS /* another thread may push them out, and wait for Python's lock meanwhile */
    pthread_mutex_lock(&storage->lock);
    if (storage->host_current) found[count++] = NULL;
    for (int k = 0; k < storage->count && count < MOST; k++)
        if (storage->copies[k].current) found[count++] = storage->copies[k].device;
    pthread_mutex_unlock(&storage->lock);
    Py_END_ALLOW_THREADS
    PyObject *places = PyList_New(count);
    for (int k = 0; places && k < count; k++) {
        PyObject *place = PyLong_FromUnsignedLongLong((unsigned long long)(size_t)found[k]);
        if (place) PyList_SET_ITEM(places, k, place);
        else Py_CLEAR(places);
    }
    return places;
}

/* Where the bytes are in a place, current or not; 0 where they are not there. */
static PyObject *storage_address(Storage *self, PyObject *place) {
    unsigned long long table = PyLong_AsUnsignedLongLong(place);
    if (PyErr_Occurred()) return NULL;
    weft_storage *storage = &self->storage;
    if (!table) return PyLong_FromVoidPtr(storage->host);
    uint64_t address;
    WITHOUT_PYTHON(address = weft_storage_address(storage, place_of(table)));
    return PyLong_FromUnsignedLongLong(address);
}

static PyMethodDef storage_methods[] = {
    {"acquire", (PyCFunction)storage_acquire, METH_VARARGS, "Make the bytes current in a place; returns their address."},
    {"pin", (PyCFunction)storage_pin, METH_NOARGS, "The bytes stay where they are on devices as long as this lives."},
    {"wrote", (PyCFunction)storage_wrote, METH_O, "The bytes were changed in a place."},
    {"read_part", (PyCFunction)storage_read_part, METH_VARARGS,
     "(offset, shape, strides, item size, buffer): fill it with elements that a device has; False: all is to be fetched."},
    {"write_part", (PyCFunction)storage_write_part, METH_VARARGS,
     "The same to a device, where the elements become current; False: the host is to be written."},
    {"spoiled", (PyCFunction)storage_spoiled, METH_O, "A device failed that may have been writing there."},
    {"current", (PyCFunction)storage_current, METH_NOARGS, "The places where the bytes are current."},
    {"address", (PyCFunction)storage_address, METH_O, "Where the bytes are in a place, current or not; 0: nowhere."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef storage_members[] = {
    {"size", T_PYSSIZET, offsetof(Storage, storage.bytes), READONLY, "bytes"},
    {"spent", T_DOUBLE, offsetof(Storage, storage.spent), 0, "seconds that parts have cost since a device wrote last"},
    {NULL, 0, 0, 0, NULL}};

PyTypeObject StorageType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "weft.runtime._stub.Storage",
    .tp_basicsize = sizeof(Storage),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Storage(bytes, zeros): the bytes of coherent arrays, in several memories.",
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)storage_init,
    .tp_dealloc = (destructor)storage_dealloc,
    .tp_methods = storage_methods,
    .tp_members = storage_members,
};

/* --------------------------------------------------------------------------------------------------------- Loan */

/* Bytes that somebody else may look at, or write, as long as this lives. */
typedef struct {
    PyObject_HEAD
    Storage *storage;
    const weft_device *place;
    uint64_t address;
    int writes;
} Loan;

static PyObject *loan_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Storage *storage;
    unsigned long long place;
    uint64_t address;
    int writes, status;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O!Kp", &StorageType, &storage, &place, &writes)) return NULL;
    if (weft_ledger_on) find_user_line();
    Py_BEGIN_ALLOW_THREADS
    status = weft_storage_lend(&storage->storage, place_of(place), writes, &address);
    Py_END_ALLOW_THREADS
    if (status) return raise_failure(status, culprit(storage, place_of(place)), storage->storage.bytes), NULL;
    Loan *self = (Loan *)type->tp_alloc(type, 0);
    if (!self) return weft_storage_end_loan(&storage->storage, place_of(place), writes), NULL;
    self->storage = (Storage *)Py_NewRef(storage);
    self->place = place_of(place);
    self->address = address;
    self->writes = writes;
    return (PyObject *)self;
}

static void loan_dealloc(Loan *self) {
    Storage *storage = self->storage;
    Py_BEGIN_ALLOW_THREADS
    weft_storage_end_loan(&storage->storage, self->place, self->writes);
    Py_END_ALLOW_THREADS
    Py_DECREF(storage);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static int loan_buffer(Loan *self, Py_buffer *buffer, int flags) {
    if (self->place) return PyErr_SetString(PyExc_BufferError, "the memory of a device has no buffer"), -1;
    return PyBuffer_FillInfo(buffer, (PyObject *)self, (void *)(size_t)self->address,
                             (Py_ssize_t)self->storage->storage.bytes, !self->writes, flags);
}

/* What was lent may still be looked at, but is not going to be written any more. */
static PyObject *loan_close(Loan *self, PyObject *ignored) {
    if (self->writes && !self->place) WITHOUT_PYTHON(weft_storage_end_writing(&self->storage->storage));
    self->writes = 0;
    Py_RETURN_NONE;
}

static PyMethodDef loan_methods[] = {
    {"close", (PyCFunction)loan_close, METH_NOARGS, "Nobody writes through this loan of the host's memory any more."},
    {NULL, NULL, 0, NULL}};

static PyBufferProcs loan_as_buffer = {.bf_getbuffer = (getbufferproc)loan_buffer};

static PyMemberDef loan_members[] = {
    {"address", T_ULONGLONG, offsetof(Loan, address), READONLY, "where the bytes are"},
    {"storage", T_OBJECT_EX, offsetof(Loan, storage), READONLY, "whose bytes they are"},
    {NULL, 0, 0, 0, NULL}};

PyTypeObject LoanType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "weft.runtime._stub.Loan",
    .tp_basicsize = sizeof(Loan),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Loan(storage, place, writes): an export of a storage's bytes; of the host's, a buffer.",
    .tp_new = loan_new,
    .tp_dealloc = (destructor)loan_dealloc,
    .tp_as_buffer = &loan_as_buffer,
    .tp_methods = loan_methods,
    .tp_members = loan_members,
};

enum { BASES = 64 }; /* more are no views of NumPy's, which knows what its base is a view of */

weft_storage *storage_behind(PyObject *array) {
    PyObject *base = Py_NewRef(array);
    for (int k = 0; base && k < BASES && !PyObject_TypeCheck(base, &LoanType); k++) {
        PyObject *next = PyObject_GetAttrString(base, "base");
        Py_SETREF(base, next);
    }
    PyErr_Clear();
    weft_storage *found = base && PyObject_TypeCheck(base, &LoanType) ? &((Loan *)base)->storage->storage : NULL;
    Py_XDECREF(base);
    return found; /* the array keeps it */
}

/* ----------------------------------------------------------------------------------------------------- Coherent */

static int read_dtype(Coherent *self, PyObject *dtype) {
    PyObject *kind = PyObject_GetAttrString(dtype, "kind"), *size = PyObject_GetAttrString(dtype, "itemsize");
    const char *letter = kind ? PyUnicode_AsUTF8(kind) : NULL;
    if (letter) self->kind = letter[0];
    self->itemsize = size ? PyLong_AsSsize_t(size) : 0;
    Py_XDECREF(kind);
    Py_XDECREF(size);
    if (PyErr_Occurred()) return 0;
    self->dtype = Py_NewRef(dtype);
    return 1;
}

static int coherent_init(Coherent *self, PyObject *args, PyObject *kwargs) {
    Storage *storage;
    PyObject *shape, *strides, *dtype;
    long long offset;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O!LO!O!O", &StorageType, &storage, &offset, &PyTuple_Type, &shape, &PyTuple_Type,
                          &strides, &dtype))
        return -1;
    if (self->storage) return PyErr_SetString(PyExc_TypeError, "an array is made once"), -1;
    int ndim = (int)PyTuple_GET_SIZE(shape);
    if (ndim > WEFT_MAX_DIMS) return PyErr_SetString(PyExc_ValueError, "arrays have at most 8 dimensions"), -1;
    if (!read_integers(shape, ndim, self->shape) || !read_integers(strides, ndim, self->strides)) return -1;
    if (!read_dtype(self, dtype)) return -1;
    self->storage = (Storage *)Py_NewRef(storage);
    self->offset = offset;
    self->ndim = ndim;
    self->contiguous = ndim == 0 || self->shape[ndim - 1] <= 1 || self->strides[ndim - 1] == self->itemsize;
    for (int k = 0; k < ndim; k++) self->contiguous |= self->shape[k] == 0;
    return 0;
}

static void coherent_dealloc(Coherent *self) {
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->storage);
    Py_CLEAR(self->dtype);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static int coherent_traverse(Coherent *self, visitproc visit, void *arg) {
    Py_VISIT(self->dtype);
    return 0;
}

static PyObject *integers(const int64_t *numbers, int count) {
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) {
        PyObject *item = PyLong_FromLongLong(numbers[k]);
        if (item) PyTuple_SET_ITEM(tuple, k, item);
        else Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *coherent_shape(Coherent *self, void *closure) { return integers(self->shape, self->ndim); }

static PyObject *coherent_strides(Coherent *self, void *closure) { return integers(self->strides, self->ndim); }

static PyGetSetDef coherent_properties[] = {
    {"shape", (getter)coherent_shape, NULL, "Extents.", NULL},
    {"strides", (getter)coherent_strides, NULL, "Bytes from one element to the next along each dimension.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef coherent_members[] = {
    {"_storage", T_OBJECT_EX, offsetof(Coherent, storage), READONLY, "the bytes"},
    {"_offset", T_LONGLONG, offsetof(Coherent, offset), READONLY, "where in the storage the first element is"},
    {"_contiguous", T_BOOL, offsetof(Coherent, contiguous), READONLY, "whether the last dimension has no gaps"},
    {"dtype", T_OBJECT_EX, offsetof(Coherent, dtype), READONLY, "Type of the elements."},
    {"ndim", T_INT, offsetof(Coherent, ndim), READONLY, "Number of dimensions."},
    {"itemsize", T_PYSSIZET, offsetof(Coherent, itemsize), READONLY, "Bytes of an element."},
    {NULL, 0, 0, 0, NULL}};

PyTypeObject CoherentType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "weft.runtime._stub.Coherent",
    .tp_basicsize = sizeof(Coherent),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "Coherent(storage, offset, shape, strides, dtype): a view of a storage.",
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)coherent_init,
    .tp_dealloc = (destructor)coherent_dealloc,
    .tp_traverse = (traverseproc)coherent_traverse,
    .tp_getset = coherent_properties,
    .tp_members = coherent_members,
};

int add_array_types(PyObject *module) {
    return PyType_Ready(&StorageType) || PyType_Ready(&LoanType) || PyType_Ready(&CoherentType) ||
           PyModule_AddObjectRef(module, "Storage", (PyObject *)&StorageType) ||
           PyModule_AddObjectRef(module, "Loan", (PyObject *)&LoanType) ||
           PyModule_AddObjectRef(module, "Coherent", (PyObject *)&CoherentType);
}
