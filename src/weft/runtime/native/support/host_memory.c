/* Memory of the host for arrays that travel: see `host_memory.h`. */
#define _GNU_SOURCE
#include "host_memory.h"
#include "mirror.h"
#include "pinned.h"
#include "pool.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 1 << 21, KEPT_PART = 8 /* of all memory stays here when it is free */ };

/* Large memory begins with a huge page: what is read in many places needs few translations then. */
static void *map(size_t bytes) {
    size_t more = bytes < HUGE_PAGE ? 0 : HUGE_PAGE;
    if (bytes + more < bytes) return NULL;
    char *memory = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (!more) return memory;
    size_t before = (size_t)-(intptr_t)memory % HUGE_PAGE;
    if (before) munmap(memory, before);
    munmap(memory + before + bytes, more - before);
    madvise(memory + before, bytes, MADV_HUGEPAGE);
    return memory + before;
}

static int allocate(void *state, size_t bytes, weft_memory *made) {
    (void)state;
    void *memory = bytes < WEFT_TRAVELS ? aligned_alloc(64, (bytes + 63) & ~(size_t)63) : map(bytes);
    if (!memory) return WEFT_NO_HOST_MEMORY;
    made->address = made->handle = (uint64_t)(size_t)memory;
    return 0;
}

static int release(void *state, weft_memory memory, size_t bytes) {
    (void)state;
    if (bytes < WEFT_TRAVELS) free((void *)(size_t)memory.address);
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

static void lock(void) { pthread_mutex_lock(&pool.lock); }
static void unlock(void) { pthread_mutex_unlock(&pool.lock); }

static void start(void) {
    weft_pool_init(&pool, &system_memory, NULL, NULL);
    pthread_atfork(lock, unlock, unlock); /* a child finds it as no thread left it half-way */
}

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
    if (!weft_pool_block(&pool, (uint64_t)(size_t)address, &memory, &bytes) || bytes < WEFT_TRAVELS) return 1;
    void *block = (void *)(size_t)memory.address;
    return weft_is_pinned(block, bytes) ? 0 : weft_pin(driver, state, block, bytes);
}

int weft_host_has(const void *address) {
    weft_memory memory;
    size_t bytes;
    pthread_once(&once, start);
    return weft_pool_block(&pool, (uint64_t)(size_t)address, &memory, &bytes);
}

int weft_host_release(void *memory) {
    pthread_once(&once, start);
    if (weft_pool_give(&pool, (uint64_t)(size_t)memory)) return WEFT_NOT_OURS;
    size_t used, kept, freed, most = (size_t)sysconf(_SC_PHYS_PAGES) / KEPT_PART * (size_t)sysconf(_SC_PAGESIZE);
    weft_pool_bytes(&pool, &used, &kept);
    return kept > most ? weft_pool_trim(&pool, &freed) : 0;
}
