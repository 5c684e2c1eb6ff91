#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define INFINITY __int_as_float(0x7f800000)

#define NAN __int_as_float(0x7fc00000)

#define UNLIKELY(condition) (condition)

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

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

typedef unsigned long long uint64_t;

HELPER uint64_t bits_of_float64(double a) { return (uint64_t)__double_as_longlong(a); }

#define bool bool

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef int32_t index_t;

#define INT64_MIN (-9223372036854775807LL - 1)

/* Conversions of floats that do not fit give what x86-64's give; the GPU's own would saturate. */
HELPER int64_t int64_from_float(double a) { return a >= -0x1p63 && a < 0x1p63 ? (int64_t)a : INT64_MIN; }

#define __builtin_ldexp ldexp

HELPER double ldexp_float64(double a, int64_t b) {
    return __builtin_ldexp(a, b > 100000 ? 100000 : b < -100000 ? -100000 : (int)b);
}

#define __builtin_rint rint

HELPER double rint_float64(double a) { return __builtin_rint(a); }

HELPER int64_t shr_int64(int64_t a, int64_t b) {
    return (uint64_t)b < 64 ? (int64_t)(a >> b) : a < 0 ? (int64_t)-1 : 0;
}

#define __builtin_trunc trunc

HELPER double trunc_float64(double a) { return __builtin_trunc(a); }

#define update_add_int64(place, value) atomicAdd((unsigned long long *)&(place), (unsigned long long)(value))

/* See lower_to. */
template <class Value>
static __device__ __forceinline__ void raise_to(Value *place, Value value) {
    if (value > *(volatile Value *)place) atomicMax(place, value);
}

#define update_max_int64(place, value) raise_to((long long *)&(place), (long long)(value))

extern "C" __global__ __launch_bounds__(256) void sums_by_key_0_clears(char *__restrict__ sizes_1_memory,
        int64_t sizes_1_offset,
        int64_t sizes_1_n0_given,
        char *__restrict__ digits_1_memory,
        int64_t digits_1_offset,
        int64_t digits_1_n0_given,
        int64_t digits_1_n1_given,
        int64_t digits_1_n2_given,
        int64_t digits_1_s0_given,
        int64_t digits_1_s1_given,
        int64_t extent_2,
        int64_t copies_given,
        int64_t at_offset_given,
        int64_t at_extent_given) {
    begin_kernel(sizes_1_offset, digits_1_offset);
    int64_t *sizes_1 = AT(int64_t, sizes_1_memory, sizes_1_offset);
    index_t sizes_1_n0 = (index_t)sizes_1_n0_given;
    int64_t *digits_1 = AT(int64_t, digits_1_memory, digits_1_offset);
    index_t digits_1_n0 = (index_t)digits_1_n0_given;
    index_t digits_1_n1 = (index_t)digits_1_n1_given;
    index_t digits_1_n2 = (index_t)digits_1_n2_given;
    index_t digits_1_s0 = (index_t)(digits_1_s0_given >> 3);
    index_t digits_1_s1 = (index_t)(digits_1_s1_given >> 3);
    index_t copies_3 = (index_t)copies_given;
    index_t at_offset = (index_t)at_offset_given;
    index_t at_extent = (index_t)at_extent_given;
    /* line 234 */
    index_t at_block = (index_t)blockIdx.x;
    index_t at_origin = at_block * 256 + at_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t at_3 = at_origin + i_thread;
    if (at_3 < at_extent) {
        sizes_1[at_3] = -2;
        for (index_t copy_4 = 0; copy_4 < copies_3; copy_4++) {
            digits_1[at_3 * digits_1_s0 + copy_4 * digits_1_s1] = 0;
            digits_1[at_3 * digits_1_s0 + copy_4 * digits_1_s1 + 1] = 0;
            digits_1[at_3 * digits_1_s0 + copy_4 * digits_1_s1 + 2] = 0;
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void sums_by_key_1_largest(const char *__restrict__ key_1_memory,
        int64_t key_1_offset,
        int64_t key_1_n0_given,
        const char *__restrict__ value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0_given,
        char *__restrict__ sizes_2_memory,
        int64_t sizes_2_offset,
        int64_t sizes_2_n0_given,
        int64_t key_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int32_t *weft_flag) {
    begin_kernel(key_1_offset, value_1_offset, sizes_2_offset);
    int64_t *key_1 = AT(int64_t, key_1_memory, key_1_offset);
    index_t key_1_n0 = (index_t)key_1_n0_given;
    double *value_1 = AT(double, value_1_memory, value_1_offset);
    index_t value_1_n0 = (index_t)value_1_n0_given;
    int64_t *sizes_2 = AT(int64_t, sizes_2_memory, sizes_2_offset);
    index_t sizes_2_n0 = (index_t)sizes_2_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 234 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread_1 = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread_1;
    if (i_2 < i_extent) {
        /* line 235 */
        uint64_t bits_2 = bits_of_float64(__ldg(&value_1[i_2]));
        int64_t size_4 = bits_2 == 9223372036854775808uLL ? -1LL : (int64_t)(bits_2 & 9223372036854775807uLL);
        int64_t t_77 = __ldg(&key_1[i_2]);
        int64_t place = from_end(t_77, sizes_2_n0);
        if (UNLIKELY((uint64_t)place >= (uint64_t)sizes_2_n0)) {
            *weft_flag = 1;
            return;
        }
        update_max_int64(sizes_2[(index_t)place], size_4);
    }
}

extern "C" __global__ __launch_bounds__(256) void sums_by_key_2_sums(const char *__restrict__ key_3_memory,
        int64_t key_3_offset,
        int64_t key_3_n0_given,
        const char *__restrict__ value_3_memory,
        int64_t value_3_offset,
        int64_t value_3_n0_given,
        const char *__restrict__ total_24_memory,
        int64_t total_24_offset,
        int64_t total_24_n0_given,
        const char *__restrict__ sizes_5_memory,
        int64_t sizes_5_offset,
        int64_t sizes_5_n0_given,
        char *__restrict__ digits_4_memory,
        int64_t digits_4_offset,
        int64_t digits_4_n0_given,
        int64_t digits_4_n1_given,
        int64_t digits_4_n2_given,
        int64_t digits_4_s0_given,
        int64_t digits_4_s1_given,
        int64_t key_dim0_3,
        int64_t copies_given_2,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2) {
    begin_kernel(key_3_offset, value_3_offset, total_24_offset, sizes_5_offset, digits_4_offset);
    int64_t *key_3 = AT(int64_t, key_3_memory, key_3_offset);
    index_t key_3_n0 = (index_t)key_3_n0_given;
    double *value_3 = AT(double, value_3_memory, value_3_offset);
    index_t value_3_n0 = (index_t)value_3_n0_given;
    double *total_24 = AT(double, total_24_memory, total_24_offset);
    index_t total_24_n0 = (index_t)total_24_n0_given;
    int64_t *sizes_5 = AT(int64_t, sizes_5_memory, sizes_5_offset);
    index_t sizes_5_n0 = (index_t)sizes_5_n0_given;
    int64_t *digits_4 = AT(int64_t, digits_4_memory, digits_4_offset);
    index_t digits_4_n0 = (index_t)digits_4_n0_given;
    index_t digits_4_n1 = (index_t)digits_4_n1_given;
    index_t digits_4_n2 = (index_t)digits_4_n2_given;
    index_t digits_4_s0 = (index_t)(digits_4_s0_given >> 3);
    index_t digits_4_s1 = (index_t)(digits_4_s1_given >> 3);
    index_t copies_6 = (index_t)copies_given_2;
    index_t i_offset_2 = (index_t)i_offset_given_2;
    index_t i_extent_2 = (index_t)i_extent_given_2;
    /* line 234 */
    index_t i_block_2 = (index_t)blockIdx.x;
    index_t i_origin_2 = i_block_2 * 256 + i_offset_2;
    index_t i_thread_4 = (index_t)threadIdx.x;
    index_t i_6 = i_origin_2 + i_thread_4;
    if (i_6 < i_extent_2) {
        /* line 235 */
        int64_t t_207 = __ldg(&key_3[i_6]);
        double t_208 = __ldg(&value_3[i_6]);
        int64_t index_3 = t_207 < 0 ? t_207 + (int64_t)total_24_n0 : t_207;
        index_t copy_9 = i_6 & (copies_6 - 1);
        int64_t size_9 = __ldg(&sizes_5[(index_t)index_3]);
        if (size_9 < 9218868437227405312LL) {
            int64_t t_212 = shr_int64(size_9, 52);
            double scaled_3 = ldexp_float64(t_208, (int64_t)((uint64_t)1050 - (1 > t_212 ? 1 : t_212)));
            double whole_9 = trunc_float64(scaled_3);
            int64_t t_213 = int64_from_float(whole_9);
            update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + copy_9 * digits_4_s1], t_213);
            double rest_6 = (scaled_3 - whole_9) * 268435456.0;
            double whole_10 = trunc_float64(rest_6);
            if (whole_10 != 0.0) {
                int64_t t_216 = int64_from_float(whole_10);
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + copy_9 * digits_4_s1 + 1], t_216);
            }
            double whole_11 = rint_float64((rest_6 - whole_10) * 268435456.0);
            if (whole_11 != 0.0) {
                int64_t t_219 = int64_from_float(whole_11);
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + copy_9 * digits_4_s1 + 2], t_219);
            }
        } else {
            if (!(t_208 < (double)INFINITY)) {
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + copy_9 * digits_4_s1], 1);
            }
            if (!(t_208 > -(double)INFINITY)) {
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + copy_9 * digits_4_s1 + 1], 1);
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void sums_by_key_3_rounds(const char *__restrict__ sizes_6_memory,
        int64_t sizes_6_offset,
        int64_t sizes_6_n0_given,
        const char *__restrict__ digits_5_memory,
        int64_t digits_5_offset,
        int64_t digits_5_n0_given,
        int64_t digits_5_n1_given,
        int64_t digits_5_n2_given,
        int64_t digits_5_s0_given,
        int64_t digits_5_s1_given,
        char *__restrict__ total_25_memory,
        int64_t total_25_offset,
        int64_t total_25_n0_given,
        int64_t extent_13,
        int64_t copies_given_3,
        int64_t at_offset_given_2,
        int64_t at_extent_given_2) {
    begin_kernel(sizes_6_offset, digits_5_offset, total_25_offset);
    int64_t *sizes_6 = AT(int64_t, sizes_6_memory, sizes_6_offset);
    index_t sizes_6_n0 = (index_t)sizes_6_n0_given;
    int64_t *digits_5 = AT(int64_t, digits_5_memory, digits_5_offset);
    index_t digits_5_n0 = (index_t)digits_5_n0_given;
    index_t digits_5_n1 = (index_t)digits_5_n1_given;
    index_t digits_5_n2 = (index_t)digits_5_n2_given;
    index_t digits_5_s0 = (index_t)(digits_5_s0_given >> 3);
    index_t digits_5_s1 = (index_t)(digits_5_s1_given >> 3);
    double *total_25 = AT(double, total_25_memory, total_25_offset);
    index_t total_25_n0 = (index_t)total_25_n0_given;
    index_t copies_7 = (index_t)copies_given_3;
    index_t at_offset_2 = (index_t)at_offset_given_2;
    index_t at_extent_2 = (index_t)at_extent_given_2;
    /* line 234 */
    index_t at_block_2 = (index_t)blockIdx.x;
    index_t at_origin_2 = at_block_2 * 256 + at_offset_2;
    index_t i_thread_5 = (index_t)threadIdx.x;
    index_t at_6 = at_origin_2 + i_thread_5;
    if (at_6 < at_extent_2) {
        int64_t size_10 = __ldg(&sizes_6[at_6]);
        if (size_10 >= -1) {
            int64_t v_carried_9 = 0;
            int64_t v_carried_10 = 0;
            int64_t v_carried_11 = 0;
            for (index_t copy_10 = 0; copy_10 < copies_7; copy_10++) {
                int64_t digit_18 = (int64_t)((uint64_t)v_carried_9 + __ldg(&digits_5[at_6 * digits_5_s0 + copy_10 * digits_5_s1]));
                int64_t digit_19 = (int64_t)((uint64_t)v_carried_10 + __ldg(&digits_5[at_6 * digits_5_s0 + copy_10 * digits_5_s1 + 1]));
                int64_t digit_20 = (int64_t)((uint64_t)v_carried_11 + __ldg(&digits_5[at_6 * digits_5_s0 + copy_10 * digits_5_s1 + 2]));
                v_carried_9 = digit_18;
                v_carried_10 = digit_19;
                v_carried_11 = digit_20;
            }
            int64_t t_232 = (int64_t)((uint64_t)v_carried_9 + shr_int64((int64_t)((uint64_t)v_carried_10 + shr_int64(v_carried_11, 28)), 28));
            bool t_233 = t_232 < 0;
            int64_t digit_23 = t_233 ? (int64_t)((uint64_t)0 - v_carried_11) : v_carried_11;
            int64_t t_239 = (int64_t)((uint64_t)(t_233 ? (int64_t)((uint64_t)0 - v_carried_10) : v_carried_10) + shr_int64(digit_23, 28));
            int64_t t_242 = (int64_t)((uint64_t)(t_233 ? (int64_t)((uint64_t)0 - v_carried_9) : v_carried_9) + shr_int64(t_239, 28));
            double t_249 = ((0.0 * 268435456.0 + (double)t_242) * 268435456.0 + (double)(t_239 & 268435455)) * 268435456.0;
            double t_251 = t_249 + (double)(digit_23 & 268435455);
            int64_t t_253 = shr_int64(size_10, 52);
            double total_30 = ldexp_float64(t_233 ? -t_251 : t_251, (int64_t)((uint64_t)-56 - (int64_t)((uint64_t)1050 - (1 > t_253 ? 1 : t_253))));
            bool t_254 = v_carried_9 > 0;
            double t_257 = t_254 & (v_carried_10 > 0) ? (double)NAN : (t_254 ? (double)INFINITY : -(double)INFINITY);
            double after_3 = total_25[at_6] + (size_10 == -1 ? -0.0 : (size_10 < 9218868437227405312LL ? total_30 : t_257));
            total_25[at_6] = after_3;
        }
    }
}
