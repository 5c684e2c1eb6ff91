/* Loops that may fail and can be undone: see `weft_runtime.undoing`.

   A thread claims pieces in order and runs them at once. A piece is done when it has run to its end; it is good when all
   pieces before it are done too. What a piece overwrote is held until it is good: a thread has room for some pieces, and
   waits only where none of them is good yet. So there are few pieces between the first that is not good and the last that
   is done, and a small ring says which of them are done. The piece that fails waits until it would be good, so that it is the first
   one; then nothing becomes good any more, and every thread undoes what it holds. */
#define _GNU_SOURCE
#include "threads.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    HELD = 4,
    LOOKS = 256,            /* of a thread that waits before it lets others run */
    LARGEST_JOURNAL = 1 << 22 /* bytes */
};

typedef struct {
    weft_tentative run;
    weft_undo undo;
    weft_body plain;
    void *context;
    weft_fault *fault;
    int64_t begin, end, pieces, grain;
    int64_t room;          /* in the ring: for the pieces that threads hold, and the first that is not good */
    _Atomic int64_t *done; /* the ring: the number of a piece that is done, plus one */
    _Atomic int is_full; /* whether a piece had no room for what it overwrites: later ones are not even begun so */
    _Alignas(64) _Atomic int32_t status;
    _Alignas(64) _Atomic int64_t next; /* the first piece that nobody has claimed */
    _Alignas(64) _Atomic int64_t good; /* the first piece that is not good */
} loop_t;

typedef struct {
    int64_t number, first, last;
} piece_t;

/* Whether the room of a journal lies in memory of its own, and not behind its head. */
static int has_grown(const weft_journal *journal) { return journal->first != (const char *)(journal + 1); }

static int grow(weft_journal *journal, size_t bytes) {
    size_t used = (size_t)(journal->end - journal->first), room = 2 * (size_t)(journal->limit - journal->first);
    while (room < used + bytes && room < LARGEST_JOURNAL) room *= 2;
    if (room > LARGEST_JOURNAL || room < used + bytes) return 0;
    char *first = malloc(room);
    if (!first) return 0;
    memcpy(first, journal->first, used);
    if (has_grown(journal)) free(journal->first);
    journal->first = first, journal->end = first + used, journal->limit = first + room;
    return 1;
}

static void open_journal(char *saved) {
    weft_journal *journal = (weft_journal *)saved;
    journal->first = journal->end = (char *)(journal + 1);
    journal->limit = saved + WEFT_SAVED;
    journal->more = grow;
}

static void close_journal(char *saved) {
    weft_journal *journal = (weft_journal *)saved;
    if (has_grown(journal)) free(journal->first);
}

/* Looks which pieces are good meanwhile. */
static void advance(loop_t *loop) {
    int64_t before = atomic_load(&loop->good), good = before;
    while (atomic_load_explicit(&loop->done[good % loop->room], memory_order_acquire) == good + 1) good++;
    while (before < good && !atomic_compare_exchange_weak(&loop->good, &before, good)) continue;
}

/* Waits until all pieces before this one are done; 0 where one of them has failed. */
static int all_done_before(loop_t *loop, int64_t number) {
    for (int looks = 0; atomic_load(&loop->good) < number; looks++) {
        advance(loop);
        if (atomic_load(&loop->good) >= number) break;
        if (atomic_load(&loop->status)) return atomic_load(&loop->good) >= number;
        if (looks >= LOOKS) sched_yield();
    }
    return 1;
}

/* A piece that has failed: where it is the first one, its fault is that of the loop. */
static void failed(loop_t *loop, piece_t piece, void *saved, int32_t status, const weft_fault *fault) {
    if (status > 0 && !all_done_before(loop, piece.number)) loop->undo(loop->context, piece.first, fault->iteration, saved);
    else {
        if (status > 0) {
            for (int k = 0; k < WEFT_FAULT_OPERANDS; k++) loop->fault->operands[k] = fault->operands[k];
            loop->fault->iteration = fault->iteration;
            loop->fault->site = fault->site;
        }
        atomic_store(&loop->status, status);
    }
}

/* A piece that has no room for what it overwrites: runs it when it cannot have to be undone. */
static int32_t run_in_turn(loop_t *loop, piece_t piece) {
    atomic_store(&loop->is_full, 1);
    if (!all_done_before(loop, piece.number)) return WEFT_FULL;
    int32_t status = loop->plain(loop->context, piece.first, piece.last, piece.number);
    if (status) atomic_store(&loop->status, status);
    return status;
}

/* What one thread does. */
static int32_t run_pieces(void *context, int64_t begin, int64_t end, int64_t part) {
    (void)begin, (void)end, (void)part;
    loop_t *loop = context;
    _Alignas(64) char saved[HELD][WEFT_SAVED];
    piece_t held[HELD];
    int64_t settled = 0, count = 0;
    for (int k = 0; k < HELD && loop->plain; k++) open_journal(saved[k]);
    while (!atomic_load(&loop->status)) {
        if (count - settled == HELD) {
            if (!all_done_before(loop, held[settled % HELD].number)) break;
            settled++;
        }
        int64_t k = atomic_fetch_add(&loop->next, 1);
        if (k >= loop->pieces) break;
        piece_t piece = {k, weft_first_of(loop->begin, loop->end, loop->pieces, loop->grain, k),
                         weft_first_of(loop->begin, loop->end, loop->pieces, loop->grain, k + 1)};
        weft_fault fault = {0};
        int32_t status = WEFT_FULL;
        if (!atomic_load_explicit(&loop->is_full, memory_order_relaxed)) {
            status = loop->run(loop->context, piece.first, piece.last, k, saved[count % HELD], &fault);
            if (status == WEFT_FULL) loop->undo(loop->context, piece.first, piece.last, saved[count % HELD]);
        }
        if (status == WEFT_FULL) {
            status = run_in_turn(loop, piece);
            if (status) break;
        } else if (status) {
            failed(loop, piece, saved[count % HELD], status, &fault);
            break;
        }
        held[count++ % HELD] = piece;
        atomic_store_explicit(&loop->done[k % loop->room], k + 1, memory_order_release);
    }
    for (; settled < count; settled++) {
        piece_t piece = held[settled % HELD];
        if (!all_done_before(loop, piece.number)) loop->undo(loop->context, piece.first, piece.last, saved[settled % HELD]);
    }
    for (int k = 0; k < HELD && loop->plain; k++) close_journal(saved[k]);
    return WEFT_OK;
}

int32_t weft_undoing(weft_tentative run, weft_undo undo, weft_body plain, void *context, int64_t begin, int64_t end,
                     int64_t parts, int64_t longest, double work, weft_fault *fault) {
    if (begin >= end && parts <= 0) return WEFT_OK;
    int shared = weft_is_shared(work), threads = shared ? shared : 1;
    loop_t loop = {.run = run, .undo = undo, .plain = plain, .context = context, .fault = fault, .begin = begin, .end = end};
    loop.grain = 1;
    loop.pieces = parts > 0 ? parts : weft_ordered_pieces(begin, end, longest, work, &loop.grain);
    loop.room = (int64_t)threads * HELD + 1;
    loop.done = calloc((size_t)loop.room, sizeof *loop.done);
    if (!loop.done) return WEFT_NO_MEMORY;
    weft_parallel(run_pieces, &loop, 0, threads, threads, work);
    free((void *)loop.done);
    return atomic_load(&loop.status);
}
