/* Hyperbolic functions, error functions, roots: as in vector_math.h. */

/* Replaces: tanh_@ sinh_@ cosh_@ */

/* tanh a = (e^2a - 1) / (e^2a + 1). */
HELPER LANEWISE TYPE tanh_@(TYPE a) {
    TYPE size = __builtin_fabsSUFFIX(a), part = expm1_@(2 * (size > 22 ? 22 : size));
    return __builtin_copysignSUFFIX(part / (part + 2), a);
}

/* sinh a = a + a^3 p(a^2) for |a| < 1. */
HELPER LANEWISE double sinh_series_float64(double a) {
    double z = a * a;
    double z2 = z * z, z4 = z2 * z2;
    double p = fused_float64(0x1.b4cfb69cfc022p-41, z2, fused_float64(0x1.611a394e3bfadp-33, z, 0x1.ae646768b3354p-26));
    p = fused_float64(p, z4, cubic_float64(z, z2, 0x1.5555555555556p-3, 0x1.11111111110a1p-7, 0x1.a01a01a029234p-13,
            0x1.71de3a45f45f5p-19));
    return fused_float64(a * z, p, a);
}

HELPER LANEWISE float sinh_series_float32(float a) {
    float z = a * a;
    float p = 0x1.7a2702p-19f;
    p = fused_float32(p, z, 0x1.9ffe0ep-13f);
    p = fused_float32(p, z, 0x1.111136p-7f);
    p = fused_float32(p, z, 0x1.555556p-3f);
    return fused_float32(a * z, p, a);
}

/* e^|a| / 2, infinite only where the hyperbolic functions are. */
HELPER LANEWISE double half_exponential_float64(double a) {
    return exponential_float64(__builtin_fabs(a) > 711 ? 711 : __builtin_fabs(a), -1);
}

HELPER LANEWISE float half_exponential_float32(float a) {
    return exponential_float32(__builtin_fabsf(a) > 90 ? 90 : __builtin_fabsf(a), -1);
}

HELPER LANEWISE TYPE sinh_@(TYPE a) {
    TYPE size = __builtin_fabsSUFFIX(a), half = half_exponential_@(a), large = half - (TYPE)0.25 / half;
    return __builtin_copysignSUFFIX(size < 1 ? sinh_series_@(size) : large, a);
}

HELPER LANEWISE TYPE cosh_@(TYPE a) {
    TYPE half = half_exponential_@(a);
    return half + (TYPE)0.25 / half;
}

/* erf a = a + a p(a^2) for |a| < 3/2, else 1 - exp(-a^2 - q(|a|)). */
HELPER LANEWISE double erf_float64(double a) {
    double size = __builtin_fabs(a) > 6 ? 6 : __builtin_fabs(a), z = size * size, u = size - 2.5;
    double z2 = z * z, z4 = z2 * z2;
    double p = fused_float64(0x1.6326e6e4b0343p-43, z2, fused_float64(-0x1.583455d9f06b7p-38, z,
            0x1.7d6d04b256ffbp-34));
    p = fused_float64(p, z4, cubic_float64(z, z2, 0x1.b9e233fce7097p-20, -0x1.5f519d32ac206p-23,
            0x1.fb4ad9efa63cdp-27, -0x1.4bfbeb729c26fp-30));
    p = fused_float64(p, z4, cubic_float64(z, z2, 0x1.565bcd0b9c14bp-8, -0x1.c02db3a4bb3bbp-11, 0x1.f9a31f55b1107p-14,
            -0x1.f4d1ebd33fd3ep-17));
    p = fused_float64(p, z4, cubic_float64(z, z2, 0x1.06eba8214db68p-3, -0x1.812746b0379d6p-2, 0x1.ce2f21a042393p-4,
            -0x1.b82ce3126e14fp-6));
    double u2 = u * u, u4 = u2 * u2;
    double q = cubic_float64(u, u2, 0x1.e3e3fd64db9d8p-29, -0x1.e590811058958p-31, 0x1.64ede93442266p-33,
            -0x1.03d21f7a91273p-36);
    q = fused_float64(q, u4, cubic_float64(u, u2, -0x1.daddfab0c733ep-20, 0x1.4ea17ce559ae4p-23,
            0x1.b131d6b9addacp-27, -0x1.74064aa05078bp-27));
    q = fused_float64(q, u4, cubic_float64(u, u2, -0x1.1bd559153dc4ap-9, 0x1.b961379a9b52bp-12, -0x1.43172589a88fp-14,
            0x1.ac04ad1fd29d3p-17));
    q = fused_float64(q, u4, cubic_float64(u, u2, 0x1.8e8b721a46e14p0, 0x1.6925248daa41fp-2, -0x1.cb9f5e7368146p-5,
            0x1.63cc1da7c949p-7));
    double large = 1 - normal_exponential(-(z + q));
    return __builtin_copysign(size < 1.5 ? fused_float64(size, p, size) : large, a);
}

HELPER LANEWISE float erf_float32(float a) {
    float size = __builtin_fabsf(a) > 4 ? 4 : __builtin_fabsf(a), z = size * size, u = size - 2;
    float z2 = z * z, z4 = z2 * z2;
    float p = fused_float32(0x1.496c74p-14f, z2, fused_float32(-0x1.a3f7fp-11f, z, 0x1.5405d8p-8f));
    p = fused_float32(p, z4, cubic_float32(z, z2, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2cf8p-4f, -0x1.b7f914p-6f));
    float u2 = u * u, u4 = u2 * u2;
    float q = fused_float32(-0x1.84fccp-13f, u2, fused_float32(0x1.75c9fcp-11f, u, -0x1.d0752ap-9f));
    q = fused_float32(q, u4, cubic_float32(u, u2, 0x1.5d6cc6p0f, 0x1.ac31f6p-2f, -0x1.384ec6p-4f, 0x1.0e2082p-6f));
    float large = 1 - exponential_float32(-(z + q), -0.0f);
    return __builtin_copysignf(size < 1 ? fused_float32(size, p, size) : large, a);
}

/* erfc a = exp(-a^2) (1 + p(t)) / (1 + 2 a), t = (a - 3) / (a + 3), for a >= 1/2; else from erf a = a + a q(a^2), or by
   symmetry.
   What the rounding of a^2 lost is a factor of its own. */
HELPER LANEWISE double erfc_float64(double a) {
    double size = __builtin_fabs(a) > 28 ? 28 : __builtin_fabs(a), t = (size - 3) / (size + 3), z = size * size;
    double t2 = t * t, t4 = t2 * t2;
    double p = fused_float64(-0x1.fcbf8563e9ffep-27, t, 0x1.80dcf3705e1e5p-26);
    p = fused_float64(p, t4, cubic_float64(t, t2, 0x1.709f608dcd12ap-22, -0x1.512e801508b4dp-21,
            -0x1.02668b4380103p-23, 0x1.d92244e060019p-24));
    p = fused_float64(p, t4, cubic_float64(t, t2, 0x1.4c0fcc5bc6433p-18, -0x1.5149dee8f1f0ep-16,
            -0x1.85d5c90404bdep-21, 0x1.d32428aed3d8p-19));
    p = fused_float64(p, t4, cubic_float64(t, t2, 0x1.ef1bdce40dd6p-10, -0x1.98db55e2b4214p-11,
            -0x1.b9123b0ce191ep-14, 0x1.065aaeed6a244p-13));
    p = fused_float64(p, t4, cubic_float64(t, t2, -0x1.e88b803a4a14fp-4, 0x1.17ca2877e47aap-4, -0x1.8574c40b674d9p-6,
            0x1.4b884e61caf9p-9));
    p = fused_float64(p, t4, cubic_float64(t, t2, 0x1.03148b5f9261dp-2, -0x1.15c084bb9e8f7p-3, -0x1.85a15c58aa569p-5,
            0x1.098366a5b493p-3));
    double z2 = z * z, z4 = z2 * z2;
    double q = 0x1.8b392a5df918bp-20;
    q = fused_float64(q, z4, cubic_float64(z, z2, 0x1.565bcbf5eb3eap-8, -0x1.c02d4ea4eb364p-11, 0x1.f98d959e60e6ap-14,
            -0x1.f2229823c352ap-17));
    q = fused_float64(q, z4, cubic_float64(z, z2, 0x1.06eba8214db68p-3, -0x1.812746b0379b3p-2, 0x1.ce2f21a03d69p-4,
            -0x1.b82ce30f1f141p-6));
    double lost = product_error(size, size, z);
    double part = precise_exponential(z > 746 ? -746 : -z, -lost) / fused_float64(2, size, 1);
    double large = fused_float64(part, p, part);
    large = a < 0 ? 2 - large : large;
    return size < 0.5 ? 1 - fused_float64(a, q, a) : large;
}

HELPER LANEWISE float erfc_float32(float a) { return (float)erfc_float64(a); }

/* The root of 2^3n m from one of Newton's steps with its next term: with e = m / t^3 - 1, t (1 + e / 3 - e^2 / 9). */
HELPER LANEWISE double cbrt_float64(double a) {
    double k, m = split_float64(__builtin_fabs(a), &k), shifted = k * 0x1.5555555555555p-2 + ROUND_TO_WHOLE;
    double rest = k - 3 * (shifted - ROUND_TO_WHOLE);
    double m2 = m * m, m4 = m2 * m2;
    double t = fused_float64(-0x1.4dfc0bc7dced9p-6, m2, fused_float64(0x1.3f04a09d31df1p-3, m, -0x1.07a0913da96cdp-1));
    t = fused_float64(t, m4, cubic_float64(m, m2, 0x1.97e9e6993dfc1p-2, 0x1.32739cc467484p0, -0x1.2fe31a7c0fa3dp0,
            0x1.f1394d706f57dp-1));
    t *= rest > 0 ? 0x1.428a2f98d728bp0 : rest < 0 ? 0x1.965fea53d6e3dp-1 : 1;
    m *= rest > 0 ? 2 : rest < 0 ? 0.5 : 1;
    t = float64_of_bits(bits_of_float64(t) & 0xffffffffe0000000);
    double inverse = 1 / (t * t), step = fused_float64(m, inverse, -t), e = step * t * inverse;
    double root = t + fused_float64(step * e, -0x1.c71c71c71c71cp-4, step * 0x1.5555555555555p-2);
    root *= float64_of_bits((bits_of_float64(shifted) + 1023) << 52);
    return a == 0 | !(__builtin_fabs(a) < (double)INFINITY) ? a : __builtin_copysign(root, a);
}

HELPER LANEWISE float cbrt_float32(float a) { return (float)cbrt_float64(a); }

/* Scaled where the squares would leave the range. */
HELPER LANEWISE double hypot_float64(double a, double b) {
    double x = __builtin_fabs(a), y = __builtin_fabs(b), size = x > y ? x : y;
    double scale = size > 0x1p500 ? 0x1p-600 : size < 0x1p-450 ? 0x1p600 : 1;
    double back = size > 0x1p500 ? 0x1p600 : size < 0x1p-450 ? 0x1p-600 : 1, p = x * scale, q = y * scale;
    double result = __builtin_sqrt(fused_float64(p, p, q * q)) * back;
    return x == (double)INFINITY | y == (double)INFINITY ? (double)INFINITY : result;
}

HELPER LANEWISE float hypot_float32(float a, float b) {
    float result = (float)__builtin_sqrt(fused_float64(a, a, (double)b * b));
    return __builtin_fabsf(a) == INFINITY | __builtin_fabsf(b) == INFINITY ? INFINITY : result;
}
