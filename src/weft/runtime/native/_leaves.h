/* The leaves of a call: arrays and numbers, and how they are packed as weft.h says. */
#ifndef WEFT_LEAVES_H
#define WEFT_LEAVES_H
#include "_stub.h"
#include "support/mirror.h"

typedef struct {
    char code;         /* A array; V one that stands for a guest; D coherent array on the device; F the same, or another library's; S NumPy scalar;
                          i f b c Python numbers; P a Python function that a step calls */
    char kind;         /* NumPy kind of a scalar or element; V for records */
    int ndim;
    Py_ssize_t itemsize;
    char contiguous, writable;
    char written;      /* of a result: it is a new view object even where it is all of an argument */
    PyObject *type;    /* S: the NumPy scalar type; records: the dtype */
    const char *name;  /* of an argument, in the ledger */
} leaf_t;

static inline int is_on_device(const leaf_t *leaf) { return leaf->code == 'D' || leaf->code == 'F'; }

static inline int is_on_host(const leaf_t *leaf) { return leaf->code == 'A' || leaf->code == 'V'; }

static inline int is_array(const leaf_t *leaf) { return is_on_host(leaf) || is_on_device(leaf); }

/* Finds the types of NumPy's arrays; 0 when done. */
int prepare_leaves(PyObject *numpy);
int is_numpy_array(PyObject *object);

/* 1: fits and is packed; 0: does not fit; -1: a Python error is set. The buffer must be released when 1. */
int pack_array(const leaf_t *leaf, PyObject *object, Py_buffer *buffer, weft_view *view);
int pack_scalar(const leaf_t *leaf, PyObject *object, weft_value *value);

/* The bytes [*low, *high) that a view can touch; empty views touch none. */
int interval(const leaf_t *leaf, const weft_view *view, char **low, char **high);

/* Two elements of a written view may share memory: a stride of 0, or a window that steps less than its inside. */
int may_overlap_itself(const leaf_t *leaf, const weft_view *view);

/* Guests of the program that the calling thread runs next. */
extern _Thread_local weft_guests coming_guests;

/* A list of (low, high, address, is_fresh, is_home, is_foreign); sets `coming_guests`. */
PyObject *set_guests(PyObject *module, PyObject *list);
#endif
