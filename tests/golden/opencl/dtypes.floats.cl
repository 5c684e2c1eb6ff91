#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define AT(type, pointer, bytes) ((__global type *)((__global char *)(pointer) + (bytes)))

#define HELPER static inline __attribute__((unused))

#define __builtin_fabsf fabs

HELPER float fabs_float32(float a) { return __builtin_fabsf(a); }

#define __builtin_copysignf(a, b) copysign((float)(a), (float)(b))

#define __builtin_floorf floor

#define __builtin_fmodf(a, b) fmod((float)(a), (float)(b))

HELPER float floordiv_float32(float a, float b) {
    if (b == 0) return a / b;
    float rest = __builtin_fmodf(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return __builtin_copysignf(0, a / b);
    float whole = __builtin_floorf(quotient);
    return quotient - whole > (float)0.5 ? whole + 1 : whole;
}

typedef ushort half_t;

HELPER half_t half_from_float32(float a) {
    half_t value;
    vstore_half_rte(a, 0, (half *)&value);
    return value;
}

HELPER half_t half_from_float64(double a) {
    half_t value;
    vstore_half_rte(a, 0, (half *)&value);
    return value;
}

HELPER float half_to_float32(half_t a) { return vload_half(0, (const half *)&a); }

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

HELPER float mod_float32(float a, float b) {
    float rest = __builtin_fmodf(a, b);
    if (b == 0) return rest;
    if (rest == 0) return __builtin_copysignf(0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void floats_0(const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const __global char *restrict y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_s0_given,
        int64_t x_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global half_t *x_1 = AT(half_t, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global half_t *y_1 = AT(half_t, y_1_memory, y_1_offset);
    index_t y_1_n0 = (index_t)y_1_n0_given;
    __global half_t *out_1 = AT(half_t, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 1);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 75 */
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)get_local_id(0);
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 76 */
        half_t t_36 = x_1[i_2];
        half_t t_37 = y_1[i_2];
        half_t t_38 = half_from_float32(half_to_float32(t_37) * half_to_float32(half_from_float64(2.0)));
        out_1[i_2] = half_from_float32(half_to_float32(t_36) + half_to_float32(t_38));
        /* line 77 */
        half_t t_40 = half_from_float32(half_to_float32(t_37) * half_to_float32(half_from_float64(0.0999755859375)));
        out_1[1 * out_1_s0 + i_2] = half_from_float32(half_to_float32(t_36) - half_to_float32(t_40));
        /* line 78 */
        out_1[2 * out_1_s0 + i_2] = half_from_float32(half_to_float32(t_36) / half_to_float32(t_37));
        /* line 79 */
        half_t t_43 = half_from_float32(floordiv_float32(half_to_float32(t_36), half_to_float32(t_37)));
        out_1[3 * out_1_s0 + i_2] = t_43;
        /* line 80 */
        out_1[4 * out_1_s0 + i_2] = half_from_float32(mod_float32(half_to_float32(t_36), half_to_float32(t_37)));
        /* line 81 */
        half_t t_46 = half_from_float32(-half_to_float32(half_from_float32(fabs_float32(half_to_float32(t_36)))));
        out_1[5 * out_1_s0 + i_2] = t_46;
    }
}
