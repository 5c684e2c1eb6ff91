/* Small memory of a device that is kept for the next launch, since making it costs more than launching: flags, and what is
   lent to kernels for few results. */
#ifndef WEFT_FLAGS_H
#define WEFT_FLAGS_H
#include <pthread.h>
#include <stdint.h>

typedef struct {
    uint64_t flag;
    void *host; /* where the host reads it, if it can */
    int busy;
} weft_kept_flag;

typedef struct {
    pthread_mutex_t lock;
    weft_kept_flag *items;
    int count;
} weft_flags;

/* Makes a flag that is 0; 0 when done. */
typedef int (*weft_make_flag)(void *state, weft_kept_flag *made);

/* A flag that nobody else has. A caller that does not give it back, since the device failed, keeps it forever. */
int weft_flags_take(weft_flags *flags, weft_make_flag make, void *state, weft_kept_flag *taken);

/* The kept flag of a handle. */
weft_kept_flag weft_flags_find(weft_flags *flags, uint64_t flag);

/* Takes back a flag that is 0 again. */
void weft_flags_give(weft_flags *flags, uint64_t flag);
#endif
