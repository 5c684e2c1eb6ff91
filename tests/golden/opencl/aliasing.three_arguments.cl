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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void three_arguments_0(__global char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        __global char *y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0,
        __global char *z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0,
        int64_t x_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    __global double *y_1 = AT(double, y_1_memory, y_1_offset);
    __global double *z_1 = AT(double, z_1_memory, z_1_offset);
    /* line 51 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 52 */
        z_1[i_1] = x_1[i_1] - y_1[i_1];
    }
}
