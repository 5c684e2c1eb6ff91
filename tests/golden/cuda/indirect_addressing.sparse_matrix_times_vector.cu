#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef unsigned long long uint64_t;

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_0(char *start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0,
        char *value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0,
        char *column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0,
        char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *out_1_memory,
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
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 104 */
        int64_t t_31 = start_1[i_1];
        int64_t t_32 = start_1[i_1 + 1];
        double s_7;
        if ((t_31 >= 0) & (t_48 >= t_32) & (t_49 >= t_32)) {
            double s_9 = 0.0;
            for (int64_t k_2 = t_31; k_2 < t_32; k_2++) {
                /* line 105 */
                int64_t t_40 = column_1[k_2];
                int64_t place = from_end(t_40, x_1_n0);
                if (UNLIKELY((uint64_t)place >= (uint64_t)x_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                s_9 = s_9 + value_1[k_2] * x_1[place];
            }
            s_7 = s_9;
        } else {
            double s_12 = 0.0;
            for (int64_t k_3 = t_31; k_3 < t_32; k_3++) {
                /* line 105 */
                int64_t place_2 = from_end(k_3, value_1_n0);
                if (UNLIKELY((uint64_t)place_2 >= (uint64_t)value_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                int64_t place_3 = from_end(k_3, column_1_n0);
                if (UNLIKELY((uint64_t)place_3 >= (uint64_t)column_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                int64_t t_45 = column_1[place_3];
                int64_t place_4 = from_end(t_45, x_1_n0);
                if (UNLIKELY((uint64_t)place_4 >= (uint64_t)x_1_n0)) {
                    *weft_flag = 1;
                    return;
                }
                s_12 = s_12 + value_1[place_2] * x_1[place_4];
            }
            s_7 = s_12;
        }
        /* line 106 */
        out_1[i_1] = s_7;
    }
}
