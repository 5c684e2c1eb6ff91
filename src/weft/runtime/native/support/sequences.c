/* Sequences of kernels: see `sequences.h`. */
#include "sequences.h"
#include "mirror.h"
#include <stdlib.h>
#include <string.h>

static int grow(weft_kept_launch *kept, int count) {
    if (count <= kept->room) return 0;
    weft_argument *arguments = realloc(kept->arguments, (size_t)count * sizeof *arguments);
    if (arguments) kept->arguments = arguments;
    uint64_t(*values)[2] = realloc(kept->values, (size_t)count * sizeof *values);
    if (values) kept->values = values;
    if (!arguments || !values) return WEFT_NO_HOST_MEMORY;
    kept->room = count;
    return 0;
}

int weft_keep_launch(weft_kept_launch *kept, const weft_launch *launch) {
    if (grow(kept, launch->count)) return WEFT_NO_HOST_MEMORY;
    kept->launch = *launch;
    kept->launch.arguments = kept->arguments;
    for (int k = 0; k < launch->count; k++) {
        const weft_argument *given = &launch->arguments[k];
        memset(kept->values[k], 0, sizeof kept->values[k]);
        memcpy(kept->values[k], given->value, given->size);
        kept->arguments[k] = (weft_argument){kept->values[k], given->size, given->kind};
    }
    return 0;
}

void weft_forget_launches(weft_kept_launch *kept, int count) {
    for (int k = 0; k < count; k++) {
        free(kept[k].arguments);
        free(kept[k].values);
        kept[k] = (weft_kept_launch){0};
    }
}

/* Whether one can stand for the other once its arguments are set. */
static int same_kernel(const weft_launch *a, const weft_launch *b) {
    if (a->kernel != b->kernel || a->count != b->count) return 0;
    return !memcmp(a->group, b->group, sizeof a->group);
}

int weft_same_launch(const weft_kept_launch *a, const weft_kept_launch *b) {
    const weft_launch *one = &a->launch, *other = &b->launch;
    if (!same_kernel(one, other) || memcmp(one->grid, other->grid, sizeof one->grid)) return 0;
    return !memcmp(a->values, b->values, (size_t)one->count * sizeof *a->values);
}

static int same_kernels(const weft_sequence *sequence, const weft_kept_launch *launches, int count) {
    if (sequence->count != count) return 0;
    for (int k = 0; k < count; k++)
        if (!same_kernel(&sequence->launches[k].launch, &launches[k].launch)) return 0;
    return 1;
}

static void forget(const weft_driver *driver, void *state, weft_sequence *sequence) {
    if (sequence->made) driver->drop_sequence(state, sequence->made);
    sequence->made = NULL;
    weft_forget_launches(sequence->launches, sequence->count);
    sequence->count = 0;
}

/* The place of a sequence of the same kernels, or the one that was not used for longest. */
static weft_sequence **find(weft_sequences *sequences, const weft_kept_launch *launches, int count) {
    weft_sequence **oldest = sequences->kept;
    for (int k = 0; k < WEFT_KEPT_SEQUENCES; k++) {
        weft_sequence **place = &sequences->kept[k];
        if (!*place) return place;
        if (same_kernels(*place, launches, count)) return place;
        if ((*place)->last < (*oldest)->last) oldest = place;
    }
    return oldest;
}

static int queue_singly(const weft_driver *driver, void *state, const weft_kept_launch *launches, int count) {
    int status = 0;
    for (int k = 0; !status && k < count; k++) status = driver->launch(state, &launches[k].launch);
    return status;
}

/* Remembers a sequence that was not seen before. */
static int remember(weft_sequence *sequence, const weft_kept_launch *launches, int count) {
    int status = 0;
    for (; !status && sequence->count < count; sequence->count += !status)
        status = weft_keep_launch(&sequence->launches[sequence->count], &launches[sequence->count].launch);
    return status;
}

/* Sets what differs from the last time. */
static int set_launches(const weft_driver *driver, void *state, weft_sequence *sequence, const weft_kept_launch *launches) {
    int status = 0;
    for (int k = 0; !status && k < sequence->count; k++) {
        weft_kept_launch *kept = &sequence->launches[k];
        if (weft_same_launch(kept, &launches[k])) continue;
        status = weft_keep_launch(kept, &launches[k].launch);
        if (!status && sequence->made) status = driver->set_in_sequence(state, sequence->made, k, &kept->launch);
    }
    return status;
}

static int run(const weft_driver *driver, void *state, weft_sequence *sequence, const weft_kept_launch *launches) {
    int status = set_launches(driver, state, sequence, launches);
    if (!status && !sequence->made) {
        const weft_launch *all[WEFT_SEQUENCE];
        for (int k = 0; k < sequence->count; k++) all[k] = &sequence->launches[k].launch;
        status = driver->make_sequence(state, all, sequence->count, &sequence->made);
    }
    return status ? status : driver->run_sequence(state, sequence->made);
}

static int queue(weft_sequences *sequences, const weft_driver *driver, void *state, const weft_kept_launch *launches,
                 int count) {
    weft_sequence **place = find(sequences, launches, count), *sequence = *place;
    int is_known = sequence && same_kernels(sequence, launches, count);
    if (!sequence && !(sequence = *place = calloc(1, sizeof *sequence))) return WEFT_NO_HOST_MEMORY;
    sequence->last = ++sequences->uses;
    int status;
    if (is_known) status = run(driver, state, sequence, launches);
    else {
        forget(driver, state, sequence);
        status = remember(sequence, launches, count);
        if (!status) return queue_singly(driver, state, launches, count);
    }
    if (status) forget(driver, state, sequence);
    return status;
}

int weft_queue_launches(weft_sequences *sequences, const weft_driver *driver, void *state, const weft_kept_launch *launches,
                        int count) {
    if (count < WEFT_SHORTEST_SEQUENCE) return queue_singly(driver, state, launches, count);
    pthread_mutex_lock(&sequences->lock);
    int status = queue(sequences, driver, state, launches, count);
    pthread_mutex_unlock(&sequences->lock);
    return status;
}
