/* OpenCL C under the names that the helper functions in C use. */

/* Replaces: bool true false RARE NAN INFINITY LIKELY UNLIKELY AT packed_@ add_overflows sub_overflows mul_overflows
   lcm_fails comb_fails truediv_wide half_t half_to_float32 half_from_float32 half_from_float64 bits_of_float16
   float16_of_bits bits_of_float64 float64_of_bits bits_of_float32 float32_of_bits int64_from_float int32_from_float
   int16_from_float int8_from_float uint32_from_float uint16_from_float uint8_from_float uint64_from_float */

typedef char int8_t;

typedef short int16_t;

typedef int int32_t;

typedef long int64_t;

typedef uchar uint8_t;

typedef ushort uint16_t;

typedef uint uint32_t;

typedef ulong uint64_t;

#define INT64_MAX LONG_MAX

#define INT64_MIN LONG_MIN

#define bool bool

#define true true

#define false false

#define HELPER static inline __attribute__((unused))

#define RARE static __attribute__((noinline, unused))

#undef NAN
#define NAN as_float(0x7fc00000u)

#undef INFINITY
#define INFINITY as_float(0x7f800000u)

#define LIKELY(condition) (condition)

#define UNLIKELY(condition) (condition)

#define AT(type, pointer, bytes) ((__global type *)((__global char *)(pointer) + (bytes)))

#define __builtin_popcountll popcount

typedef TYPE packed_@ __attribute__((aligned(1)));

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
    return mul_hi(a, b) != *result >> 63;
}

#define __builtin_mul_overflow mul_overflows

HELPER bool lcm_fails(int64_t a, int64_t b, int64_t *result) {
    uint64_t p = size_of_int64(a), q = size_of_int64(b);
    *result = 0;
    if (p == 0 || q == 0) return false;
    p /= common_divisor(p, q);
    *result = (int64_t)(p * q);
    return mul_hi(p, q) != 0 || *result < 0;
}

/* Each step divides exactly: what is common is taken out of both numbers before the product is formed. */
HELPER bool comb_fails(int64_t total, int64_t chosen, int64_t *result) {
    if (total < 0 || chosen < 0) return true;
    *result = 0;
    if (chosen > total) return false;
    if (chosen > total - chosen) chosen = total - chosen;
    *result = 1;
    for (int64_t k = 0; k < chosen; k++) {
        int64_t common = (int64_t)common_divisor((uint64_t)*result, (uint64_t)(k + 1));
        *result /= common;
        if (mul_overflows(*result, (total - k) / ((k + 1) / common), result)) return true;
    }
    return false;
}

/* The quotient is computed bit by bit, with 63 bits or more and a sticky bit for the rest, then rounded once. */
RARE double truediv_wide(int64_t a, int64_t b) {
    if (a == 0) return b < 0 ? -0.0 : 0.0;
    uint64_t p = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, q = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    int shift = 63 + (int)clz(p) - (int)clz(q);
    uint64_t quotient = 0, rest = 0;
    for (int bit = 63 + shift; bit >= 0; bit--) {
        bool carry = rest >> 63;
        rest = rest << 1 | (bit >= shift ? p >> (bit - shift) & 1 : 0);
        quotient <<= 1;
        if (carry || rest >= q) {
            rest -= q;
            quotient |= 1;
        }
    }
    if (rest) quotient |= 1;
    double value = ldexp((double)quotient, -shift);
    return (a < 0) != (b < 0) ? -value : value;
}

typedef ushort half_t;

HELPER float half_to_float32(half_t a) { return vload_half(0, (const half *)&a); }

HELPER half_t half_from_float32(float a) {
    half_t value;
    vstore_half_rte(a, 0, (half *)&value);
    return value;
}

HELPER half_t half_from_float64(double a) {
    half_t value;
    vstore_half_rte(a, 0, (half *)&value);
    return value;
}

HELPER uint16_t bits_of_float16(half_t a) { return a; }

HELPER half_t float16_of_bits(uint16_t bits) { return bits; }

HELPER uint64_t bits_of_float64(double a) { return as_ulong(a); }

HELPER double float64_of_bits(uint64_t bits) { return as_double(bits); }

HELPER uint32_t bits_of_float32(float a) { return as_uint(a); }

HELPER float float32_of_bits(uint32_t bits) { return as_float(bits); }

/* Conversions of floats that do not fit give what x86-64's give. */
HELPER int64_t int64_from_float(double a) { return a >= -0x1p63 && a < 0x1p63 ? (int64_t)a : INT64_MIN; }

HELPER int32_t int32_from_float(double a) { return a > -2147483649.0 && a < 2147483648.0 ? (int32_t)a : INT_MIN; }

#define int16_from_float(a) ((int16_t)int32_from_float(a))

#define int8_from_float(a) ((int8_t)int32_from_float(a))

#define uint32_from_float(a) ((uint32_t)int64_from_float(a))

#define uint16_from_float(a) ((uint16_t)int32_from_float(a))

#define uint8_from_float(a) ((uint8_t)int32_from_float(a))

HELPER uint64_t uint64_from_float(double a) {
    return a >= 0x1p63 ? (uint64_t)int64_from_float(a - 0x1p63) ^ (uint64_t)1 << 63 : (uint64_t)int64_from_float(a);
}

#define __builtin_fabs fabs

#define __builtin_fabsf fabs

#define __builtin_sqrt sqrt

#define __builtin_sqrtf sqrt

#define __builtin_cbrt cbrt

#define __builtin_cbrtf(a) ((float)cbrt((double)(a)))

#define __builtin_exp exp

#define __builtin_expf(a) ((float)exp((double)(a)))

#define __builtin_exp2 exp2

#define __builtin_exp2f(a) ((float)exp2((double)(a)))

#define __builtin_expm1 expm1

#define __builtin_expm1f(a) ((float)expm1((double)(a)))

#define __builtin_log log

#define __builtin_logf(a) ((float)log((double)(a)))

#define __builtin_log2 log2

#define __builtin_log2f(a) ((float)log2((double)(a)))

#define __builtin_log10 log10

#define __builtin_log10f(a) ((float)log10((double)(a)))

#define __builtin_log1p log1p

#define __builtin_log1pf(a) ((float)log1p((double)(a)))

#define __builtin_sin sin

#define __builtin_sinf(a) ((float)sin((double)(a)))

#define __builtin_cos cos

#define __builtin_cosf(a) ((float)cos((double)(a)))

#define __builtin_tan tan

#define __builtin_tanf(a) ((float)tan((double)(a)))

#define __builtin_asin asin

#define __builtin_asinf(a) ((float)asin((double)(a)))

#define __builtin_acos acos

#define __builtin_acosf(a) ((float)acos((double)(a)))

#define __builtin_atan atan

#define __builtin_atanf(a) ((float)atan((double)(a)))

#define __builtin_atan2(a, b) atan2((double)(a), (double)(b))

#define __builtin_atan2f(a, b) ((float)atan2((double)(a), (double)(b)))

#define __builtin_sinh sinh

#define __builtin_sinhf(a) ((float)sinh((double)(a)))

#define __builtin_cosh cosh

#define __builtin_coshf(a) ((float)cosh((double)(a)))

#define __builtin_tanh tanh

#define __builtin_tanhf(a) ((float)tanh((double)(a)))

#define __builtin_asinh asinh

#define __builtin_asinhf(a) ((float)asinh((double)(a)))

#define __builtin_acosh acosh

#define __builtin_acoshf(a) ((float)acosh((double)(a)))

#define __builtin_atanh atanh

#define __builtin_atanhf(a) ((float)atanh((double)(a)))

#define __builtin_erf erf

#define __builtin_erff(a) ((float)erf((double)(a)))

#define __builtin_erfc erfc

#define __builtin_erfcf(a) ((float)erfc((double)(a)))

#define __builtin_tgamma tgamma

#define __builtin_tgammaf(a) ((float)tgamma((double)(a)))

#define __builtin_lgamma lgamma

#define __builtin_lgammaf(a) ((float)lgamma((double)(a)))

#define __builtin_hypot(a, b) hypot((double)(a), (double)(b))

#define __builtin_hypotf(a, b) ((float)hypot((double)(a), (double)(b)))

#define __builtin_copysign(a, b) copysign((double)(a), (double)(b))

#define __builtin_copysignf(a, b) copysign((float)(a), (float)(b))

#define __builtin_nextafter(a, b) nextafter((double)(a), (double)(b))

#define __builtin_nextafterf(a, b) nextafter((float)(a), (float)(b))

#define __builtin_fmod(a, b) fmod((double)(a), (double)(b))

#define __builtin_fmodf(a, b) fmod((float)(a), (float)(b))

#define __builtin_remainder(a, b) remainder((double)(a), (double)(b))

#define __builtin_ldexp ldexp

#define __builtin_ldexpf ldexp

#define __builtin_floor floor

#define __builtin_floorf floor

#define __builtin_ceil ceil

#define __builtin_ceilf ceil

#define __builtin_trunc trunc

#define __builtin_truncf trunc

#define __builtin_rint rint

#define __builtin_rintf rint

#define __builtin_pow(a, b) pow((double)(a), (double)(b))

#define __builtin_powf(a, b) ((float)pow((double)(a), (double)(b)))

#define __builtin_fma fma

#define __builtin_fmaf fma

#define update_add_int32(place, value) atomic_add((volatile __global int *)&(place), (int)(value))

#define update_add_uint32(place, value) atomic_add((volatile __global uint *)&(place), (uint)(value))

#define update_add_int64(place, value) atom_add((volatile __global long *)&(place), (long)(value))

#define update_add_uint64(place, value) atom_add((volatile __global ulong *)&(place), (ulong)(value))

#define update_min_int32(place, value) atomic_min((volatile __global int *)&(place), (int)(value))

#define update_min_uint32(place, value) atomic_min((volatile __global uint *)&(place), (uint)(value))

#define update_min_int64(place, value) atom_min((volatile __global long *)&(place), (long)(value))

#define update_min_uint64(place, value) atom_min((volatile __global ulong *)&(place), (ulong)(value))

#define update_max_int32(place, value) atomic_max((volatile __global int *)&(place), (int)(value))

#define update_max_uint32(place, value) atomic_max((volatile __global uint *)&(place), (uint)(value))

#define update_max_int64(place, value) atom_max((volatile __global long *)&(place), (long)(value))

#define update_max_uint64(place, value) atom_max((volatile __global ulong *)&(place), (ulong)(value))

#define update_and_int32(place, value) atomic_and((volatile __global int *)&(place), (int)(value))

#define update_and_uint32(place, value) atomic_and((volatile __global uint *)&(place), (uint)(value))

#define update_and_int64(place, value) atom_and((volatile __global long *)&(place), (long)(value))

#define update_and_uint64(place, value) atom_and((volatile __global ulong *)&(place), (ulong)(value))

#define update_or_int32(place, value) atomic_or((volatile __global int *)&(place), (int)(value))

#define update_or_uint32(place, value) atomic_or((volatile __global uint *)&(place), (uint)(value))

#define update_or_int64(place, value) atom_or((volatile __global long *)&(place), (long)(value))

#define update_or_uint64(place, value) atom_or((volatile __global ulong *)&(place), (ulong)(value))

#define update_xor_int32(place, value) atomic_xor((volatile __global int *)&(place), (int)(value))

#define update_xor_uint32(place, value) atomic_xor((volatile __global uint *)&(place), (uint)(value))

#define update_xor_int64(place, value) atom_xor((volatile __global long *)&(place), (long)(value))

#define update_xor_uint64(place, value) atom_xor((volatile __global ulong *)&(place), (ulong)(value))

#define update_shared_add_int32(place, value) atomic_add((volatile __local int *)&(place), (int)(value))

#define update_shared_add_uint32(place, value) atomic_add((volatile __local uint *)&(place), (uint)(value))

#define update_shared_add_int64(place, value) atom_add((volatile __local long *)&(place), (long)(value))

#define update_shared_add_uint64(place, value) atom_add((volatile __local ulong *)&(place), (ulong)(value))

#define update_shared_min_int32(place, value) atomic_min((volatile __local int *)&(place), (int)(value))

#define update_shared_min_uint32(place, value) atomic_min((volatile __local uint *)&(place), (uint)(value))

#define update_shared_min_int64(place, value) atom_min((volatile __local long *)&(place), (long)(value))

#define update_shared_min_uint64(place, value) atom_min((volatile __local ulong *)&(place), (ulong)(value))

#define update_shared_max_int32(place, value) atomic_max((volatile __local int *)&(place), (int)(value))

#define update_shared_max_uint32(place, value) atomic_max((volatile __local uint *)&(place), (uint)(value))

#define update_shared_max_int64(place, value) atom_max((volatile __local long *)&(place), (long)(value))

#define update_shared_max_uint64(place, value) atom_max((volatile __local ulong *)&(place), (ulong)(value))

#define update_shared_and_int32(place, value) atomic_and((volatile __local int *)&(place), (int)(value))

#define update_shared_and_uint32(place, value) atomic_and((volatile __local uint *)&(place), (uint)(value))

#define update_shared_and_int64(place, value) atom_and((volatile __local long *)&(place), (long)(value))

#define update_shared_and_uint64(place, value) atom_and((volatile __local ulong *)&(place), (ulong)(value))

#define update_shared_or_int32(place, value) atomic_or((volatile __local int *)&(place), (int)(value))

#define update_shared_or_uint32(place, value) atomic_or((volatile __local uint *)&(place), (uint)(value))

#define update_shared_or_int64(place, value) atom_or((volatile __local long *)&(place), (long)(value))

#define update_shared_or_uint64(place, value) atom_or((volatile __local ulong *)&(place), (ulong)(value))

#define update_shared_xor_int32(place, value) atomic_xor((volatile __local int *)&(place), (int)(value))

#define update_shared_xor_uint32(place, value) atomic_xor((volatile __local uint *)&(place), (uint)(value))

#define update_shared_xor_int64(place, value) atom_xor((volatile __local long *)&(place), (long)(value))

#define update_shared_xor_uint64(place, value) atom_xor((volatile __local ulong *)&(place), (ulong)(value))
