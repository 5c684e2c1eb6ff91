/* DLPack, with the layout of `dlpack.h`, version 1.0 and the one before. */
#ifndef WEFT_DLPACK_H
#define WEFT_DLPACK_H
#include "_stub.h"

enum { DLPACK_CUDA = 2, DLPACK_READ_ONLY = 1 };

typedef struct {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} dlpack_tensor;

typedef struct dlpack_managed dlpack_managed;

struct dlpack_managed {
    dlpack_tensor tensor;
    void *context;
    void (*deleter)(dlpack_managed *);
};

typedef struct dlpack_versioned dlpack_versioned;

struct dlpack_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(dlpack_versioned *);
    uint64_t flags;
    dlpack_tensor tensor;
};

/* What a library's type of arrays offers to C from version 1.3 on, as far as it is used here. The table lasts as long as the
   process; `tensor_of` may be missing. */
typedef struct dlpack_exchange {
    uint32_t major, minor;
    const struct dlpack_exchange *older;
    void *allocate, *managed_of, *object_of;
    int (*tensor_of)(void *object, dlpack_tensor *made);
    int (*stream_of)(int32_t device_type, int32_t device_id, void **stream);
} dlpack_exchange;

/* The tensor of a capsule that nobody took yet; NULL, without an error, where it is none of these versions. */
const dlpack_tensor *dlpack_read(PyObject *capsule, int *read_only);

/* NumPy's letter for the code of a type of elements; 0 where it has none. */
char dlpack_kind(int code);
#endif
