/* Threads and the kernel clock for the hand-written C of the benchmarks. */
#ifndef BENCHMARKS_POOL_H
#define BENCHMARKS_POOL_H

#include <stdint.h>

typedef void (*pool_body)(int64_t begin, int64_t end, void *context);

/* Runs body over [0, count) on all cores, in chunks of `grain` that threads claim one after the other.
   The caller works too. Waiting threads sleep: cores may be shared. One chunk or less runs on the caller alone. */
void parallel_for(int64_t count, int64_t grain, pool_body body, void *context);

/* Number of threads that parallel_for uses, the caller included. */
int pool_threads(void);

/* Index of the calling thread, from 0 to pool_threads() - 1; 0 is the caller. */
int pool_self(void);

/* Seconds that the last benchmark function spent between its first and last statement. */
double kernel_seconds(void);

double kernel_begin(void);
void kernel_end(double *start);

/* First statement of every benchmark function. */
#define KERNEL __attribute__((cleanup(kernel_end), unused)) double kernel_start = kernel_begin()

#endif
