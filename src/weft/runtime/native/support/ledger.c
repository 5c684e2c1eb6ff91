/* What devices did: see `ledger.h`. */
#include "ledger.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

volatile int weft_ledger_on;
const weft_listener *volatile weft_listens;
_Thread_local weft_cause weft_present_cause;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static weft_event *events;
static int count, room;

double weft_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void weft_name_array(weft_event *event) {
    weft_cause *cause = &event->cause;
    const char *host = event->host;
    for (int k = 0; !cause->array && host && k < cause->count; k++)
        if (cause->arrays[k].low <= host && host < cause->arrays[k].high) cause->array = cause->arrays[k].name;
    cause->arrays = NULL;
    cause->count = 0;
}

void weft_ledger_add(weft_event *event) {
    weft_name_array(event);
    pthread_mutex_lock(&lock);
    if (count == room) {
        int more = room ? 2 * room : 256;
        weft_event *items = realloc(events, (size_t)more * sizeof *items);
        if (items) {
            events = items;
            room = more;
        }
    }
    if (count < room) events[count++] = *event;
    pthread_mutex_unlock(&lock);
}

weft_event *weft_ledger_take(int *taken) {
    pthread_mutex_lock(&lock);
    weft_event *all = events;
    *taken = count;
    events = NULL;
    count = room = 0;
    pthread_mutex_unlock(&lock);
    return all;
}
