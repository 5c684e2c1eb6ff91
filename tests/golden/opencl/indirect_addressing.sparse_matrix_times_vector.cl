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

HELPER int64_t clamp_index(int64_t index, int64_t extent) {
    index = index < extent ? index : extent - 1;
    return index < 0 ? 0 : index;
}

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef ulong uint64_t;

__kernel __attribute__((reqd_work_group_size(8, 32, 1))) void sparse_matrix_times_vector_0(const __global char *restrict start_1_memory,
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
    int64_t i_origin = i_block * 32 + i_offset;
    __local double partial[256];
    double own[1];
    {
        int64_t i_thread = (int64_t)get_local_id(1);
        int64_t k_thread = (int64_t)get_local_id(0);
        int64_t i_2 = i_origin + i_thread;
        if (i_2 < i_extent) {
            /* line 104 */
            int64_t t_57 = start_1[i_2];
            int64_t t_58 = start_1[i_2 + 1];
            bool t_63 = (t_57 >= 0) & (t_48 >= t_58) & (t_49 >= t_58);
            int64_t first = t_63 ? t_57 : 0L;
            int64_t last = t_63 ? t_58 : 0L;
            /* line 102 */
            own[0] = -0.0;
            int64_t t_64 = last - first;
            int64_t rounds = (0 > t_64 ? 0 : t_64) / 8;
            int64_t t_65 = first + k_thread;
            if (x_1_n0 > 0) {
                for (int64_t round = 0; round < rounds; round++) {
                    int64_t t_67 = t_65 + round * 8;
                    /* line 105 */
                    int64_t t_71 = column_1[t_67];
                    int64_t t_72 = t_71 + (t_71 < 0 ? x_1_n0 : 0L);
                    if ((uint64_t)t_72 >= (uint64_t)x_1_n0) *weft_flag = 1;
                    /* line 102 */
                    own[0] = fma_float64(value_1[t_67], x_1[clamp_index(t_72, x_1_n0)], own[0]);
                }
            } else {
                for (int64_t round_1 = 0; round_1 < rounds; round_1++) {
                    int64_t t_76 = t_65 + round_1 * 8;
                    /* line 105 */
                    int64_t t_80 = column_1[t_76];
                    int64_t place = from_end(t_80, x_1_n0);
                    if (UNLIKELY((uint64_t)place >= (uint64_t)x_1_n0)) {
                        *weft_flag = 1;
                        goto phase;
                    }
                    /* line 102 */
                    own[0] = fma_float64(value_1[t_76], x_1[place], own[0]);
                }
            }
            int64_t t_85 = first + rounds * 8 + k_thread;
            for (int64_t rest = 0; rest < 1; rest++) {
                int64_t t_87 = t_85 + rest * 8;
                if (t_87 < last) {
                    /* line 105 */
                    int64_t t_91 = column_1[t_87];
                    int64_t place_2 = from_end(t_91, x_1_n0);
                    if (UNLIKELY((uint64_t)place_2 >= (uint64_t)x_1_n0)) {
                        *weft_flag = 1;
                        goto phase;
                    }
                    /* line 102 */
                    own[0] = fma_float64(value_1[t_87], x_1[place_2], own[0]);
                }
            }
            partial[i_thread * 8 + k_thread] = own[0];
        }
    }
    phase:;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        int64_t i_thread_1 = (int64_t)get_local_id(1);
        int64_t k_thread_1 = (int64_t)get_local_id(0);
        int64_t i_3 = i_origin + i_thread_1;
        if (i_3 < i_extent) {
            if (k_thread_1 == 0) {
                /* line 104 */
                int64_t t_98 = start_1[i_3];
                int64_t t_99 = start_1[i_3 + 1];
                /* line 102 */
                double carried = 0.0;
#pragma unroll
                for (int64_t part_2 = 0; part_2 < 8; part_2++) {
                    carried = carried + partial[i_thread_1 * 8 + part_2];
                }
                /* line 104 */
                double s_17;
                if ((t_98 >= 0) & (t_48 >= t_99) & (t_49 >= t_99)) {
                    s_17 = carried;
                } else {
                    double s_19 = 0.0;
                    for (int64_t k_4 = t_98; k_4 < t_99; k_4++) {
                        /* line 105 */
                        int64_t place_3 = from_end(k_4, value_1_n0);
                        if (UNLIKELY((uint64_t)place_3 >= (uint64_t)value_1_n0)) {
                            *weft_flag = 1;
                            goto phase_2;
                        }
                        int64_t place_4 = from_end(k_4, column_1_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)column_1_n0)) {
                            *weft_flag = 1;
                            goto phase_2;
                        }
                        int64_t t_108 = column_1[place_4];
                        int64_t place_5 = from_end(t_108, x_1_n0);
                        if (UNLIKELY((uint64_t)place_5 >= (uint64_t)x_1_n0)) {
                            *weft_flag = 1;
                            goto phase_2;
                        }
                        s_19 = fma_float64(value_1[place_3], x_1[place_5], s_19);
                    }
                    s_17 = s_19;
                }
                /* line 106 */
                out_1[i_3] = s_17;
            }
        }
    }
    phase_2:;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
