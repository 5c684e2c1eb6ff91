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

#define false false

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

typedef uchar uint8_t;

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void keeps_positives_1(const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        __global char *restrict partials_3_memory,
        int64_t partials_3_offset,
        int64_t partials_3_n0_given,
        __global char *restrict partials_4_memory,
        int64_t partials_4_offset,
        int64_t partials_4_n0_given,
        int64_t t_50,
        int64_t t_given,
        int64_t size_given,
        int64_t tile_offset_given,
        int64_t tile_extent_given) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global int64_t *partials_3 = AT(int64_t, partials_3_memory, partials_3_offset);
    index_t partials_3_n0 = (index_t)partials_3_n0_given;
    __global uint8_t *partials_4 = AT(uint8_t, partials_4_memory, partials_4_offset);
    index_t partials_4_n0 = (index_t)partials_4_n0_given;
    index_t t_51 = (index_t)t_given;
    index_t size_1 = (index_t)size_given;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 12 */
    index_t tile_block = (index_t)get_group_id(0);
    index_t tile_origin = tile_block * 256 + tile_offset;
    index_t i_thread = (index_t)get_local_id(0);
    index_t tile_6 = tile_origin + i_thread;
    if (tile_6 < tile_extent) {
        index_t t_56 = (t_51 + tile_6) * size_1;
        int64_t k_28 = 0;
        for (index_t step_2 = 0; step_2 < size_1; step_2++) {
            /* line 13 */
            k_28 = x_1[t_56 + step_2] > 0.0 ? k_28 + 1 : k_28;
        }
        /* line 12 */
        partials_3[tile_6] = k_28;
        partials_4[tile_6] = false;
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void keeps_positives_3(const __global char *restrict partials_5_memory,
        int64_t partials_5_offset,
        int64_t partials_5_n0_given,
        const __global char *restrict partials_6_memory,
        int64_t partials_6_offset,
        int64_t partials_6_n0_given,
        const __global char *restrict x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t good_3,
        int64_t t_given_2,
        int64_t size_given_2,
        int64_t tile_offset_given_2,
        int64_t tile_extent_given_2) {
    __global int64_t *partials_5 = AT(int64_t, partials_5_memory, partials_5_offset);
    index_t partials_5_n0 = (index_t)partials_5_n0_given;
    __global int64_t *partials_6 = AT(int64_t, partials_6_memory, partials_6_offset);
    index_t partials_6_n0 = (index_t)partials_6_n0_given;
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t t_65 = (index_t)t_given_2;
    index_t size_2 = (index_t)size_given_2;
    index_t tile_offset_1 = (index_t)tile_offset_given_2;
    index_t tile_extent_1 = (index_t)tile_extent_given_2;
    /* line 12 */
    index_t tile_block_1 = (index_t)get_group_id(0);
    index_t tile_origin_1 = tile_block_1 * 256 + tile_offset_1;
    index_t i_thread_1 = (index_t)get_local_id(0);
    index_t tile_8 = tile_origin_1 + i_thread_1;
    if (tile_8 < tile_extent_1) {
        index_t t_70 = (t_65 + tile_8) * size_2;
        int64_t partial_15 = partials_5[tile_8];
        int64_t end_2 = partial_15 + partials_6[tile_8];
        int64_t k_36 = partial_15;
        for (index_t step_5 = 0; step_5 < size_2; step_5++) {
            /* line 13 */
            double t_71 = x_2[t_70 + step_5];
            /* line 14 */
            if (k_36 < end_2) {
                out_1[(index_t)k_36] = t_71;
            }
            /* line 13 */
            k_36 = t_71 > 0.0 ? k_36 + 1 : k_36;
        }
    }
}
