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

#define bool bool

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void three_arguments_0(const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const __global char *restrict y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0_given,
        __global char *restrict z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0_given,
        int64_t x_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global double *y_1 = AT(double, y_1_memory, y_1_offset);
    index_t y_1_n0 = (index_t)y_1_n0_given;
    __global double *z_1 = AT(double, z_1_memory, z_1_offset);
    index_t z_1_n0 = (index_t)z_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 51 */
    index_t i_first = i_offset - i_offset % 2;
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 512 + i_first;
    bool inside_1 = ((((int64_t)(size_t)x_1) & 15) == 0) & (((int64_t)(size_t)y_1) & 15) == 0 & (((int64_t)(size_t)z_1) & 15) == 0;
    if (inside_1) {
        index_t i_thread = (index_t)get_local_id(0);
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_19 = i_4 + run * 512;
                /* line 52 */
                double2 run_1 = vload2(0, AT(double, x_1, (int64_t)(t_19) * 8));
                double2 run_2 = vload2(0, AT(double, y_1, (int64_t)(t_19) * 8));
                vstore2((double2)(run_1.x - run_2.x, run_1.y - run_2.y), 0, AT(double, z_1, (int64_t)(t_19) * 8));
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 52 */
                    z_1[i_7] = x_1[i_7] - y_1[i_7];
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)get_local_id(0);
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 52 */
                z_1[i_9] = x_1[i_9] - y_1[i_9];
            }
        }
    }
}
