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

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void reverses_in_place_0(__global char *a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t t_8,
        int64_t t_9,
        int64_t i_offset,
        int64_t i_extent) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    /* line 12 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 13 */
        int64_t t_5 = t_9 - i_1;
        double t_7 = a_1[i_1];
        a_1[i_1] = a_1[t_5];
        a_1[t_5] = t_7;
    }
}
