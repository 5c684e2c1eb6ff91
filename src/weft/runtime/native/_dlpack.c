/* Exports of coherent arrays as DLPack capsules, and what capsules of others say: see `_dlpack.h`. */
#include "_dlpack.h"
#include <stdlib.h>
#include <string.h>

/* One block of memory for all: what is handed over, the extents, and the loan that ends with it. */
typedef struct {
    dlpack_managed plain;
    dlpack_versioned versioned;
    int64_t shape[WEFT_MAX_DIMS], strides[WEFT_MAX_DIMS];
    PyObject *loan;
} export;

/* Any thread of the consumer may call this. */
static void end(export *self) {
    PyGILState_STATE state = PyGILState_Ensure();
    Py_XDECREF(self->loan);
    PyGILState_Release(state);
    free(self);
}

static void end_plain(dlpack_managed *self) { end(self->context); }

static void end_versioned(dlpack_versioned *self) { end(self->context); }

/* A capsule that a consumer took has another name, and is the consumer's to end. */
static void drop(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        dlpack_versioned *made = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        made->deleter(made);
    } else if (PyCapsule_IsValid(capsule, "dltensor")) {
        dlpack_managed *made = PyCapsule_GetPointer(capsule, "dltensor");
        made->deleter(made);
    }
}

const dlpack_tensor *dlpack_read(PyObject *capsule, int *read_only) {
    *read_only = 0;
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        const dlpack_versioned *given = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        *read_only = (given->flags & DLPACK_READ_ONLY) != 0;
        return given->major == 1 ? &given->tensor : NULL;
    }
    if (!PyCapsule_IsValid(capsule, "dltensor")) return NULL;
    const dlpack_managed *given = PyCapsule_GetPointer(capsule, "dltensor");
    return &given->tensor;
}

char dlpack_kind(int code) {
    switch (code) {
    case 0: return 'i';
    case 1: return 'u';
    case 2: return 'f';
    case 5: return 'c';
    case 6: return 'b';
    }
    return 0;
}

static int code_of(char kind) { return kind == 'i' ? 0 : kind == 'u' ? 1 : kind == 'f' ? 2 : kind == 'c' ? 5 : 6; }

static int describe(const Coherent *array, export *self, dlpack_tensor *made) {
    for (int k = 0; k < array->ndim; k++) {
        if (array->strides[k] % array->itemsize) return 0;
        self->shape[k] = array->shape[k];
        self->strides[k] = array->strides[k] / array->itemsize;
    }
    made->ndim = array->ndim;
    made->code = (uint8_t)code_of(array->kind);
    made->bits = (uint8_t)(8 * array->itemsize);
    made->lanes = 1;
    made->shape = self->shape;
    made->strides = self->strides;
    return array->kind != 'V';
}

PyObject *dlpack_capsule(PyObject *module, PyObject *args) {
    Coherent *array;
    PyObject *loan;
    unsigned long long address;
    int type, number, versioned;
    dlpack_tensor made = {0};
    if (!PyArg_ParseTuple(args, "O!OKiip", &CoherentType, &array, &loan, &address, &type, &number, &versioned)) return NULL;
    export *self = calloc(1, sizeof *self);
    if (!self) return PyErr_NoMemory();
    if (!describe(array, self, &made)) {
        free(self);
        return PyErr_Format(PyExc_BufferError, "DLPack has no form for this layout or type of elements");
    }
    made.data = (void *)(size_t)(address + (uint64_t)array->offset);
    made.device_type = type;
    made.device_id = number;
    self->plain = (dlpack_managed){made, self, end_plain};
    self->versioned = (dlpack_versioned){1, 0, self, end_versioned, 0, made};
    PyObject *capsule = versioned ? PyCapsule_New(&self->versioned, "dltensor_versioned", drop)
                                  : PyCapsule_New(&self->plain, "dltensor", drop);
    if (!capsule) return free(self), NULL;
    self->loan = Py_NewRef(loan);
    return capsule;
}
