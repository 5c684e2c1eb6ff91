#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define HELPER static __device__ __forceinline__

#define __builtin_fabsf fabsf

HELPER float fabs_float32(float a) { return __builtin_fabsf(a); }

#define __builtin_copysignf copysignf

#define __builtin_floorf floorf

#define __builtin_fmodf fmodf

HELPER float floordiv_float32(float a, float b) {
    if (b == 0) return a / b;
    float rest = __builtin_fmodf(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return __builtin_copysignf(0, a / b);
    float whole = __builtin_floorf(quotient);
    return quotient - whole > (float)0.5 ? whole + 1 : whole;
}

typedef unsigned short uint16_t;

typedef uint16_t half_t;

HELPER half_t half_from_float32(float a) {
    half_t value;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(value) : "f"(a));
    return value;
}

HELPER half_t half_from_float64(double a) {
    half_t value;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(value) : "d"(a));
    return value;
}

HELPER float half_to_float32(half_t a) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a));
    return value;
}

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

HELPER float mod_float32(float a, float b) {
    float rest = __builtin_fmodf(a, b);
    if (b == 0) return rest;
    if (rest == 0) return __builtin_copysignf(0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(256) void floats_0(const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const char *__restrict__ y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_s0_given,
        int64_t x_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    half_t *x_1 = AT(half_t, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    half_t *y_1 = AT(half_t, y_1_memory, y_1_offset);
    index_t y_1_n0 = (index_t)y_1_n0_given;
    half_t *out_1 = AT(half_t, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 1);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 75 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 76 */
        half_t t_36 = x_1[i_2];
        half_t t_37 = y_1[i_2];
        half_t t_38 = half_from_float32(half_to_float32(t_37) * half_to_float32(half_from_float64(2.0)));
        out_1[i_2] = half_from_float32(half_to_float32(t_36) + half_to_float32(t_38));
        /* line 77 */
        half_t t_40 = half_from_float32(half_to_float32(t_37) * half_to_float32(half_from_float64(0.0999755859375)));
        out_1[1 * out_1_s0 + i_2] = half_from_float32(half_to_float32(t_36) - half_to_float32(t_40));
        /* line 78 */
        out_1[2 * out_1_s0 + i_2] = half_from_float32(half_to_float32(t_36) / half_to_float32(t_37));
        /* line 79 */
        half_t t_43 = half_from_float32(floordiv_float32(half_to_float32(t_36), half_to_float32(t_37)));
        out_1[3 * out_1_s0 + i_2] = t_43;
        /* line 80 */
        out_1[4 * out_1_s0 + i_2] = half_from_float32(mod_float32(half_to_float32(t_36), half_to_float32(t_37)));
        /* line 81 */
        half_t t_46 = half_from_float32(-half_to_float32(half_from_float32(fabs_float32(half_to_float32(t_36)))));
        out_1[5 * out_1_s0 + i_2] = t_46;
    }
}
