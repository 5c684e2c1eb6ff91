#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

HELPER void keep_behind(int64_t &offset) { asm volatile("" : "+l"(offset)); }

/* Where the launch permits it, a kernel is started before the one before it is done. From here on that one is done, and what
   it wrote can be read. The offsets pass through, so that nothing is loaded earlier. */
template <typename... Offsets>
HELPER void begin_kernel(Offsets &...offsets) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    (keep_behind(offsets), ...);
#endif
}

#define bool bool

HELPER int64_t floordiv_by_positive(int64_t a, int64_t b) { return a / b - (a % b < 0); }

typedef int int32_t;

typedef int32_t index_t;

extern "C" __global__ __launch_bounds__(64, 8) void jacobi_1(const char *__restrict__ u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0_given,
        int64_t u_3_n1_given,
        int64_t u_3_s0_given,
        char *__restrict__ v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0_given,
        int64_t v_3_n1_given,
        int64_t v_3_s0_given,
        int64_t t_56,
        int64_t t_57,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given) {
    begin_kernel(u_3_offset, v_3_offset);
    double *u_3 = AT(double, u_3_memory, u_3_offset);
    index_t u_3_n0 = (index_t)u_3_n0_given;
    index_t u_3_n1 = (index_t)u_3_n1_given;
    index_t u_3_s0 = (index_t)(u_3_s0_given >> 3);
    double *v_3 = AT(double, v_3_memory, v_3_offset);
    index_t v_3_n0 = (index_t)v_3_n0_given;
    index_t v_3_n1 = (index_t)v_3_n1_given;
    index_t v_3_s0 = (index_t)(v_3_s0_given >> 3);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    index_t j_offset = (index_t)j_offset_given;
    index_t j_extent = (index_t)j_extent_given;
    /* line 19 */
    index_t i_low = 1 + i_offset;
    index_t i_high = 1 + i_extent;
    index_t j_low = 1 + j_offset;
    index_t j_high = 1 + j_extent;
    index_t i_block = (index_t)blockIdx.y;
    /* line 20 */
    index_t j_block = (index_t)blockIdx.x;
    /* line 19 */
    index_t i_origin = i_block * 128 + i_low;
    /* line 21 */
    double window[21];
    double ahead[3];
    __shared__ __align__(16) double sides[1792];
    index_t first = i_origin - 7;
    index_t t_64 = i_origin + 128;
    index_t end_2 = i_high < t_64 ? i_high : t_64;
    index_t last = end_2 + 6;
    index_t first_1 = j_block * 50 + j_low - 7;
    index_t rounds_2 = floordiv_by_positive(end_2 - i_origin + 23, 3);
    bool inside_7 = (first - 14 >= i_low) & (first + rounds_2 * 3 <= i_high) & (last < i_high) & (first_1 >= j_low);
    if (inside_7 & (first_1 + 64 <= j_high)) {
        {
            index_t i_thread = (index_t)threadIdx.y;
            index_t j_thread = (index_t)threadIdx.x;
            window[0] = 0.0;
            window[1] = 0.0;
            window[2] = 0.0;
            sides[j_thread] = 0.0;
            sides[1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + j_thread] = 0.0;
            sides[1 * 896 + 1 * 64 + j_thread] = 0.0;
            window[1 * 3] = 0.0;
            window[1 * 3 + 1] = 0.0;
            window[1 * 3 + 2] = 0.0;
            sides[1 * 128 + j_thread] = 0.0;
            sides[1 * 128 + 1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + 1 * 128 + j_thread] = 0.0;
            sides[1 * 896 + 1 * 128 + 1 * 64 + j_thread] = 0.0;
            window[2 * 3] = 0.0;
            window[2 * 3 + 1] = 0.0;
            window[2 * 3 + 2] = 0.0;
            sides[2 * 128 + j_thread] = 0.0;
            sides[2 * 128 + 1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + 2 * 128 + j_thread] = 0.0;
            sides[1 * 896 + 2 * 128 + 1 * 64 + j_thread] = 0.0;
            window[3 * 3] = 0.0;
            window[3 * 3 + 1] = 0.0;
            window[3 * 3 + 2] = 0.0;
            sides[3 * 128 + j_thread] = 0.0;
            sides[3 * 128 + 1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + 3 * 128 + j_thread] = 0.0;
            sides[1 * 896 + 3 * 128 + 1 * 64 + j_thread] = 0.0;
            window[4 * 3] = 0.0;
            window[4 * 3 + 1] = 0.0;
            window[4 * 3 + 2] = 0.0;
            sides[4 * 128 + j_thread] = 0.0;
            sides[4 * 128 + 1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + 4 * 128 + j_thread] = 0.0;
            sides[1 * 896 + 4 * 128 + 1 * 64 + j_thread] = 0.0;
            window[5 * 3] = 0.0;
            window[5 * 3 + 1] = 0.0;
            window[5 * 3 + 2] = 0.0;
            sides[5 * 128 + j_thread] = 0.0;
            sides[5 * 128 + 1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + 5 * 128 + j_thread] = 0.0;
            sides[1 * 896 + 5 * 128 + 1 * 64 + j_thread] = 0.0;
            window[6 * 3] = 0.0;
            window[6 * 3 + 1] = 0.0;
            window[6 * 3 + 2] = 0.0;
            sides[6 * 128 + j_thread] = 0.0;
            sides[6 * 128 + 1 * 64 + j_thread] = 0.0;
            sides[1 * 896 + 6 * 128 + j_thread] = 0.0;
            sides[1 * 896 + 6 * 128 + 1 * 64 + j_thread] = 0.0;
            index_t column = first_1 + j_thread;
            ahead[0] = __ldg(&u_3[(last < first ? last : first) * u_3_s0 + column]);
            index_t t_73 = first + 1;
            ahead[1] = __ldg(&u_3[(last < t_73 ? last : t_73) * u_3_s0 + column]);
            index_t t_76 = first + 2;
            ahead[2] = __ldg(&u_3[(last < t_76 ? last : t_76) * u_3_s0 + column]);
        }
        __syncthreads();
        for (index_t round = 0; round < rounds_2; round++) {
            index_t t_79 = round * 3;
#pragma unroll
            for (index_t row = 0; row < 3; row++) {
                index_t t_80 = t_79 + row;
                {
                    index_t i_thread_1 = (index_t)threadIdx.y;
                    index_t j_thread_1 = (index_t)threadIdx.x;
                    index_t column_1 = first_1 + j_thread_1;
                    index_t row_1 = first + t_80;
                    index_t buffer = t_80 & 1;
                    index_t t_81 = j_thread_1 - 1;
                    index_t left = 0 > t_81 ? 0 : t_81;
                    index_t t_82 = j_thread_1 + 1;
                    index_t right = 63 < t_82 ? 63 : t_82;
                    double t_85 = window[2];
                    double t_88 = window[1 * 3 + 2];
                    double t_91 = window[2 * 3 + 2];
                    double t_94 = window[3 * 3 + 2];
                    double t_97 = window[4 * 3 + 2];
                    double t_100 = window[5 * 3 + 2];
                    double t_103 = window[6 * 3 + 2];
                    index_t t_105 = row_1 + 3;
                    double t_83 = window[0];
                    double t_84 = window[1];
                    double t_86 = window[1 * 3];
                    double t_87 = window[1 * 3 + 1];
                    double t_89 = window[2 * 3];
                    double t_90 = window[2 * 3 + 1];
                    double t_92 = window[3 * 3];
                    double t_93 = window[3 * 3 + 1];
                    double t_95 = window[4 * 3];
                    double t_96 = window[4 * 3 + 1];
                    double t_98 = window[5 * 3];
                    double t_99 = window[5 * 3 + 1];
                    double t_101 = window[6 * 3];
                    double t_102 = window[6 * 3 + 1];
                    double t_104 = ahead[row];
                    ahead[row] = __ldg(&u_3[(last < t_105 ? last : t_105) * u_3_s0 + column_1]);
                    double t_117 = 0.25 * (t_83 + t_85 + sides[buffer * 896 + 1 * 64 + left] + sides[buffer * 896 + right]);
                    double t_126 = t_86 + t_88 + sides[buffer * 896 + 1 * 128 + 1 * 64 + left] + sides[buffer * 896 + 1 * 128 + right];
                    double t_136 = t_89 + t_91 + sides[buffer * 896 + 2 * 128 + 1 * 64 + left] + sides[buffer * 896 + 2 * 128 + right];
                    double t_146 = t_92 + t_94 + sides[buffer * 896 + 3 * 128 + 1 * 64 + left] + sides[buffer * 896 + 3 * 128 + right];
                    double t_156 = t_95 + t_97 + sides[buffer * 896 + 4 * 128 + 1 * 64 + left] + sides[buffer * 896 + 4 * 128 + right];
                    double t_166 = t_98 + t_100 + sides[buffer * 896 + 5 * 128 + 1 * 64 + left] + sides[buffer * 896 + 5 * 128 + right];
                    double t_176 = t_101 + t_103 + sides[buffer * 896 + 6 * 128 + 1 * 64 + left] + sides[buffer * 896 + 6 * 128 + right];
                    double t_177 = 0.25 * t_176;
                    index_t t_178 = row_1 - 14;
                    if ((t_178 >= i_origin) & (t_178 < end_2) & (j_thread_1 >= 7) & (j_thread_1 < 57)) {
                        v_3[t_178 * v_3_s0 + column_1] = t_177;
                    }
                    window[0] = t_84;
                    window[1] = t_85;
                    window[2] = t_104;
                    index_t t_179 = 1 - buffer;
                    sides[t_179 * 896 + j_thread_1] = t_85;
                    sides[t_179 * 896 + 1 * 64 + j_thread_1] = t_85;
                    window[1 * 3] = t_87;
                    window[1 * 3 + 1] = t_88;
                    window[1 * 3 + 2] = t_117;
                    index_t t_180 = 1 - buffer;
                    sides[t_180 * 896 + 1 * 128 + j_thread_1] = t_88;
                    sides[t_180 * 896 + 1 * 128 + 1 * 64 + j_thread_1] = t_88;
                    window[2 * 3] = t_90;
                    window[2 * 3 + 1] = t_91;
                    window[2 * 3 + 2] = 0.25 * t_126;
                    index_t t_181 = 1 - buffer;
                    sides[t_181 * 896 + 2 * 128 + j_thread_1] = t_91;
                    sides[t_181 * 896 + 2 * 128 + 1 * 64 + j_thread_1] = t_91;
                    window[3 * 3] = t_93;
                    window[3 * 3 + 1] = t_94;
                    window[3 * 3 + 2] = 0.25 * t_136;
                    index_t t_182 = 1 - buffer;
                    sides[t_182 * 896 + 3 * 128 + j_thread_1] = t_94;
                    sides[t_182 * 896 + 3 * 128 + 1 * 64 + j_thread_1] = t_94;
                    window[4 * 3] = t_96;
                    window[4 * 3 + 1] = t_97;
                    window[4 * 3 + 2] = 0.25 * t_146;
                    index_t t_183 = 1 - buffer;
                    sides[t_183 * 896 + 4 * 128 + j_thread_1] = t_97;
                    sides[t_183 * 896 + 4 * 128 + 1 * 64 + j_thread_1] = t_97;
                    window[5 * 3] = t_99;
                    window[5 * 3 + 1] = t_100;
                    window[5 * 3 + 2] = 0.25 * t_156;
                    index_t t_184 = 1 - buffer;
                    sides[t_184 * 896 + 5 * 128 + j_thread_1] = t_100;
                    sides[t_184 * 896 + 5 * 128 + 1 * 64 + j_thread_1] = t_100;
                    window[6 * 3] = t_102;
                    window[6 * 3 + 1] = t_103;
                    window[6 * 3 + 2] = 0.25 * t_166;
                    index_t t_185 = 1 - buffer;
                    sides[t_185 * 896 + 6 * 128 + j_thread_1] = t_103;
                    sides[t_185 * 896 + 6 * 128 + 1 * 64 + j_thread_1] = t_103;
                }
                __syncthreads();
            }
        }
    } else {
        if ((i_low < i_high) & (j_low < j_high)) {
            {
                index_t i_thread_2 = (index_t)threadIdx.y;
                index_t j_thread_2 = (index_t)threadIdx.x;
                window[0] = 0.0;
                window[1] = 0.0;
                window[2] = 0.0;
                sides[j_thread_2] = 0.0;
                sides[1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + j_thread_2] = 0.0;
                sides[1 * 896 + 1 * 64 + j_thread_2] = 0.0;
                window[1 * 3] = 0.0;
                window[1 * 3 + 1] = 0.0;
                window[1 * 3 + 2] = 0.0;
                sides[1 * 128 + j_thread_2] = 0.0;
                sides[1 * 128 + 1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + 1 * 128 + j_thread_2] = 0.0;
                sides[1 * 896 + 1 * 128 + 1 * 64 + j_thread_2] = 0.0;
                window[2 * 3] = 0.0;
                window[2 * 3 + 1] = 0.0;
                window[2 * 3 + 2] = 0.0;
                sides[2 * 128 + j_thread_2] = 0.0;
                sides[2 * 128 + 1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + 2 * 128 + j_thread_2] = 0.0;
                sides[1 * 896 + 2 * 128 + 1 * 64 + j_thread_2] = 0.0;
                window[3 * 3] = 0.0;
                window[3 * 3 + 1] = 0.0;
                window[3 * 3 + 2] = 0.0;
                sides[3 * 128 + j_thread_2] = 0.0;
                sides[3 * 128 + 1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + 3 * 128 + j_thread_2] = 0.0;
                sides[1 * 896 + 3 * 128 + 1 * 64 + j_thread_2] = 0.0;
                window[4 * 3] = 0.0;
                window[4 * 3 + 1] = 0.0;
                window[4 * 3 + 2] = 0.0;
                sides[4 * 128 + j_thread_2] = 0.0;
                sides[4 * 128 + 1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + 4 * 128 + j_thread_2] = 0.0;
                sides[1 * 896 + 4 * 128 + 1 * 64 + j_thread_2] = 0.0;
                window[5 * 3] = 0.0;
                window[5 * 3 + 1] = 0.0;
                window[5 * 3 + 2] = 0.0;
                sides[5 * 128 + j_thread_2] = 0.0;
                sides[5 * 128 + 1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + 5 * 128 + j_thread_2] = 0.0;
                sides[1 * 896 + 5 * 128 + 1 * 64 + j_thread_2] = 0.0;
                window[6 * 3] = 0.0;
                window[6 * 3 + 1] = 0.0;
                window[6 * 3 + 2] = 0.0;
                sides[6 * 128 + j_thread_2] = 0.0;
                sides[6 * 128 + 1 * 64 + j_thread_2] = 0.0;
                sides[1 * 896 + 6 * 128 + j_thread_2] = 0.0;
                sides[1 * 896 + 6 * 128 + 1 * 64 + j_thread_2] = 0.0;
                index_t column_2 = first_1 + j_thread_2;
                index_t t_186 = last < first ? last : first;
                index_t t_187 = u_3_n0 - 1;
                index_t t_188 = t_187 < t_186 ? t_187 : t_186;
                index_t t_190 = u_3_n1 - 1;
                index_t t_191 = t_190 < column_2 ? t_190 : column_2;
                ahead[0] = __ldg(&u_3[(t_188 > 0 ? t_188 : 0) * u_3_s0 + (t_191 > 0 ? t_191 : 0)]);
                index_t t_194 = first + 1;
                index_t t_195 = last < t_194 ? last : t_194;
                index_t t_196 = u_3_n0 - 1;
                index_t t_197 = t_196 < t_195 ? t_196 : t_195;
                index_t t_199 = u_3_n1 - 1;
                index_t t_200 = t_199 < column_2 ? t_199 : column_2;
                ahead[1] = __ldg(&u_3[(t_197 > 0 ? t_197 : 0) * u_3_s0 + (t_200 > 0 ? t_200 : 0)]);
                index_t t_203 = first + 2;
                index_t t_204 = last < t_203 ? last : t_203;
                index_t t_205 = u_3_n0 - 1;
                index_t t_206 = t_205 < t_204 ? t_205 : t_204;
                index_t t_208 = u_3_n1 - 1;
                index_t t_209 = t_208 < column_2 ? t_208 : column_2;
                ahead[2] = __ldg(&u_3[(t_206 > 0 ? t_206 : 0) * u_3_s0 + (t_209 > 0 ? t_209 : 0)]);
            }
            __syncthreads();
            for (index_t round_1 = 0; round_1 < rounds_2; round_1++) {
                index_t t_212 = round_1 * 3;
#pragma unroll
                for (index_t row_9 = 0; row_9 < 3; row_9++) {
                    index_t t_213 = t_212 + row_9;
                    {
                        index_t i_thread_3 = (index_t)threadIdx.y;
                        index_t j_thread_3 = (index_t)threadIdx.x;
                        index_t column_3 = first_1 + j_thread_3;
                        index_t row_10 = first + t_213;
                        index_t buffer_1 = t_213 & 1;
                        index_t t_214 = j_thread_3 - 1;
                        index_t left_1 = 0 > t_214 ? 0 : t_214;
                        index_t t_215 = j_thread_3 + 1;
                        index_t right_1 = 63 < t_215 ? 63 : t_215;
                        double t_218 = window[2];
                        double t_221 = window[1 * 3 + 2];
                        double t_224 = window[2 * 3 + 2];
                        double t_227 = window[3 * 3 + 2];
                        double t_230 = window[4 * 3 + 2];
                        double t_233 = window[5 * 3 + 2];
                        double t_236 = window[6 * 3 + 2];
                        index_t t_238 = row_10 + 3;
                        index_t t_239 = last < t_238 ? last : t_238;
                        index_t t_240 = u_3_n0 - 1;
                        index_t t_241 = t_240 < t_239 ? t_240 : t_239;
                        index_t t_243 = u_3_n1 - 1;
                        index_t t_244 = t_243 < column_3 ? t_243 : column_3;
                        double t_216 = window[0];
                        double t_217 = window[1];
                        double t_219 = window[1 * 3];
                        double t_220 = window[1 * 3 + 1];
                        double t_222 = window[2 * 3];
                        double t_223 = window[2 * 3 + 1];
                        double t_225 = window[3 * 3];
                        double t_226 = window[3 * 3 + 1];
                        double t_228 = window[4 * 3];
                        double t_229 = window[4 * 3 + 1];
                        double t_231 = window[5 * 3];
                        double t_232 = window[5 * 3 + 1];
                        double t_234 = window[6 * 3];
                        double t_235 = window[6 * 3 + 1];
                        double t_237 = ahead[row_9];
                        ahead[row_9] = __ldg(&u_3[(t_241 > 0 ? t_241 : 0) * u_3_s0 + (t_244 > 0 ? t_244 : 0)]);
                        index_t row_11 = row_10 - 2;
                        double t_255 = t_216 + t_218 + sides[buffer_1 * 896 + 1 * 64 + left_1] + sides[buffer_1 * 896 + right_1];
                        double t_256 = 0.25 * t_255;
                        bool inside_32 = (row_11 >= i_low) & (row_11 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_259;
                        if (inside_32) {
                            t_259 = t_256;
                        } else {
                            double t_258 = (row_11 >= 0) & (row_11 < v_3_n0) & (column_3 >= 0) & (column_3 < v_3_n1) ? v_3[row_11 * v_3_s0 + column_3] : 0.0;
                            t_259 = t_258;
                        }
                        index_t row_12 = row_10 - 4;
                        double t_268 = t_219 + t_221 + sides[buffer_1 * 896 + 1 * 128 + 1 * 64 + left_1] + sides[buffer_1 * 896 + 1 * 128 + right_1];
                        double t_269 = 0.25 * t_268;
                        bool inside_39 = (row_12 >= i_low) & (row_12 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_277;
                        if (inside_39) {
                            t_277 = t_269;
                        } else {
                            index_t t_270 = u_3_n0 - 1;
                            index_t t_271 = t_270 < row_12 ? t_270 : row_12;
                            index_t t_273 = u_3_n1 - 1;
                            index_t t_274 = t_273 < column_3 ? t_273 : column_3;
                            t_277 = __ldg(&u_3[(t_271 > 0 ? t_271 : 0) * u_3_s0 + (t_274 > 0 ? t_274 : 0)]);
                        }
                        index_t row_13 = row_10 - 6;
                        double t_286 = t_222 + t_224 + sides[buffer_1 * 896 + 2 * 128 + 1 * 64 + left_1] + sides[buffer_1 * 896 + 2 * 128 + right_1];
                        double t_287 = 0.25 * t_286;
                        bool inside_53 = (row_13 >= i_low) & (row_13 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_290;
                        if (inside_53) {
                            t_290 = t_287;
                        } else {
                            double t_289 = (row_13 >= 0) & (row_13 < v_3_n0) & (column_3 >= 0) & (column_3 < v_3_n1) ? v_3[row_13 * v_3_s0 + column_3] : 0.0;
                            t_290 = t_289;
                        }
                        index_t row_14 = row_10 - 8;
                        double t_299 = t_225 + t_227 + sides[buffer_1 * 896 + 3 * 128 + 1 * 64 + left_1] + sides[buffer_1 * 896 + 3 * 128 + right_1];
                        double t_300 = 0.25 * t_299;
                        bool inside_60 = (row_14 >= i_low) & (row_14 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_308;
                        if (inside_60) {
                            t_308 = t_300;
                        } else {
                            index_t t_301 = u_3_n0 - 1;
                            index_t t_302 = t_301 < row_14 ? t_301 : row_14;
                            index_t t_304 = u_3_n1 - 1;
                            index_t t_305 = t_304 < column_3 ? t_304 : column_3;
                            t_308 = __ldg(&u_3[(t_302 > 0 ? t_302 : 0) * u_3_s0 + (t_305 > 0 ? t_305 : 0)]);
                        }
                        index_t row_15 = row_10 - 10;
                        double t_317 = t_228 + t_230 + sides[buffer_1 * 896 + 4 * 128 + 1 * 64 + left_1] + sides[buffer_1 * 896 + 4 * 128 + right_1];
                        double t_318 = 0.25 * t_317;
                        bool inside_74 = (row_15 >= i_low) & (row_15 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_321;
                        if (inside_74) {
                            t_321 = t_318;
                        } else {
                            double t_320 = (row_15 >= 0) & (row_15 < v_3_n0) & (column_3 >= 0) & (column_3 < v_3_n1) ? v_3[row_15 * v_3_s0 + column_3] : 0.0;
                            t_321 = t_320;
                        }
                        index_t row_16 = row_10 - 12;
                        double t_330 = t_231 + t_233 + sides[buffer_1 * 896 + 5 * 128 + 1 * 64 + left_1] + sides[buffer_1 * 896 + 5 * 128 + right_1];
                        double t_331 = 0.25 * t_330;
                        bool inside_81 = (row_16 >= i_low) & (row_16 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_339;
                        if (inside_81) {
                            t_339 = t_331;
                        } else {
                            index_t t_332 = u_3_n0 - 1;
                            index_t t_333 = t_332 < row_16 ? t_332 : row_16;
                            index_t t_335 = u_3_n1 - 1;
                            index_t t_336 = t_335 < column_3 ? t_335 : column_3;
                            t_339 = __ldg(&u_3[(t_333 > 0 ? t_333 : 0) * u_3_s0 + (t_336 > 0 ? t_336 : 0)]);
                        }
                        index_t row_17 = row_10 - 14;
                        double t_348 = t_234 + t_236 + sides[buffer_1 * 896 + 6 * 128 + 1 * 64 + left_1] + sides[buffer_1 * 896 + 6 * 128 + right_1];
                        double t_349 = 0.25 * t_348;
                        bool inside_95 = (row_17 >= i_low) & (row_17 < i_high) & (column_3 >= j_low) & (column_3 < j_high);
                        double t_352;
                        if (inside_95) {
                            t_352 = t_349;
                        } else {
                            double t_351 = (row_17 >= 0) & (row_17 < v_3_n0) & (column_3 >= 0) & (column_3 < v_3_n1) ? v_3[row_17 * v_3_s0 + column_3] : 0.0;
                            t_352 = t_351;
                        }
                        index_t t_353 = row_10 - 14;
                        if ((t_353 >= i_origin) & (t_353 < end_2) & (j_thread_3 >= 7) & (j_thread_3 < 57)) {
                            if ((column_3 >= j_low) & (column_3 < j_high)) {
                                v_3[t_353 * v_3_s0 + column_3] = t_352;
                            }
                        }
                        window[0] = t_217;
                        window[1] = t_218;
                        window[2] = t_237;
                        index_t t_354 = 1 - buffer_1;
                        sides[t_354 * 896 + j_thread_3] = t_218;
                        sides[t_354 * 896 + 1 * 64 + j_thread_3] = t_218;
                        window[1 * 3] = t_220;
                        window[1 * 3 + 1] = t_221;
                        window[1 * 3 + 2] = t_259;
                        index_t t_355 = 1 - buffer_1;
                        sides[t_355 * 896 + 1 * 128 + j_thread_3] = t_221;
                        sides[t_355 * 896 + 1 * 128 + 1 * 64 + j_thread_3] = t_221;
                        window[2 * 3] = t_223;
                        window[2 * 3 + 1] = t_224;
                        window[2 * 3 + 2] = t_277;
                        index_t t_356 = 1 - buffer_1;
                        sides[t_356 * 896 + 2 * 128 + j_thread_3] = t_224;
                        sides[t_356 * 896 + 2 * 128 + 1 * 64 + j_thread_3] = t_224;
                        window[3 * 3] = t_226;
                        window[3 * 3 + 1] = t_227;
                        window[3 * 3 + 2] = t_290;
                        index_t t_357 = 1 - buffer_1;
                        sides[t_357 * 896 + 3 * 128 + j_thread_3] = t_227;
                        sides[t_357 * 896 + 3 * 128 + 1 * 64 + j_thread_3] = t_227;
                        window[4 * 3] = t_229;
                        window[4 * 3 + 1] = t_230;
                        window[4 * 3 + 2] = t_308;
                        index_t t_358 = 1 - buffer_1;
                        sides[t_358 * 896 + 4 * 128 + j_thread_3] = t_230;
                        sides[t_358 * 896 + 4 * 128 + 1 * 64 + j_thread_3] = t_230;
                        window[5 * 3] = t_232;
                        window[5 * 3 + 1] = t_233;
                        window[5 * 3 + 2] = t_321;
                        index_t t_359 = 1 - buffer_1;
                        sides[t_359 * 896 + 5 * 128 + j_thread_3] = t_233;
                        sides[t_359 * 896 + 5 * 128 + 1 * 64 + j_thread_3] = t_233;
                        window[6 * 3] = t_235;
                        window[6 * 3 + 1] = t_236;
                        window[6 * 3 + 2] = t_339;
                        index_t t_360 = 1 - buffer_1;
                        sides[t_360 * 896 + 6 * 128 + j_thread_3] = t_236;
                        sides[t_360 * 896 + 6 * 128 + 1 * 64 + j_thread_3] = t_236;
                    }
                    __syncthreads();
                }
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void jacobi_2(const char *__restrict__ u_4_memory,
        int64_t u_4_offset,
        int64_t u_4_n0_given,
        int64_t u_4_n1_given,
        int64_t u_4_s0_given,
        char *__restrict__ v_4_memory,
        int64_t v_4_offset,
        int64_t v_4_n0_given,
        int64_t v_4_n1_given,
        int64_t v_4_s0_given,
        int64_t t_373,
        int64_t t_374,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2,
        int64_t j_offset_given_2,
        int64_t j_extent_given_2) {
    begin_kernel(u_4_offset, v_4_offset);
    double *u_4 = AT(double, u_4_memory, u_4_offset);
    index_t u_4_n0 = (index_t)u_4_n0_given;
    index_t u_4_n1 = (index_t)u_4_n1_given;
    index_t u_4_s0 = (index_t)(u_4_s0_given >> 3);
    double *v_4 = AT(double, v_4_memory, v_4_offset);
    index_t v_4_n0 = (index_t)v_4_n0_given;
    index_t v_4_n1 = (index_t)v_4_n1_given;
    index_t v_4_s0 = (index_t)(v_4_s0_given >> 3);
    index_t i_offset_1 = (index_t)i_offset_given_2;
    index_t i_extent_1 = (index_t)i_extent_given_2;
    index_t j_offset_1 = (index_t)j_offset_given_2;
    index_t j_extent_1 = (index_t)j_extent_given_2;
    /* line 19 */
    index_t i_low_1 = 1 + i_offset_1;
    index_t i_high_1 = 1 + i_extent_1;
    index_t j_low_1 = 1 + j_offset_1;
    index_t j_high_1 = 1 + j_extent_1;
    index_t j_first = j_low_1 - j_low_1 % 2;
    index_t i_block_1 = (index_t)blockIdx.y;
    /* line 20 */
    index_t j_block_1 = (index_t)blockIdx.x;
    /* line 19 */
    index_t i_origin_1 = i_block_1 * 16 + i_low_1;
    /* line 20 */
    index_t j_origin_1 = j_block_1 * 64 + j_first;
    /* line 19 */
    bool inside_106 = ((((int64_t)u_4 | (int64_t)u_4_s0 * 8) & 15) == 0) & (((int64_t)v_4 | (int64_t)v_4_s0 * 8) & 15) == 0;
    if (inside_106) {
        index_t i_thread_4 = (index_t)threadIdx.y;
        index_t j_thread_4 = (index_t)threadIdx.x;
        index_t j_4 = j_origin_1 + j_thread_4 * 2;
        bool inside_111 = (i_origin_1 + i_thread_4 * 2 + 1 < i_high_1) & (j_4 >= j_low_1) & (j_4 + 1 < j_high_1);
        if (inside_111) {
            index_t j_6 = j_origin_1 + j_thread_4 * 2;
            index_t j_7 = j_6 + 1;
            index_t i_6 = i_origin_1 + i_thread_4 * 2;
            index_t i_8 = i_origin_1 + i_thread_4 * 2 + 1;
            /* line 21 */
            double2 run = __ldg((double2 *)(AT(double, u_4, (int64_t)((i_6 - 1) * u_4_s0 + j_6) * 8)));
            double2 run_1 = __ldg((double2 *)(AT(double, u_4, (int64_t)((i_6 + 1) * u_4_s0 + j_6) * 8)));
            double2 run_2 = __ldg((double2 *)(AT(double, u_4, (int64_t)(i_6 * u_4_s0 + j_6) * 8)));
            double2 run_3 = __ldg((double2 *)(AT(double, u_4, (int64_t)((i_8 - 1) * u_4_s0 + j_6) * 8)));
            double2 run_4 = __ldg((double2 *)(AT(double, u_4, (int64_t)((i_8 + 1) * u_4_s0 + j_6) * 8)));
            double2 run_5 = __ldg((double2 *)(AT(double, u_4, (int64_t)(i_8 * u_4_s0 + j_6) * 8)));
            double2 run_6 = make_double2(0.25 * (run.x + run_1.x + __ldg(&u_4[i_6 * u_4_s0 + (j_6 - 1)]) + run_2.y), 0.25 * (run.y + run_1.y + run_2.x + __ldg(&u_4[i_6 * u_4_s0 + (j_7 + 1)])));
            double t_429 = 0.25 * (run_3.x + run_4.x + __ldg(&u_4[i_8 * u_4_s0 + (j_6 - 1)]) + run_5.y);
            double t_430 = 0.25 * (run_3.y + run_4.y + run_5.x + __ldg(&u_4[i_8 * u_4_s0 + (j_7 + 1)]));
            *(double2 *)(AT(double, v_4, (int64_t)(i_6 * v_4_s0 + j_6) * 8)) = run_6;
            *(double2 *)(AT(double, v_4, (int64_t)(i_8 * v_4_s0 + j_6) * 8)) = make_double2(t_429, t_430);
        } else {
            if (i_origin_1 + i_thread_4 * 2 + 1 < i_high_1) {
                for (index_t point = 0; point < 2; point++) {
                    index_t j_9 = j_origin_1 + j_thread_4 * 2 + point;
                    if ((j_9 >= j_low_1) & (j_9 < j_high_1)) {
                        index_t i_11 = i_origin_1 + i_thread_4 * 2;
                        index_t i_13 = i_origin_1 + i_thread_4 * 2 + 1;
                        /* line 21 */
                        double t_452 = __ldg(&u_4[(i_11 - 1) * u_4_s0 + j_9]) + __ldg(&u_4[(i_11 + 1) * u_4_s0 + j_9]) + __ldg(&u_4[i_11 * u_4_s0 + (j_9 - 1)]);
                        double t_456 = __ldg(&u_4[(i_13 - 1) * u_4_s0 + j_9]) + __ldg(&u_4[(i_13 + 1) * u_4_s0 + j_9]) + __ldg(&u_4[i_13 * u_4_s0 + (j_9 - 1)]);
                        double t_458 = 0.25 * (t_456 + __ldg(&u_4[i_13 * u_4_s0 + (j_9 + 1)]));
                        v_4[i_11 * v_4_s0 + j_9] = 0.25 * (t_452 + __ldg(&u_4[i_11 * u_4_s0 + (j_9 + 1)]));
                        v_4[i_13 * v_4_s0 + j_9] = t_458;
                    }
                }
            } else {
                for (index_t point_1 = 0; point_1 < 2; point_1++) {
                    index_t i_15 = i_origin_1 + i_thread_4 * 2 + point_1;
                    if (i_15 < i_high_1) {
                        for (index_t point_2 = 0; point_2 < 2; point_2++) {
                            index_t j_11 = j_origin_1 + j_thread_4 * 2 + point_2;
                            if ((j_11 >= j_low_1) & (j_11 < j_high_1)) {
                                /* line 21 */
                                double t_465 = __ldg(&u_4[(i_15 - 1) * u_4_s0 + j_11]) + __ldg(&u_4[(i_15 + 1) * u_4_s0 + j_11]);
                                double t_471 = t_465 + __ldg(&u_4[i_15 * u_4_s0 + (j_11 - 1)]) + __ldg(&u_4[i_15 * u_4_s0 + (j_11 + 1)]);
                                v_4[i_15 * v_4_s0 + j_11] = 0.25 * t_471;
                            }
                        }
                    }
                }
            }
        }
    } else {
        index_t i_thread_5 = (index_t)threadIdx.y;
        index_t j_thread_5 = (index_t)threadIdx.x;
        for (index_t point_3 = 0; point_3 < 1; point_3++) {
            index_t j_13 = j_origin_1 + point_3 * 2 * 32 + j_thread_5;
            index_t j_15 = j_origin_1 + (point_3 * 2 + 1) * 32 + j_thread_5;
            if ((j_13 < j_high_1) & (j_low_1 < j_high_1)) {
                if (i_origin_1 + i_thread_5 * 2 + 1 < i_high_1) {
                    index_t t_479 = j_high_1 - 1;
                    index_t t_480 = t_479 < j_13 ? t_479 : j_13;
                    index_t t_481 = t_480 > j_low_1 ? t_480 : j_low_1;
                    bool inside_126 = (j_13 >= j_low_1) & (j_13 < j_high_1);
                    index_t t_482 = j_high_1 - 1;
                    index_t t_483 = t_482 < j_15 ? t_482 : j_15;
                    index_t t_484 = t_483 > j_low_1 ? t_483 : j_low_1;
                    bool inside_129 = (j_15 >= j_low_1) & (j_15 < j_high_1);
                    index_t i_18 = i_origin_1 + i_thread_5 * 2;
                    index_t i_20 = i_origin_1 + i_thread_5 * 2 + 1;
                    /* line 21 */
                    double t_519 = __ldg(&u_4[(i_18 - 1) * u_4_s0 + t_481]) + __ldg(&u_4[(i_18 + 1) * u_4_s0 + t_481]);
                    double t_521 = t_519 + __ldg(&u_4[i_18 * u_4_s0 + (t_481 - 1)]) + __ldg(&u_4[i_18 * u_4_s0 + (t_481 + 1)]);
                    double t_522 = 0.25 * t_521;
                    double t_523 = __ldg(&u_4[(i_18 - 1) * u_4_s0 + t_484]) + __ldg(&u_4[(i_18 + 1) * u_4_s0 + t_484]);
                    double t_525 = t_523 + __ldg(&u_4[i_18 * u_4_s0 + (t_484 - 1)]) + __ldg(&u_4[i_18 * u_4_s0 + (t_484 + 1)]);
                    double t_526 = 0.25 * t_525;
                    double t_527 = __ldg(&u_4[(i_20 - 1) * u_4_s0 + t_481]) + __ldg(&u_4[(i_20 + 1) * u_4_s0 + t_481]);
                    double t_529 = t_527 + __ldg(&u_4[i_20 * u_4_s0 + (t_481 - 1)]) + __ldg(&u_4[i_20 * u_4_s0 + (t_481 + 1)]);
                    double t_530 = 0.25 * t_529;
                    double t_531 = __ldg(&u_4[(i_20 - 1) * u_4_s0 + t_484]) + __ldg(&u_4[(i_20 + 1) * u_4_s0 + t_484]);
                    double t_533 = t_531 + __ldg(&u_4[i_20 * u_4_s0 + (t_484 - 1)]) + __ldg(&u_4[i_20 * u_4_s0 + (t_484 + 1)]);
                    double t_534 = 0.25 * t_533;
                    /* line 19 */
                    if (inside_126) {
                        /* line 21 */
                        v_4[i_18 * v_4_s0 + t_481] = t_522;
                    }
                    if (inside_129) {
                        /* line 21 */
                        v_4[i_18 * v_4_s0 + t_484] = t_526;
                    }
                    if (inside_126) {
                        /* line 21 */
                        v_4[i_20 * v_4_s0 + t_481] = t_530;
                    }
                    if (inside_129) {
                        /* line 21 */
                        v_4[i_20 * v_4_s0 + t_484] = t_534;
                    }
                } else {
                    if ((j_13 >= j_low_1) & (j_13 < j_high_1)) {
                        for (index_t point_4 = 0; point_4 < 2; point_4++) {
                            index_t i_22 = i_origin_1 + i_thread_5 * 2 + point_4;
                            if (i_22 < i_high_1) {
                                /* line 21 */
                                double t_540 = __ldg(&u_4[(i_22 - 1) * u_4_s0 + j_13]) + __ldg(&u_4[(i_22 + 1) * u_4_s0 + j_13]);
                                double t_546 = t_540 + __ldg(&u_4[i_22 * u_4_s0 + (j_13 - 1)]) + __ldg(&u_4[i_22 * u_4_s0 + (j_13 + 1)]);
                                v_4[i_22 * v_4_s0 + j_13] = 0.25 * t_546;
                            }
                        }
                    }
                    if ((j_15 >= j_low_1) & (j_15 < j_high_1)) {
                        for (index_t point_5 = 0; point_5 < 2; point_5++) {
                            index_t i_24 = i_origin_1 + i_thread_5 * 2 + point_5;
                            if (i_24 < i_high_1) {
                                /* line 21 */
                                double t_553 = __ldg(&u_4[(i_24 - 1) * u_4_s0 + j_15]) + __ldg(&u_4[(i_24 + 1) * u_4_s0 + j_15]);
                                double t_559 = t_553 + __ldg(&u_4[i_24 * u_4_s0 + (j_15 - 1)]) + __ldg(&u_4[i_24 * u_4_s0 + (j_15 + 1)]);
                                v_4[i_24 * v_4_s0 + j_15] = 0.25 * t_559;
                            }
                        }
                    }
                }
            }
        }
    }
}
