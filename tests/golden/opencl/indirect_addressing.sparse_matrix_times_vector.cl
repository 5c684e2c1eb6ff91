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

#define bool bool

#define HELPER static inline __attribute__((unused))

typedef long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

HELPER bool is_outside(int64_t index, int64_t extent) { return index < -extent || index >= extent; }

typedef uchar uint8_t;

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
        int64_t t_78,
        uint8_t t_given,
        int64_t t_80,
        uint8_t t_given_2,
        int64_t i_offset,
        int64_t i_extent,
        __global int32_t *weft_flag) {
    __global int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    __global double *value_1 = AT(double, value_1_memory, value_1_offset);
    __global int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    bool t_79 = t_given != 0;
    bool t_81 = t_given_2 != 0;
    /* line 102 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 104 */
        int64_t t_38 = start_1[i_1];
        int64_t t_39 = start_1[i_1 + 1];
        bool t_56 = 72057594037927936L >= t_39;
        bool t_58 = 72057594037927936L + t_39 >= 0;
        bool t_62 = (t_38 >= 0) & ((72057594037927936L >= t_38) & (72057594037927936L + t_38 >= 0)) & ((t_78 >= t_39) & (t_56 & t_58 & t_79));
        double s_7;
        if (t_62 & ((t_80 >= t_39) & (t_81 & t_56 & t_58))) {
            double s_9 = 0.0;
            for (int64_t k_2 = t_38; k_2 < t_39; k_2++) {
                /* line 105 */
                if (UNLIKELY(is_outside(column_1[k_2], x_1_n0))) {
                    *weft_flag = 1;
                    return;
                }
                s_9 = s_9 + value_1[k_2] * x_1[from_end(column_1[k_2], x_1_n0)];
            }
            s_7 = s_9;
        } else {
            double s_12 = 0.0;
            for (int64_t k_3 = t_38; k_3 < t_39; k_3++) {
                /* line 105 */
                if (UNLIKELY(is_outside(k_3, value_1_n0))) {
                    *weft_flag = 1;
                    return;
                }
                if (UNLIKELY(is_outside(k_3, column_1_n0))) {
                    *weft_flag = 1;
                    return;
                }
                int64_t t_75 = column_1[from_end(k_3, column_1_n0)];
                if (UNLIKELY(is_outside(t_75, x_1_n0))) {
                    *weft_flag = 1;
                    return;
                }
                s_12 = s_12 + value_1[from_end(k_3, value_1_n0)] * x_1[from_end(t_75, x_1_n0)];
            }
            s_7 = s_12;
        }
        /* line 106 */
        out_1[i_1] = s_7;
    }
}
