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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void trace_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        __global char *restrict partials_1_memory,
        int64_t partials_1_offset,
        int64_t partials_1_n0_given,
        int64_t pieces_2,
        int64_t chunk_given,
        int64_t a_dim0_given,
        int64_t piece_offset_given,
        int64_t piece_extent_given) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    __global double *partials_1 = AT(double, partials_1_memory, partials_1_offset);
    index_t partials_1_n0 = (index_t)partials_1_n0_given;
    index_t chunk_1 = (index_t)chunk_given;
    index_t a_dim0_1 = (index_t)a_dim0_given;
    index_t piece_offset = (index_t)piece_offset_given;
    index_t piece_extent = (index_t)piece_extent_given;
    /* line 30 */
    index_t piece_block = (index_t)get_group_id(0);
    index_t piece_origin = piece_block + piece_offset;
    __local double partial_1[256];
    __local double partial_2[8];
    double own[2];
    {
        index_t i_thread = (index_t)get_local_id(1);
        index_t i_thread_1 = (index_t)get_local_id(0);
        index_t piece_3 = piece_origin + i_thread;
        if (piece_3 < piece_extent) {
            index_t first_2 = 0 + piece_3 * chunk_1;
            index_t latest_2 = a_dim0_1 - chunk_1;
            index_t end_2 = (latest_2 < first_2 ? latest_2 : first_2) + chunk_1;
            index_t stop_2 = a_dim0_1 < end_2 ? a_dim0_1 : end_2;
            own[0] = -0.0;
            own[1] = -0.0;
            index_t rounds = floordiv_by_positive_int64((first_2 > stop_2 ? first_2 : stop_2) - first_2, 512);
            index_t t_13 = first_2 + i_thread_1 * 2;
            for (index_t round = 0; round < rounds; round++) {
                index_t t_15 = t_13 + round * 512;
                index_t i_2 = t_15 + 1;
                /* line 30 */
                double s_10 = own[1] + a_1[i_2 * a_1_s0 + i_2];
                own[0] = own[0] + a_1[t_15 * a_1_s0 + t_15];
                own[1] = s_10;
            }
            index_t t_22 = first_2 + rounds * 512 + i_thread_1;
            for (index_t rest = 0; rest < 2; rest++) {
                index_t t_24 = t_22 + rest * 256;
                if (t_24 < stop_2) {
                    /* line 30 */
                    own[0] = own[0] + a_1[t_24 * a_1_s0 + t_24];
                }
            }
            partial_1[i_thread * 256 + i_thread_1] = own[0] + own[1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_2 = (index_t)get_local_id(1);
        index_t i_thread_3 = (index_t)get_local_id(0);
        if (piece_origin + i_thread_2 < piece_extent) {
            if (i_thread_3 < 8) {
                double carried = -0.0;
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
                double v_carried_1 = -0.0;
#pragma unroll
                for (index_t part_1 = 0; part_1 < 8; part_1++) {
                    v_carried_1 = v_carried_1 + partial_2[i_thread_4 * 8 + part_1];
                }
                partials_1[piece_5] = v_carried_1;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void trace_1_folds(const __global char *restrict partials_2_memory,
        int64_t partials_2_offset,
        int64_t partials_2_n0_given,
        __global char *restrict total_5_memory,
        int64_t total_5_offset,
        int64_t total_5_n0_given,
        int64_t pieces_given,
        int64_t total_offset_given,
        int64_t total_extent_given) {
    __global double *partials_2 = AT(double, partials_2_memory, partials_2_offset);
    index_t partials_2_n0 = (index_t)partials_2_n0_given;
    __global double *total_5 = AT(double, total_5_memory, total_5_offset);
    index_t total_5_n0 = (index_t)total_5_n0_given;
    index_t pieces_3 = (index_t)pieces_given;
    index_t total_offset = (index_t)total_offset_given;
    index_t total_extent = (index_t)total_extent_given;
    /* line 30 */
    index_t total_block = (index_t)get_group_id(0);
    index_t total_origin = total_block + total_offset;
    __local double partial_6[256];
    __local double partial_7[8];
    double own_1[2];
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t i_thread_7 = (index_t)get_local_id(0);
        if (total_origin + i_thread_6 < total_extent) {
            own_1[0] = -0.0;
            own_1[1] = -0.0;
            index_t rounds_1 = (0 > pieces_3 ? 0 : pieces_3) / 512;
            index_t t_34 = i_thread_7 * 2;
            if (((((int64_t)(size_t)partials_2) & 15) == 0) & 0L == 0) {
                for (index_t round_1 = 0; round_1 < rounds_1; round_1++) {
                    index_t t_36 = t_34 + round_1 * 512;
                    double2 run = vload2(0, AT(double, partials_2, (int64_t)(t_36) * 8));
                    double s_22 = own_1[1] + run.y;
                    own_1[0] = own_1[0] + run.x;
                    own_1[1] = s_22;
                }
            } else {
                for (index_t round_2 = 0; round_2 < rounds_1; round_2++) {
                    index_t t_42 = t_34 + round_2 * 512;
                    double s_24 = own_1[1] + partials_2[t_42 + 1];
                    own_1[0] = own_1[0] + partials_2[t_42];
                    own_1[1] = s_24;
                }
            }
            index_t t_46 = rounds_1 * 512 + i_thread_7;
            for (index_t rest_1 = 0; rest_1 < 2; rest_1++) {
                index_t t_48 = t_46 + rest_1 * 256;
                if (t_48 < pieces_3) {
                    own_1[0] = own_1[0] + partials_2[t_48];
                }
            }
            partial_6[i_thread_6 * 256 + i_thread_7] = own_1[0] + own_1[1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_8 = (index_t)get_local_id(1);
        index_t i_thread_9 = (index_t)get_local_id(0);
        if (total_origin + i_thread_8 < total_extent) {
            if (i_thread_9 < 8) {
                double v_carried_2 = -0.0;
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
                double v_carried_3 = -0.0;
#pragma unroll
                for (index_t part_3 = 0; part_3 < 8; part_3++) {
                    v_carried_3 = v_carried_3 + partial_7[i_thread_10 * 8 + part_3];
                }
                total_5[total_9] = v_carried_3;
            }
        }
    }
}
