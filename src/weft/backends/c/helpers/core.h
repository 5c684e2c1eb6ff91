#define HELPER static inline __attribute__((unused))

#define bool _Bool

#define true 1

#define false 0

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define NAN __builtin_nanf("")

#define INFINITY __builtin_inff()

typedef int32_t index_t;

HELPER double weft_size(int64_t value) { return value < 0 ? -(double)value : (double)value; }

/* Whether so many statements in each of so many threads take less than about a second, by what a device can do at once. */
HELPER bool weft_ends_soon(double statements, double threads, double at_once, double in_a_second) {
    return statements * (threads > at_once ? threads : at_once) < in_a_second;
}

/* How far an axis of an array reaches, in bytes; as many elements at least. */
HELPER double weft_reach(int64_t extent, int64_t stride, int64_t size) {
    return (double)extent * (stride > -size && stride < size ? (double)size : weft_size(stride));
}

#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#if defined(__clang__)
#define SHUFFLE(indices, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(indices, a, b, ...) __builtin_shuffle(a, b, (indices){__VA_ARGS__})
#endif

/* Before a loop over lanes: it is to become vectors, not straight code. */
#if defined(__clang__)
#define ONE_BY_ONE _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define ONE_BY_ONE _Pragma("GCC ivdep")
#endif

#define RARE __attribute__((cold, noinline, unused)) static

typedef TYPE packed_@ __attribute__((aligned(1), may_alias));

HELPER bool is_outside(int64_t index, int64_t extent) { return index < -extent || index >= extent; }

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

/* The same where it is tested next: an index that is inside passes both tests at once. No vector code is made of it. */
HELPER int64_t rarely_from_end(int64_t index, int64_t extent) {
    return UNLIKELY((uint64_t)index >= (uint64_t)extent) ? index + extent : index;
}

/* A number of which gcc does not know that it is a constant. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
HELPER double not_known_float64(double a) {
    __asm__("" : "+x"(a));
    return a;
}
HELPER float not_known_float32(float a) {
    __asm__("" : "+x"(a));
    return a;
}
#else
HELPER double not_known_float64(double a) { return a; }
HELPER float not_known_float32(float a) { return a; }
#endif

/* After a store: gcc does not put several of them together. */
#if defined(__GNUC__) && !defined(__clang__)
HELPER void stored_alone(void) { __asm__ __volatile__("" ::: "memory"); }
#else
HELPER void stored_alone(void) {}
#endif

/* The same, of which gcc does not know that it is 0 or 1: for indices of bytes. Its vector code would read t[-1] for
   t[x != 0]. */
#if defined(__GNUC__) && !defined(__clang__)
HELPER int64_t not_a_truth_value(int64_t index) {
    __asm__("" : "+r"(index));
    return index;
}
#else
HELPER int64_t not_a_truth_value(int64_t index) { return index; }
#endif

HELPER int64_t clamp_index(int64_t index, int64_t extent) {
    index = index < extent ? index : extent - 1;
    return index < 0 ? 0 : index;
}

HELPER int64_t min_int64(int64_t a, int64_t b) { return b < a ? b : a; }

HELPER int64_t max_int64(int64_t a, int64_t b) { return b > a ? b : a; }

RARE int32_t weft_raise(weft_fault *fault, int32_t site, int64_t iteration, int32_t count, const weft_value *operands) {
    while (__atomic_exchange_n(&fault->lock, 1, __ATOMIC_ACQUIRE)) continue;
    if (fault->site == 0 || iteration < fault->iteration) {
        for (int32_t k = 0; k < count; k++) fault->operands[k] = operands[k];
        __atomic_store_n(&fault->iteration, iteration, __ATOMIC_RELAXED);
        __atomic_store_n(&fault->site, site, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&fault->lock, 0, __ATOMIC_RELEASE);
    return site;
}

/* Where an iteration before this one has failed already, so that this one need not run: its site. */
HELPER int32_t weft_is_over(weft_fault *fault, int64_t iteration) {
    int32_t site = __atomic_load_n(&fault->site, __ATOMIC_ACQUIRE);
    return site && __atomic_load_n(&fault->iteration, __ATOMIC_RELAXED) < iteration ? site : WEFT_OK;
}

/* A record of a journal: the bytes that were overwritten, then these words. */
typedef struct {
    void *place;
    size_t size;
} weft_overwritten;

HELPER size_t weft_whole_words(size_t size) { return (size + 7) / 8 * 8; }

/* Keeps the bytes at a place; false where there is no room for them. */
HELPER bool weft_write_down(weft_journal *journal, void *place, size_t size) {
    size_t room = weft_whole_words(size) + sizeof(weft_overwritten);
    if (UNLIKELY((size_t)(journal->limit - journal->end) < room) && !journal->more(journal, room)) return false;
    weft_overwritten record = {place, size};
    char *end = journal->end;
    journal->end = end + room;
    memcpy(end, place, size);
    memcpy(end + room - sizeof record, &record, sizeof record);
    return true;
}

/* Puts everything back, the last first. */
HELPER void weft_put_back(void *context, int64_t begin, int64_t end, void *memory) {
    (void)context, (void)begin, (void)end;
    weft_journal *journal = memory;
    while (journal->end > journal->first) {
        weft_overwritten record;
        memcpy(&record, journal->end - sizeof record, sizeof record);
        journal->end -= weft_whole_words(record.size) + sizeof record;
        memcpy(record.place, journal->end, record.size);
    }
}

/* How many iterations a piece has that each overwrite so many elements. */
HELPER int64_t weft_longest(double elements, double most) {
    return elements < most ? (int64_t)(elements > 1.0 ? most / elements : most) : 1;
}

#define FRESH __attribute__((malloc, noinline, unused)) static

/* Memory that nobody else points to. */
FRESH void *weft_allocate(const weft_runtime *runtime, int64_t bytes) { return runtime->allocate((size_t)bytes, 0); }

/* The same for an array that is made again in every iteration: its memory is used again where it is large enough. */
FRESH void *weft_reserve(const weft_runtime *runtime, void *memory, int64_t *size, int64_t bytes) {
    if (memory && bytes <= *size) return memory;
    weft_release(runtime, memory);
    *size = bytes;
    return runtime->allocate((size_t)bytes, 0);
}

HELPER void weft_release(const weft_runtime *runtime, void *memory) {
    if (memory) runtime->release(memory);
}

/* The bytes of an array, or -1 where they are more than memory can have. */
HELPER int64_t weft_bytes(int32_t count, const int64_t *shape, int64_t size) {
    for (int32_t k = 0; k < count; k++)
        if (shape[k] == 0) return 0;
    for (int32_t k = 0; k < count; k++)
        if (__builtin_mul_overflow(size, shape[k], &size)) return -1;
    return size;
}

/* Memory that outlives the block in which it was allocated. */
typedef struct {
    void **items;
    int64_t count, capacity;
} weft_owned;

RARE bool weft_keep(const weft_runtime *runtime, weft_owned *owned, void *memory) {
    if (owned->count == owned->capacity) {
        int64_t capacity = owned->capacity ? 2 * owned->capacity : 8;
        void **items = runtime->allocate((size_t)capacity * sizeof *items, 0);
        if (!items) {
            runtime->release(memory);
            return false;
        }
        for (int64_t k = 0; k < owned->count; k++) items[k] = owned->items[k];
        weft_release(runtime, owned->items);
        owned->items = items;
        owned->capacity = capacity;
    }
    owned->items[owned->count++] = memory;
    return true;
}

/* Releases what was kept since `mark` and is not among the memory still in use. */
RARE void weft_sweep(const weft_runtime *runtime, weft_owned *owned, int64_t mark, int32_t count, void *const *used) {
    int64_t kept = mark;
    for (int64_t k = mark; k < owned->count; k++) {
        bool is_used = false;
        for (int32_t u = 0; u < count; u++) is_used |= owned->items[k] == used[u];
        if (is_used) owned->items[kept++] = owned->items[k];
        else runtime->release(owned->items[k]);
    }
    owned->count = kept;
}

/* Memory that is returned to the caller. */
RARE void weft_disown(weft_owned *owned, const void *memory) {
    int64_t kept = 0;
    for (int64_t k = 0; k < owned->count; k++)
        if (owned->items[k] != memory) owned->items[kept++] = owned->items[k];
    owned->count = kept;
}

/* Memory that is given to the calling function, if it is this one's. */
RARE bool weft_hand_over(const weft_runtime *runtime, weft_owned *owned, weft_owned *callers, void *memory) {
    int64_t count = owned->count;
    weft_disown(owned, memory);
    return owned->count == count || weft_keep(runtime, callers, memory);
}

/* At the end of a function: all that was kept goes, but what it returns. */
RARE void weft_release_all(const weft_runtime *runtime, weft_owned *owned, int32_t count, void *const *returned) {
    weft_sweep(runtime, owned, 0, count, returned);
    weft_release(runtime, owned->items);
}

/* How many iterations a loop has: ends that were read may be anywhere, so that there may be more than a number says. */
HELPER int64_t weft_trips(int64_t start, int64_t stop) {
    if (start >= stop) return 0;
    return stop - start < 0 ? INT64_MAX : stop - start;
}

/* The same of two loops that run as one: nobody lives to see the last ones of so many. */
HELPER int64_t weft_rectangle(int64_t rows, int64_t columns) {
    int64_t trips;
    return __builtin_mul_overflow(rows, columns, &trips) ? INT64_MAX : trips;
}

/* The same of one that has some left, and at most so many. */
HELPER int64_t weft_left(int64_t next, int64_t stop, int64_t most) {
    uint64_t left = (uint64_t)stop - (uint64_t)next;
    return left < (uint64_t)most ? (int64_t)left : most;
}

/* Whether a loop has more iterations than so many. */
HELPER bool weft_is_long(int64_t start, int64_t stop, int64_t most) {
    return start < stop && (uint64_t)stop - (uint64_t)start > (uint64_t)most;
}

/* The same of mean bounds. */
HELPER double weft_span(double start, double stop) { return start < stop ? stop - start : 0.0; }

/* In how many pieces a reduction is cut: a question of its size alone, so that results do not depend on the threads. */
HELPER int64_t weft_pieces(double work, int64_t trips) {
    int64_t pieces = work < 7000.0 ? 1 : work > 64 * 7000.0 ? 64 : (int64_t)(work / 7000.0);
    return pieces < trips ? pieces : trips < 0 ? 0 : trips;
}

/* Copies that a piece takes in turns: those of a large array are seldom changed at one place twice in a row. */
HELPER int64_t weft_turns(int64_t cells) { return cells <= 2048 ? 4 : 1; }

/* The elements that the copies of a piece take, so that no line of the cache belongs to two pieces. */
HELPER int64_t weft_room(int64_t cells) { return (weft_turns(cells) * cells + 127) / 128 * 128; }

/* The same as `weft_pieces` where each piece has copies of arrays with so many cells, each of which takes about 4 ns to
   clear and to fold: that may be a sixteenth of the work. */
HELPER int64_t weft_pieces_by_key(double work, int64_t trips, int64_t cells) {
    double most = work / (64.0 * ((double)cells + 1));
    int64_t pieces = weft_pieces(work, trips), affordable = most > 64 ? 64 : (int64_t)most;
    return pieces < affordable || pieces < 1 ? pieces : affordable > 1 ? affordable : 1;
}

/* The piece that an iteration belongs to; counted without a sign, as there may be more than a number with one says. */
HELPER int64_t weft_piece_of(int64_t begin, int64_t end, int64_t pieces, int64_t iteration) {
    uint64_t trips = (uint64_t)end - (uint64_t)begin, before = (uint64_t)iteration - (uint64_t)begin;
    int64_t piece = pieces - 1;
    while (piece > 0 && (uint64_t)((unsigned __int128)trips * (uint64_t)piece / (uint64_t)pieces) > before) piece--;
    return piece;
}

/* The first of the iterations [begin, end) that writes to the beginning of a line of the cache, where they write one
   after the other from `to`; their end where there are not many more than may have to come before it. */
HELPER int64_t first_whole(const void *to, int64_t size, int64_t begin, int64_t end) {
    return end - begin < 8192 / (size * size) ? end : begin + (int64_t)(-(uintptr_t)to % 64) / size;
}
