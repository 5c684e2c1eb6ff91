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

typedef long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

#define bool bool

HELPER bool is_outside(int64_t index, int64_t extent) { return index < -extent || index >= extent; }

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_0(__global char *start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0,
        __global char *value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0,
        __global char *column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0,
        __global char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        __global char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_dim0_1,
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
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 104 */
        int64_t k_stop = start_1[i_1 + 1];
        double s_4 = 0.0;
        for (int64_t k_1 = start_1[i_1]; k_1 < k_stop; k_1++) {
            /* line 105 */
            if (UNLIKELY(is_outside(k_1, value_1_n0))) {
                *weft_flag = 1;
                return;
            }
            if (UNLIKELY(is_outside(k_1, column_1_n0))) {
                *weft_flag = 1;
                return;
            }
            int64_t t_23 = column_1[from_end(k_1, column_1_n0)];
            if (UNLIKELY(is_outside(t_23, x_1_n0))) {
                *weft_flag = 1;
                return;
            }
            s_4 = s_4 + value_1[from_end(k_1, value_1_n0)] * x_1[from_end(t_23, x_1_n0)];
        }
        /* line 106 */
        out_1[i_1] = s_4;
    }
}
