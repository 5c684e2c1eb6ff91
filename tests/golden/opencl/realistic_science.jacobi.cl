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
        int64_t t_51,
        int64_t t_52,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent) {
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
        int64_t i_2 = 1 + position_1;
        /* line 21 */
        int64_t t_20 = i_2 - 1;
        int64_t t_40 = i_2 + 1;
        /* line 20 */
        int64_t position = j_block * 64 + j_thread + j_offset;
        if (position < j_extent) {
            int64_t j_2 = 1 + position;
            /* line 21 */
            double t_46 = AT(double, u_3, t_20 * u_3_s0)[j_2] + AT(double, u_3, t_40 * u_3_s0)[j_2] + AT(double, u_3, i_2 * u_3_s0)[j_2 - 1];
            AT(double, v_3, i_2 * v_3_s0)[j_2] = 0.25 * (t_46 + AT(double, u_3, i_2 * u_3_s0)[j_2 + 1]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void jacobi_2(__global char *u_4_memory,
        int64_t u_4_offset,
        int64_t u_4_n0,
        int64_t u_4_n1,
        int64_t u_4_s0,
        __global char *v_4_memory,
        int64_t v_4_offset,
        int64_t v_4_n0,
        int64_t v_4_n1,
        int64_t v_4_s0,
        int64_t t_65,
        int64_t t_66,
        int64_t i_offset_1,
        int64_t i_extent_1,
        int64_t j_offset_1,
        int64_t j_extent_1,
        __global int32_t *weft_flag) {
    __global double *u_4 = AT(double, u_4_memory, u_4_offset);
    __global double *v_4 = AT(double, v_4_memory, v_4_offset);
    /* line 19 */
    int64_t i_block_1 = (int64_t)get_group_id(1);
    /* line 20 */
    int64_t j_block_1 = (int64_t)get_group_id(0);
    /* line 19 */
    int64_t i_thread_1 = (int64_t)get_local_id(1);
    /* line 20 */
    int64_t j_thread_1 = (int64_t)get_local_id(0);
    /* line 19 */
    int64_t position_3 = i_block_1 * 4 + i_thread_1 + i_offset_1;
    if (position_3 < i_extent_1) {
        int64_t i_3 = 1 + position_3;
        /* line 21 */
        int64_t t_53 = i_3 - 1;
        int64_t t_54 = i_3 + 1;
        /* line 20 */
        int64_t position_2 = j_block_1 * 64 + j_thread_1 + j_offset_1;
        if (position_2 < j_extent_1) {
            int64_t j_3 = 1 + position_2;
            /* line 21 */
            double t_60 = AT(double, u_4, t_53 * u_4_s0)[j_3] + AT(double, u_4, t_54 * u_4_s0)[j_3] + AT(double, u_4, i_3 * u_4_s0)[j_3 - 1];
            if (UNLIKELY((uint64_t)i_3 >= (uint64_t)v_4_n0)) {
                *weft_flag = 1;
                return;
            }
            if (UNLIKELY((uint64_t)j_3 >= (uint64_t)v_4_n1)) {
                *weft_flag = 1;
                return;
            }
            AT(double, v_4, i_3 * v_4_s0)[j_3] = 0.25 * (t_60 + AT(double, u_4, i_3 * u_4_s0)[j_3 + 1]);
        }
    }
}
