#ifndef WEFT_THREADS_H
#define WEFT_THREADS_H
#include "weft.h"

/* `weft_runtime.parallel` of the CPU; weft.h says what it does. */
void weft_parallel(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, double work);

/* Threads that take part in a loop, the caller's included; 0: as many as the process may use cores. */
void weft_set_threads(int count);

/* Loops of less work than this, in nanoseconds, stay on the calling thread. */
void weft_set_grain(double nanoseconds);
#endif
