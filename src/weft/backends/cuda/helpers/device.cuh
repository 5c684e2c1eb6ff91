/* CUDA C++ under the names that the helper functions in C use. */

/* Replaces: bool true false HELPER RARE NAN INFINITY LIKELY UNLIKELY add_overflows sub_overflows mul_overflows
   lcm_fails half_t half_to_float32 half_from_float32 half_from_float64 bits_of_float16 float16_of_bits bits_of_float64
   float64_of_bits bits_of_float32 float32_of_bits int64_from_float int32_from_float int16_from_float int8_from_float
   uint32_from_float uint16_from_float uint8_from_float uint64_from_float */

typedef signed char int8_t;

typedef short int16_t;

typedef int int32_t;

typedef long long int64_t;

typedef unsigned char uint8_t;

typedef unsigned short uint16_t;

typedef unsigned int uint32_t;

typedef unsigned long long uint64_t;

#define INT64_MAX 9223372036854775807LL

#define INT64_MIN (-9223372036854775807LL - 1)

#define bool bool

#define true true

#define false false

#define HELPER static __device__ __forceinline__

#define RARE static __device__ __noinline__

HELPER void keep_behind(int64_t &offset) { asm volatile("" : "+l"(offset)); }

/* Where the launch permits it, a kernel is started before the one before it is done. From here on that one is done, and what
   it wrote can be read. The offsets pass through, so that nothing is loaded earlier. */
template <typename... Offsets>
HELPER void begin_kernel(Offsets &...offsets) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    (keep_behind(offsets), ...);
#endif
}

#define NAN __int_as_float(0x7fc00000)

#define INFINITY __int_as_float(0x7f800000)

#define LIKELY(condition) (condition)

#define UNLIKELY(condition) (condition)

/* Through 32 bits: NVIDIA's assembler takes abs.s16 of the least number, which is negative, for 32768. */
HELPER int16_t abs_int16(int16_t a) {
    int32_t wide = a;
    return (int16_t)(wide < 0 ? -wide : wide);
}

HELPER bool add_overflows(int64_t a, int64_t b, int64_t *result) {
    *result = (int64_t)((uint64_t)a + (uint64_t)b);
    return ((a ^ *result) & (b ^ *result)) < 0;
}

HELPER bool sub_overflows(int64_t a, int64_t b, int64_t *result) {
    *result = (int64_t)((uint64_t)a - (uint64_t)b);
    return ((a ^ b) & (a ^ *result)) < 0;
}

HELPER bool mul_overflows(int64_t a, int64_t b, int64_t *result) {
    *result = (int64_t)((uint64_t)a * (uint64_t)b);
    return __mul64hi(a, b) != *result >> 63;
}

#define __builtin_mul_overflow mul_overflows

HELPER bool lcm_fails(int64_t a, int64_t b, int64_t *result) {
    uint64_t p = size_of_int64(a), q = size_of_int64(b);
    *result = 0;
    if (p == 0 || q == 0) return false;
    p /= common_divisor(p, q);
    *result = (int64_t)(p * q);
    return __umul64hi(p, q) != 0 || *result < 0;
}

#define __builtin_memcpy memcpy

#define __builtin_clzll __clzll

#define __builtin_popcountll __popcll

typedef uint16_t half_t;

HELPER float half_to_float32(half_t a) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a));
    return value;
}

HELPER half_t half_from_float32(float a) {
    half_t value;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(value) : "f"(a));
    return value;
}

HELPER half_t half_from_float64(double a) {
    half_t value;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(value) : "d"(a));
    return value;
}

HELPER uint16_t bits_of_float16(half_t a) { return a; }

HELPER half_t float16_of_bits(uint16_t bits) { return bits; }

HELPER uint64_t bits_of_float64(double a) { return (uint64_t)__double_as_longlong(a); }

HELPER double float64_of_bits(uint64_t bits) { return __longlong_as_double((int64_t)bits); }

HELPER uint32_t bits_of_float32(float a) { return (uint32_t)__float_as_int(a); }

HELPER float float32_of_bits(uint32_t bits) { return __int_as_float((int32_t)bits); }

/* Conversions of floats that do not fit give what x86-64's give; the GPU's own would saturate. */
HELPER int64_t int64_from_float(double a) { return a >= -0x1p63 && a < 0x1p63 ? (int64_t)a : INT64_MIN; }

HELPER int32_t int32_from_float(double a) { return a > -2147483649.0 && a < 2147483648.0 ? (int32_t)a : -2147483647 - 1; }

#define int16_from_float(a) ((int16_t)int32_from_float(a))

#define int8_from_float(a) ((int8_t)int32_from_float(a))

#define uint32_from_float(a) ((uint32_t)int64_from_float(a))

#define uint16_from_float(a) ((uint16_t)int32_from_float(a))

#define uint8_from_float(a) ((uint8_t)int32_from_float(a))

HELPER uint64_t uint64_from_float(double a) {
    return a >= 0x1p63 ? (uint64_t)int64_from_float(a - 0x1p63) ^ (uint64_t)1 << 63 : (uint64_t)int64_from_float(a);
}

#define __builtin_fabs fabs

#define __builtin_fabsf fabsf

#define __builtin_sqrt sqrt

#define __builtin_sqrtf sqrtf

/* A copy that the assembler takes for another value: it may be in a register whose bank is another one. */
HELPER float copy_float32(float x) { return __fmul_rn(x, 1.0f); }

/* The root of a number from 2^-101 on, rounded as ever: what sqrtf does for such numbers behind a test. For infinity that
   gives NaN, in whose place the larger one takes infinity; other roots are not less than their numbers times 2^-64. */
HELPER float root_of_large(float x) {
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    float root = x * inverse, rest = fmaf(-root, root, x);
    return fmaxf(fmaf(rest, 0.5f * inverse, root), x * 0x1p-64f);
}

#define __builtin_cbrt cbrt

#define __builtin_cbrtf cbrtf

#define __builtin_exp exp

#define __builtin_expf expf

#define __builtin_exp2 exp2

#define __builtin_exp2f exp2f

#define __builtin_expm1 expm1

#define __builtin_expm1f expm1f

#define __builtin_log log

#define __builtin_logf logf

#define __builtin_log2 log2

#define __builtin_log2f log2f

#define __builtin_log10 log10

#define __builtin_log10f log10f

#define __builtin_log1p log1p

#define __builtin_log1pf log1pf

#define __builtin_sin sin

#define __builtin_sinf sinf

#define __builtin_cos cos

#define __builtin_cosf cosf

#define __builtin_tan tan

#define __builtin_tanf(a) ((float)tan((double)(a)))

#define __builtin_asin asin

#define __builtin_asinf asinf

#define __builtin_acos acos

#define __builtin_acosf acosf

#define __builtin_atan atan

#define __builtin_atanf atanf

#define __builtin_atan2(a, b) atan2((double)(a), (double)(b))

#define __builtin_atan2f(a, b) ((float)atan2((double)(a), (double)(b)))

#define __builtin_sinh sinh

#define __builtin_sinhf(a) ((float)sinh((double)(a)))

#define __builtin_cosh cosh

#define __builtin_coshf(a) ((float)cosh((double)(a)))

#define __builtin_tanh tanh

#define __builtin_tanhf tanhf

#define __builtin_asinh asinh

#define __builtin_asinhf asinhf

#define __builtin_acosh acosh

#define __builtin_acoshf acoshf

#define __builtin_atanh atanh

#define __builtin_atanhf atanhf

#define __builtin_erf erf

#define __builtin_erff erff

#define __builtin_erfc erfc

#define __builtin_erfcf(a) ((float)erfc((double)(a)))

#define __builtin_tgamma tgamma

#define __builtin_tgammaf(a) ((float)tgamma((double)(a)))

#define __builtin_lgamma lgamma

#define __builtin_lgammaf(a) ((float)lgamma((double)(a)))

#define __builtin_hypot(a, b) hypot((double)(a), (double)(b))

#define __builtin_hypotf(a, b) ((float)hypot((double)(a), (double)(b)))

#define __builtin_copysign(a, b) copysign((double)(a), (double)(b))

#define __builtin_copysignf copysignf

#define __builtin_nextafter(a, b) nextafter((double)(a), (double)(b))

#define __builtin_nextafterf nextafterf

#define __builtin_fmod(a, b) fmod((double)(a), (double)(b))

#define __builtin_fmodf fmodf

#define __builtin_remainder(a, b) remainder((double)(a), (double)(b))

#define __builtin_ldexp ldexp

#define __builtin_ldexpf ldexpf

#define __builtin_floor floor

#define __builtin_floorf floorf

#define __builtin_ceil ceil

#define __builtin_ceilf ceilf

#define __builtin_trunc trunc

#define __builtin_truncf truncf

#define __builtin_rint rint

#define __builtin_rintf rintf

#define __builtin_pow(a, b) pow((double)(a), (double)(b))

#define __builtin_powf(a, b) ((float)pow((double)(a), (double)(b)))

#define __builtin_fma fma

#define __builtin_fmaf fmaf

#define update_add_int32(place, value) atomicAdd((int *)&(place), (int)(value))

#define update_add_uint32(place, value) atomicAdd((unsigned int *)&(place), (unsigned int)(value))

#define update_add_int64(place, value) atomicAdd((unsigned long long *)&(place), (unsigned long long)(value))

#define update_add_uint64(place, value) atomicAdd((unsigned long long *)&(place), (unsigned long long)(value))

/* Most updates change nothing, and a look is cheaper than a step that others wait for. */
template <class Value>
static __device__ __forceinline__ void lower_to(Value *place, Value value) {
    if (value < *(volatile Value *)place) atomicMin(place, value);
}

/* See lower_to. */
template <class Value>
static __device__ __forceinline__ void raise_to(Value *place, Value value) {
    if (value > *(volatile Value *)place) atomicMax(place, value);
}

#define update_min_int32(place, value) lower_to((int *)&(place), (int)(value))

#define update_min_uint32(place, value) lower_to((unsigned int *)&(place), (unsigned int)(value))

#define update_min_int64(place, value) lower_to((long long *)&(place), (long long)(value))

#define update_min_uint64(place, value) lower_to((unsigned long long *)&(place), (unsigned long long)(value))

#define update_max_int32(place, value) raise_to((int *)&(place), (int)(value))

#define update_max_uint32(place, value) raise_to((unsigned int *)&(place), (unsigned int)(value))

#define update_max_int64(place, value) raise_to((long long *)&(place), (long long)(value))

#define update_max_uint64(place, value) raise_to((unsigned long long *)&(place), (unsigned long long)(value))

#define update_and_int32(place, value) atomicAnd((int *)&(place), (int)(value))

#define update_and_uint32(place, value) atomicAnd((unsigned int *)&(place), (unsigned int)(value))

#define update_and_int64(place, value) atomicAnd((unsigned long long *)&(place), (unsigned long long)(value))

#define update_and_uint64(place, value) atomicAnd((unsigned long long *)&(place), (unsigned long long)(value))

#define update_or_int32(place, value) atomicOr((int *)&(place), (int)(value))

#define update_or_uint32(place, value) atomicOr((unsigned int *)&(place), (unsigned int)(value))

#define update_or_int64(place, value) atomicOr((unsigned long long *)&(place), (unsigned long long)(value))

#define update_or_uint64(place, value) atomicOr((unsigned long long *)&(place), (unsigned long long)(value))

#define update_xor_int32(place, value) atomicXor((int *)&(place), (int)(value))

#define update_xor_uint32(place, value) atomicXor((unsigned int *)&(place), (unsigned int)(value))

#define update_xor_int64(place, value) atomicXor((unsigned long long *)&(place), (unsigned long long)(value))

#define update_xor_uint64(place, value) atomicXor((unsigned long long *)&(place), (unsigned long long)(value))

#define update_shared_add_int32(place, value) update_add_int32(place, value)

#define update_shared_add_uint32(place, value) update_add_uint32(place, value)

#define update_shared_add_int64(place, value) update_add_int64(place, value)

#define update_shared_add_uint64(place, value) update_add_uint64(place, value)

#define update_shared_min_int32(place, value) update_min_int32(place, value)

#define update_shared_min_uint32(place, value) update_min_uint32(place, value)

#define update_shared_min_int64(place, value) update_min_int64(place, value)

#define update_shared_min_uint64(place, value) update_min_uint64(place, value)

#define update_shared_max_int32(place, value) update_max_int32(place, value)

#define update_shared_max_uint32(place, value) update_max_uint32(place, value)

#define update_shared_max_int64(place, value) update_max_int64(place, value)

#define update_shared_max_uint64(place, value) update_max_uint64(place, value)

#define update_shared_and_int32(place, value) update_and_int32(place, value)

#define update_shared_and_uint32(place, value) update_and_uint32(place, value)

#define update_shared_and_int64(place, value) update_and_int64(place, value)

#define update_shared_and_uint64(place, value) update_and_uint64(place, value)

#define update_shared_or_int32(place, value) update_or_int32(place, value)

#define update_shared_or_uint32(place, value) update_or_uint32(place, value)

#define update_shared_or_int64(place, value) update_or_int64(place, value)

#define update_shared_or_uint64(place, value) update_or_uint64(place, value)

#define update_shared_xor_int32(place, value) update_xor_int32(place, value)

#define update_shared_xor_uint32(place, value) update_xor_uint32(place, value)

#define update_shared_xor_int64(place, value) update_xor_int64(place, value)

#define update_shared_xor_uint64(place, value) update_xor_uint64(place, value)

/* What will be read comes into the second-level cache beforehand. */
HELPER void ask_for(const void *place) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
}

/* Copies from global to shared memory that are under way while a thread goes on; older devices wait for each. */
HELPER void copy_late_4(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int32_t *)to = *(const int32_t *)from;
#endif
}

HELPER void copy_late_8(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int64_t *)to = *(const int64_t *)from;
#endif
}

HELPER void copy_late_16(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int4 *)to = *(const int4 *)from;
#endif
}

#if __CUDA_ARCH__ >= 800
#define wait_late(count) asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(count) : "memory")
#else
#define wait_late(count)
#endif

/* What blocks hand on goes through words of memory, half of each a value, the other half a mark that it is there. */
HELPER uint64_t load_word(const uint64_t *place) {
    uint64_t word;
#if __CUDA_ARCH__ >= 700
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(place) : "memory");
#else
    word = *(const volatile uint64_t *)place;
#endif
    return word;
}

HELPER void store_word(uint64_t *place, uint32_t value) {
    uint64_t word = (uint64_t)1 << 32 | value;
#if __CUDA_ARCH__ >= 700
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(word) : "memory");
#else
    *(volatile uint64_t *)place = word;
#endif
}

template <class Value>
static __device__ __forceinline__ void put_words(uint64_t *words, const Value &value) {
    uint32_t bits[sizeof(Value) / 4];
    memcpy(bits, &value, sizeof(Value));
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Value) / 4); k++) store_word(words + k, bits[k]);
}

template <class Value>
static __device__ __forceinline__ bool get_words(const uint64_t *words, Value *value) {
    uint64_t found[sizeof(Value) / 4];
    uint32_t bits[sizeof(Value) / 4], all = 1;
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Value) / 4); k++) found[k] = load_word(words + k);
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Value) / 4); k++) {
        bits[k] = (uint32_t)found[k];
        all &= (uint32_t)(found[k] >> 32);
    }
    memcpy(value, bits, sizeof(Value));
    return all;
}

/* The tile that a block takes: blocks take them in order, so that those of all tiles before it have begun. */
HELPER int64_t take_turn(uint64_t *words) {
    __shared__ int64_t turn;
    if (threadIdx.x == 0) turn = (int64_t)atomicAdd((unsigned long long *)words, 1ULL);
    __syncthreads();
    return turn;
}

/* A tile's sums, for the tiles behind it, which may want them before it is known what is carried there. */
template <class Carried, class Sums>
static __device__ __forceinline__ void announce(uint64_t *words, int64_t tile, const Sums &own) {
    const int size = (sizeof(Carried) + sizeof(Sums)) / 4, behind = sizeof(Carried) / 4;
    if (tile > 0) put_words(words + 1 + tile * size + behind, own);
}

/* What is carried where a tile begins, for one warp. The tiles before it have left their sums in memory, or what is carried after
   them: from the nearest of these on, sums are put behind one another in order, so that the result is the same whichever it is. */
template <class Carried, class Sums, class Join>
static __device__ __forceinline__ void hand_on(uint64_t *words, int64_t tile, const Carried &first, const Sums &own, Join join,
                                               Carried *begin) {
    const int windows = 8, size = (sizeof(Carried) + sizeof(Sums)) / 4, behind = sizeof(Carried) / 4;
    __shared__ Sums between[windows * 32];
    const int lane = threadIdx.x;
    words += 1;
    Carried carried = first;
    for (int window = 0, distance = -1; distance < 0; window = window + 1 < windows ? window + 1 : 0) {
        const int64_t other = tile - 1 - (window * 32 + lane);
        Carried theirs = first;
        Sums sums = own;
        bool is_there = other < 0;
        while (!is_there) {
            const bool are_summed = get_words(words + other * size + behind, &sums); /* both are asked for at once */
            is_there = get_words(words + other * size, &theirs);
            if (are_summed) break;
        }
        const unsigned there = __ballot_sync(0xffffffffu, is_there);
        between[window * 32 + lane] = sums;
        if (there) {
            distance = window * 32 + __ffs((int)there) - 1;
            if (lane == __ffs((int)there) - 1) *begin = theirs;
            __syncwarp();
            carried = *begin;
            while (distance > 0) carried = join(carried, between[--distance]);
        }
    }
    __syncwarp();
    if (lane == 0) {
        *begin = carried;
        put_words(words + tile * size, join(carried, own));
    }
}

HELPER void multiply_16x8x16(double *sums, double *below, const double *a, const double *b) {
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(below[0]), "+d"(below[1])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
}

/* The product of two tiles in shared memory, whose rows are LEFT and RIGHT elements long, by all threads of a warp. A thread
   has 2 * ROWS rows of sums that are DOWN apart, and COLUMNS pairs of columns that are ACROSS apart. */
template <int ROWS, int COLUMNS, int DEPTH, int DOWN, int ACROSS, int LEFT, int RIGHT>
HELPER void multiply_tiles(double *sums, const double *left, const double *right) {
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16) {
        double a[ROWS][8];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int q = 0; q < 8; q++) a[r][q] = left[(2 * r + q % 2) * DOWN * LEFT + k + q / 2 * 4];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            double b[4];
#pragma unroll
            for (int q = 0; q < 4; q++) b[q] = right[(k + q * 4) * RIGHT + c * ACROSS];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                multiply_16x8x16(sums + (2 * r * COLUMNS + c) * 2, sums + ((2 * r + 1) * COLUMNS + c) * 2, a[r], b);
        }
    }
}

HELPER void multiply_piece(double *sums, double *below, const double *a, const double *b) {
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(below[0]), "+d"(below[1])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}

HELPER void multiply_pieces(double *sums, double *below, const double *a, const double *b) {
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(below[0]), "+d"(below[1])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]),
          "d"(b[0]), "d"(b[1]));
}

/* The products of windows in shared memory with weights between zeros, by all threads of a warp. A thread has two rows of
   sums that are DOWN apart, and GROUPS pairs of columns that are ACROSS apart, a multiple of 8: pieces of 4 elements are
   multiplied two at a time, as long as there are two. Rows of the tile and of the weights are TILE and WEIGHTS elements long. */
template <int GROUPS, int HEIGHT, int WIDTH, int DOWN, int ACROSS, int TILE, int WEIGHTS>
HELPER void multiply_windows(double *sums, const double *tile, const double *weights) {
    const int32_t pieces = (WIDTH + 6) / 4, apart = ACROSS / 4, all = (GROUPS - 1) * apart + pieces;
#pragma unroll 1
    for (int32_t row = 0; row <= HEIGHT; row++) {
        double b[pieces];
#pragma unroll
        for (int32_t k = 0; k < pieces; k++) b[k] = weights[row * WEIGHTS + 4 * k];
#pragma unroll
        for (int32_t piece = 0; piece < all; piece += 2) {
            double a[4];
#pragma unroll
            for (int32_t k = 0; k < 4 && piece + k / 2 < all; k++) a[k] = tile[(row + k % 2 * DOWN) * TILE + (piece + k / 2) * 4];
#pragma unroll
            for (int32_t group = 0; group < GROUPS; group++) {
                const int32_t k = piece - group * apart;
                double *const own = sums + 2 * group, *const below = own + 2 * GROUPS;
                if (k >= 0 && k + 1 < pieces) multiply_pieces(own, below, a, b + k);
                if (k >= 0 && k + 1 == pieces) multiply_piece(own, below, a, b + k);
            }
        }
    }
}

/* A value of any type that a warp exchanges by words. */
template <typename T, typename EXCHANGE>
HELPER T by_words(T value, EXCHANGE exchange) {
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int32_t k = 0; k < (int32_t)((sizeof(T) + 3) / 4); k++) words[k] = exchange(words[k]);
    memcpy(&value, words, sizeof(T));
    return value;
}

/* The value that a lane has which lies so many further on in the warp; all lanes ask. */
template <typename T>
HELPER T from_lane(T value, int32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_down_sync(0xffffffff, word, distance); });
}

template <typename T>
HELPER T from_first_lane(T value) {
    return by_words(value, [=](uint32_t word) { return __shfl_sync(0xffffffff, word, 0); });
}

/* The value that a lane has which lies so many before in the warp, and that of the last one; all lanes ask. */
template <typename T>
HELPER T lane_before(T value, int32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_up_sync(0xffffffff, word, distance); });
}

template <typename T>
HELPER T last_lane(T value) {
    return by_words(value, [=](uint32_t word) { return __shfl_sync(0xffffffff, word, 31); });
}

/* Counts of the threads of a block, some of each, put behind one another in the order of warps, of runs, and of threads. What a
   warp has in a run fits in some bits of a word, which holds sums of several runs. */
template <int THREADS, int RUNS, int BITS>
HELPER int32_t count_together(const int32_t *counts, int32_t *begins, int32_t *rows) {
    const int32_t each = 32 / BITS, lane = threadIdx.x % 32, row = threadIdx.x / 32;
    const uint32_t mask = (1u << BITS) - 1;
    int32_t carried = 0, before = 0, total = 0;
#pragma unroll
    for (int32_t first = 0; first < RUNS; first += each) {
        uint32_t own = 0;
#pragma unroll
        for (int32_t k = 0; k < each && first + k < RUNS; k++) own |= (uint32_t)counts[first + k] << (BITS * k);
        uint32_t sums = own;
#pragma unroll
        for (int32_t step = 1; step < 32; step *= 2) {
            const uint32_t other = __shfl_up_sync(0xffffffff, sums, step);
            if (lane >= step) sums += other;
        }
        const uint32_t all = __shfl_sync(0xffffffff, sums, 31);
        sums -= own;
#pragma unroll
        for (int32_t k = 0; k < each && first + k < RUNS; k++) {
            begins[first + k] = carried + (int32_t)(sums >> (BITS * k) & mask);
            carried += (int32_t)(all >> (BITS * k) & mask);
        }
    }
    if (lane == 0) rows[row] = carried;
    __syncthreads();
#pragma unroll
    for (int32_t k = 0; k < THREADS / 32; k++) {
        if (k < row) before += rows[k];
        total += rows[k];
    }
#pragma unroll
    for (int32_t k = 0; k < RUNS; k++) begins[k] += before;
    __builtin_assume(total >= 0 && total <= THREADS * RUNS << (BITS - 5));
    return total;
}

HELPER uint32_t tf32_of(float value) {
    uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return bits;
}

HELPER void multiply_16x8x8(float *sums, float *below, const uint32_t *a, const uint32_t *b) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(below[0]), "+f"(below[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* The same as `multiply_tiles` for float32, whose factors are rounded to tf32. */
template <int ROWS, int COLUMNS, int DEPTH, int DOWN, int ACROSS, int LEFT, int RIGHT>
HELPER void multiply_tf32_tiles(float *sums, const float *left, const float *right) {
#pragma unroll
    for (int k = 0; k < DEPTH; k += 8) {
        uint32_t a[ROWS][4];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int q = 0; q < 4; q++) a[r][q] = tf32_of(left[(2 * r + q % 2) * DOWN * LEFT + k + q / 2 * 4]);
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            uint32_t b[2];
#pragma unroll
            for (int q = 0; q < 2; q++) b[q] = tf32_of(right[(k + q * 4) * RIGHT + c * ACROSS]);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                multiply_16x8x8(sums + (2 * r * COLUMNS + c) * 2, sums + ((2 * r + 1) * COLUMNS + c) * 2, a[r], b);
        }
    }
}

/* Whether the program is to stop; the memory of the host is asked once in so many cycles. */
HELPER int32_t is_to_stop(const volatile int32_t *stop, int64_t &since) {
    int64_t now = clock64();
    if (since == 0) since = now;
    if (now - since < 1 << 30) return 0;
    since = now;
    return *stop;
}
