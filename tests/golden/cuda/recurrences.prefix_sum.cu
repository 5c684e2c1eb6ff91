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
        int64_t tile_offset,
        int64_t tile_extent) {
    uint64_t *turns_2 = AT(uint64_t, turns_2_memory, turns_2_offset);
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 18 */
    int64_t tile_block = take_turn((uint64_t *)turns_2);
    __shared__ __align__(16) double s_18[272];
    __shared__ __align__(16) double s_row[16];
    __shared__ __align__(16) double s_total[1];
    int64_t t_24 = (tile_block + tile_offset) * 7936;
    int64_t t_25 = t_24 + 7936;
    int64_t last_2 = x_dim0_1 < t_25 ? x_dim0_1 : t_25;
    bool inside_9 = t_24 + 7936 <= last_2;
    {
        int64_t i_thread_2 = (int64_t)threadIdx.y;
        int64_t i_thread_3 = (int64_t)threadIdx.x;
        int64_t t_27 = i_thread_3 * 31;
        if (inside_9) {
            double carried = -0.0;
#pragma unroll
            for (int64_t step = 0; step < 8; step++) {
                /* line 19 */
                carried = carried + x_1[t_24 + (t_27 + step)];
            }
            /* line 18 */
            double carried_1 = carried;
#pragma unroll
            for (int64_t step_1 = 0; step_1 < 8; step_1++) {
                /* line 19 */
                carried_1 = carried_1 + x_1[t_24 + (t_27 + 8 + step_1)];
            }
            /* line 18 */
            double carried_2 = carried_1;
#pragma unroll
            for (int64_t step_2 = 0; step_2 < 8; step_2++) {
                /* line 19 */
                carried_2 = carried_2 + x_1[t_24 + (t_27 + 16 + step_2)];
            }
            /* line 18 */
            double carried_3 = carried_2;
#pragma unroll
            for (int64_t step_3 = 0; step_3 < 7; step_3++) {
                /* line 19 */
                carried_3 = carried_3 + x_1[t_24 + (t_27 + 24 + step_3)];
            }
            /* line 18 */
            s_18[i_thread_3 + i_thread_3 / 16] = carried_3;
        } else {
            int64_t t_46 = last_2 - t_24 - t_27;
            int64_t step_stop = 31 < t_46 ? 31 : t_46;
            double carried_4 = -0.0;
            for (int64_t step_4 = 0; step_4 < step_stop; step_4++) {
                /* line 19 */
                carried_4 = carried_4 + x_1[t_24 + (t_27 + step_4)];
            }
            /* line 18 */
            s_18[i_thread_3 + i_thread_3 / 16] = carried_4;
        }
    }
    __syncthreads();
    {
        int64_t i_thread_4 = (int64_t)threadIdx.y;
        int64_t i_thread_5 = (int64_t)threadIdx.x;
        if (i_thread_5 < 16) {
            int64_t t_53 = i_thread_5 * 17;
            double carried_5 = -0.0;
#pragma unroll
            for (int64_t part_2 = 0; part_2 < 16; part_2++) {
                int64_t t_54 = t_53 + part_2;
                double t_55 = s_18[t_54];
                s_18[t_54] = carried_5;
                carried_5 += t_55;
            }
            s_row[i_thread_5] = carried_5;
        }
    }
    __syncthreads();
    {
        int64_t i_thread_6 = (int64_t)threadIdx.y;
        int64_t i_thread_7 = (int64_t)threadIdx.x;
        if (i_thread_7 == 0) {
            double carried_6 = -0.0;
#pragma unroll
            for (int64_t part_1 = 0; part_1 < 16; part_1++) {
                double t_56 = s_row[part_1];
                s_row[part_1] = carried_6;
                carried_6 += t_56;
            }
            s_total[0] = carried_6;
        }
    }
    __syncthreads();
    double t_57 = s_total[0];
    struct __align__(4) begin_2_carried { double value_0; };
    struct __align__(4) begin_2_sums { double value_0; };
    __shared__ begin_2_carried begin_2;
    auto begin_2_joined = [=](const begin_2_carried &before, const begin_2_sums &more) -> begin_2_carried {
            double s_26 = before.value_0 + more.value_0;
        return begin_2_carried{s_26};
    };
    if (threadIdx.x < 32)
        hand_on((uint64_t *)turns_2, tile_block, begin_2_carried{0.0},
                begin_2_sums{t_57}, begin_2_joined, &begin_2);
    __syncthreads();
    double s_1 = begin_2.value_0;
    {
        int64_t i_thread_8 = (int64_t)threadIdx.y;
        int64_t i_thread_9 = (int64_t)threadIdx.x;
        double s_28 = s_1 + s_row[i_thread_9 / 16] + s_18[i_thread_9 + i_thread_9 / 16];
        int64_t t_63 = i_thread_9 * 31;
        if (inside_9) {
            double carried_7 = s_28;
#pragma unroll
            for (int64_t step_5 = 0; step_5 < 8; step_5++) {
                int64_t t_65 = t_24 + (t_63 + step_5);
                /* line 19 */
                double s_29 = carried_7 + x_1[t_65];
                /* line 20 */
                out_1[t_65] = s_29;
                carried_7 = s_29;
            }
            /* line 18 */
            double carried_8 = carried_7;
#pragma unroll
            for (int64_t step_6 = 0; step_6 < 8; step_6++) {
                int64_t t_69 = t_24 + (t_63 + 8 + step_6);
                /* line 19 */
                double s_30 = carried_8 + x_1[t_69];
                /* line 20 */
                out_1[t_69] = s_30;
                carried_8 = s_30;
            }
            /* line 18 */
            double carried_9 = carried_8;
#pragma unroll
            for (int64_t step_7 = 0; step_7 < 8; step_7++) {
                int64_t t_73 = t_24 + (t_63 + 16 + step_7);
                /* line 19 */
                double s_31 = carried_9 + x_1[t_73];
                /* line 20 */
                out_1[t_73] = s_31;
                carried_9 = s_31;
            }
            /* line 18 */
            double carried_10 = carried_9;
#pragma unroll
            for (int64_t step_8 = 0; step_8 < 7; step_8++) {
                int64_t t_77 = t_24 + (t_63 + 24 + step_8);
                /* line 19 */
                double s_32 = carried_10 + x_1[t_77];
                /* line 20 */
                out_1[t_77] = s_32;
                carried_10 = s_32;
            }
        } else {
            int64_t t_80 = last_2 - t_24 - t_63;
            int64_t step_stop_2 = 31 < t_80 ? 31 : t_80;
            double carried_11 = s_28;
            for (int64_t step_9 = 0; step_9 < step_stop_2; step_9++) {
                int64_t t_83 = t_24 + (t_63 + step_9);
                /* line 19 */
                double s_33 = carried_11 + x_1[t_83];
                /* line 20 */
                out_1[t_83] = s_33;
                carried_11 = s_33;
            }
        }
    }
    __syncthreads();
}
