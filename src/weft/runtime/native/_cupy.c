/* Arrays of CuPy by their attributes: the interface that all libraries have builds a dictionary, and describes the type of the
   elements by a call of Python, for every array of a call: most of what such a call took beside one on arrays of Weft.

   What attributes say is trusted once it was found to be what the interface says, of the first array that comes: another
   version of the library may give them another meaning, or have arrays that must not be written. */
#include "_cupy.h"
#include <stdlib.h>
#include <string.h>

static PyObject *module_name, *class_name, *cuda_name, *stream_name, *data_name, *pointer_name, *shape_name, *strides_name,
    *type_name, *flags_name, *writeable_name, *letters_name, *contiguous_name;

static PyTypeObject *known;    /* `cupy.ndarray` */
static PyObject *stream_of;    /* `cupy.cuda.get_current_stream` */
static enum { UNKNOWN, TRUSTED, REFUTED } trust;

int prepare_cupy(void) {
    static const struct {
        PyObject **name;
        const char *text;
    } names[] = {{&module_name, "cupy"},       {&class_name, "ndarray"}, {&cuda_name, "cuda"},
                 {&stream_name, "get_current_stream"}, {&data_name, "data"},     {&pointer_name, "ptr"},
                 {&shape_name, "shape"},       {&strides_name, "strides"}, {&type_name, "dtype"},
                 {&flags_name, "flags"},       {&writeable_name, "writeable"}, {&letters_name, "str"},
                 {&contiguous_name, "_c_contiguous"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!(*names[k].name = PyUnicode_InternFromString(names[k].text))) return 1;
    return 0;
}

static int is_called_ndarray(const PyTypeObject *type) {
    const char *dot = strrchr(type->tp_name, '.');
    return !strcmp(dot ? dot + 1 : type->tp_name, "ndarray");
}

int cupy_has(PyTypeObject *type) {
    if (type == known) return 1;
    if (known || !is_called_ndarray(type)) return 0;
    PyObject *module = PyImport_GetModule(module_name), *made = attribute(module, class_name),
             *cuda = attribute(module, cuda_name), *stream = attribute(cuda, stream_name);
    if (made == (PyObject *)type && stream) {
        known = (PyTypeObject *)Py_NewRef(made);
        stream_of = Py_NewRef(stream);
    }
    Py_XDECREF(module);
    Py_XDECREF(made);
    Py_XDECREF(cuda);
    Py_XDECREF(stream);
    PyErr_Clear();
    return type == known;
}

/* An address; NULL, without an error, for what is no number. */
static void *pointer(PyObject *object) {
    PyObject *number = attribute(object, pointer_name);
    void *found = number ? PyLong_AsVoidPtr(number) : NULL;
    Py_XDECREF(number);
    PyErr_Clear();
    return found;
}

static int read_extents(PyObject *array, PyObject *name, int count, int64_t *numbers) {
    PyObject *tuple = attribute(array, name);
    int fits = read_tuple(tuple, count, numbers);
    Py_XDECREF(tuple);
    if (!PyErr_Occurred()) return fits;
    PyErr_Clear();
    return 0;
}

/* Types of elements are few objects, which live as long as NumPy does: that of the last array is likely to come again. */
static int read_type(PyObject *array, char *kind, Py_ssize_t *itemsize) {
    static PyObject *last;
    static char last_kind;
    static Py_ssize_t last_size;
    PyObject *type = attribute(array, type_name);
    if (type && type != last) {
        PyObject *text = attribute(type, letters_name);
        const char *letters = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
        if (letters && (letters[0] == '<' || letters[0] == '|')) {
            Py_XSETREF(last, Py_NewRef(type));
            last_kind = letters[1];
            last_size = atol(letters + 2);
        }
        Py_XDECREF(text);
        PyErr_Clear();
    }
    int is_known = type && type == last;
    Py_XDECREF(type);
    *kind = last_kind;
    *itemsize = last_size;
    return is_known;
}

/* Of an array in C order they need not be asked for, which would take a tuple. */
static int read_strides(PyObject *array, int ndim, Py_ssize_t itemsize, weft_view *view) {
    PyObject *contiguous = attribute(array, contiguous_name);
    int is_contiguous = contiguous == Py_True;
    Py_XDECREF(contiguous);
    if (!is_contiguous) return read_extents(array, strides_name, ndim, view->strides);
    for (int k = ndim - 1; k >= 0; k--) {
        view->strides[k] = itemsize;
        itemsize *= view->shape[k];
    }
    return 1;
}

int cupy_view(PyObject *array, int ndim, weft_view *view, char *kind, Py_ssize_t *itemsize) {
    if (!read_type(array, kind, itemsize) || !read_extents(array, shape_name, ndim, view->shape) ||
        !read_strides(array, ndim, *itemsize, view))
        return 0;
    PyObject *data = attribute(array, data_name);
    view->data = pointer(data);
    view->base = NULL;
    Py_XDECREF(data);
    int is_empty = 0;
    for (int k = 0; k < ndim; k++) is_empty |= !view->shape[k];
    if (is_empty) view->data = NULL; /* as interfaces say it */
    return is_empty || view->data;
}

void *cupy_stream(void) {
    PyObject *stream = PyObject_CallNoArgs(stream_of), *number = stream ? attribute(stream, pointer_name) : NULL;
    void *found = number ? PyLong_AsVoidPtr(number) : NULL;
    int is_told = number && !PyErr_Occurred(); /* of the legacy stream the number is 0, as of a failure */
    Py_XDECREF(number);
    Py_XDECREF(stream);
    PyErr_Clear();
    return !is_told ? NULL : found ? found : (void *)LEGACY_STREAM;
}

int cupy_is_trusted(void) { return trust == TRUSTED; }

static int says_the_same(PyObject *array, int ndim, const weft_view *view, char kind, Py_ssize_t itemsize) {
    weft_view own;
    char own_kind;
    Py_ssize_t own_size;
    if (!cupy_view(array, ndim, &own, &own_kind, &own_size) || own.data != view->data) return 0;
    int same = own_kind == kind && own_size == itemsize;
    for (int k = 0; k < ndim; k++) same &= own.shape[k] == view->shape[k] && own.strides[k] == view->strides[k];
    return same;
}

void cupy_compare(PyObject *array, int ndim, const weft_view *view, char kind, Py_ssize_t itemsize, void *stream) {
    if (trust != UNKNOWN || !view->data) return;
    PyObject *flags = attribute(array, flags_name);
    int is_plain = flags && !PyObject_HasAttr(flags, writeable_name);
    Py_XDECREF(flags);
    trust = is_plain && stream == cupy_stream() && says_the_same(array, ndim, view, kind, itemsize) ? TRUSTED : REFUTED;
}
