#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define HELPER static __device__ __forceinline__

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef long long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef unsigned long long uint64_t;

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_0(const char *__restrict__ start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0,
        const char *__restrict__ value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0,
        const char *__restrict__ column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_dim0_1,
        int64_t t_48,
        int64_t t_49,
        int64_t i_offset,
        int64_t i_extent,
        int32_t *weft_flag) {
    int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    double *value_1 = AT(double, value_1_memory, value_1_offset);
    int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 102 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 104 */
        int64_t t_56 = start_1[i_2];
        int64_t t_57 = start_1[i_2 + 1];
        double s_14;
        if ((t_56 >= 0) & (t_48 >= t_57) & (t_49 >= t_57)) {
            double s_16 = 0.0;
            for (int64_t k_4 = t_56; k_4 < t_57; k_4++) {
                /* line 105 */
                int64_t t_65 = column_1[k_4];
                int64_t place = from_end(t_65, x_1_n0);
                if (UNLIKELY((uint64_t)place >= (uint64_t)x_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                s_16 = fma_float64(value_1[k_4], x_1[place], s_16);
            }
            s_14 = s_16;
        } else {
            double s_19 = 0.0;
            for (int64_t k_5 = t_56; k_5 < t_57; k_5++) {
                /* line 105 */
                int64_t place_2 = from_end(k_5, value_1_n0);
                if (UNLIKELY((uint64_t)place_2 >= (uint64_t)value_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                int64_t place_3 = from_end(k_5, column_1_n0);
                if (UNLIKELY((uint64_t)place_3 >= (uint64_t)column_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                int64_t t_70 = column_1[place_3];
                int64_t place_4 = from_end(t_70, x_1_n0);
                if (UNLIKELY((uint64_t)place_4 >= (uint64_t)x_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                s_19 = fma_float64(value_1[place_2], x_1[place_4], s_19);
            }
            s_14 = s_19;
        }
        /* line 106 */
        out_1[i_2] = s_14;
    }
}
