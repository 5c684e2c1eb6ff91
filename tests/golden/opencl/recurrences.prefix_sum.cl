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

__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void prefix_sum_0(const __global char *restrict x_1_memory,
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
    index_t tile_origin = tile_block * 8 + tile_offset;
    __local double partial_2[264];
    double own[2];
    {
        index_t i_thread = (index_t)get_local_id(1);
        index_t i_thread_1 = (index_t)get_local_id(0);
        index_t tile_7 = tile_origin + i_thread;
        if (tile_7 < tile_extent) {
            index_t t_27 = (tile_6 + tile_7) * size_1;
            own[0] = -0.0;
            own[1] = -0.0;
            index_t rounds = (0 > size_1 ? 0 : size_1) / 64;
            index_t t_28 = i_thread_1 * 2;
            for (index_t round = 0; round < rounds; round++) {
                index_t t_30 = t_28 + round * 64;
                /* line 18 */
                double s_19 = own[1] + x_1[t_27 + (t_30 + 1)];
                own[0] = own[0] + x_1[t_27 + t_30];
                own[1] = s_19;
            }
            index_t t_36 = rounds * 64 + i_thread_1;
            for (index_t rest = 0; rest < 2; rest++) {
                index_t t_38 = t_36 + rest * 32;
                if (t_38 < size_1) {
                    /* line 18 */
                    own[0] = own[0] + x_1[t_27 + t_38];
                }
            }
            partial_2[i_thread * 33 + i_thread_1] = own[0] + own[1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_2 = (index_t)get_local_id(1);
        index_t i_thread_3 = (index_t)get_local_id(0);
        index_t thread = i_thread_2 * 32 + i_thread_3;
        if (thread < 8) {
            index_t tile_8 = tile_origin + thread;
            if (tile_8 < tile_extent) {
                double carried = -0.0;
#pragma unroll
                for (index_t part_2 = 0; part_2 < 32; part_2++) {
                    carried = carried + partial_2[thread * 33 + part_2];
                }
                partials_2[tile_8] = carried;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void prefix_sum_1(const __global char *restrict x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        __global char *restrict partials_3_memory,
        int64_t partials_3_offset,
        int64_t partials_3_n0_given,
        int64_t t_50,
        int64_t tile_given_2,
        int64_t size_given_2,
        int64_t tile_offset_given_2,
        int64_t tile_extent_given_2) {
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global double *partials_3 = AT(double, partials_3_memory, partials_3_offset);
    index_t partials_3_n0 = (index_t)partials_3_n0_given;
    index_t tile_10 = (index_t)tile_given_2;
    index_t size_2 = (index_t)size_given_2;
    index_t tile_offset_1 = (index_t)tile_offset_given_2;
    index_t tile_extent_1 = (index_t)tile_extent_given_2;
    /* line 18 */
    index_t tile_block_1 = (index_t)get_group_id(0);
    index_t tile_origin_1 = tile_block_1 + tile_offset_1;
    __local double partial_3[256];
    __local double partial_4[8];
    double own_1[2];
    {
        index_t i_thread_4 = (index_t)get_local_id(1);
        index_t i_thread_5 = (index_t)get_local_id(0);
        index_t tile_11 = tile_origin_1 + i_thread_4;
        if (tile_11 < tile_extent_1) {
            index_t t_53 = (tile_10 + tile_11) * size_2;
            own_1[0] = -0.0;
            own_1[1] = -0.0;
            index_t rounds_1 = (0 > size_2 ? 0 : size_2) / 512;
            index_t t_54 = i_thread_5 * 2;
            for (index_t round_1 = 0; round_1 < rounds_1; round_1++) {
                index_t t_56 = t_54 + round_1 * 512;
                /* line 18 */
                double s_25 = own_1[1] + x_2[t_53 + (t_56 + 1)];
                own_1[0] = own_1[0] + x_2[t_53 + t_56];
                own_1[1] = s_25;
            }
            index_t t_62 = rounds_1 * 512 + i_thread_5;
            for (index_t rest_1 = 0; rest_1 < 2; rest_1++) {
                index_t t_64 = t_62 + rest_1 * 256;
                if (t_64 < size_2) {
                    /* line 18 */
                    own_1[0] = own_1[0] + x_2[t_53 + t_64];
                }
            }
            partial_3[i_thread_4 * 256 + i_thread_5] = own_1[0] + own_1[1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t i_thread_7 = (index_t)get_local_id(0);
        if (tile_origin_1 + i_thread_6 < tile_extent_1) {
            if (i_thread_7 < 8) {
                double v_carried_1 = -0.0;
#pragma unroll
                for (index_t part_1 = 0; part_1 < 32; part_1++) {
                    v_carried_1 = v_carried_1 + partial_3[i_thread_6 * 256 + (part_1 * 8 + i_thread_7)];
                }
                partial_4[i_thread_6 * 8 + i_thread_7] = v_carried_1;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_8 = (index_t)get_local_id(1);
        index_t i_thread_9 = (index_t)get_local_id(0);
        if (i_thread_9 == 0) {
            index_t tile_13 = tile_origin_1 + i_thread_8;
            if (tile_13 < tile_extent_1) {
                double v_carried_2 = -0.0;
#pragma unroll
                for (index_t part_2_2 = 0; part_2_2 < 8; part_2_2++) {
                    v_carried_2 = v_carried_2 + partial_4[i_thread_8 * 8 + part_2_2];
                }
                partials_3[tile_13] = v_carried_2;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void prefix_sum_3(const __global char *restrict partials_4_memory,
        int64_t partials_4_offset,
        int64_t partials_4_n0_given,
        const __global char *restrict x_3_memory,
        int64_t x_3_offset,
        int64_t x_3_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t t_78,
        int64_t tile_given_3,
        int64_t size_given_3,
        int64_t tile_offset_given_3,
        int64_t tile_extent_given_3) {
    __global double *partials_4 = AT(double, partials_4_memory, partials_4_offset);
    index_t partials_4_n0 = (index_t)partials_4_n0_given;
    __global double *x_3 = AT(double, x_3_memory, x_3_offset);
    index_t x_3_n0 = (index_t)x_3_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t tile_15 = (index_t)tile_given_3;
    index_t size_3 = (index_t)size_given_3;
    index_t tile_offset_2 = (index_t)tile_offset_given_3;
    index_t tile_extent_2 = (index_t)tile_extent_given_3;
    /* line 18 */
    index_t tile_block_2 = (index_t)get_group_id(0);
    index_t tile_origin_2 = tile_block_2 * 256 + tile_offset_2;
    index_t i_thread_10 = (index_t)get_local_id(0);
    index_t tile_16 = tile_origin_2 + i_thread_10;
    if (tile_16 < tile_extent_2) {
        index_t t_83 = (tile_15 + tile_16) * size_3;
        double s_31 = partials_4[tile_16];
        for (index_t step_7 = 0; step_7 < size_3; step_7++) {
            index_t i_12 = t_83 + step_7;
            /* line 19 */
            double s_32 = s_31 + x_3[i_12];
            /* line 20 */
            out_1[i_12] = s_32;
            s_31 = s_32;
        }
    }
}
