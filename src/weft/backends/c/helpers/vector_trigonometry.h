/* Trigonometric functions as in vector_math.h. Arguments beyond 2^20 go to the C library, in a function that has a
   vector form of its own, so that the loop around stays vector code. */

/* Replaces: arctan_@ arctan2_@ */

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define HAS_VECTOR_FORMS
#endif

/* A function as gcc calls it where it makes vector code of a loop that calls `name`, under the symbol that the vector
   ABI of x86-64 prescribes: it looks at all lanes at once and almost always returns. */
#define VECTOR_FORM(name, real, function, isa, lanes, is_any)                                                         \
    typedef real name##_x##lanes __attribute__((vector_size(lanes * sizeof(real))));                                  \
    static __attribute__((used)) name##_x##lanes name##_##lanes(name##_x##lanes a, name##_x##lanes result)            \
        __asm__("_ZGV" #isa "N" #lanes "vv_" #name);                                                                  \
    static name##_x##lanes name##_##lanes(name##_x##lanes a, name##_x##lanes result) {                                \
        if (UNLIKELY(is_any))                                                                                         \
            for (int k = 0; k < lanes; k++)                                                                           \
                if (a[k] * a[k] > (real)0x1p40) result[k] = function(a[k]);                                           \
        return result;                                                                                                \
    }

/* The function itself. It has a symbol of this file alone, like its vector forms. */
#define SCALAR_FORM(name, real, function)                                                                             \
    __attribute__((simd("notinbranch"), const)) real name(real a, real result);                                       \
    static __attribute__((used)) real name##_1(real a, real result) __asm__(#name);                                   \
    static real name##_1(real a, real result) { return a * a > (real)0x1p40 ? function(a) : result; }

#if defined(__AVX512F__)
#define FORMS_float64(name, function)                                                                                 \
    SCALAR_FORM(name, double, function)                                                                               \
    VECTOR_FORM(name, double, function, b, 2, __builtin_ia32_movmskpd(a * a > (double)0x1p40))                        \
    VECTOR_FORM(name, double, function, d, 4, __builtin_ia32_movmskpd256(a * a > (double)0x1p40))                     \
    VECTOR_FORM(name, double, function, e, 8,                                                                         \
                __builtin_ia32_cmppd512_mask(a * a, (__typeof__(a)){} + (double)0x1p40, 30, -1, 4))
#elif defined(__AVX2__)
#define FORMS_float64(name, function)                                                                                 \
    SCALAR_FORM(name, double, function)                                                                               \
    VECTOR_FORM(name, double, function, b, 2, __builtin_ia32_movmskpd(a * a > (double)0x1p40))                        \
    VECTOR_FORM(name, double, function, d, 4, __builtin_ia32_movmskpd256(a * a > (double)0x1p40))
#elif defined(__AVX__)
#define FORMS_float64(name, function)                                                                                 \
    SCALAR_FORM(name, double, function)                                                                               \
    VECTOR_FORM(name, double, function, b, 2, __builtin_ia32_movmskpd(a * a > (double)0x1p40))                        \
    VECTOR_FORM(name, double, function, c, 4, __builtin_ia32_movmskpd256(a * a > (double)0x1p40))
#else
#define FORMS_float64(name, function)                                                                                 \
    SCALAR_FORM(name, double, function)                                                                               \
    VECTOR_FORM(name, double, function, b, 2, __builtin_ia32_movmskpd(a * a > (double)0x1p40))
#endif

#if defined(__AVX512F__)
#define FORMS_float32(name, function)                                                                                 \
    SCALAR_FORM(name, float, function)                                                                                \
    VECTOR_FORM(name, float, function, b, 4, __builtin_ia32_movmskps(a * a > (float)0x1p40))                          \
    VECTOR_FORM(name, float, function, d, 8, __builtin_ia32_movmskps256(a * a > (float)0x1p40))                       \
    VECTOR_FORM(name, float, function, e, 16,                                                                         \
                __builtin_ia32_cmpps512_mask(a * a, (__typeof__(a)){} + (float)0x1p40, 30, -1, 4))
#elif defined(__AVX2__)
#define FORMS_float32(name, function)                                                                                 \
    SCALAR_FORM(name, float, function)                                                                                \
    VECTOR_FORM(name, float, function, b, 4, __builtin_ia32_movmskps(a * a > (float)0x1p40))                          \
    VECTOR_FORM(name, float, function, d, 8, __builtin_ia32_movmskps256(a * a > (float)0x1p40))
#elif defined(__AVX__)
#define FORMS_float32(name, function)                                                                                 \
    SCALAR_FORM(name, float, function)                                                                                \
    VECTOR_FORM(name, float, function, b, 4, __builtin_ia32_movmskps(a * a > (float)0x1p40))                          \
    VECTOR_FORM(name, float, function, c, 8, __builtin_ia32_movmskps256(a * a > (float)0x1p40))
#else
#define FORMS_float32(name, function)                                                                                 \
    SCALAR_FORM(name, float, function)                                                                                \
    VECTOR_FORM(name, float, function, b, 4, __builtin_ia32_movmskps(a * a > (float)0x1p40))
#endif

RARE double sin_of_large_float64(double a) { return (double)__builtin_sinl(a); }

/* The result, unless the argument is too large for how it was computed. */
#if defined(HAS_VECTOR_FORMS)
FORMS_float64(sin_in_reach_float64, sin_of_large_float64)
#else
HELPER double sin_in_reach_float64(double a, double result) {
    return a * a > (double)0x1p40 ? sin_of_large_float64(a) : result;
}
#endif

RARE float sin_of_large_float32(float a) { return (float)__builtin_sin(a); }

/* The result, unless the argument is too large for how it was computed. */
#if defined(HAS_VECTOR_FORMS)
FORMS_float32(sin_in_reach_float32, sin_of_large_float32)
#else
HELPER float sin_in_reach_float32(float a, float result) {
    return a * a > (float)0x1p40 ? sin_of_large_float32(a) : result;
}
#endif

RARE double cos_of_large_float64(double a) { return (double)__builtin_cosl(a); }

/* The result, unless the argument is too large for how it was computed. */
#if defined(HAS_VECTOR_FORMS)
FORMS_float64(cos_in_reach_float64, cos_of_large_float64)
#else
HELPER double cos_in_reach_float64(double a, double result) {
    return a * a > (double)0x1p40 ? cos_of_large_float64(a) : result;
}
#endif

RARE float cos_of_large_float32(float a) { return (float)__builtin_cos(a); }

/* The result, unless the argument is too large for how it was computed. */
#if defined(HAS_VECTOR_FORMS)
FORMS_float32(cos_in_reach_float32, cos_of_large_float32)
#else
HELPER float cos_in_reach_float32(float a, float result) {
    return a * a > (float)0x1p40 ? cos_of_large_float32(a) : result;
}
#endif

RARE double tan_of_large_float64(double a) { return (double)__builtin_tanl(a); }

/* The result, unless the argument is too large for how it was computed. */
#if defined(HAS_VECTOR_FORMS)
FORMS_float64(tan_in_reach_float64, tan_of_large_float64)
#else
HELPER double tan_in_reach_float64(double a, double result) {
    return a * a > (double)0x1p40 ? tan_of_large_float64(a) : result;
}
#endif

RARE float tan_of_large_float32(float a) { return (float)__builtin_tan(a); }

/* The result, unless the argument is too large for how it was computed. */
#if defined(HAS_VECTOR_FORMS)
FORMS_float32(tan_in_reach_float32, tan_of_large_float32)
#else
HELPER float tan_in_reach_float32(float a, float result) {
    return a * a > (float)0x1p40 ? tan_of_large_float32(a) : result;
}
#endif

/* a - n pi, where n has at most 20 digits: pi in parts of 33 bits. */
HELPER LANEWISE double without_pi(double a, double n) {
    a = fused_float64(n, -0x1.921fb544p1, a);
    a = fused_float64(n, -0x1.0b4611a6p-33, a);
    a = fused_float64(n, -0x1.3198a2ep-68, a);
    return fused_float64(n, -0x1.b839a252049c1p-103, a);
}

/* a, with the other sign where the whole number that `shifted` shows is odd. */
HELPER LANEWISE double negated_if_odd(double a, double shifted) {
    return float64_of_bits(bits_of_float64(a) ^ bits_of_float64(shifted) << 63);
}

/* sin r = r + r^3 p(r^2) for |r| <= pi / 2. */
HELPER LANEWISE double sine_series_float64(double r) {
    double z = r * r;
    double z2 = z * z, z4 = z2 * z2;
    double p = cubic_float64(z, z2, -0x1.ae6454cb535fcp-26, 0x1.6123cb2657d97p-33, -0x1.ae431c811840ep-41,
            0x1.88297bec805d7p-49);
    p = fused_float64(p, z4, cubic_float64(z, z2, -0x1.5555555555555p-3, 0x1.11111111110c1p-7, -0x1.a01a01a0148cp-13,
            0x1.71de3a5287ce8p-19));
    return fused_float64(r * z, p, r);
}

HELPER LANEWISE float sine_series_float32(float r) {
    float z = r * r;
    float p = -0x1.9a68ep-26f;
    p = fused_float32(p, z, 0x1.717086p-19f);
    p = fused_float32(p, z, -0x1.a017dap-13f);
    p = fused_float32(p, z, 0x1.11110cp-7f);
    p = fused_float32(p, z, -0x1.555556p-3f);
    return fused_float32(r * z, p, r);
}

/* sin a = (-1)^n sin(a - n pi). */
HELPER LANEWISE double sin_float64(double a) {
    double shifted = fused_float64(a, 0x1.45f306dc9c883p-2, ROUND_TO_WHOLE);
    double r = without_pi(a, shifted - ROUND_TO_WHOLE);
    double result = sine_series_float64(negated_if_odd(r, shifted));
    return sin_in_reach_float64(a, a == 0 ? a : result);
}

/* cos a = (-1)^(n + 1) sin(a - (n + 1/2) pi). */
HELPER LANEWISE double cos_float64(double a) {
    double shifted = fused_float64(a, 0x1.45f306dc9c883p-2, -0.5) + ROUND_TO_WHOLE;
    double r = without_pi(a, shifted - ROUND_TO_WHOLE + 0.5);
    return cos_in_reach_float64(a, -sine_series_float64(negated_if_odd(r, shifted)));
}

HELPER LANEWISE float sin_float32(float a) {
    double shifted = fused_float64(a, 0x1.45f306dc9c883p-2, ROUND_TO_WHOLE), n = shifted - ROUND_TO_WHOLE;
    double r = fused_float64(n, -0x1.0b4611a626331p-33, fused_float64(n, -0x1.921fb544p1, a));
    float result = sine_series_float32((float)negated_if_odd(r, shifted));
    return sin_in_reach_float32(a, a == 0 ? a : result);
}

HELPER LANEWISE float cos_float32(float a) {
    double shifted = fused_float64(a, 0x1.45f306dc9c883p-2, -0.5) + ROUND_TO_WHOLE;
    double n = shifted - ROUND_TO_WHOLE + 0.5;
    double r = fused_float64(n, -0x1.0b4611a626331p-33, fused_float64(n, -0x1.921fb544p1, a));
    return cos_in_reach_float32(a, -sine_series_float32((float)negated_if_odd(r, shifted)));
}

/* tan a = tan r or -1 / tan r with r = a - n pi / 2, as a quotient of sine and cosine. */
HELPER LANEWISE double tan_float64(double a) {
    double shifted = fused_float64(a, 0x1.45f306dc9c883p-1, ROUND_TO_WHOLE);
    double r = without_pi(a, 0.5 * (shifted - ROUND_TO_WHOLE)), z = r * r;
    double z2 = z * z, z4 = z2 * z2;
    double p = fused_float64(0x1.5d92f31da8ef7p-33, z, -0x1.ae5e6605c8514p-26);
    p = fused_float64(p, z4, cubic_float64(z, z2, -0x1.5555555555549p-3, 0x1.111111110f877p-7, -0x1.a01a019c11411p-13,
            0x1.71de35776deap-19));
    double q = fused_float64(-0x1.8faeb69c33a35p-37, z, 0x1.1ee9ec20bf70cp-29);
    q = fused_float64(q, z4, cubic_float64(z, z2, 0x1.555555555554cp-5, -0x1.6c16c16c15183p-10, 0x1.a01a019cb243ap-16,
            -0x1.27e4f80a4a4b9p-22));
    double sine = fused_float64(r * z, p, r), cosine = 1 - fused_float64(z * z, -q, 0.5 * z);
    bool odd = bits_of_float64(shifted) & 1;
    double result = (odd ? -cosine : sine) / (odd ? sine : cosine);
    return tan_in_reach_float64(a, a == 0 ? a : result);
}

HELPER LANEWISE float tan_float32(float a) {
    double shifted = fused_float64(a, 0x1.45f306dc9c883p-1, ROUND_TO_WHOLE), n = shifted - ROUND_TO_WHOLE;
    double r = fused_float64(n, -0x1.0b4611a626331p-34, fused_float64(n, -0x1.921fb544p0, a)), z = r * r;
    double p = 0x1.6cd8123366ce7p-19;
    p = fused_float64(p, z, -0x1.a00f9c67ed3bdp-13);
    p = fused_float64(p, z, 0x1.1111089499473p-7);
    p = fused_float64(p, z, -0x1.5555554cb7343p-3);
    double q = 0x1.9a022db9b655ap-16;
    q = fused_float64(q, z, -0x1.6c0c8b0e41d18p-10);
    q = fused_float64(q, z, 0x1.55554ab29535dp-5);
    double sine = fused_float64(r * z, p, r), cosine = 1 - fused_float64(z * z, -q, 0.5 * z);
    bool odd = bits_of_float64(shifted) & 1;
    float result = (float)((odd ? -cosine : sine) / (odd ? sine : cosine));
    return tan_in_reach_float32(a, a == 0 ? a : result);
}

/* arctan t = t + t^3 p(t^2) for |t| <= sqrt(2) - 1; `low` is added. */
HELPER LANEWISE double arctan_series_float64(double t, double low) {
    double z = t * t;
    double z2 = z * z, z4 = z2 * z2;
    double p = fused_float64(-0x1.2562b16282f75p-6, z2, fused_float64(0x1.37d32b38dc415p-5, z, -0x1.9cd22c88eb87cp-5));
    p = fused_float64(p, z4, cubic_float64(z, z2, -0x1.745cf8e1169f7p-4, 0x1.3b11195393875p-4, -0x1.10ebb9420a07fp-4,
            0x1.df0f428ecedb4p-5));
    p = fused_float64(p, z4, cubic_float64(z, z2, -0x1.555555555553dp-2, 0x1.999999999586ep-3, -0x1.24924922add14p-3,
            0x1.c71c70e640f69p-4));
    return t + fused_float64(t * z, p, low);
}

HELPER LANEWISE float arctan_series_float32(float t, float low) {
    float z = t * t;
    float p = -0x1.f22d78p-5f;
    p = fused_float32(p, z, 0x1.b1fab6p-4f);
    p = fused_float32(p, z, -0x1.23b644p-3f);
    p = fused_float32(p, z, 0x1.9991a8p-3f);
    p = fused_float32(p, z, -0x1.55554ap-2f);
    return t + fused_float32(t * z, p, low);
}

/* pi / 4 and its multiples by powers of two are a high part and a low part. */
#define QUARTER_PI_float64 0x1.921fb54442d18p-1

#define QUARTER_PI_LOW_float64 0x1.1a62633145c07p-55

#define QUARTER_PI_float32 0x1.921fb6p-1f

#define QUARTER_PI_LOW_float32 -0x1.777a5cp-26f

/* arctan a = pi / 4 + arctan((a - 1) / (a + 1)) = pi / 2 - arctan(1 / a): small arguments for the series. */
HELPER LANEWISE TYPE arctan_@(TYPE a) {
    TYPE size = __builtin_fabsSUFFIX(a);
    bool middle = size > (TYPE)0.41421356237309503, large = size > (TYPE)2.414213562373095;
    TYPE p = middle ? size - 1 : size, q = middle ? size + 1 : 1, quarters = large ? 2 : middle ? 1 : 0;
    TYPE t = (large ? -1 : p) / (large ? size : q);
    TYPE sum = quarters * QUARTER_PI_@ + arctan_series_@(t, quarters * QUARTER_PI_LOW_@);
    return __builtin_copysignSUFFIX(sum, a);
}

/* The angle in the first octant from a quotient p / q <= 1; then those of the other octants from its symmetries. */
HELPER LANEWISE TYPE arctan2_@(TYPE a, TYPE b) {
    TYPE x = __builtin_fabsSUFFIX(b), y = __builtin_fabsSUFFIX(a), p = y > x ? x : y, q = y > x ? y : x;
    TYPE scale = q > (TYPE)0x1p100 ? (TYPE)0.25 : 1, p1 = p == (TYPE)INFINITY ? 1 : p * scale;
    TYPE q1 = p == (TYPE)INFINITY | q == 0 ? 1 : q * scale;
    bool middle = p1 > (TYPE)0.41421356237309503 * q1;
    TYPE t = (middle ? p1 - q1 : p1) / (middle ? p1 + q1 : q1), quarter = middle ? 1 : 0;
    TYPE angle = quarter * QUARTER_PI_@ + arctan_series_@(t, quarter * QUARTER_PI_LOW_@);
    UTYPE left = bits_of_@(b) >> (BITS - 1), steep = y > x ? 1 : 0;
    TYPE whole = left ? 4 : 0, quarters = y > x ? 2 : whole;
    TYPE turned = @_of_bits(bits_of_@(angle) ^ (left ^ steep) << (BITS - 1));
    TYPE sum = quarters * QUARTER_PI_@ + (turned + quarters * QUARTER_PI_LOW_@) + ((a != a ? a : 0) + (b != b ? b : 0));
    return __builtin_copysignSUFFIX(sum, a);
}

/* arcsin s = s + s^3 p(z), z = s^2 <= 1/4. */
HELPER LANEWISE double arcsin_series(double s, double z) {
    double z2 = z * z, z4 = z2 * z2;
    double p = cubic_float64(z, z2, 0x1.aaa02f1477af2p-8, 0x1.40be6f65f1f2ep-6, -0x1.0b0796db40a3fp-6,
            0x1.05d486d7c1615p-5);
    p = fused_float64(p, z4, cubic_float64(z, z2, 0x1.6e89ef08d7267p-6, 0x1.1c6c2d9596cdfp-6, 0x1.c6f81645957c9p-7,
            0x1.8ee7137489e1fp-7));
    p = fused_float64(p, z4, cubic_float64(z, z2, 0x1.5555555555385p-3, 0x1.333333336faeep-4, 0x1.6db6db41bf727p-5,
            0x1.f1c72c72cf416p-6));
    return fused_float64(s * z, p, s);
}

/* arcsin a = pi / 2 - 2 arcsin(sqrt((1 - a) / 2)). */
HELPER LANEWISE double arcsin_float64(double a) {
    double size = __builtin_fabs(a);
    bool large = size > 0.5;
    double z = large ? 0.5 * (1 - size) : a * a, part = arcsin_series(large ? __builtin_sqrt(z) : size, z);
    double rest = 2 * QUARTER_PI_float64 - (2 * part - 2 * QUARTER_PI_LOW_float64);
    return __builtin_copysign(large ? rest : part, a);
}

HELPER LANEWISE double arccos_float64(double a) {
    double size = __builtin_fabs(a);
    bool large = size > 0.5;
    double z = large ? 0.5 * (1 - size) : a * a, part = arcsin_series(large ? __builtin_sqrt(z) : a, z);
    double quarters = large ? a < 0 ? 4 : 0 : 2, turned = large ? a < 0 ? -2 * part : 2 * part : -part;
    return quarters * QUARTER_PI_float64 + (turned + quarters * QUARTER_PI_LOW_float64);
}

HELPER LANEWISE float arcsin_float32(float a) { return (float)arcsin_float64(a); }

HELPER LANEWISE float arccos_float32(float a) { return (float)arccos_float64(a); }
