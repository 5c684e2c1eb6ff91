/* A small pool of threads of our own. Each thread begins with pieces of its own, the same ones in loops of the same
   shape, since its caches may still hold what they touch; then it claims what others have left, one piece after the
   other, so that a core that another process uses delays one piece only. A thread without work looks for more for some
   microseconds, then sleeps. Pieces that are begun in order are claimed one after the other by all threads.

   A worker takes part in a job between `active++` and `active--`, and only if the job is open when it looks after the
   increment; the caller closes the job and waits for `active` to be 0. Both are sequentially consistent, so either the
   worker sees that the job is closed, or the caller sees the worker. */
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_THREADS = 1024,
    PIECES_A_THREAD = 32, /* so that threads that start late, are interrupted or have easy pieces find work left */
    ORDERED_PIECES_A_THREAD = 64, /* more: pieces that one thread is late with keep others waiting */
    PAUSES_A_LOOK = 8,
    LOOKS_A_TURN = 256,   /* of a thread that waits for its turn before it lets others run */
    LEAST_STACK = 1 << 20, /* bytes; some systems give threads less than what pieces keep there */
    WHOLE_VECTORS = 64,   /* iterations, where vectors of any width and lines of the cache begin anew */
    LONGEST = 1 << 24,    /* iterations after which a piece that may be cut looks whether it is to stop */
};

static const double PIECE_WORK = 5e2;   /* ns of work below which a piece is not worth claiming */
static const double ORDERED_WORK = 4e3; /* the same of pieces that wait for each other */
static const double LONG_ITERATION = 50; /* ns of work above which iterations are no lanes of a vector */
static const int64_t SPIN = 30000;      /* ns that a thread looks for work before it sleeps */

static struct {
    weft_body body;
    void *context;
    int64_t begin, end, pieces, grain;
    uint64_t longest;
    int shares;
} job;

/* The pieces that one thread begins with: those from `next` on are not claimed yet. One cache line each. */
static struct {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
} share[MOST_THREADS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards sleeping and waking */
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic int busy;       /* a caller has the pool */
static _Atomic int is_open;    /* the job takes workers */
static _Atomic int active;     /* workers in the job, or looking whether it is open */
static _Atomic int wanted;     /* workers that the job can still use */
static _Atomic unsigned round; /* counts jobs */
static int sleeping, caller_sleeps;
static int threads, started; /* how many work on a loop; workers that exist */
static _Thread_local int is_worker;
static _Thread_local int place; /* which share a thread begins with; 0 for callers */
static _Atomic int places;      /* how many workers have one */
static _Atomic double thread_work = 1e4; /* ns of work below which a further thread is not worth waking */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void pause_shortly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void look_away(void) {
    for (int k = 0; k < PAUSES_A_LOOK; k++) pause_shortly();
}

/* A loop may have more iterations than a number with a sign says. */
static uint64_t trips_of(int64_t begin, int64_t end) { return begin < end ? (uint64_t)end - (uint64_t)begin : 0; }

int64_t weft_first_of(int64_t begin, int64_t end, int64_t pieces, int64_t grain, int64_t piece) {
    /* In 128 bits: a loop may have more than 2^31 iterations and pieces. */
    uint64_t before = (uint64_t)((unsigned __int128)trips_of(begin, end) * (uint64_t)piece / (uint64_t)pieces);
    return piece == pieces ? end : (int64_t)((uint64_t)begin + before / (uint64_t)grain * (uint64_t)grain);
}

/* The iterations of a piece, at most `longest` at a time. */
static int32_t run_piece(weft_body body, void *context, int64_t first, int64_t last, uint64_t longest, int64_t piece) {
    int32_t status = WEFT_OK;
    while (!status && first < last) {
        int64_t next = trips_of(first, last) > longest ? (int64_t)((uint64_t)first + longest) : last;
        status = body(context, first, next, piece);
        first = next;
    }
    return status;
}

static int32_t run_piece_of_job(int64_t piece) {
    int64_t first = weft_first_of(job.begin, job.end, job.pieces, job.grain, piece);
    int64_t last = weft_first_of(job.begin, job.end, job.pieces, job.grain, piece + 1);
    return run_piece(job.body, job.context, first, last, job.longest, piece);
}

/* Pieces of a share are claimed in their order: once one has failed, the others need not run. */
static void work(void) {
    for (int k = 0; k < job.shares; k++) {
        int mine = (place + k) % job.shares;
        /* Looking first leaves the line of the cache with all who look there in vain. */
        while (atomic_load_explicit(&share[mine].next, memory_order_relaxed) < share[mine].end) {
            int64_t piece = atomic_fetch_add_explicit(&share[mine].next, 1, memory_order_relaxed);
            if (piece >= share[mine].end) break;
            if (run_piece_of_job(piece)) atomic_store_explicit(&share[mine].next, share[mine].end, memory_order_relaxed);
        }
    }
}

/* Neighbouring pieces for each of so many threads. */
static void share_out(int64_t pieces, int shares) {
    job.shares = shares;
    for (int k = 0; k < shares; k++) {
        atomic_store_explicit(&share[k].next, (int64_t)((__int128)pieces * k / shares), memory_order_relaxed);
        share[k].end = (int64_t)((__int128)pieces * (k + 1) / shares);
    }
}

static void leave_job(void) {
    if (atomic_fetch_sub(&active, 1) > 1 || atomic_load(&is_open)) return;
    pthread_mutex_lock(&lock);
    if (caller_sleeps) pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
}

static void take_part(void) {
    atomic_fetch_add(&active, 1);
    if (atomic_load(&is_open) && atomic_fetch_sub(&wanted, 1) > 0) work();
    leave_job();
}

static void wait_for_job(unsigned seen) {
    int64_t until = now() + SPIN;
    do {
        if (atomic_load(&round) != seen) return;
        look_away();
    } while (now() < until);
    pthread_mutex_lock(&lock);
    sleeping++;
    while (atomic_load(&round) == seen) pthread_cond_wait(&wake, &lock);
    sleeping--;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *argument) {
    unsigned seen = (unsigned)(size_t)argument;
    is_worker = 1;
    place = atomic_fetch_add(&places, 1) + 1;
    for (;;) {
        wait_for_job(seen);
        seen = atomic_load(&round);
        take_part();
    }
    return NULL;
}

static int available_cores(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static int default_threads(void) {
    const char *text = getenv("WEFT_NUM_THREADS");
    int count = text ? atoi(text) : 0;
    if (count <= 0) count = available_cores();
    return count < MOST_THREADS ? count : MOST_THREADS;
}

/* In the child of a fork only the forking thread exists: the pool starts anew. */
static void start_again(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&wake, NULL);
    pthread_cond_init(&done, NULL);
    started = sleeping = caller_sleeps = 0;
    atomic_store(&places, 0);
    is_worker = 0;
    atomic_store(&busy, 0);
    atomic_store(&is_open, 0);
    atomic_store(&active, 0);
}

static void prepare(void) {
    if (threads == 0) threads = default_threads();
    pthread_atfork(NULL, NULL, start_again);
}

/* Called by the one that has the pool. */
static void start_workers(void) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    size_t stack;
    if (!pthread_attr_getstacksize(&attributes, &stack) && stack < LEAST_STACK)
        pthread_attr_setstacksize(&attributes, LEAST_STACK);
    for (; started < threads - 1; started++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, worker, (void *)(size_t)atomic_load(&round))) break;
    }
    pthread_attr_destroy(&attributes);
}

void weft_set_threads(int count) {
    pthread_once(&once, prepare);
    threads = count > 0 ? (count < MOST_THREADS ? count : MOST_THREADS) : default_threads();
}

int weft_get_threads(void) {
    pthread_once(&once, prepare);
    return threads;
}

static void run_alone(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, uint64_t longest) {
    if (parts == 1) { /* dividing in 128 bits takes as long as a short loop */
        run_piece(body, context, begin, end, longest, 0);
        return;
    }
    int32_t status = WEFT_OK;
    for (int64_t piece = 0; piece < parts && !status; piece++)
        status = run_piece(body, context, weft_first_of(begin, end, parts, 1, piece),
                           weft_first_of(begin, end, parts, 1, piece + 1), longest, piece);
}

static void open_job(int helpers) {
    atomic_store(&wanted, helpers);
    atomic_store(&is_open, 1);
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&round, 1);
    if (sleeping > 0 && helpers >= sleeping) pthread_cond_broadcast(&wake);
    else
        for (int k = 0; k < helpers && k < sleeping; k++) pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
}

static void close_job(void) {
    atomic_store(&is_open, 0);
    /* The last piece of another thread is mostly nearly done, so look for a moment before sleeping. */
    int64_t until = now() + SPIN;
    while (atomic_load(&active) > 0 && now() < until) look_away();
    if (atomic_load(&active) == 0) return;
    pthread_mutex_lock(&lock);
    caller_sleeps = 1;
    while (atomic_load(&active) > 0) pthread_cond_wait(&done, &lock);
    caller_sleeps = 0;
    pthread_mutex_unlock(&lock);
}

/* The iterations of which a piece has a multiple. */
static int64_t usual_grain(uint64_t trips, double work_time) {
    return thread_work > 0 && work_time < (double)trips * LONG_ITERATION ? WHOLE_VECTORS : 1;
}

static int64_t usual_pieces(uint64_t trips, int64_t grain, int64_t threads_used, double work_time) {
    double most = thread_work > 0 ? work_time / PIECE_WORK : (double)trips;
    int64_t pieces = threads_used * PIECES_A_THREAD;
    if (most < (double)pieces) pieces = most < 1 ? 1 : (int64_t)most;
    uint64_t fitting = trips / (uint64_t)grain;
    return (uint64_t)pieces < fitting ? pieces : fitting > 0 ? (int64_t)fitting : 1;
}

/* With one share, pieces are claimed in their order. */
static void run_shared(weft_body body, void *context, int64_t begin, int64_t end, int64_t pieces, int64_t grain,
                       uint64_t longest, int useful, int shares) {
    if (started < threads - 1) start_workers();
    job.body = body;
    job.context = context;
    job.begin = begin;
    job.end = end;
    job.pieces = pieces;
    job.grain = grain;
    job.longest = longest;
    share_out(pieces, shares);
    open_job(useful - 1);
    /* Nested loops inside the caller's pieces run on it, as they do on workers. */
    is_worker = 1;
    work();
    is_worker = 0;
    close_job();
    atomic_store(&busy, 0);
}

void weft_parallel(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, double work_time) {
    if (begin >= end && parts <= 0) return;
    int useful = weft_is_shared(work_time);
    uint64_t trips = trips_of(begin, end), longest = parts > 0 ? UINT64_MAX : LONGEST;
    if (!useful || atomic_exchange(&busy, 1)) {
        run_alone(body, context, begin, end, parts > 0 ? parts : 1, longest);
        return;
    }
    int64_t grain = parts > 0 ? 1 : usual_grain(trips, work_time);
    if (parts <= 0) parts = usual_pieces(trips, grain, useful, work_time);
    run_shared(body, context, begin, end, parts, grain, longest, useful, useful);
}

int64_t weft_ordered_pieces(int64_t begin, int64_t end, int64_t longest, double work_time, int64_t *grain) {
    uint64_t trips = trips_of(begin, end);
    *grain = usual_grain(trips, work_time);
    double most = thread_work > 0 ? work_time / ORDERED_WORK : (double)trips;
    int64_t certain = longest > WHOLE_VECTORS ? longest - WHOLE_VECTORS : 1; /* pieces are of whole grains */
    int64_t least = (int64_t)(trips / (uint64_t)certain) + 1;
    int64_t enough = (int64_t)weft_get_threads() * ORDERED_PIECES_A_THREAD;
    int64_t pieces = most < (double)enough ? (int64_t)most : enough;
    if ((uint64_t)pieces > trips) pieces = (int64_t)trips;
    return pieces > least ? pieces : least;
}

void weft_in_order(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, int64_t longest,
                   double work_time) {
    if (begin >= end && parts <= 0) return;
    int useful = weft_is_shared(work_time);
    int64_t grain = 1, pieces = parts > 0 ? parts : weft_ordered_pieces(begin, end, longest, work_time, &grain);
    if (!useful || atomic_exchange(&busy, 1)) run_alone(body, context, begin, end, pieces, UINT64_MAX);
    else
        run_shared(body, context, begin, end, pieces, grain, UINT64_MAX, useful, 1);
}

int weft_await_turn(const int64_t *turn, int64_t own, const int32_t *status) {
    for (int looks = 0; __atomic_load_n(turn, __ATOMIC_ACQUIRE) != own; looks++) {
        if (__atomic_load_n(status, __ATOMIC_RELAXED)) return 0;
        if (looks < LOOKS_A_TURN) pause_shortly();
        else
            sched_yield();
    }
    return 1;
}

int weft_is_shared(double work_time) {
    int count = weft_get_threads();
    double least = thread_work;
    int useful = work_time < least * count ? (int)(work_time / least) : count;
    return is_worker || useful < 2 ? 0 : useful;
}

void weft_set_grain(double nanoseconds) { thread_work = nanoseconds; }
