#if defined(__FLT16_MANT_DIG__)
typedef _Float16 half_t;
#else
typedef uint16_t half_t;
#endif

#if defined(__FLT16_MANT_DIG__)
HELPER float half_to_float32(half_t a) { return (float)a; }
#else
HELPER float half_to_float32(half_t a) {
    uint32_t sign = (uint32_t)(a & 0x8000u) << 16, exponent = (a >> 10) & 31u, fraction = a & 1023u;
    if (exponent == 0) {
        float value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    uint32_t bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    return float32_of_bits(bits);
}
#endif

#if defined(__FLT16_MANT_DIG__)
HELPER half_t half_from_float64(double a) { return (half_t)a; }
#else
/* Scaling by powers of two rounds once, to the last bit that a half-precision number of this size has. */
HELPER half_t half_from_float64(double a) {
    uint64_t bits = bits_of_float64(a);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
    double size = __builtin_fabs(a);
    if (size != size) return sign | 0x7e00u | (uint16_t)(bits >> 42 & 0x1ffu);
    if (size >= 65520.0) return sign | 0x7c00u;
    if (size < 0x1p-14) return sign | (uint16_t)__builtin_rint(size * 0x1p24);
    uint64_t rounded = (bits & INT64_MAX) + 0x1ffffffffffu + (bits >> 42 & 1);
    return sign | (uint16_t)((rounded >> 42) - ((uint64_t)1008 << 10));
}
#endif

#if defined(__FLT16_MANT_DIG__)
HELPER half_t half_from_float32(float a) { return (half_t)a; }
#else
HELPER half_t half_from_float32(float a) { return half_from_float64((double)a); }
#endif

HELPER uint16_t bits_of_float16(half_t a) {
    uint16_t bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    return bits;
}

HELPER half_t float16_of_bits(uint16_t bits) {
    half_t a;
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
}

HELPER uint64_t bits_of_float64(double a) {
    uint64_t bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    return bits;
}

HELPER double float64_of_bits(uint64_t bits) {
    double a;
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
}

HELPER uint32_t bits_of_float32(float a) {
    uint32_t bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    return bits;
}

HELPER float float32_of_bits(uint32_t bits) {
    float a;
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
}

/* a - b. gcc makes a fused operation of a sum and a difference that are stored side by side, also where contraction is
   off, unless it does not see the difference. */
#if defined(__GNUC__) && !defined(__clang__)
HELPER TYPE difference_@(TYPE a, TYPE b) { return a + @_of_bits(bits_of_@(b) ^ (UTYPE)1 << (BITS - 1)); }
#else
HELPER TYPE difference_@(TYPE a, TYPE b) { return a - b; }
#endif

HELPER TYPE fma_@(TYPE a, TYPE b, TYPE c) { return __builtin_fmaSUFFIX(a, b, c); }

HELPER TYPE floordiv_@(TYPE a, TYPE b) {
    if (b == 0) return a / b;
    TYPE rest = __builtin_fmodSUFFIX(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return __builtin_copysignSUFFIX(0, a / b);
    TYPE whole = __builtin_floorSUFFIX(quotient);
    return quotient - whole > (TYPE)0.5 ? whole + 1 : whole;
}

HELPER TYPE mod_@(TYPE a, TYPE b) {
    TYPE rest = __builtin_fmodSUFFIX(a, b);
    if (b == 0) return rest;
    if (rest == 0) return __builtin_copysignSUFFIX(0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

/* Python's a % b for a power of two from 1 on: the quotient is exact, as is what it leaves. */
HELPER TYPE mod_by_power_@(TYPE a, TYPE b) {
    TYPE rest = a - __builtin_truncSUFFIX(a * (1 / b)) * b;
    return rest == 0 ? 0 : rest < 0 ? rest + b : rest;
}

HELPER TYPE pow_@(TYPE a, TYPE b) { return __builtin_powSUFFIX(a, b); }

/* a ** 0.5 of NumPy's floats: the power of -0.0 is 0.0, that of -infinity infinity. */
HELPER TYPE half_power_@(TYPE a) { return a == -(TYPE)INFINITY ? (TYPE)INFINITY : sqrt_@(a) + 0; }

/* The power of Python's floats; vector_math.h has another one for processors. */
HELPER double python_pow_float64(double a, double b) { return pow_float64(a, b); }

HELPER double python_square_float64(double a) { return a * a; }

HELPER double python_cube_float64(double a) { return pow_float64(a, 3); }

HELPER double python_fourth_float64(double a) { return pow_float64(a, 4); }

HELPER double python_inverse_float64(double a) { return pow_float64(a, -1); }

HELPER double python_inverse_square_float64(double a) { return pow_float64(a, -2); }

HELPER double python_root_float64(double a) { return pow_float64(a, 0.5); }

HELPER bool is_finite(double a) { return __builtin_fabs(a) < (double)INFINITY; }

/* Without branches, so that loops over lanes become vectors. */
HELPER bool pow_fails(double a, double b, double result) {
    return !is_finite(result) & (result != result ? a == a & b == b : is_finite(a) & is_finite(b));
}

/* What Python's math looks at after a call: NaN from no NaN, infinity from finite arguments. */
HELPER bool argument1_raises(double result, double a) {
    return UNLIKELY(!is_finite(result)) && (result != result ? a == a : is_finite(a));
}

HELPER bool argument2_raises(double result, double a, double b) { return pow_fails(a, b, result); }

HELPER bool log_base_fails(double result, double a, double base) {
    (void)result;
    return a <= 0 || base <= 0 || base == 1;
}

HELPER bool float64_leaves_int64(double a) { return !((a >= -0x1p63) & (a < 0x1p63)); }

/* Integers beside a float that lies in their range: such a float is whole where its integers lie further apart than 1. gcc
   makes vectors of these, and not of floor and rint in such a loop. */
HELPER int64_t trunc_to_int64(double a) { return (int64_t)a; }

HELPER int64_t floor_to_int64(double a) { return (int64_t)a - ((double)(int64_t)a > a); }

HELPER int64_t ceil_to_int64(double a) { return (int64_t)a + ((double)(int64_t)a < a); }

/* The nearest one, of two the even one. */
HELPER int64_t round_to_int64(double a) {
    int64_t whole = (int64_t)a;
    double rest = a - (double)whole, limit = whole & 1 ? 0.49999999999999994 : 0.5;
    return whole + (rest > limit) - (rest < -limit);
}

/* The same for floats that are not large. Processors that cannot convert vectors to 64 bits add a number whose last bit
   counts as 1: the last bits of the sum are then the nearest integer. */
#if defined(__AVX2__) && !defined(__AVX512DQ__)
#define ADDS_TO_CONVERT 1
#else
#define ADDS_TO_CONVERT 0
#endif

HELPER bool float64_is_large(double a) {
    return ADDS_TO_CONVERT ? !((a > -0x1p51) & (a < 0x1p51)) : float64_leaves_int64(a);
}

HELPER int64_t last_bits_float64(double sum) {
    int64_t bits;
    __builtin_memcpy(&bits, &sum, 8);
    return bits - 0x4338000000000000;
}

HELPER int64_t round_to_small_int64(double a) {
    return ADDS_TO_CONVERT ? last_bits_float64(a + 0x1.8p52) : round_to_int64(a);
}

HELPER int64_t floor_to_small_int64(double a) {
    double sum = a + 0x1.8p52;
    return ADDS_TO_CONVERT ? last_bits_float64(sum) - (sum - 0x1.8p52 > a) : floor_to_int64(a);
}

HELPER int64_t ceil_to_small_int64(double a) {
    double sum = a + 0x1.8p52;
    return ADDS_TO_CONVERT ? last_bits_float64(sum) + (sum - 0x1.8p52 < a) : ceil_to_int64(a);
}

HELPER int64_t trunc_to_small_int64(double a) {
    double size = __builtin_fabs(a), sum = size + 0x1.8p52;
    int64_t whole = last_bits_float64(sum) - (sum - 0x1.8p52 > size), sign = -(int64_t)(a < 0);
    return ADDS_TO_CONVERT ? (whole ^ sign) - sign : trunc_to_int64(a);
}

HELPER bool float64_leaves_int32(double a) { return !((a > -2147483649.0) & (a < 2147483648.0)); }

HELPER bool float64_leaves_int16(double a) { return !((a > -32769.0) & (a < 32768.0)); }

HELPER bool float64_leaves_int8(double a) { return !((a > -129.0) & (a < 128.0)); }

HELPER bool float64_leaves_uint64(double a) { return !((a > -1.0) & (a < 0x1p64)); }

HELPER bool float64_leaves_uint32(double a) { return !((a > -1.0) & (a < 4294967296.0)); }

HELPER bool float64_leaves_uint16(double a) { return !((a > -1.0) & (a < 65536.0)); }

HELPER bool float64_leaves_uint8(double a) { return !((a > -1.0) & (a < 256.0)); }

/* Conversions of floats that do not fit give what NumPy's give: the processor's answer for 32 or 64 bits, cut off. */
#define int64_from_float(a) ((int64_t)(a))

#define int32_from_float(a) ((int32_t)(a))

#define int16_from_float(a) ((int16_t)(int32_t)(a))

#define int8_from_float(a) ((int8_t)(int32_t)(a))

#define uint32_from_float(a) ((uint32_t)(int64_t)(a))

#define uint16_from_float(a) ((uint16_t)(int32_t)(a))

#define uint8_from_float(a) ((uint8_t)(int32_t)(a))

HELPER uint64_t uint64_from_float(double a) {
    return a >= 0x1p63 ? (uint64_t)(int64_t)(a - 0x1p63) ^ (uint64_t)1 << 63 : (uint64_t)(int64_t)a;
}

/* The same by the name of its operand's type, for vectors. */
HELPER uint64_t uint64_from_@(TYPE a) { return uint64_from_float(a); }

HELPER TYPE fabs_@(TYPE a) { return __builtin_fabsSUFFIX(a); }

HELPER TYPE absolute_@(TYPE a) { return __builtin_fabsSUFFIX(a); }

HELPER TYPE sqrt_@(TYPE a) { return __builtin_sqrtSUFFIX(a); }

HELPER TYPE cbrt_@(TYPE a) { return __builtin_cbrtSUFFIX(a); }

HELPER TYPE square_@(TYPE a) { return a * a; }

HELPER TYPE reciprocal_@(TYPE a) { return 1 / a; }

HELPER TYPE exp_@(TYPE a) { return __builtin_expSUFFIX(a); }

HELPER TYPE exp2_@(TYPE a) { return __builtin_exp2SUFFIX(a); }

HELPER TYPE expm1_@(TYPE a) { return __builtin_expm1SUFFIX(a); }

HELPER TYPE log_@(TYPE a) { return __builtin_logSUFFIX(a); }

HELPER TYPE log2_@(TYPE a) { return __builtin_log2SUFFIX(a); }

HELPER TYPE log10_@(TYPE a) { return __builtin_log10SUFFIX(a); }

HELPER TYPE log1p_@(TYPE a) { return __builtin_log1pSUFFIX(a); }

HELPER TYPE sin_@(TYPE a) { return __builtin_sinSUFFIX(a); }

HELPER TYPE cos_@(TYPE a) { return __builtin_cosSUFFIX(a); }

HELPER TYPE tan_@(TYPE a) { return __builtin_tanSUFFIX(a); }

HELPER TYPE arcsin_@(TYPE a) { return __builtin_asinSUFFIX(a); }

HELPER TYPE arccos_@(TYPE a) { return __builtin_acosSUFFIX(a); }

HELPER TYPE arctan_@(TYPE a) { return __builtin_atanSUFFIX(a); }

HELPER TYPE arctan2_@(TYPE a, TYPE b) { return __builtin_atan2SUFFIX(a, b); }

HELPER TYPE sinh_@(TYPE a) { return __builtin_sinhSUFFIX(a); }

HELPER TYPE cosh_@(TYPE a) { return __builtin_coshSUFFIX(a); }

HELPER TYPE tanh_@(TYPE a) { return __builtin_tanhSUFFIX(a); }

HELPER TYPE arcsinh_@(TYPE a) { return __builtin_asinhSUFFIX(a); }

HELPER TYPE arccosh_@(TYPE a) { return __builtin_acoshSUFFIX(a); }

HELPER TYPE arctanh_@(TYPE a) { return __builtin_atanhSUFFIX(a); }

HELPER TYPE erf_@(TYPE a) { return __builtin_erfSUFFIX(a); }

HELPER TYPE erfc_@(TYPE a) { return __builtin_erfcSUFFIX(a); }

HELPER TYPE gamma_@(TYPE a) { return __builtin_tgammaSUFFIX(a); }

HELPER TYPE lgamma_@(TYPE a) { return __builtin_lgammaSUFFIX(a); }

HELPER TYPE hypot_@(TYPE a, TYPE b) { return __builtin_hypotSUFFIX(a, b); }

HELPER TYPE copysign_@(TYPE a, TYPE b) { return __builtin_copysignSUFFIX(a, b); }

HELPER TYPE nextafter_@(TYPE a, TYPE b) { return __builtin_nextafterSUFFIX(a, b); }

HELPER half_t copysign_float16(half_t a, half_t b) {
    return float16_of_bits((bits_of_float16(a) & 0x7fffu) | (bits_of_float16(b) & 0x8000u));
}

HELPER half_t nextafter_float16(half_t a, half_t b) {
    float x = half_to_float32(a), y = half_to_float32(b);
    if (x != x || y != y) return half_from_float32(x + y);
    if (x == y) return a;
    uint16_t bits = bits_of_float16(a);
    if (x == 0) return float16_of_bits((bits_of_float16(b) & 0x8000u) | 1);
    return float16_of_bits((x > y) == (x > 0) ? bits - 1 : bits + 1);
}

HELPER half_t nextafter_second_float16(half_t a, half_t b) {
    return half_to_float32(a) == half_to_float32(b) ? b : nextafter_float16(a, b);
}

HELPER half_t spacing_float16(half_t a) {
    uint16_t bits = bits_of_float16(a), exponent = bits >> 10 & 31;
    if (exponent == 31) return float16_of_bits(0x7e00u);
    if (bits == 0x7bffu) return float16_of_bits(0x7c00u);
    float size = exponent > 1 ? __builtin_ldexpf(1, exponent - 25) : 0x1p-24f;
    return half_from_float32(bits & 0x8000u && !(bits & 1023u) && exponent > 1 ? size / 2 : size);
}

HELPER half_t real_float16(half_t a) { return a; }

HELPER half_t conjugate_float16(half_t a) { return a; }

HELPER half_t imag_float16(half_t a) {
    (void)a;
    return half_from_float32(0);
}

HELPER TYPE spacing_@(TYPE a) {
    if (!(__builtin_fabsSUFFIX(a) < (TYPE)INFINITY)) return (TYPE)NAN;
    TYPE size = __builtin_fabsSUFFIX(a);
    TYPE step = __builtin_nextafterSUFFIX(size, (TYPE)INFINITY) - size;
    return a < 0 ? -step : step;
}

HELPER double ulp_float64(double a) {
    double size = __builtin_fabs(a);
    if (!(size < (double)INFINITY)) return size;
    double above = __builtin_nextafter(size, (double)INFINITY);
    return above < (double)INFINITY ? above - size : size - __builtin_nextafter(size, 0);
}

HELPER TYPE fmod_@(TYPE a, TYPE b) { return __builtin_fmodSUFFIX(a, b); }

HELPER double ieee_remainder_float64(double a, double b) { return __builtin_remainder(a, b); }

HELPER double log_base_float64(double a, double b) { return log_float64(a) / log_float64(b); }

HELPER TYPE ldexp_@(TYPE a, int64_t b) {
    return __builtin_ldexpSUFFIX(a, b > 100000 ? 100000 : b < -100000 ? -100000 : (int)b);
}

HELPER TYPE floor_@(TYPE a) { return __builtin_floorSUFFIX(a); }

HELPER TYPE ceil_@(TYPE a) { return __builtin_ceilSUFFIX(a); }

HELPER TYPE trunc_@(TYPE a) { return __builtin_truncSUFFIX(a); }

HELPER TYPE rint_@(TYPE a) { return __builtin_rintSUFFIX(a); }

HELPER TYPE sign_@(TYPE a) { return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a; }

HELPER bool signbit_@(TYPE a) { return (ITYPE)bits_of_@(a) < 0; }

HELPER bool isnan_@(TYPE a) { return a != a; }

HELPER bool isinf_@(TYPE a) { return __builtin_fabsSUFFIX(a) == (TYPE)INFINITY; }

HELPER bool isfinite_@(TYPE a) { return __builtin_fabsSUFFIX(a) < (TYPE)INFINITY; }

HELPER TYPE degrees_@(TYPE a) { return a * ((TYPE)180 / (TYPE)3.14159265358979323846); }

HELPER TYPE radians_@(TYPE a) { return a * ((TYPE)3.14159265358979323846 / (TYPE)180); }

/* In two choices, which compilers make vectors of also where such functions are nested. */
HELPER TYPE maximum_@(TYPE a, TYPE b) {
    TYPE larger = a > b ? a : b;
    return a != a ? a : larger;
}

HELPER TYPE minimum_@(TYPE a, TYPE b) {
    TYPE smaller = a < b ? a : b;
    return a != a ? a : smaller;
}

HELPER TYPE fmax_@(TYPE a, TYPE b) {
    TYPE larger = a >= b ? a : b;
    return b != b ? a : larger;
}

HELPER TYPE fmin_@(TYPE a, TYPE b) {
    TYPE smaller = a <= b ? a : b;
    return b != b ? a : smaller;
}

/* Of equal numbers, zeros of two signs among them, NumPy takes the second one for minimum and maximum; float16 and fmin
   and fmax the first one; those of float32 the second one. */
HELPER half_t maximum_float16(half_t a, half_t b) {
    float x = half_to_float32(a), y = half_to_float32(b);
    return x >= y || x != x ? a : b;
}

HELPER half_t minimum_float16(half_t a, half_t b) {
    float x = half_to_float32(a), y = half_to_float32(b);
    return x <= y || x != x ? a : b;
}

HELPER half_t fmax_float16(half_t a, half_t b) {
    float x = half_to_float32(a), y = half_to_float32(b);
    return x >= y || y != y ? a : b;
}

HELPER half_t fmin_float16(half_t a, half_t b) {
    float x = half_to_float32(a), y = half_to_float32(b);
    return x <= y || y != y ? a : b;
}

HELPER float fmax_float32(float a, float b) { return a > b || b != b ? a : b; }

HELPER float fmin_float32(float a, float b) { return a < b || b != b ? a : b; }

HELPER TYPE heaviside_@(TYPE a, TYPE b) { return a != a ? a : a == 0 ? b : a < 0 ? 0 : 1; }

HELPER TYPE logaddexp_@(TYPE a, TYPE b) {
    if (a == b) return a + (TYPE)0.693147180559945309417232121458176568;
    TYPE difference = a - b;
    if (difference > 0) return a + log1p_@(exp_@(-difference));
    return difference <= 0 ? b + log1p_@(exp_@(difference)) : difference;
}

HELPER TYPE logaddexp2_@(TYPE a, TYPE b) {
    const TYPE log2_e = (TYPE)1.442695040888963407359924681001892137;
    if (a == b) return a + 1;
    TYPE difference = a - b;
    if (difference > 0) return a + log2_e * log1p_@(exp2_@(-difference));
    return difference <= 0 ? b + log2_e * log1p_@(exp2_@(difference)) : difference;
}

HELPER TYPE float_power_@(TYPE a, TYPE b) { return pow_@(a, b); }

HELPER TYPE real_@(TYPE a) { return a; }

HELPER TYPE imag_@(TYPE a) {
    (void)a;
    return 0;
}

HELPER TYPE conjugate_@(TYPE a) { return a; }

HELPER bool logical_not_@(TYPE a) { return a == 0; }

HELPER bool logical_and_@(TYPE a, TYPE b) { return (a != 0) & (b != 0); }

HELPER bool logical_or_@(TYPE a, TYPE b) { return (a != 0) | (b != 0); }

HELPER bool logical_xor_@(TYPE a, TYPE b) { return (a != 0) != (b != 0); }
