/* How deep functions that call themselves may go: what Python permits, and where the stack of the thread ends. */
#define _GNU_SOURCE
#include "_stub.h"
#include <pthread.h>
#include <string.h>

enum { MARGIN = 256 * 1024 /* bytes of the stack that are left to functions of libraries, and to Python */ };

static int64_t remaining(const PyThreadState *thread) {
#if PY_VERSION_HEX >= 0x030C0000
    return thread->py_recursion_remaining;
#elif PY_VERSION_HEX >= 0x030B0000
    return thread->recursion_remaining;
#else
    return Py_GetRecursionLimit() - thread->recursion_depth;
#endif
}

/* Calls of the objects behind which compiled code is, which Python 3.11 counts as well. */
enum { OWN_CALLS = PY_VERSION_HEX < 0x030C0000 ? 2 : 0 };

static int is_own(PyFrameObject *frame) {
    PyObject *names = PyObject_GetAttrString((PyObject *)frame, "f_globals");
    PyObject *name = names ? PyDict_GetItemString(names, "__name__") : NULL;
    const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    int found = text && (!strncmp(text, "weft.", 5) || !strcmp(text, "weft"));
    Py_XDECREF(names);
    return found;
}

/* Frames of Weft, which stand on those of the user, do not count: where CPython runs the function there are none. */
int64_t calls_left(void *caller) {
    (void)caller;
    PyGILState_STATE state = PyGILState_Ensure();
    PyThreadState *thread = PyThreadState_Get();
    int64_t left = remaining(thread) + OWN_CALLS;
    PyFrameObject *frame = PyThreadState_GetFrame(thread);
    while (frame && is_own(frame)) {
        PyFrameObject *outer = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = outer;
        left++;
    }
    Py_XDECREF(frame);
    PyErr_Clear();
    PyGILState_Release(state);
    return left;
}

static const char *find_end(void) {
    void *lowest = NULL;
    size_t size = 0;
#ifdef __APPLE__
    size = pthread_get_stacksize_np(pthread_self());
    lowest = (char *)pthread_get_stackaddr_np(pthread_self()) - size;
#else
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes)) return (const char *)__builtin_frame_address(0) - MARGIN;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
#endif
    return (const char *)lowest + (size < 2 * MARGIN ? size / 2 : MARGIN);
}

const char *stack_end(void) {
    static _Thread_local const char *known;
    if (!known) known = find_end();
    return known;
}
