/* Memory of a device that is kept: see `pool.h`. */
#include "pool.h"
#include "mirror.h"
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 256, SIZES_AN_OCTAVE = 16 };

static _Thread_local size_t limit = SIZE_MAX;

size_t weft_pool_limit(size_t bytes) {
    size_t before = limit;
    limit = bytes;
    return before;
}

int weft_pool_is_limited(void) { return limit != SIZE_MAX; }

/* The limit is one of devices, whose pools have lanes, and not of the host's memory. */
static size_t most_of(const weft_pool *pool) { return pool->lanes ? limit : SIZE_MAX; }

static size_t left(size_t most, size_t used) { return most > used ? most - used : 0; }

size_t weft_pool_room(weft_pool *pool, size_t back) {
    pthread_mutex_lock(&pool->lock);
    size_t most = most_of(pool), room = left(most < pool->there ? most : pool->there, left(pool->used, back));
    pthread_mutex_unlock(&pool->lock);
    return room;
}

void weft_pool_init(weft_pool *pool, const weft_driver *driver, void *state, weft_lanes *lanes) {
    memset(pool, 0, sizeof *pool);
    pool->driver = driver;
    pool->state = state;
    pool->lanes = lanes;
    pool->there = SIZE_MAX;
    pthread_mutex_init(&pool->lock, NULL);
}

/* Sizes are rounded up to one of sixteen between two powers of two: at most a sixteenth is wasted. */
static size_t rounded(size_t bytes, int *class) {
    size_t step = SMALLEST / SIZES_AN_OCTAVE;
    int octave = 0;
    if (bytes < SMALLEST) bytes = SMALLEST;
    while (bytes > 2 * SIZES_AN_OCTAVE * step && octave < 62) step *= 2, octave++;
    size_t steps = (bytes + step - 1) / step;
    *class = octave * SIZES_AN_OCTAVE + (int)(steps - SIZES_AN_OCTAVE);
    return steps * step;
}

enum { BEFORE = 64 }; /* bytes before an array's first element, at most */

size_t weft_pool_size(size_t bytes) {
    int class;
    return bytes < SIZE_MAX / 2 ? rounded(bytes + BEFORE, &class) : bytes;
}

/* The number of blocks with addresses up to this one. */
static int position(const weft_pool *pool, uint64_t address) {
    int low = 0, high = pool->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (pool->blocks[middle]->memory.address <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

static weft_block *containing(const weft_pool *pool, uint64_t address) {
    int k = position(pool, address);
    weft_block *block = k ? pool->blocks[k - 1] : NULL;
    return block && address - block->memory.address < block->bytes ? block : NULL;
}

static int insert(weft_pool *pool, weft_block *block) {
    if (pool->count == pool->room) {
        int room = pool->room ? 2 * pool->room : 64;
        weft_block **blocks = realloc(pool->blocks, (size_t)room * sizeof *blocks);
        if (!blocks) return WEFT_NO_HOST_MEMORY;
        pool->blocks = blocks;
        pool->room = room;
    }
    int k = position(pool, block->memory.address);
    memmove(pool->blocks + k + 1, pool->blocks + k, (size_t)(pool->count++ - k) * sizeof *pool->blocks);
    pool->blocks[k] = block;
    return 0;
}

/* Gives a free block back to the driver. */
static int discard(weft_pool *pool, weft_block *block) {
    int k = position(pool, block->memory.address);
    memmove(pool->blocks + k - 1, pool->blocks + k, (size_t)(pool->count-- - k) * sizeof *pool->blocks);
    int status = pool->driver->release(pool->state, block->memory, block->bytes);
    free(block);
    return status;
}

static int trim(weft_pool *pool, size_t *freed) {
    int status = pool->lanes ? weft_lanes_join(pool->lanes) : 0;
    *freed = pool->kept;
    for (int class = 0; class < WEFT_POOL_CLASSES; class++)
        while (pool->free[class]) {
            weft_block *block = pool->free[class];
            pool->free[class] = block->next;
            pool->kept -= block->bytes;
            int failed = discard(pool, block);
            if (!status) status = failed;
        }
    return status;
}

int weft_pool_lacks(const weft_pool *pool, int status) {
    for (int k = 0; k < 3 && pool->driver->no_memory[k]; k++)
        if (pool->driver->no_memory[k] == status) return 1;
    return 0;
}

/* Asks the driver; where it has nothing left, once more after what is free here was given back. */
static int ask(weft_pool *pool, size_t bytes, weft_memory *made) {
    int status = pool->driver->allocate(pool->state, bytes, made);
    if (!weft_pool_lacks(pool, status) || !pool->kept) return status;
    size_t freed;
    status = trim(pool, &freed);
    if (!status) status = pool->driver->wait(pool->state);
    return status ? status : pool->driver->allocate(pool->state, bytes, made);
}

static int make(weft_pool *pool, size_t bytes, weft_block **made) {
    weft_block *block = malloc(sizeof *block);
    if (!block) return WEFT_NO_HOST_MEMORY;
    *block = (weft_block){.bytes = bytes};
    int status = ask(pool, bytes, &block->memory);
    if (!status && (status = insert(pool, block))) pool->driver->release(pool->state, block->memory, bytes);
    if (status) free(block);
    else *made = block;
    return status;
}

/* The next larger class where there is a free block of it that the limit allows, else the class itself. */
static int larger(const weft_pool *pool, int class) {
    const weft_block *block = class + 1 < WEFT_POOL_CLASSES ? pool->free[class + 1] : NULL;
    return block && block->bytes <= left(most_of(pool), pool->used) ? class + 1 : class;
}

/* Asks the driver, after what is free here was given back where both together are more than the limit. */
static int make_within(weft_pool *pool, size_t size, weft_block **made, size_t *fresh) {
    size_t freed;
    int status = size > left(most_of(pool), pool->used + pool->kept) ? trim(pool, &freed) : 0;
    if (!status) status = make(pool, size, made);
    if (!status) *fresh = size;
    return status;
}

int weft_pool_take(weft_pool *pool, size_t bytes, uint64_t *address, size_t *fresh) {
    int class, status = 0;
    size_t size = rounded(bytes, &class);
    *fresh = 0;
    if (size < bytes) return pool->driver->no_memory[0];
    pthread_mutex_lock(&pool->lock);
    int fit = pool->free[class] || size <= left(most_of(pool), pool->used + pool->kept) ? class : larger(pool, class);
    weft_block *block = pool->free[fit];
    if (size > left(most_of(pool), pool->used)) block = NULL, status = pool->driver->no_memory[0];
    else if (block) {
        pool->free[fit] = block->next;
        pool->kept -= block->bytes;
    } else status = make_within(pool, size, &block, fresh);
    if (!status) {
        *address = block->memory.address;
        pool->used += block->bytes;
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

int weft_pool_give(weft_pool *pool, uint64_t address) {
    int class;
    pthread_mutex_lock(&pool->lock);
    weft_block *block = containing(pool, address);
    if (block) {
        rounded(block->bytes, &class);
        block->next = pool->free[class];
        pool->free[class] = block;
        pool->used -= block->bytes;
        pool->kept += block->bytes;
    }
    pthread_mutex_unlock(&pool->lock);
    return block ? 0 : WEFT_NOT_OURS;
}

int weft_pool_trim(weft_pool *pool, size_t *freed) {
    pthread_mutex_lock(&pool->lock);
    int status = trim(pool, freed);
    pthread_mutex_unlock(&pool->lock);
    return status;
}

void weft_pool_bytes(weft_pool *pool, size_t *used, size_t *kept) {
    pthread_mutex_lock(&pool->lock);
    *used = pool->used;
    *kept = pool->kept;
    pthread_mutex_unlock(&pool->lock);
}

int weft_pool_block(weft_pool *pool, uint64_t address, weft_memory *memory, size_t *bytes) {
    pthread_mutex_lock(&pool->lock);
    weft_block *block = containing(pool, address);
    if (block) {
        *memory = block->memory;
        *bytes = block->bytes;
    }
    pthread_mutex_unlock(&pool->lock);
    return block != NULL;
}

weft_use *weft_pool_use(weft_pool *pool, uint64_t address) {
    pthread_mutex_lock(&pool->lock);
    weft_block *block = containing(pool, address);
    pthread_mutex_unlock(&pool->lock);
    return block ? &block->use : NULL;
}

weft_place weft_pool_place(weft_pool *pool, uint64_t address) {
    pthread_mutex_lock(&pool->lock);
    weft_block *block = containing(pool, address);
    weft_place place = {address, 0};
    if (block) place = (weft_place){block->memory.handle, (size_t)(address - block->memory.address)};
    pthread_mutex_unlock(&pool->lock);
    return place;
}
