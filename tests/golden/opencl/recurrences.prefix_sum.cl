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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void prefix_sum_0(const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        __global char *restrict partials_2_memory,
        int64_t partials_2_offset,
        int64_t partials_2_n0_given,
        int64_t t_22,
        int64_t tile_given,
        int64_t size_given,
        int64_t tile_offset_given,
        int64_t tile_extent_given) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global double *partials_2 = AT(double, partials_2_memory, partials_2_offset);
    index_t partials_2_n0 = (index_t)partials_2_n0_given;
    index_t tile_6 = (index_t)tile_given;
    index_t size_1 = (index_t)size_given;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 18 */
    index_t tile_block = (index_t)get_group_id(0);
    index_t tile_origin = tile_block * 256 + tile_offset;
    index_t i_thread = (index_t)get_local_id(0);
    index_t tile_7 = tile_origin + i_thread;
    if (tile_7 < tile_extent) {
        index_t t_27 = (tile_6 + tile_7) * size_1;
        double s_19 = -0.0;
        for (index_t step_2 = 0; step_2 < size_1; step_2++) {
            /* line 19 */
            s_19 += x_1[t_27 + step_2];
        }
        /* line 18 */
        partials_2[tile_7] = s_19;
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void prefix_sum_2(const __global char *restrict partials_3_memory,
        int64_t partials_3_offset,
        int64_t partials_3_n0_given,
        const __global char *restrict x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t t_32,
        int64_t tile_given_2,
        int64_t size_given_2,
        int64_t tile_offset_given_2,
        int64_t tile_extent_given_2) {
    __global double *partials_3 = AT(double, partials_3_memory, partials_3_offset);
    index_t partials_3_n0 = (index_t)partials_3_n0_given;
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t tile_9 = (index_t)tile_given_2;
    index_t size_2 = (index_t)size_given_2;
    index_t tile_offset_1 = (index_t)tile_offset_given_2;
    index_t tile_extent_1 = (index_t)tile_extent_given_2;
    /* line 18 */
    index_t tile_block_1 = (index_t)get_group_id(0);
    index_t tile_origin_1 = tile_block_1 * 256 + tile_offset_1;
    index_t i_thread_1 = (index_t)get_local_id(0);
    index_t tile_10 = tile_origin_1 + i_thread_1;
    if (tile_10 < tile_extent_1) {
        index_t t_37 = (tile_9 + tile_10) * size_2;
        double s_25 = partials_3[tile_10];
        for (index_t step_5 = 0; step_5 < size_2; step_5++) {
            index_t i_6 = t_37 + step_5;
            /* line 19 */
            double s_26 = s_25 + x_2[i_6];
            /* line 20 */
            out_1[i_6] = s_26;
            s_25 = s_26;
        }
    }
}
