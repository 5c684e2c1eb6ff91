/* Flags of a device that are kept for the next launch: see `flags.h`. */
#include "flags.h"
#include "mirror.h"
#include <stdlib.h>

static weft_kept_flag *position(weft_flags *flags, uint64_t flag) {
    int k = 0;
    while (flags->items[k].flag != flag) k++;
    return &flags->items[k];
}

static int add(weft_flags *flags, weft_make_flag make, void *state) {
    weft_kept_flag *items = realloc(flags->items, (size_t)(flags->count + 1) * sizeof *items);
    if (!items) return WEFT_NO_HOST_MEMORY;
    flags->items = items;
    int status = make(state, &items[flags->count]);
    if (!status) items[flags->count++].busy = 0;
    return status;
}

int weft_flags_take(weft_flags *flags, weft_make_flag make, void *state, weft_kept_flag *taken) {
    pthread_mutex_lock(&flags->lock);
    int k = 0;
    while (k < flags->count && flags->items[k].busy) k++;
    int status = k < flags->count ? 0 : add(flags, make, state);
    if (!status) {
        flags->items[k].busy = 1;
        *taken = flags->items[k];
    }
    pthread_mutex_unlock(&flags->lock);
    return status;
}

weft_kept_flag weft_flags_find(weft_flags *flags, uint64_t flag) {
    pthread_mutex_lock(&flags->lock);
    weft_kept_flag found = *position(flags, flag);
    pthread_mutex_unlock(&flags->lock);
    return found;
}

void weft_flags_give(weft_flags *flags, uint64_t flag) {
    pthread_mutex_lock(&flags->lock);
    position(flags, flag)->busy = 0;
    pthread_mutex_unlock(&flags->lock);
}
