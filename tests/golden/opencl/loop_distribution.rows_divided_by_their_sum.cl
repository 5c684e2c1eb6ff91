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

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void rows_divided_by_their_sum_1(const __global char *restrict a_2_memory,
        int64_t a_2_offset,
        int64_t a_2_n0_given,
        int64_t a_2_n1_given,
        int64_t a_2_s0_given,
        __global char *restrict out_2_memory,
        int64_t out_2_offset,
        int64_t out_2_n0_given,
        int64_t out_2_n1_given,
        int64_t out_2_s0_given,
        int64_t a_dim0_2,
        int64_t a_dim1_given,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __local double weft_folds_float64_0[34];
    __global double *a_2 = AT(double, a_2_memory, a_2_offset);
    index_t a_2_n0 = (index_t)a_2_n0_given;
    index_t a_2_n1 = (index_t)a_2_n1_given;
    index_t a_2_s0 = (index_t)(a_2_s0_given >> 3);
    __global double *out_2 = AT(double, out_2_memory, out_2_offset);
    index_t out_2_n0 = (index_t)out_2_n0_given;
    index_t out_2_n1 = (index_t)out_2_n1_given;
    index_t out_2_s0 = (index_t)(out_2_s0_given >> 3);
    index_t a_dim1_2 = (index_t)a_dim1_given;
    index_t i_offset_1 = (index_t)i_offset_given;
    index_t i_extent_1 = (index_t)i_extent_given;
    /* line 47 */
    index_t i_block_1 = (index_t)get_group_id(0);
    index_t i_origin_1 = i_block_1 + i_offset_1;
    double own_1[1];
    double folded_3;
    {
        index_t i_thread_2 = (index_t)get_local_id(1);
        index_t j_thread_2 = (index_t)get_local_id(0);
        own_1[0] = -0.0;
        index_t t_68 = 0 > a_dim1_2 ? 0 : a_dim1_2;
        index_t round_stop = (t_68 + 31) / 32;
        for (index_t round_4 = 0; round_4 < round_stop; round_4++) {
            index_t t_72 = j_thread_2 + round_4 * 32;
            if (t_72 < t_68) {
                /* line 47 */
                own_1[0] = own_1[0] + a_2[i_origin_1 * a_2_s0 + t_72];
            }
        }
        double part_2 = own_1[0];
        weft_folds_float64_0[get_local_id(0)] = part_2;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) < 2) {
            part_2 = weft_folds_float64_0[get_local_id(0) * 16];
            for (int32_t weft_k = get_local_id(0) * 16 + 1; weft_k < get_local_id(0) * 16 + 16 && weft_k < 32; weft_k++) {
                {
                    double other = weft_folds_float64_0[weft_k];
                    double folded_4 = part_2 + other;
                    part_2 = folded_4;
                }
            }
            weft_folds_float64_0[32 + get_local_id(0)] = part_2;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        folded_3 = 0.0;
        for (int32_t weft_k = 32; weft_k < 34; weft_k++) {
            {
                double next = weft_folds_float64_0[weft_k];
                double folded_4 = folded_3 + next;
                folded_3 = folded_4;
            }
        }
    }
    {
        index_t i_thread_3 = (index_t)get_local_id(1);
        index_t j_thread_3 = (index_t)get_local_id(0);
        index_t t_76 = 0 > a_dim1_2 ? 0 : a_dim1_2;
        index_t round_stop_2 = (t_76 + 31) / 32;
        for (index_t round_5 = 0; round_5 < round_stop_2; round_5++) {
            index_t t_80 = j_thread_3 + round_5 * 32;
            if (t_80 < t_76) {
                /* line 52 */
                out_2[i_origin_1 * out_2_s0 + t_80] = a_2[i_origin_1 * a_2_s0 + t_80] / folded_3;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void rows_divided_by_their_sum_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_s0_given,
        int64_t a_dim0_1,
        int64_t a_dim1_given_2,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2) {
    __local double weft_folds_float64_0[136];
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 3);
    index_t a_dim1_1 = (index_t)a_dim1_given_2;
    index_t i_offset = (index_t)i_offset_given_2;
    index_t i_extent = (index_t)i_extent_given_2;
    /* line 47 */
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block + i_offset;
    double own[4];
    double folded;
    {
        index_t i_thread = (index_t)get_local_id(1);
        index_t j_thread = (index_t)get_local_id(0);
        own[0] = -0.0;
        own[1] = -0.0;
        own[2] = -0.0;
        own[3] = -0.0;
        index_t t_18 = 0 > a_dim1_1 ? 0 : a_dim1_1;
        index_t t_19 = t_18 / 512;
        for (index_t round = 0; round < t_19; round++) {
            index_t t_21 = j_thread + round * 512;
            /* line 47 */
            own[0] = own[0] + a_1[i_origin * a_1_s0 + t_21];
            /* line 47 */
            own[1] = own[1] + a_1[i_origin * a_1_s0 + (t_21 + 128)];
            /* line 47 */
            own[2] = own[2] + a_1[i_origin * a_1_s0 + (t_21 + 256)];
            /* line 47 */
            own[3] = own[3] + a_1[i_origin * a_1_s0 + (t_21 + 384)];
        }
        index_t t_34 = t_19 * 512 + j_thread;
        for (index_t round_1 = 0; round_1 < 4; round_1++) {
            index_t t_36 = t_34 + round_1 * 128;
            if (t_36 < t_18) {
                /* line 47 */
                own[0] = own[0] + a_1[i_origin * a_1_s0 + t_36];
            }
        }
        double part_3 = own[0] + own[1] + (own[2] + own[3]);
        weft_folds_float64_0[get_local_id(0)] = part_3;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) < 8) {
            part_3 = weft_folds_float64_0[get_local_id(0) * 16];
            for (int32_t weft_k = get_local_id(0) * 16 + 1; weft_k < get_local_id(0) * 16 + 16 && weft_k < 128; weft_k++) {
                {
                    double other = weft_folds_float64_0[weft_k];
                    double folded_1 = part_3 + other;
                    part_3 = folded_1;
                }
            }
            weft_folds_float64_0[128 + get_local_id(0)] = part_3;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        folded = 0.0;
        for (int32_t weft_k = 128; weft_k < 136; weft_k++) {
            {
                double next = weft_folds_float64_0[weft_k];
                double folded_1 = folded + next;
                folded = folded_1;
            }
        }
    }
    {
        index_t i_thread_1 = (index_t)get_local_id(1);
        index_t j_thread_1 = (index_t)get_local_id(0);
        index_t t_43 = 0 > a_dim1_1 ? 0 : a_dim1_1;
        index_t t_44 = t_43 / 512;
        for (index_t round_2 = 0; round_2 < t_44; round_2++) {
            index_t t_46 = j_thread_1 + round_2 * 512;
            /* line 52 */
            out_1[i_origin * out_1_s0 + t_46] = a_1[i_origin * a_1_s0 + t_46] / folded;
            /* line 47 */
            index_t t_49 = t_46 + 128;
            /* line 52 */
            out_1[i_origin * out_1_s0 + t_49] = a_1[i_origin * a_1_s0 + t_49] / folded;
            /* line 47 */
            index_t t_52 = t_46 + 256;
            /* line 52 */
            out_1[i_origin * out_1_s0 + t_52] = a_1[i_origin * a_1_s0 + t_52] / folded;
            /* line 47 */
            index_t t_55 = t_46 + 384;
            /* line 52 */
            out_1[i_origin * out_1_s0 + t_55] = a_1[i_origin * a_1_s0 + t_55] / folded;
        }
        /* line 47 */
        index_t t_59 = t_44 * 512 + j_thread_1;
        for (index_t round_3 = 0; round_3 < 4; round_3++) {
            index_t t_61 = t_59 + round_3 * 128;
            if (t_61 < t_43) {
                /* line 52 */
                out_1[i_origin * out_1_s0 + t_61] = a_1[i_origin * a_1_s0 + t_61] / folded;
            }
        }
    }
}
