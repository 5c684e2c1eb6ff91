/* Single tokens of a port of a stream program: Python's numbers as numbers of one type, in a queue. A push and a get of one
   number run here alone; whatever else is given, or where the queue is full or empty, a function of Python is called. Python's
   lock is held throughout, so threads need no other. */
#include "_stub.h"
#include "_tokens.h"
#include <float.h>
#include <math.h>
#include <structmember.h>
#include <string.h>

typedef struct {
    PyObject_HEAD
    char kind; /* as in NumPy's dtypes; 0 for types whose numbers all go the other way */
    int size;
    char *data;
    Py_ssize_t first, end, room; /* of the queue, in tokens */
    Py_ssize_t limit;            /* tokens from which a push goes the other way */
    PyObject *otherwise;
} Tokens;

static Py_ssize_t count(const Tokens *self) { return self->end - self->first; }

/* Room for more tokens behind the last one; those that were taken make room first. */
static int reserve(Tokens *self, Py_ssize_t more) {
    Py_ssize_t held = count(self);
    if (self->first && self->end + more > self->room) {
        memmove(self->data, self->data + self->first * self->size, held * self->size);
        self->first = 0;
        self->end = held;
    }
    if (held + more <= self->room) return 1;
    if (more > PY_SSIZE_T_MAX / self->size / 4 || held > PY_SSIZE_T_MAX / self->size / 4) return PyErr_NoMemory(), 0;
    Py_ssize_t room = 2 * held + more;
    char *data = PyMem_Realloc(self->data, room * self->size);
    if (!data) return PyErr_NoMemory(), 0;
    self->data = data;
    self->room = room;
    return 1;
}

static int store_integer(const Tokens *self, PyObject *number, void *place) {
    int over;
    long long value = PyLong_AsLongLongAndOverflow(number, &over);
    if (self->kind == 'u' && self->size == 8) {
        unsigned long long wide = over > 0 ? PyLong_AsUnsignedLongLong(number) : (unsigned long long)value;
        if (PyErr_Occurred()) return PyErr_Clear(), 0;
        if (over < 0 || (!over && value < 0)) return 0;
        memcpy(place, &wide, 8);
        return 1;
    }
    int bits = 8 * self->size, is_signed = self->kind == 'i';
    if (over) return 0;
    if (bits < 64) {
        long long most = (1LL << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
        if (value < least || value > most) return 0;
    }
    switch (self->size) {
    case 1: *(int8_t *)place = (int8_t)value; break;
    case 2: *(int16_t *)place = (int16_t)value; break;
    case 4: *(int32_t *)place = (int32_t)value; break;
    default: *(int64_t *)place = value;
    }
    return 1;
}

static int is_float32(double value) { return !(isfinite(value) && fabs(value) > FLT_MAX); }

/* Whether a number is of Python's class for the type of the stream, and was stored. */
static int store(const Tokens *self, PyObject *number, void *place) {
    switch (self->kind) {
    case 'f': {
        if (!PyFloat_CheckExact(number)) return 0;
        double value = PyFloat_AS_DOUBLE(number);
        if (self->size == 8) return *(double *)place = value, 1;
        if (!is_float32(value)) return 0;
        return *(float *)place = (float)value, 1;
    }
    case 'i':
    case 'u': return PyLong_CheckExact(number) && store_integer(self, number, place);
    case 'b':
        if (!PyBool_Check(number)) return 0;
        return *(char *)place = number == Py_True, 1;
    case 'c': {
        if (!PyComplex_CheckExact(number)) return 0;
        Py_complex value = PyComplex_AsCComplex(number);
        if (self->size == 16) return memcpy(place, &value, 16), 1;
        if (!is_float32(value.real) || !is_float32(value.imag)) return 0;
        float parts[2] = {(float)value.real, (float)value.imag};
        return memcpy(place, parts, 8), 1;
    }
    }
    return 0;
}

static PyObject *load(const Tokens *self, const void *place) {
    switch (self->kind) {
    case 'f': return PyFloat_FromDouble(self->size == 8 ? *(const double *)place : *(const float *)place);
    case 'b': return PyBool_FromLong(*(const char *)place);
    case 'i':
        switch (self->size) {
        case 1: return PyLong_FromLong(*(const int8_t *)place);
        case 2: return PyLong_FromLong(*(const int16_t *)place);
        case 4: return PyLong_FromLong(*(const int32_t *)place);
        default: return PyLong_FromLongLong(*(const int64_t *)place);
        }
    case 'u':
        switch (self->size) {
        case 1: return PyLong_FromLong(*(const uint8_t *)place);
        case 2: return PyLong_FromLong(*(const uint16_t *)place);
        case 4: return PyLong_FromUnsignedLong(*(const uint32_t *)place);
        default: return PyLong_FromUnsignedLongLong(*(const uint64_t *)place);
        }
    default: {
        if (self->size == 16) return PyComplex_FromDoubles(((const double *)place)[0], ((const double *)place)[1]);
        return PyComplex_FromDoubles(((const float *)place)[0], ((const float *)place)[1]);
    }
    }
}

static PyObject *tokens_push(Tokens *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names) {
    if (nargs == 1 && !names && self->kind && count(self) < self->limit) {
        if (self->end == self->room && !reserve(self, 1)) return NULL;
        if (store(self, args[0], self->data + self->end * self->size)) {
            self->end++;
            Py_RETURN_NONE;
        }
    }
    return PyObject_Vectorcall(self->otherwise, args, nargs, names);
}

static PyObject *tokens_get(Tokens *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names) {
    if (!self->kind || self->first == self->end) return PyObject_Vectorcall(self->otherwise, args, nargs, names);
    PyObject *found = load(self, self->data + self->first * self->size);
    if (found && ++self->first == self->end) self->first = self->end = 0;
    return found;
}

static PyObject *tokens_fill(Tokens *self, PyObject *array) {
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)) return NULL;
    Py_ssize_t more = view.len / self->size;
    int fits = reserve(self, more);
    if (fits) memcpy(self->data + self->end * self->size, view.buf, more * self->size);
    if (fits) self->end += more;
    PyBuffer_Release(&view);
    return fits ? Py_NewRef(Py_None) : NULL;
}

static PyObject *tokens_move_to(Tokens *self, PyObject *array) {
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)) return NULL;
    Py_ssize_t wanted = view.len / self->size, held = count(self);
    if (wanted <= held) {
        memcpy(view.buf, self->data + self->first * self->size, wanted * self->size);
        self->first += wanted;
        if (self->first == self->end) self->first = self->end = 0;
    }
    PyBuffer_Release(&view);
    if (wanted > held) return PyErr_Format(PyExc_ValueError, "there are %zd tokens, not %zd", held, wanted);
    Py_RETURN_NONE;
}

static PyObject *tokens_clear_all(Tokens *self, PyObject *ignored) {
    self->first = self->end = 0;
    Py_RETURN_NONE;
}

static PyObject *tokens_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"kind", "size", "limit", "otherwise", NULL};
    const char *kind;
    int size;
    Py_ssize_t limit;
    PyObject *otherwise;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sinO", names, &kind, &size, &limit, &otherwise)) return NULL;
    Tokens *self = (Tokens *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->kind = kind[0];
    if (self->kind == 'f' && size != 4 && size != 8) self->kind = 0;
    self->size = size;
    self->limit = limit;
    self->otherwise = Py_NewRef(otherwise);
    return (PyObject *)self;
}

static int tokens_traverse(Tokens *self, visitproc visit, void *arg) {
    Py_VISIT(self->otherwise);
    return 0;
}

static int tokens_clear(Tokens *self) {
    Py_CLEAR(self->otherwise);
    return 0;
}

static void tokens_dealloc(Tokens *self) {
    PyObject_GC_UnTrack(self);
    tokens_clear(self);
    PyMem_Free(self->data);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef tokens_methods[] = {
    {"push", (PyCFunction)(void (*)(void))tokens_push, METH_FASTCALL | METH_KEYWORDS, "Put a number behind the others."},
    {"get", (PyCFunction)(void (*)(void))tokens_get, METH_FASTCALL | METH_KEYWORDS, "Take the first number out."},
    {"fill", (PyCFunction)tokens_fill, METH_O, "Put the numbers of an array behind the others."},
    {"move_to", (PyCFunction)tokens_move_to, METH_O, "Take out so many numbers as an array holds."},
    {"clear", (PyCFunction)tokens_clear_all, METH_NOARGS, "Forget all numbers."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef tokens_members[] = {
    {"limit", T_PYSSIZET, offsetof(Tokens, limit), 0, "numbers from which a push calls `otherwise`"}, {NULL, 0, 0, 0, NULL}};

static PySequenceMethods tokens_sequence = {.sq_length = (lenfunc)count};

static PyTypeObject TokensType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "weft.runtime._stub.Tokens",
    .tp_basicsize = sizeof(Tokens),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A queue of numbers of one type.",
    .tp_new = tokens_new,
    .tp_dealloc = (destructor)tokens_dealloc,
    .tp_traverse = (traverseproc)tokens_traverse,
    .tp_clear = (inquiry)tokens_clear,
    .tp_methods = tokens_methods,
    .tp_members = tokens_members,
    .tp_as_sequence = &tokens_sequence,
};

int add_token_type(PyObject *module) {
    return PyType_Ready(&TokensType) || PyModule_AddObjectRef(module, "Tokens", (PyObject *)&TokensType);
}
