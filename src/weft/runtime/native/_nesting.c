/* How deep functions that call themselves may go: what Python permits, and where the stack of the thread ends. */
#define _GNU_SOURCE
#include "_stub.h"
#include <pthread.h>

enum { MARGIN = 256 * 1024 /* bytes of the stack that are left to functions of libraries, and to Python */ };

int64_t calls_left(void *of) {
    caller_t *caller = of;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallMethod(caller->owner, "calls_left", NULL);
    int64_t left = answer ? PyLong_AsLongLong(answer) : -1;
    Py_XDECREF(answer);
    if (PyErr_Occurred()) PyErr_WriteUnraisable(NULL);
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
