#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

typedef int int32_t;

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

#define __builtin_pow(a, b) pow((double)(a), (double)(b))

HELPER double pow_float64(double a, double b) { return __builtin_pow(a, b); }

#define bool bool

#define INFINITY __int_as_float(0x7f800000)

#define __builtin_fabs fabs

HELPER bool is_finite(double a) { return __builtin_fabs(a) < (double)INFINITY; }

HELPER bool pow_fails(double a, double b, double result) {
    return UNLIKELY(!is_finite(result)) && (result != result ? a == a && b == b : is_finite(a) && is_finite(b));
}

HELPER bool raises_2(double result, double a, double b) { return pow_fails(a, b, result); }

extern "C" __global__ __launch_bounds__(256) void powers_0(char *x_1_memory,
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
        int64_t i_extent,
        int32_t *weft_flag) {
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *y_1 = AT(double, y_1_memory, y_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 69 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 70 */
        double t_18 = x_1[i_1];
        double t_19 = y_1[i_1];
        out_1[i_1] = pow_float64(t_18, t_19);
        /* line 71 */
        double t_22 = pow_float64(t_18, 2.5);
        if (UNLIKELY(raises_2(t_22, t_18, 2.5))) {
            *weft_flag = 1;
            return;
        }
        AT(double, out_1, 1 * out_1_s0)[i_1] = t_22;
        /* line 72 */
        AT(double, out_1, 2 * out_1_s0)[i_1] = t_18 * t_18 * t_18;
    }
}
