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

#define UNLIKELY(condition) (condition)

#define HELPER static inline __attribute__((unused))

#define bool bool

#undef INFINITY
#define INFINITY as_float(0x7f800000u)

#define __builtin_fabs fabs

HELPER bool is_finite(double a) { return __builtin_fabs(a) < (double)INFINITY; }

/* Without branches, so that loops over lanes become vectors. */
HELPER bool pow_fails(double a, double b, double result) {
    return !is_finite(result) & (result != result ? a == a & b == b : is_finite(a) & is_finite(b));
}

HELPER bool argument2_raises(double result, double a, double b) { return pow_fails(a, b, result); }

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

#define __builtin_pow(a, b) pow((double)(a), (double)(b))

HELPER double pow_float64(double a, double b) { return __builtin_pow(a, b); }

/* The power of Python's floats; vector_math.h has another one for processors. */
HELPER double python_pow_float64(double a, double b) { return pow_float64(a, b); }

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void powers_0(const __global char *restrict x_1_memory,
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
        int64_t i_extent_given,
        __global int32_t *weft_flag) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global double *y_1 = AT(double, y_1_memory, y_1_offset);
    index_t y_1_n0 = (index_t)y_1_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 3);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 69 */
    index_t i_first = i_offset - i_offset % 2;
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 512 + i_first;
    bool inside_1 = ((((int64_t)(size_t)x_1) & 15) == 0) & (((int64_t)(size_t)y_1) & 15) == 0 & (((int64_t)(size_t)out_1 | (int64_t)out_1_s0 * 8) & 15) == 0;
    if (inside_1) {
        index_t i_thread = (index_t)get_local_id(0);
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_32 = i_4 + run * 512;
                /* line 70 */
                double2 run_1 = vload2(0, AT(double, x_1, (int64_t)(t_32) * 8));
                double2 run_2 = vload2(0, AT(double, y_1, (int64_t)(t_32) * 8));
                vstore2((double2)(pow_float64(run_1.x, run_2.x), pow_float64(run_1.y, run_2.y)), 0, AT(double, out_1, (int64_t)(t_32) * 8));
                /* line 71 */
                double t_41 = python_pow_float64(run_1.x, 2.5);
                if (UNLIKELY(argument2_raises(t_41, run_1.x, 2.5))) {
                    *weft_flag = 1;
                    return;
                }
                double t_42 = python_pow_float64(run_1.y, 2.5);
                if (UNLIKELY(argument2_raises(t_42, run_1.y, 2.5))) {
                    *weft_flag = 1;
                    return;
                }
                vstore2((double2)(t_41, t_42), 0, AT(double, out_1, (int64_t)(1 * out_1_s0 + t_32) * 8));
                /* line 72 */
                vstore2((double2)(run_1.x * run_1.x * run_1.x, run_1.y * run_1.y * run_1.y), 0, AT(double, out_1, (int64_t)(2 * out_1_s0 + t_32) * 8));
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 70 */
                    double t_48 = x_1[i_7];
                    double t_49 = y_1[i_7];
                    out_1[i_7] = pow_float64(t_48, t_49);
                    /* line 71 */
                    double t_52 = python_pow_float64(t_48, 2.5);
                    if (UNLIKELY(argument2_raises(t_52, t_48, 2.5))) {
                        *weft_flag = 1;
                        return;
                    }
                    out_1[1 * out_1_s0 + i_7] = t_52;
                    /* line 72 */
                    out_1[2 * out_1_s0 + i_7] = t_48 * t_48 * t_48;
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)get_local_id(0);
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 70 */
                double t_56 = x_1[i_9];
                double t_57 = y_1[i_9];
                out_1[i_9] = pow_float64(t_56, t_57);
                /* line 71 */
                double t_60 = python_pow_float64(t_56, 2.5);
                if (UNLIKELY(argument2_raises(t_60, t_56, 2.5))) {
                    *weft_flag = 1;
                    return;
                }
                out_1[1 * out_1_s0 + i_9] = t_60;
                /* line 72 */
                out_1[2 * out_1_s0 + i_9] = t_56 * t_56 * t_56;
            }
        }
    }
}
