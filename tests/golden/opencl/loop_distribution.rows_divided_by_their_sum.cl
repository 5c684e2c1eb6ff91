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

typedef long int64_t;

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void rows_divided_by_their_sum_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_s0,
        int64_t a_dim0_1,
        int64_t a_dim1_1,
        int64_t i_offset,
        int64_t i_extent) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 47 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_origin = i_block + i_offset;
    __local double partial[128];
    double s_6[1];
    double own[1];
    {
        int64_t i_thread = (int64_t)get_local_id(1);
        int64_t j_thread = (int64_t)get_local_id(0);
        own[0] = -0.0;
        int64_t round_stop = ((0 > a_dim1_1 ? 0 : a_dim1_1) + 127) / 128;
        for (int64_t round = 0; round < round_stop; round++) {
            int64_t t_22 = j_thread + round * 128;
            if (t_22 < a_dim1_1) {
                /* line 47 */
                own[0] = own[0] + AT(double, a_1, i_origin * a_1_s0)[t_22];
            }
        }
        partial[j_thread] = own[0];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        int64_t i_thread_1 = (int64_t)get_local_id(1);
        int64_t j_thread_1 = (int64_t)get_local_id(0);
        double carried = 0.0;
        for (int64_t part_2 = 0; part_2 < 128; part_2++) {
            carried += partial[part_2];
        }
        s_6[0] = carried;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        int64_t i_thread_2 = (int64_t)get_local_id(1);
        int64_t j_thread_2 = (int64_t)get_local_id(0);
        double t_27 = s_6[0];
        int64_t round_stop_2 = ((0 > a_dim1_1 ? 0 : a_dim1_1) + 127) / 128;
        for (int64_t round_1 = 0; round_1 < round_stop_2; round_1++) {
            int64_t t_32 = j_thread_2 + round_1 * 128;
            if (t_32 < a_dim1_1) {
                /* line 52 */
                AT(double, out_1, i_origin * out_1_s0)[t_32] = AT(double, a_1, i_origin * a_1_s0)[t_32] / t_27;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
