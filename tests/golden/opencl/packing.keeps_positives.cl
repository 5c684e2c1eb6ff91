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

__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void keeps_positives_1(const __global char *restrict x_1_memory,
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
    index_t tile_origin = tile_block * 8 + tile_offset;
    __local int64_t partial_10[264];
    int64_t own[2];
    {
        index_t i_thread = (index_t)get_local_id(1);
        index_t i_thread_1 = (index_t)get_local_id(0);
        index_t tile_6 = tile_origin + i_thread;
        if (tile_6 < tile_extent) {
            index_t t_56 = (t_51 + tile_6) * size_1;
            own[0] = 0L;
            own[1] = 0L;
            index_t rounds = (0 > size_1 ? 0 : size_1) / 64;
            index_t t_59 = i_thread_1 * 2;
            for (index_t round_2 = 0; round_2 < rounds; round_2++) {
                index_t t_61 = t_59 + round_2 * 64;
                int64_t t_63 = own[0];
                int64_t t_65 = own[1];
                /* line 12 */
                int64_t k_30 = x_1[t_56 + (t_61 + 1)] > 0.0 ? t_65 + 1 : t_65;
                own[0] = x_1[t_56 + t_61] > 0.0 ? t_63 + 1 : t_63;
                own[1] = k_30;
            }
            index_t t_73 = rounds * 64 + i_thread_1;
            for (index_t rest = 0; rest < 2; rest++) {
                index_t t_75 = t_73 + rest * 32;
                if (t_75 < size_1) {
                    int64_t t_77 = own[0];
                    /* line 12 */
                    own[0] = x_1[t_56 + t_75] > 0.0 ? t_77 + 1 : t_77;
                }
            }
            partial_10[i_thread * 33 + i_thread_1] = own[0] + own[1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_2 = (index_t)get_local_id(1);
        index_t i_thread_3 = (index_t)get_local_id(0);
        index_t thread = i_thread_2 * 32 + i_thread_3;
        if (thread < 8) {
            index_t tile_7 = tile_origin + thread;
            if (tile_7 < tile_extent) {
                int64_t carried = 0;
#pragma unroll
                for (index_t part_2 = 0; part_2 < 32; part_2++) {
                    carried = carried + partial_10[thread * 33 + part_2];
                }
                partials_3[tile_7] = carried;
                partials_4[tile_7] = false;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void keeps_positives_2(const __global char *restrict x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        __global char *restrict partials_5_memory,
        int64_t partials_5_offset,
        int64_t partials_5_n0_given,
        __global char *restrict partials_6_memory,
        int64_t partials_6_offset,
        int64_t partials_6_n0_given,
        int64_t t_99,
        int64_t t_given_2,
        int64_t size_given_2,
        int64_t tile_offset_given_2,
        int64_t tile_extent_given_2) {
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global int64_t *partials_5 = AT(int64_t, partials_5_memory, partials_5_offset);
    index_t partials_5_n0 = (index_t)partials_5_n0_given;
    __global uint8_t *partials_6 = AT(uint8_t, partials_6_memory, partials_6_offset);
    index_t partials_6_n0 = (index_t)partials_6_n0_given;
    index_t t_100 = (index_t)t_given_2;
    index_t size_2 = (index_t)size_given_2;
    index_t tile_offset_1 = (index_t)tile_offset_given_2;
    index_t tile_extent_1 = (index_t)tile_extent_given_2;
    /* line 12 */
    index_t tile_block_1 = (index_t)get_group_id(0);
    index_t tile_origin_1 = tile_block_1 + tile_offset_1;
    __local int64_t partial_11[256];
    __local int64_t partial_12[8];
    int64_t own_1[2];
    {
        index_t i_thread_4 = (index_t)get_local_id(1);
        index_t i_thread_5 = (index_t)get_local_id(0);
        index_t tile_9 = tile_origin_1 + i_thread_4;
        if (tile_9 < tile_extent_1) {
            index_t t_103 = (t_100 + tile_9) * size_2;
            own_1[0] = 0L;
            own_1[1] = 0L;
            index_t rounds_1 = (0 > size_2 ? 0 : size_2) / 512;
            index_t t_106 = i_thread_5 * 2;
            for (index_t round_3 = 0; round_3 < rounds_1; round_3++) {
                index_t t_108 = t_106 + round_3 * 512;
                int64_t t_110 = own_1[0];
                int64_t t_112 = own_1[1];
                /* line 12 */
                int64_t k_40 = x_2[t_103 + (t_108 + 1)] > 0.0 ? t_112 + 1 : t_112;
                own_1[0] = x_2[t_103 + t_108] > 0.0 ? t_110 + 1 : t_110;
                own_1[1] = k_40;
            }
            index_t t_120 = rounds_1 * 512 + i_thread_5;
            for (index_t rest_1 = 0; rest_1 < 2; rest_1++) {
                index_t t_122 = t_120 + rest_1 * 256;
                if (t_122 < size_2) {
                    int64_t t_124 = own_1[0];
                    /* line 12 */
                    own_1[0] = x_2[t_103 + t_122] > 0.0 ? t_124 + 1 : t_124;
                }
            }
            partial_11[i_thread_4 * 256 + i_thread_5] = own_1[0] + own_1[1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t i_thread_7 = (index_t)get_local_id(0);
        if (tile_origin_1 + i_thread_6 < tile_extent_1) {
            if (i_thread_7 < 8) {
                int64_t v_carried_1 = 0;
#pragma unroll
                for (index_t part_1 = 0; part_1 < 32; part_1++) {
                    v_carried_1 = v_carried_1 + partial_11[i_thread_6 * 256 + (part_1 * 8 + i_thread_7)];
                }
                partial_12[i_thread_6 * 8 + i_thread_7] = v_carried_1;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_8 = (index_t)get_local_id(1);
        index_t i_thread_9 = (index_t)get_local_id(0);
        if (i_thread_9 == 0) {
            index_t tile_11 = tile_origin_1 + i_thread_8;
            if (tile_11 < tile_extent_1) {
                int64_t v_carried_2 = 0;
#pragma unroll
                for (index_t part_2_2 = 0; part_2_2 < 8; part_2_2++) {
                    v_carried_2 = v_carried_2 + partial_12[i_thread_8 * 8 + part_2_2];
                }
                partials_5[tile_11] = v_carried_2;
                partials_6[tile_11] = false;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void keeps_positives_4(const __global char *restrict partials_7_memory,
        int64_t partials_7_offset,
        int64_t partials_7_n0_given,
        const __global char *restrict partials_8_memory,
        int64_t partials_8_offset,
        int64_t partials_8_n0_given,
        const __global char *restrict x_3_memory,
        int64_t x_3_offset,
        int64_t x_3_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t good_3,
        int64_t t_given_3,
        int64_t size_given_3,
        int64_t tile_offset_given_3,
        int64_t tile_extent_given_3) {
    __global int64_t *partials_7 = AT(int64_t, partials_7_memory, partials_7_offset);
    index_t partials_7_n0 = (index_t)partials_7_n0_given;
    __global int64_t *partials_8 = AT(int64_t, partials_8_memory, partials_8_offset);
    index_t partials_8_n0 = (index_t)partials_8_n0_given;
    __global double *x_3 = AT(double, x_3_memory, x_3_offset);
    index_t x_3_n0 = (index_t)x_3_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t t_148 = (index_t)t_given_3;
    index_t size_3 = (index_t)size_given_3;
    index_t tile_offset_2 = (index_t)tile_offset_given_3;
    index_t tile_extent_2 = (index_t)tile_extent_given_3;
    /* line 12 */
    index_t tile_block_2 = (index_t)get_group_id(0);
    index_t tile_origin_2 = tile_block_2 * 256 + tile_offset_2;
    index_t i_thread_10 = (index_t)get_local_id(0);
    index_t tile_13 = tile_origin_2 + i_thread_10;
    if (tile_13 < tile_extent_2) {
        index_t t_153 = (t_148 + tile_13) * size_3;
        int64_t partial_18 = partials_7[tile_13];
        int64_t end_2 = partial_18 + partials_8[tile_13];
        int64_t k_48 = partial_18;
        for (index_t step_7 = 0; step_7 < size_3; step_7++) {
            /* line 13 */
            double t_154 = x_3[t_153 + step_7];
            /* line 14 */
            if (k_48 < end_2) {
                out_1[(index_t)k_48] = t_154;
            }
            /* line 13 */
            k_48 = t_154 > 0.0 ? k_48 + 1 : k_48;
        }
    }
}
