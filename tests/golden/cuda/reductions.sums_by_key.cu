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
        int64_t digits_1_s0_given,
        int64_t extent_2,
        int64_t at_offset_given,
        int64_t at_extent_given) {
    begin_kernel(sizes_1_offset, digits_1_offset);
    int64_t *sizes_1 = AT(int64_t, sizes_1_memory, sizes_1_offset);
    index_t sizes_1_n0 = (index_t)sizes_1_n0_given;
    int64_t *digits_1 = AT(int64_t, digits_1_memory, digits_1_offset);
    index_t digits_1_n0 = (index_t)digits_1_n0_given;
    index_t digits_1_n1 = (index_t)digits_1_n1_given;
    index_t digits_1_s0 = (index_t)(digits_1_s0_given >> 3);
    index_t at_offset = (index_t)at_offset_given;
    index_t at_extent = (index_t)at_extent_given;
    /* line 234 */
    index_t at_block = (index_t)blockIdx.x;
    index_t at_origin = at_block * 256 + at_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t at_3 = at_origin + i_thread;
    if (at_3 < at_extent) {
        sizes_1[at_3] = -2;
        digits_1[at_3 * digits_1_s0] = 0;
        digits_1[at_3 * digits_1_s0 + 1] = 0;
        digits_1[at_3 * digits_1_s0 + 2] = 0;
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
        int64_t t_75 = __ldg(&key_1[i_2]);
        int64_t place = from_end(t_75, sizes_2_n0);
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
        const char *__restrict__ total_15_memory,
        int64_t total_15_offset,
        int64_t total_15_n0_given,
        const char *__restrict__ sizes_5_memory,
        int64_t sizes_5_offset,
        int64_t sizes_5_n0_given,
        char *__restrict__ digits_4_memory,
        int64_t digits_4_offset,
        int64_t digits_4_n0_given,
        int64_t digits_4_n1_given,
        int64_t digits_4_s0_given,
        int64_t key_dim0_3,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2) {
    begin_kernel(key_3_offset, value_3_offset, total_15_offset, sizes_5_offset, digits_4_offset);
    int64_t *key_3 = AT(int64_t, key_3_memory, key_3_offset);
    index_t key_3_n0 = (index_t)key_3_n0_given;
    double *value_3 = AT(double, value_3_memory, value_3_offset);
    index_t value_3_n0 = (index_t)value_3_n0_given;
    double *total_15 = AT(double, total_15_memory, total_15_offset);
    index_t total_15_n0 = (index_t)total_15_n0_given;
    int64_t *sizes_5 = AT(int64_t, sizes_5_memory, sizes_5_offset);
    index_t sizes_5_n0 = (index_t)sizes_5_n0_given;
    int64_t *digits_4 = AT(int64_t, digits_4_memory, digits_4_offset);
    index_t digits_4_n0 = (index_t)digits_4_n0_given;
    index_t digits_4_n1 = (index_t)digits_4_n1_given;
    index_t digits_4_s0 = (index_t)(digits_4_s0_given >> 3);
    index_t i_offset_2 = (index_t)i_offset_given_2;
    index_t i_extent_2 = (index_t)i_extent_given_2;
    /* line 234 */
    index_t i_block_2 = (index_t)blockIdx.x;
    index_t i_origin_2 = i_block_2 * 256 + i_offset_2;
    index_t i_thread_4 = (index_t)threadIdx.x;
    index_t i_6 = i_origin_2 + i_thread_4;
    if (i_6 < i_extent_2) {
        /* line 235 */
        int64_t t_203 = __ldg(&key_3[i_6]);
        double t_204 = __ldg(&value_3[i_6]);
        int64_t index_3 = t_203 < 0 ? t_203 + (int64_t)total_15_n0 : t_203;
        int64_t size_9 = __ldg(&sizes_5[(index_t)index_3]);
        if (size_9 < 9218868437227405312LL) {
            int64_t t_207 = shr_int64(size_9, 52);
            double scaled_3 = ldexp_float64(t_204, (int64_t)((uint64_t)1050 - (1 > t_207 ? 1 : t_207)));
            double whole_9 = trunc_float64(scaled_3);
            int64_t t_208 = int64_from_float(whole_9);
            update_add_int64(digits_4[(index_t)index_3 * digits_4_s0], t_208);
            double rest_6 = (scaled_3 - whole_9) * 268435456.0;
            double whole_10 = trunc_float64(rest_6);
            if (whole_10 != 0.0) {
                int64_t t_211 = int64_from_float(whole_10);
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + 1], t_211);
            }
            double whole_11 = rint_float64((rest_6 - whole_10) * 268435456.0);
            if (whole_11 != 0.0) {
                int64_t t_214 = int64_from_float(whole_11);
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + 2], t_214);
            }
        } else {
            if (!(t_204 < (double)INFINITY)) {
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0], 1);
            }
            if (!(t_204 > -(double)INFINITY)) {
                update_add_int64(digits_4[(index_t)index_3 * digits_4_s0 + 1], 1);
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
        int64_t digits_5_s0_given,
        char *__restrict__ total_16_memory,
        int64_t total_16_offset,
        int64_t total_16_n0_given,
        int64_t extent_13,
        int64_t at_offset_given_2,
        int64_t at_extent_given_2) {
    begin_kernel(sizes_6_offset, digits_5_offset, total_16_offset);
    int64_t *sizes_6 = AT(int64_t, sizes_6_memory, sizes_6_offset);
    index_t sizes_6_n0 = (index_t)sizes_6_n0_given;
    int64_t *digits_5 = AT(int64_t, digits_5_memory, digits_5_offset);
    index_t digits_5_n0 = (index_t)digits_5_n0_given;
    index_t digits_5_n1 = (index_t)digits_5_n1_given;
    index_t digits_5_s0 = (index_t)(digits_5_s0_given >> 3);
    double *total_16 = AT(double, total_16_memory, total_16_offset);
    index_t total_16_n0 = (index_t)total_16_n0_given;
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
            int64_t digit_18 = __ldg(&digits_5[at_6 * digits_5_s0]);
            int64_t digit_19 = __ldg(&digits_5[at_6 * digits_5_s0 + 1]);
            int64_t digit_20 = __ldg(&digits_5[at_6 * digits_5_s0 + 2]);
            int64_t t_227 = (int64_t)((uint64_t)digit_18 + shr_int64((int64_t)((uint64_t)digit_19 + shr_int64(digit_20, 28)), 28));
            bool t_228 = t_227 < 0;
            int64_t digit_23 = t_228 ? (int64_t)((uint64_t)0 - digit_20) : digit_20;
            int64_t t_234 = (int64_t)((uint64_t)(t_228 ? (int64_t)((uint64_t)0 - digit_19) : digit_19) + shr_int64(digit_23, 28));
            int64_t t_237 = (int64_t)((uint64_t)(t_228 ? (int64_t)((uint64_t)0 - digit_18) : digit_18) + shr_int64(t_234, 28));
            double t_244 = ((0.0 * 268435456.0 + (double)t_237) * 268435456.0 + (double)(t_234 & 268435455)) * 268435456.0;
            double t_246 = t_244 + (double)(digit_23 & 268435455);
            int64_t t_248 = shr_int64(size_10, 52);
            double total_18 = ldexp_float64(t_228 ? -t_246 : t_246, (int64_t)((uint64_t)-56 - (int64_t)((uint64_t)1050 - (1 > t_248 ? 1 : t_248))));
            bool t_249 = digit_18 > 0;
            double t_252 = t_249 & (digit_19 > 0) ? (double)NAN : (t_249 ? (double)INFINITY : -(double)INFINITY);
            double after_3 = total_16[at_6] + (size_10 == -1 ? -0.0 : (size_10 < 9218868437227405312LL ? total_18 : t_252));
            total_16[at_6] = after_3;
        }
    }
}
