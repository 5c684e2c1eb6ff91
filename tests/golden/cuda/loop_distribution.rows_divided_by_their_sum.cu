#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

#define HELPER static __device__ __forceinline__

typedef int int32_t;

typedef unsigned int uint32_t;

/* A value of any type that a warp exchanges by words. */
template <typename T, typename EXCHANGE>
HELPER T by_words(T value, EXCHANGE exchange) {
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int32_t k = 0; k < (int32_t)((sizeof(T) + 3) / 4); k++) words[k] = exchange(words[k]);
    memcpy(&value, words, sizeof(T));
    return value;
}

/* The value that a lane has which lies so many further on in the warp; all lanes ask. */
template <typename T>
HELPER T from_lane(T value, int32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_down_sync(0xffffffff, word, distance); });
}

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(64, 16) void rows_divided_by_their_sum_1(const char *__restrict__ a_4_memory,
        int64_t a_4_offset,
        int64_t a_4_n0_given,
        int64_t a_4_n1_given,
        int64_t a_4_s0_given,
        char *__restrict__ out_2_memory,
        int64_t out_2_offset,
        int64_t out_2_n0_given,
        int64_t out_2_n1_given,
        int64_t out_2_s0_given,
        int64_t a_dim0_2,
        int64_t a_dim1_given,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __shared__ __align__(16) double weft_folds_float64_0[2];
    double *a_4 = AT(double, a_4_memory, a_4_offset);
    index_t a_4_n0 = (index_t)a_4_n0_given;
    index_t a_4_n1 = (index_t)a_4_n1_given;
    index_t a_4_s0 = (index_t)(a_4_s0_given >> 3);
    double *out_2 = AT(double, out_2_memory, out_2_offset);
    index_t out_2_n0 = (index_t)out_2_n0_given;
    index_t out_2_n1 = (index_t)out_2_n1_given;
    index_t out_2_s0 = (index_t)(out_2_s0_given >> 3);
    index_t a_dim1_2 = (index_t)a_dim1_given;
    index_t i_offset_1 = (index_t)i_offset_given;
    index_t i_extent_1 = (index_t)i_extent_given;
    /* line 47 */
    index_t i_block_1 = (index_t)blockIdx.x;
    index_t i_origin_1 = i_block_1 + i_offset_1;
    double a_5[10];
    double own_3[2];
    double a_6[10];
    double own_4[2];
    __shared__ __align__(16) double place_1[128];
    double own_5[2];
    bool inside_20 = ((((int64_t)a_4 | (int64_t)a_4_s0 * 8) & 15) == 0) & (((int64_t)out_2 | (int64_t)out_2_s0 * 8) & 15) == 0;
    bool inside_21 = inside_20 & (a_dim1_2 & 1) == 0;
    if (a_dim1_2 <= 512) {
        if (inside_21) {
            double folded_9;
            {
                index_t i_thread_8 = (index_t)threadIdx.y;
                index_t j_thread_8 = (index_t)threadIdx.x;
                own_3[0] = -0.0;
                own_3[1] = -0.0;
                index_t t_115 = j_thread_8 * 2;
#pragma unroll
                for (index_t round_8 = 0; round_8 < 4; round_8++) {
                    index_t t_117 = t_115 + round_8 * 128;
                    if (t_117 < a_dim1_2) {
                        /* line 50 */
                        double2 run_2 = *(double2 *)(AT(double, a_4, (int64_t)(i_origin_1 * a_4_s0 + t_117) * 8));
                        /* line 47 */
                        a_5[round_8 * 2] = run_2.x;
                        a_5[round_8 * 2 + 1] = run_2.y;
                    }
                }
                index_t t_120 = j_thread_8 * 2;
#pragma unroll
                for (index_t round_9 = 0; round_9 < 4; round_9++) {
                    if (t_120 + round_9 * 128 < a_dim1_2) {
                        /* line 47 */
                        double s_17 = own_3[1] + a_5[round_9 * 2 + 1];
                        own_3[0] = own_3[0] + a_5[round_9 * 2];
                        own_3[1] = s_17;
                    }
                }
                double part_2 = own_3[0] + own_3[1];
#pragma unroll
                for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                    {
                        double other = from_lane(part_2, weft_step);
                        double folded_10 = part_2 + other;
                        part_2 = folded_10;
                    }
                }
                if (threadIdx.x % 32 == 0) {
                    weft_folds_float64_0[threadIdx.x / 32] = part_2;
                }
                __syncthreads();
                folded_9 = 0.0;
#pragma unroll
                for (int32_t weft_k = 0; weft_k < 2; weft_k++) {
                    {
                        double next = weft_folds_float64_0[weft_k];
                        double folded_10 = folded_9 + next;
                        folded_9 = folded_10;
                    }
                }
            }
            {
                index_t i_thread_9 = (index_t)threadIdx.y;
                index_t j_thread_9 = (index_t)threadIdx.x;
                index_t t_129 = j_thread_9 * 2;
#pragma unroll
                for (index_t round_10 = 0; round_10 < 4; round_10++) {
                    index_t t_131 = t_129 + round_10 * 128;
                    if (t_131 < a_dim1_2) {
                        /* line 52 */
                        *(double2 *)(AT(double, out_2, (int64_t)(i_origin_1 * out_2_s0 + t_131) * 8)) = make_double2(a_5[round_10 * 2] / folded_9, a_5[round_10 * 2 + 1] / folded_9);
                    }
                }
            }
            __syncthreads();
        } else {
            {
                index_t i_thread_10 = (index_t)threadIdx.y;
                index_t j_thread_10 = (index_t)threadIdx.x;
                own_4[0] = -0.0;
                own_4[1] = -0.0;
                index_t t_137 = (0 > a_dim1_2 ? 0 : a_dim1_2) / 128;
#pragma unroll
                for (index_t round_11 = 0; round_11 < 4; round_11++) {
                    index_t t_139 = j_thread_10 + round_11 * 128;
                    if (round_11 < t_137) {
                        /* line 47 */
                        a_6[round_11 * 2] = a_4[i_origin_1 * a_4_s0 + t_139];
                        /* line 47 */
                        a_6[round_11 * 2 + 1] = a_4[i_origin_1 * a_4_s0 + (t_139 + 64)];
                    }
                }
                index_t t_144 = j_thread_10 + t_137 * 128;
                if (t_144 < a_dim1_2) {
                    /* line 47 */
                    a_6[4 * 2] = a_4[i_origin_1 * a_4_s0 + t_144];
                }
                index_t t_146 = t_144 + 64;
                if (t_146 < a_dim1_2) {
                    /* line 47 */
                    a_6[4 * 2 + 1] = a_4[i_origin_1 * a_4_s0 + t_146];
                }
                index_t t_149 = (0 > a_dim1_2 ? 0 : a_dim1_2) / 128;
#pragma unroll
                for (index_t round_12 = 0; round_12 < 4; round_12++) {
                    if (round_12 < t_149) {
                        /* line 47 */
                        own_4[0] = own_4[0] + a_6[round_12 * 2];
                        /* line 47 */
                        own_4[1] = own_4[1] + a_6[round_12 * 2 + 1];
                    }
                }
                index_t t_158 = j_thread_10 + t_149 * 128;
                if (t_158 < a_dim1_2) {
                    /* line 47 */
                    own_4[0] = own_4[0] + a_6[4 * 2];
                }
                if (t_158 + 64 < a_dim1_2) {
                    /* line 47 */
                    own_4[1] = own_4[1] + a_6[4 * 2 + 1];
                }
                place_1[j_thread_10] = own_4[0];
                place_1[j_thread_10 + 64] = own_4[1];
            }
            __syncthreads();
            {
                index_t i_thread_11 = (index_t)threadIdx.y;
                index_t j_thread_11 = (index_t)threadIdx.x;
                own_4[0] = place_1[j_thread_11 * 2];
                own_4[1] = place_1[j_thread_11 * 2 + 1];
            }
            __syncthreads();
            double folded_12;
            {
                index_t i_thread_12 = (index_t)threadIdx.y;
                index_t j_thread_12 = (index_t)threadIdx.x;
                double part_3 = own_4[0] + own_4[1];
#pragma unroll
                for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                    {
                        double other = from_lane(part_3, weft_step);
                        double folded_13 = part_3 + other;
                        part_3 = folded_13;
                    }
                }
                if (threadIdx.x % 32 == 0) {
                    weft_folds_float64_0[threadIdx.x / 32] = part_3;
                }
                __syncthreads();
                folded_12 = 0.0;
#pragma unroll
                for (int32_t weft_k = 0; weft_k < 2; weft_k++) {
                    {
                        double next = weft_folds_float64_0[weft_k];
                        double folded_13 = folded_12 + next;
                        folded_12 = folded_13;
                    }
                }
            }
            {
                index_t i_thread_13 = (index_t)threadIdx.y;
                index_t j_thread_13 = (index_t)threadIdx.x;
                index_t t_175 = (0 > a_dim1_2 ? 0 : a_dim1_2) / 128;
#pragma unroll
                for (index_t round_13 = 0; round_13 < 4; round_13++) {
                    index_t t_177 = j_thread_13 + round_13 * 128;
                    if (round_13 < t_175) {
                        /* line 52 */
                        out_2[i_origin_1 * out_2_s0 + t_177] = a_6[round_13 * 2] / folded_12;
                        /* line 52 */
                        out_2[i_origin_1 * out_2_s0 + (t_177 + 64)] = a_6[round_13 * 2 + 1] / folded_12;
                    }
                }
                index_t t_184 = j_thread_13 + t_175 * 128;
                if (t_184 < a_dim1_2) {
                    /* line 52 */
                    out_2[i_origin_1 * out_2_s0 + t_184] = a_6[4 * 2] / folded_12;
                }
                index_t t_187 = t_184 + 64;
                if (t_187 < a_dim1_2) {
                    /* line 52 */
                    out_2[i_origin_1 * out_2_s0 + t_187] = a_6[4 * 2 + 1] / folded_12;
                }
            }
            __syncthreads();
        }
    } else {
        double folded_15;
        {
            index_t i_thread_14 = (index_t)threadIdx.y;
            index_t j_thread_14 = (index_t)threadIdx.x;
            own_5[0] = -0.0;
            own_5[1] = -0.0;
            index_t t_190 = 0 > a_dim1_2 ? 0 : a_dim1_2;
            index_t round_stop = (t_190 + 63) / 64;
            for (index_t round_14 = 0; round_14 < round_stop; round_14++) {
                index_t t_194 = j_thread_14 + round_14 * 64;
                if (t_194 < t_190) {
                    /* line 47 */
                    own_5[0] = own_5[0] + a_4[i_origin_1 * a_4_s0 + t_194];
                }
            }
            double part_4 = own_5[0] + own_5[1];
#pragma unroll
            for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                {
                    double other = from_lane(part_4, weft_step);
                    double folded_16 = part_4 + other;
                    part_4 = folded_16;
                }
            }
            if (threadIdx.x % 32 == 0) {
                weft_folds_float64_0[threadIdx.x / 32] = part_4;
            }
            __syncthreads();
            folded_15 = 0.0;
#pragma unroll
            for (int32_t weft_k = 0; weft_k < 2; weft_k++) {
                {
                    double next = weft_folds_float64_0[weft_k];
                    double folded_16 = folded_15 + next;
                    folded_15 = folded_16;
                }
            }
        }
        {
            index_t i_thread_15 = (index_t)threadIdx.y;
            index_t j_thread_15 = (index_t)threadIdx.x;
            index_t t_199 = 0 > a_dim1_2 ? 0 : a_dim1_2;
            index_t round_stop_2 = (t_199 + 63) / 64;
            for (index_t round_15 = 0; round_15 < round_stop_2; round_15++) {
                index_t t_203 = j_thread_15 + round_15 * 64;
                if (t_203 < t_199) {
                    /* line 52 */
                    out_2[i_origin_1 * out_2_s0 + t_203] = a_4[i_origin_1 * a_4_s0 + t_203] / folded_15;
                }
            }
        }
        __syncthreads();
    }
}

extern "C" __global__ __launch_bounds__(256, 4) void rows_divided_by_their_sum_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_s0_given,
        int64_t a_dim0_1,
        int64_t a_dim1_given_2,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2) {
    __shared__ __align__(16) double weft_folds_float64_0[8];
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 3);
    index_t a_dim1_1 = (index_t)a_dim1_given_2;
    index_t i_offset = (index_t)i_offset_given_2;
    index_t i_extent = (index_t)i_extent_given_2;
    /* line 47 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block + i_offset;
    double a_2[10];
    double own[2];
    double a_3[10];
    double own_1[2];
    __shared__ __align__(16) double place[512];
    double own_2[2];
    bool inside_2 = ((((int64_t)a_1 | (int64_t)a_1_s0 * 8) & 15) == 0) & (((int64_t)out_1 | (int64_t)out_1_s0 * 8) & 15) == 0;
    bool inside_3 = inside_2 & (a_dim1_1 & 1) == 0;
    if (a_dim1_1 <= 2048) {
        if (inside_3) {
            double folded;
            {
                index_t i_thread = (index_t)threadIdx.y;
                index_t j_thread = (index_t)threadIdx.x;
                own[0] = -0.0;
                own[1] = -0.0;
                index_t t_19 = j_thread * 2;
#pragma unroll
                for (index_t round = 0; round < 4; round++) {
                    index_t t_21 = t_19 + round * 512;
                    if (t_21 < a_dim1_1) {
                        /* line 50 */
                        double2 run = *(double2 *)(AT(double, a_1, (int64_t)(i_origin * a_1_s0 + t_21) * 8));
                        /* line 47 */
                        a_2[round * 2] = run.x;
                        a_2[round * 2 + 1] = run.y;
                    }
                }
                index_t t_24 = j_thread * 2;
#pragma unroll
                for (index_t round_1 = 0; round_1 < 4; round_1++) {
                    if (t_24 + round_1 * 512 < a_dim1_1) {
                        /* line 47 */
                        double s_7 = own[1] + a_2[round_1 * 2 + 1];
                        own[0] = own[0] + a_2[round_1 * 2];
                        own[1] = s_7;
                    }
                }
                double part_5 = own[0] + own[1];
#pragma unroll
                for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                    {
                        double other = from_lane(part_5, weft_step);
                        double folded_1 = part_5 + other;
                        part_5 = folded_1;
                    }
                }
                if (threadIdx.x % 32 == 0) {
                    weft_folds_float64_0[threadIdx.x / 32] = part_5;
                }
                __syncthreads();
                folded = 0.0;
#pragma unroll
                for (int32_t weft_k = 0; weft_k < 8; weft_k++) {
                    {
                        double next = weft_folds_float64_0[weft_k];
                        double folded_1 = folded + next;
                        folded = folded_1;
                    }
                }
            }
            {
                index_t i_thread_1 = (index_t)threadIdx.y;
                index_t j_thread_1 = (index_t)threadIdx.x;
                index_t t_33 = j_thread_1 * 2;
#pragma unroll
                for (index_t round_2 = 0; round_2 < 4; round_2++) {
                    index_t t_35 = t_33 + round_2 * 512;
                    if (t_35 < a_dim1_1) {
                        /* line 52 */
                        *(double2 *)(AT(double, out_1, (int64_t)(i_origin * out_1_s0 + t_35) * 8)) = make_double2(a_2[round_2 * 2] / folded, a_2[round_2 * 2 + 1] / folded);
                    }
                }
            }
            __syncthreads();
        } else {
            {
                index_t i_thread_2 = (index_t)threadIdx.y;
                index_t j_thread_2 = (index_t)threadIdx.x;
                own_1[0] = -0.0;
                own_1[1] = -0.0;
                index_t t_41 = (0 > a_dim1_1 ? 0 : a_dim1_1) / 512;
#pragma unroll
                for (index_t round_3 = 0; round_3 < 4; round_3++) {
                    index_t t_43 = j_thread_2 + round_3 * 512;
                    if (round_3 < t_41) {
                        /* line 47 */
                        a_3[round_3 * 2] = a_1[i_origin * a_1_s0 + t_43];
                        /* line 47 */
                        a_3[round_3 * 2 + 1] = a_1[i_origin * a_1_s0 + (t_43 + 256)];
                    }
                }
                index_t t_48 = j_thread_2 + t_41 * 512;
                if (t_48 < a_dim1_1) {
                    /* line 47 */
                    a_3[4 * 2] = a_1[i_origin * a_1_s0 + t_48];
                }
                index_t t_50 = t_48 + 256;
                if (t_50 < a_dim1_1) {
                    /* line 47 */
                    a_3[4 * 2 + 1] = a_1[i_origin * a_1_s0 + t_50];
                }
                index_t t_53 = (0 > a_dim1_1 ? 0 : a_dim1_1) / 512;
#pragma unroll
                for (index_t round_4 = 0; round_4 < 4; round_4++) {
                    if (round_4 < t_53) {
                        /* line 47 */
                        own_1[0] = own_1[0] + a_3[round_4 * 2];
                        /* line 47 */
                        own_1[1] = own_1[1] + a_3[round_4 * 2 + 1];
                    }
                }
                index_t t_62 = j_thread_2 + t_53 * 512;
                if (t_62 < a_dim1_1) {
                    /* line 47 */
                    own_1[0] = own_1[0] + a_3[4 * 2];
                }
                if (t_62 + 256 < a_dim1_1) {
                    /* line 47 */
                    own_1[1] = own_1[1] + a_3[4 * 2 + 1];
                }
                place[j_thread_2] = own_1[0];
                place[j_thread_2 + 256] = own_1[1];
            }
            __syncthreads();
            {
                index_t i_thread_3 = (index_t)threadIdx.y;
                index_t j_thread_3 = (index_t)threadIdx.x;
                own_1[0] = place[j_thread_3 * 2];
                own_1[1] = place[j_thread_3 * 2 + 1];
            }
            __syncthreads();
            double folded_3;
            {
                index_t i_thread_4 = (index_t)threadIdx.y;
                index_t j_thread_4 = (index_t)threadIdx.x;
                double part_6 = own_1[0] + own_1[1];
#pragma unroll
                for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                    {
                        double other = from_lane(part_6, weft_step);
                        double folded_4 = part_6 + other;
                        part_6 = folded_4;
                    }
                }
                if (threadIdx.x % 32 == 0) {
                    weft_folds_float64_0[threadIdx.x / 32] = part_6;
                }
                __syncthreads();
                folded_3 = 0.0;
#pragma unroll
                for (int32_t weft_k = 0; weft_k < 8; weft_k++) {
                    {
                        double next = weft_folds_float64_0[weft_k];
                        double folded_4 = folded_3 + next;
                        folded_3 = folded_4;
                    }
                }
            }
            {
                index_t i_thread_5 = (index_t)threadIdx.y;
                index_t j_thread_5 = (index_t)threadIdx.x;
                index_t t_79 = (0 > a_dim1_1 ? 0 : a_dim1_1) / 512;
#pragma unroll
                for (index_t round_5 = 0; round_5 < 4; round_5++) {
                    index_t t_81 = j_thread_5 + round_5 * 512;
                    if (round_5 < t_79) {
                        /* line 52 */
                        out_1[i_origin * out_1_s0 + t_81] = a_3[round_5 * 2] / folded_3;
                        /* line 52 */
                        out_1[i_origin * out_1_s0 + (t_81 + 256)] = a_3[round_5 * 2 + 1] / folded_3;
                    }
                }
                index_t t_88 = j_thread_5 + t_79 * 512;
                if (t_88 < a_dim1_1) {
                    /* line 52 */
                    out_1[i_origin * out_1_s0 + t_88] = a_3[4 * 2] / folded_3;
                }
                index_t t_91 = t_88 + 256;
                if (t_91 < a_dim1_1) {
                    /* line 52 */
                    out_1[i_origin * out_1_s0 + t_91] = a_3[4 * 2 + 1] / folded_3;
                }
            }
            __syncthreads();
        }
    } else {
        double folded_6;
        {
            index_t i_thread_6 = (index_t)threadIdx.y;
            index_t j_thread_6 = (index_t)threadIdx.x;
            own_2[0] = -0.0;
            own_2[1] = -0.0;
            index_t t_94 = 0 > a_dim1_1 ? 0 : a_dim1_1;
            index_t round_stop_3 = (t_94 + 255) / 256;
            for (index_t round_6 = 0; round_6 < round_stop_3; round_6++) {
                index_t t_98 = j_thread_6 + round_6 * 256;
                if (t_98 < t_94) {
                    /* line 47 */
                    own_2[0] = own_2[0] + a_1[i_origin * a_1_s0 + t_98];
                }
            }
            double part_7 = own_2[0] + own_2[1];
#pragma unroll
            for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                {
                    double other = from_lane(part_7, weft_step);
                    double folded_7 = part_7 + other;
                    part_7 = folded_7;
                }
            }
            if (threadIdx.x % 32 == 0) {
                weft_folds_float64_0[threadIdx.x / 32] = part_7;
            }
            __syncthreads();
            folded_6 = 0.0;
#pragma unroll
            for (int32_t weft_k = 0; weft_k < 8; weft_k++) {
                {
                    double next = weft_folds_float64_0[weft_k];
                    double folded_7 = folded_6 + next;
                    folded_6 = folded_7;
                }
            }
        }
        {
            index_t i_thread_7 = (index_t)threadIdx.y;
            index_t j_thread_7 = (index_t)threadIdx.x;
            index_t t_103 = 0 > a_dim1_1 ? 0 : a_dim1_1;
            index_t round_stop_4 = (t_103 + 255) / 256;
            for (index_t round_7 = 0; round_7 < round_stop_4; round_7++) {
                index_t t_107 = j_thread_7 + round_7 * 256;
                if (t_107 < t_103) {
                    /* line 52 */
                    out_1[i_origin * out_1_s0 + t_107] = a_1[i_origin * a_1_s0 + t_107] / folded_6;
                }
            }
        }
        __syncthreads();
    }
}

extern "C" __global__ __launch_bounds__(512, 2) void rows_divided_by_their_sum_2(const char *__restrict__ a_7_memory,
        int64_t a_7_offset,
        int64_t a_7_n0_given,
        int64_t a_7_n1_given,
        int64_t a_7_s0_given,
        char *__restrict__ out_3_memory,
        int64_t out_3_offset,
        int64_t out_3_n0_given,
        int64_t out_3_n1_given,
        int64_t out_3_s0_given,
        int64_t a_dim0_3,
        int64_t a_dim1_given_3,
        int64_t i_offset_given_3,
        int64_t i_extent_given_3) {
    __shared__ __align__(16) double weft_folds_float64_0[16];
    double *a_7 = AT(double, a_7_memory, a_7_offset);
    index_t a_7_n0 = (index_t)a_7_n0_given;
    index_t a_7_n1 = (index_t)a_7_n1_given;
    index_t a_7_s0 = (index_t)(a_7_s0_given >> 3);
    double *out_3 = AT(double, out_3_memory, out_3_offset);
    index_t out_3_n0 = (index_t)out_3_n0_given;
    index_t out_3_n1 = (index_t)out_3_n1_given;
    index_t out_3_s0 = (index_t)(out_3_s0_given >> 3);
    index_t a_dim1_3 = (index_t)a_dim1_given_3;
    index_t i_offset_2 = (index_t)i_offset_given_3;
    index_t i_extent_2 = (index_t)i_extent_given_3;
    /* line 47 */
    index_t i_block_2 = (index_t)blockIdx.x;
    index_t i_origin_2 = i_block_2 + i_offset_2;
    double a_8[10];
    double own_6[2];
    double a_9[10];
    double own_7[2];
    __shared__ __align__(16) double place_2[1024];
    double own_8[2];
    bool inside_38 = ((((int64_t)a_7 | (int64_t)a_7_s0 * 8) & 15) == 0) & (((int64_t)out_3 | (int64_t)out_3_s0 * 8) & 15) == 0;
    bool inside_39 = inside_38 & (a_dim1_3 & 1) == 0;
    if (a_dim1_3 <= 4096) {
        if (inside_39) {
            double folded_18;
            {
                index_t i_thread_16 = (index_t)threadIdx.y;
                index_t j_thread_16 = (index_t)threadIdx.x;
                own_6[0] = -0.0;
                own_6[1] = -0.0;
                index_t t_211 = j_thread_16 * 2;
#pragma unroll
                for (index_t round_16 = 0; round_16 < 4; round_16++) {
                    index_t t_213 = t_211 + round_16 * 1024;
                    if (t_213 < a_dim1_3) {
                        /* line 50 */
                        double2 run_4 = *(double2 *)(AT(double, a_7, (int64_t)(i_origin_2 * a_7_s0 + t_213) * 8));
                        /* line 47 */
                        a_8[round_16 * 2] = run_4.x;
                        a_8[round_16 * 2 + 1] = run_4.y;
                    }
                }
                index_t t_216 = j_thread_16 * 2;
#pragma unroll
                for (index_t round_17 = 0; round_17 < 4; round_17++) {
                    if (t_216 + round_17 * 1024 < a_dim1_3) {
                        /* line 47 */
                        double s_27 = own_6[1] + a_8[round_17 * 2 + 1];
                        own_6[0] = own_6[0] + a_8[round_17 * 2];
                        own_6[1] = s_27;
                    }
                }
                double part_8 = own_6[0] + own_6[1];
#pragma unroll
                for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                    {
                        double other = from_lane(part_8, weft_step);
                        double folded_19 = part_8 + other;
                        part_8 = folded_19;
                    }
                }
                if (threadIdx.x % 32 == 0) {
                    weft_folds_float64_0[threadIdx.x / 32] = part_8;
                }
                __syncthreads();
                folded_18 = 0.0;
#pragma unroll
                for (int32_t weft_k = 0; weft_k < 16; weft_k++) {
                    {
                        double next = weft_folds_float64_0[weft_k];
                        double folded_19 = folded_18 + next;
                        folded_18 = folded_19;
                    }
                }
            }
            {
                index_t i_thread_17 = (index_t)threadIdx.y;
                index_t j_thread_17 = (index_t)threadIdx.x;
                index_t t_225 = j_thread_17 * 2;
#pragma unroll
                for (index_t round_18 = 0; round_18 < 4; round_18++) {
                    index_t t_227 = t_225 + round_18 * 1024;
                    if (t_227 < a_dim1_3) {
                        /* line 52 */
                        *(double2 *)(AT(double, out_3, (int64_t)(i_origin_2 * out_3_s0 + t_227) * 8)) = make_double2(a_8[round_18 * 2] / folded_18, a_8[round_18 * 2 + 1] / folded_18);
                    }
                }
            }
            __syncthreads();
        } else {
            {
                index_t i_thread_18 = (index_t)threadIdx.y;
                index_t j_thread_18 = (index_t)threadIdx.x;
                own_7[0] = -0.0;
                own_7[1] = -0.0;
                index_t t_233 = (0 > a_dim1_3 ? 0 : a_dim1_3) / 1024;
#pragma unroll
                for (index_t round_19 = 0; round_19 < 4; round_19++) {
                    index_t t_235 = j_thread_18 + round_19 * 1024;
                    if (round_19 < t_233) {
                        /* line 47 */
                        a_9[round_19 * 2] = a_7[i_origin_2 * a_7_s0 + t_235];
                        /* line 47 */
                        a_9[round_19 * 2 + 1] = a_7[i_origin_2 * a_7_s0 + (t_235 + 512)];
                    }
                }
                index_t t_240 = j_thread_18 + t_233 * 1024;
                if (t_240 < a_dim1_3) {
                    /* line 47 */
                    a_9[4 * 2] = a_7[i_origin_2 * a_7_s0 + t_240];
                }
                index_t t_242 = t_240 + 512;
                if (t_242 < a_dim1_3) {
                    /* line 47 */
                    a_9[4 * 2 + 1] = a_7[i_origin_2 * a_7_s0 + t_242];
                }
                index_t t_245 = (0 > a_dim1_3 ? 0 : a_dim1_3) / 1024;
#pragma unroll
                for (index_t round_20 = 0; round_20 < 4; round_20++) {
                    if (round_20 < t_245) {
                        /* line 47 */
                        own_7[0] = own_7[0] + a_9[round_20 * 2];
                        /* line 47 */
                        own_7[1] = own_7[1] + a_9[round_20 * 2 + 1];
                    }
                }
                index_t t_254 = j_thread_18 + t_245 * 1024;
                if (t_254 < a_dim1_3) {
                    /* line 47 */
                    own_7[0] = own_7[0] + a_9[4 * 2];
                }
                if (t_254 + 512 < a_dim1_3) {
                    /* line 47 */
                    own_7[1] = own_7[1] + a_9[4 * 2 + 1];
                }
                place_2[j_thread_18] = own_7[0];
                place_2[j_thread_18 + 512] = own_7[1];
            }
            __syncthreads();
            {
                index_t i_thread_19 = (index_t)threadIdx.y;
                index_t j_thread_19 = (index_t)threadIdx.x;
                own_7[0] = place_2[j_thread_19 * 2];
                own_7[1] = place_2[j_thread_19 * 2 + 1];
            }
            __syncthreads();
            double folded_21;
            {
                index_t i_thread_20 = (index_t)threadIdx.y;
                index_t j_thread_20 = (index_t)threadIdx.x;
                double part_9 = own_7[0] + own_7[1];
#pragma unroll
                for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                    {
                        double other = from_lane(part_9, weft_step);
                        double folded_22 = part_9 + other;
                        part_9 = folded_22;
                    }
                }
                if (threadIdx.x % 32 == 0) {
                    weft_folds_float64_0[threadIdx.x / 32] = part_9;
                }
                __syncthreads();
                folded_21 = 0.0;
#pragma unroll
                for (int32_t weft_k = 0; weft_k < 16; weft_k++) {
                    {
                        double next = weft_folds_float64_0[weft_k];
                        double folded_22 = folded_21 + next;
                        folded_21 = folded_22;
                    }
                }
            }
            {
                index_t i_thread_21 = (index_t)threadIdx.y;
                index_t j_thread_21 = (index_t)threadIdx.x;
                index_t t_271 = (0 > a_dim1_3 ? 0 : a_dim1_3) / 1024;
#pragma unroll
                for (index_t round_21 = 0; round_21 < 4; round_21++) {
                    index_t t_273 = j_thread_21 + round_21 * 1024;
                    if (round_21 < t_271) {
                        /* line 52 */
                        out_3[i_origin_2 * out_3_s0 + t_273] = a_9[round_21 * 2] / folded_21;
                        /* line 52 */
                        out_3[i_origin_2 * out_3_s0 + (t_273 + 512)] = a_9[round_21 * 2 + 1] / folded_21;
                    }
                }
                index_t t_280 = j_thread_21 + t_271 * 1024;
                if (t_280 < a_dim1_3) {
                    /* line 52 */
                    out_3[i_origin_2 * out_3_s0 + t_280] = a_9[4 * 2] / folded_21;
                }
                index_t t_283 = t_280 + 512;
                if (t_283 < a_dim1_3) {
                    /* line 52 */
                    out_3[i_origin_2 * out_3_s0 + t_283] = a_9[4 * 2 + 1] / folded_21;
                }
            }
            __syncthreads();
        }
    } else {
        double folded_24;
        {
            index_t i_thread_22 = (index_t)threadIdx.y;
            index_t j_thread_22 = (index_t)threadIdx.x;
            own_8[0] = -0.0;
            own_8[1] = -0.0;
            index_t t_286 = 0 > a_dim1_3 ? 0 : a_dim1_3;
            index_t round_stop_5 = (t_286 + 511) / 512;
            for (index_t round_22 = 0; round_22 < round_stop_5; round_22++) {
                index_t t_290 = j_thread_22 + round_22 * 512;
                if (t_290 < t_286) {
                    /* line 47 */
                    own_8[0] = own_8[0] + a_7[i_origin_2 * a_7_s0 + t_290];
                }
            }
            double part_10 = own_8[0] + own_8[1];
#pragma unroll
            for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                {
                    double other = from_lane(part_10, weft_step);
                    double folded_25 = part_10 + other;
                    part_10 = folded_25;
                }
            }
            if (threadIdx.x % 32 == 0) {
                weft_folds_float64_0[threadIdx.x / 32] = part_10;
            }
            __syncthreads();
            folded_24 = 0.0;
#pragma unroll
            for (int32_t weft_k = 0; weft_k < 16; weft_k++) {
                {
                    double next = weft_folds_float64_0[weft_k];
                    double folded_25 = folded_24 + next;
                    folded_24 = folded_25;
                }
            }
        }
        {
            index_t i_thread_23 = (index_t)threadIdx.y;
            index_t j_thread_23 = (index_t)threadIdx.x;
            index_t t_295 = 0 > a_dim1_3 ? 0 : a_dim1_3;
            index_t round_stop_6 = (t_295 + 511) / 512;
            for (index_t round_23 = 0; round_23 < round_stop_6; round_23++) {
                index_t t_299 = j_thread_23 + round_23 * 512;
                if (t_299 < t_295) {
                    /* line 52 */
                    out_3[i_origin_2 * out_3_s0 + t_299] = a_7[i_origin_2 * a_7_s0 + t_299] / folded_24;
                }
            }
        }
        __syncthreads();
    }
}

extern "C" __global__ __launch_bounds__(512) void rows_divided_by_their_sum_3(const char *__restrict__ a_10_memory,
        int64_t a_10_offset,
        int64_t a_10_n0_given,
        int64_t a_10_n1_given,
        int64_t a_10_s0_given,
        char *__restrict__ out_4_memory,
        int64_t out_4_offset,
        int64_t out_4_n0_given,
        int64_t out_4_n1_given,
        int64_t out_4_s0_given,
        int64_t a_dim0_4,
        int64_t a_dim1_given_4,
        int64_t i_offset_given_4,
        int64_t i_extent_given_4) {
    __shared__ __align__(16) double weft_folds_float64_0[16];
    double *a_10 = AT(double, a_10_memory, a_10_offset);
    index_t a_10_n0 = (index_t)a_10_n0_given;
    index_t a_10_n1 = (index_t)a_10_n1_given;
    index_t a_10_s0 = (index_t)(a_10_s0_given >> 3);
    double *out_4 = AT(double, out_4_memory, out_4_offset);
    index_t out_4_n0 = (index_t)out_4_n0_given;
    index_t out_4_n1 = (index_t)out_4_n1_given;
    index_t out_4_s0 = (index_t)(out_4_s0_given >> 3);
    index_t a_dim1_4 = (index_t)a_dim1_given_4;
    index_t i_offset_3 = (index_t)i_offset_given_4;
    index_t i_extent_3 = (index_t)i_extent_given_4;
    /* line 47 */
    index_t i_block_3 = (index_t)blockIdx.x;
    index_t i_origin_3 = i_block_3 + i_offset_3;
    double a_11[18];
    double own_9[2];
    double own_10[2];
    __shared__ __align__(16) double place_3[1024];
    bool inside_56 = ((((int64_t)a_10 | (int64_t)a_10_s0 * 8) & 15) == 0) & (((int64_t)out_4 | (int64_t)out_4_s0 * 8) & 15) == 0;
    if ((a_dim1_4 <= 8192) & (inside_56 & (a_dim1_4 & 1) == 0)) {
        double folded_27;
        {
            index_t i_thread_24 = (index_t)threadIdx.y;
            index_t j_thread_24 = (index_t)threadIdx.x;
            own_9[0] = -0.0;
            own_9[1] = -0.0;
            index_t t_307 = j_thread_24 * 2;
#pragma unroll
            for (index_t round_24 = 0; round_24 < 8; round_24++) {
                index_t t_309 = t_307 + round_24 * 1024;
                if (t_309 < a_dim1_4) {
                    /* line 50 */
                    double2 run_6 = *(double2 *)(AT(double, a_10, (int64_t)(i_origin_3 * a_10_s0 + t_309) * 8));
                    /* line 47 */
                    a_11[round_24 * 2] = run_6.x;
                    a_11[round_24 * 2 + 1] = run_6.y;
                }
            }
            index_t t_312 = j_thread_24 * 2;
#pragma unroll
            for (index_t round_25 = 0; round_25 < 8; round_25++) {
                if (t_312 + round_25 * 1024 < a_dim1_4) {
                    /* line 47 */
                    double s_37 = own_9[1] + a_11[round_25 * 2 + 1];
                    own_9[0] = own_9[0] + a_11[round_25 * 2];
                    own_9[1] = s_37;
                }
            }
            double part_11 = own_9[0] + own_9[1];
#pragma unroll
            for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                {
                    double other = from_lane(part_11, weft_step);
                    double folded_28 = part_11 + other;
                    part_11 = folded_28;
                }
            }
            if (threadIdx.x % 32 == 0) {
                weft_folds_float64_0[threadIdx.x / 32] = part_11;
            }
            __syncthreads();
            folded_27 = 0.0;
#pragma unroll
            for (int32_t weft_k = 0; weft_k < 16; weft_k++) {
                {
                    double next = weft_folds_float64_0[weft_k];
                    double folded_28 = folded_27 + next;
                    folded_27 = folded_28;
                }
            }
        }
        {
            index_t i_thread_25 = (index_t)threadIdx.y;
            index_t j_thread_25 = (index_t)threadIdx.x;
            index_t t_321 = j_thread_25 * 2;
#pragma unroll
            for (index_t round_26 = 0; round_26 < 8; round_26++) {
                index_t t_323 = t_321 + round_26 * 1024;
                if (t_323 < a_dim1_4) {
                    /* line 52 */
                    double2 run_7 = make_double2(a_11[round_26 * 2] / folded_27, a_11[round_26 * 2 + 1] / folded_27);
                    *(double2 *)(AT(double, out_4, (int64_t)(i_origin_3 * out_4_s0 + t_323) * 8)) = run_7;
                }
            }
        }
        __syncthreads();
    } else {
        {
            index_t i_thread_26 = (index_t)threadIdx.y;
            index_t j_thread_26 = (index_t)threadIdx.x;
            own_10[0] = -0.0;
            own_10[1] = -0.0;
            index_t t_329 = (0 > a_dim1_4 ? 0 : a_dim1_4) / 1024;
            for (index_t round_27 = 0; round_27 < t_329; round_27++) {
                index_t t_331 = j_thread_26 + round_27 * 1024;
                /* line 47 */
                own_10[0] = own_10[0] + a_10[i_origin_3 * a_10_s0 + t_331];
                /* line 47 */
                own_10[1] = own_10[1] + a_10[i_origin_3 * a_10_s0 + (t_331 + 512)];
            }
            index_t t_338 = j_thread_26 + t_329 * 1024;
            if (t_338 < a_dim1_4) {
                /* line 47 */
                own_10[0] = own_10[0] + a_10[i_origin_3 * a_10_s0 + t_338];
            }
            index_t t_341 = t_338 + 512;
            if (t_341 < a_dim1_4) {
                /* line 47 */
                own_10[1] = own_10[1] + a_10[i_origin_3 * a_10_s0 + t_341];
            }
            place_3[j_thread_26] = own_10[0];
            place_3[j_thread_26 + 512] = own_10[1];
        }
        __syncthreads();
        {
            index_t i_thread_27 = (index_t)threadIdx.y;
            index_t j_thread_27 = (index_t)threadIdx.x;
            own_10[0] = place_3[j_thread_27 * 2];
            own_10[1] = place_3[j_thread_27 * 2 + 1];
        }
        __syncthreads();
        double folded_30;
        {
            index_t i_thread_28 = (index_t)threadIdx.y;
            index_t j_thread_28 = (index_t)threadIdx.x;
            double part_12 = own_10[0] + own_10[1];
#pragma unroll
            for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                {
                    double other = from_lane(part_12, weft_step);
                    double folded_31 = part_12 + other;
                    part_12 = folded_31;
                }
            }
            if (threadIdx.x % 32 == 0) {
                weft_folds_float64_0[threadIdx.x / 32] = part_12;
            }
            __syncthreads();
            folded_30 = 0.0;
#pragma unroll
            for (int32_t weft_k = 0; weft_k < 16; weft_k++) {
                {
                    double next = weft_folds_float64_0[weft_k];
                    double folded_31 = folded_30 + next;
                    folded_30 = folded_31;
                }
            }
        }
        {
            index_t i_thread_29 = (index_t)threadIdx.y;
            index_t j_thread_29 = (index_t)threadIdx.x;
            index_t t_355 = (0 > a_dim1_4 ? 0 : a_dim1_4) / 1024;
            for (index_t round_28 = 0; round_28 < t_355; round_28++) {
                index_t t_357 = j_thread_29 + round_28 * 1024;
                /* line 52 */
                out_4[i_origin_3 * out_4_s0 + t_357] = a_10[i_origin_3 * a_10_s0 + t_357] / folded_30;
                /* line 47 */
                index_t t_360 = t_357 + 512;
                /* line 52 */
                out_4[i_origin_3 * out_4_s0 + t_360] = a_10[i_origin_3 * a_10_s0 + t_360] / folded_30;
            }
            /* line 47 */
            index_t t_364 = j_thread_29 + t_355 * 1024;
            if (t_364 < a_dim1_4) {
                /* line 52 */
                out_4[i_origin_3 * out_4_s0 + t_364] = a_10[i_origin_3 * a_10_s0 + t_364] / folded_30;
            }
            index_t t_367 = t_364 + 512;
            if (t_367 < a_dim1_4) {
                /* line 52 */
                out_4[i_origin_3 * out_4_s0 + t_367] = a_10[i_origin_3 * a_10_s0 + t_367] / folded_30;
            }
        }
        __syncthreads();
    }
}
