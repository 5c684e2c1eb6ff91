#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

typedef unsigned int uint32_t;

typedef unsigned long long uint64_t;

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

/* A tile's sums, for the tiles behind it, which may want them before it is known what is carried there. */
template <class Carried, class Sums>
static __device__ __forceinline__ void announce(uint64_t *words, int64_t tile, const Sums &own) {
    const int size = (sizeof(Carried) + sizeof(Sums)) / 4, behind = sizeof(Carried) / 4;
    if (tile > 0) put_words(words + 1 + tile * size + behind, own);
}

HELPER void keep_behind(int64_t &offset) { asm volatile("" : "+l"(offset)); }

/* Where the launch permits it, a kernel is started before the one before it is done. From here on that one is done, and what
   it wrote can be read. The offsets pass through, so that nothing is loaded earlier. */
template <typename... Offsets>
HELPER void begin_kernel(Offsets &...offsets) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    (keep_behind(offsets), ...);
#endif
}

#define bool bool

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

/* What is carried where a tile begins, for one warp. The tiles before it have left their sums in memory, or what is carried after
   them: from the nearest of these on, sums are put behind one another in order, so that the result is the same whichever it is. */
template <class Carried, class Sums, class Join>
static __device__ __forceinline__ void hand_on(uint64_t *words, int64_t tile, const Carried &first, const Sums &own, Join join,
                                               Carried *begin) {
    const int windows = 8, size = (sizeof(Carried) + sizeof(Sums)) / 4, behind = sizeof(Carried) / 4;
    __shared__ Sums between[windows * 32];
    const int lane = threadIdx.x;
    words += 1;
    Carried carried = first;
    for (int window = 0, distance = -1; distance < 0; window = window + 1 < windows ? window + 1 : 0) {
        const int64_t other = tile - 1 - (window * 32 + lane);
        Carried theirs = first;
        Sums sums = own;
        bool is_there = other < 0;
        while (!is_there) {
            const bool are_summed = get_words(words + other * size + behind, &sums); /* both are asked for at once */
            is_there = get_words(words + other * size, &theirs);
            if (are_summed) break;
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

typedef int int32_t;

typedef int32_t index_t;

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

/* The value that a lane has which lies so many before in the warp, and that of the last one; all lanes ask. */
template <typename T>
HELPER T lane_before(T value, int32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_up_sync(0xffffffff, word, distance); });
}

template <typename T>
HELPER T last_lane(T value) {
    return by_words(value, [=](uint32_t word) { return __shfl_sync(0xffffffff, word, 31); });
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
        int64_t turns_1_n0_given,
        int64_t extent_1,
        int64_t word_offset_given,
        int64_t word_extent_given) {
    begin_kernel(turns_1_offset);
    uint64_t *turns_1 = AT(uint64_t, turns_1_memory, turns_1_offset);
    index_t turns_1_n0 = (index_t)turns_1_n0_given;
    index_t word_offset = (index_t)word_offset_given;
    index_t word_extent = (index_t)word_extent_given;
    /* line 18 */
    index_t word_first = word_offset - word_offset % 2;
    index_t word_block = (index_t)blockIdx.x;
    index_t word_origin = word_block * 512 + word_first;
    if ((((int64_t)turns_1) & 15) == 0) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t word_2 = word_origin + i_thread * 2;
        if ((word_2 >= word_offset) & (word_2 + 1 < word_extent)) {
            index_t word_4 = word_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_16 = word_4 + run * 512;
                *(ulonglong2 *)(AT(uint64_t, turns_1, (int64_t)(t_16) * 8)) = make_ulonglong2(0uLL, 0uLL);
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t word_7 = word_origin + i_thread * 2 + point;
                if ((word_7 >= word_offset) & (word_7 < word_extent)) {
                    turns_1[word_7] = 0uLL;
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t word_9 = word_origin + point_1 * 256 + i_thread_1;
            if ((word_9 >= word_offset) & (word_9 < word_extent)) {
                turns_1[word_9] = 0uLL;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void prefix_sum_1(char *__restrict__ turns_2_memory,
        int64_t turns_2_offset,
        int64_t turns_2_n0_given,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t tiles_2,
        int64_t x_dim0_given,
        int64_t tile_offset_given,
        int64_t tile_extent_given) {
    begin_kernel(turns_2_offset, x_1_offset, out_1_offset);
    __shared__ __align__(16) double weft_parts[8];
    uint64_t *turns_2 = AT(uint64_t, turns_2_memory, turns_2_offset);
    index_t turns_2_n0 = (index_t)turns_2_n0_given;
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t x_dim0_1 = (index_t)x_dim0_given;
    index_t tile_offset_2 = (index_t)tile_offset_given;
    index_t tile_extent_2 = (index_t)tile_extent_given;
    /* line 18 */
    index_t tile_block_2 = take_turn((uint64_t *)turns_2);
    double s_part_2[1];
    double s_begin_2[1];
    index_t t_196 = (tile_block_2 + tile_offset_2) * 7936;
    index_t t_197 = t_196 + 7936;
    index_t last_4 = x_dim0_1 < t_197 ? x_dim0_1 : t_197;
    bool inside_31 = t_196 + 7936 <= last_4;
    {
        index_t i_thread_18 = (index_t)threadIdx.y;
        index_t i_thread_19 = (index_t)threadIdx.x;
        index_t t_199 = i_thread_19 * 31;
        if (inside_31) {
            double v_carried_22 = -0.0;
#pragma unroll
            for (index_t step_20 = 0; step_20 < 8; step_20++) {
                /* line 19 */
                v_carried_22 = v_carried_22 + __ldg(&x_1[t_196 + (t_199 + step_20)]);
            }
            /* line 18 */
            double v_carried_23 = v_carried_22;
#pragma unroll
            for (index_t step_21 = 0; step_21 < 8; step_21++) {
                /* line 19 */
                v_carried_23 = v_carried_23 + __ldg(&x_1[t_196 + (t_199 + 8 + step_21)]);
            }
            /* line 18 */
            double v_carried_24 = v_carried_23;
#pragma unroll
            for (index_t step_22 = 0; step_22 < 8; step_22++) {
                /* line 19 */
                v_carried_24 = v_carried_24 + __ldg(&x_1[t_196 + (t_199 + 16 + step_22)]);
            }
            /* line 18 */
            double v_carried_25 = v_carried_24;
#pragma unroll
            for (index_t step_23 = 0; step_23 < 7; step_23++) {
                /* line 19 */
                v_carried_25 = v_carried_25 + __ldg(&x_1[t_196 + (t_199 + 24 + step_23)]);
            }
            /* line 18 */
            s_part_2[0] = v_carried_25;
        } else {
            index_t t_216 = last_4 - t_196 - t_199;
            index_t step_stop = 31 < t_216 ? 31 : t_216;
            double v_carried_26 = -0.0;
            for (index_t step_24 = 0; step_24 < step_stop; step_24++) {
                /* line 19 */
                v_carried_26 = v_carried_26 + __ldg(&x_1[t_196 + (t_199 + step_24)]);
            }
            /* line 18 */
            s_part_2[0] = v_carried_26;
        }
    }
    double total_27;
    {
        const int32_t weft_lane = threadIdx.x % 32, weft_row = threadIdx.x / 32;
        double weft_all_0 = -0.0;
#pragma unroll
        for (int32_t weft_run = 0; weft_run < 1; weft_run++) {
            double weft_sum_0 = s_part_2[weft_run];
#pragma unroll
            for (int32_t weft_step = 1; weft_step < 32; weft_step *= 2) {
                double weft_other_0 = lane_before(weft_sum_0, weft_step);
                if (weft_lane >= weft_step) {
                    {
                        const double weft_left_0 = weft_other_0;
                        const double weft_right_0 = weft_sum_0;
                        double s_49 = weft_left_0 + weft_right_0;
                        const double weft_new_0 = s_49;
                        weft_sum_0 = weft_new_0;
                    }
                }
            }
            double weft_before_0 = lane_before(weft_sum_0, 1);
            weft_sum_0 = last_lane(weft_sum_0);
            s_begin_2[weft_run] = weft_all_0;
            if (weft_lane > 0) {
                {
                    const double weft_left_0 = weft_all_0;
                    const double weft_right_0 = weft_before_0;
                    double s_49 = weft_left_0 + weft_right_0;
                    const double weft_new_0 = s_49;
                    s_begin_2[weft_run] = weft_new_0;
                }
            }
            {
                const double weft_left_0 = weft_all_0;
                const double weft_right_0 = weft_sum_0;
                double s_49 = weft_left_0 + weft_right_0;
                const double weft_new_0 = s_49;
                weft_all_0 = weft_new_0;
            }
        }
        if (weft_lane == 0) {
            weft_parts[weft_row] = weft_all_0;
        }
        __syncthreads();
        total_27 = -0.0;
#pragma unroll
        for (int32_t weft_other = 0; weft_other < 8; weft_other++) {
            if (weft_other == weft_row) { weft_all_0 = total_27; }
            {
                const double weft_left_0 = total_27;
                const double weft_right_0 = weft_parts[weft_other];
                double s_49 = weft_left_0 + weft_right_0;
                const double weft_new_0 = s_49;
                total_27 = weft_new_0;
            }
        }
#pragma unroll
        for (int32_t weft_run = 0; weft_run < 1; weft_run++) {
            {
                const double weft_left_0 = weft_all_0;
                const double weft_right_0 = s_begin_2[weft_run];
                double s_49 = weft_left_0 + weft_right_0;
                const double weft_new_0 = s_49;
                s_begin_2[weft_run] = weft_new_0;
            }
        }
    }
    struct __align__(4) weft_begin_carried { double value_0; };
    struct __align__(4) weft_begin_sums { double value_0; };
    const weft_begin_sums weft_begin_own = {total_27};
    if (threadIdx.x == 0) announce<weft_begin_carried>((uint64_t *)turns_2, tile_block_2, weft_begin_own);
    __shared__ weft_begin_carried weft_begin;
    auto weft_begin_joined = [=](const weft_begin_carried &weft_before, const weft_begin_sums &weft_more) -> weft_begin_carried {
            double s_50 = weft_before.value_0 + weft_more.value_0;
        return weft_begin_carried{s_50};
    };
    if (threadIdx.x < 32)
        hand_on((uint64_t *)turns_2, tile_block_2, weft_begin_carried{0.0},
                weft_begin_own, weft_begin_joined, &weft_begin);
    __syncthreads();
    double s_1 = weft_begin.value_0;
    {
        index_t i_thread_20 = (index_t)threadIdx.y;
        index_t i_thread_21 = (index_t)threadIdx.x;
        double s_51 = s_1 + s_begin_2[0];
        index_t t_223 = i_thread_21 * 31;
        if (inside_31) {
            double v_carried_28 = s_51;
#pragma unroll
            for (index_t step_25 = 0; step_25 < 8; step_25++) {
                index_t t_225 = t_196 + (t_223 + step_25);
                /* line 19 */
                double s_52 = v_carried_28 + __ldg(&x_1[t_225]);
                /* line 20 */
                out_1[t_225] = s_52;
                v_carried_28 = s_52;
            }
            /* line 18 */
            double v_carried_29 = v_carried_28;
#pragma unroll
            for (index_t step_26 = 0; step_26 < 8; step_26++) {
                index_t t_229 = t_196 + (t_223 + 8 + step_26);
                /* line 19 */
                double s_53 = v_carried_29 + __ldg(&x_1[t_229]);
                /* line 20 */
                out_1[t_229] = s_53;
                v_carried_29 = s_53;
            }
            /* line 18 */
            double v_carried_30 = v_carried_29;
#pragma unroll
            for (index_t step_27 = 0; step_27 < 8; step_27++) {
                index_t t_233 = t_196 + (t_223 + 16 + step_27);
                /* line 19 */
                double s_54 = v_carried_30 + __ldg(&x_1[t_233]);
                /* line 20 */
                out_1[t_233] = s_54;
                v_carried_30 = s_54;
            }
            /* line 18 */
            double v_carried_31 = v_carried_30;
#pragma unroll
            for (index_t step_28 = 0; step_28 < 7; step_28++) {
                index_t t_237 = t_196 + (t_223 + 24 + step_28);
                /* line 19 */
                double s_55 = v_carried_31 + __ldg(&x_1[t_237]);
                /* line 20 */
                out_1[t_237] = s_55;
                v_carried_31 = s_55;
            }
        } else {
            index_t t_240 = last_4 - t_196 - t_223;
            index_t step_stop_2 = 31 < t_240 ? 31 : t_240;
            double v_carried_32 = s_51;
            for (index_t step_29 = 0; step_29 < step_stop_2; step_29++) {
                index_t t_243 = t_196 + (t_223 + step_29);
                /* line 19 */
                double s_56 = v_carried_32 + __ldg(&x_1[t_243]);
                /* line 20 */
                out_1[t_243] = s_56;
                v_carried_32 = s_56;
            }
        }
    }
}
