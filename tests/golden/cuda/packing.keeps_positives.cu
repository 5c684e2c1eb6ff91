#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

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

typedef int int32_t;

/* Counts of the threads of a block, some of each, put behind one another in the order of warps, of runs, and of threads. What a
   warp has in a run fits in some bits of a word, which holds sums of several runs. */
template <int THREADS, int RUNS, int BITS>
HELPER int32_t count_together(const int32_t *counts, int32_t *begins, int32_t *rows) {
    const int32_t each = 32 / BITS, lane = threadIdx.x % 32, row = threadIdx.x / 32;
    const uint32_t mask = (1u << BITS) - 1;
    int32_t carried = 0, before = 0, total = 0;
#pragma unroll
    for (int32_t first = 0; first < RUNS; first += each) {
        uint32_t own = 0;
#pragma unroll
        for (int32_t k = 0; k < each && first + k < RUNS; k++) own |= (uint32_t)counts[first + k] << (BITS * k);
        uint32_t sums = own;
#pragma unroll
        for (int32_t step = 1; step < 32; step *= 2) {
            const uint32_t other = __shfl_up_sync(0xffffffff, sums, step);
            if (lane >= step) sums += other;
        }
        const uint32_t all = __shfl_sync(0xffffffff, sums, 31);
        sums -= own;
#pragma unroll
        for (int32_t k = 0; k < each && first + k < RUNS; k++) {
            begins[first + k] = carried + (int32_t)(sums >> (BITS * k) & mask);
            carried += (int32_t)(all >> (BITS * k) & mask);
        }
    }
    if (lane == 0) rows[row] = carried;
    __syncthreads();
#pragma unroll
    for (int32_t k = 0; k < THREADS / 32; k++) {
        if (k < row) before += rows[k];
        total += rows[k];
    }
#pragma unroll
    for (int32_t k = 0; k < RUNS; k++) begins[k] += before;
    __builtin_assume(total >= 0 && total <= THREADS * RUNS << (BITS - 5));
    return total;
}

/* By a constant; of a power of two it is a shift: compilers know that the lowest bits are 0. */
HELPER int64_t floordiv_by_positive_int64(int64_t a, int64_t b) {
    return b & (b - 1) ? (int64_t)(a / b - (a % b < 0)) : (int64_t)((a & -b) / b);
}

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

typedef int32_t index_t;

/* The tile that a block takes: blocks take them in order, so that those of all tiles before it have begun. */
HELPER int64_t take_turn(uint64_t *words) {
    __shared__ int64_t turn;
    if (threadIdx.x == 0) turn = (int64_t)atomicAdd((unsigned long long *)words, 1ULL);
    __syncthreads();
    return turn;
}

extern "C" __global__ __launch_bounds__(256) void keeps_positives_0_clears(char *__restrict__ turns_1_memory,
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
    /* line 12 */
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
                index_t t_19 = word_4 + run * 512;
                *(ulonglong2 *)(AT(uint64_t, turns_1, (int64_t)(t_19) * 8)) = make_ulonglong2(0uLL, 0uLL);
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

extern "C" __global__ __launch_bounds__(256, 4) void keeps_positives_1(char *__restrict__ turns_2_memory,
        int64_t turns_2_offset,
        int64_t turns_2_n0_given,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        char *__restrict__ left_1_memory,
        int64_t left_1_offset,
        int64_t left_1_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t tiles_2,
        int64_t x_dim0_given,
        int64_t tile_offset_given,
        int64_t tile_extent_given,
        int32_t *weft_flag) {
    begin_kernel(turns_2_offset, x_1_offset, left_1_offset, out_1_offset);
    __shared__ __align__(16) int32_t weft_parts[8];
    uint64_t *turns_2 = AT(uint64_t, turns_2_memory, turns_2_offset);
    index_t turns_2_n0 = (index_t)turns_2_n0_given;
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    int64_t *left_1 = AT(int64_t, left_1_memory, left_1_offset);
    index_t left_1_n0 = (index_t)left_1_n0_given;
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t x_dim0_1 = (index_t)x_dim0_given;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 12 */
    index_t tile_block = take_turn((uint64_t *)turns_2);
    index_t tile_origin = tile_block + tile_offset;
    __shared__ __align__(16) double out_tile[4096];
    int32_t k_part[4];
    int32_t k_begin[4];
    index_t t_32 = tile_origin * 4096;
    index_t t_33 = t_32 + 4096;
    index_t last_2 = x_dim0_1 < t_33 ? x_dim0_1 : t_33;
    bool inside_9 = t_32 + 4096 <= last_2;
    double held_2[16];
    {
        index_t i_thread_2 = (index_t)threadIdx.y;
        index_t i_thread_3 = (index_t)threadIdx.x;
        if (inside_9 & (((int64_t)x_1) & 15) == 0 & (int64_t)t_32 % 4 == 0) {
            index_t t_40 = i_thread_3 / 32 * 512 + i_thread_3 % 32 * 4;
#pragma unroll
            for (index_t run_2 = 0; run_2 < 4; run_2++) {
                index_t t_43 = t_32 + (t_40 + run_2 * 128);
                double2 run_3 = __ldg((double2 *)(AT(double, x_1, (int64_t)(t_43) * 8)));
                held_2[run_2 * 4] = run_3.x;
                held_2[run_2 * 4 + 1] = run_3.y;
                index_t t_46 = t_43 + 2;
                double2 run_4 = __ldg((double2 *)(AT(double, x_1, (int64_t)(t_46) * 8)));
                held_2[run_2 * 4 + 2] = run_4.x;
                held_2[run_2 * 4 + 3] = run_4.y;
            }
#pragma unroll
            for (index_t run_5 = 0; run_5 < 4; run_5++) {
                int64_t carried = 0;
#pragma unroll
                for (index_t step = 0; step < 4; step++) {
                    /* line 13 */
                    carried = held_2[run_5 * 4 + step] > 0.0 ? carried + 1 : carried;
                }
                /* line 12 */
                k_part[run_5] = (int32_t)carried;
            }
        } else {
            if (inside_9) {
                index_t t_65 = i_thread_3 / 32 * 512 + i_thread_3 % 32 * 4;
#pragma unroll
                for (index_t run_6 = 0; run_6 < 4; run_6++) {
                    index_t t_68 = t_32 + (t_65 + run_6 * 128);
                    held_2[run_6 * 4] = __ldg(&x_1[t_68]);
                    held_2[run_6 * 4 + 1] = __ldg(&x_1[t_68 + 1]);
                    held_2[run_6 * 4 + 2] = __ldg(&x_1[t_68 + 2]);
                    held_2[run_6 * 4 + 3] = __ldg(&x_1[t_68 + 3]);
                }
#pragma unroll
                for (index_t run_7 = 0; run_7 < 4; run_7++) {
                    int64_t v_carried_1 = 0;
#pragma unroll
                    for (index_t step_1 = 0; step_1 < 4; step_1++) {
                        /* line 13 */
                        v_carried_1 = held_2[run_7 * 4 + step_1] > 0.0 ? v_carried_1 + 1 : v_carried_1;
                    }
                    /* line 12 */
                    k_part[run_7] = (int32_t)v_carried_1;
                }
            } else {
                index_t t_92 = i_thread_3 / 32 * 512 + i_thread_3 % 32 * 4;
#pragma unroll
                for (index_t run_8 = 0; run_8 < 4; run_8++) {
                    index_t t_94 = t_92 + run_8 * 128;
                    index_t t_96 = last_2 - t_32 - t_94;
                    index_t step_stop = 4 < t_96 ? 4 : t_96;
                    int64_t v_carried_2 = 0;
#pragma unroll 1
                    for (index_t step_2 = 0; step_2 < step_stop; step_2++) {
                        /* line 13 */
                        v_carried_2 = __ldg(&x_1[t_32 + (t_94 + step_2)]) > 0.0 ? v_carried_2 + 1 : v_carried_2;
                    }
                    /* line 12 */
                    k_part[run_8] = (int32_t)v_carried_2;
                }
            }
        }
    }
    index_t total_3;
    {
        total_3 = count_together<256, 4, 8>(k_part, k_begin, weft_parts);
    }
    struct __align__(4) weft_begin_carried { int64_t value_0; };
    struct __align__(4) weft_begin_sums { int64_t value_0; };
    const weft_begin_sums weft_begin_own = {total_3};
    if (threadIdx.x == 0) announce<weft_begin_carried>((uint64_t *)turns_2, tile_block, weft_begin_own);
    {
        index_t i_thread_4 = (index_t)threadIdx.y;
        index_t i_thread_5 = (index_t)threadIdx.x;
        if (inside_9) {
#pragma unroll
            for (index_t run_9 = 0; run_9 < 4; run_9++) {
                int64_t v_carried_4 = 0 + (int64_t)k_begin[run_9];
#pragma unroll
                for (index_t step_3 = 0; step_3 < 4; step_3++) {
                    double t_123 = held_2[run_9 * 4 + step_3];
                    /* line 13 */
                    int64_t k_33;
                    if (t_123 > 0.0) {
                        /* line 14 */
                        out_tile[(index_t)(v_carried_4 - 0)] = t_123;
                        k_33 = v_carried_4 + 1;
                    } else {
                        k_33 = v_carried_4;
                    }
                    v_carried_4 = k_33;
                }
            }
        } else {
            index_t t_129 = i_thread_5 / 32 * 512 + i_thread_5 % 32 * 4;
#pragma unroll
            for (index_t run_10 = 0; run_10 < 4; run_10++) {
                index_t t_131 = t_129 + run_10 * 128;
                index_t t_135 = last_2 - t_32 - t_131;
                index_t step_stop_2 = 4 < t_135 ? 4 : t_135;
                int64_t v_carried_5 = 0 + (int64_t)k_begin[run_10];
#pragma unroll 1
                for (index_t step_4 = 0; step_4 < step_stop_2; step_4++) {
                    /* line 13 */
                    double t_139 = __ldg(&x_1[t_32 + (t_131 + step_4)]);
                    int64_t k_36;
                    if (t_139 > 0.0) {
                        /* line 14 */
                        out_tile[(index_t)(v_carried_5 - 0)] = t_139;
                        k_36 = v_carried_5 + 1;
                    } else {
                        k_36 = v_carried_5;
                    }
                    v_carried_5 = k_36;
                }
            }
        }
    }
    __shared__ weft_begin_carried weft_begin;
    auto weft_begin_joined = [=](const weft_begin_carried &weft_before, const weft_begin_sums &weft_more) -> weft_begin_carried {
            int64_t k_38 = weft_before.value_0 + (int64_t)weft_more.value_0;
        return weft_begin_carried{k_38};
    };
    if (threadIdx.x < 32)
        hand_on((uint64_t *)turns_2, tile_block, weft_begin_carried{0LL},
                weft_begin_own, weft_begin_joined, &weft_begin);
    __syncthreads();
    int64_t k_1 = weft_begin.value_0;
    int64_t k_38 = k_1 + (int64_t)total_3;
    {
        index_t i_thread_6 = (index_t)threadIdx.y;
        index_t i_thread_7 = (index_t)threadIdx.x;
        if (i_thread_7 == 0) {
            if ((int64_t)tile_origin + 1 == tiles_2) {
                left_1[0] = k_38;
            }
        }
        index_t t_144 = total_3 / 1024;
        if ((k_1 >= 0) & (k_38 <= out_1_n0)) {
            int64_t t_145 = (int64_t)out_1_n0 < k_1 ? (int64_t)out_1_n0 : k_1;
            index_t t_146 = 0 > t_145 ? 0 : t_145;
#pragma unroll 1
            for (index_t round = 0; round < t_144; round++) {
                index_t t_148 = round * 1024 + i_thread_7;
#pragma unroll
                for (index_t round_1 = 0; round_1 < 4; round_1++) {
                    index_t t_150 = t_148 + round_1 * 256;
                    /* line 14 */
                    out_1[t_146 + t_150] = out_tile[t_150];
                }
            }
            /* line 12 */
            index_t t_154 = t_144 * 1024 + i_thread_7;
#pragma unroll
            for (index_t round_2 = 0; round_2 < 4; round_2++) {
                index_t t_156 = t_154 + round_2 * 256;
                if (t_156 < total_3) {
                    /* line 14 */
                    out_1[t_146 + t_156] = out_tile[t_156];
                }
            }
        } else {
            int64_t t_159 = k_38 - k_1;
            int64_t round_stop = floordiv_by_positive_int64(t_159 + 255, 256);
            for (int64_t round_3 = 0; round_3 < round_stop; round_3++) {
                int64_t t_163 = round_3 * 256 + (int64_t)i_thread_7;
                if (t_163 < t_159) {
                    /* line 14 */
                    int64_t t_164 = k_1 + t_163;
                    if (UNLIKELY((uint64_t)t_164 >= (uint64_t)out_1_n0)) {
                        *weft_flag = 1;
                        goto phase_3;
                    }
                    out_1[(index_t)t_164] = out_tile[(index_t)t_163];
                }
            }
        }
    }
    phase_3:;
}
