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

#define HELPER static inline __attribute__((unused))

typedef long int64_t;

/* By a constant; of a power of two it is a shift: compilers know that the lowest bits are 0. */
HELPER int64_t floordiv_by_positive_int64(int64_t a, int64_t b) {
    return b & (b - 1) ? (int64_t)(a / b - (a % b < 0)) : (int64_t)((a & -b) / b);
}

typedef int int32_t;

typedef int32_t index_t;

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sum_of_small_floats_0(const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        __global char *restrict partials_1_memory,
        int64_t partials_1_offset,
        int64_t partials_1_n0_given,
        int64_t pieces_2,
        int64_t chunk_given,
        int64_t x_dim0_given,
        int64_t piece_offset_given,
        int64_t piece_extent_given) {
    __global float *x_1 = AT(float, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global float *partials_1 = AT(float, partials_1_memory, partials_1_offset);
    index_t partials_1_n0 = (index_t)partials_1_n0_given;
    index_t chunk_1 = (index_t)chunk_given;
    index_t x_dim0_1 = (index_t)x_dim0_given;
    index_t piece_offset = (index_t)piece_offset_given;
    index_t piece_extent = (index_t)piece_extent_given;
    /* line 30 */
    index_t piece_block = (index_t)get_group_id(0);
    index_t piece_origin = piece_block + piece_offset;
    __local float partial_1[256];
    __local float partial_2[8];
    float own[4];
    {
        index_t i_thread = (index_t)get_local_id(1);
        index_t i_thread_1 = (index_t)get_local_id(0);
        index_t piece_3 = piece_origin + i_thread;
        if (piece_3 < piece_extent) {
            index_t first_2 = 0 + piece_3 * chunk_1;
            index_t latest_2 = x_dim0_1 - chunk_1;
            index_t end_2 = (latest_2 < first_2 ? latest_2 : first_2) + chunk_1;
            index_t stop_2 = x_dim0_1 < end_2 ? x_dim0_1 : end_2;
            own[0] = -0.0f;
            own[1] = -0.0f;
            own[2] = -0.0f;
            own[3] = -0.0f;
            index_t rounds = floordiv_by_positive_int64((first_2 > stop_2 ? first_2 : stop_2) - first_2, 1024);
            index_t t_10 = first_2 + i_thread_1 * 4;
            if (((((int64_t)(size_t)x_1) & 15) == 0) & (first_2 & 3) == 0) {
                for (index_t round = 0; round < rounds; round++) {
                    /* line 31 */
                    index_t t_13 = t_10 + round * 1024;
                    float4 run = vload4(0, AT(float, x_1, (int64_t)(t_13) * 4));
                    /* line 30 */
                    float s_10 = own[1] + run.y;
                    float s_11 = own[2] + run.z;
                    float s_12 = own[3] + run.w;
                    own[0] = own[0] + run.x;
                    own[1] = s_10;
                    own[2] = s_11;
                    own[3] = s_12;
                }
            } else {
                for (index_t round_1 = 0; round_1 < rounds; round_1++) {
                    index_t t_23 = t_10 + round_1 * 1024;
                    /* line 30 */
                    float s_14 = own[1] + x_1[t_23 + 1];
                    float s_15 = own[2] + x_1[t_23 + 2];
                    float s_16 = own[3] + x_1[t_23 + 3];
                    own[0] = own[0] + x_1[t_23];
                    own[1] = s_14;
                    own[2] = s_15;
                    own[3] = s_16;
                }
            }
            index_t t_34 = first_2 + rounds * 1024 + i_thread_1;
            for (index_t rest = 0; rest < 4; rest++) {
                index_t t_36 = t_34 + rest * 256;
                if (t_36 < stop_2) {
                    /* line 30 */
                    own[0] = own[0] + x_1[t_36];
                }
            }
            partial_1[i_thread * 256 + i_thread_1] = own[0] + own[1] + (own[2] + own[3]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_2 = (index_t)get_local_id(1);
        index_t i_thread_3 = (index_t)get_local_id(0);
        if (piece_origin + i_thread_2 < piece_extent) {
            if (i_thread_3 < 8) {
                float carried = -0.0f;
#pragma unroll
                for (index_t part_2 = 0; part_2 < 32; part_2++) {
                    carried = carried + partial_1[i_thread_2 * 256 + (part_2 * 8 + i_thread_3)];
                }
                partial_2[i_thread_2 * 8 + i_thread_3] = carried;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_4 = (index_t)get_local_id(1);
        index_t i_thread_5 = (index_t)get_local_id(0);
        if (i_thread_5 == 0) {
            index_t piece_5 = piece_origin + i_thread_4;
            if (piece_5 < piece_extent) {
                float v_carried_1 = -0.0f;
#pragma unroll
                for (index_t part_1 = 0; part_1 < 8; part_1++) {
                    v_carried_1 = v_carried_1 + partial_2[i_thread_4 * 8 + part_1];
                }
                partials_1[piece_5] = v_carried_1;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sum_of_small_floats_1_folds(const __global char *restrict partials_2_memory,
        int64_t partials_2_offset,
        int64_t partials_2_n0_given,
        __global char *restrict total_5_memory,
        int64_t total_5_offset,
        int64_t total_5_n0_given,
        int64_t pieces_given,
        int64_t total_offset_given,
        int64_t total_extent_given) {
    __global float *partials_2 = AT(float, partials_2_memory, partials_2_offset);
    index_t partials_2_n0 = (index_t)partials_2_n0_given;
    __global float *total_5 = AT(float, total_5_memory, total_5_offset);
    index_t total_5_n0 = (index_t)total_5_n0_given;
    index_t pieces_3 = (index_t)pieces_given;
    index_t total_offset = (index_t)total_offset_given;
    index_t total_extent = (index_t)total_extent_given;
    /* line 30 */
    index_t total_block = (index_t)get_group_id(0);
    index_t total_origin = total_block + total_offset;
    __local float partial_6[256];
    __local float partial_7[8];
    float own_1[4];
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t i_thread_7 = (index_t)get_local_id(0);
        if (total_origin + i_thread_6 < total_extent) {
            own_1[0] = -0.0f;
            own_1[1] = -0.0f;
            own_1[2] = -0.0f;
            own_1[3] = -0.0f;
            index_t rounds_1 = (0 > pieces_3 ? 0 : pieces_3) / 1024;
            index_t t_48 = i_thread_7 * 4;
            if (((((int64_t)(size_t)partials_2) & 15) == 0) & 0L == 0) {
                for (index_t round_2 = 0; round_2 < rounds_1; round_2++) {
                    index_t t_50 = t_48 + round_2 * 1024;
                    float4 run_1 = vload4(0, AT(float, partials_2, (int64_t)(t_50) * 4));
                    float s_28 = own_1[1] + run_1.y;
                    float s_29 = own_1[2] + run_1.z;
                    float s_30 = own_1[3] + run_1.w;
                    own_1[0] = own_1[0] + run_1.x;
                    own_1[1] = s_28;
                    own_1[2] = s_29;
                    own_1[3] = s_30;
                }
            } else {
                for (index_t round_3 = 0; round_3 < rounds_1; round_3++) {
                    index_t t_60 = t_48 + round_3 * 1024;
                    float s_32 = own_1[1] + partials_2[t_60 + 1];
                    float s_33 = own_1[2] + partials_2[t_60 + 2];
                    float s_34 = own_1[3] + partials_2[t_60 + 3];
                    own_1[0] = own_1[0] + partials_2[t_60];
                    own_1[1] = s_32;
                    own_1[2] = s_33;
                    own_1[3] = s_34;
                }
            }
            index_t t_66 = rounds_1 * 1024 + i_thread_7;
            for (index_t rest_1 = 0; rest_1 < 4; rest_1++) {
                index_t t_68 = t_66 + rest_1 * 256;
                if (t_68 < pieces_3) {
                    own_1[0] = own_1[0] + partials_2[t_68];
                }
            }
            partial_6[i_thread_6 * 256 + i_thread_7] = own_1[0] + own_1[1] + (own_1[2] + own_1[3]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_8 = (index_t)get_local_id(1);
        index_t i_thread_9 = (index_t)get_local_id(0);
        if (total_origin + i_thread_8 < total_extent) {
            if (i_thread_9 < 8) {
                float v_carried_2 = -0.0f;
#pragma unroll
                for (index_t part_2_2 = 0; part_2_2 < 32; part_2_2++) {
                    v_carried_2 = v_carried_2 + partial_6[i_thread_8 * 256 + (part_2_2 * 8 + i_thread_9)];
                }
                partial_7[i_thread_8 * 8 + i_thread_9] = v_carried_2;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_10 = (index_t)get_local_id(1);
        index_t i_thread_11 = (index_t)get_local_id(0);
        if (i_thread_11 == 0) {
            index_t total_9 = total_origin + i_thread_10;
            if (total_9 < total_extent) {
                float v_carried_3 = -0.0f;
#pragma unroll
                for (index_t part_3 = 0; part_3 < 8; part_3++) {
                    v_carried_3 = v_carried_3 + partial_7[i_thread_10 * 8 + part_3];
                }
                total_5[total_9] = v_carried_3;
            }
        }
    }
}
