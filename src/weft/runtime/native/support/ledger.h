/* What devices did, while somebody wants to know: see `weft.profile`. */
#ifndef WEFT_LEDGER_H
#define WEFT_LEDGER_H
#include <stddef.h>
#include <stdint.h>

typedef enum {
    WEFT_COPY_IN, WEFT_COPY_OUT, WEFT_ALLOCATE, WEFT_FREE, WEFT_LAUNCH, WEFT_WAIT
} weft_event_kind;

/* An array of a call: the bytes that it spans on the host, and its name. Names live as long as the process. */
typedef struct {
    const char *low, *high, *name;
} weft_named;

/* What is known of the cause of what the calling thread does. The texts live as long as the process. */
typedef struct {
    const char *file, *program, *program_file, *array, *reason;
    int line, program_line; /* in the caller's file, and in the program's */
    const weft_named *arrays; /* of the call that runs, for whatever has no `array` */
    int count;
} weft_cause;

extern _Thread_local weft_cause weft_present_cause;

typedef struct weft_event weft_event;

/* Hears where events begin and end, which lie one inside another on each thread. */
typedef struct {
    void (*opened)(const weft_event *event);
    void (*closed)(void);
} weft_listener;

struct weft_event {
    weft_event_kind kind;
    const void *device;  /* its table */
    uint64_t address;    /* on the device */
    const void *host;    /* of a copy; of a launch the kernel */
    size_t bytes;
    double start;        /* seconds on the monotonic clock, when it was queued */
    double seconds;      /* of the calling thread */
    uint64_t marks[2];   /* points in the queue around it; 0: none, the calling thread did it */
    weft_cause cause;
    const void **kernels; /* of a launch of several, which the event has; else NULL */
    int count;
    const weft_listener *told; /* who heard where it began, to hear where it ends; NULL: nobody */
};

/* NULL where nobody listens. */
extern const weft_listener *volatile weft_listens;

/* Finds the name of the array of an event among those of the call. */
void weft_name_array(weft_event *event);

/* Non-zero while events are wanted. */
extern volatile int weft_ledger_on;

double weft_now(void);
void weft_ledger_add(weft_event *event);

/* How long an event took: on the device, where it is marked in the queue, whose marks this gives back. */
double weft_event_seconds(const weft_event *event);

/* All events so far, which the caller frees; they are forgotten here. */
weft_event *weft_ledger_take(int *count);
#endif
