/* Parts of a storage: see `parts.h`. */
#include "parts.h"
#include "storage.h"
#include "mirror.h"
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const weft_part *part) {
    size_t bytes = part->size;
    for (int k = 0; k < part->dimensions; k++) bytes *= (size_t)part->shape[k];
    return bytes;
}

static int same(const weft_part *a, const weft_part *b) {
    size_t extents = (size_t)a->dimensions * sizeof *a->shape;
    return a->offset == b->offset && a->size == b->size && a->dimensions == b->dimensions &&
           !memcmp(a->shape, b->shape, extents) && !memcmp(a->strides, b->strides, extents);
}

void weft_storage_forget_parts(weft_storage *storage) {
    for (int k = 0; k < WEFT_PARTS; k++) {
        free(storage->parts[k].data);
        storage->parts[k].data = NULL;
    }
    storage->spent = 0;
}

static weft_part *known(weft_storage *storage, const weft_part *part) {
    for (int k = 0; k < WEFT_PARTS; k++)
        if (storage->parts[k].data && same(&storage->parts[k], part)) return &storage->parts[k];
    return NULL;
}

/* In place of the oldest one; without memory nothing is remembered. */
static void remember(weft_storage *storage, const weft_part *part) {
    weft_part *place = &storage->parts[storage->next_part];
    char *data = malloc(bytes_of(part));
    if (!data) return;
    memcpy(data, part->data, bytes_of(part));
    free(place->data);
    *place = *part;
    place->data = data;
    storage->next_part = (storage->next_part + 1) % WEFT_PARTS;
}

/* The copy on the device that alone has all bytes; NULL where a part is of no use. */
static weft_copy *holder(weft_storage *storage) {
    weft_copy *found = NULL;
    int lent = storage->loans;
    for (int k = 0; k < storage->count; k++) {
        lent += storage->copies[k].loans + storage->copies[k].foreign;
        if (storage->copies[k].current) found = &storage->copies[k];
    }
    return lent ? NULL : found;
}

/* Copies what there is from dimension `axis` on, to the device or from it; `data` goes on behind it. */
static int copy_part(const weft_copy *copy, const weft_part *part, int axis, size_t offset, char **data, int out) {
    const weft_device *device = copy->device;
    int left = part->dimensions - axis;
    int dense = left && part->strides[part->dimensions - 1] == (int64_t)part->size;
    if (left > 1 + dense || (left == 2 && part->strides[axis] < part->shape[axis + 1] * part->strides[axis + 1])) {
        int status = 0;
        for (int64_t k = 0; !status && k < part->shape[axis]; k++)
            status = copy_part(copy, part, axis + 1, offset + (size_t)(k * part->strides[axis]), data, out);
        return status;
    }
    size_t width = part->size * (dense ? (size_t)part->shape[part->dimensions - 1] : 1);
    size_t rows = left > dense ? (size_t)part->shape[axis] : 1;
    char *host = *data;
    *data += rows * width;
    if (rows > 1) {
        weft_rows all = {copy->address, offset, (size_t)part->strides[axis], host, width, width, rows, 0, 0, 0};
        return device->copy_rows(device, &all, out);
    }
    return out ? device->copy_out(device, host, copy->address, offset, width)
               : device->copy_in(device, copy->address, offset, host, width);
}

static int move_part(const weft_copy *copy, const weft_part *part, int out) {
    char *data = part->data;
    int status = copy_part(copy, part, 0, part->offset, &data, out);
    return status ? status : copy->device->finish_copies(copy->device);
}

/* Whether all its bytes are those of the storage. */
static int fits(const weft_storage *storage, const weft_part *part) {
    size_t last = part->offset + part->size;
    for (int k = 0; k < part->dimensions; k++) {
        if (part->shape[k] <= 0 || part->strides[k] <= 0) return 0;
        last += (size_t)((part->shape[k] - 1) * part->strides[k]);
    }
    return last <= storage->bytes;
}

int weft_storage_read_part(weft_storage *storage, weft_part *part) {
    weft_storage_hold(storage);
    pthread_mutex_lock(&storage->lock);
    weft_copy *copy = fits(storage, part) && !storage->host_current ? holder(storage) : NULL;
    const weft_part *before = copy ? known(storage, part) : NULL;
    int status = copy ? 0 : WEFT_NO_PART;
    if (before) memcpy(part->data, before->data, bytes_of(part));
    else if (copy && !(status = move_part(copy, part, 1))) remember(storage, part);
    storage->failed = status && copy ? copy->device : NULL;
    pthread_mutex_unlock(&storage->lock);
    weft_storage_let_go(storage);
    return status;
}

/* The same elements in the host's memory. */
static void write_home(char *host, const weft_part *part, int axis, const char **data) {
    if (axis == part->dimensions) {
        memcpy(host, *data, part->size);
        *data += part->size;
        return;
    }
    for (int64_t k = 0; k < part->shape[axis]; k++) write_home(host + k * part->strides[axis], part, axis + 1, data);
}

int weft_storage_write_part(weft_storage *storage, const weft_part *part) {
    weft_storage_hold(storage);
    pthread_mutex_lock(&storage->lock);
    int alone = !storage->views && fits(storage, part);
    weft_copy *copy = alone ? holder(storage) : NULL;
    int status = copy ? 0 : WEFT_NO_PART;
    for (int k = 0; copy && !status && storage->host_current && k < storage->count; k++) {
        weft_copy *other = &storage->copies[k];
        if (other->sending && !(status = other->device->finish_sent(other->device, other->sending))) other->sending = 0;
    }
    if (copy && !status) status = move_part(copy, part, 0);
    if (copy && !status) {
        const char *data = part->data;
        double spent = storage->spent;
        weft_storage_forget_parts(storage);
        storage->spent = spent;
        if (storage->host_current) write_home(storage->host + part->offset, part, 0, &data);
        for (int k = 0; k < storage->count; k++) storage->copies[k].current = &storage->copies[k] == copy;
        storage->passed = storage->zeros = 0;
    }
    storage->failed = status && copy ? copy->device : NULL;
    pthread_mutex_unlock(&storage->lock);
    weft_storage_let_go(storage);
    return status;
}
