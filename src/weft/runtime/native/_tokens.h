/* Queues of single tokens: see `_tokens.c`. */
#ifndef WEFT_TOKENS_H
#define WEFT_TOKENS_H
#include <Python.h>

int add_token_type(PyObject *module);
#endif
