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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void lambdas_0(__global char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        __global char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t x_dim0_1,
        double t_12,
        int64_t i_offset,
        int64_t i_extent) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 85 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 86 */
        double t_8 = x_1[i_1];
        /* line 86 */
        out_1[i_1] = (t_8 + 1.0) * (t_8 + t_12);
    }
}
