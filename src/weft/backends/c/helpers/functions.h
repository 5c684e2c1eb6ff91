/* Mathematical functions without branches, so that the compiler makes vector code of loops that call them: the same
   operations, and so the same results, in a vector and alone. At most 4 ulp from the exact value; polynomials are
   minimax fits of our own. Processors without a fused multiply-add call the C library instead. */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define HAS_FAST_FMA 1
#else
#define HAS_FAST_FMA 0
#endif

#define FMA(a, b, c) __builtin_fma(a, b, c)

#define FMAF(a, b, c) __builtin_fmaf(a, b, c)

/* Adding this rounds a number to an integer, which then stands in the lowest bits. */
static const double rounder = 0x1.8p52;

static const float rounder_f = 0x1.8p23f;

HELPER int64_t rounded_bits(double shifted) { return (int64_t)bits_of_float64(shifted) - (int64_t)0x4338000000000000; }

HELPER int32_t rounded_bits_f(float shifted) { return (int32_t)bits_of_float32(shifted) - 0x4b400000; }

/* value * 2^k in two steps, since 2^k alone may leave the range of the type. */
HELPER double times_power_of_two(double value, int64_t k) {
    int64_t half = k >> 1;
    double first = float64_of_bits((uint64_t)(half + 1023) << 52);
    return value * first * float64_of_bits((uint64_t)(k - half + 1023) << 52);
}

HELPER float times_power_of_two_f(float value, int32_t k) {
    int32_t half = k >> 1;
    float first = float32_of_bits((uint32_t)(half + 127) << 23);
    return value * first * float32_of_bits((uint32_t)(k - half + 127) << 23);
}

/* e^r for r at most half of ln 2 in size, as 1 + what is returned. */
HELPER double exp_less_one_of_rest(double r) {
    double q = FMA(r, 2.5000005801868804e-08, 2.763037842182758e-07);
    q = FMA(r, q, 2.755758721521554e-06);
    q = FMA(r, q, 2.4801492763392768e-05);
    q = FMA(r, q, 0.00019841269504905712);
    q = FMA(r, q, 0.0013888888943922068);
    q = FMA(r, q, 0.008333333333495561);
    q = FMA(r, q, 0.04166666666652919);
    q = FMA(r, q, 0.1666666666666641);
    q = FMA(r, q, 0.5000000000000011);
    return FMA(r * r, q, r);
}

HELPER float exp_less_one_of_rest_f(float r) {
    float q = FMAF(r, 0.0013814462979555371f, 0.008368780331049338f);
    q = FMAF(r, q, 0.0416683942675158f);
    q = FMAF(r, q, 0.16666520108971064f);
    q = FMAF(r, q, 0.4999999341243271f);
    return FMAF(r * r, q, r);
}

HELPER double fast_exp_float64(double x) {
    double a = x < -760.0 ? -760.0 : x;
    a = a > 720.0 ? 720.0 : a;
    double shifted = FMA(a, 0x1.71547652b82fep+0, rounder), k = shifted - rounder;
    double r = FMA(-k, 0x1.abc9e3b39803fp-56, FMA(-k, 0x1.62e42fefa39efp-1, a));
    return times_power_of_two(1.0 + exp_less_one_of_rest(r), rounded_bits(shifted));
}

HELPER float fast_exp_float32(float x) {
    float a = x < -120.0f ? -120.0f : x;
    a = a > 100.0f ? 100.0f : a;
    float shifted = FMAF(a, 0x1.715476p+0f, rounder_f), k = shifted - rounder_f;
    float r = FMAF(-k, -0x1.05c610p-29f, FMAF(-k, 0x1.62e430p-1f, a));
    return times_power_of_two_f(1.0f + exp_less_one_of_rest_f(r), rounded_bits_f(shifted));
}

HELPER double fast_exp2_float64(double x) {
    double a = x < -1100.0 ? -1100.0 : x;
    a = a > 1030.0 ? 1030.0 : a;
    double shifted = a + rounder, rest = a - (shifted - rounder);
    double high = rest * 0x1.62e42fefa39efp-1, low = FMA(rest, 0x1.62e42fefa39efp-1, -high);
    low = FMA(rest, 0x1.abc9e3b39803fp-56, low);
    double e = exp_less_one_of_rest(high);
    return times_power_of_two(1.0 + FMA(low, 1.0 + e, e), rounded_bits(shifted));
}

HELPER float fast_exp2_float32(float x) {
    float a = x < -160.0f ? -160.0f : x;
    a = a > 140.0f ? 140.0f : a;
    float shifted = a + rounder_f, rest = a - (shifted - rounder_f);
    return times_power_of_two_f(1.0f + exp_less_one_of_rest_f(rest * 0x1.62e430p-1f), rounded_bits_f(shifted));
}

HELPER double fast_expm1_float64(double x) {
    double a = x < -50.0 ? -50.0 : x;
    a = a > 720.0 ? 720.0 : a;
    double shifted = FMA(a, 0x1.71547652b82fep+0, rounder), k = shifted - rounder;
    double r = FMA(-k, 0x1.abc9e3b39803fp-56, FMA(-k, 0x1.62e42fefa39efp-1, a));
    double e = exp_less_one_of_rest(r);
    int64_t whole = rounded_bits(shifted), half = whole >> 1;
    double first = float64_of_bits((uint64_t)(half + 1023) << 52);
    double second = float64_of_bits((uint64_t)(whole - half + 1023) << 52);
    double value = FMA(e, first, first - 1.0 / second) * second;
    return k == 0.0 ? (x == 0.0 ? x : e) : value;
}

/* ln of a positive finite number: exponent and ln of the mantissa, which is between the roots of 1/2 and 2. */
HELPER double mantissa_of(double x, double *exponent) {
    double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
    uint64_t bits = bits_of_float64(scaled), above = bits - 0x3fe6a09e667f3bcd;
    int64_t k = (int64_t)above >> 52;
    *exponent = float64_of_bits((uint64_t)(k + (int64_t)0x4338000000000000)) - rounder - (x < 0x1p-1022 ? 54.0 : 0.0);
    return float64_of_bits(bits - ((uint64_t)k << 52));
}

HELPER float mantissa_of_f(float x, float *exponent) {
    float scaled = x < 0x1p-126f ? x * 0x1p30f : x;
    uint32_t bits = bits_of_float32(scaled), above = bits - 0x3f3504f3;
    int32_t k = (int32_t)above >> 23;
    *exponent = (float)k - (x < 0x1p-126f ? 30.0f : 0.0f);
    return float32_of_bits(bits - ((uint32_t)k << 23));
}

/* ln(1 + f) - f + f^2 / 2, through s = f / (2 + f): the series of the inverse hyperbolic tangent. */
HELPER double log_correction(double f) {
    double s = f / (2.0 + f), z = s * s;
    double p = FMA(z, 0.14811536824788163, 0.1531257016840595);
    p = FMA(z, p, 0.18183618979371022);
    p = FMA(z, p, 0.22222197587451947);
    p = FMA(z, p, 0.28571428751302785);
    p = FMA(z, p, 0.3999999999937797);
    p = FMA(z, p, 0.666666666666674);
    return s * FMA(z, p, 0.5 * f * f);
}

HELPER float log_correction_f(float f) {
    float s = f / (2.0f + f), z = s * s;
    float p = FMAF(z, 0.2988518783050468f, 0.3997707936622154f);
    p = FMAF(z, p, 0.6666677976762513f);
    return s * FMAF(z, p, 0.5f * f * f);
}

HELPER double log_outside(double x, double value) {
    value = x == (double)INFINITY ? x : value;
    value = x == 0.0 ? -(double)INFINITY : value;
    return x >= 0.0 ? value : (double)NAN;
}

HELPER float log_outside_f(float x, float value) {
    value = x == INFINITY ? x : value;
    value = x == 0.0f ? -INFINITY : value;
    return x >= 0.0f ? value : NAN;
}

HELPER double fast_log_float64(double x) {
    double k, f = mantissa_of(x, &k) - 1.0;
    double low = FMA(k, 0x1.abc9e3b39803fp-56, log_correction(f)) - 0.5 * f * f;
    return log_outside(x, FMA(k, 0x1.62e42fefa39efp-1, f + low));
}

HELPER float fast_log_float32(float x) {
    float k, f = mantissa_of_f(x, &k) - 1.0f;
    float low = FMAF(k, -0x1.05c610p-29f, log_correction_f(f)) - 0.5f * f * f;
    return log_outside_f(x, FMAF(k, 0x1.62e430p-1f, f + low));
}

HELPER double fast_log2_float64(double x) {
    double k, f = mantissa_of(x, &k) - 1.0;
    double half = 0.5 * f * f, low = log_correction(f) - half, sum = f + low, rest = f - sum + low;
    double high = sum * 0x1.71547652b82fep+0;
    low = FMA(sum, 0x1.71547652b82fep+0, -high) + FMA(rest, 0x1.71547652b82fep+0, sum * 0x1.777d0ffda0d24p-56);
    return log_outside(x, k + high + low);
}

HELPER float fast_log2_float32(float x) {
    float k, f = mantissa_of_f(x, &k) - 1.0f;
    float low = log_correction_f(f) - 0.5f * f * f, sum = f + low, rest = f - sum + low;
    float high = sum * 0x1.715476p+0f;
    low = FMAF(sum, 0x1.715476p+0f, -high) + FMAF(rest, 0x1.715476p+0f, sum * 0x1.4ae0c0p-26f);
    return log_outside_f(x, k + high + low);
}

HELPER double fast_log1p_float64(double x) {
    double whole = 1.0 + x, k, f = mantissa_of(whole, &k) - 1.0;
    double lost = whole - 1.0 > x ? x - (whole - 1.0) : x >= 1.0 ? 1.0 - (whole - x) : x - (whole - 1.0);
    double low = FMA(k, 0x1.abc9e3b39803fp-56, log_correction(f)) - 0.5 * f * f + lost / whole;
    double value = log_outside(whole, FMA(k, 0x1.62e42fefa39efp-1, f + low));
    return x == 0.0 ? x : value;
}

HELPER double fast_tanh_float64(double x) {
    double size = __builtin_fabs(x), e = fast_expm1_float64(size > 20.0 ? 40.0 : 2.0 * size);
    double value = e / (e + 2.0);
    return x != x ? x : __builtin_copysign(value, x);
}

HELPER float fast_tanh_float32(float x) { return (float)fast_tanh_float64((double)x); }

HELPER float fast_expm1_float32(float x) { return (float)fast_expm1_float64((double)x); }

HELPER float fast_log1p_float32(float x) { return (float)fast_log1p_float64((double)x); }

/* Sine and cosine: the argument less the nearest multiple k of a quarter turn, exact for sizes below these. */
HELPER bool is_far_float64(double x) { return !(__builtin_fabs(x) < 0x1p28); }

HELPER bool is_far_float32(float x) { return !(__builtin_fabsf(x) < 0x1p17f); }

HELPER double quarter_turns(double x, int64_t *turns) {
    double shifted = FMA(x, 0x1.45f306dc9c883p-1, rounder), k = shifted - rounder;
    *turns = rounded_bits(shifted);
    return FMA(-k, -0x1.f1976b7ed8fbcp-110, FMA(-k, 0x1.1a62633145c07p-54, FMA(-k, 0x1.921fb54442d18p+0, x)));
}

HELPER float quarter_turns_f(float x, int32_t *turns) {
    float shifted = FMAF(x, 0x1.45f306p-1f, rounder_f), k = shifted - rounder_f;
    *turns = rounded_bits_f(shifted);
    return FMAF(-k, -0x1.ee59dap-50f, FMAF(-k, -0x1.777a5cp-25f, FMAF(-k, 0x1.921fb6p+0f, x)));
}

HELPER double sine_of_rest(double r) {
    double z = r * r, p = FMA(z, 1.5893583567275897e-10, -2.5050704033465122e-08);
    p = FMA(z, p, 2.75573133559739e-06);
    p = FMA(z, p, -0.00019841269828870005);
    p = FMA(z, p, 0.008333333333321286);
    p = FMA(z, p, -0.16666666666666627);
    return FMA(z * r, p, r);
}

HELPER double cosine_of_rest(double r) {
    double z = r * r, p = FMA(z, -1.1357447851970068e-11, 2.087568186325189e-09);
    p = FMA(z, p, -2.755731405645111e-07);
    p = FMA(z, p, 2.4801587288491637e-05);
    p = FMA(z, p, -0.0013888888888872598);
    p = FMA(z, p, 0.04166666666666659);
    double half = 0.5 * z, near = 1.0 - half;
    return near + FMA(z * z, p, 1.0 - near - half);
}

HELPER float sine_of_rest_f(float r) {
    float z = r * r, p = FMAF(z, -0.00019510839244048174f, 0.008332131498149016f);
    p = FMAF(z, p, -0.16666654225576616f);
    return FMAF(z * r, p, r);
}

HELPER float cosine_of_rest_f(float r) {
    float z = r * r, p = FMAF(z, 2.443120527298861e-05f, -0.0013887306046285893f);
    p = FMAF(z, p, 0.041666645652948295f);
    float half = 0.5f * z, near = 1.0f - half;
    return near + FMAF(z * z, p, 1.0f - near - half);
}

HELPER double turned(double sine, double cosine, int64_t turns) {
    double value = turns & 1 ? cosine : sine;
    return float64_of_bits(bits_of_float64(value) ^ (uint64_t)(turns & 2) << 62);
}

HELPER float turned_f(float sine, float cosine, int32_t turns) {
    float value = turns & 1 ? cosine : sine;
    return float32_of_bits(bits_of_float32(value) ^ (uint32_t)(turns & 2) << 30);
}

HELPER double fast_sin_float64(double x) {
    int64_t turns;
    double r = quarter_turns(x, &turns);
    return turned(sine_of_rest(r), cosine_of_rest(r), turns);
}

HELPER double fast_cos_float64(double x) {
    int64_t turns;
    double r = quarter_turns(x, &turns);
    return turned(sine_of_rest(r), cosine_of_rest(r), turns + 1);
}

HELPER double fast_tan_float64(double x) {
    int64_t turns;
    double r = quarter_turns(x, &turns), sine = sine_of_rest(r), cosine = cosine_of_rest(r);
    return turns & 1 ? -cosine / sine : sine / cosine;
}

HELPER float fast_sin_float32(float x) {
    int32_t turns;
    float r = quarter_turns_f(x, &turns);
    return turned_f(sine_of_rest_f(r), cosine_of_rest_f(r), turns);
}

HELPER float fast_cos_float32(float x) {
    int32_t turns;
    float r = quarter_turns_f(x, &turns);
    return turned_f(sine_of_rest_f(r), cosine_of_rest_f(r), turns + 1);
}

HELPER float fast_tan_float32(float x) {
    int32_t turns;
    float r = quarter_turns_f(x, &turns), sine = sine_of_rest_f(r), cosine = cosine_of_rest_f(r);
    return turns & 1 ? -cosine / sine : sine / cosine;
}

/* a + b and a * b with what is lost in rounding. */
HELPER double two_sum(double a, double b, double *rest) {
    double sum = a + b, part = sum - a;
    *rest = (a - (sum - part)) + (b - part);
    return sum;
}

/* x^y as 2^(y log2 x), with log2 x in two numbers; for positive finite x and results in range. */
HELPER double fast_pow_float64(double x, double y) {
    double k, m = mantissa_of(x, &k), above = m + 1.0, rest = m - 1.0;
    double above_low = m - (above - 1.0), s = rest / above;
    double s_low = FMA(-s, above_low, FMA(-s, above, rest)) / above;
    double z = s * s, z_low = FMA(s, s, -z) + 2.0 * s * s_low;
    /* 2 s (1 + z / 3 + z^2 (1 / 5 + ...)), the first terms in two numbers. */
    double p = FMA(z, 0.14811536824788163, 0.1531257016840595);
    p = FMA(z, p, 0.18183618979371022);
    p = FMA(z, p, 0.22222197587451947);
    p = FMA(z, p, 0.28571428751302785);
    p = FMA(z, p, 0.3999999999937797);
    const double third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;
    double sum_low, sum = two_sum(third, z * p, &sum_low);
    sum_low += third_low + FMA(z, p, -(z * p));
    double cubic = z * sum, cubic_low = FMA(z, sum, -cubic) + FMA(z, sum_low, z_low * sum);
    double series_low, series = two_sum(2.0, cubic, &series_low);
    series_low += cubic_low;
    double log_high = s * series, log_low = FMA(s, series, -log_high) + FMA(s, series_low, s_low * series);
    /* From ln to log2, and the exponent. */
    double base = log_high * 0x1.71547652b82fep+0;
    double base_low = FMA(log_high, 0x1.71547652b82fep+0, -base) +
                      FMA(log_low, 0x1.71547652b82fep+0, log_high * 0x1.777d0ffda0d24p-56);
    double total_low, total = two_sum(k, base, &total_low);
    total_low += base_low;
    double power = y * total, power_low = FMA(y, total, -power) + y * total_low;
    double shifted = power + rounder, fraction = power - (shifted - rounder);
    double high = fraction * 0x1.62e42fefa39efp-1, low = FMA(fraction, 0x1.62e42fefa39efp-1, -high);
    low += FMA(fraction, 0x1.abc9e3b39803fp-56, power_low * 0x1.62e42fefa39efp-1);
    double e = exp_less_one_of_rest(high);
    return times_power_of_two(1.0 + FMA(low, 1.0 + e, e), rounded_bits(shifted));
}

/* The arguments for which the C library is asked. */
HELPER bool is_hard_power_float64(double x, double y) {
    double size = y * ((double)((int64_t)(bits_of_float64(x) >> 52) - 1023));
    return !(x >= 0x1p-1022 && x < (double)INFINITY && __builtin_fabs(size) < 1000.0 && __builtin_fabs(y) < 0x1p40) |
           !(__builtin_fabs(y) < 1000.0);
}

HELPER float fast_pow_float32(float x, float y) { return (float)fast_exp2_float64((double)y * fast_log2_float64((double)x)); }

HELPER bool is_hard_power_float32(float x, float y) {
    return !(x > 0.0f && x < INFINITY && __builtin_fabsf(y) < 0x1p30f);
}
