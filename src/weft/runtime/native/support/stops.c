/* Flags by which programs are told to stop: see `stops.h`. */
#define _GNU_SOURCE
#include "stops.h"
#include <pthread.h>
#include <sys/mman.h>

enum { BYTES = WEFT_STOPS * WEFT_STOP_BYTES };

static char *memory;
static char used[WEFT_STOPS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A forked child has flags of its own at the same addresses. Drivers could not follow if the parent's memory moved, which it
   may where it is private and both write. */
static void *map(void *address) {
    int fixed = address ? MAP_FIXED : 0;
    return mmap(address, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | fixed, -1, 0);
}

static void begin_anew(void) {
    pthread_mutex_init(&lock, NULL);
    map(memory);
}

static void start(void) {
    static char instead[BYTES] __attribute__((aligned(WEFT_STOP_BYTES)));
    void *made = map(NULL);
    memory = made == MAP_FAILED ? instead : made;
    used[WEFT_NEVER] = used[WEFT_MAIN] = 1;
    if (memory == made) pthread_atfork(NULL, NULL, begin_anew);
}

volatile int *weft_stop(int number) {
    pthread_once(&once, start);
    return (volatile int *)(memory + number * WEFT_STOP_BYTES);
}

volatile int *weft_take_stop(void) {
    volatile int *first = weft_stop(0), *taken = NULL;
    pthread_mutex_lock(&lock);
    for (int k = 0; !taken && k < WEFT_STOPS; k++) {
        if (used[k]) continue;
        used[k] = 1;
        taken = first + k * (WEFT_STOP_BYTES / (int)sizeof *first);
        *taken = 0;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

void weft_give_stop(volatile int *flag) {
    if (!flag) return;
    pthread_mutex_lock(&lock);
    used[((const volatile char *)flag - memory) / WEFT_STOP_BYTES] = 0;
    pthread_mutex_unlock(&lock);
}

void *weft_stop_memory(size_t *bytes) {
    *bytes = BYTES;
    return (void *)(size_t)weft_stop(0);
}
