/* The lanes of a device: kernels, copies to it and copies out of it are queued apart, so that they run beside each other.

   Work of a lane runs in order. Work of two lanes is ordered by what it touches: memory of the device (`weft_use`), and the
   host's bytes of a copy. An order between lanes, and a wait of the host, is one for an event behind the very work that
   is awaited, never for a whole queue. */
#ifndef WEFT_LANES_H
#define WEFT_LANES_H
#include <pthread.h>
#include <stdint.h>

enum { WEFT_KERNELS, WEFT_IN, WEFT_OUT, WEFT_LANES };

typedef struct weft_driver weft_driver;

/* The last work of each lane that touched something, and that wrote it: work is counted from 1 on, lane by lane. */
typedef struct {
    uint64_t used[WEFT_LANES], written[WEFT_LANES];
} weft_use;

typedef struct {
    weft_use *use;
    int writes;
} weft_touch;

/* Something to queue: what it touches on the device, and which bytes of the host it copies. */
typedef struct {
    int lane;
    const weft_touch *touches;
    int count;
    const char *low, *high;
    uint64_t number; /* of the work in its lane, once it is queued */
} weft_work;

/* An event behind the work of this number, the work of other lanes before which it does not happen, and the host's bytes
   that this work copies. */
typedef struct {
    uint64_t number, event, seen[WEFT_LANES];
    const char *low, *high;
} weft_point;

enum { WEFT_POINTS = 64 };

typedef struct {
    uint64_t queued, done;      /* the last work, and the last of which the host knows that it is done */
    uint64_t seen[WEFT_LANES];  /* the last work of others that it comes after */
    weft_point points[WEFT_POINTS];
    int newest;
} weft_lane;

typedef struct {
    pthread_mutex_t lock; /* of the lanes, and of every `weft_use` */
    const weft_driver *driver;
    void *state;
    weft_lane lanes[WEFT_LANES];
} weft_lanes;

void weft_lanes_init(weft_lanes *lanes, const weft_driver *driver, void *state);

/* Before something is queued: its lane waits for what it must come after; the host does where it is copying itself. */
int weft_lanes_order(weft_lanes *lanes, const weft_work *work);

/* The last copy of a lane whose bytes of the host meet these; any that is too old to be known. */
uint64_t weft_lanes_meeting(weft_lanes *lanes, int lane, const char *low, const char *high);

/* After it was queued: gives it its number. */
int weft_lanes_note(weft_lanes *lanes, weft_work *work);

/* What a lane is given from now on comes after all that is queued in a lane of another device. */
int weft_lanes_follow(weft_lanes *lanes, int lane, weft_lanes *others, int other);

/* Later kernels come after all copies so far. */
int weft_lanes_join(weft_lanes *lanes);

/* Lets somebody wait for all that is queued in a lane now, whatever follows; its number. */
int weft_lanes_mark(weft_lanes *lanes, int lane, uint64_t *number);

uint64_t weft_lanes_queued(weft_lanes *lanes, int lane);

/* Whether the host knows that some work is done; and makes it wait until it is. */
int weft_lanes_is_done(weft_lanes *lanes, int lane, uint64_t number);
int weft_lanes_reach(weft_lanes *lanes, int lane, uint64_t number);
#endif
