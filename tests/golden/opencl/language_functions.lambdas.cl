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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void lambdas_0(const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t x_dim0_1,
        double t_12,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 85 */
    index_t i_first = i_offset - i_offset % 2;
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)(size_t)x_1) & 15) == 0) & (((int64_t)(size_t)out_1) & 15) == 0) {
        index_t i_thread = (index_t)get_local_id(0);
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_20 = i_4 + run * 512;
                /* line 86 */
                double2 run_1 = vload2(0, AT(double, x_1, (int64_t)(t_20) * 8));
                /* line 86 */
                double2 run_2 = (double2)((run_1.x + 1.0) * (run_1.x + t_12), (run_1.y + 1.0) * (run_1.y + t_12));
                vstore2(run_2, 0, AT(double, out_1, (int64_t)(t_20) * 8));
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 86 */
                    double t_30 = x_1[i_7];
                    /* line 86 */
                    out_1[i_7] = (t_30 + 1.0) * (t_30 + t_12);
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)get_local_id(0);
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 86 */
                double t_35 = x_1[i_9];
                /* line 86 */
                out_1[i_9] = (t_35 + 1.0) * (t_35 + t_12);
            }
        }
    }
}
