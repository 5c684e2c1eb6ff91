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

__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void lower_triangle_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_s0_given,
        int64_t a_dim0_2,
        int64_t a_dim0_3,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 3);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    index_t j_offset = (index_t)j_offset_given;
    index_t j_extent = (index_t)j_extent_given;
    /* line 14 */
    index_t i_block = (index_t)get_group_id(1);
    /* line 15 */
    index_t j_block = (index_t)get_group_id(0);
    /* line 14 */
    index_t i_origin = i_block * 4 + i_offset;
    /* line 15 */
    index_t j_origin = j_block * 64 + j_offset;
    /* line 14 */
    index_t i_thread = (index_t)get_local_id(1);
    index_t j_thread = (index_t)get_local_id(0);
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        index_t j_2 = j_origin + j_thread;
        if (j_2 < j_extent) {
            /* line 15 */
            if (j_2 < i_2 + 1) {
                /* line 16 */
                out_1[i_2 * out_1_s0 + j_2] = a_1[i_2 * a_1_s0 + j_2] * 2.0;
            }
        }
    }
}
