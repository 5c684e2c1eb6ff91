/* Inverse functions of complex numbers for devices, as `complex_functions.h` has the others.

   Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using exception handling", 1997,
   with the order of cases of FreeBSD's libm (casinh, cacos, catanh). */

HELPER complex64 arcsin_complex64(complex64 a) {
    return complex64_from_complex128(arcsin_complex128(complex128_from_complex64(a)));
}

HELPER complex64 arccos_complex64(complex64 a) {
    return complex64_from_complex128(arccos_complex128(complex128_from_complex64(a)));
}

HELPER complex64 arctan_complex64(complex64 a) {
    return complex64_from_complex128(arctan_complex128(complex128_from_complex64(a)));
}

HELPER complex64 arcsinh_complex64(complex64 a) {
    return complex64_from_complex128(arcsinh_complex128(complex128_from_complex64(a)));
}

HELPER complex64 arccosh_complex64(complex64 a) {
    return complex64_from_complex128(arccosh_complex128(complex128_from_complex64(a)));
}

HELPER complex64 arctanh_complex64(complex64 a) {
    return complex64_from_complex128(arctanh_complex128(complex128_from_complex64(a)));
}

/* Half of hypot(a, b) - b without cancellation, where the hypotenuse is known. */
HELPER double half_excess(double a, double b, double size) {
    if (b < 0) return (size - b) * 0.5;
    if (b == 0) return a * 0.5;
    return a * a / (size + b) * 0.5;
}

/* What arcsinh and arccos share, of the absolute values of the parts: the part that grows like a logarithm. Whether the
   other one is known by a quotient that asin and acos take, and that quotient; otherwise the two sides of an angle. */
typedef struct {
    double grown, quotient, across, along;
    bool by_quotient;
} inverse_parts;

HELPER inverse_parts parts_of_inverse(double x, double y) {
    const double epsilon = 2.220446049250313e-16;
    inverse_parts found = {0, 0, 0, y, false};
    double far = __builtin_hypot(x, y + 1), near = __builtin_hypot(x, y - 1);
    double mean = (far + near) * 0.5;
    if (mean < 1) mean = 1;
    if (mean >= 10) {
        found.grown = __builtin_log(mean + __builtin_sqrt(mean * mean - 1));
    } else if (y == 1 && x < epsilon * epsilon / 128) {
        found.grown = __builtin_sqrt(x);
    } else if (x >= epsilon * __builtin_fabs(y - 1)) {
        double excess = half_excess(x, 1 + y, far) + half_excess(x, 1 - y, near);
        found.grown = __builtin_log1p(excess + __builtin_sqrt(excess * (mean + 1)));
    } else if (y < 1) {
        found.grown = x / __builtin_sqrt((1 - y) * (1 + y));
    } else {
        found.grown = __builtin_log1p((y - 1) + __builtin_sqrt((y - 1) * (y + 1)));
    }
    if (y < 0x1p-509) {
        found.across = mean * (2 / epsilon), found.along = y * (2 / epsilon);
        return found;
    }
    found.quotient = y / mean;
    found.by_quotient = found.quotient <= 0.6417;
    if (found.by_quotient) return found;
    if (y == 1 && x < epsilon / 128) {
        found.across = __builtin_sqrt(x) * __builtin_sqrt((mean + y) * 0.5);
    } else if (x >= epsilon * __builtin_fabs(y - 1)) {
        double excess = half_excess(x, y + 1, far) + half_excess(x, y - 1, near);
        found.across = __builtin_sqrt(excess * (mean + y));
    } else if (y > 1) {
        const double scale = 4 / epsilon / epsilon;
        found.across = x * scale * y / __builtin_sqrt((y + 1) * (y - 1)), found.along = y * scale;
    } else {
        found.across = __builtin_sqrt((1 - y) * (1 + y));
    }
    return found;
}

HELPER complex128 arcsinh_complex128(complex128 a) {
    const double infinity = (double)INFINITY, ln2 = 0.693147180559945309417232121458176568;
    double x = __builtin_fabs(a.re), y = __builtin_fabs(a.im);
    if (x != x || y != y) {
        if (x == infinity) return (complex128){a.re, a.im + a.im};
        if (y == infinity) return (complex128){__builtin_copysign(infinity, a.re), a.re + a.re};
        if (y == 0) return (complex128){a.re + a.re, a.im};
        return (complex128){(double)NAN, (double)NAN};
    }
    if (larger_part(x, y) > 0x1p52)
        return (complex128){__builtin_copysign(log_size(x, y) + ln2, a.re), __builtin_copysign(__builtin_atan2(y, x), a.im)};
    if (larger_part(x, y) < 9e-9) return a;
    inverse_parts found = parts_of_inverse(x, y);
    double angle = found.by_quotient ? __builtin_asin(found.quotient) : __builtin_atan2(found.along, found.across);
    return (complex128){__builtin_copysign(found.grown, a.re), __builtin_copysign(angle, a.im)};
}

HELPER complex128 arccos_complex128(complex128 a) {
    const double infinity = (double)INFINITY, ln2 = 0.693147180559945309417232121458176568;
    const double right = 1.5707963267948966, rest = 6.123233995736766e-17;
    double x = __builtin_fabs(a.re), y = __builtin_fabs(a.im), sign = -__builtin_copysign(1.0, a.im);
    if (x != x || y != y) {
        if (x == infinity) return (complex128){a.im + a.im, sign * infinity};
        if (y == infinity) return (complex128){a.re + a.re, -a.im};
        if (x == 0) return (complex128){right, a.im + a.im};
        return (complex128){(double)NAN, (double)NAN};
    }
    if (larger_part(x, y) > 0x1p52)
        return (complex128){__builtin_fabs(__builtin_atan2(a.im, a.re)), sign * (log_size(x, y) + ln2)};
    if (a.re == 1 && y == 0) return (complex128){0, -a.im};
    if (larger_part(x, y) < 9e-9) return (complex128){right - (a.re - rest), -a.im};
    inverse_parts found = parts_of_inverse(y, x);
    bool is_left = __builtin_copysign(1.0, a.re) < 0;
    double angle = found.by_quotient ? __builtin_acos(is_left ? -found.quotient : found.quotient)
                                     : __builtin_atan2(found.across, is_left ? -found.along : found.along);
    return (complex128){angle, sign * found.grown};
}

/* x / (x * x + y * y), scaled by the larger one. */
HELPER double reciprocal_part(double x, double y) {
    double most = larger_part(x, y);
    if (most == (double)INFINITY) return __builtin_copysign(0.0, x);
    double re = x / most, im = y / most;
    return re / (re * re + im * im) / most;
}

HELPER complex128 arctanh_complex128(complex128 a) {
    const double infinity = (double)INFINITY, right = 1.5707963267948966, epsilon = 2.220446049250313e-16;
    double x = __builtin_fabs(a.re), y = __builtin_fabs(a.im);
    if (y == 0 && x <= 1) return (complex128){__builtin_atanh(a.re), a.im};
    if (x == 0) return (complex128){a.re, __builtin_atan(a.im)};
    if (x != x || y != y) {
        if (x == infinity) return (complex128){__builtin_copysign(0.0, a.re), a.im + a.im};
        if (y == infinity) return (complex128){__builtin_copysign(0.0, a.re), __builtin_copysign(right, a.im)};
        return (complex128){(double)NAN, (double)NAN};
    }
    if (larger_part(x, y) > 0x1p52) return (complex128){reciprocal_part(a.re, a.im), __builtin_copysign(right, a.im)};
    if (larger_part(x, y) < 1e-8) return a;
    double low = y < 0x1p-511 ? (x - 1) * (x - 1) : (x - 1) * (x - 1) + y * y;
    double re = x == 1 && y < epsilon ? (0.693147180559945309417232121458176568 - __builtin_log(y)) * 0.5
                                      : __builtin_log1p(4 * x / low) * 0.25;
    double across = (1 - x) * (1 + x);
    double im = x == 1 ? __builtin_atan2(2.0, -y) : __builtin_atan2(2 * y, y < epsilon ? across : across - y * y);
    return (complex128){__builtin_copysign(re, a.re), __builtin_copysign(im * 0.5, a.im)};
}

HELPER complex128 arcsin_complex128(complex128 a) {
    complex128 b = arcsinh_complex128((complex128){a.im, a.re});
    return (complex128){b.im, b.re};
}

HELPER complex128 arctan_complex128(complex128 a) {
    complex128 b = arctanh_complex128((complex128){a.im, a.re});
    return (complex128){b.im, b.re};
}

HELPER complex128 arccosh_complex128(complex128 a) {
    complex128 b = arccos_complex128(a);
    if (b.re != b.re) return (complex128){b.im != b.im ? b.im : __builtin_fabs(b.im), b.re};
    if (b.im != b.im) return (complex128){b.im, b.re};
    return (complex128){__builtin_fabs(b.im), __builtin_copysign(b.re, a.im)};
}
