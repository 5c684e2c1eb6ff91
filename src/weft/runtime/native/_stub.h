/* What the parts of the module `weft.runtime._stub` share. */
#ifndef WEFT_STUB_H
#define WEFT_STUB_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "support/ledger.h"
#include "support/storage.h"
#include "support/weft.h"

/* A thread that has the lock of a storage may wait for Python's, to tell a profiler of a copy: whoever waits for a storage
   gives Python's lock up meanwhile. */
#define WITHOUT_PYTHON(...)                                                  \
    do {                                                                     \
        PyThreadState *given_up = weft_listens ? PyEval_SaveThread() : NULL; \
        __VA_ARGS__;                                                         \
        if (given_up) PyEval_RestoreThread(given_up);                        \
    } while (0)

/* The bytes of coherent arrays, as a Python object. */
typedef struct {
    PyObject_HEAD
    weft_storage storage;
} Storage;

/* A coherent array: a view of a storage. The class `weft.Array` is made from it. */
typedef struct {
    PyObject_HEAD
    Storage *storage;
    PyObject *dtype;
    int64_t offset, shape[WEFT_MAX_DIMS], strides[WEFT_MAX_DIMS];
    Py_ssize_t itemsize;
    int ndim;
    char kind, contiguous;
} Coherent;

extern PyTypeObject StorageType, CoherentType, LoanType;

static inline int is_coherent(PyObject *object) { return PyObject_TypeCheck(object, &CoherentType); }

/* Where the elements of an array are once they are current in a place; 0 with a Python error set where that fails. */
int coherent_view(Coherent *array, const weft_device *place, int writes, weft_view *view);

/* They were changed there. A status: who looks at them elsewhere may not see it, and `raise_unshown` says so. */
int coherent_wrote(Coherent *array, const weft_device *place);
void raise_unshown(Coherent *array, const weft_device *place, int status);

/* Whose elements an array of the host shows by a loan; NULL for others. */
weft_storage *storage_behind(PyObject *array);

int add_array_types(PyObject *module);

/* Who runs a program: what steps in Python need of the call, and the exception of the one that raised. */
typedef struct {
    PyObject *owner, *const *leaves;
    int count;
    volatile int *stop; /* of the main thread; NULL on others */
    PyObject *loader;   /* what finds kernels, and those that it found already */
    void **kernels;
    PyObject *type, *value, *traceback;
} caller_t;

/* `weft_runtime.python`: see weft.h. */
int call_python(void *caller, int step, const char *kinds, const weft_value *operands, weft_value *result);

/* `weft_runtime.calls_left` and `weft_runtime.stack_end`: see weft.h; in _nesting.c. */
int64_t calls_left(void *caller);
const char *stack_end(void);

/* `weft_runtime.kernel`: see weft.h. */
int32_t find_kernel(void *caller, int number, int is_first, void **kernel);

/* Lets the time limits of the calls that this thread is in stand still, and go on. */
void pause_limits(int pauses);

/* Whether the time of a call is over that this thread is in. */
int time_is_over(void);

/* Sets the cause of what follows to the line of the user's that is running now. */
void find_user_line(void);

/* A text that lives as long as the process. */
const char *lasting_text(PyObject *text);

/* dlpack_capsule(array, loan, address, device type, device number, versioned) */
PyObject *dlpack_capsule(PyObject *module, PyObject *args);

/* Functions of the module about devices: see `_devices.c`. */
extern PyMethodDef device_functions[];

/* In `_products.c`. */
extern PyMethodDef product_functions[];
#endif
