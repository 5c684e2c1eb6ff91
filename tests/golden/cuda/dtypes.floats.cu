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

typedef long long int64_t;

HELPER float mod_float32(float a, float b) {
    float rest = __builtin_fmodf(a, b);
    if (b == 0) return rest;
    if (rest == 0) return __builtin_copysignf(0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(256) void floats_0(char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0,
        char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_s0,
        int64_t x_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    half_t *x_1 = AT(half_t, x_1_memory, x_1_offset);
    half_t *y_1 = AT(half_t, y_1_memory, y_1_offset);
    half_t *out_1 = AT(half_t, out_1_memory, out_1_offset);
    /* line 75 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 76 */
        half_t t_22 = x_1[i_1];
        half_t t_23 = y_1[i_1];
        half_t t_24 = half_from_float32(half_to_float32(t_23) * half_to_float32(half_from_float64(2.0)));
        out_1[i_1] = half_from_float32(half_to_float32(t_22) + half_to_float32(t_24));
        /* line 77 */
        half_t t_26 = half_from_float32(half_to_float32(t_23) * half_to_float32(half_from_float64(0.0999755859375)));
        AT(half_t, out_1, 1 * out_1_s0)[i_1] = half_from_float32(half_to_float32(t_22) - half_to_float32(t_26));
        /* line 78 */
        AT(half_t, out_1, 2 * out_1_s0)[i_1] = half_from_float32(half_to_float32(t_22) / half_to_float32(t_23));
        /* line 79 */
        half_t t_29 = half_from_float32(floordiv_float32(half_to_float32(t_22), half_to_float32(t_23)));
        AT(half_t, out_1, 3 * out_1_s0)[i_1] = t_29;
        /* line 80 */
        AT(half_t, out_1, 4 * out_1_s0)[i_1] = half_from_float32(mod_float32(half_to_float32(t_22), half_to_float32(t_23)));
        /* line 81 */
        half_t t_32 = half_from_float32(-half_to_float32(half_from_float32(fabs_float32(half_to_float32(t_22)))));
        AT(half_t, out_1, 5 * out_1_s0)[i_1] = t_32;
    }
}
