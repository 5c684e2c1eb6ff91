/* A small thread pool for parallel loops.

   One loop runs at a time; the calling thread works too. Pieces are taken from a shared counter, so a thread that got no
   core costs nothing: the caller never waits for a worker that has not begun. A second caller, a nested loop and a child
   process whose threads did not survive the fork run their loop on their own thread. Idle workers spin for some
   microseconds, then sleep. */
#define _GNU_SOURCE
#include "threads.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 256, PIECES_PER_THREAD = 4, SPINS = 2000 };

static struct {
    weft_body body;
    void *context;
    int64_t begin, end, parts;
    _Atomic int64_t next;
    int helpers; /* workers that may take part */
} job;

static pthread_mutex_t one_loop = PTHREAD_MUTEX_INITIALIZER; /* held by the thread whose loop runs */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;     /* guards sleeping and waking */
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
static _Atomic unsigned loops;  /* counts loops: odd while one is open to workers */
static _Atomic int active;      /* workers inside the open loop */
static _Atomic int sleepers;
static int workers;             /* threads that were started */
static _Atomic int wanted;      /* threads in all; 0: not decided yet */
static _Atomic double grain = 20000.0;
static _Thread_local int inside; /* this thread runs pieces of a loop already */

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void run_piece(int64_t part) {
    int64_t count = job.end - job.begin;
    /* 128 bits: count * part is beyond 64 for loops of 2^60 iterations */
    int64_t low = job.begin + (int64_t)((__int128)count * part / job.parts);
    int64_t high = job.begin + (int64_t)((__int128)count * (part + 1) / job.parts);
    job.body(job.context, low, high, part);
}

static void run_pieces(void) {
    inside = 1;
    for (;;) {
        int64_t part = atomic_fetch_add_explicit(&job.next, 1, memory_order_relaxed);
        if (part >= job.parts) break;
        run_piece(part);
    }
    inside = 0;
}

/* Joins the loop that is open, if it still is. A worker counts itself before it looks, so the caller sees it. */
static void take_part(int number) {
    atomic_fetch_add(&active, 1);
    if ((atomic_load(&loops) & 1) && number < job.helpers) run_pieces();
    if (atomic_fetch_sub(&active, 1) == 1 && !(atomic_load(&loops) & 1)) {
        pthread_mutex_lock(&gate);
        pthread_cond_signal(&left);
        pthread_mutex_unlock(&gate);
    }
}

static unsigned wait_for_loop(unsigned seen) {
    for (int spin = 0; spin < SPINS; spin++) {
        unsigned now = atomic_load_explicit(&loops, memory_order_acquire);
        if (now != seen && (now & 1)) return now;
        relax();
    }
    pthread_mutex_lock(&gate);
    atomic_fetch_add(&sleepers, 1);
    unsigned now;
    while ((now = atomic_load(&loops)) == seen || !(now & 1)) pthread_cond_wait(&wake, &gate);
    atomic_fetch_sub(&sleepers, 1);
    pthread_mutex_unlock(&gate);
    return now;
}

static void *worker(void *argument) {
    int number = (int)(intptr_t)argument;
    unsigned seen = 0;
    for (;;) {
        seen = wait_for_loop(seen);
        take_part(number);
    }
    return NULL;
}

static int usable_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

static int thread_count(void) {
    int count = wanted;
    if (count == 0) {
        const char *named = getenv("WEFT_NUM_THREADS");
        count = named ? atoi(named) : 0;
        if (count <= 0) count = usable_cores();
        if (count > MAX_THREADS) count = MAX_THREADS;
        wanted = count;
    }
    return count;
}

/* In a child process only the forking thread exists; a loop that it was inside of belongs to the parent. */
static void after_fork(void) {
    workers = 0;
    inside = 0;
    pthread_mutex_init(&one_loop, NULL);
    pthread_mutex_init(&gate, NULL);
    pthread_cond_init(&wake, NULL);
    pthread_cond_init(&left, NULL);
    atomic_store(&active, 0);
    atomic_store(&sleepers, 0);
    atomic_store(&loops, 0);
}

static void start_workers(int count) {
    static int registered;
    if (!registered) {
        pthread_atfork(NULL, NULL, after_fork);
        registered = 1;
    }
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    while (workers < count) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, worker, (void *)(intptr_t)workers)) break;
        workers++;
    }
    pthread_attr_destroy(&attributes);
}

static void open_loop(void) {
    atomic_fetch_add(&loops, 1);
    if (atomic_load(&sleepers)) {
        pthread_mutex_lock(&gate);
        pthread_cond_broadcast(&wake);
        pthread_mutex_unlock(&gate);
    }
}

static void close_loop(void) {
    atomic_fetch_add(&loops, 1);
    for (int spin = 0; spin < SPINS && atomic_load(&active); spin++) relax();
    if (!atomic_load(&active)) return;
    pthread_mutex_lock(&gate);
    while (atomic_load(&active)) pthread_cond_wait(&left, &gate);
    pthread_mutex_unlock(&gate);
}

static void run_alone(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts) {
    int64_t count = end - begin;
    for (int64_t part = 0; part < parts; part++)
        body(context, begin + (int64_t)((__int128)count * part / parts),
             begin + (int64_t)((__int128)count * (part + 1) / parts), part);
}

void weft_parallel(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, double work) {
    if (end <= begin) return;
    int threads = inside || work < grain ? 1 : thread_count();
    int64_t count = end - begin, pieces = parts;
    if (!pieces) {
        pieces = threads == 1 ? 1 : (int64_t)threads * PIECES_PER_THREAD;
        if (pieces > count) pieces = count;
    }
    if (threads == 1 || pieces == 1 || pthread_mutex_trylock(&one_loop)) {
        run_alone(body, context, begin, end, parts ? pieces : 1);
        return;
    }
    if (workers < threads - 1) start_workers(threads - 1);
    job.body = body;
    job.context = context;
    job.begin = begin;
    job.end = end;
    job.parts = pieces;
    job.helpers = threads - 1;
    atomic_store(&job.next, 0);
    open_loop();
    run_pieces();
    close_loop();
    pthread_mutex_unlock(&one_loop);
}

void weft_set_threads(int count) {
    wanted = count < 0 ? 0 : count > MAX_THREADS ? MAX_THREADS : count;
}

void weft_set_grain(double nanoseconds) { grain = nanoseconds; }
