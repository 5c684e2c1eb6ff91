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

typedef int int32_t;

typedef long int64_t;

typedef ulong uint64_t;

__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void jacobi_1(__global char *u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0,
        int64_t u_3_n1,
        int64_t u_3_s0,
        __global char *v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0,
        int64_t v_3_n1,
        int64_t v_3_s0,
        int64_t t_30,
        int64_t t_31,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent,
        __global int32_t *weft_flag) {
    __global double *u_3 = AT(double, u_3_memory, u_3_offset);
    __global double *v_3 = AT(double, v_3_memory, v_3_offset);
    /* line 19 */
    int64_t i_block = (int64_t)get_group_id(1);
    /* line 20 */
    int64_t j_block = (int64_t)get_group_id(0);
    /* line 19 */
    int64_t i_thread = (int64_t)get_local_id(1);
    /* line 20 */
    int64_t j_thread = (int64_t)get_local_id(0);
    /* line 19 */
    int64_t position_1 = i_block * 4 + i_thread + i_offset;
    if (position_1 < i_extent) {
        int64_t i_1 = 1 + position_1;
        /* line 21 */
        int64_t t_18 = i_1 - 1;
        int64_t t_19 = i_1 + 1;
        /* line 20 */
        int64_t position = j_block * 64 + j_thread + j_offset;
        if (position < j_extent) {
            int64_t j_1 = 1 + position;
            /* line 21 */
            double t_25 = AT(double, u_3, t_18 * u_3_s0)[j_1] + AT(double, u_3, t_19 * u_3_s0)[j_1] + AT(double, u_3, i_1 * u_3_s0)[j_1 - 1];
            if (UNLIKELY((uint64_t)i_1 >= (uint64_t)v_3_n0)) {
                *weft_flag = 1;
                return;
            }
            if (UNLIKELY((uint64_t)j_1 >= (uint64_t)v_3_n1)) {
                *weft_flag = 1;
                return;
            }
            AT(double, v_3, i_1 * v_3_s0)[j_1] = 0.25 * (t_25 + AT(double, u_3, i_1 * u_3_s0)[j_1 + 1]);
        }
    }
}
