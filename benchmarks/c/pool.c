/* A small persistent pool. Chunks are claimed dynamically: a core that another process uses delays one chunk only. */
#define _GNU_SOURCE
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { SPINS = 2000 };

static struct {
    pool_body body;
    void *context;
    int64_t count, grain;
    _Atomic int64_t next;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int64_t generation;
static int is_open, threads = 1;
static _Atomic int active;
static _Thread_local int self;
static double last_kernel;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double kernel_begin(void) { return now(); }

void kernel_end(double *start) { last_kernel = now() - *start; }

double kernel_seconds(void) { return last_kernel; }

int pool_self(void) { return self; }

static void work(void) {
    for (;;) {
        int64_t begin = atomic_fetch_add_explicit(&job.next, job.grain, memory_order_relaxed);
        if (begin >= job.count) return;
        int64_t end = begin + job.grain < job.count ? begin + job.grain : job.count;
        job.body(begin, end, job.context);
    }
}

static void *helper(void *argument) {
    self = (int)(intptr_t)argument;
    int64_t seen = 0;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!is_open || generation == seen) pthread_cond_wait(&wake, &lock);
        seen = generation;
        atomic_fetch_add(&active, 1);
        pthread_mutex_unlock(&lock);
        work();
        pthread_mutex_lock(&lock);
        if (atomic_fetch_sub(&active, 1) == 1) pthread_cond_signal(&done);
    }
    return NULL;
}

static void start(void) {
    cpu_set_t set;
    threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    for (int i = 1; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, helper, (void *)(intptr_t)i) != 0) {
            threads = i;
            return;
        }
        pthread_detach(thread);
    }
}

int pool_threads(void) {
    pthread_once(&once, start);
    return threads;
}

static void finish(void) {
    /* The last chunk of another thread is mostly nearly done, so look for a moment before sleeping. */
    for (int i = 0; i < SPINS && atomic_load_explicit(&active, memory_order_acquire) > 0; i++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    pthread_mutex_lock(&lock);
    is_open = 0;
    while (atomic_load(&active) > 0) pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
}

void parallel_for(int64_t count, int64_t grain, pool_body body, void *context) {
    if (count <= grain || pool_threads() == 1) {
        if (count > 0) body(0, count, context);
        return;
    }
    pthread_mutex_lock(&lock);
    job.body = body;
    job.context = context;
    job.count = count;
    job.grain = grain;
    atomic_store(&job.next, 0);
    generation++;
    is_open = 1;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
    work();
    finish();
}
