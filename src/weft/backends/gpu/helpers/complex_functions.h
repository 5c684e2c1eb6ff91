/* Functions of complex numbers for devices, which have none of C's: with the special values of C's Annex G, as the C
   library of processors has them. Those of complex64 are computed in float64, so nothing overflows on the way.

   Formulas and the order of cases: Kahan, "Branch cuts for complex elementary functions", 1987; the algorithms of
   FreeBSD's libm (csqrt, cexp, csinh, ccosh, ctanh, clog). */

HELPER complex64 sqrt_complex64(complex64 a) {
    return complex64_from_complex128(sqrt_complex128(complex128_from_complex64(a)));
}

HELPER complex64 exp_complex64(complex64 a) {
    return complex64_from_complex128(exp_complex128(complex128_from_complex64(a)));
}

HELPER complex64 log_complex64(complex64 a) {
    return complex64_from_complex128(log_complex128(complex128_from_complex64(a)));
}

HELPER complex64 sin_complex64(complex64 a) {
    return complex64_from_complex128(sin_complex128(complex128_from_complex64(a)));
}

HELPER complex64 cos_complex64(complex64 a) {
    return complex64_from_complex128(cos_complex128(complex128_from_complex64(a)));
}

HELPER complex64 tan_complex64(complex64 a) {
    return complex64_from_complex128(tan_complex128(complex128_from_complex64(a)));
}

HELPER complex64 sinh_complex64(complex64 a) {
    return complex64_from_complex128(sinh_complex128(complex128_from_complex64(a)));
}

HELPER complex64 cosh_complex64(complex64 a) {
    return complex64_from_complex128(cosh_complex128(complex128_from_complex64(a)));
}

HELPER complex64 tanh_complex64(complex64 a) {
    return complex64_from_complex128(tanh_complex128(complex128_from_complex64(a)));
}

HELPER double larger_part(double re, double im) {
    re = __builtin_fabs(re), im = __builtin_fabs(im);
    return re > im ? re : im;
}

/* Large and small numbers are scaled, so that no square on the way overflows or loses bits. */
HELPER complex128 sqrt_complex128(complex128 a) {
    double re = a.re, im = a.im, scale = 1.0;
    const double infinity = (double)INFINITY;
    if (re == 0 && im == 0) return (complex128){0.0, im};
    if (__builtin_fabs(im) == infinity) return (complex128){infinity, im};
    if (re != re) return (complex128){re, re};
    if (re == infinity) return (complex128){re, im == im ? __builtin_copysign(0.0, im) : im};
    if (re == -infinity) return (complex128){im == im ? 0.0 : im, __builtin_copysign(infinity, im)};
    double most = larger_part(re, im);
    if (most >= 0x1p1022) {
        re *= 0.25, im *= 0.25, scale = 2.0;
    } else if (most < 0x1p-900) {
        re *= 0x1p120, im *= 0x1p120, scale = 0x1p-60;
    }
    double root = __builtin_sqrt((__builtin_fabs(re) + __builtin_hypot(re, im)) * 0.5);
    double other = __builtin_fabs(im) / (2.0 * root);
    double first = re >= 0 ? root : other, second = re >= 0 ? other : root;
    return (complex128){first * scale, __builtin_copysign(second * scale, im)};
}

/* A share of e to a power, times a point of the circle: the power may overflow where the product does not. */
HELPER complex128 scaled_exp(double share, double power, double re, double im) {
    for (int k = 0; k < 2 && power > 700.0; k++) {
        power -= 700.0;
        re *= 1.0142320547350045e304;
        im *= 1.0142320547350045e304;
    }
    double factor = share * __builtin_exp(power);
    return (complex128){re * factor, im * factor};
}

HELPER complex128 exp_complex128(complex128 a) {
    if (a.im == 0) return (complex128){__builtin_exp(a.re), a.im};
    if (!(__builtin_fabs(a.im) < (double)INFINITY)) {
        if (a.re == -(double)INFINITY) return (complex128){0.0, __builtin_copysign(0.0, a.im)};
        return (complex128){a.re == (double)INFINITY ? a.re : (double)NAN, (double)NAN};
    }
    return scaled_exp(1.0, a.re, __builtin_cos(a.im), __builtin_sin(a.im));
}

/* The logarithm of the size: where that is near 1, by the exact squares of the parts, less 1. */
HELPER double log_size(double re, double im) {
    double most = larger_part(re, im);
    double least = most == __builtin_fabs(re) ? __builtin_fabs(im) : __builtin_fabs(re);
    if (re != re || im != im || most == (double)INFINITY) return __builtin_log(__builtin_hypot(re, im));
    if (most >= 0x1p1022) return __builtin_log(__builtin_hypot(re * 0.5, im * 0.5)) + 0.693147180559945309417232121458176568;
    if (most < 0x1p-900)
        return __builtin_log(__builtin_hypot(re * 0x1p200, im * 0x1p200)) - 138.629436111989061883446424291635313615;
    if (most < 0.5 || most > 2.0) return __builtin_log(__builtin_hypot(re, im));
    double square = most * most, rest = __builtin_fma(most, most, -square);
    double small = least * least, smaller = __builtin_fma(least, least, -small);
    double head = square - 1.0, sum = head + small;
    double part = sum - head, lost = (head - (sum - part)) + (small - part);
    return 0.5 * __builtin_log1p(sum + (lost + (rest + smaller)));
}

HELPER complex128 log_complex128(complex128 a) {
    return (complex128){log_size(a.re, a.im), __builtin_atan2(a.im, a.re)};
}

HELPER complex128 sinh_complex128(complex128 a) {
    const double infinity = (double)INFINITY;
    double re = a.re, im = a.im, size = __builtin_fabs(re);
    if (size < infinity && __builtin_fabs(im) < infinity) {
        if (im == 0) return (complex128){__builtin_sinh(re), im};
        double c = __builtin_cos(im), s = __builtin_sin(im);
        if (size < 22.0) return (complex128){__builtin_sinh(re) * c, __builtin_cosh(re) * s};
        return scaled_exp(0.5, size, re < 0 ? -c : c, s);
    }
    if (re == 0) return (complex128){re, (double)NAN};
    if (im == 0) return (complex128){re, im};
    if (size < infinity || re != re) return (complex128){(double)NAN, (double)NAN};
    if (!(__builtin_fabs(im) < infinity)) return (complex128){infinity, (double)NAN};
    return (complex128){re * __builtin_cos(im), infinity * __builtin_sin(im)};
}

HELPER complex128 cosh_complex128(complex128 a) {
    const double infinity = (double)INFINITY;
    double re = a.re, im = a.im, size = __builtin_fabs(re);
    if (size < infinity && __builtin_fabs(im) < infinity) {
        if (im == 0) return (complex128){__builtin_cosh(re), re * im};
        double c = __builtin_cos(im), s = __builtin_sin(im);
        if (size < 22.0) return (complex128){__builtin_cosh(re) * c, __builtin_sinh(re) * s};
        return scaled_exp(0.5, size, c, re < 0 ? -s : s);
    }
    if (re == 0) return (complex128){(double)NAN, 0.0};
    if (im == 0) return (complex128){re * re, re == re ? __builtin_copysign(1.0, re) * im : im};
    if (size < infinity || re != re) return (complex128){(double)NAN, (double)NAN};
    if (!(__builtin_fabs(im) < infinity)) return (complex128){infinity, (double)NAN};
    return (complex128){infinity * __builtin_cos(im), re * __builtin_sin(im)};
}

/* Kahan's: by t = tan(im), and where the real part is large, by its exponential alone. */
HELPER complex128 tanh_complex128(complex128 a) {
    const double infinity = (double)INFINITY;
    double re = a.re, im = a.im, size = __builtin_fabs(re);
    if (re != re) return (complex128){re, im == 0 ? im : (double)NAN};
    if (size == infinity) {
        double sign = __builtin_fabs(im) < infinity ? __builtin_sin(im) * __builtin_cos(im) : im;
        return (complex128){__builtin_copysign(1.0, re), __builtin_copysign(0.0, sign)};
    }
    if (!(__builtin_fabs(im) < infinity)) return (complex128){re == 0 ? re : (double)NAN, (double)NAN};
    double s = __builtin_sin(im), c = __builtin_cos(im);
    if (size >= 22.0) {
        double twice = __builtin_fabs(im) < 0x1p1022 ? __builtin_sin(2.0 * im) : 2.0 * s * c;
        return (complex128){__builtin_copysign(1.0, re), 2.0 * twice * __builtin_exp(-2.0 * size)};
    }
    double grown = __builtin_sinh(re), both = grown * grown + c * c;
    return (complex128){grown * __builtin_cosh(re) / both, s * c / both};
}

HELPER complex128 sin_complex128(complex128 a) {
    const double infinity = (double)INFINITY;
    if (__builtin_fabs(a.im) == infinity && !(__builtin_fabs(a.re) < infinity)) return (complex128){(double)NAN, infinity};
    complex128 b = sinh_complex128((complex128){-a.im, a.re});
    return (complex128){b.im, -b.re};
}

HELPER complex128 cos_complex128(complex128 a) { return cosh_complex128((complex128){-a.im, a.re}); }

HELPER complex128 tan_complex128(complex128 a) {
    complex128 b = tanh_complex128((complex128){-a.im, a.re});
    return (complex128){b.im, -b.re};
}

HELPER double unit_if_infinite(double a) {
    return __builtin_copysign(__builtin_fabs(a) == (double)INFINITY ? 1.0 : 0.0, a);
}

HELPER double zero_if_nan(double a) { return a == a ? a : __builtin_copysign(0.0, a); }

/* A product as C has it: infinite where a factor is, also where both parts would be NaN. */
HELPER complex128 product_of_c(complex128 a, complex128 b) {
    complex128 c = mul_complex128(a, b);
    if (c.re == c.re || c.im == c.im) return c;
    bool is_infinite = false;
    if (isinf_complex128(a)) {
        a = (complex128){unit_if_infinite(a.re), unit_if_infinite(a.im)};
        b = (complex128){zero_if_nan(b.re), zero_if_nan(b.im)};
        is_infinite = true;
    }
    if (isinf_complex128(b)) {
        b = (complex128){unit_if_infinite(b.re), unit_if_infinite(b.im)};
        a = (complex128){zero_if_nan(a.re), zero_if_nan(a.im)};
        is_infinite = true;
    }
    if (!is_infinite) return c;
    c = mul_complex128(a, b);
    return (complex128){(double)INFINITY * c.re, (double)INFINITY * c.im};
}

/* Powers: as those of processors, by repeated multiplication where the exponent is a small integer. */
HELPER complex128 pow_complex128(complex128 a, complex128 b) {
    if (is_zero_complex128(b)) return (complex128){1, 0};
    if (is_zero_complex128(a)) return b.re > 0 ? (complex128){0, 0} : (complex128){(double)NAN, (double)NAN};
    if (b.im == 0 && b.re == __builtin_trunc(b.re) && b.re > -100 && b.re < 100)
        return whole_power_complex128(a, (int)b.re);
    return exp_complex128(product_of_c(b, log_complex128(a)));
}

HELPER complex64 pow_complex64(complex64 a, complex64 b) {
    if (is_zero_complex64(b)) return (complex64){1, 0};
    if (is_zero_complex64(a)) return b.re > 0 ? (complex64){0, 0} : (complex64){NAN, NAN};
    if (b.im == 0 && b.re == __builtin_truncf(b.re) && b.re > -100 && b.re < 100)
        return whole_power_complex64(a, (int)b.re);
    complex128 wide = product_of_c(complex128_from_complex64(b), log_complex128(complex128_from_complex64(a)));
    return complex64_from_complex128(exp_complex128(wide));
}
