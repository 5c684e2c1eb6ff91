/* Steps of compiled programs that are Python functions: operands go to the Python half of the variant as bytes, as the
   program has them, and the result comes back so. */
#include "_stub.h"
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
int call_python(void *of, int step, const char *kinds, const weft_value *operands, weft_value *result) {
    caller_t *caller = of;
    PyGILState_STATE state = PyGILState_Ensure();
    weft_cause cause = weft_present_cause;
    int failed = call(caller, step, kinds, operands, result);
    weft_present_cause = cause;
    if (failed) PyErr_Fetch(&caller->type, &caller->value, &caller->traceback);
    if (caller->stop) *caller->stop = time_is_over();
    PyGILState_Release(state);
    return failed;
}
