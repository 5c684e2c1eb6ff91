/* Devices for Python: their tables, their memory, and the ledger. Tables are passed as their addresses. */
#include "_stub.h"
#include "support/cuda_device.h"
#include "support/driver.h"
#include "support/ledger.h"
#include "support/mirror.h"
#include "support/opencl_device.h"
#include "support/pinned.h"
#include "support/pool.h"
#include <stdlib.h>

typedef weft_device *(*device_maker)(void *, void *const[WEFT_LANES]);

static PyObject *make_device(PyObject *args, device_maker make) {
    unsigned long long context, given[WEFT_LANES];
    if (!PyArg_ParseTuple(args, "KKKK", &context, &given[WEFT_KERNELS], &given[WEFT_IN], &given[WEFT_OUT])) return NULL;
    void *queues[WEFT_LANES];
    for (int lane = 0; lane < WEFT_LANES; lane++) queues[lane] = (void *)(size_t)given[lane];
    return PyLong_FromVoidPtr(make((void *)(size_t)context, queues));
}

static PyObject *cuda_device(PyObject *module, PyObject *args) { return make_device(args, weft_cuda_device); }

static PyObject *opencl_device(PyObject *module, PyObject *args) { return make_device(args, weft_opencl_device); }

static PyObject *device_failure(PyObject *module, PyObject *ignored) {
    weft_failure last = weft_take_failure();
    return Py_BuildValue("iK", last.status, (unsigned long long)last.bytes);
}

/* A function of one table that returns a status. */
static PyObject *call_table(PyObject *table, int (*function)(const weft_device *)) {
    const weft_device *device = PyLong_AsVoidPtr(table);
    if (!device) return PyErr_Occurred() ? NULL : PyLong_FromLong(0);
    int status;
    Py_BEGIN_ALLOW_THREADS
    status = function(device);
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(status);
}

static int wait(const weft_device *device) { return device->wait(device); }

static PyObject *device_wait(PyObject *module, PyObject *table) { return call_table(table, wait); }

static int settle(const weft_device *device) { return device->settle(device); }

static PyObject *device_settle(PyObject *module, PyObject *table) { return call_table(table, settle); }

static PyObject *device_running(PyObject *module, PyObject *table) {
    const weft_device *device = PyLong_AsVoidPtr(table);
    if (!device) return PyErr_Occurred() ? NULL : PyList_New(0);
    weft_launched running[WEFT_LANES * WEFT_LAUNCHED];
    int count = weft_device_running(device, running);
    PyObject *list = PyList_New(count);
    for (int k = 0; list && k < count; k++) {
        const weft_launched *one = &running[k];
        PyObject *item = Py_BuildValue("iKzzii", one->lane, (unsigned long long)(size_t)one->kernel, one->program, one->file,
                                       one->line, one->program_line);
        if (item) PyList_SET_ITEM(list, k, item);
        else Py_CLEAR(list);
    }
    return list;
}

static PyObject *device_trim(PyObject *module, PyObject *table) { return call_table(table, weft_device_trim); }

static PyObject *device_memory(PyObject *module, PyObject *table) {
    const weft_device *device = PyLong_AsVoidPtr(table);
    size_t used, kept;
    if (!device) return PyErr_Format(PyExc_ValueError, "the table of a device is expected");
    weft_device_memory(device, &used, &kept);
    return Py_BuildValue("nn", (Py_ssize_t)used, (Py_ssize_t)kept);
}

static PyObject *device_room(PyObject *module, PyObject *table) {
    const weft_device *device = PyLong_AsVoidPtr(table);
    if (!device) return PyErr_Format(PyExc_ValueError, "the table of a device is expected");
    return PyLong_FromSize_t(weft_device_room(device));
}

static PyObject *device_has(PyObject *module, PyObject *args) {
    unsigned long long table, bytes;
    if (!PyArg_ParseTuple(args, "KK", &table, &bytes)) return NULL;
    weft_device_has((const weft_device *)(size_t)table, (size_t)bytes);
    Py_RETURN_NONE;
}

static PyObject *limit_memory(PyObject *module, PyObject *bytes) {
    size_t before, asked = bytes == Py_None ? SIZE_MAX : PyLong_AsSize_t(bytes);
    if (PyErr_Occurred()) return NULL;
    before = weft_pool_limit(asked);
    return before == SIZE_MAX ? Py_NewRef(Py_None) : PyLong_FromSize_t(before);
}

static PyObject *device_adopt(PyObject *module, PyObject *args) {
    unsigned long long table, stream;
    if (!PyArg_ParseTuple(args, "KK", &table, &stream)) return NULL;
    return PyLong_FromLong(weft_device_adopt((const weft_device *)(size_t)table, (void *)(size_t)stream));
}

static PyObject *device_policy(PyObject *module, PyObject *args) {
    unsigned long long table;
    Py_ssize_t sizes[3];
    if (!PyArg_ParseTuple(args, "Knnn", &table, &sizes[0], &sizes[1], &sizes[2])) return NULL;
    size_t given[3];
    for (int k = 0; k < 3; k++) given[k] = sizes[k] < 0 ? SIZE_MAX : (size_t)sizes[k];
    *weft_device_policy((const weft_device *)(size_t)table) = (weft_policy){given[0], given[1], given[2]};
    Py_RETURN_NONE;
}

static PyObject *device_pin(PyObject *module, PyObject *args) {
    unsigned long long table, memory;
    Py_ssize_t bytes;
    int status;
    if (!PyArg_ParseTuple(args, "KKn", &table, &memory, &bytes)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = weft_device_pin((const weft_device *)(size_t)table, (void *)(size_t)memory, (size_t)bytes);
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(status);
}

static PyObject *device_unpin(PyObject *module, PyObject *address) {
    void *memory = PyLong_AsVoidPtr(address);
    if (PyErr_Occurred()) return NULL;
    weft_unpin(memory);
    Py_RETURN_NONE;
}

/* Copies and, unless told otherwise, waits; the ledger is told the name of the array. */
static PyObject *device_copy(PyObject *module, PyObject *args) {
    unsigned long long table, buffer, host;
    Py_ssize_t bytes;
    int out, status, waits = 1;
    PyObject *name = NULL;
    if (!PyArg_ParseTuple(args, "KKKnp|pU", &table, &buffer, &host, &bytes, &out, &waits, &name)) return NULL;
    if (weft_ledger_on && name) {
        find_user_line();
        weft_present_cause.array = lasting_text(name);
    }
    const weft_device *device = (const weft_device *)(size_t)table;
    void *memory = (void *)(size_t)host;
    Py_BEGIN_ALLOW_THREADS
    status = out ? device->copy_out(device, memory, buffer, 0, (size_t)bytes)
                 : device->copy_in(device, buffer, 0, memory, (size_t)bytes);
    if (!status && waits) status = device->wait(device);
    Py_END_ALLOW_THREADS
    if (name) weft_present_cause.array = NULL;
    return PyLong_FromLong(status);
}

static PyObject *device_copy_rows(PyObject *module, PyObject *args) {
    unsigned long long table, buffer, host;
    Py_ssize_t pitch, width, rows, planes = 1, plane = 0;
    int out, status;
    if (!PyArg_ParseTuple(args, "KKKnnnp|nn", &table, &buffer, &host, &pitch, &width, &rows, &out, &planes, &plane)) return NULL;
    const weft_device *device = (const weft_device *)(size_t)table;
    weft_rows copy = {.buffer = buffer, .pitch = (size_t)width, .host = (char *)(size_t)host, .host_pitch = (size_t)pitch,
                      .width = (size_t)width, .rows = (size_t)rows, .more = (size_t)planes - 1, .plane = (size_t)(rows * width),
                      .host_plane = (size_t)plane};
    Py_BEGIN_ALLOW_THREADS
    status = device->copy_rows(device, &copy, out);
    if (!status) status = device->wait(device);
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(status);
}

static PyObject *device_order(PyObject *module, PyObject *args) {
    unsigned long long table, stream;
    int leads, status;
    if (!PyArg_ParseTuple(args, "KKp", &table, &stream, &leads)) return NULL;
    const weft_device *device = (const weft_device *)(size_t)table;
    status = (leads ? device->lead : device->follow)(device, (void *)(size_t)stream);
    return PyLong_FromLong(status);
}

/* --------------------------------------------------------------------------------------------------- the ledger */

static PyObject *skipped; /* where files start that are not the user's */

static PyObject *skip_files(PyObject *module, PyObject *folders) {
    if (!PyTuple_Check(folders)) return PyErr_Format(PyExc_TypeError, "a tuple is expected");
    Py_XSETREF(skipped, Py_NewRef(folders));
    Py_RETURN_NONE;
}

static PyObject *ledger_switch(PyObject *module, PyObject *argument) {
    int on = PyObject_IsTrue(argument);
    if (on < 0) return NULL;
    weft_ledger_on = on;
    return PyFloat_FromDouble(weft_now());
}

static int is_the_users(PyObject *file) {
    for (Py_ssize_t k = 0; skipped && k < PyTuple_GET_SIZE(skipped); k++)
        if (PyUnicode_Tailmatch(file, PyTuple_GET_ITEM(skipped, k), 0, PY_SSIZE_T_MAX, -1)) return 0;
    return 1;
}

/* The line where a frame is. That of the last one is kept, with its code: a call in a loop comes from there again, and to look
   the line up takes as long as a function is. */
static int line_of(PyFrameObject *frame, PyCodeObject *code) {
#if PY_VERSION_HEX >= 0x030B0000
    static PyCodeObject *known;
    static int known_place, known_line;
    int place = PyFrame_GetLasti(frame);
    if (code != known || place != known_place) {
        known_place = place;
        known_line = PyFrame_GetLineNumber(frame);
        Py_XSETREF(known, (PyCodeObject *)Py_NewRef((PyObject *)code));
    }
    return known_line;
#else
    (void)code;
    return PyFrame_GetLineNumber(frame);
#endif
}

void find_user_line(void) {
    PyFrameObject *frame = PyEval_GetFrame();
    Py_XINCREF(frame);
    weft_present_cause = (weft_cause){0};
    while (frame) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        PyFrameObject *caller = PyFrame_GetBack(frame);
        if (is_the_users(code->co_filename)) {
            weft_present_cause.file = lasting_text(code->co_filename);
            weft_present_cause.line = line_of(frame, code);
            Py_CLEAR(caller);
        }
        Py_DECREF(code);
        Py_DECREF(frame);
        frame = caller;
    }
    PyErr_Clear();
}

const char *lasting_text(PyObject *text) {
    PyObject *kept = Py_NewRef(text);
    PyUnicode_InternInPlace(&kept);
    return PyUnicode_AsUTF8(kept);
}

static PyObject *event_object(const weft_event *event, double start, double seconds, const void *host) {
    const weft_cause *cause = &event->cause;
    return Py_BuildValue("iKKKnddzzzzizi", (int)event->kind, (unsigned long long)(size_t)event->device,
                         (unsigned long long)event->address, (unsigned long long)(size_t)host,
                         (Py_ssize_t)event->bytes, start, seconds, cause->program, cause->array,
                         cause->reason, cause->file, cause->line, cause->program_file, cause->program_line);
}

/* Appends an event; one of several kernels as so many, which are taken to have run equally long, one after the other. */
static int append_event(PyObject *list, const weft_event *event) {
    int count = event->count ? event->count : 1, failed = 0;
    double seconds = weft_event_seconds(event) / count;
    for (int k = 0; !failed && k < count; k++) {
        const void *host = event->count ? event->kernels[k] : event->host;
        PyObject *item = event_object(event, event->start + k * seconds, seconds, host);
        failed = !item || PyList_Append(list, item);
        Py_XDECREF(item);
    }
    free(event->kernels);
    return failed;
}

static PyObject *ledger_take(PyObject *module, PyObject *ignored) {
    int count;
    weft_event *events = weft_ledger_take(&count);
    PyObject *list = PyList_New(0);
    for (int k = 0; k < count; k++)
        if (list && append_event(list, &events[k])) Py_CLEAR(list);
    free(events);
    return list;
}

PyMethodDef device_functions[] = {
    {"cuda_device", cuda_device, METH_VARARGS, 
     "(context, stream, stream in, stream out): address of the device table; 0 without CUDA."},
    {"opencl_device", opencl_device, METH_VARARGS, 
     "(context, queue, queue in, queue out): address of the device table; 0 without OpenCL."},
    {"device_failure", device_failure, METH_NOARGS,
     "Why a device failed in the last call of this thread: its status, and the bytes that it could not give."},
    {"device_wait", device_wait, METH_O, "Wait for all that was queued on a device; its status."},
    {"device_settle", device_settle, METH_O, "Wait for all that anybody queued on a device's hardware; the status."},
    {"device_trim", device_trim, METH_O, "Give memory that nobody uses back to the driver; its status."},
    {"device_memory", device_memory, METH_O, "Bytes in use, and bytes that are kept for later."},
    {"device_room", device_room, METH_O, "How many more bytes calls of this thread can have in use."},
    {"device_has", device_has, METH_VARARGS, "(table, bytes): say how many bytes the driver has."},
    {"limit_memory", limit_memory, METH_O,
     "Let calls of this thread use at most so many bytes of a device; None: any number. Returns the limit before."},
    {"device_order", device_order, METH_VARARGS,
     "(table, stream, leads): what is queued from now on runs after what is queued on a stream, or the stream's after ours."},
    {"device_adopt", device_adopt, METH_VARARGS,
     "(table, stream): this thread works on another library's stream; 0: on its own again. A status."},
    {"device_policy", device_policy, METH_VARARGS,
     "(table, stage in, stage out, pin): from how many bytes on; negative: never. See `weft_policy`."},
    {"device_copy", device_copy, METH_VARARGS,
     "(table, buffer, host address, bytes, out, waits=True, name=None): copy to the device or out of it; a status."},
    {"device_copy_rows", device_copy_rows, METH_VARARGS,
     "(table, buffer, host address, pitch, width, rows, out): copy rows that have gaps on the host, and wait; a status."},
    {"device_pin", device_pin, METH_VARARGS, "(table, address, bytes): let the driver know memory of the host; its status."},
    {"device_unpin", device_unpin, METH_O, "The driver need not know this memory any more, which is going to be freed."},
    {"dlpack_capsule", dlpack_capsule, METH_VARARGS, "An array as a DLPack capsule, which ends a loan when it is dropped."},
    {"device_running", device_running, METH_O,
     "The last kernels that are not known to be done: kernel, program, and the file and the line of the call."},
    {"skip_files", skip_files, METH_O, "Files that start with one of these are not the user's."},
    {"ledger_switch", ledger_switch, METH_O, "Record what devices do, or stop. Returns the time now."},
    {"ledger_take", ledger_take, METH_NOARGS, "The events since the last time."},
    {NULL, NULL, 0, NULL}};
