/* Memory of the host for arrays that travel: see `host_memory.h`. */
#define _GNU_SOURCE
#include "host_memory.h"
#include "mirror.h"
#include "pinned.h"
#include "pool.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SMALL = 1 << 16, HUGE_PAGE = 1 << 21, KEPT_PART = 8 /* of all memory stays here when it is free */ };

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (bytes >= HUGE_PAGE) madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static int allocate(void *state, size_t bytes, weft_memory *made) {
    (void)state;
    void *memory = bytes < SMALL ? aligned_alloc(64, (bytes + 63) & ~(size_t)63) : map(bytes);
    if (!memory) return WEFT_NO_HOST_MEMORY;
    made->address = made->handle = (uint64_t)(size_t)memory;
    return 0;
}

static int release(void *state, weft_memory memory, size_t bytes) {
    (void)state;
    if (bytes < SMALL) free((void *)(size_t)memory.address);
    else {
        weft_unpin((void *)(size_t)memory.address);
        munmap((void *)(size_t)memory.address, bytes);
    }
    return 0;
}

static int wait(void *state) {
    (void)state;
    return 0;
}

static const weft_driver system_memory = {.has_addresses = 1, .no_memory = {WEFT_NO_HOST_MEMORY}, .allocate = allocate,
                                          .release = release, .wait = wait};

static weft_pool pool;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void) { weft_pool_init(&pool, &system_memory, NULL, NULL); }

void *weft_host_allocate(size_t bytes) {
    uint64_t address;
    size_t fresh;
    pthread_once(&once, start);
    return weft_pool_take(&pool, bytes, &address, &fresh) ? NULL : (void *)(size_t)address;
}

int weft_host_pin(const weft_driver *driver, void *state, const void *address) {
    weft_memory memory;
    size_t bytes;
    pthread_once(&once, start);
    if (!weft_pool_block(&pool, (uint64_t)(size_t)address, &memory, &bytes) || bytes < SMALL) return 1;
    void *block = (void *)(size_t)memory.address;
    return weft_is_pinned(block, bytes) ? 0 : weft_pin(driver, state, block, bytes);
}

void weft_host_release(void *memory) {
    size_t used, kept, freed, most = (size_t)sysconf(_SC_PHYS_PAGES) / KEPT_PART * (size_t)sysconf(_SC_PAGESIZE);
    weft_pool_give(&pool, (uint64_t)(size_t)memory);
    weft_pool_bytes(&pool, &used, &kept);
    if (kept > most) weft_pool_trim(&pool, &freed);
}
