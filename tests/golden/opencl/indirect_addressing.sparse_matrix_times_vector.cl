#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define AT(type, pointer, bytes) ((__global type *)((__global char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define HELPER static inline __attribute__((unused))

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef ulong uint64_t;

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_0(const __global char *restrict start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0,
        const __global char *restrict value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0,
        const __global char *restrict column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0,
        const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_dim0_1,
        int64_t t_48,
        int64_t t_49,
        int64_t i_offset,
        int64_t i_extent,
        __global int32_t *weft_flag) {
    __global int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    __global double *value_1 = AT(double, value_1_memory, value_1_offset);
    __global int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 102 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)get_local_id(0);
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
