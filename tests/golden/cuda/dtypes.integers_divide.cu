#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

#define HELPER static __device__ __forceinline__

typedef signed char int8_t;

/* By a constant; of a power of two it is a shift: compilers know that the lowest bits are 0. */
HELPER int8_t floordiv_by_positive_int8(int8_t a, int8_t b) {
    return b & (b - 1) ? (int8_t)(a / b - (a % b < 0)) : (int8_t)((a & -b) / b);
}

typedef unsigned char uint8_t;

HELPER int8_t floordiv_signed_int8(int8_t a, int8_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int8_t)(0 - (uint8_t)a);
    return (int8_t)(a / b - ((a % b != 0) & ((a ^ b) < 0)));
}

HELPER int8_t floordiv_int8(int8_t a, int8_t b) { return floordiv_signed_int8(a, b); }

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

/* Without a branch: of rests as they come, processors do not foresee which are 0. */
HELPER int8_t mod_by_positive_int8(int8_t a, int8_t b) {
    if (!(b & (b - 1))) return (int8_t)(a & (b - 1));
    int8_t rest = (int8_t)(a % b);
    return (int8_t)(rest + (rest < 0 ? b : 0));
}

HELPER int8_t mod_signed_int8(int8_t a, int8_t b) {
    if (b == 0 || b == -1) return 0;
    int8_t rest = (int8_t)(a % b);
    return (int8_t)(rest + ((rest != 0) & ((rest ^ b) < 0) ? b : 0));
}

HELPER int8_t mod_int8(int8_t a, int8_t b) { return mod_signed_int8(a, b); }

extern "C" __global__ __launch_bounds__(256) void integers_divide_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        const char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_s0_given,
        int64_t a_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    int8_t *a_1 = AT(int8_t, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    int8_t *b_1 = AT(int8_t, b_1_memory, b_1_offset);
    index_t b_1_n0 = (index_t)b_1_n0_given;
    int8_t *out_1 = AT(int8_t, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 51 */
    index_t i_first = i_offset - i_offset % 4;
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 1024 + i_first;
    bool inside_1 = ((((int64_t)a_1) & 3) == 0) & (((int64_t)b_1) & 3) == 0 & (((int64_t)out_1 | (int64_t)out_1_s0 * 1) & 3) == 0;
    if (inside_1) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t i_2 = i_origin + i_thread * 4;
        if ((i_2 >= i_offset) & (i_2 + 3 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 4;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_32 = i_4 + run * 1024;
                /* line 52 */
                char4 run_1 = *(char4 *)(AT(int8_t, a_1, (int64_t)(t_32) * 1));
                char4 run_2 = *(char4 *)(AT(int8_t, b_1, (int64_t)(t_32) * 1));
                char4 run_3 = make_char4(floordiv_int8(run_1.x, run_2.x), floordiv_int8(run_1.y, run_2.y), floordiv_int8(run_1.z, run_2.z), floordiv_int8(run_1.w, run_2.w));
                *(char4 *)(AT(int8_t, out_1, (int64_t)(t_32) * 1)) = run_3;
                /* line 53 */
                char4 run_4 = make_char4(mod_int8(run_1.x, run_2.x), mod_int8(run_1.y, run_2.y), mod_int8(run_1.z, run_2.z), mod_int8(run_1.w, run_2.w));
                *(char4 *)(AT(int8_t, out_1, (int64_t)(1 * out_1_s0 + t_32) * 1)) = run_4;
                /* line 54 */
                int8_t t_57 = (int8_t)(floordiv_by_positive_int8(run_1.x, 3) + mod_by_positive_int8(run_1.x, 7));
                int8_t t_58 = (int8_t)(floordiv_by_positive_int8(run_1.y, 3) + mod_by_positive_int8(run_1.y, 7));
                int8_t t_59 = (int8_t)(floordiv_by_positive_int8(run_1.z, 3) + mod_by_positive_int8(run_1.z, 7));
                int8_t t_60 = (int8_t)(floordiv_by_positive_int8(run_1.w, 3) + mod_by_positive_int8(run_1.w, 7));
                *(char4 *)(AT(int8_t, out_1, (int64_t)(2 * out_1_s0 + t_32) * 1)) = make_char4(t_57, t_58, t_59, t_60);
            }
        } else {
            for (index_t point = 0; point < 4; point++) {
                index_t i_9 = i_origin + i_thread * 4 + point;
                if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                    /* line 52 */
                    int8_t t_62 = a_1[i_9];
                    int8_t t_63 = b_1[i_9];
                    out_1[i_9] = floordiv_int8(t_62, t_63);
                    /* line 53 */
                    out_1[1 * out_1_s0 + i_9] = mod_int8(t_62, t_63);
                    /* line 54 */
                    out_1[2 * out_1_s0 + i_9] = (int8_t)(floordiv_by_positive_int8(t_62, 3) + mod_by_positive_int8(t_62, 7));
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 4; point_1++) {
            index_t i_11 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_11 >= i_offset) & (i_11 < i_extent)) {
                /* line 52 */
                int8_t t_70 = a_1[i_11];
                int8_t t_71 = b_1[i_11];
                out_1[i_11] = floordiv_int8(t_70, t_71);
                /* line 53 */
                out_1[1 * out_1_s0 + i_11] = mod_int8(t_70, t_71);
                /* line 54 */
                out_1[2 * out_1_s0 + i_11] = (int8_t)(floordiv_by_positive_int8(t_70, 3) + mod_by_positive_int8(t_70, 7));
            }
        }
    }
}
