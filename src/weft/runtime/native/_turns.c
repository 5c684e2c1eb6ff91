/* Turns of calls under a limit: see `_turns.h`. */
#include "_stub.h"
#include "_turns.h"
#include <pthread.h>

static PyThread_type_lock turn;
static _Thread_local int depth; /* of calls in which this thread has its turn */

/* In a child, the thread that forked is the only one left. */
static void start_anew(void) {
    PyThread_type_lock fresh = PyThread_allocate_lock();
    if (!fresh) return;
    turn = fresh;
    if (depth) PyThread_acquire_lock(turn, NOWAIT_LOCK);
}

int prepare_turns(void) {
    if (!turn && !(turn = PyThread_allocate_lock())) return PyErr_NoMemory(), -1;
    return pthread_atfork(NULL, NULL, start_anew);
}

static int acquire(void) {
    for (;;) {
        PyLockStatus got = PyThread_acquire_lock_timed(turn, 0, 0);
        if (got == PY_LOCK_ACQUIRED) return 1;
        Py_BEGIN_ALLOW_THREADS
        got = PyThread_acquire_lock_timed(turn, -1, 1);
        Py_END_ALLOW_THREADS
        if (got == PY_LOCK_ACQUIRED) return 1;
        if (PyErr_CheckSignals()) return 0;
    }
}

int take_turn(void) {
    if (!depth && !acquire()) return 0;
    depth++;
    return 1;
}

void end_turn(void) {
    if (!--depth) PyThread_release_lock(turn);
}

int pause_turn(void) {
    int paused = depth;
    depth = 0;
    if (paused) PyThread_release_lock(turn);
    return paused;
}

void resume_turn(int paused) {
    if (!paused) return;
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(turn, WAIT_LOCK);
    Py_END_ALLOW_THREADS
    depth = paused;
}
