/* Sequences of kernels that a program queues again and again: the driver makes one thing of each, and keeps it. */
#ifndef WEFT_SEQUENCES_H
#define WEFT_SEQUENCES_H
#include "driver.h"
#include <pthread.h>

enum { WEFT_SEQUENCE = 32 /* kernels, at most */, WEFT_KEPT_SEQUENCES = 16 };

/* A launch with arguments of its own. */
typedef struct {
    weft_launch launch;
    weft_argument *arguments;
    uint64_t (*values)[2];
    int room;
} weft_kept_launch;

typedef struct {
    weft_kept_launch launches[WEFT_SEQUENCE];
    int count;
    void *made;    /* by the driver; NULL where it was queued once only */
    uint64_t last; /* when it was used */
} weft_sequence;

typedef struct {
    pthread_mutex_t lock;
    weft_sequence *kept[WEFT_KEPT_SEQUENCES];
    uint64_t uses;
} weft_sequences;

/* Copies a launch with its arguments into another; WEFT_NO_HOST_MEMORY. */
int weft_keep_launch(weft_kept_launch *kept, const weft_launch *launch);

int weft_same_launch(const weft_kept_launch *a, const weft_kept_launch *b);

void weft_forget_launches(weft_kept_launch *kept, int count);

/* Queues kernels, each after the one before: as a sequence, where those of the same kernels were queued before. `queued` is
   how many were before one failed. */
int weft_queue_launches(weft_sequences *sequences, const weft_driver *driver, void *state, const weft_kept_launch *launches,
                        int count);
#endif
