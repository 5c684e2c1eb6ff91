/* What compiled programs ask of Python. Steps that are Python functions: operands go to the Python half of the variant as
   bytes, as the program has them, and the result comes back so. And kernels that were not needed before. */
#include "_stub.h"
#include "_turns.h"
#include <string.h>
#include "support/ledger.h"

static PyObject *operands_as_bytes(const char *kinds, const weft_value *operands) {
    Py_ssize_t count = (Py_ssize_t)strlen(kinds);
    PyObject *made = PyTuple_New(count);
    for (Py_ssize_t k = 0; made && k < count; k++) {
        const weft_value *operand = &operands[k];
        PyObject *bytes = kinds[k] == 'v'
                              ? PyBytes_FromStringAndSize((const char *)operand->view, sizeof *operand->view)
                              : PyBytes_FromStringAndSize((const char *)operand, sizeof *operand);
        if (bytes) PyTuple_SET_ITEM(made, k, bytes);
        else Py_CLEAR(made);
    }
    return made;
}

/* The result is None, or the bytes of a weft_value. */
static int take_result(PyObject *object, weft_value *result) {
    if (object == Py_None) return 0;
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(object, &bytes, &size)) return -1;
    memcpy(result, bytes, (size_t)size < sizeof *result ? (size_t)size : sizeof *result);
    return 0;
}

static int call(const caller_t *caller, int step, const char *kinds, const weft_value *operands, weft_value *result) {
    PyObject *leaves = PyTuple_New(caller->count), *given = operands_as_bytes(kinds, operands), *made = NULL;
    for (int k = 0; leaves && k < caller->count; k++) PyTuple_SET_ITEM(leaves, k, Py_NewRef(caller->leaves[k]));
    if (leaves && given) made = PyObject_CallMethod(caller->owner, "step", "iOO", step, leaves, given);
    int failed = !made || take_result(made, result) || PyErr_CheckSignals();
    Py_XDECREF(leaves);
    Py_XDECREF(given);
    Py_XDECREF(made);
    return failed;
}

/* An interrupt that came while Python ran is Python's: it was raised there, or taken care of. The end of a time limit is
   not. */
static void end_python(caller_t *caller, int failed, weft_cause cause, int paused, PyGILState_STATE state) {
    weft_present_cause = cause;
    if (failed) PyErr_Fetch(&caller->type, &caller->value, &caller->traceback);
    resume_turn(paused);
    if (caller->stop) *caller->stop = time_is_over();
    PyGILState_Release(state);
}

int call_python(void *of, int step, const char *kinds, const weft_value *operands, weft_value *result) {
    caller_t *caller = of;
    PyGILState_STATE state = PyGILState_Ensure();
    weft_cause cause = weft_present_cause;
    int paused = pause_turn(), failed = call(caller, step, kinds, operands, result);
    end_python(caller, failed, cause, paused, state);
    return failed;
}

/* What the loader says: the address of a kernel, or None where the program was laid out anew. */
static int32_t load(const caller_t *caller, int number, int is_first, void **kernel) {
    PyObject *made = PyObject_CallFunction(caller->loader, "ii", number, is_first);
    int32_t status = !made ? WEFT_RAISED : made == Py_None ? WEFT_LAID_ANEW : WEFT_OK;
    if (status == WEFT_OK) *kernel = PyLong_AsVoidPtr(made);
    Py_XDECREF(made);
    return PyErr_Occurred() || PyErr_CheckSignals() ? WEFT_RAISED : status;
}

int32_t find_kernel(void *of, int number, int is_first, void **kernel) {
    caller_t *caller = of;
    if ((*kernel = __atomic_load_n(&caller->kernels[number], __ATOMIC_ACQUIRE))) return WEFT_OK;
    pause_limits(1);
    PyGILState_STATE state = PyGILState_Ensure();
    weft_cause cause = weft_present_cause;
    int paused = pause_turn();
    int32_t status = load(caller, number, is_first, kernel);
    if (status == WEFT_OK) __atomic_store_n(&caller->kernels[number], *kernel, __ATOMIC_RELEASE);
    end_python(caller, status == WEFT_RAISED, cause, paused, state);
    pause_limits(0);
    return status;
}
