typedef struct {
    float re, im;
} complex64;

typedef struct {
    double re, im;
} complex128;

HELPER complex64 complex64_from_complex128(complex128 a) { return (complex64){(float)a.re, (float)a.im}; }

HELPER complex128 complex128_from_complex64(complex64 a) { return (complex128){a.re, a.im}; }

HELPER bool is_zero_@(TYPE a) { return a.re == 0 && a.im == 0; }

HELPER TYPE add_@(TYPE a, TYPE b) { return (TYPE){a.re + b.re, a.im + b.im}; }

HELPER TYPE sub_@(TYPE a, TYPE b) { return (TYPE){a.re - b.re, a.im - b.im}; }

/* a.re * b.re - a.im * b.im, written as a sum of products: gcc 12 turns the difference beside the sum into one fused
   instruction (vfmaddsub), although it is told not to contract. */
HELPER TYPE mul_@(TYPE a, TYPE b) {
    return (TYPE){difference_PARTTAG(a.re * b.re, a.im * b.im), a.re * b.im + a.im * b.re};
}

/* Smith's algorithm, as NumPy and Python have it. */
HELPER TYPE truediv_@(TYPE a, TYPE b) {
    PART re = __builtin_fabsSUFFIX(b.re), im = __builtin_fabsSUFFIX(b.im);
    if (re >= im) {
        if (re == 0 && im == 0) return (TYPE){a.re / re, a.im / re};
        PART ratio = b.im / b.re, scale = (PART)1 / (b.re + b.im * ratio);
        return (TYPE){(a.re + a.im * ratio) * scale, difference_PARTTAG(a.im, a.re * ratio) * scale};
    }
    PART ratio = b.re / b.im, scale = (PART)1 / (b.im + b.re * ratio);
    return (TYPE){(a.re * ratio + a.im) * scale, difference_PARTTAG(a.im * ratio, a.re) * scale};
}

/* Python divides by what NumPy multiplies with the reciprocal of. */
HELPER complex128 python_truediv_complex128(complex128 a, complex128 b) {
    double re = __builtin_fabs(b.re), im = __builtin_fabs(b.im);
    if (re >= im) {
        double ratio = b.im / b.re, size = b.re + b.im * ratio;
        return (complex128){(a.re + a.im * ratio) / size, difference_float64(a.im, a.re * ratio) / size};
    }
    if (!(im >= re)) return (complex128){(double)NAN, (double)NAN};
    double ratio = b.re / b.im, size = b.re * ratio + b.im;
    return (complex128){(a.re * ratio + a.im) / size, difference_float64(a.im * ratio, a.re) / size};
}

HELPER TYPE neg_@(TYPE a) { return (TYPE){-a.re, -a.im}; }

HELPER PART abs_@(TYPE a) { return __builtin_hypotSUFFIX(a.re, a.im); }

HELPER PART absolute_@(TYPE a) { return __builtin_hypotSUFFIX(a.re, a.im); }

HELPER bool complex_abs_fails(complex128 a, double size) {
    const double infinity = (double)INFINITY;
    return size == infinity && __builtin_fabs(a.re) < infinity && __builtin_fabs(a.im) < infinity;
}

HELPER bool eq_@(TYPE a, TYPE b) { return a.re == b.re && a.im == b.im; }

HELPER bool ne_@(TYPE a, TYPE b) { return a.re != b.re || a.im != b.im; }

HELPER bool lt_@(TYPE a, TYPE b) { return a.re == b.re ? a.im < b.im : a.re < b.re; }

HELPER bool le_@(TYPE a, TYPE b) { return a.re == b.re ? a.im <= b.im : a.re < b.re; }

HELPER bool gt_@(TYPE a, TYPE b) { return lt_@(b, a); }

HELPER bool ge_@(TYPE a, TYPE b) { return le_@(b, a); }

HELPER PART real_@(TYPE a) { return a.re; }

HELPER PART imag_@(TYPE a) { return a.im; }

HELPER TYPE conjugate_@(TYPE a) { return (TYPE){a.re, -a.im}; }

HELPER TYPE square_@(TYPE a) { return mul_@(a, a); }

HELPER TYPE reciprocal_@(TYPE a) {
    PART re = __builtin_fabsSUFFIX(a.re), im = __builtin_fabsSUFFIX(a.im);
    if (im <= re) {
        PART ratio = a.im / a.re, size = a.re + a.im * ratio;
        return (TYPE){1 / size, -ratio / size};
    }
    PART ratio = a.re / a.im, size = a.re * ratio + a.im;
    return (TYPE){ratio / size, -1 / size};
}

HELPER bool isnan_@(TYPE a) { return a.re != a.re || a.im != a.im; }

HELPER bool isinf_@(TYPE a) {
    return __builtin_fabsSUFFIX(a.re) == (PART)INFINITY || __builtin_fabsSUFFIX(a.im) == (PART)INFINITY;
}

HELPER bool isfinite_@(TYPE a) {
    return __builtin_fabsSUFFIX(a.re) < (PART)INFINITY && __builtin_fabsSUFFIX(a.im) < (PART)INFINITY;
}

HELPER bool logical_not_@(TYPE a) { return is_zero_@(a); }

HELPER bool logical_and_@(TYPE a, TYPE b) { return !is_zero_@(a) & !is_zero_@(b); }

HELPER bool logical_or_@(TYPE a, TYPE b) { return !is_zero_@(a) | !is_zero_@(b); }

HELPER bool logical_xor_@(TYPE a, TYPE b) { return is_zero_@(a) != is_zero_@(b); }

HELPER TYPE sign_@(TYPE a) {
    PART size = __builtin_hypotSUFFIX(a.re, a.im);
    if (size == 0 || size != size) return (TYPE){size == 0 ? 0 : size, size == 0 ? 0 : size};
    if (size == (PART)INFINITY) {
        PART re = __builtin_fabsSUFFIX(a.re) == (PART)INFINITY ? __builtin_copysignSUFFIX(1, a.re) : 0;
        PART im = __builtin_fabsSUFFIX(a.im) == (PART)INFINITY ? __builtin_copysignSUFFIX(1, a.im) : 0;
        if (re != 0 && im != 0) return (TYPE){(PART)NAN, (PART)NAN};
        return (TYPE){re, im};
    }
    return (TYPE){a.re / size, a.im / size};
}

HELPER TYPE maximum_@(TYPE a, TYPE b) { return isnan_@(a) || ge_@(a, b) & !isnan_@(b) ? a : b; }

HELPER TYPE minimum_@(TYPE a, TYPE b) { return isnan_@(a) || le_@(a, b) & !isnan_@(b) ? a : b; }

HELPER TYPE fmax_@(TYPE a, TYPE b) { return isnan_@(b) || ge_@(a, b) & !isnan_@(a) ? a : b; }

HELPER TYPE fmin_@(TYPE a, TYPE b) { return isnan_@(b) || le_@(a, b) & !isnan_@(a) ? a : b; }

HELPER TYPE sqrt_@(TYPE a) {
    PART _Complex z = __builtin_csqrtSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE exp_@(TYPE a) {
    PART _Complex z = __builtin_cexpSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE log_@(TYPE a) {
    PART _Complex z = __builtin_clogSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE sin_@(TYPE a) {
    PART _Complex z = __builtin_csinSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE cos_@(TYPE a) {
    PART _Complex z = __builtin_ccosSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE tan_@(TYPE a) {
    PART _Complex z = __builtin_ctanSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE arcsin_@(TYPE a) {
    PART _Complex z = __builtin_casinSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE arccos_@(TYPE a) {
    PART _Complex z = __builtin_cacosSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE arctan_@(TYPE a) {
    PART _Complex z = __builtin_catanSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE sinh_@(TYPE a) {
    PART _Complex z = __builtin_csinhSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE cosh_@(TYPE a) {
    PART _Complex z = __builtin_ccoshSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE tanh_@(TYPE a) {
    PART _Complex z = __builtin_ctanhSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE arcsinh_@(TYPE a) {
    PART _Complex z = __builtin_casinhSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE arccosh_@(TYPE a) {
    PART _Complex z = __builtin_cacoshSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE arctanh_@(TYPE a) {
    PART _Complex z = __builtin_catanhSUFFIX(complex_of_@(a));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER PART _Complex complex_of_@(TYPE a) {
    PART _Complex z = a.re;
    __imag__ z = a.im;
    return z;
}

HELPER TYPE expm1_@(TYPE a) {
    PART sine = __builtin_sinSUFFIX(a.im / 2);
    return (TYPE){__builtin_expm1SUFFIX(a.re) * __builtin_cosSUFFIX(a.im) - 2 * sine * sine,
                  __builtin_expSUFFIX(a.re) * __builtin_sinSUFFIX(a.im)};
}

HELPER TYPE log1p_@(TYPE a) {
    return (TYPE){__builtin_logSUFFIX(__builtin_hypotSUFFIX(a.re + 1, a.im)), __builtin_atan2SUFFIX(a.im, a.re + 1)};
}

HELPER TYPE exp2_@(TYPE a) {
    return exp_@((TYPE){a.re * (PART)0.693147180559945309417232121458176568, a.im * (PART)0.693147180559945309417232121458176568});
}

HELPER TYPE log2_@(TYPE a) {
    TYPE b = log_@(a);
    return (TYPE){b.re * (PART)1.442695040888963407359924681001892137, b.im * (PART)1.442695040888963407359924681001892137};
}

HELPER TYPE log10_@(TYPE a) {
    TYPE b = log_@(a);
    return (TYPE){b.re * (PART)0.434294481903251827651128918916605082, b.im * (PART)0.434294481903251827651128918916605082};
}

/* NumPy's power: by repeated multiplication where the exponent is a small integer. */
HELPER TYPE pow_@(TYPE a, TYPE b) {
    if (is_zero_@(b)) return (TYPE){1, 0};
    if (is_zero_@(a)) return b.re > 0 ? (TYPE){0, 0} : (TYPE){(PART)NAN, (PART)NAN};
    if (b.im == 0 && b.re == __builtin_truncSUFFIX(b.re) && b.re > -100 && b.re < 100) return whole_power_@(a, (int)b.re);
    PART _Complex z = __builtin_cpowSUFFIX(complex_of_@(a), complex_of_@(b));
    return (TYPE){__real__ z, __imag__ z};
}

HELPER TYPE whole_power_@(TYPE a, int exponent) {
    if (exponent == 1) return a;
    if (exponent == 2) return mul_@(a, a);
    if (exponent == 3) return mul_@(a, mul_@(a, a));
    TYPE result = {1, 0}, square = a;
    int rest = exponent < 0 ? -exponent : exponent;
    for (;;) {
        if (rest & 1) result = mul_@(result, square);
        rest >>= 1;
        if (!rest) break;
        square = mul_@(square, square);
    }
    return exponent < 0 ? truediv_@((TYPE){1, 0}, result) : result;
}

/* Python's power: small integers by multiplication, others in polar form. */
HELPER complex128 python_pow_complex128(complex128 a, complex128 b) {
    if (b.im == 0 && b.re == __builtin_floor(b.re) && __builtin_fabs(b.re) <= 100) return python_whole_power(a, (int)b.re);
    if (is_zero_complex128(b)) return (complex128){1, 0};
    if (is_zero_complex128(a)) return (complex128){0, 0};
    double size = __builtin_hypot(a.re, a.im), length = __builtin_pow(size, b.re);
    double angle = __builtin_atan2(a.im, a.re), phase = angle * b.re;
    if (b.im != 0) {
        length *= __builtin_exp(-angle * b.im);
        phase += b.im * __builtin_log(size);
    }
    return (complex128){length * __builtin_cos(phase), length * __builtin_sin(phase)};
}

HELPER complex128 python_whole_power(complex128 a, int exponent) {
    complex128 result = {1, 0}, square = a;
    int rest = exponent < 0 ? -exponent : exponent;
    for (int mask = 1; mask > 0 && rest >= mask; mask <<= 1) {
        if (rest & mask) result = mul_complex128(result, square);
        square = mul_complex128(square, square);
    }
    return exponent < 0 ? python_truediv_complex128((complex128){1, 0}, result) : result;
}

HELPER bool complex_pow_fails(complex128 a, complex128 b, complex128 result) {
    if (is_zero_complex128(a)) return b.im != 0 || b.re < 0;
    const double infinity = (double)INFINITY;
    return __builtin_fabs(result.re) == infinity || __builtin_fabs(result.im) == infinity;
}

HELPER TYPE float_power_@(TYPE a, TYPE b) { return pow_@(a, b); }

HELPER TYPE rint_@(TYPE a) { return (TYPE){__builtin_rintSUFFIX(a.re), __builtin_rintSUFFIX(a.im)}; }
