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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void slices_with_steps_0(const __global char *restrict backwards_1_memory,
        int64_t backwards_1_offset,
        int64_t backwards_1_n0_given,
        int64_t backwards_1_s0_given,
        __global char *restrict every_third_1_memory,
        int64_t every_third_1_offset,
        int64_t every_third_1_n0_given,
        int64_t every_third_1_s0_given,
        int64_t t_12,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global double *backwards_1 = AT(double, backwards_1_memory, backwards_1_offset);
    index_t backwards_1_n0 = (index_t)backwards_1_n0_given;
    index_t backwards_1_s0 = (index_t)(backwards_1_s0_given >> 3);
    __global double *every_third_1 = AT(double, every_third_1_memory, every_third_1_offset);
    index_t every_third_1_n0 = (index_t)every_third_1_n0_given;
    index_t every_third_1_s0 = (index_t)(every_third_1_s0_given >> 3);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 21 */
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)get_local_id(0);
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 22 */
        every_third_1[i_2 * every_third_1_s0] = backwards_1[i_2 * backwards_1_s0];
    }
}
