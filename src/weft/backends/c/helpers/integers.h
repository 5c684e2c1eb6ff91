#define add_overflows(a, b, result) __builtin_add_overflow(a, b, result)

#define sub_overflows(a, b, result) __builtin_sub_overflow(a, b, result)

#define mul_overflows(a, b, result) __builtin_mul_overflow(a, b, result)

HELPER bool division_overflows(int64_t a, int64_t b) { return b == -1 && a == INT64_MIN; }

HELPER int64_t python_floordiv(int64_t a, int64_t b) {
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - ((a % b != 0) & ((a ^ b) < 0));
}

HELPER int64_t python_mod(int64_t a, int64_t b) {
    if (b == -1) return 0;
    int64_t rest = a % b;
    return rest + ((rest != 0) & ((rest ^ b) < 0) ? b : 0);
}

/* By a constant; of a power of two it is a shift: compilers know that the lowest bits are 0. */
HELPER TYPE floordiv_by_positive_@(TYPE a, TYPE b) {
    return b & (b - 1) ? (TYPE)(a / b - (a % b < 0)) : (TYPE)((a & -b) / b);
}

/* Without a branch: of rests as they come, processors do not foresee which are 0. */
HELPER TYPE mod_by_positive_@(TYPE a, TYPE b) {
    if (!(b & (b - 1))) return (TYPE)(a & (b - 1));
    TYPE rest = (TYPE)(a % b);
    return (TYPE)(rest + (rest < 0 ? b : 0));
}

HELPER TYPE floordiv_signed_@(TYPE a, TYPE b) {
    if (b == 0) return 0;
    if (b == -1) return (TYPE)(0 - (UTYPE)a);
    return (TYPE)(a / b - ((a % b != 0) & ((a ^ b) < 0)));
}

HELPER TYPE mod_signed_@(TYPE a, TYPE b) {
    if (b == 0 || b == -1) return 0;
    TYPE rest = (TYPE)(a % b);
    return (TYPE)(rest + ((rest != 0) & ((rest ^ b) < 0) ? b : 0));
}

HELPER int8_t floordiv_int8(int8_t a, int8_t b) { return floordiv_signed_int8(a, b); }

HELPER int16_t floordiv_int16(int16_t a, int16_t b) { return floordiv_signed_int16(a, b); }

HELPER int32_t floordiv_int32(int32_t a, int32_t b) { return floordiv_signed_int32(a, b); }

HELPER int64_t floordiv_int64(int64_t a, int64_t b) { return floordiv_signed_int64(a, b); }

HELPER int8_t mod_int8(int8_t a, int8_t b) { return mod_signed_int8(a, b); }

HELPER int16_t mod_int16(int16_t a, int16_t b) { return mod_signed_int16(a, b); }

HELPER int32_t mod_int32(int32_t a, int32_t b) { return mod_signed_int32(a, b); }

HELPER int64_t mod_int64(int64_t a, int64_t b) { return mod_signed_int64(a, b); }

HELPER uint8_t floordiv_uint8(uint8_t a, uint8_t b) { return b == 0 ? 0 : a / b; }

HELPER uint16_t floordiv_uint16(uint16_t a, uint16_t b) { return b == 0 ? 0 : a / b; }

HELPER uint32_t floordiv_uint32(uint32_t a, uint32_t b) { return b == 0 ? 0 : a / b; }

HELPER uint64_t floordiv_uint64(uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b; }

HELPER uint8_t mod_uint8(uint8_t a, uint8_t b) { return b == 0 ? 0 : a % b; }

HELPER uint16_t mod_uint16(uint16_t a, uint16_t b) { return b == 0 ? 0 : a % b; }

HELPER uint32_t mod_uint32(uint32_t a, uint32_t b) { return b == 0 ? 0 : a % b; }

HELPER uint64_t mod_uint64(uint64_t a, uint64_t b) { return b == 0 ? 0 : a % b; }

/* The quotient of two integers as a float64, rounded once. */
HELPER double truediv_int64(int64_t a, int64_t b) {
    const int64_t exact = (int64_t)1 << 53;
    if (LIKELY(-exact <= a && a <= exact && -exact <= b && b <= exact)) return (double)a / (double)b;
    return truediv_wide(a, b);
}

/* The quotient is computed with 63 bits or more and a sticky bit for the rest, then rounded by its conversion. */
RARE double truediv_wide(int64_t a, int64_t b) {
    if (a == 0) return b < 0 ? -0.0 : 0.0;
    uint64_t p = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, q = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    int shift = 63 + __builtin_clzll(p) - __builtin_clzll(q);
    unsigned __int128 scaled = (unsigned __int128)p << shift;
    uint64_t quotient = (uint64_t)(scaled / q);
    if (scaled % q) quotient |= 1;
    double value = (double)quotient * __builtin_ldexp(1.0, -shift);
    return (a < 0) != (b < 0) ? -value : value;
}

HELPER TYPE pow_@(TYPE base, TYPE exponent) {
    if (exponent < 0) return 0;
    UTYPE result = 1, square = (UTYPE)base;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = (UTYPE)((uint64_t)result * square);
        square = (UTYPE)((uint64_t)square * square);
    }
    return (TYPE)result;
}

HELPER bool pow_overflows(int64_t base, int64_t exponent, int64_t *result) {
    int64_t product = 1;
    if (exponent < 0) return true;
    for (;;) {
        if (exponent & 1 && __builtin_mul_overflow(product, base, &product)) return true;
        exponent >>= 1;
        if (!exponent) break;
        if (__builtin_mul_overflow(base, base, &base)) return true;
    }
    *result = product;
    return false;
}

HELPER TYPE shl_@(TYPE a, TYPE b) { return (UTYPE)b < BITS ? (TYPE)((UTYPE)a << b) : 0; }

HELPER TYPE shr_@(TYPE a, TYPE b) {
    return (UTYPE)b < BITS ? (TYPE)(a >> b) : a < 0 ? (TYPE)-1 : 0;
}

HELPER bool shl_overflows(int64_t a, int64_t b, int64_t *result) {
    if (b < 0) return true;
    if (a == 0 || b == 0) {
        *result = a;
        return false;
    }
    if (b > 62) return !(b == 63 && a == -1) || (*result = INT64_MIN, false);
    *result = (int64_t)((uint64_t)a << b);
    return *result >> b != a;
}

HELPER TYPE abs_@(TYPE a) { return a < 0 ? (TYPE)(0 - (UTYPE)a) : a; }

HELPER uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

HELPER uint64_t size_of_int64(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

HELPER bool gcd_fails(int64_t a, int64_t b, int64_t *result) {
    *result = (int64_t)common_divisor(size_of_int64(a), size_of_int64(b));
    return *result < 0;
}

HELPER bool lcm_fails(int64_t a, int64_t b, int64_t *result) {
    uint64_t p = size_of_int64(a), q = size_of_int64(b), product;
    *result = 0;
    if (p == 0 || q == 0) return false;
    if (__builtin_mul_overflow(p / common_divisor(p, q), q, &product)) return true;
    *result = (int64_t)product;
    return *result < 0;
}

HELPER bool isqrt_fails(int64_t a, int64_t *result) {
    if (a < 0) return true;
    uint64_t root = (uint64_t)__builtin_sqrt((double)a);
    while (root * root > (uint64_t)a) root--;
    while ((root + 1) * (root + 1) <= (uint64_t)a) root++;
    *result = (int64_t)root;
    return false;
}

HELPER bool factorial_fails(int64_t a, int64_t *result) {
    if (a < 0 || a > 20) return true;
    *result = 1;
    for (int64_t k = 2; k <= a; k++) *result *= k;
    return false;
}

HELPER bool perm_fails(int64_t total, int64_t chosen, int64_t *result) {
    if (total < 0 || chosen < 0) return true;
    *result = 1;
    if (chosen > total) *result = 0;
    for (int64_t k = 0; k < chosen && *result; k++)
        if (__builtin_mul_overflow(*result, total - k, result)) return true;
    return false;
}

/* Each step divides exactly, in 128 bits: what fits in the end may not fit before the division. */
HELPER bool comb_fails(int64_t total, int64_t chosen, int64_t *result) {
    if (total < 0 || chosen < 0) return true;
    *result = 0;
    if (chosen > total) return false;
    if (chosen > total - chosen) chosen = total - chosen;
    __int128 product = 1;
    for (int64_t k = 0; k < chosen; k++) {
        product = product * (total - k) / (k + 1);
        if (product > INT64_MAX) return true;
    }
    *result = (int64_t)product;
    return false;
}

HELPER TYPE gcd_@(TYPE a, TYPE b) {
    UTYPE p = a < 0 ? (UTYPE)(0 - (UTYPE)a) : (UTYPE)a, q = b < 0 ? (UTYPE)(0 - (UTYPE)b) : (UTYPE)b;
    return (TYPE)common_divisor(p, q);
}

HELPER TYPE lcm_@(TYPE a, TYPE b) {
    UTYPE p = a < 0 ? (UTYPE)(0 - (UTYPE)a) : (UTYPE)a, q = b < 0 ? (UTYPE)(0 - (UTYPE)b) : (UTYPE)b;
    UTYPE divisor = (UTYPE)common_divisor(p, q);
    return divisor ? (TYPE)(UTYPE)((uint64_t)(UTYPE)(p / divisor) * q) : 0;
}

HELPER uint8_t bitwise_count_@(TYPE a) {
    UTYPE size = a < 0 ? (UTYPE)(0 - (UTYPE)a) : (UTYPE)a;
    return (uint8_t)__builtin_popcountll((uint64_t)size);
}

HELPER TYPE absolute_@(TYPE a) { return a < 0 ? (TYPE)(0 - (UTYPE)a) : a; }

HELPER TYPE square_@(TYPE a) { return (TYPE)((uint64_t)a * (uint64_t)a); }

HELPER TYPE real_@(TYPE a) { return a; }

HELPER TYPE imag_@(TYPE a) {
    (void)a;
    return 0;
}

HELPER TYPE conjugate_@(TYPE a) { return a; }

HELPER TYPE floor_@(TYPE a) { return a; }

HELPER TYPE ceil_@(TYPE a) { return a; }

HELPER TYPE trunc_@(TYPE a) { return a; }

HELPER TYPE sign_@(TYPE a) { return (TYPE)((a > 0) - (a < 0)); }

HELPER TYPE maximum_@(TYPE a, TYPE b) { return a >= b ? a : b; }

HELPER TYPE minimum_@(TYPE a, TYPE b) { return a <= b ? a : b; }

HELPER TYPE fmax_@(TYPE a, TYPE b) { return a >= b ? a : b; }

HELPER TYPE fmin_@(TYPE a, TYPE b) { return a <= b ? a : b; }

HELPER TYPE fmod_@(TYPE a, TYPE b) { return b == 0 || (a < 0 && b == (TYPE)-1) ? 0 : (TYPE)(a % b); }

HELPER TYPE reciprocal_@(TYPE a) {
    return a == 1 ? 1 : a == (TYPE)-1 && a < 0 ? (TYPE)-1 : a == 0 ? reciprocal_of_zero_@() : 0;
}

HELPER TYPE reciprocal_of_zero_@(void) {
    return (TYPE)-1 < 0 && BITS >= 32 ? (TYPE)((UTYPE)1 << (BITS - 1)) : 0;
}

HELPER bool isnan_@(TYPE a) { return a != a; }

HELPER bool isinf_@(TYPE a) { return a != a; }

HELPER bool isfinite_@(TYPE a) { return a == a; }

HELPER bool signbit_@(TYPE a) { return a < 0; }

HELPER bool logical_not_@(TYPE a) { return a == 0; }

HELPER bool logical_and_@(TYPE a, TYPE b) { return (a != 0) & (b != 0); }

HELPER bool logical_or_@(TYPE a, TYPE b) { return (a != 0) | (b != 0); }

HELPER bool logical_xor_@(TYPE a, TYPE b) { return (a != 0) != (b != 0); }

HELPER bool int64_leaves_int8(int64_t a) { return a != (int8_t)a; }

HELPER bool int64_leaves_int16(int64_t a) { return a != (int16_t)a; }

HELPER bool int64_leaves_int32(int64_t a) { return a != (int32_t)a; }

HELPER bool int64_leaves_uint8(int64_t a) { return a != (uint8_t)a; }

HELPER bool int64_leaves_uint16(int64_t a) { return a != (uint16_t)a; }

HELPER bool int64_leaves_uint32(int64_t a) { return a != (uint32_t)a; }

HELPER bool int64_leaves_uint64(int64_t a) { return a < 0; }

HELPER bool uint64_leaves_int64(uint64_t a) { return a > INT64_MAX; }
