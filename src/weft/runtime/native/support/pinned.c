/* Memory of the host that a driver knows: see `pinned.h`. */
#include "pinned.h"
#include "mirror.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *low, *high;
    const weft_driver *driver;
    void *state;
} pinned;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pinned *items; /* by address; none overlaps another */
static int count, room;

/* The number of items that start at an address or before. */
static int position(const char *address) {
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (items[middle].low <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int grow(void) {
    if (count < room) return 0;
    int more = room ? 2 * room : 64;
    pinned *made = realloc(items, (size_t)more * sizeof *made);
    if (!made) return WEFT_NO_HOST_MEMORY;
    items = made;
    room = more;
    return 0;
}

int weft_pin(const weft_driver *driver, void *state, void *memory, size_t bytes) {
    pthread_rwlock_wrlock(&lock);
    int status = grow();
    if (!status) status = driver->pin(state, memory, bytes);
    if (!status) {
        int k = position(memory);
        memmove(items + k + 1, items + k, (size_t)(count++ - k) * sizeof *items);
        items[k] = (pinned){memory, (char *)memory + bytes, driver, state};
    }
    pthread_rwlock_unlock(&lock);
    return status;
}

void weft_unpin(void *memory) {
    pthread_rwlock_wrlock(&lock);
    int k = position(memory) - 1;
    if (k >= 0 && items[k].low == memory) {
        items[k].driver->unpin(items[k].state, memory);
        memmove(items + k, items + k + 1, (size_t)(--count - k) * sizeof *items);
    }
    pthread_rwlock_unlock(&lock);
}

int weft_is_pinned(const void *memory, size_t bytes) {
    if (!count) return 0;
    pthread_rwlock_rdlock(&lock);
    int k = position(memory) - 1;
    int found = k >= 0 && (const char *)memory + bytes <= items[k].high;
    pthread_rwlock_unlock(&lock);
    return found;
}
