#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

#define HELPER static __device__ __forceinline__

typedef unsigned long long uint64_t;

/* What blocks hand on goes through words of memory, half of each a value, the other half a mark that it is there. */
HELPER uint64_t load_word(const uint64_t *place) {
    uint64_t word;
#if __CUDA_ARCH__ >= 700
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(place) : "memory");
#else
    word = *(const volatile uint64_t *)place;
#endif
    return word;
}

typedef unsigned int uint32_t;

template <class Value>
static __device__ __forceinline__ bool get_words(const uint64_t *words, Value *value) {
    uint64_t found[sizeof(Value) / 4];
    uint32_t bits[sizeof(Value) / 4], all = 1;
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Value) / 4); k++) found[k] = load_word(words + k);
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Value) / 4); k++) {
        bits[k] = (uint32_t)found[k];
        all &= (uint32_t)(found[k] >> 32);
    }
    memcpy(value, bits, sizeof(Value));
    return all;
}

typedef long long int64_t;

HELPER void store_word(uint64_t *place, uint32_t value) {
    uint64_t word = (uint64_t)1 << 32 | value;
#if __CUDA_ARCH__ >= 700
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(word) : "memory");
#else
    *(volatile uint64_t *)place = word;
#endif
}

template <class Value>
static __device__ __forceinline__ void put_words(uint64_t *words, const Value &value) {
    uint32_t bits[sizeof(Value) / 4];
    memcpy(bits, &value, sizeof(Value));
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Value) / 4); k++) store_word(words + k, bits[k]);
}

/* What is carried where a tile begins, for one warp. The tiles before it have left their sums in memory, or what is carried after
   them: from the nearest of these on, sums are put behind one another in order, so that the result is the same whichever it is. */
template <class Carried, class Sums, class Join>
static __device__ __forceinline__ void hand_on(uint64_t *words, int64_t tile, const Carried &first, const Sums &own, Join join,
                                               Carried *begin) {
    const int windows = 8, size = (sizeof(Carried) + sizeof(Sums)) / 4, behind = sizeof(Carried) / 4;
    __shared__ Sums between[windows * 32];
    const int lane = threadIdx.x;
    words += 1;
    if (lane == 0 && tile > 0) put_words(words + tile * size + behind, own);
    Carried carried = first;
    for (int window = 0, distance = -1; distance < 0; window = window + 1 < windows ? window + 1 : 0) {
        const int64_t other = tile - 1 - (window * 32 + lane);
        Carried theirs = first;
        Sums sums = own;
        bool is_there = other < 0;
        while (!is_there) {
            is_there = get_words(words + other * size, &theirs);
            if (is_there || get_words(words + other * size + behind, &sums)) break;
        }
        const unsigned there = __ballot_sync(0xffffffffu, is_there);
        between[window * 32 + lane] = sums;
        if (there) {
            distance = window * 32 + __ffs((int)there) - 1;
            if (lane == __ffs((int)there) - 1) *begin = theirs;
            __syncwarp();
            carried = *begin;
            while (distance > 0) carried = join(carried, between[--distance]);
        }
    }
    __syncwarp();
    if (lane == 0) {
        *begin = carried;
        put_words(words + tile * size, join(carried, own));
    }
}

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

/* The tile that a block takes: blocks take them in order, so that those of all tiles before it have begun. */
HELPER int64_t take_turn(uint64_t *words) {
    __shared__ int64_t turn;
    if (threadIdx.x == 0) turn = (int64_t)atomicAdd((unsigned long long *)words, 1ULL);
    __syncthreads();
    return turn;
}

extern "C" __global__ __launch_bounds__(256) void prefix_sum_0_clears(char *__restrict__ turns_1_memory,
        int64_t turns_1_offset,
        int64_t turns_1_n0,
        int64_t extent_1,
        int64_t word_offset,
        int64_t word_extent) {
    uint64_t *turns_1 = AT(uint64_t, turns_1_memory, turns_1_offset);
    /* line 18 */
    int64_t word_first = word_offset - mod_by_positive(word_offset, 2);
    int64_t word_block = (int64_t)blockIdx.x;
    int64_t word_origin = word_block * 512 + word_first;
    if ((((int64_t)turns_1) & 15) == 0) {
        int64_t i_thread = (int64_t)threadIdx.x;
        int64_t word_2 = word_origin + i_thread * 2;
        if ((word_2 >= word_offset) & (word_2 + 1 < word_extent)) {
            int64_t word_4 = word_origin + i_thread * 2;
#pragma unroll
            for (int64_t run = 0; run < 1; run++) {
                int64_t t_16 = word_4 + run * 512;
                *(ulonglong2 *)(AT(uint64_t, turns_1, t_16 * 8)) = make_ulonglong2(0uLL, 0uLL);
            }
        } else {
            for (int64_t point = 0; point < 2; point++) {
                int64_t word_7 = word_origin + i_thread * 2 + point;
                if ((word_7 >= word_offset) & (word_7 < word_extent)) {
                    turns_1[word_7] = 0uLL;
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_1 = 0; point_1 < 2; point_1++) {
            int64_t word_9 = word_origin + point_1 * 256 + i_thread_1;
            if ((word_9 >= word_offset) & (word_9 < word_extent)) {
                turns_1[word_9] = 0uLL;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void prefix_sum_1(char *__restrict__ turns_2_memory,
        int64_t turns_2_offset,
        int64_t turns_2_n0,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t tiles_2,
        int64_t x_dim0_1,
        int64_t tile_offset_2,
        int64_t tile_extent_2) {
    uint64_t *turns_2 = AT(uint64_t, turns_2_memory, turns_2_offset);
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 18 */
    int64_t tile_block_2 = take_turn((uint64_t *)turns_2);
    __shared__ __align__(16) double s_50[272];
    __shared__ __align__(16) double s_row_2[16];
    __shared__ __align__(16) double s_total_2[1];
    int64_t t_204 = (tile_block_2 + tile_offset_2) * 7936;
    int64_t t_205 = t_204 + 7936;
    int64_t last_4 = x_dim0_1 < t_205 ? x_dim0_1 : t_205;
    bool inside_35 = t_204 + 7936 <= last_4;
    {
        int64_t i_thread_26 = (int64_t)threadIdx.y;
        int64_t i_thread_27 = (int64_t)threadIdx.x;
        int64_t t_207 = i_thread_27 * 31;
        if (inside_35) {
            double carried_24 = -0.0;
#pragma unroll
            for (int64_t step_20 = 0; step_20 < 8; step_20++) {
                /* line 19 */
                carried_24 = carried_24 + x_1[t_204 + (t_207 + step_20)];
            }
            /* line 18 */
            double carried_25 = carried_24;
#pragma unroll
            for (int64_t step_21 = 0; step_21 < 8; step_21++) {
                /* line 19 */
                carried_25 = carried_25 + x_1[t_204 + (t_207 + 8 + step_21)];
            }
            /* line 18 */
            double carried_26 = carried_25;
#pragma unroll
            for (int64_t step_22 = 0; step_22 < 8; step_22++) {
                /* line 19 */
                carried_26 = carried_26 + x_1[t_204 + (t_207 + 16 + step_22)];
            }
            /* line 18 */
            double carried_27 = carried_26;
#pragma unroll
            for (int64_t step_23 = 0; step_23 < 7; step_23++) {
                /* line 19 */
                carried_27 = carried_27 + x_1[t_204 + (t_207 + 24 + step_23)];
            }
            /* line 18 */
            s_50[i_thread_27 + i_thread_27 / 16] = carried_27;
        } else {
            int64_t t_226 = last_4 - t_204 - t_207;
            int64_t step_stop = 31 < t_226 ? 31 : t_226;
            double carried_28 = -0.0;
            for (int64_t step_24 = 0; step_24 < step_stop; step_24++) {
                /* line 19 */
                carried_28 = carried_28 + x_1[t_204 + (t_207 + step_24)];
            }
            /* line 18 */
            s_50[i_thread_27 + i_thread_27 / 16] = carried_28;
        }
    }
    __syncthreads();
    {
        int64_t i_thread_28 = (int64_t)threadIdx.y;
        int64_t i_thread_29 = (int64_t)threadIdx.x;
        if (i_thread_29 < 16) {
            int64_t t_233 = i_thread_29 * 17;
            double carried_29 = -0.0;
#pragma unroll
            for (int64_t part_4 = 0; part_4 < 16; part_4++) {
                int64_t t_234 = t_233 + part_4;
                double t_235 = s_50[t_234];
                s_50[t_234] = carried_29;
                carried_29 += t_235;
            }
            s_row_2[i_thread_29] = carried_29;
        }
    }
    __syncthreads();
    {
        int64_t i_thread_30 = (int64_t)threadIdx.y;
        int64_t i_thread_31 = (int64_t)threadIdx.x;
        if (i_thread_31 == 0) {
            double carried_30 = -0.0;
#pragma unroll
            for (int64_t part_5 = 0; part_5 < 16; part_5++) {
                double t_236 = s_row_2[part_5];
                s_row_2[part_5] = carried_30;
                carried_30 += t_236;
            }
            s_total_2[0] = carried_30;
        }
    }
    __syncthreads();
    double t_237 = s_total_2[0];
    struct __align__(4) begin_2_carried { double value_0; };
    struct __align__(4) begin_2_sums { double value_0; };
    __shared__ begin_2_carried begin_2;
    auto begin_2_joined = [=](const begin_2_carried &before, const begin_2_sums &more) -> begin_2_carried {
            double s_58 = before.value_0 + more.value_0;
        return begin_2_carried{s_58};
    };
    if (threadIdx.x < 32)
        hand_on((uint64_t *)turns_2, tile_block_2, begin_2_carried{0.0},
                begin_2_sums{t_237}, begin_2_joined, &begin_2);
    __syncthreads();
    double s_1 = begin_2.value_0;
    {
        int64_t i_thread_32 = (int64_t)threadIdx.y;
        int64_t i_thread_33 = (int64_t)threadIdx.x;
        double s_60 = s_1 + s_row_2[i_thread_33 / 16] + s_50[i_thread_33 + i_thread_33 / 16];
        int64_t t_243 = i_thread_33 * 31;
        if (inside_35) {
            double carried_31 = s_60;
#pragma unroll
            for (int64_t step_25 = 0; step_25 < 8; step_25++) {
                int64_t t_245 = t_204 + (t_243 + step_25);
                /* line 19 */
                double s_61 = carried_31 + x_1[t_245];
                /* line 20 */
                out_1[t_245] = s_61;
                carried_31 = s_61;
            }
            /* line 18 */
            double carried_32 = carried_31;
#pragma unroll
            for (int64_t step_26 = 0; step_26 < 8; step_26++) {
                int64_t t_249 = t_204 + (t_243 + 8 + step_26);
                /* line 19 */
                double s_62 = carried_32 + x_1[t_249];
                /* line 20 */
                out_1[t_249] = s_62;
                carried_32 = s_62;
            }
            /* line 18 */
            double carried_33 = carried_32;
#pragma unroll
            for (int64_t step_27 = 0; step_27 < 8; step_27++) {
                int64_t t_253 = t_204 + (t_243 + 16 + step_27);
                /* line 19 */
                double s_63 = carried_33 + x_1[t_253];
                /* line 20 */
                out_1[t_253] = s_63;
                carried_33 = s_63;
            }
            /* line 18 */
            double carried_34 = carried_33;
#pragma unroll
            for (int64_t step_28 = 0; step_28 < 7; step_28++) {
                int64_t t_257 = t_204 + (t_243 + 24 + step_28);
                /* line 19 */
                double s_64 = carried_34 + x_1[t_257];
                /* line 20 */
                out_1[t_257] = s_64;
                carried_34 = s_64;
            }
        } else {
            int64_t t_260 = last_4 - t_204 - t_243;
            int64_t step_stop_2 = 31 < t_260 ? 31 : t_260;
            double carried_35 = s_60;
            for (int64_t step_29 = 0; step_29 < step_stop_2; step_29++) {
                int64_t t_263 = t_204 + (t_243 + step_29);
                /* line 19 */
                double s_65 = carried_35 + x_1[t_263];
                /* line 20 */
                out_1[t_263] = s_65;
                carried_35 = s_65;
            }
        }
    }
    __syncthreads();
}
