#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

/* Whether the program is to stop; the memory of the host is asked once in so many cycles. */
HELPER int32_t is_to_stop(const volatile int32_t *stop, int64_t &since) {
    int64_t now = clock64();
    if (since == 0) since = now;
    if (now - since < 1 << 30) return 0;
    since = now;
    return *stop;
}

typedef unsigned int uint32_t;

extern "C" __global__ __launch_bounds__(256) void mandelbrot_0(char *__restrict__ out_5_memory,
        int64_t out_5_offset,
        int64_t out_5_n0_given,
        int64_t out_5_n1_given,
        int64_t out_5_s0_given,
        int64_t out_dim0_1,
        double t_43,
        int64_t out_dim1_1,
        double t_44,
        int64_t limit_1,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given,
        const volatile int32_t *weft_stop,
        int32_t *weft_flag) {
    int64_t weft_since = 0;
    int32_t *out_5 = AT(int32_t, out_5_memory, out_5_offset);
    index_t out_5_n0 = (index_t)out_5_n0_given;
    index_t out_5_n1 = (index_t)out_5_n1_given;
    index_t out_5_s0 = (index_t)(out_5_s0_given >> 2);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    index_t j_offset = (index_t)j_offset_given;
    index_t j_extent = (index_t)j_extent_given;
    /* line 67 */
    index_t i_block = (index_t)blockIdx.y;
    /* line 68 */
    index_t j_block = (index_t)blockIdx.x;
    /* line 67 */
    index_t i_origin = i_block * 4 + i_offset;
    /* line 68 */
    index_t j_origin = j_block * 64 + j_offset;
    /* line 67 */
    index_t i_thread = (index_t)threadIdx.y;
    index_t j_thread = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        index_t j_2 = j_origin + j_thread;
        if (j_2 < j_extent) {
            /* line 70 */
            double cy_2 = 2.0 * (double)i_2 / t_43 - 1.0;
            /* line 69 */
            double cx_2 = 3.0 * (double)j_2 / t_44 - 2.0;
            /* line 74 */
            double x_5 = 0.0;
            double y_5 = 0.0;
            int64_t count_7 = 0;
            if (limit_1 > 65536) {
                uint32_t turns = 0;
#pragma unroll 16
                while ((x_5 * x_5 + y_5 * y_5 <= 4.0) & (count_7 < limit_1)) {
                    if ((++turns & 65535) == 0 && is_to_stop(weft_stop, weft_since)) {
                        return;
                    }
                    /* line 76 */
                    double next_x_5 = x_5 * x_5 - y_5 * y_5 + cx_2;
                    y_5 = 2.0 * x_5 * y_5 + cy_2;
                    count_7 += 1;
                    x_5 = next_x_5;
                }
            } else {
                while ((x_5 * x_5 + y_5 * y_5 <= 4.0) & (count_7 < limit_1)) {
                    /* line 76 */
                    double next_x_5_2 = x_5 * x_5 - y_5 * y_5 + cx_2;
                    y_5 = 2.0 * x_5 * y_5 + cy_2;
                    count_7 += 1;
                    x_5 = next_x_5_2;
                }
            }
            /* line 68 */
            out_5[i_2 * out_5_s0 + j_2] = (int32_t)count_7;
        }
    }
}
