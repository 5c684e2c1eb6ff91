/* Powers of Python's floats by small constants. CPython calls the C library's pow, whose last bit is not always that of a
   product. glibc's error is below 0.513 units in the last place for results between 2^-64 and 2^64: 0.511 for the
   exponential, and 44 times 1.5 2^-15 for the logarithm, as its source says. So where the exact power lies less than
   0.485 units from the nearest float, pow rounds to that float, too, and need not be called: in 97 of 100 cases. */

/* Replaces: python_square_float64 python_cube_float64 python_fourth_float64 python_inverse_float64
   python_inverse_square_float64 python_root_float64 */

/* The powers as a sum of two floats, with an error far below what decides. */
HELPER LANEWISE double square_estimate(double a, double *low) {
    double square = a * a;
    *low = __builtin_fma(a, a, -square);
    return square;
}

HELPER LANEWISE double nearest_of_two(double high, double rest, double *low) {
    double sum = high + rest;
    *low = rest - (sum - high);
    return sum;
}

HELPER LANEWISE double cube_estimate(double a, double *low) {
    double rest, square = square_estimate(a, &rest), cube = square * a;
    return nearest_of_two(cube, __builtin_fma(rest, a, __builtin_fma(square, a, -cube)), low);
}

HELPER LANEWISE double fourth_estimate(double a, double *low) {
    double rest, square = square_estimate(a, &rest), fourth = square * square;
    return nearest_of_two(fourth, __builtin_fma(2 * rest, square, __builtin_fma(square, square, -fourth)), low);
}

HELPER LANEWISE double inverse_estimate(double a, double *low) {
    double inverse = 1 / a;
    *low = __builtin_fma(-inverse, a, 1) * inverse;
    return inverse;
}

HELPER LANEWISE double inverse_square_estimate(double a, double *low) {
    double rest, square = square_estimate(a, &rest), inverse = 1 / square;
    double missing = __builtin_fma(-inverse, rest, __builtin_fma(-inverse, square, 1));
    return nearest_of_two(inverse, missing * inverse, low);
}

HELPER LANEWISE double root_estimate(double a, double *low) {
    double root = __builtin_sqrt(a);
    *low = 0.5 * __builtin_fma(-root, root, a) / root;
    return root;
}

/* Whether pow may round otherwise. Just above a power of two units have two sizes. */
HELPER LANEWISE int64_t in_doubt(double high, double low) {
    uint64_t bits = bits_of_float64(high);
    double unit = float64_of_bits(bits & 0x7ff0000000000000u) * 0x1p-52, size = __builtin_fabs(high);
    int64_t near = (__builtin_fabs(low) < 0.485 * unit) & ((bits & 0xfffffffffffffu) != 0);
    return !((near | (low == 0)) & (size > 0x1p-64) & (size < 0x1p64));
}

#if defined(__GLIBC__) && (defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__))
#define POWER_OF(ESTIMATE, a, EXPONENT) \
    double low, high = ESTIMATE(a, &low); \
    return LIKELY(!in_doubt(high, low)) ? high : python_pow_float64(a, EXPONENT);
#else
#define POWER_OF(ESTIMATE, a, EXPONENT) return python_pow_float64(a, EXPONENT);
#endif

/* gcc calls such a function for several lanes at once, under the names of the vector ABI of x86, which are defined here.
   Only lanes in doubt call pow. */
#define POWER_IN_LANES(NAME, ESTIMATE, EXPONENT, LETTER, LANES) \
    typedef double NAME##_of_##LETTER __attribute__((vector_size(8 * LANES))); \
    __attribute__((visibility("hidden"), used)) NAME##_of_##LETTER NAME##_in_##LETTER(NAME##_of_##LETTER a) \
        __asm__("_ZGV" #LETTER "N" #LANES "v_weft_" #NAME); \
    NAME##_of_##LETTER NAME##_in_##LETTER(NAME##_of_##LETTER a) { \
        double given[LANES], power[LANES]; \
        int64_t doubt[LANES], any = 0; \
        __builtin_memcpy(given, &a, sizeof a); \
        for (int k = 0; k < LANES; k++) { \
            double low; \
            power[k] = ESTIMATE(given[k], &low); \
            doubt[k] = in_doubt(power[k], low); \
            any |= doubt[k]; \
        } \
        for (int k = 0; UNLIKELY(any) && k < LANES; k++) \
            if (doubt[k]) power[k] = python_pow_float64(given[k], EXPONENT); \
        __builtin_memcpy(&a, power, sizeof a); \
        return a; \
    }

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const, visibility("hidden"))) double weft_square(double a);
__attribute__((visibility("hidden"), used)) double square_in_one(double a) __asm__("weft_square");
double square_in_one(double a) { POWER_OF(square_estimate, a, 2) }
POWER_IN_LANES(square, square_estimate, 2, b, 2)
POWER_IN_LANES(square, square_estimate, 2, c, 4)
POWER_IN_LANES(square, square_estimate, 2, d, 4)
#if defined(__AVX512F__)
POWER_IN_LANES(square, square_estimate, 2, e, 8)
#endif
HELPER double python_square_float64(double a) { return weft_square(a); }
#else
HELPER double python_square_float64(double a) { POWER_OF(square_estimate, a, 2) }
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const, visibility("hidden"))) double weft_cube(double a);
__attribute__((visibility("hidden"), used)) double cube_in_one(double a) __asm__("weft_cube");
double cube_in_one(double a) { POWER_OF(cube_estimate, a, 3) }
POWER_IN_LANES(cube, cube_estimate, 3, b, 2)
POWER_IN_LANES(cube, cube_estimate, 3, c, 4)
POWER_IN_LANES(cube, cube_estimate, 3, d, 4)
#if defined(__AVX512F__)
POWER_IN_LANES(cube, cube_estimate, 3, e, 8)
#endif
HELPER double python_cube_float64(double a) { return weft_cube(a); }
#else
HELPER double python_cube_float64(double a) { POWER_OF(cube_estimate, a, 3) }
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const, visibility("hidden"))) double weft_fourth(double a);
__attribute__((visibility("hidden"), used)) double fourth_in_one(double a) __asm__("weft_fourth");
double fourth_in_one(double a) { POWER_OF(fourth_estimate, a, 4) }
POWER_IN_LANES(fourth, fourth_estimate, 4, b, 2)
POWER_IN_LANES(fourth, fourth_estimate, 4, c, 4)
POWER_IN_LANES(fourth, fourth_estimate, 4, d, 4)
#if defined(__AVX512F__)
POWER_IN_LANES(fourth, fourth_estimate, 4, e, 8)
#endif
HELPER double python_fourth_float64(double a) { return weft_fourth(a); }
#else
HELPER double python_fourth_float64(double a) { POWER_OF(fourth_estimate, a, 4) }
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const, visibility("hidden"))) double weft_inverse(double a);
__attribute__((visibility("hidden"), used)) double inverse_in_one(double a) __asm__("weft_inverse");
double inverse_in_one(double a) { POWER_OF(inverse_estimate, a, -1) }
POWER_IN_LANES(inverse, inverse_estimate, -1, b, 2)
POWER_IN_LANES(inverse, inverse_estimate, -1, c, 4)
POWER_IN_LANES(inverse, inverse_estimate, -1, d, 4)
#if defined(__AVX512F__)
POWER_IN_LANES(inverse, inverse_estimate, -1, e, 8)
#endif
HELPER double python_inverse_float64(double a) { return weft_inverse(a); }
#else
HELPER double python_inverse_float64(double a) { POWER_OF(inverse_estimate, a, -1) }
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const, visibility("hidden"))) double weft_inverse_square(double a);
__attribute__((visibility("hidden"), used)) double inverse_square_in_one(double a) __asm__("weft_inverse_square");
double inverse_square_in_one(double a) { POWER_OF(inverse_square_estimate, a, -2) }
POWER_IN_LANES(inverse_square, inverse_square_estimate, -2, b, 2)
POWER_IN_LANES(inverse_square, inverse_square_estimate, -2, c, 4)
POWER_IN_LANES(inverse_square, inverse_square_estimate, -2, d, 4)
#if defined(__AVX512F__)
POWER_IN_LANES(inverse_square, inverse_square_estimate, -2, e, 8)
#endif
HELPER double python_inverse_square_float64(double a) { return weft_inverse_square(a); }
#else
HELPER double python_inverse_square_float64(double a) { POWER_OF(inverse_square_estimate, a, -2) }
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const, visibility("hidden"))) double weft_root(double a);
__attribute__((visibility("hidden"), used)) double root_in_one(double a) __asm__("weft_root");
double root_in_one(double a) { POWER_OF(root_estimate, a, 0.5) }
POWER_IN_LANES(root, root_estimate, 0.5, b, 2)
POWER_IN_LANES(root, root_estimate, 0.5, c, 4)
POWER_IN_LANES(root, root_estimate, 0.5, d, 4)
#if defined(__AVX512F__)
POWER_IN_LANES(root, root_estimate, 0.5, e, 8)
#endif
HELPER double python_root_float64(double a) { return weft_root(a); }
#else
HELPER double python_root_float64(double a) { POWER_OF(root_estimate, a, 0.5) }
#endif
