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

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

typedef uint uint32_t;

__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void mandelbrot_0(__global char *restrict out_5_memory,
        int64_t out_5_offset,
        int64_t out_5_n0_given,
        int64_t out_5_n1_given,
        int64_t out_5_s0_given,
        int64_t out_dim0_1,
        double t_43,
        int64_t out_dim1_1,
        double t_44,
        int64_t limit_1,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given,
        const volatile __global int32_t *weft_stop,
        __global int32_t *weft_flag) {
    __global int32_t *out_5 = AT(int32_t, out_5_memory, out_5_offset);
    index_t out_5_n0 = (index_t)out_5_n0_given;
    index_t out_5_n1 = (index_t)out_5_n1_given;
    index_t out_5_s0 = (index_t)(out_5_s0_given >> 2);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    index_t j_offset = (index_t)j_offset_given;
    index_t j_extent = (index_t)j_extent_given;
    /* line 67 */
    index_t i_block = (index_t)get_group_id(1);
    /* line 68 */
    index_t j_block = (index_t)get_group_id(0);
    /* line 67 */
    index_t i_origin = i_block * 4 + i_offset;
    /* line 68 */
    index_t j_origin = j_block * 64 + j_offset;
    /* line 67 */
    index_t i_thread = (index_t)get_local_id(1);
    index_t j_thread = (index_t)get_local_id(0);
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        index_t j_2 = j_origin + j_thread;
        if (j_2 < j_extent) {
            /* line 70 */
            double cy_2 = 2.0 * (double)i_2 / t_43 - 1.0;
            /* line 69 */
            double cx_2 = 3.0 * (double)j_2 / t_44 - 2.0;
            /* line 74 */
            double x_5 = 0.0;
            double y_5 = 0.0;
            int64_t count_7 = 0;
            if (limit_1 > 65536) {
                uint32_t turns = 0;
                if (*weft_stop) {
                    return;
                }
#pragma unroll 16
                while ((x_5 * x_5 + y_5 * y_5 <= 4.0) & (count_7 < limit_1)) {
                    if ((++turns & 65535) == 0 && *weft_stop) {
                        return;
                    }
                    /* line 76 */
                    double next_x_5 = x_5 * x_5 - y_5 * y_5 + cx_2;
                    y_5 = 2.0 * x_5 * y_5 + cy_2;
                    count_7 += 1;
                    x_5 = next_x_5;
                }
            } else {
                while ((x_5 * x_5 + y_5 * y_5 <= 4.0) & (count_7 < limit_1)) {
                    /* line 76 */
                    double next_x_5_2 = x_5 * x_5 - y_5 * y_5 + cx_2;
                    y_5 = 2.0 * x_5 * y_5 + cy_2;
                    count_7 += 1;
                    x_5 = next_x_5_2;
                }
            }
            /* line 68 */
            out_5[i_2 * out_5_s0 + j_2] = (int32_t)count_7;
        }
    }
}
