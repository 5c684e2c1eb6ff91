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

typedef long int64_t;

__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void mandelbrot_0(__global char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_s0,
        int64_t out_dim0_1,
        double t_43,
        int64_t out_dim1_1,
        double t_44,
        int64_t limit_1,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent,
        __global int32_t *weft_flag) {
    __global int32_t *out_1 = AT(int32_t, out_1_memory, out_1_offset);
    /* line 67 */
    int64_t i_block = (int64_t)get_group_id(1);
    /* line 68 */
    int64_t j_block = (int64_t)get_group_id(0);
    /* line 67 */
    int64_t i_thread = (int64_t)get_local_id(1);
    /* line 68 */
    int64_t j_thread = (int64_t)get_local_id(0);
    /* line 67 */
    int64_t position_1 = i_block * 4 + i_thread + i_offset;
    if (position_1 < i_extent) {
        int64_t i_1 = 0 + position_1;
        /* line 70 */
        double cy_1 = 2.0 * (double)i_1 / t_43 - 1.0;
        /* line 68 */
        int64_t position = j_block * 64 + j_thread + j_offset;
        if (position < j_extent) {
            int64_t j_1 = 0 + position;
            /* line 69 */
            double cx_1 = 3.0 * (double)j_1 / t_44 - 2.0;
            /* line 74 */
            double x_3 = 0.0;
            double y_3 = 0.0;
            int64_t count_4 = 0;
            while ((x_3 * x_3 + y_3 * y_3 <= 4.0) & (count_4 < limit_1)) {
                /* line 76 */
                double next_x_3 = x_3 * x_3 - y_3 * y_3 + cx_1;
                y_3 = 2.0 * x_3 * y_3 + cy_1;
                count_4 += 1;
                x_3 = next_x_3;
            }
            /* line 77 */
            AT(int32_t, out_1, i_1 * out_1_s0)[j_1] = (int32_t)count_4;
        }
    }
}
