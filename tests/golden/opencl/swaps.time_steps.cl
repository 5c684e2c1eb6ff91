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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void time_steps_1(__global char *u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0,
        __global char *v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0,
        int64_t t_38,
        int64_t i_offset,
        int64_t i_extent) {
    __global double *u_3 = AT(double, u_3_memory, u_3_offset);
    __global double *v_3 = AT(double, v_3_memory, v_3_offset);
    /* line 15 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_2 = 1 + position;
        /* line 16 */
        v_3[i_2] = 0.25 * u_3[i_2 - 1] + 0.5 * u_3[i_2] + 0.25 * u_3[i_2 + 1];
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void time_steps_2(__global char *u_4_memory,
        int64_t u_4_offset,
        int64_t u_4_n0,
        __global char *v_4_memory,
        int64_t v_4_offset,
        int64_t v_4_n0,
        int64_t t_49,
        int64_t i_offset_1,
        int64_t i_extent_1,
        __global int32_t *weft_flag) {
    __global double *u_4 = AT(double, u_4_memory, u_4_offset);
    __global double *v_4 = AT(double, v_4_memory, v_4_offset);
    /* line 15 */
    int64_t i_block_1 = (int64_t)get_group_id(0);
    int64_t i_thread_1 = (int64_t)get_local_id(0);
    int64_t position_1 = i_block_1 * 256 + i_thread_1 + i_offset_1;
    if (position_1 < i_extent_1) {
        int64_t i_3 = 1 + position_1;
        /* line 16 */
        if (UNLIKELY((uint64_t)i_3 >= (uint64_t)v_4_n0)) {
            *weft_flag = 1;
            return;
        }
        v_4[i_3] = 0.25 * u_4[i_3 - 1] + 0.5 * u_4[i_3] + 0.25 * u_4[i_3 + 1];
    }
}
