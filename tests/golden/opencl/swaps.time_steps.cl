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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void time_steps_1(const __global char *restrict u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0_given,
        __global char *restrict v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0_given,
        int64_t t_28,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global double *u_3 = AT(double, u_3_memory, u_3_offset);
    index_t u_3_n0 = (index_t)u_3_n0_given;
    __global double *v_3 = AT(double, v_3_memory, v_3_offset);
    index_t v_3_n0 = (index_t)v_3_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 15 */
    index_t i_low = 1 + i_offset;
    index_t i_high = 1 + i_extent;
    index_t i_first = i_low - i_low % 2;
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)(size_t)u_3) & 15) == 0) & (((int64_t)(size_t)v_3) & 15) == 0) {
        index_t i_thread = (index_t)get_local_id(0);
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_low) & (i_2 + 1 < i_high)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_36 = i_4 + run * 512;
                /* line 16 */
                double2 run_1 = vload2(0, AT(double, u_3, (int64_t)(t_36) * 8));
                double2 run_2 = (double2)(0.25 * u_3[t_36 - 1] + 0.5 * run_1.x + 0.25 * run_1.y, 0.25 * run_1.x + 0.5 * run_1.y + 0.25 * u_3[t_36 + 1 + 1]);
                vstore2(run_2, 0, AT(double, v_3, (int64_t)(t_36) * 8));
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_low) & (i_7 < i_high)) {
                    /* line 16 */
                    v_3[i_7] = 0.25 * u_3[i_7 - 1] + 0.5 * u_3[i_7] + 0.25 * u_3[i_7 + 1];
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)get_local_id(0);
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_low) & (i_9 < i_high)) {
                /* line 16 */
                v_3[i_9] = 0.25 * u_3[i_9 - 1] + 0.5 * u_3[i_9] + 0.25 * u_3[i_9 + 1];
            }
        }
    }
}
