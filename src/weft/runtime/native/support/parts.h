/* Parts of a storage that the host looks at, or changes, while a device has the rest: only their elements cross. */
#ifndef WEFT_PARTS_H
#define WEFT_PARTS_H
#include "weft.h"

typedef struct weft_storage weft_storage;

/* Elements by falling strides, none of which is negative or 0; `data` has them without gaps. */
typedef struct {
    size_t offset, size; /* of the first element in the storage; bytes of an element */
    int dimensions;
    int64_t shape[WEFT_MAX_DIMS], strides[WEFT_MAX_DIMS];
    char *data;
} weft_part;

enum { WEFT_PARTS = 4 }; /* that are remembered */
enum { WEFT_NO_PART = 10008 }; /* the host has all, nobody has anything, or somebody else may write at any time */

/* Copies the elements of a part home, or from what is remembered of an earlier copy. */
int weft_storage_read_part(weft_storage *storage, weft_part *part);

/* The device gets the elements of a part, and the host where it has all the rest: they stay current. */
int weft_storage_write_part(weft_storage *storage, const weft_part *part);

/* All bytes may be others now. */
void weft_storage_forget_parts(weft_storage *storage);
#endif
