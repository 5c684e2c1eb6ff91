/* Copies between a device and memory of the host that the driver does not know, in pieces through memory that it knows:
   several threads copy one piece while another one crosses. */
#ifndef WEFT_STAGING_H
#define WEFT_STAGING_H
#include "driver.h"
#include <pthread.h>

enum { WEFT_SLOTS = 4, WEFT_SLOT_BYTES = 1 << 24 };

typedef struct {
    pthread_mutex_t lock; /* one copy at a time */
    char *slots[WEFT_SLOTS];
    uint64_t marks[WEFT_SLOTS]; /* when a slot's last piece has crossed; 0: it has */
} weft_staging;

/* Both return when the memory of the host may be used again. */
int weft_stage_in(weft_staging *staging, const weft_driver *driver, void *state, weft_place to, const char *host,
                  size_t bytes);
int weft_stage_out(weft_staging *staging, const weft_driver *driver, void *state, char *host, weft_place from,
                   size_t bytes);

/* The same for rows, none of which is longer than a slot: they cross one behind the other, and threads take them from their
   places or put them there. Drivers take a step of their own for each row in memory that they do not know. The place is that
   of the first one. */
int weft_stage_rows_in(weft_staging *staging, const weft_driver *driver, void *state, weft_place to, const weft_rows *rows);
int weft_stage_rows_out(weft_staging *staging, const weft_driver *driver, void *state, weft_place from,
                        const weft_rows *rows);
#endif
