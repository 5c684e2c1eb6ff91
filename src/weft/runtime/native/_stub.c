/* The entry stub: checks the arguments of a call, runs compiled code, turns what comes back into Python objects.

   A Handle is one compiled variant: it packs leaves (array, number) as weft.h says, tests aliasing, and runs the entry
   with the interpreter lock released. A Dispatcher is the callable that the user sees: it tries its specialisations in
   turn and asks its Python half (`_miss`) when none fits. Everything unusual is decided in Python, never here. */
#include "_stub.h"
#include "_foreign.h"
#include "_leaves.h"
#include "_numpy.h"
#include "_tokens.h"
#include "_turns.h"
#include "support/stops.h"
#include <structmember.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "support/alarms.h"
#include "support/driver.h"
#include "support/host_memory.h"
#include "support/mirror.h"
#include "support/pool.h"
#include "support/threads.h"

#define MAX_LEAVES 64

#ifndef WEFT_SOURCES
#define WEFT_SOURCES "" /* what the extension was built from: see `sources.py` */
#endif

typedef struct {
    PyObject_HEAD
    void *library;
    weft_entry entry;
    int count, result_count, arrays;
    leaf_t *leaves, *results;
    PyObject *owner;
    const weft_device *device;
    PyObject *loader; /* finds kernels: (number, whether the program has done nothing yet) -> address, or None */
    void **kernels;   /* those that were found */
    char form; /* of the result: one of the codes below */
    const char *others; /* for each flat result: PLAIN; the kind of the other type that it has where the next one, a TEST, does
                           not hold; or empty */
    const char *name, *file; /* of the program */
    char from_host; /* coherent arrays are taken from the host, though the program is for a device */
    char spoils;    /* a kernel may find a fault in the middle of changing arrays that are on the device */
    char slabs; /* CUTTABLE: copies of large arrays may run beside the kernel, Python decides; or IN_SLABS */
} Handle;

enum { CUTTABLE = 1, IN_SLABS = 2 };

/* How the flat results make the Python result: in Python; there is none or one, which it is; their tuple is it. */
enum { REBUILT = 0, ONE = 1, TUPLE = 2 };
enum { PLAIN = '.', TEST = '|' };

static PyTypeObject *integer_type;              /* numpy.integer */
static int in_context;           /* `with weft.device(...)` blocks that are open: Python decides every call */

/* ------------------------------------------------------------------------------------------------ interruption */

static volatile int *main_stop, *never_stop; /* of `stops.h` */
static volatile int main_active;
static struct sigaction pythons_action; /* the first one that was there */
static unsigned long main_thread;

static void on_interrupt(int number, siginfo_t *info, void *context) {
    if (main_active) *main_stop = 1;
    if (pythons_action.sa_flags & SA_SIGINFO) pythons_action.sa_sigaction(number, info, context);
    else pythons_action.sa_handler(number);
}

static int is_handler(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Chains to Python's own handler, which only sets a flag that is read between bytecodes: too late for a long call. Never to
   another one that came later, such as that of LLVM in an OpenCL driver: it raises the signal again, for us. */
static void watch_interrupts(void) {
    struct sigaction now;
    if (sigaction(SIGINT, NULL, &now)) return;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_interrupt) return;
    if (!is_handler(&now)) return;
    if (!is_handler(&pythons_action)) pythons_action = now;
    struct sigaction ours = pythons_action;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = on_interrupt;
    sigaction(SIGINT, &ours, NULL);
}

/* --------------------------------------------------------------------------------------------------- memory */

enum { LINE = 64, LEAST_PAGE = 4096, LARGE = 1 << 17 };

/* What is large comes from the pool of the host: the system clears memory that it gives out, which takes as long as a short
   program. */
static void *allocate(size_t bytes, int zeroed) {
    size_t rounded = (bytes + LINE - 1) & ~(size_t)(LINE - 1);
    if (rounded < bytes) return NULL;
    void *memory = bytes < LARGE ? NULL : weft_host_allocate(bytes);
    if (!memory) memory = aligned_alloc(LINE, rounded ? rounded : LINE);
    if (memory && zeroed) memset(memory, 0, bytes);
    return memory;
}

static void release(void *memory) {
    if ((size_t)memory % LEAST_PAGE || weft_host_release(memory)) free(memory);
}

static void free_result(PyObject *capsule) { release(PyCapsule_GetPointer(capsule, "weft.memory")); }

/* The device whose copies may still be at memory of the program that runs on this thread. */
static _Thread_local const weft_device *travelling;

/* Arrays of a program that go to a device and back: memory that the driver knows, or is going to know. */
static void *allocate_to_travel(size_t bytes, int zeroed) {
    if (!travelling || bytes < WEFT_TRAVELS) return allocate(bytes, zeroed);
    void *memory = weft_host_allocate(bytes);
    if (memory && zeroed) memset(memory, 0, bytes);
    return memory;
}

/* Nobody else gets the memory before the copies are done; a program that ends well has waited for them. */
static void release_after_travel(void *memory) {
    if (travelling) travelling->finish_copies(travelling);
    if (weft_host_release(memory)) free(memory);
}

static void free_travelled(PyObject *capsule) {
    void *memory = PyCapsule_GetPointer(capsule, "weft.memory");
    if (weft_host_release(memory)) free(memory);
}

static int travels(const Handle *self) { return self->device && weft_device_is_apart(self->device); }

/* ------------------------------------------------------------------------------------------- packing arguments */

/* A coherent array, which is moved to where the program wants it: to the host, or to the device that the program is for. */
static int fits_coherent(const Handle *self, const leaf_t *leaf, const Coherent *array) {
    if (leaf->code == 'V' || leaf->ndim != array->ndim || leaf->itemsize != array->itemsize || leaf->kind != array->kind) return 0;
    if (!leaf->writable || (leaf->ndim && leaf->contiguous != array->contiguous)) return 0;
    if (leaf->kind == 'V') {
        int same = PyObject_RichCompareBool(array->dtype, leaf->type, Py_EQ);
        if (same <= 0) return 0;
    }
    return leaf->code != 'A' || !self->device || self->from_host;
}

/* What runs in slabs has no room for copies of whole arrays. */
static int place_coherent(Handle *self, const leaf_t *leaf, Coherent *array, weft_view *view) {
    if (weft_ledger_on) weft_present_cause.array = leaf->name;
    if (!coherent_view(array, leaf->code == 'A' ? NULL : self->device, leaf->written, view)) return 0;
    int status = 0;
    if (self->slabs == IN_SLABS) WITHOUT_PYTHON(status = weft_storage_leave(&array->storage->storage, self->device));
    return !status;
}

static int pack_foreign_array(Handle *self, const leaf_t *leaf, PyObject *object, weft_view *view, foreign_order *order) {
    foreign_type type = {leaf->kind, leaf->ndim, leaf->contiguous, leaf->writable, leaf->itemsize};
    return self->device && pack_foreign(&type, self->device, object, view, order) > 0;
}

/* ---------------------------------------------------------------------------------------------------- aliasing */

static int aliased(const Handle *self, const weft_value *values) {
    for (int a = 0; a < self->count; a++) {
        const leaf_t *first = &self->leaves[a];
        if (!is_array(first)) continue;
        char *low, *high, *other_low, *other_high;
        if (!interval(first, values[a].view, &low, &high)) continue;
        if (first->written && may_overlap_itself(first, values[a].view)) return 1;
        for (int b = a + 1; b < self->count; b++) {
            const leaf_t *second = &self->leaves[b];
            if (!is_array(second) || !(first->written || second->written)) continue;
            if (interval(second, values[b].view, &other_low, &other_high) && low < other_high && other_low < high)
                return 1;
        }
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------------- results */

static PyObject *scalar_object(const leaf_t *leaf, const weft_value *value) {
    PyObject *plain;
    switch (leaf->kind) {
    case 'b': plain = PyBool_FromLong(value->i != 0); break;
    case 'i': plain = PyLong_FromLongLong(value->i); break;
    case 'u': plain = PyLong_FromUnsignedLongLong((uint64_t)value->i); break;
    case 'f': plain = PyFloat_FromDouble(value->f); break;
    default: plain = PyComplex_FromDoubles(value->c[0], value->c[1]);
    }
    if (leaf->code != 'S' || !plain) return plain;
    PyObject *typed = PyObject_CallOneArg(leaf->type, plain);
    Py_DECREF(plain);
    return typed;
}

/* A number that may be of another type, which one of Python's it is. */
static PyObject *told_object(Handle *self, int k, const weft_value *results) {
    int is_own = !self->others[0] || self->others[k] == PLAIN || results[k + 1].i;
    int is_complex = !is_own && self->results[k].kind == 'c';
    PyObject *own = is_complex ? PyFloat_FromDouble(results[k].c[0]) : scalar_object(&self->results[k], &results[k]), *made;
    if (!own || is_own) return own;
    switch (self->others[k]) {
    case 'i': made = PyNumber_Long(own); break;
    case 'f': made = PyNumber_Float(own); break;
    default: made = PyBool_FromLong(PyObject_IsTrue(own));
    }
    Py_DECREF(own);
    return made;
}

static int same_view(const leaf_t *a, const weft_view *x, const leaf_t *b, const weft_view *y) {
    if (x->data != y->data || a->ndim != b->ndim || a->itemsize != b->itemsize || a->kind != b->kind) return 0;
    for (int k = 0; k < a->ndim; k++)
        if (x->shape[k] != y->shape[k] || (x->shape[k] > 1 && x->strides[k] != y->strides[k])) return 0;
    return 1;
}

static PyObject *integers(const int64_t *numbers, int count) {
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) {
        PyObject *item = PyLong_FromLongLong(numbers[k]);
        if (!item) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, k, item);
    }
    return tuple;
}

/* One capsule for all results in the same new memory: the last of them to go frees it. */
static int own_results(Handle *self, const weft_value *results, PyObject **owners) {
    for (int k = 0; k < self->result_count; k++) {
        void *base = is_array(&self->results[k]) ? results[k].view->base : NULL;
        owners[k] = base ? NULL : Py_NewRef(Py_None);
        for (int j = 0; base && !owners[k] && j < k; j++)
            if (owners[j] != Py_None && results[j].view->base == base) owners[k] = Py_NewRef(owners[j]);
        if (!owners[k] && !(owners[k] = PyCapsule_New(base, "weft.memory", travels(self) ? free_travelled : free_result))) {
            while (k-- > 0) Py_DECREF(owners[k]);
            return 0;
        }
    }
    return 1;
}

static PyObject *view_object(Handle *self, int index, const weft_view *view, PyObject *owner, PyObject *const *leaves,
                             const weft_value *values) {
    const leaf_t *leaf = &self->results[index];
    if (owner != Py_None && leaf->code == 'A') return new_array(leaf, view, owner);
    if (!view->base && !leaf->written)
        for (int k = 0; k < self->count; k++)
            if (is_array(&self->leaves[k]) && same_view(leaf, view, &self->leaves[k], values[k].view))
                return Py_NewRef(leaves[k]);
    PyObject *arguments = PyTuple_New(self->count), *shape = integers(view->shape, leaf->ndim),
             *strides = integers(view->strides, leaf->ndim), *made = NULL;
    if (arguments && shape && strides) {
        for (int k = 0; k < self->count; k++) PyTuple_SET_ITEM(arguments, k, Py_NewRef(leaves[k]));
        made = PyObject_CallMethod(self->owner, "wrap_view", "iKOOOO", index, (unsigned long long)(size_t)view->data,
                                   shape, strides, owner, arguments);
    }
    Py_XDECREF(arguments);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    return made;
}

/* The flat results as Python objects; NULL with an error set. */
static PyObject *flat_results(Handle *self, const weft_value *results, PyObject *const *leaves, const weft_value *values) {
    int size = self->result_count, place = 0;
    for (const char *other = self->others; *other; other++) size -= *other == TEST;
    PyObject *owners[MAX_LEAVES + 1], *flat = PyTuple_New(size);
    if (!flat || !own_results(self, results, owners)) {
        Py_XDECREF(flat);
        return NULL;
    }
    for (int k = 0; flat && k < self->result_count; k++) {
        if (self->others[0] && self->others[k] == TEST) continue;
        PyObject *item = is_array(&self->results[k])
                             ? view_object(self, k, results[k].view, owners[k], leaves, values)
                             : told_object(self, k, results);
        if (item) PyTuple_SET_ITEM(flat, place++, item);
        else Py_CLEAR(flat);
    }
    for (int k = 0; k < self->result_count; k++) Py_DECREF(owners[k]);
    return flat;
}

static PyObject *result_object(Handle *self, const weft_value *results, PyObject *const *leaves, const weft_value *values) {
    if (self->form == ONE && self->result_count == 0) Py_RETURN_NONE;
    if (self->form == ONE && !is_array(&self->results[0])) return told_object(self, 0, results);
    PyObject *flat = flat_results(self, results, leaves, values), *made;
    if (!flat || self->form == TUPLE) return flat;
    if (self->form == ONE) made = Py_NewRef(PyTuple_GET_ITEM(flat, 0));
    else made = PyObject_CallMethod(self->owner, "rebuild", "(O)", flat);
    Py_DECREF(flat);
    return made;
}

/* --------------------------------------------------------------------------------------------------------- runs */

/* It may wait for another thread that compiles, and that one for its turn. */
static PyObject *ask_owner(Handle *self, const char *method, PyObject *const *leaves, PyObject *detail) {
    PyObject *arguments = PyTuple_New(self->count), *made = NULL;
    if (arguments) {
        for (int k = 0; k < self->count; k++) PyTuple_SET_ITEM(arguments, k, Py_NewRef(leaves[k]));
        int paused = pause_turn();
        made = PyObject_CallMethod(self->owner, method, "OO", arguments, detail);
        resume_turn(paused);
        Py_DECREF(arguments);
    }
    return made;
}

/* ---------------------------------------------------------------------------------------------------- time limits */

static _Thread_local double time_limit;           /* seconds that a program of this thread may take; 0 for no limit */
static _Thread_local weft_alarm *present_alarm;   /* of the innermost call with a limit */
static _Thread_local volatile int *present_stop;  /* the flag of the calls that this thread is in */
static _Thread_local double exceeded;             /* the limit that ended the last program; 0 where none did */

static double exceeded_limit(void) {
    for (const weft_alarm *alarm = present_alarm; alarm; alarm = alarm->outer)
        if (alarm->is_over) return alarm->seconds;
    return 0;
}

int time_is_over(void) { return exceeded_limit() > 0; }

void pause_limits(int pauses) {
    if (pauses) weft_pause_alarm(present_alarm);
    else weft_resume_alarm(present_alarm);
}

/* The flag by which a program on this thread is told to stop: that of Ctrl-C, or of a limit. */
static volatile int *choose_stop(int is_main, volatile int *own) {
    if (is_main) {
        watch_interrupts();
        if (!main_active) *main_stop = 0;
        return main_stop;
    }
    if (present_stop) return present_stop;
    return time_limit > 0 ? own : never_stop;
}

/* Ends the limit of a call, whose flag then stands for others only. */
static void end_limit(weft_alarm *alarm, int32_t status) {
    weft_end_alarm(alarm);
    exceeded = status == WEFT_INTERRUPTED ? exceeded_limit() : 0;
    present_alarm = alarm->outer;
    if (alarm->is_over) *alarm->stop = time_is_over();
}

static PyObject *report_interrupt(Handle *self, PyObject *const *leaves) {
    double seconds = exceeded > 0 ? exceeded : exceeded_limit();
    exceeded = 0;
    if (PyErr_CheckSignals()) return NULL;
    if (seconds <= 0) return PyErr_SetNone(PyExc_KeyboardInterrupt), NULL;
    PyObject *limit = PyFloat_FromDouble(seconds), *made = limit ? ask_owner(self, "timed_out", leaves, limit) : NULL;
    Py_XDECREF(limit);
    return made;
}

static PyObject *report_status(Handle *self, int32_t status, const weft_fault *fault, PyObject *const *leaves) {
    if (status == WEFT_INTERRUPTED) return report_interrupt(self, leaves);
    if (status == WEFT_OTHER_VARIANT) return ask_owner(self, "other_variant", leaves, Py_None);
    if (status == WEFT_LAID_ANEW) return ask_owner(self, "again", leaves, Py_None);
    if (status == WEFT_NO_MEMORY) return PyErr_NoMemory();
    PyObject *detail = Py_BuildValue("iLy#", (int)(status > 0 ? fault->site : status), (long long)fault->iteration,
                                     (const char *)fault->operands, (Py_ssize_t)sizeof fault->operands);
    if (!detail) return NULL;
    PyObject *made = ask_owner(self, "fault", leaves, detail);
    Py_DECREF(detail);
    return made;
}

/* The kernel clock, for benchmarks: off, it costs a call nothing that can be measured. */
static int clock_runs;
static double kernel_time;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What opens a range of a profiler around each program, and around each thing that a device is asked for in it; and what
   closes the last one. NULL where none listens. */
static PyObject *range_opener, *event_opener, *range_closer;

static int call_profiler(PyObject *function, PyObject *argument) {
    PyObject *done = argument ? PyObject_CallOneArg(function, argument) : PyObject_CallNoArgs(function);
    if (!done) PyErr_WriteUnraisable(function);
    Py_XDECREF(done);
    return done != NULL;
}

/* Named by the function, and the line that called it. */
static int open_range(const Handle *self) {
    const weft_cause *cause = &weft_present_cause;
    PyObject *place = Py_BuildValue("zzi", self->name, cause->file, cause->line);
    int is_open = place && call_profiler(range_opener, place);
    if (!place) PyErr_WriteUnraisable(range_opener);
    Py_XDECREF(place);
    return is_open;
}

static int32_t enter(Handle *self, const weft_value *values, weft_value *results, weft_fault *fault, caller_t *caller) {
    int is_apart = travels(self);
    weft_guests outer_guests = weft_present_guests, mine = coming_guests;
    weft_present_guests = mine;
    coming_guests = (weft_guests){0};
    const weft_device *outer = travelling;
    travelling = is_apart ? self->device : NULL;
    weft_runtime runtime = {weft_parallel, weft_is_shared, is_apart ? allocate_to_travel : allocate,
                            is_apart ? release_after_travel : release, never_stop, self->device,
                            &weft_mirror_functions, call_python, caller, find_kernel, weft_in_order, weft_await_turn,
                            weft_undoing, calls_left, stack_end()};
    weft_entry entry = self->entry; /* the handle may become another one while this runs */
    caller->kernels = self->kernels;
    caller->loader = Py_NewRef(self->loader);
    int interruptible = PyThread_get_thread_ident() == main_thread;
    volatile int on_stack = 0, *outer_stop = present_stop;
    volatile int *own_stop = time_limit > 0 && !interruptible ? weft_take_stop() : NULL;
    runtime.stop = choose_stop(interruptible, own_stop ? own_stop : &on_stack);
    main_active += interruptible;
    if (runtime.stop != never_stop) present_stop = caller->stop = runtime.stop;
    weft_alarm alarm = {.outer = present_alarm};
    int is_limited = time_limit > 0 && !weft_set_alarm(&alarm, time_limit, runtime.stop);
    if (is_limited) present_alarm = &alarm;
    int32_t status;
    int has_range = range_opener && open_range(self);
    Py_BEGIN_ALLOW_THREADS
    double start = clock_runs ? now() : 0.0;
    status = entry(&runtime, values, results, fault);
    if (status == WEFT_INTERRUPTED && self->device) self->device->wait(self->device); /* while it is told to stop */
    if (clock_runs) kernel_time = now() - start;
    Py_END_ALLOW_THREADS
    if (has_range) call_profiler(range_closer, NULL);
    Py_CLEAR(caller->loader);
    travelling = outer;
    weft_present_guests = outer_guests;
    coming_guests = mine;
    if (is_limited) end_limit(&alarm, status);
    weft_give_stop(own_stop);
    present_stop = outer_stop;
    main_active -= interruptible;
    return status;
}

/* An array whose new elements do not reach those who look at it elsewhere, and why. */
typedef struct {
    Coherent *array;
    const weft_device *place;
    int status;
} unshown_t;

/* Tells coherent arrays that they were written: all of them, and gives the first that fails. */
static unshown_t mark_written(Handle *self, int32_t status, PyObject *const *leaves) {
    unshown_t first = {NULL};
    if (status == WEFT_OTHER_VARIANT || status == WEFT_LAID_ANEW || status == WEFT_NO_ROOM) return first;
    for (int k = 0; k < self->count; k++) {
        if (!self->leaves[k].written || !is_coherent(leaves[k])) continue;
        unshown_t mark = {(Coherent *)leaves[k], is_on_host(&self->leaves[k]) ? NULL : self->device, 0};
        weft_storage *storage = &mark.array->storage->storage;
        if (status == WEFT_DEVICE_FAILED && mark.place) WITHOUT_PYTHON(weft_storage_spoiled(storage, mark.place));
        else mark.status = coherent_wrote(mark.array, mark.place);
        if (mark.status && !first.status) first = mark;
    }
    for (int k = 0; self->slabs == IN_SLABS && k < self->count; k++)
        if (is_array(&self->leaves[k]) && is_coherent(leaves[k]))
            WITHOUT_PYTHON(weft_storage_passed(&((Coherent *)leaves[k])->storage->storage, self->leaves[k].written));
    return first;
}

/* Lets the ledger know what the call is about, and whoever has to say which call queued a kernel that failed. */
static void name_cause(const Handle *self) {
    find_user_line();
    weft_present_cause.program = self->name;
    weft_present_cause.program_file = self->file;
}

static void name_arrays(const Handle *self, const weft_value *values, weft_named *named) {
    weft_cause *cause = &weft_present_cause;
    cause->array = NULL;
    cause->arrays = named;
    for (int k = 0; k < self->count; k++) {
        char *low, *high;
        if (is_on_host(&self->leaves[k]) && interval(&self->leaves[k], values[k].view, &low, &high))
            named[cause->count++] = (weft_named){low, high, self->leaves[k].name};
    }
}

/* The coherent arrays that a program changes on the device, as they were: for a program that may find a fault half-way. */
static int save_written(Handle *self, PyObject *const *leaves, uint64_t *saved) {
    int status = 0;
    for (int k = 0; k < self->count; k++) {
        const leaf_t *leaf = &self->leaves[k];
        saved[k] = 0;
        if (is_on_device(leaf) && !is_coherent(leaves[k])) return WEFT_NOT_OURS;
    }
    Py_BEGIN_ALLOW_THREADS
    for (int k = 0; !status && k < self->count; k++)
        if (is_on_device(&self->leaves[k]) && self->leaves[k].written)
            status = weft_storage_save(&((Coherent *)leaves[k])->storage->storage, self->device, &saved[k]);
    Py_END_ALLOW_THREADS
    return status;
}

/* Gives what was saved back, to the arrays if they are to be as they were. */
static int end_saving(Handle *self, PyObject *const *leaves, const uint64_t *saved, int restores) {
    int status = 0;
    for (int k = self->count - 1; k >= 0; k--) {
        if (!saved[k]) continue;
        weft_storage *storage = &((Coherent *)leaves[k])->storage->storage;
        int ended;
        WITHOUT_PYTHON(ended = weft_storage_unsave(storage, self->device, saved[k], restores));
        if (!status) status = ended;
    }
    return status;
}

/* Before a call returns: other libraries may use their arrays, and the caller its own. A status. */
static int finish(Handle *self, const foreign_order *order) {
    int status;
    if (!order->count && !order->waits) return weft_device_finish_sends(self->device);
    Py_BEGIN_ALLOW_THREADS
    status = return_foreign(self->device, order);
    if (!status) status = weft_device_finish_sends(self->device);
    Py_END_ALLOW_THREADS
    return status;
}

/* A large array of the caller's: whether it comes again is for Python to know. 0 with a Python error set. */
static int note_array(const weft_device *device, PyObject *array) {
    PyObject *module = PyImport_ImportModule("weft.runtime.arrays.pinning");
    PyObject *done = module ? PyObject_CallMethod(module, "seen", "OK", array, (unsigned long long)(size_t)device) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(done);
    return done != NULL;
}

/* The bytes of a coherent array that are going to need room on the device. */
static size_t bytes_to_come(const Handle *self, const leaf_t *leaf, Coherent *array, int *passes) {
    weft_storage *storage = &array->storage->storage;
    if (leaf->code == 'A') return 0;
    uint64_t address;
    if (weft_storage_is_there(storage, self->device, &address)) return *passes = 0;
    int is_away;
    WITHOUT_PYTHON(*passes &= weft_storage_may_pass(storage); is_away = weft_storage_is_away(storage, self->device));
    return is_away ? storage->bytes : 0;
}

static void come(size_t bytes, size_t *given, size_t *places) {
    *given += bytes;
    *places += bytes ? weft_pool_size(bytes) : 0;
}

/* The coherent arrays that a call has on the device stay there until it returns, or asks Python to run another program. */
static void hold(const leaf_t *leaf, PyObject *array) {
    weft_storage *storage = &((Coherent *)array)->storage->storage;
    if (is_on_device(leaf)) weft_storage_hold(storage);
    storage->name = leaf->name;
}

static void let_go(const Handle *self, PyObject *const *leaves, int count) {
    for (int k = 0; k < count; k++)
        if (is_on_device(&self->leaves[k]) && is_coherent(leaves[k]))
            weft_storage_let_go(&((Coherent *)leaves[k])->storage->storage);
}

/* Whether an array of the host shows elements of a coherent one that is on the device, and either is written: their
   addresses do not meet. */
static int shows_another(const Handle *self, PyObject *const *leaves, const weft_value *values) {
    for (int k = 0; k < self->count; k++) {
        if (!is_on_device(&self->leaves[k]) || !is_coherent(leaves[k])) continue;
        const weft_storage *storage = &((Coherent *)leaves[k])->storage->storage;
        const char *low = storage->host;
        for (int j = 0; low && j < self->count; j++) {
            if (!is_on_host(&self->leaves[j]) || is_coherent(leaves[j])) continue;
            const char *data = values[j].view->data;
            if (data >= low && data < low + storage->bytes && (self->leaves[k].written || self->leaves[j].written)) return 1;
        }
    }
    return 0;
}

/* The same for one that another library got on the device, where the coherent array itself is not among the arguments. */
static int shows_an_export(const Handle *self, PyObject *const *leaves, const weft_value *values) {
    for (int k = 0; k < self->count; k++) {
        char *low, *high;
        if (!is_on_device(&self->leaves[k]) || is_coherent(leaves[k])) continue;
        if (!interval(&self->leaves[k], values[k].view, &low, &high)) continue;
        for (int j = 0; j < self->count; j++) {
            if (!is_on_host(&self->leaves[j]) || is_coherent(leaves[j])) continue;
            weft_storage *storage = self->leaves[k].written || self->leaves[j].written ? storage_behind(leaves[j]) : NULL;
            uint64_t start = 0;
            if (storage) WITHOUT_PYTHON(start = weft_storage_address(storage, self->device));
            if (start && (uint64_t)(size_t)low < start + storage->bytes && start < (uint64_t)(size_t)high) return 1;
        }
    }
    return 0;
}

enum { LARGE_CALL = 1 << 25 }; /* bytes of arrays of the host from which on it is worth to ask Python something */

/* 1: ran, *made is the result or NULL with an error set; 0: the leaves do not fit this handle. */
static int run_in_turn(Handle *self, PyObject *const *leaves, int test_aliasing, PyObject **made) {
    weft_value values[MAX_LEAVES + 1], results[MAX_LEAVES + 1];
    weft_view views[MAX_LEAVES + 1], result_views[MAX_LEAVES + 1];
    Py_buffer buffers[MAX_LEAVES + 1];
    weft_named named[MAX_LEAVES + 1];
    foreign_order order = {.count = 0};
    int held = 0, coherent = 0, fits = 1, k, is_watched = weft_ledger_on, noted = is_watched || self->device || range_opener;
    int passes = 1;   /* nothing of what goes to the device has to stay there */
    size_t given = 0, places = 0; /* bytes of arrays that are not on the device, and what they take there */
    if (noted) name_cause(self);
    for (k = 0; fits && k < self->count; k++) {
        const leaf_t *leaf = &self->leaves[k];
        values[k].view = &views[k];
        if (!is_array(leaf)) fits = pack_scalar(leaf, leaves[k], &values[k]);
        else if (is_coherent(leaves[k])) {
            hold(leaf, leaves[k]);
            if ((fits = fits_coherent(self, leaf, (Coherent *)leaves[k])))
                coherent = 1, come(bytes_to_come(self, leaf, (Coherent *)leaves[k], &passes), &given, &places);
        }
        else if (is_on_device(leaf)) fits = leaf->code == 'F' && pack_foreign_array(self, leaf, leaves[k], &views[k], &order);
        else if ((fits = pack_array(leaf, leaves[k], &buffers[held], &views[k]))) {
            held++;
            if (leaf->code == 'V') continue;
            if (test_aliasing && self->device && (size_t)buffers[held - 1].len >= weft_device_policy(self->device)->pin)
                fits = note_array(self->device, leaves[k]);
            come((size_t)buffers[held - 1].len, &given, &places);
        }
    }
    int seen = k;
    int is_large = fits && test_aliasing && self->device && !weft_device_has_room(self->device, places);
    passes &= fits && test_aliasing && self->slabs == CUTTABLE && given >= LARGE_CALL;
    int shows = fits && test_aliasing && held &&
                ((coherent && shows_another(self, leaves, values)) || shows_an_export(self, leaves, values));
    for (k = 0; fits && !is_large && !shows && !passes && coherent && k < self->count; k++)
        if (is_array(&self->leaves[k]) && is_coherent(leaves[k]))
            fits = place_coherent(self, &self->leaves[k], (Coherent *)leaves[k], &views[k]);
    const char *question = !fits ? NULL : is_large ? "oversized" : shows ? "shown" : passes ? "beside" : NULL;
    if (fits && !question && test_aliasing && aliased(self, values)) question = "aliased";
    if (question) { /* what runs instead may have to give their memory on the device back */
        let_go(self, leaves, seen);
        seen = 0;
        *made = ask_owner(self, question, leaves, Py_None);
    } else if (fits) {
        weft_fault fault = {0};
        for (k = 0; k < self->result_count; k++) {
            result_views[k].base = NULL;
            if (is_array(&self->results[k])) results[k].view = &result_views[k];
        }
        if (is_watched || event_opener) name_arrays(self, values, named);
        uint64_t saved[MAX_LEAVES + 1] = {0};
        int keeps = coherent && self->spoils && !save_written(self, leaves, saved);
        caller_t caller = {.owner = self->owner, .leaves = leaves, .count = self->count};
        int32_t status = enter(self, values, results, &fault, &caller);
        int replays = keeps && status > 0;
        if (end_saving(self, leaves, saved, replays)) status = WEFT_DEVICE_FAILED;
        replays = replays && status > 0;
        unshown_t unshown = {NULL};
        if (coherent && !replays) unshown = mark_written(self, status, leaves);
        if (caller.type) {
            PyErr_Restore(caller.type, caller.value, caller.traceback);
            *made = NULL;
        } else if (replays) *made = ask_owner(self, "replay", leaves, Py_None);
        else if (status == WEFT_NO_ROOM) {
            let_go(self, leaves, seen);
            seen = 0;
            *made = ask_owner(self, "oversized", leaves, Py_None);
        }
        else *made = status == WEFT_OK ? result_object(self, results, leaves, values)
                                       : report_status(self, status, &fault, leaves);
        if (unshown.status && *made) {
            Py_CLEAR(*made);
            raise_unshown(unshown.array, unshown.place, unshown.status);
        }
    }
    if (fits && self->device && finish(self, &order) && *made) {
        Py_CLEAR(*made);
        *made = report_status(self, WEFT_DEVICE_FAILED, &(weft_fault){0}, leaves);
    }
    for (k = 0; k < held; k++) PyBuffer_Release(&buffers[k]);
    let_go(self, leaves, seen);
    if (noted) weft_present_cause = (weft_cause){0};
    return fits;
}

static int run(Handle *self, PyObject *const *leaves, int test_aliasing, PyObject **made) {
    if (!self->device || !weft_pool_is_limited()) return run_in_turn(self, leaves, test_aliasing, made);
    if (!take_turn()) return 0;
    int fits = run_in_turn(self, leaves, test_aliasing, made);
    end_turn();
    return fits;
}

/* ------------------------------------------------------------------------------------------------------- Handle */

static void free_leaves(leaf_t *leaves, int count) {
    for (int k = 0; leaves && k < count; k++) {
        Py_XDECREF(leaves[k].type);
    }
    PyMem_Free(leaves);
}

/* Leaves come as tuples (code, kind, itemsize, ndim, contiguous, writable, written, type, name). */
static leaf_t *read_leaves(PyObject *sequence, int *count) {
    PyObject *fast = PySequence_Fast(sequence, "leaves must be a sequence");
    if (!fast) return NULL;
    Py_ssize_t size = PySequence_Fast_GET_SIZE(fast);
    leaf_t *leaves = size <= MAX_LEAVES ? PyMem_Calloc(size + 1, sizeof(leaf_t)) : NULL;
    if (!leaves) PyErr_Format(PyExc_ValueError, "at most %d arguments and results", MAX_LEAVES);
    for (Py_ssize_t k = 0; leaves && k < size; k++) {
        int code, kind, contiguous, writable, written;
        PyObject *type, *name;
        if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(fast, k), "CCnipppOU", &code, &kind, &leaves[k].itemsize,
                              &leaves[k].ndim, &contiguous, &writable, &written, &type, &name)) {
            free_leaves(leaves, (int)size);
            leaves = NULL;
            break;
        }
        leaves[k].code = (char)code;
        leaves[k].kind = (char)kind;
        leaves[k].contiguous = (char)contiguous;
        leaves[k].writable = (char)writable;
        leaves[k].written = (char)written;
        leaves[k].type = Py_NewRef(type);
        leaves[k].name = lasting_text(name);
    }
    *count = (int)size;
    Py_DECREF(fast);
    return leaves;
}

static int handle_init(Handle *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"path", "entry", "leaves", "results", "owner", "form", "others", "device", "kernels", "loader", "name",
                            "file", "from_host", "spoils", "slabs", NULL};
    const char *path, *entry;
    PyObject *leaves, *results, *owner, *others, *loader, *name, *file;
    int form, from_host, spoils, slabs, kernels;
    unsigned long long device;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ssOOOiUKiOUUppi", names, &path, &entry, &leaves, &results, &owner, &form,
                                     &others, &device, &kernels, &loader, &name, &file, &from_host, &spoils, &slabs))
        return -1;
    if (self->library) return PyErr_SetString(PyExc_TypeError, "a handle is made once"), -1;
    self->owner = Py_NewRef(owner);
    self->form = (char)form;
    self->others = lasting_text(others);
    self->from_host = (char)from_host;
    self->spoils = (char)spoils;
    self->slabs = (char)slabs;
    self->name = lasting_text(name);
    self->file = lasting_text(file);
    self->device = (const weft_device *)(size_t)device;
    self->loader = Py_NewRef(loader);
    if (!(self->kernels = PyMem_Calloc((size_t)kernels + 1, sizeof(void *)))) return PyErr_NoMemory(), -1;
    if (!(self->leaves = read_leaves(leaves, &self->count))) return -1;
    if (!(self->results = read_leaves(results, &self->result_count))) return -1;
    if (!(self->library = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        return PyErr_Format(PyExc_OSError, "cannot load compiled code: %s", dlerror()), -1;
    if (!(self->entry = (weft_entry)(size_t)dlsym(self->library, entry)))
        return PyErr_Format(PyExc_ImportError, "compiled code has no entry %s", entry), -1;
    return 0;
}

/* The library stays loaded: threads may still be leaving it, and another handle may share it. */
static void handle_dealloc(Handle *self) {
    PyObject_GC_UnTrack(self);
    free_leaves(self->leaves, self->count);
    free_leaves(self->results, self->result_count);
    PyMem_Free(self->kernels);
    Py_XDECREF(self->loader);
    Py_XDECREF(self->owner);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static int handle_traverse(Handle *self, visitproc visit, void *arg) {
    Py_VISIT(self->owner);
    Py_VISIT(self->loader);
    return 0;
}

static int handle_clear(Handle *self) {
    Py_CLEAR(self->owner);
    Py_CLEAR(self->loader);
    return 0;
}

static PyObject *run_tuple(Handle *self, PyObject *leaves, int test_aliasing) {
    if (!PyTuple_Check(leaves) || PyTuple_GET_SIZE(leaves) != self->count)
        return PyErr_Format(PyExc_TypeError, "a tuple of %d leaves is expected", self->count);
    PyObject *made = NULL;
    if (!run(self, ((PyTupleObject *)leaves)->ob_item, test_aliasing, &made)) {
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NOTIMPLEMENTED;
    }
    return made;
}

static PyObject *handle_run(Handle *self, PyObject *leaves) { return run_tuple(self, leaves, 1); }

static PyObject *handle_run_disjoint(Handle *self, PyObject *leaves) { return run_tuple(self, leaves, 0); }

static PyTypeObject HandleType;

/* Takes over the code of another handle of the same program, which is of no use afterwards. Calls that run go on with what
   they began with, so that code, its kernels and their table are never given back. */
static PyObject *handle_become(Handle *self, PyObject *other) {
    if (Py_TYPE(other) != &HandleType || ((Handle *)other)->count != self->count)
        return PyErr_Format(PyExc_TypeError, "a handle of the same program is expected"), NULL;
    Handle *made = (Handle *)other;
    self->library = made->library;
    self->entry = made->entry;
    self->kernels = made->kernels;
    made->kernels = NULL;
    PyObject *loader = self->loader;
    self->loader = made->loader;
    made->loader = Py_NewRef(Py_None);
    Py_XDECREF(loader);
    Py_RETURN_NONE;
}

static PyMethodDef handle_methods[] = {
    {"run", (PyCFunction)handle_run, METH_O, "Run on leaves in the order of the parameters; NotImplemented: they do not fit."},
    {"run_disjoint", (PyCFunction)handle_run_disjoint, METH_O, "The same without the aliasing test, made elsewhere."},
    {"become", (PyCFunction)handle_become, METH_O, "Take over the code of another handle of the same program."},
    {NULL, NULL, 0, NULL}};

static PyTypeObject HandleType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "weft.runtime._stub.Handle",
    .tp_basicsize = sizeof(Handle),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "One compiled variant of a function.",
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)handle_init,
    .tp_dealloc = (destructor)handle_dealloc,
    .tp_traverse = (traverseproc)handle_traverse,
    .tp_clear = (inquiry)handle_clear,
    .tp_methods = handle_methods,
};

/* --------------------------------------------------------------------------------------------------- Dispatcher */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *choices; /* list of (Handle, captures, guards, classes); captures are tuples of (container, name), guards of
                          (container, name, expected); classes a set of what `classes_of` gives, or None */
    PyObject *recent; /* the set in which a call's class was found last, not owned, and that class */
    Py_ssize_t recent_size;
    unsigned char recent_key[64];
    PyObject *defaults; /* tuple: values of the last parameters */
    Py_ssize_t arity;
    double timeout;     /* seconds that a program may take; 0 for no limit */
    Py_ssize_t memory;  /* bytes of a device that calls may use where nothing around says how many; 0 for all */
} Dispatcher;

/* The attributes that a class has itself: borrowed. Since 3.12 those of Python's own classes are not in `tp_dict`. */
static PyObject *attributes_of(PyTypeObject *class) {
#if PY_VERSION_HEX >= 0x030C0000
    PyObject *attributes = PyType_GetDict(class); /* a new reference; the class keeps the dictionary as long as it lives */
    Py_XDECREF(attributes);
    return attributes;
#else
    return class->tp_dict;
#endif
}

/* What a captured name stands for now: borrowed, or NULL without an error. */
static PyObject *captured(PyObject *capture) {
    PyObject *container = PyTuple_GET_ITEM(capture, 0);
    if (PyCell_Check(container)) return PyCell_GET(container);
    if (PyType_Check(container)) container = attributes_of((PyTypeObject *)container);
    return PyDict_GetItemWithError(container, PyTuple_GET_ITEM(capture, 1));
}

static int is_still(PyObject *now, PyObject *parts, int index) {
    return (now ? now : Py_None) == PyTuple_GET_ITEM(parts, index);
}

/* Whether a class inherits from what it did, and has the same names: see `parts_of_class` of fingerprint.py. */
static int is_class_still(PyTypeObject *class, PyObject *expected) {
    PyObject *attributes = attributes_of(class), *names = PyTuple_GET_ITEM(expected, 1), *name;
    Py_ssize_t place = 0;
    if (class->tp_mro != PyTuple_GET_ITEM(expected, 0) || PyDict_GET_SIZE(attributes) != PySet_GET_SIZE(names)) return 0;
    while (PyDict_Next(attributes, &place, &name, NULL))
        if (PySet_Contains(names, name) <= 0) return 0;
    return 1;
}

/* Whether what a guard names is what it was: of a function, what can be assigned in place. */
static int guard_holds(PyObject *guard) {
    PyObject *container = PyTuple_GET_ITEM(guard, 0), *expected = PyTuple_GET_ITEM(guard, 2);
    if (PyType_Check(container) && !PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(guard, 1)))
        return is_class_still((PyTypeObject *)container, expected);
    if (!PyFunction_Check(container)) {
        PyObject *found = captured(guard);
        return (found ? found : Py_NotImplemented) == expected; /* ABSENT of fingerprint.py */
    }
    return PyFunction_GET_CODE(container) == PyTuple_GET_ITEM(expected, 0) &&
           is_still(PyFunction_GET_DEFAULTS(container), expected, 1) &&
           is_still(PyFunction_GET_KW_DEFAULTS(container), expected, 2);
}

/* The class of an extent or an integer: it tells apart what differs by more than a quarter; one for all below zero. */
static unsigned char class_of(int64_t number) {
    if (number < 4) return number < 0 ? 0 : (unsigned char)(number + 1);
    int bits = 63 - __builtin_clzll((unsigned long long)number);
    return (unsigned char)(4 * (bits - 1) + ((number >> (bits - 2)) & 3) + 1);
}

/* How every array object of NumPy begins: its macros compile this layout into all modules that use them. */
typedef struct {
    PyObject_HEAD
    char *data;
    int ndim;
    Py_ssize_t *shape;
} array_head;

/* Appends the classes of a leaf: of extents, of an integer; and where a coherent array is current. */
static inline unsigned char *put_classes(PyObject *leaf, unsigned char *end) {
    if (is_numpy_array(leaf)) {
        const array_head *array = (const array_head *)leaf; /* the buffer protocol would cost more than the call may */
        for (int k = 0; k < array->ndim && k < WEFT_MAX_DIMS; k++) *end++ = class_of(array->shape[k]);
    } else if (PyFloat_CheckExact(leaf)) {
        return end;
    } else if (is_coherent(leaf)) {
        const Coherent *array = (const Coherent *)leaf;
        weft_storage *storage = &array->storage->storage;
        uint64_t places;
        if (!weft_storage_places_now(storage, &places)) WITHOUT_PYTHON(places = weft_storage_places(storage));
        for (int k = 0; k < array->ndim; k++) *end++ = class_of(array->shape[k]);
        memcpy(end, &places, sizeof places);
        end += sizeof places;
    } else if (PyLong_Check(leaf) || PyObject_TypeCheck(leaf, integer_type)) {
        int overflow;
        PyObject *number = PyNumber_Index(leaf);
        *end++ = number ? class_of(PyLong_AsLongLongAndOverflow(number, &overflow)) : 0;
        Py_XDECREF(number);
    }
    return end;
}

enum { MAX_CLASSES = MAX_LEAVES * (WEFT_MAX_DIMS + sizeof(uint64_t)) };

/* What the choice of a device depends on, besides types: the same for calls that run on the same one. Its length. */
static Py_ssize_t classes_of(PyObject *const *leaves, Py_ssize_t count, unsigned char *key) {
    unsigned char *end = key;
    for (Py_ssize_t k = 0; k < count; k++) end = put_classes(leaves[k], end);
    return end - key;
}

/* Whether a choice is for calls of this size; -1 with a Python error set. Sets of classes only grow. */
static int is_of_size(Dispatcher *self, PyObject *classes, PyObject *const *leaves, Py_ssize_t count) {
    unsigned char key[MAX_CLASSES];
    if (classes == Py_None) return 1;
    Py_ssize_t size = classes_of(leaves, count, key);
    if (classes == self->recent && size == self->recent_size && !memcmp(key, self->recent_key, (size_t)size)) return 1;
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)key, size);
    int found = bytes ? PySet_Contains(classes, bytes) : -1;
    Py_XDECREF(bytes);
    if (found > 0 && size <= (Py_ssize_t)sizeof self->recent_key) {
        memcpy(self->recent_key, key, (size_t)size);
        self->recent_size = size;
        self->recent = classes;
    }
    return found;
}

static int run_choice(Dispatcher *self, PyObject *choice, PyObject *const *leaves, PyObject **made) {
    Handle *handle = (Handle *)PyTuple_GET_ITEM(choice, 0);
    return is_of_size(self, PyTuple_GET_ITEM(choice, 3), leaves, handle->count) > 0 && run(handle, leaves, 1, made);
}

static int fits_choice(Dispatcher *self, PyObject *choice, PyObject *const *args, PyObject **made) {
    Handle *handle = (Handle *)PyTuple_GET_ITEM(choice, 0);
    PyObject *captures = PyTuple_GET_ITEM(choice, 1), *guards = PyTuple_GET_ITEM(choice, 2);
    Py_ssize_t extra = PyTuple_GET_SIZE(captures);
    if (self->arity + extra != handle->count) return 0;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(guards); k++)
        if (!guard_holds(PyTuple_GET_ITEM(guards, k))) return 0;
    if (!extra) return run_choice(self, choice, args, made);
    PyObject *leaves[MAX_LEAVES];
    for (Py_ssize_t k = 0; k < self->arity; k++) leaves[k] = args[k];
    for (Py_ssize_t k = 0; k < extra; k++) {
        PyObject *value = captured(PyTuple_GET_ITEM(captures, k));
        if (!value) {
            for (Py_ssize_t j = 0; j < k; j++) Py_DECREF(leaves[self->arity + j]);
            return 0;
        }
        leaves[self->arity + k] = Py_NewRef(value);
    }
    int fits = run_choice(self, choice, leaves, made);
    for (Py_ssize_t k = 0; k < extra; k++) Py_DECREF(leaves[self->arity + k]);
    return fits;
}

/* The result of the first choice that fits; NULL without an error where none does. */
static PyObject *try_choices(Dispatcher *self, PyObject *const *args) {
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(self->choices); k++) {
        PyObject *made = NULL, *choice = Py_NewRef(PyList_GET_ITEM(self->choices, k));
        int fits = fits_choice(self, choice, args, &made);
        Py_DECREF(choice);
        if (fits || PyErr_Occurred()) return made;
    }
    return NULL;
}

/* The same for positional arguments of which the last may be missing. */
static PyObject *try_positional(Dispatcher *self, PyObject *const *args, Py_ssize_t count) {
    if (count == self->arity) return try_choices(self, args);
    Py_ssize_t given = self->defaults ? PyTuple_GET_SIZE(self->defaults) : 0;
    if (count > self->arity || count + given < self->arity || self->arity > MAX_LEAVES) return NULL;
    PyObject *all[MAX_LEAVES];
    for (Py_ssize_t k = 0; k < self->arity; k++)
        all[k] = k < count ? args[k] : PyTuple_GET_ITEM(self->defaults, given - self->arity + k);
    return try_choices(self, all);
}

static PyObject *call_within_limit(PyObject *callable, PyObject *const *args, size_t flags, PyObject *keywords) {
    Dispatcher *self = (Dispatcher *)callable;
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (!keywords && self->arity >= 0 && !in_context) {
        PyObject *made = try_positional(self, args, count);
        if (made || PyErr_Occurred()) return made;
    }
    PyObject *positional = PyTuple_New(count), *named = PyDict_New(), *made = NULL;
    if (positional && named) {
        for (Py_ssize_t k = 0; k < count; k++) PyTuple_SET_ITEM(positional, k, Py_NewRef(args[k]));
        int failed = 0;
        for (Py_ssize_t k = 0; keywords && !failed && k < PyTuple_GET_SIZE(keywords); k++)
            failed = PyDict_SetItem(named, PyTuple_GET_ITEM(keywords, k), args[count + k]);
        if (!failed) made = PyObject_CallMethod(callable, "_miss", "OO", positional, named);
    }
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return made;
}

/* The same with a limit of the device's memory, unless the thread has one already. */
static PyObject *call_within_memory(PyObject *callable, PyObject *const *args, size_t flags, PyObject *keywords) {
    size_t own = (size_t)((Dispatcher *)callable)->memory;
    if (!own) return call_within_limit(callable, args, flags, keywords);
    size_t outer = weft_pool_limit(own);
    if (outer != SIZE_MAX) weft_pool_limit(outer);
    PyObject *made = call_within_limit(callable, args, flags, keywords);
    weft_pool_limit(outer);
    return made;
}

/* Raise what a call raised again, with the frames that `_users_frames` leaves in its traceback. */
static void show_users_frames(PyObject *callable) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *kept = trace ? PyObject_CallMethod(callable, "_users_frames", "OO", value, trace) : NULL;
    if (!kept) PyErr_Clear();
    else {
        PyException_SetTraceback(value, kept);
        Py_DECREF(trace);
        trace = kept;
        if (kept == Py_None) Py_CLEAR(trace);
    }
    PyErr_Restore(type, value, trace);
}

static PyObject *dispatcher_call(PyObject *callable, PyObject *const *args, size_t flags, PyObject *keywords) {
    double outer = time_limit;
    time_limit = ((Dispatcher *)callable)->timeout;
    PyObject *made = call_within_memory(callable, args, flags, keywords);
    time_limit = outer;
    if (!made) show_users_frames(callable);
    return made;
}

static PyObject *dispatcher_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Dispatcher *self = (Dispatcher *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->vectorcall = dispatcher_call;
    self->arity = -1;
    if (!(self->choices = PyList_New(0))) Py_CLEAR(self);
    return (PyObject *)self;
}

static int dispatcher_clear(Dispatcher *self);

static void dispatcher_dealloc(Dispatcher *self) {
    PyObject_GC_UnTrack(self);
    dispatcher_clear(self);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static int dispatcher_traverse(Dispatcher *self, visitproc visit, void *arg) {
    Py_VISIT(self->choices);
    Py_VISIT(self->defaults);
    return 0;
}

static int dispatcher_clear(Dispatcher *self) {
    Py_CLEAR(self->choices);
    Py_CLEAR(self->defaults);
    return 0;
}

/* _add(handle, captures, guards, classes=None): newest first, since a call that missed is likely to come again. */
static PyObject *dispatcher_add(Dispatcher *self, PyObject *args) {
    PyObject *handle, *captures, *guards, *classes = Py_None;
    if (!PyArg_ParseTuple(args, "O!O!O!|O", &HandleType, &handle, &PyTuple_Type, &captures, &PyTuple_Type, &guards, &classes))
        return NULL;
    if (classes != Py_None && !PySet_Check(classes)) return PyErr_Format(PyExc_TypeError, "a set is expected");
    PyObject *choice = PyTuple_Pack(4, handle, captures, guards, classes);
    if (!choice) return NULL;
    int failed = PyList_Insert(self->choices, 0, choice);
    Py_DECREF(choice);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static PyObject *dispatcher_take_defaults(Dispatcher *self, PyObject *defaults) {
    if (!PyTuple_Check(defaults)) return PyErr_Format(PyExc_TypeError, "a tuple is expected");
    Py_XSETREF(self->defaults, Py_NewRef(defaults));
    Py_RETURN_NONE;
}

static PyMethodDef dispatcher_methods[] = {
    {"_take_defaults", (PyCFunction)dispatcher_take_defaults, METH_O, "Set the values of the last parameters."},
    {"_add", (PyCFunction)dispatcher_add, METH_VARARGS, "Add a specialisation that takes its arguments as they come."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef dispatcher_members[] = {
    {"_arity", T_PYSSIZET, offsetof(Dispatcher, arity), 0, "positional arguments of a call that is tried here"},
    {"_timeout", T_DOUBLE, offsetof(Dispatcher, timeout), 0, "seconds that a program may take; 0 for no limit"},
    {"_memory", T_PYSSIZET, offsetof(Dispatcher, memory), 0, "bytes of a device that calls may use; 0 for all"},
    {"_choices", T_OBJECT, offsetof(Dispatcher, choices), READONLY, "specialisations that are tried here"},
    {NULL, 0, 0, 0, NULL}};

static PyTypeObject DispatcherType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "weft.runtime._stub.Dispatcher",
    .tp_basicsize = sizeof(Dispatcher),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "A callable that finds the specialisation for its arguments.",
    .tp_new = dispatcher_new,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(Dispatcher, vectorcall),
    .tp_dealloc = (destructor)dispatcher_dealloc,
    .tp_traverse = (traverseproc)dispatcher_traverse,
    .tp_clear = (inquiry)dispatcher_clear,
    .tp_methods = dispatcher_methods,
    .tp_members = dispatcher_members,
};

/* -------------------------------------------------------------------------------------------------------- module */

static PyObject *set_threads(PyObject *module, PyObject *number) {
    long count = PyLong_AsLong(number);
    if (count == -1 && PyErr_Occurred()) return NULL;
    weft_set_threads((int)count);
    Py_RETURN_NONE;
}

static PyObject *set_grain(PyObject *module, PyObject *number) {
    double nanoseconds = PyFloat_AsDouble(number);
    if (nanoseconds == -1 && PyErr_Occurred()) return NULL;
    weft_set_grain(nanoseconds);
    Py_RETURN_NONE;
}

static PyObject *enter_context(PyObject *module, PyObject *ignored) {
    in_context++;
    Py_RETURN_NONE;
}

static PyObject *leave_context(PyObject *module, PyObject *ignored) {
    in_context--;
    Py_RETURN_NONE;
}

static PyObject *size_class(PyObject *module, PyObject *leaves) {
    if (!PyTuple_Check(leaves) || PyTuple_GET_SIZE(leaves) > MAX_LEAVES)
        return PyErr_Format(PyExc_TypeError, "a tuple of at most %d leaves is expected", MAX_LEAVES);
    unsigned char key[MAX_CLASSES];
    Py_ssize_t size = classes_of(((PyTupleObject *)leaves)->ob_item, PyTuple_GET_SIZE(leaves), key);
    return PyBytes_FromStringAndSize((const char *)key, size);
}

static PyObject *run_clock(PyObject *module, PyObject *argument) {
    int on = PyObject_IsTrue(argument);
    if (on < 0) return NULL;
    clock_runs = on;
    Py_RETURN_NONE;
}

static PyObject *kernel_seconds(PyObject *module, PyObject *none) { return PyFloat_FromDouble(kernel_time); }

static PyObject *present_limit(PyObject *module, PyObject *none) { return PyFloat_FromDouble(time_limit); }

/* What devices do inside of programs, for the same profiler: by whatever thread, which need not hold Python's lock. */
static void open_event(const weft_event *event) {
    const weft_cause *cause = &event->cause;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *what = Py_BuildValue("iKzzi", (int)event->kind, (unsigned long long)(size_t)event->host, cause->array,
                                   cause->program, cause->program_line);
    if (!what) PyErr_WriteUnraisable(event_opener);
    else if (event_opener) call_profiler(event_opener, what);
    Py_XDECREF(what);
    PyGILState_Release(state);
}

static void close_event(void) {
    PyGILState_STATE state = PyGILState_Ensure();
    call_profiler(range_closer, NULL);
    PyGILState_Release(state);
}

static PyObject *watch_programs(PyObject *module, PyObject *args) {
    static const weft_listener listener = {open_event, close_event};
    PyObject *opener, *closer, *events;
    if (!PyArg_ParseTuple(args, "OOO", &opener, &closer, &events)) return NULL;
    weft_listens = NULL;
    Py_XSETREF(range_opener, opener == Py_None ? NULL : Py_NewRef(opener));
    Py_XSETREF(range_closer, Py_NewRef(closer));
    Py_XSETREF(event_opener, events == Py_None ? NULL : Py_NewRef(events));
    weft_listens = event_opener ? &listener : NULL;
    Py_RETURN_NONE;
}

static PyObject *set_limit(PyObject *module, PyObject *number) {
    double seconds = PyFloat_AsDouble(number), before = time_limit;
    if (seconds == -1 && PyErr_Occurred()) return NULL;
    time_limit = seconds;
    return PyFloat_FromDouble(before);
}

/* The flag of a task that another thread may stop: programs of this thread look at it until the task ends. */
static PyObject *begin_task(PyObject *module, PyObject *ignored) {
    volatile int *flag = present_stop ? NULL : weft_take_stop();
    if (flag) present_stop = flag;
    return PyLong_FromVoidPtr((void *)flag);
}

static PyObject *stop_task(PyObject *module, PyObject *number) {
    volatile int *flag = PyLong_AsVoidPtr(number);
    if (!flag && PyErr_Occurred()) return NULL;
    if (flag) *flag = 1;
    Py_RETURN_NONE;
}

static PyObject *end_task(PyObject *module, PyObject *number) {
    volatile int *flag = PyLong_AsVoidPtr(number);
    if (!flag && PyErr_Occurred()) return NULL;
    if (flag && present_stop == flag) present_stop = NULL;
    weft_give_stop(flag);
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    {"begin_task", begin_task, METH_NOARGS, "Take a flag by which programs of this thread can be stopped; 0 where none is left."},
    {"stop_task", stop_task, METH_O, "Stop the programs of the thread that has the flag, from another thread."},
    {"end_task", end_task, METH_O, "Give the flag back, on the thread that took it."},
    {"watch_programs", watch_programs, METH_VARARGS,
     "Call a function with the name and the calling file and line of every program that begins, another when it ends; or None."},
    {"set_limit", set_limit, METH_O, "Set the seconds that a program of this thread may take; gives those before."},
    {"present_limit", present_limit, METH_NOARGS, "Seconds that a program of this thread may take now; 0 for no limit."},
    {"set_guests", set_guests, METH_O, "Say which memory of the host stands for arrays that are on a device."},
    {"size_class", size_class, METH_O, "The sizes of leaves, and where coherent arrays are, as a key: see `class_of`."},
    {"run_clock", run_clock, METH_O, "Measure from now on how long compiled programs run, or no longer."},
    {"kernel_seconds", kernel_seconds, METH_NOARGS, "Seconds in the compiled program of the last call on any thread."},
    {"set_grain", set_grain, METH_O, "Loops of less work than this, in nanoseconds, stay on the calling thread."},
    {"enter_context", enter_context, METH_NOARGS, "Until left again, every call is decided by `_miss`."},
    {"leave_context", leave_context, METH_NOARGS, "Ends one `enter_context`."},
    {"set_threads", set_threads, METH_O, "Use this many threads for parallel loops; 0 for as many as there are cores."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "weft.runtime._stub",
                                    "Calls compiled programs: argument checks, aliasing, results.", -1, module_methods};

PyMODINIT_FUNC PyInit__stub(void) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return NULL;
    int failed = prepare_leaves(numpy) || prepare_numpy();
    integer_type = (PyTypeObject *)PyObject_GetAttrString(numpy, "integer");
    Py_DECREF(numpy);
    if (failed || !integer_type || PyType_Ready(&HandleType) || PyType_Ready(&DispatcherType)) return NULL;
    main_stop = weft_stop(WEFT_MAIN);
    never_stop = weft_stop(WEFT_NEVER);
    sigaction(SIGINT, NULL, &pythons_action);
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *main = threading ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *ident = main ? PyObject_GetAttrString(main, "ident") : NULL;
    main_thread = ident ? PyLong_AsUnsignedLong(ident) : 0;
    Py_XDECREF(threading);
    Py_XDECREF(main);
    Py_XDECREF(ident);
    if (PyErr_Occurred()) return NULL;
    PyObject *made = PyModule_Create(&module);
    if (!made || PyModule_AddObjectRef(made, "Handle", (PyObject *)&HandleType) ||
        PyModule_AddObjectRef(made, "Dispatcher", (PyObject *)&DispatcherType) || add_array_types(made) || add_token_type(made) || prepare_foreign() || prepare_turns() ||
        PyModule_AddStringConstant(made, "sources", WEFT_SOURCES) || PyModule_AddFunctions(made, device_functions) || PyModule_AddFunctions(made, product_functions))
        return NULL;
    return made;
}
