/* CUDA's C++ on a processor: the threads of a block take turns at barriers and shuffles. */
#include <chrono>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __noinline__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ static
#define __cvta_generic_to_shared(p) ((uintptr_t)(p))

struct dim3_ { unsigned x, y, z; };
static dim3_ threadIdx, blockIdx, blockDim, gridDim;

/* ------------------------------------------------------------------------------------------------ threads of a block */
enum { STACK = 1 << 17, MOST = 1024 };
struct fiber { ucontext_t context; dim3_ thread; int number, waits, ended; char *stack; };
static fiber fibers[MOST];
static ucontext_t scheduler;
static fiber *running;
static uint64_t slots[2][MOST];
static int turn_of[MOST];

static void swap_out(int how) {
    fiber *self = running;
    self->waits = how;
    swapcontext(&self->context, &scheduler);
    running = self;
    threadIdx = self->thread;
}
static inline void __syncthreads() { swap_out(1); }
static int told[3], calls_of[MOST];
static inline int __syncthreads_or(int said) {
    int slot = calls_of[running->number]++ % 3;
    if (said) told[slot] = 1;
    swap_out(1);
    int any = told[slot];
    told[(slot + 2) % 3] = 0;  /* that of the call before, which all have looked at */
    return any;
}
static inline void __syncwarp(unsigned = ~0u) { swap_out(2); }
static inline void __threadfence() {}
static inline long long clock64() { return 2 * std::chrono::steady_clock::now().time_since_epoch().count(); }
static inline void __threadfence_block() {}
template <class T> static T exchanged(T value, int from) {
    int side = turn_of[running->number]++ & 1;
    memcpy(&slots[side][running->number], &value, sizeof(T));
    swap_out(2);
    int base = running->number & ~31;
    T got;
    memcpy(&got, &slots[side][base + from], sizeof(T));
    return got;
}
static inline int lane_() { return running->number & 31; }
template <class T> static T __shfl_down_sync(unsigned, T v, unsigned d, int = 32) { return exchanged(v, lane_() + (int)d > 31 ? lane_() : lane_() + (int)d); }
template <class T> static T __shfl_up_sync(unsigned, T v, unsigned d, int = 32) { return exchanged(v, lane_() < (int)d ? lane_() : lane_() - (int)d); }
template <class T> static T __shfl_sync(unsigned, T v, int from, int = 32) { return exchanged(v, from & 31); }
template <class T> static T __shfl_xor_sync(unsigned, T v, int bits, int = 32) { return exchanged(v, lane_() ^ bits); }

static unsigned __ballot_sync(unsigned, int value) {
    int side = turn_of[running->number]++ & 1, base = running->number & ~31;
    slots[side][running->number] = value != 0;
    swap_out(2);
    unsigned all = 0;
    for (int k = 0; k < 32 && base + k < (int)(blockDim.x * blockDim.y * blockDim.z); k++)
        all |= (unsigned)(!fibers[base + k].ended && slots[side][base + k]) << k;
    return all;
}
static inline int __any_sync(unsigned, int value) { return __ballot_sync(0, value) != 0; }
static inline int __all_sync(unsigned, int value) { return __ballot_sync(0, !value) == 0; }

/* What an instruction adds to the sums of a thread for some pieces of 4 elements: two of the 16 rows that the warp has of
   these by two of 8 columns. */
static void multiplied_pieces(double *sums, double *below, const double *a, const double *b, int pieces) {
    const int row = lane_() / 4 * 4, column = lane_() % 4 * 8;
    for (int k = 0; k < 4 * pieces; k++) {
        const double *own = a + k / 4 * 2, left = exchanged(own[0], row + k % 4), left_below = exchanged(own[1], row + k % 4);
        for (int c = 0; c < 2; c++) {
            const double right = exchanged(b[k / 4], column + 4 * c + k % 4);
            sums[c] = fma(left, right, sums[c]);
            below[c] = fma(left_below, right, below[c]);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ types */
#define VECTOR(type, name, bytes) \
    struct __attribute__((aligned(2 * bytes))) name##2 { type x, y; }; struct name##3 { type x, y, z; }; \
    struct __attribute__((aligned(4 * bytes > 16 ? 16 : 4 * bytes))) name##4 { type x, y, z, w; }; \
    static inline name##2 make_##name##2(type a, type b) { return {a, b}; } \
    static inline name##4 make_##name##4(type a, type b, type c, type d) { return {a, b, c, d}; }
VECTOR(signed char, char, 1) VECTOR(unsigned char, uchar, 1) VECTOR(short, short, 2) VECTOR(unsigned short, ushort, 2)
VECTOR(int, int, 4) VECTOR(unsigned, uint, 4) VECTOR(long long, longlong, 8) VECTOR(unsigned long long, ulonglong, 8)
VECTOR(float, float, 4) VECTOR(double, double, 8)

/* -------------------------------------------------------------------------------------------------------- functions */
template <class A, class B> static B bits_(A a) { B b; memcpy(&b, &a, sizeof b); return b; }
static inline float __int_as_float(int a) { return bits_<int, float>(a); }
static inline int __float_as_int(float a) { return bits_<float, int>(a); }
static inline float __uint_as_float(unsigned a) { return bits_<unsigned, float>(a); }
static inline double __longlong_as_double(long long a) { return bits_<long long, double>(a); }
static inline long long __double_as_longlong(double a) { return bits_<double, long long>(a); }
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)(((unsigned __int128)a * b) >> 64); }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
template <class T> static T __ldg(const T *p) { return *p; }
template <class T> static T __ldcs(const T *p) { return *p; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __expf_(float a) { return expf(a); }
#define __builtin_assume(condition) do { if (!(condition)) abort(); } while (0)
static inline unsigned __activemask() { return ~0u; }
template <class T, class U> static T atomicAdd(T *p, U v) { T old = *p; *p = (T)(old + (T)v); return old; }
template <class T, class U> static T atomicAnd(T *p, U v) { T old = *p; *p = old & (T)v; return old; }
template <class T, class U> static T atomicOr(T *p, U v) { T old = *p; *p = old | (T)v; return old; }
template <class T, class U> static T atomicXor(T *p, U v) { T old = *p; *p = old ^ (T)v; return old; }
template <class T, class U> static T atomicMin(T *p, U v) { T old = *p; if ((T)v < old) *p = (T)v; return old; }
template <class T, class U> static T atomicMax(T *p, U v) { T old = *p; if ((T)v > old) *p = (T)v; return old; }
template <class T, class U> static T atomicExch(T *p, U v) { T old = *p; *p = (T)v; return old; }
template <class T, class U, class V> static T atomicCAS(T *p, U a, V b) { T old = *p; if (old == (T)a) *p = (T)b; return old; }

/* ------------------------------------------------------------------------------------------------------------ blocks */
typedef void (*kernel_)(void **);
static kernel_ body_;
static void **given_;
static void enter_() {
    threadIdx = running->thread;
    body_(given_);
    running->ended = 1;
    setcontext(&scheduler);
}
/* A warp goes on until its threads have ended or wait for the block, from either end: nobody may count on an order. */
static int run_warp_(int first, int last, int &left) {
    int moved = 0, backwards = rand() & 1;
    for (int again = 1; again;) {
        int all = 1;
        again = 0;
        for (int k = first; k < last; k++) all &= fibers[k].ended || fibers[k].waits == 2;
        for (int n = 0; n < last - first; n++) {
            int k = backwards ? last - 1 - n : first + n;
            if (fibers[k].ended || fibers[k].waits == 1 || (fibers[k].waits == 2 && !all)) continue;
            moved = again = 1;
            running = &fibers[k];
            fibers[k].waits = 0;
            swapcontext(&scheduler, &fibers[k].context);
            left -= fibers[k].ended;
        }
    }
    return moved;
}
static void run_block_() {
    int count = (int)(blockDim.x * blockDim.y * blockDim.z), left = count;
    told[0] = told[1] = told[2] = 0;
    for (int k = 0; k < count; k++) {
        fiber &f = fibers[k];
        if (!f.stack) f.stack = (char *)malloc(STACK);
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack;
        f.context.uc_stack.ss_size = STACK;
        f.context.uc_link = &scheduler;
        f.thread = {k % blockDim.x, k / blockDim.x % blockDim.y, k / (blockDim.x * blockDim.y)};
        f.number = k;
        f.waits = f.ended = 0;
        turn_of[k] = calls_of[k] = 0;
        makecontext(&f.context, enter_, 0);
    }
    while (left) {
        /* Each warp runs alone, in any order; a barrier of the block opens when all have come. */
        int moved = 0, warps = (count + 31) / 32, order[32];
        for (int w = 0; w < warps; w++) {
            int other = rand() % (w + 1);
            order[w] = order[other];
            order[other] = w;
        }
        for (int w = 0; w < warps; w++) {
            int first = 32 * order[w];
            moved |= run_warp_(first, first + 32 < count ? first + 32 : count, left);
        }
        if (moved) continue;
        int opened = 0;
        for (int k = 0; k < count; k++)
            if (!fibers[k].ended && fibers[k].waits == 1) fibers[k].waits = 0, opened = 1;
        if (!opened) { fprintf(stderr, "threads wait for one another\n"); abort(); }
    }
}
static int run_grid(kernel_ body, void **arguments, const unsigned *how) {
    body_ = body;
    given_ = arguments;
    gridDim = {how[0], how[1], how[2]};
    blockDim = {how[3], how[4], how[5]};
    for (unsigned z = 0; z < how[2]; z++)
        for (unsigned y = 0; y < how[1]; y++)
            for (unsigned x = 0; x < how[0]; x++) {
                blockIdx = {x, y, z};
                run_block_();
            }
    return 0;
}
