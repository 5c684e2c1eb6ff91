/* The thread pool behind `weft_runtime.parallel`. */
#ifndef WEFT_THREADS_H
#define WEFT_THREADS_H
#include "weft.h"

/* As described at `weft_runtime.parallel`. May be called from several threads at once, and inside a body. */
void weft_parallel(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, double work);

/* As described at `weft_runtime.in_order` and `weft_runtime.await_turn`. */
void weft_in_order(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, int64_t longest,
                   double work);
int weft_await_turn(const int64_t *turn, int64_t own, const int32_t *status);

/* As described at `weft_runtime.undoing`; in undoing.c. */
int32_t weft_undoing(weft_tentative run, weft_undo undo, weft_body plain, void *context, int64_t begin, int64_t end,
                     int64_t parts, int64_t longest, double work, weft_fault *fault);

/* The number of pieces that are begun in order, each of a multiple of `grain` iterations, and where a piece begins. */
int64_t weft_ordered_pieces(int64_t begin, int64_t end, int64_t longest, double work, int64_t *grain);
int64_t weft_first_of(int64_t begin, int64_t end, int64_t pieces, int64_t grain, int64_t piece);

/* As described at `weft_runtime.is_shared`. */
int weft_is_shared(double work);

/* How many threads work on a loop, the calling one included; 0: WEFT_NUM_THREADS, else one for each core that this
   process may use. */
void weft_set_threads(int count);
int weft_get_threads(void);

/* Work, in nanoseconds, for which a further thread is woken; 0: threads take part in every loop. */
void weft_set_grain(double nanoseconds);
#endif
