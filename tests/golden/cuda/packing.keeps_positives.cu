#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define bool bool

#define HELPER static __device__ __forceinline__

typedef unsigned int uint32_t;

HELPER void copy_late_16(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int4 *)to = *(const int4 *)from;
#endif
}

typedef long long int64_t;

HELPER void copy_late_8(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int64_t *)to = *(const int64_t *)from;
#endif
}

HELPER int64_t floordiv_by_positive(int64_t a, int64_t b) { return a / b - (a % b < 0); }

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

typedef short int16_t;

typedef int int32_t;

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

#if __CUDA_ARCH__ >= 800
#define wait_late(count) asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(count) : "memory")
#else
#define wait_late(count)
#endif

extern "C" __global__ __launch_bounds__(256) void keeps_positives_0_clears(char *__restrict__ turns_1_memory,
        int64_t turns_1_offset,
        int64_t turns_1_n0,
        int64_t extent_1,
        int64_t word_offset,
        int64_t word_extent) {
    uint64_t *turns_1 = AT(uint64_t, turns_1_memory, turns_1_offset);
    /* line 12 */
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
                int64_t t_19 = word_4 + run * 512;
                *(ulonglong2 *)(AT(uint64_t, turns_1, t_19 * 8)) = make_ulonglong2(0uLL, 0uLL);
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

extern "C" __global__ __launch_bounds__(256, 5) void keeps_positives_1(char *__restrict__ turns_2_memory,
        int64_t turns_2_offset,
        int64_t turns_2_n0,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *__restrict__ left_1_memory,
        int64_t left_1_offset,
        int64_t left_1_n0,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t tiles_2,
        int64_t x_dim0_1,
        int64_t tile_offset,
        int64_t tile_extent,
        int32_t *weft_flag) {
    uint64_t *turns_2 = AT(uint64_t, turns_2_memory, turns_2_offset);
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    int64_t *left_1 = AT(int64_t, left_1_memory, left_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 12 */
    int64_t tile_block = take_turn((uint64_t *)turns_2);
    int64_t tile_origin = tile_block + tile_offset;
    __shared__ __align__(16) double x_tile[3840];
    __shared__ __align__(16) int16_t out_tile[3840];
    __shared__ __align__(16) int64_t k_25[272];
    __shared__ __align__(16) int64_t k_row[16];
    __shared__ __align__(16) int64_t k_total[1];
    int64_t t_32 = tile_origin * 3840;
    int64_t t_33 = t_32 + 3840;
    int64_t last_2 = x_dim0_1 < t_33 ? x_dim0_1 : t_33;
    bool inside_9 = t_32 + 3840 <= last_2;
    {
        int64_t i_thread_2 = (int64_t)threadIdx.y;
        int64_t i_thread_3 = (int64_t)threadIdx.x;
        if (inside_9 & (((int64_t)x_1) & 15) == 0 & mod_by_positive(t_32, 2) == 0) {
#pragma unroll
            for (int64_t round = 0; round < 8; round++) {
                int64_t t_37 = round * 256 + i_thread_3;
                int64_t t_38 = t_37 * 2;
                if (t_37 < 1920) {
                    int64_t t_39 = t_32 + t_38;
                    copy_late_16(&x_tile[t_38], AT(double, x_1, t_39 * 8));
                }
            }
        } else {
            int64_t t_42 = last_2 - t_32;
            int64_t round_stop = floordiv_by_positive(t_42 + 255, 256);
            for (int64_t round_1 = 0; round_1 < round_stop; round_1++) {
                int64_t t_46 = round_1 * 256 + i_thread_3;
                if (t_46 < t_42) {
                    copy_late_8(&x_tile[t_46], AT(double, x_1, (t_32 + t_46) * 8));
                }
            }
        }
    }
    wait_late(0);
    __syncthreads();
    double held[8];
    double held_1[7];
    {
        int64_t i_thread_4 = (int64_t)threadIdx.y;
        int64_t i_thread_5 = (int64_t)threadIdx.x;
        int64_t t_49 = i_thread_5 * 15;
        if (inside_9) {
#pragma unroll
            for (int64_t step = 0; step < 8; step++) {
                held[step] = x_tile[t_49 + step];
            }
            int64_t carried = 0;
#pragma unroll
            for (int64_t step_1 = 0; step_1 < 8; step_1++) {
                /* line 13 */
                carried = held[step_1] > 0.0 ? carried + 1 : carried;
            }
            /* line 12 */
#pragma unroll
            for (int64_t step_2 = 0; step_2 < 7; step_2++) {
                held_1[step_2] = x_tile[t_49 + 8 + step_2];
            }
            int64_t carried_1 = carried;
#pragma unroll
            for (int64_t step_3 = 0; step_3 < 7; step_3++) {
                /* line 13 */
                carried_1 = held_1[step_3] > 0.0 ? carried_1 + 1 : carried_1;
            }
            /* line 12 */
            k_25[i_thread_5 + i_thread_5 / 16] = carried_1;
        } else {
            int64_t t_68 = last_2 - t_32 - t_49;
            int64_t step_stop = 15 < t_68 ? 15 : t_68;
            int64_t carried_2 = 0;
            for (int64_t step_4 = 0; step_4 < step_stop; step_4++) {
                /* line 13 */
                carried_2 = x_tile[t_49 + step_4] > 0.0 ? carried_2 + 1 : carried_2;
            }
            /* line 12 */
            k_25[i_thread_5 + i_thread_5 / 16] = carried_2;
        }
    }
    __syncthreads();
    {
        int64_t i_thread_6 = (int64_t)threadIdx.y;
        int64_t i_thread_7 = (int64_t)threadIdx.x;
        if (i_thread_7 < 16) {
            int64_t t_77 = i_thread_7 * 17;
            int64_t carried_3 = 0;
#pragma unroll
            for (int64_t part_2 = 0; part_2 < 16; part_2++) {
                int64_t t_78 = t_77 + part_2;
                int64_t t_80 = k_25[t_78];
                k_25[t_78] = carried_3;
                carried_3 += t_80;
            }
            k_row[i_thread_7] = carried_3;
        }
    }
    __syncthreads();
    {
        int64_t i_thread_8 = (int64_t)threadIdx.y;
        int64_t i_thread_9 = (int64_t)threadIdx.x;
        if (i_thread_9 == 0) {
            int64_t carried_4 = 0;
#pragma unroll
            for (int64_t part_1 = 0; part_1 < 16; part_1++) {
                int64_t t_84 = k_row[part_1];
                k_row[part_1] = carried_4;
                carried_4 += t_84;
            }
            k_total[0] = carried_4;
        }
    }
    __syncthreads();
    int64_t t_88 = k_total[0];
    struct __align__(4) begin_2_carried { int64_t value_0; };
    struct __align__(4) begin_2_sums { int64_t value_0; };
    __shared__ begin_2_carried begin_2;
    auto begin_2_joined = [=](const begin_2_carried &before, const begin_2_sums &more) -> begin_2_carried {
            int64_t k_34 = before.value_0 + more.value_0;
        return begin_2_carried{k_34};
    };
    if (threadIdx.x < 32)
        hand_on((uint64_t *)turns_2, tile_block, begin_2_carried{0LL},
                begin_2_sums{t_88}, begin_2_joined, &begin_2);
    __syncthreads();
    int64_t k_1 = begin_2.value_0;
    int64_t k_34 = k_1 + t_88;
    {
        int64_t i_thread_10 = (int64_t)threadIdx.y;
        int64_t i_thread_11 = (int64_t)threadIdx.x;
        if (i_thread_11 == 0) {
            if (tile_origin + 1 == tiles_2) {
                left_1[0] = k_34;
            }
        }
    }
    __syncthreads();
    double held_2[8];
    double held_3[7];
    {
        int64_t i_thread_12 = (int64_t)threadIdx.y;
        int64_t i_thread_13 = (int64_t)threadIdx.x;
        int64_t k_36 = k_1 + k_row[i_thread_13 / 16] + k_25[i_thread_13 + i_thread_13 / 16];
        int64_t t_99 = i_thread_13 * 15;
        if (inside_9) {
#pragma unroll
            for (int64_t step_5 = 0; step_5 < 8; step_5++) {
                held_2[step_5] = x_tile[t_99 + step_5];
            }
            int64_t carried_5 = k_36;
#pragma unroll
            for (int64_t step_6 = 0; step_6 < 8; step_6++) {
                int64_t t_102 = t_99 + step_6;
                /* line 13 */
                int64_t k_37;
                if (held_2[step_6] > 0.0) {
                    /* line 14 */
                    out_tile[carried_5 - k_1] = (int16_t)t_102;
                    k_37 = carried_5 + 1;
                } else {
                    k_37 = carried_5;
                }
                carried_5 = k_37;
            }
            /* line 12 */
#pragma unroll
            for (int64_t step_7 = 0; step_7 < 7; step_7++) {
                held_3[step_7] = x_tile[t_99 + 8 + step_7];
            }
            int64_t carried_6 = carried_5;
#pragma unroll
            for (int64_t step_8 = 0; step_8 < 7; step_8++) {
                int64_t t_110 = t_99 + 8 + step_8;
                /* line 13 */
                int64_t k_39;
                if (held_3[step_8] > 0.0) {
                    /* line 14 */
                    out_tile[carried_6 - k_1] = (int16_t)t_110;
                    k_39 = carried_6 + 1;
                } else {
                    k_39 = carried_6;
                }
                carried_6 = k_39;
            }
        } else {
            int64_t t_115 = last_2 - t_32 - t_99;
            int64_t step_stop_2 = 15 < t_115 ? 15 : t_115;
            int64_t carried_7 = k_36;
            for (int64_t step_9 = 0; step_9 < step_stop_2; step_9++) {
                int64_t t_117 = t_99 + step_9;
                /* line 13 */
                int64_t k_41;
                if (x_tile[t_117] > 0.0) {
                    /* line 14 */
                    out_tile[carried_7 - k_1] = (int16_t)t_117;
                    k_41 = carried_7 + 1;
                } else {
                    k_41 = carried_7;
                }
                carried_7 = k_41;
            }
        }
    }
    __syncthreads();
    {
        int64_t i_thread_14 = (int64_t)threadIdx.y;
        int64_t i_thread_15 = (int64_t)threadIdx.x;
        int64_t t_121 = k_34 - k_1;
        int64_t t_123 = floordiv_by_positive(t_121 + 1023, 1024);
        if ((k_1 >= 0) & (k_34 <= out_1_n0)) {
            for (int64_t round_2 = 0; round_2 < t_123; round_2++) {
                int64_t t_125 = round_2 * 1024 + i_thread_15;
#pragma unroll
                for (int64_t round_3 = 0; round_3 < 4; round_3++) {
                    int64_t t_127 = t_125 + round_3 * 256;
                    if (t_127 < t_121) {
                        /* line 14 */
                        out_1[k_1 + t_127] = x_tile[(int64_t)out_tile[t_127]];
                    }
                }
            }
        } else {
            int64_t t_131 = k_34 - k_1;
            int64_t round_stop_2 = floordiv_by_positive(t_131 + 255, 256);
            for (int64_t round_4 = 0; round_4 < round_stop_2; round_4++) {
                int64_t t_135 = round_4 * 256 + i_thread_15;
                if (t_135 < t_131) {
                    /* line 14 */
                    int64_t t_136 = k_1 + t_135;
                    if (UNLIKELY((uint64_t)t_136 >= (uint64_t)out_1_n0)) {
                        *weft_flag = 1;
                        goto phase_7;
                    }
                    out_1[t_136] = x_tile[(int64_t)out_tile[t_135]];
                }
            }
        }
    }
    phase_7:;
    __syncthreads();
}
