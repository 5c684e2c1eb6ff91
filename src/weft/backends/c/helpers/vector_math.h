/* Mathematical functions that compilers turn into vector code: no branches, no tables, no calls. Within 4 ulp, special
   cases as in annex F of C99. The same arithmetic in vector bodies, remainders and scalar code gives the same bits.

   Products and sums are fused where the processor does that; elsewhere they are rounded twice, and the constants of
   range reductions have so few digits that their products are exact. The polynomials are minimax approximations. */

/* Replaces: python_pow_float64 */

#define LANEWISE __attribute__((always_inline))

#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
HELPER LANEWISE double fused_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
HELPER LANEWISE double fused_float64(double a, double b, double c) { return a * b + c; }
#endif

#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
HELPER LANEWISE float fused_float32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
HELPER LANEWISE float fused_float32(float a, float b, float c) { return a * b + c; }
#endif

/* Polynomials are sums of such parts: fewer steps wait for others than in Horner's scheme. */
HELPER LANEWISE double cubic_float64(double x, double x2, double a, double b, double c, double d) {
    return fused_float64(fused_float64(d, x, c), x2, fused_float64(b, x, a));
}

HELPER LANEWISE float cubic_float32(float x, float x2, float a, float b, float c, float d) {
    return fused_float32(fused_float32(d, x, c), x2, fused_float32(b, x, a));
}

/* a b - product, exactly, where product is a b rounded: Dekker's product where there is no fused one. */
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
HELPER LANEWISE double product_error(double a, double b, double product) { return __builtin_fma(a, b, -product); }
#else
HELPER LANEWISE double product_error(double a, double b, double product) {
    double p = a * 0x1.000002p27, q = b * 0x1.000002p27;
    double a_high = p - (p - a), b_high = q - (q - b), a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}
#endif

/* a 2^n, given n + ROUND_TO_SCALE: the power is applied in two halves, so that only the last product rounds. */
HELPER LANEWISE double scaled_float64(double a, double shifted) {
    uint64_t exponent = bits_of_float64(shifted), half = exponent >> 1;
    return a * float64_of_bits(half << 52) * float64_of_bits((exponent - half) << 52);
}

HELPER LANEWISE float scaled_float32(float a, float shifted) {
    uint32_t exponent = bits_of_float32(shifted), half = exponent >> 1;
    return a * float32_of_bits(half << 23) * float32_of_bits((exponent - half) << 23);
}

/* (1 + a) 2^n in the same way. */
HELPER LANEWISE double one_more_scaled_float64(double a, double shifted) {
    uint64_t exponent = bits_of_float64(shifted), half = exponent >> 1;
    double power = float64_of_bits(half << 52);
    return fused_float64(a, power, power) * float64_of_bits((exponent - half) << 52);
}

HELPER LANEWISE float one_more_scaled_float32(float a, float shifted) {
    uint32_t exponent = bits_of_float32(shifted), half = exponent >> 1;
    float power = float32_of_bits(half << 23);
    return fused_float32(a, power, power) * float32_of_bits((exponent - half) << 23);
}

/* Adding one rounds to a whole number, which the low bits then show; the second also adds twice the exponent's bias. */
#define ROUND_TO_WHOLE 0x1.8p52

#define ROUND_TO_SCALE (0x1.8p52 + 2046)

#define ROUND_TO_WHOLE_FLOAT 0x1.8p23f

#define ROUND_TO_SCALE_FLOAT (0x1.8p23f + 254)

/* (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2. */
HELPER LANEWISE double exponential_series(double r) {
    double r2 = r * r, r4 = r2 * r2;
    double p = fused_float64(0x1.af8641fdb692fp-26, r, 0x1.28b0546e340f3p-22);
    p = fused_float64(p, r4, cubic_float64(r, r2, 0x1.6c16c185ac227p-10, 0x1.a01a01bb0ee58p-13, 0x1.a01996870f6b9p-16,
            0x1.71dddf5ac3d17p-19));
    p = fused_float64(p, r4, cubic_float64(r, r2, 0x1.000000000000bp-1, 0x1.5555555555561p-3, 0x1.5555555550019p-5,
            0x1.111111110d5e1p-7));
    return p;
}

/* e^a 2^extra for a in [-1000, 1000]: e^a = 2^n e^r, r = a - n ln 2. */
HELPER LANEWISE double exponential_float64(double a, double extra) {
    double shifted = fused_float64(a, 0x1.71547652b82fep0, ROUND_TO_SCALE), n = shifted - ROUND_TO_SCALE;
    double r = fused_float64(n, -0x1.62e42fefa38p-1, a);
    r = fused_float64(n, -0x1.ef35793c7673p-45, r);
    return one_more_scaled_float64(fused_float64(r * r, exponential_series(r), r), shifted + extra);
}

/* e^a where that is a normal number. */
HELPER LANEWISE double normal_exponential(double a) {
    double shifted = fused_float64(a, 0x1.71547652b82fep0, ROUND_TO_WHOLE), n = shifted - ROUND_TO_WHOLE;
    double r = fused_float64(n, -0x1.62e42fefa38p-1, a);
    r = fused_float64(n, -0x1.ef35793c7673p-45, r);
    double power = float64_of_bits((bits_of_float64(shifted) + 1023) << 52);
    return fused_float64(fused_float64(r * r, exponential_series(r), r), power, power);
}

/* e^(a + low), rounded almost always as if it were exact. */
HELPER LANEWISE double precise_exponential(double a, double low) {
    double shifted = fused_float64(a, 0x1.71547652b82fep0, ROUND_TO_SCALE), n = shifted - ROUND_TO_SCALE;
    double first = fused_float64(n, -0x1.62e42fefa38p-1, a), second = fused_float64(n, -0x1.ef35793c7673p-45, low);
    double r = first + second, rest = fused_float64(r * r, exponential_series(r), (first - r) + second), sum = 1 + r;
    return scaled_float64(sum + ((1 - sum) + r + rest), shifted);
}

/* a, but not larger than the limit in size: one comparison, where two become four in gcc's vector code. */
HELPER LANEWISE double within_float64(double a, double limit) {
    return __builtin_fabs(a) > limit ? __builtin_copysign(limit, a) : a;
}

HELPER LANEWISE float within_float32(float a, float limit) {
    return __builtin_fabsf(a) > limit ? __builtin_copysignf(limit, a) : a;
}

HELPER LANEWISE double exp_float64(double a) { return exponential_float64(within_float64(a, 1000), -0.0); }

HELPER LANEWISE float exponential_float32(float a, float extra) {
    float shifted = fused_float32(a, 0x1.715476p0f, ROUND_TO_SCALE_FLOAT), n = shifted - ROUND_TO_SCALE_FLOAT;
    float r = fused_float32(n, -0x1.62e4p-1f, a);
    r = fused_float32(n, -0x1.7f7d1cp-20f, r);
    float p = 0x1.6db69p-10f;
    p = fused_float32(p, r, 0x1.123b58p-7f);
    p = fused_float32(p, r, 0x1.55545ap-5f);
    p = fused_float32(p, r, 0x1.55548ep-3f);
    p = fused_float32(p, r, 0x1p-1f);
    return one_more_scaled_float32(fused_float32(r * r, p, r), shifted + extra);
}

HELPER LANEWISE float exp_float32(float a) { return exponential_float32(within_float32(a, 150), -0.0f); }

HELPER LANEWISE double exp2_float64(double a) {
    a = within_float64(a, 1500);
    double shifted = a + ROUND_TO_SCALE, r = a - (shifted - ROUND_TO_SCALE);
    double r2 = r * r, r4 = r2 * r2;
    double p = fused_float64(0x1.ea18bfb0d34fdp-32, r2, fused_float64(0x1.e61cb8c217ecap-28, r, 0x1.b524cdabb9e4fp-24));
    p = fused_float64(p, r4, cubic_float64(r, r2, 0x1.5d87fe78a0e7bp-10, 0x1.4309130f3344p-13, 0x1.ffcbfc7c54065p-17,
            0x1.62bfc6c336631p-20));
    p = fused_float64(p, r4, cubic_float64(r, r2, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a5p-3, 0x1.c6b08d704a0d6p-5,
            0x1.3b2ab6fb9ff43p-7));
    return scaled_float64(fused_float64(r, p, 1), shifted);
}

HELPER LANEWISE float exp2_float32(float a) {
    a = within_float32(a, 200);
    float shifted = a + ROUND_TO_SCALE_FLOAT, r = a - (shifted - ROUND_TO_SCALE_FLOAT);
    float r2 = r * r, r4 = r2 * r2;
    float p = fused_float32(0x1.44902cp-13f, r, 0x1.5f47bp-10f);
    p = fused_float32(p, r4, cubic_float32(r, r2, 0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6aedp-5f, 0x1.3b29aap-7f));
    return scaled_float32(fused_float32(r, p, 1), shifted);
}

/* e^a - 1 = 2^n (e^r - 1) + (2^n - 1), where both are computed with 2^(n - 1). */
HELPER LANEWISE double expm1_float64(double a) {
    double x = a > 710 ? 710 : a;
    x = x < -40 ? -40 : x;
    double shifted = fused_float64(x, 0x1.71547652b82fep0, ROUND_TO_WHOLE), n = shifted - ROUND_TO_WHOLE;
    double r = fused_float64(n, -0x1.62e42fefa38p-1, x);
    r = fused_float64(n, -0x1.ef35793c7673p-45, r);
    double r2 = r * r, r4 = r2 * r2;
    double p = fused_float64(0x1.1f95978d9f396p-29, r2, fused_float64(0x1.af5ecb0a97ba7p-26, r, 0x1.27e4c5887d5c2p-22));
    p = fused_float64(p, r4, cubic_float64(r, r2, 0x1.6c16c16c1447fp-10, 0x1.a01a01afe7b6ap-13, 0x1.a01a01b0b9d52p-16,
            0x1.71ddf84ce413cp-19));
    p = fused_float64(p, r4, cubic_float64(r, r2, 0x1p-1, 0x1.5555555555559p-3, 0x1.555555555555ap-5,
            0x1.111111110f6a8p-7));
    p = fused_float64(r * r, p, r);
    double half = float64_of_bits((bits_of_float64(shifted) + 1022) << 52);
    return __builtin_copysign(2 * fused_float64(half, p, half - 0.5), a);
}

HELPER LANEWISE float expm1_float32(float a) {
    float x = a > 89 ? 89 : a;
    x = x < -20 ? -20 : x;
    float shifted = fused_float32(x, 0x1.715476p0f, ROUND_TO_WHOLE_FLOAT), n = shifted - ROUND_TO_WHOLE_FLOAT;
    float r = fused_float32(n, -0x1.62e4p-1f, x);
    r = fused_float32(n, -0x1.7f7d1cp-20f, r);
    float r2 = r * r, r4 = r2 * r2;
    float p = fused_float32(0x1.a1a1c4p-13f, r, 0x1.6d7486p-10f);
    p = fused_float32(p, r4, cubic_float32(r, r2, 0x1p-1f, 0x1.555556p-3f, 0x1.5554aep-5f, 0x1.11109p-7f));
    p = fused_float32(r * r, p, r);
    float half = float32_of_bits((bits_of_float32(shifted) + 126) << 23);
    return __builtin_copysignf(2 * fused_float32(half, p, half - 0.5f), a);
}

/* a = 2^k m with m in [sqrt(1/2), sqrt(2)), for positive a. The mask of subnormal numbers, which are scaled first, is
   made by arithmetic: of a selection gcc makes both sides, each with all that follows from it. */
HELPER LANEWISE double split_float64(double a, double *k) {
    int64_t tiny = (int64_t)(bits_of_float64(a) - 0x0010000000000000) >> 63;
    double scaled = a * float64_of_bits(0x3ff0000000000000 + ((uint64_t)tiny & 54ull << 52));
    uint64_t bits = bits_of_float64(scaled) + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
    *k = float64_of_bits((bits >> 52) + (0x4330000000000800 - ((uint64_t)tiny & 54))) - (0x1p52 + 2048 + 1023);
    return float64_of_bits((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
}

HELPER LANEWISE float split_float32(float a, float *k) {
    int32_t tiny = (int32_t)(bits_of_float32(a) - 0x00800000) >> 31;
    float scaled = a * float32_of_bits(0x3f800000 + ((uint32_t)tiny & 25u << 23));
    uint32_t bits = bits_of_float32(scaled) + (0x3f800000 - 0x3f3504f3);
    *k = float32_of_bits((bits >> 23) + (0x4b000100 - ((uint32_t)tiny & 25))) - (0x1p23f + 256 + 127);
    return float32_of_bits((bits & 0x7fffff) + 0x3f3504f3);
}

/* The result of a logarithm, or what it is where the argument is not positive and finite: that is known long before. */
HELPER LANEWISE double logarithm_cases_float64(double a, double result) {
    uint64_t bits = bits_of_float64(a);
    double other = float64_of_bits(bits | (uint64_t)((int64_t)bits >> 63) & 0x7ff8000000000000);
    other = a == 0 ? -(double)INFINITY : other;
    return bits - 1 < 0x7fefffffffffffff ? result : other;
}

HELPER LANEWISE float logarithm_cases_float32(float a, float result) {
    uint32_t bits = bits_of_float32(a);
    float other = float32_of_bits(bits | (uint32_t)((int32_t)bits >> 31) & 0x7fc00000);
    other = a == 0 ? -INFINITY : other;
    return bits - 1 < 0x7f7fffff ? result : other;
}

/* k ln 2 + log(1 + f), with log(1 + f) = f - (f^2 / 2 - f^3 p(f)). */
HELPER LANEWISE double logarithm_float64(double f, double k) {
    double f2 = f * f, f4 = f2 * f2;
    double p = cubic_float64(f, f2, 0x1.b91db83072159p-5, -0x1.0177408fec9c1p-4, 0x1.da1896b985422p-5,
            -0x1.9926d4581ca73p-6);
    p = fused_float64(p, f4, cubic_float64(f, f2, 0x1.1167a9355f31cp-4, -0x1.00e73d2bd5fadp-4, 0x1.dced8ef56ca4ap-5,
            -0x1.b377fafc2c799p-5));
    p = fused_float64(p, f4, cubic_float64(f, f2, 0x1.745d5a745626p-4, -0x1.555599d83d1cdp-4, 0x1.3b0d78afa3d7p-4,
            -0x1.2486eaf8d5d6ep-4));
    p = fused_float64(p, f4, cubic_float64(f, f2, 0x1.2492492796fa2p-3, -0x1.fffffff999782p-4, 0x1.c71c7019260adp-4,
            -0x1.9999996ea760cp-4));
    p = fused_float64(p, f4, cubic_float64(f, f2, 0x1.555555555556ep-2, -0x1.ffffffffffeefp-3, 0x1.99999999944fap-3,
            -0x1.55555555638cep-3));
    p = fused_float64(f2 * f, p, k * 0x1.ef35793c7673p-45);
    return fused_float64(k, 0x1.62e42fefa38p-1, f - fused_float64(0.5, f2, -p));
}

HELPER LANEWISE float logarithm_float32(float f, float k) {
    float f2 = f * f, f4 = f2 * f2;
    float p = 0x1.1b35d2p-4f;
    p = fused_float32(p, f4, cubic_float32(f, f2, 0x1.2332e6p-3f, -0x1.fb4572p-4f, 0x1.e650f6p-4f, -0x1.e2deb8p-4f));
    p = fused_float32(p, f4, cubic_float32(f, f2, 0x1.555546p-2f, -0x1.ffffeep-3f, 0x1.99a542p-3f, -0x1.5562dp-3f));
    p = fused_float32(f2 * f, p, k * 0x1.7f7d1cp-20f);
    return fused_float32(k, 0x1.62e4p-1f, f - fused_float32(0.5f, f2, -p));
}

HELPER LANEWISE double log_float64(double a) {
    double k, m = split_float64(a, &k);
    return logarithm_cases_float64(a, logarithm_float64(m - 1, k));
}

HELPER LANEWISE float log_float32(float a) {
    float k, m = split_float32(a, &k);
    return logarithm_cases_float32(a, logarithm_float32(m - 1, k));
}

/* With u = 1 + a rounded and c what that lost: log(u + c) = k ln 2 + log(1 + f), f = m - 1 + c 2^-k. */
HELPER LANEWISE double log1p_float64(double a) {
    double u = 1 + a, part = u - a, c = (1 - part) + (a - (u - part)), k, m = split_float64(u, &k);
    double shifted = (k < 100 ? k : 100) + ROUND_TO_WHOLE;
    double f = m - 1 + c * float64_of_bits((1023 - (bits_of_float64(shifted) & 0xfff)) << 52);
    double result = logarithm_cases_float64(u, logarithm_float64(k == 0 ? a : f, k));
    return a == 0 ? a : result;
}

HELPER LANEWISE float log1p_float32(float a) {
    float u = 1 + a, part = u - a, c = (1 - part) + (a - (u - part)), k, m = split_float32(u, &k);
    float shifted = (k < 60 ? k : 60) + ROUND_TO_WHOLE_FLOAT;
    float f = m - 1 + c * float32_of_bits((127 - (bits_of_float32(shifted) & 0x1ff)) << 23);
    float result = logarithm_cases_float32(u, logarithm_float32(k == 0 ? a : f, k));
    return a == 0 ? a : result;
}

/* log(1 + f) as a sum: a first part of 21 bits, whose products with short constants are exact, and the rest. */
HELPER LANEWISE double logarithm_parts(double f, double *low) {
    double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    double z2 = z * z, z4 = z2 * z2;
    double r = fused_float64(0x1.2f0eda6c5a55dp-3, z2, fused_float64(0x1.39a0d33e21f9ep-3, z, 0x1.746647838582ep-3));
    r = fused_float64(r, z4, cubic_float64(z, z2, 0x1.5555555555593p-1, 0x1.999999997fa99p-2, 0x1.249249421ff63p-2,
            0x1.c71c51e14d378p-3));
    double high = float64_of_bits(bits_of_float64(f - half) & 0xffffffff00000000);
    *low = (f - high) - half + s * fused_float64(z, r, half);
    return high;
}

HELPER LANEWISE double log2_float64(double a) {
    double k, m = split_float64(a, &k), low, high = logarithm_parts(m - 1, &low);
    double main = high * 0x1.71547p0, rest = fused_float64(low + high, 0x1.94ae0bf85ddf4p-22, low * 0x1.71547p0);
    double sum = k + main;
    return logarithm_cases_float64(a, sum + (rest + ((k - sum) + main)));
}

HELPER LANEWISE double log10_float64(double a) {
    double k, m = split_float64(a, &k), low, high = logarithm_parts(m - 1, &low);
    double main = high * 0x1.bcb7bp-2, rest = fused_float64(low + high, 0x1.526e50e32a6abp-26, low * 0x1.bcb7bp-2);
    double whole = k * 0x1.34413509f78p-2, sum = whole + main;
    return logarithm_cases_float64(a, sum + (fused_float64(k, 0x1.fef311f12b358p-46, rest) + ((whole - sum) + main)));
}

HELPER LANEWISE float log2_float32(float a) {
    float k, m = split_float32(a, &k), f = m - 1, s = f / (2 + f), z = s * s, half = 0.5f * f * f;
    float r = 0x1.e2fffcp-3f;
    r = fused_float32(r, z, 0x1.24389ap-2f);
    r = fused_float32(r, z, 0x1.999a7cp-2f);
    r = fused_float32(r, z, 0x1.555554p-1f);
    float high = float32_of_bits(bits_of_float32(f - half) & 0xfffff000);
    float low = (f - high) - half + s * fused_float32(z, r, half);
    float main = high * 0x1.714p0f, rest = fused_float32(low + high, 0x1.47652cp-12f, low * 0x1.714p0f);
    float sum = k + main;
    return logarithm_cases_float32(a, sum + (rest + ((k - sum) + main)));
}

HELPER LANEWISE float log10_float32(float a) {
    float k, m = split_float32(a, &k), f = m - 1, s = f / (2 + f), z = s * s, half = 0.5f * f * f;
    float r = 0x1.e2fffcp-3f;
    r = fused_float32(r, z, 0x1.24389ap-2f);
    r = fused_float32(r, z, 0x1.999a7cp-2f);
    r = fused_float32(r, z, 0x1.555554p-1f);
    float high = float32_of_bits(bits_of_float32(f - half) & 0xfffff000);
    float low = (f - high) - half + s * fused_float32(z, r, half);
    float main = high * 0x1.bcap-2f, rest = fused_float32(low + high, 0x1.7b1526p-14f, low * 0x1.bcap-2f);
    float whole = k * 0x1.344p-2f, sum = whole + main;
    return logarithm_cases_float32(a, sum + (fused_float32(k, 0x1.3509f8p-18f, rest) + ((whole - sum) + main)));
}

/* log(a) as a sum of two numbers, to about 2^-65 of its size: log(1 + f) = 2 atanh(s), s = f / (2 + f), with
   2 atanh(s) = s (2 + z (2/3 + z q(z))), z = s^2; all but q in doubled precision. */
HELPER LANEWISE double precise_logarithm(double a, double *low) {
    double k, m = split_float64(a, &k), f = m - 1, size = m + 1, size_low = m - (size - 1), inverse = 1 / size;
    double s = f * inverse, product = s * size;
    double s_low = ((f - product) - product_error(s, size, product) - s * size_low) * inverse;
    double z = s * s, z_low = fused_float64(2 * s, s_low, product_error(s, s, z));
    double z2 = z * z, z4 = z2 * z2;
    double q = fused_float64(0x1.0e4a802725fbap-3, z2, fused_float64(0x1.0f7f187710e03p-3, z, 0x1.3b1ef4b53001ep-3));
    q = fused_float64(q, z4, cubic_float64(z, z2, 0x1.9999999999b33p-2, 0x1.24924924577f3p-2, 0x1.c71c722de70c7p-3,
            0x1.745ce9b5272cp-3));
    double u = z * q, third = 0x1.5555555555555p-1 + u;
    double third_low = 0x1.5555555555555p-1 - third + u + 0x1.5555555555555p-55;
    double w = z * third, w_low = product_error(z, third, w) + fused_float64(z, third_low, z_low * third);
    double two = 2 + w, two_low = (2 - two) + w + w_low;
    double main = s * two, main_low = product_error(s, two, main) + fused_float64(s, two_low, s_low * two);
    double whole = k * 0x1.62e42fefa38p-1, sum = whole + main;
    *low = (whole - sum) + main + fused_float64(k, 0x1.ef35793c7673p-45, main_low);
    return sum;
}

/* a, in a way that hides from gcc 12 that it may be the same in a whole loop: it makes no vector code of selections by
   what does not vary. No bit is changed, as |b| has no sign. */
HELPER LANEWISE double varying_with(double a, double b) {
    return float64_of_bits(bits_of_float64(a) | bits_of_float64(__builtin_fabs(b)) >> 63);
}

/* Corrects |a|^b, where |1|^b and |a|^infinity are right. */
HELPER LANEWISE double power_cases_float64(double a, double b, double result) {
    double size = __builtin_fabs(a), whole = __builtin_rint(b);
    bool odd = whole == b & __builtin_rint(0.5 * b) * 2 != b;
    result = size == 0 | size == (double)INFINITY ? ((size - 1) * b > 0 ? (double)INFINITY : 0) : result;
    result = odd ? __builtin_copysign(result, a) : result;
    result = a < 0 & size < (double)INFINITY & whole != b ? (double)NAN : result;
    result = a != a | b != b ? a + b : result;
    return a == 1 | b == 0 ? 1 : result;
}

HELPER LANEWISE double pow_float64(double a, double b) {
    double base = varying_with(a, b), exponent = varying_with(b, a), y = exponent > 0x1p65 ? 0x1p65 : exponent;
    double low, high = precise_logarithm(__builtin_fabs(base), &low);
    y = y < -0x1p65 ? -0x1p65 : y;
    double x = y * high, rest = fused_float64(y, low, product_error(y, high, x));
    rest = __builtin_fabs(x) < 800 ? rest : 0;
    x = x > 710 ? 710 : x;
    return power_cases_float64(base, exponent, precise_exponential(x < -746 ? -746 : x, rest));
}

HELPER LANEWISE float pow_float32(float a, float b) {
    double base = varying_with(a, b), exponent = varying_with(b, a), y = exponent > 0x1p40 ? 0x1p40 : exponent;
    double x = (y < -0x1p40 ? -0x1p40 : y) * log_float64(__builtin_fabs(base));
    return (float)power_cases_float64(base, exponent, exp_float64(x));
}

/* The C library's power, which CPython calls. The exponent is hidden from the compiler: it makes products and roots of
   small ones, which round otherwise. */
HELPER double python_pow_float64(double a, double b) {
    uint64_t exponent = bits_of_float64(b);
    __asm__("" : "+r"(exponent));
    return __builtin_pow(a, float64_of_bits(exponent));
}
