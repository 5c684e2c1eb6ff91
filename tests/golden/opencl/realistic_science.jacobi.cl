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

#define HELPER static inline __attribute__((unused))

typedef long int64_t;

/* By a constant; of a power of two it is a shift: compilers know that the lowest bits are 0. */
HELPER int64_t floordiv_by_positive_int64(int64_t a, int64_t b) {
    return b & (b - 1) ? (int64_t)(a / b - (a % b < 0)) : (int64_t)((a & -b) / b);
}

typedef int int32_t;

typedef int32_t index_t;

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void jacobi_1(const __global char *restrict u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0_given,
        int64_t u_3_n1_given,
        int64_t u_3_s0_given,
        __global char *restrict v_3_memory,
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
    __global double *u_3 = AT(double, u_3_memory, u_3_offset);
    index_t u_3_n0 = (index_t)u_3_n0_given;
    index_t u_3_n1 = (index_t)u_3_n1_given;
    index_t u_3_s0 = (index_t)(u_3_s0_given >> 3);
    __global double *v_3 = AT(double, v_3_memory, v_3_offset);
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
    index_t j_first = j_low - j_low % 2;
    index_t i_block = (index_t)get_group_id(1);
    /* line 20 */
    index_t j_block = (index_t)get_group_id(0);
    /* line 19 */
    index_t i_origin = i_block * 128 + i_low;
    /* line 21 */
    double window[30];
    double ahead[6];
    __local double sides[2560];
    index_t first = i_origin - 5;
    index_t t_65 = i_origin + 128;
    index_t end_2 = i_high < t_65 ? i_high : t_65;
    index_t last = end_2 + 4;
    index_t first_1 = j_block * 244 + j_first - 6;
    index_t rounds_2 = floordiv_by_positive_int64(end_2 - i_origin + 17, 3);
    bool inside_7 = (first - 10 >= i_low) & (first + rounds_2 * 3 <= i_high) & (last < i_high) & (first_1 >= j_low);
    bool inside_9 = ((((int64_t)(size_t)u_3 | (int64_t)u_3_s0 * 8) & 15) == 0) & (((int64_t)(size_t)v_3 | (int64_t)v_3_s0 * 8) & 15) == 0;
    if (inside_7 & (first_1 + 256 <= j_high)) {
        if (inside_9) {
            {
                index_t i_thread = (index_t)get_local_id(1);
                index_t j_thread = (index_t)get_local_id(0);
                window[0] = 0.0;
                window[1] = 0.0;
                window[1 * 2] = 0.0;
                window[1 * 2 + 1] = 0.0;
                window[2 * 2] = 0.0;
                window[2 * 2 + 1] = 0.0;
                sides[j_thread] = 0.0;
                sides[1 * 128 + j_thread] = 0.0;
                sides[1 * 1280 + j_thread] = 0.0;
                sides[1 * 1280 + 1 * 128 + j_thread] = 0.0;
                window[1 * 6] = 0.0;
                window[1 * 6 + 1] = 0.0;
                window[1 * 6 + 1 * 2] = 0.0;
                window[1 * 6 + 1 * 2 + 1] = 0.0;
                window[1 * 6 + 2 * 2] = 0.0;
                window[1 * 6 + 2 * 2 + 1] = 0.0;
                sides[1 * 256 + j_thread] = 0.0;
                sides[1 * 256 + 1 * 128 + j_thread] = 0.0;
                sides[1 * 1280 + 1 * 256 + j_thread] = 0.0;
                sides[1 * 1280 + 1 * 256 + 1 * 128 + j_thread] = 0.0;
                window[2 * 6] = 0.0;
                window[2 * 6 + 1] = 0.0;
                window[2 * 6 + 1 * 2] = 0.0;
                window[2 * 6 + 1 * 2 + 1] = 0.0;
                window[2 * 6 + 2 * 2] = 0.0;
                window[2 * 6 + 2 * 2 + 1] = 0.0;
                sides[2 * 256 + j_thread] = 0.0;
                sides[2 * 256 + 1 * 128 + j_thread] = 0.0;
                sides[1 * 1280 + 2 * 256 + j_thread] = 0.0;
                sides[1 * 1280 + 2 * 256 + 1 * 128 + j_thread] = 0.0;
                window[3 * 6] = 0.0;
                window[3 * 6 + 1] = 0.0;
                window[3 * 6 + 1 * 2] = 0.0;
                window[3 * 6 + 1 * 2 + 1] = 0.0;
                window[3 * 6 + 2 * 2] = 0.0;
                window[3 * 6 + 2 * 2 + 1] = 0.0;
                sides[3 * 256 + j_thread] = 0.0;
                sides[3 * 256 + 1 * 128 + j_thread] = 0.0;
                sides[1 * 1280 + 3 * 256 + j_thread] = 0.0;
                sides[1 * 1280 + 3 * 256 + 1 * 128 + j_thread] = 0.0;
                window[4 * 6] = 0.0;
                window[4 * 6 + 1] = 0.0;
                window[4 * 6 + 1 * 2] = 0.0;
                window[4 * 6 + 1 * 2 + 1] = 0.0;
                window[4 * 6 + 2 * 2] = 0.0;
                window[4 * 6 + 2 * 2 + 1] = 0.0;
                sides[4 * 256 + j_thread] = 0.0;
                sides[4 * 256 + 1 * 128 + j_thread] = 0.0;
                sides[1 * 1280 + 4 * 256 + j_thread] = 0.0;
                sides[1 * 1280 + 4 * 256 + 1 * 128 + j_thread] = 0.0;
                index_t column = first_1 + j_thread * 2;
                double2 run = vload2(0, AT(double, u_3, (int64_t)((last < first ? last : first) * u_3_s0 + column) * 8));
                ahead[0] = run.x;
                ahead[1] = run.y;
                index_t t_76 = first + 1;
                double2 run_1 = vload2(0, AT(double, u_3, (int64_t)((last < t_76 ? last : t_76) * u_3_s0 + column) * 8));
                ahead[1 * 2] = run_1.x;
                ahead[1 * 2 + 1] = run_1.y;
                index_t t_80 = first + 2;
                double2 run_2 = vload2(0, AT(double, u_3, (int64_t)((last < t_80 ? last : t_80) * u_3_s0 + column) * 8));
                ahead[2 * 2] = run_2.x;
                ahead[2 * 2 + 1] = run_2.y;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (index_t round = 0; round < rounds_2; round++) {
                index_t t_84 = round * 3;
#pragma unroll
                for (index_t row = 0; row < 3; row++) {
                    index_t t_85 = t_84 + row;
                    {
                        index_t i_thread_1 = (index_t)get_local_id(1);
                        index_t j_thread_1 = (index_t)get_local_id(0);
                        index_t column_1 = first_1 + j_thread_1 * 2;
                        index_t row_1 = first + t_85;
                        index_t buffer = t_85 & 1;
                        index_t t_87 = j_thread_1 - 1;
                        index_t left = 0 > t_87 ? 0 : t_87;
                        index_t t_88 = j_thread_1 + 1;
                        index_t right = 127 < t_88 ? 127 : t_88;
                        double t_91 = window[1 * 2];
                        double t_92 = window[1 * 2 + 1];
                        double t_93 = window[2 * 2];
                        double t_94 = window[2 * 2 + 1];
                        double t_97 = window[1 * 6 + 1 * 2];
                        double t_98 = window[1 * 6 + 1 * 2 + 1];
                        double t_99 = window[1 * 6 + 2 * 2];
                        double t_100 = window[1 * 6 + 2 * 2 + 1];
                        double t_103 = window[2 * 6 + 1 * 2];
                        double t_104 = window[2 * 6 + 1 * 2 + 1];
                        double t_105 = window[2 * 6 + 2 * 2];
                        double t_106 = window[2 * 6 + 2 * 2 + 1];
                        double t_109 = window[3 * 6 + 1 * 2];
                        double t_110 = window[3 * 6 + 1 * 2 + 1];
                        double t_111 = window[3 * 6 + 2 * 2];
                        double t_112 = window[3 * 6 + 2 * 2 + 1];
                        double t_115 = window[4 * 6 + 1 * 2];
                        double t_116 = window[4 * 6 + 1 * 2 + 1];
                        double t_117 = window[4 * 6 + 2 * 2];
                        double t_118 = window[4 * 6 + 2 * 2 + 1];
                        index_t t_121 = row_1 + 3;
                        double2 run_3 = vload2(0, AT(double, u_3, (int64_t)((last < t_121 ? last : t_121) * u_3_s0 + column_1) * 8));
                        double t_89 = window[0];
                        double t_90 = window[1];
                        double t_95 = window[1 * 6];
                        double t_96 = window[1 * 6 + 1];
                        double t_101 = window[2 * 6];
                        double t_102 = window[2 * 6 + 1];
                        double t_107 = window[3 * 6];
                        double t_108 = window[3 * 6 + 1];
                        double t_113 = window[4 * 6];
                        double t_114 = window[4 * 6 + 1];
                        double t_119 = ahead[row * 2];
                        double t_120 = ahead[row * 2 + 1];
                        ahead[row * 2] = run_3.x;
                        ahead[row * 2 + 1] = run_3.y;
                        double t_172 = 0.25 * (t_101 + t_105 + sides[buffer * 1280 + 2 * 256 + 1 * 128 + left] + t_104);
                        double t_191 = 0.25 * (t_107 + t_111 + sides[buffer * 1280 + 3 * 256 + 1 * 128 + left] + t_110);
                        double t_210 = 0.25 * (t_113 + t_117 + sides[buffer * 1280 + 4 * 256 + 1 * 128 + left] + t_116);
                        double t_219 = 0.25 * (t_114 + t_118 + t_115 + sides[buffer * 1280 + 4 * 256 + right]);
                        index_t t_220 = row_1 - 10;
                        double t_134 = 0.25 * (t_89 + t_93 + sides[buffer * 1280 + 1 * 128 + left] + t_92);
                        double t_143 = 0.25 * (t_90 + t_94 + t_91 + sides[buffer * 1280 + right]);
                        double t_153 = 0.25 * (t_95 + t_99 + sides[buffer * 1280 + 1 * 256 + 1 * 128 + left] + t_98);
                        double t_162 = 0.25 * (t_96 + t_100 + t_97 + sides[buffer * 1280 + 1 * 256 + right]);
                        double t_181 = 0.25 * (t_102 + t_106 + t_103 + sides[buffer * 1280 + 2 * 256 + right]);
                        double t_200 = 0.25 * (t_108 + t_112 + t_109 + sides[buffer * 1280 + 3 * 256 + right]);
                        if ((t_220 >= i_origin) & (t_220 < end_2) & (j_thread_1 >= 3) & (j_thread_1 < 125)) {
                            vstore2((double2)(t_210, t_219), 0, AT(double, v_3, (int64_t)(t_220 * v_3_s0 + column_1) * 8));
                        }
                        window[0] = t_91;
                        window[1] = t_92;
                        window[1 * 2] = t_93;
                        window[1 * 2 + 1] = t_94;
                        window[2 * 2] = t_119;
                        window[2 * 2 + 1] = t_120;
                        index_t t_221 = 1 - buffer;
                        sides[t_221 * 1280 + j_thread_1] = t_93;
                        sides[t_221 * 1280 + 1 * 128 + j_thread_1] = t_94;
                        window[1 * 6] = t_97;
                        window[1 * 6 + 1] = t_98;
                        window[1 * 6 + 1 * 2] = t_99;
                        window[1 * 6 + 1 * 2 + 1] = t_100;
                        window[1 * 6 + 2 * 2] = t_134;
                        window[1 * 6 + 2 * 2 + 1] = t_143;
                        index_t t_222 = 1 - buffer;
                        sides[t_222 * 1280 + 1 * 256 + j_thread_1] = t_99;
                        sides[t_222 * 1280 + 1 * 256 + 1 * 128 + j_thread_1] = t_100;
                        window[2 * 6] = t_103;
                        window[2 * 6 + 1] = t_104;
                        window[2 * 6 + 1 * 2] = t_105;
                        window[2 * 6 + 1 * 2 + 1] = t_106;
                        window[2 * 6 + 2 * 2] = t_153;
                        window[2 * 6 + 2 * 2 + 1] = t_162;
                        index_t t_223 = 1 - buffer;
                        sides[t_223 * 1280 + 2 * 256 + j_thread_1] = t_105;
                        sides[t_223 * 1280 + 2 * 256 + 1 * 128 + j_thread_1] = t_106;
                        window[3 * 6] = t_109;
                        window[3 * 6 + 1] = t_110;
                        window[3 * 6 + 1 * 2] = t_111;
                        window[3 * 6 + 1 * 2 + 1] = t_112;
                        window[3 * 6 + 2 * 2] = t_172;
                        window[3 * 6 + 2 * 2 + 1] = t_181;
                        index_t t_224 = 1 - buffer;
                        sides[t_224 * 1280 + 3 * 256 + j_thread_1] = t_111;
                        sides[t_224 * 1280 + 3 * 256 + 1 * 128 + j_thread_1] = t_112;
                        window[4 * 6] = t_115;
                        window[4 * 6 + 1] = t_116;
                        window[4 * 6 + 1 * 2] = t_117;
                        window[4 * 6 + 1 * 2 + 1] = t_118;
                        window[4 * 6 + 2 * 2] = t_191;
                        window[4 * 6 + 2 * 2 + 1] = t_200;
                        index_t t_225 = 1 - buffer;
                        sides[t_225 * 1280 + 4 * 256 + j_thread_1] = t_117;
                        sides[t_225 * 1280 + 4 * 256 + 1 * 128 + j_thread_1] = t_118;
                    }
                    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                }
            }
        } else {
            {
                index_t i_thread_2 = (index_t)get_local_id(1);
                index_t j_thread_2 = (index_t)get_local_id(0);
                window[0] = 0.0;
                window[1] = 0.0;
                window[1 * 2] = 0.0;
                window[1 * 2 + 1] = 0.0;
                window[2 * 2] = 0.0;
                window[2 * 2 + 1] = 0.0;
                sides[j_thread_2] = 0.0;
                sides[1 * 128 + j_thread_2] = 0.0;
                sides[1 * 1280 + j_thread_2] = 0.0;
                sides[1 * 1280 + 1 * 128 + j_thread_2] = 0.0;
                window[1 * 6] = 0.0;
                window[1 * 6 + 1] = 0.0;
                window[1 * 6 + 1 * 2] = 0.0;
                window[1 * 6 + 1 * 2 + 1] = 0.0;
                window[1 * 6 + 2 * 2] = 0.0;
                window[1 * 6 + 2 * 2 + 1] = 0.0;
                sides[1 * 256 + j_thread_2] = 0.0;
                sides[1 * 256 + 1 * 128 + j_thread_2] = 0.0;
                sides[1 * 1280 + 1 * 256 + j_thread_2] = 0.0;
                sides[1 * 1280 + 1 * 256 + 1 * 128 + j_thread_2] = 0.0;
                window[2 * 6] = 0.0;
                window[2 * 6 + 1] = 0.0;
                window[2 * 6 + 1 * 2] = 0.0;
                window[2 * 6 + 1 * 2 + 1] = 0.0;
                window[2 * 6 + 2 * 2] = 0.0;
                window[2 * 6 + 2 * 2 + 1] = 0.0;
                sides[2 * 256 + j_thread_2] = 0.0;
                sides[2 * 256 + 1 * 128 + j_thread_2] = 0.0;
                sides[1 * 1280 + 2 * 256 + j_thread_2] = 0.0;
                sides[1 * 1280 + 2 * 256 + 1 * 128 + j_thread_2] = 0.0;
                window[3 * 6] = 0.0;
                window[3 * 6 + 1] = 0.0;
                window[3 * 6 + 1 * 2] = 0.0;
                window[3 * 6 + 1 * 2 + 1] = 0.0;
                window[3 * 6 + 2 * 2] = 0.0;
                window[3 * 6 + 2 * 2 + 1] = 0.0;
                sides[3 * 256 + j_thread_2] = 0.0;
                sides[3 * 256 + 1 * 128 + j_thread_2] = 0.0;
                sides[1 * 1280 + 3 * 256 + j_thread_2] = 0.0;
                sides[1 * 1280 + 3 * 256 + 1 * 128 + j_thread_2] = 0.0;
                window[4 * 6] = 0.0;
                window[4 * 6 + 1] = 0.0;
                window[4 * 6 + 1 * 2] = 0.0;
                window[4 * 6 + 1 * 2 + 1] = 0.0;
                window[4 * 6 + 2 * 2] = 0.0;
                window[4 * 6 + 2 * 2 + 1] = 0.0;
                sides[4 * 256 + j_thread_2] = 0.0;
                sides[4 * 256 + 1 * 128 + j_thread_2] = 0.0;
                sides[1 * 1280 + 4 * 256 + j_thread_2] = 0.0;
                sides[1 * 1280 + 4 * 256 + 1 * 128 + j_thread_2] = 0.0;
                index_t column_2 = first_1 + j_thread_2 * 2;
                index_t t_227 = last < first ? last : first;
                double t_230 = u_3[t_227 * u_3_s0 + (column_2 + 1)];
                ahead[0] = u_3[t_227 * u_3_s0 + column_2];
                ahead[1] = t_230;
                index_t t_231 = first + 1;
                index_t t_232 = last < t_231 ? last : t_231;
                double t_235 = u_3[t_232 * u_3_s0 + (column_2 + 1)];
                ahead[1 * 2] = u_3[t_232 * u_3_s0 + column_2];
                ahead[1 * 2 + 1] = t_235;
                index_t t_236 = first + 2;
                index_t t_237 = last < t_236 ? last : t_236;
                double t_240 = u_3[t_237 * u_3_s0 + (column_2 + 1)];
                ahead[2 * 2] = u_3[t_237 * u_3_s0 + column_2];
                ahead[2 * 2 + 1] = t_240;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (index_t round_1 = 0; round_1 < rounds_2; round_1++) {
                index_t t_241 = round_1 * 3;
#pragma unroll
                for (index_t row_7 = 0; row_7 < 3; row_7++) {
                    index_t t_242 = t_241 + row_7;
                    {
                        index_t i_thread_3 = (index_t)get_local_id(1);
                        index_t j_thread_3 = (index_t)get_local_id(0);
                        index_t column_3 = first_1 + j_thread_3 * 2;
                        index_t row_8 = first + t_242;
                        index_t buffer_1 = t_242 & 1;
                        index_t t_244 = j_thread_3 - 1;
                        index_t left_1 = 0 > t_244 ? 0 : t_244;
                        index_t t_245 = j_thread_3 + 1;
                        index_t right_1 = 127 < t_245 ? 127 : t_245;
                        double t_248 = window[1 * 2];
                        double t_249 = window[1 * 2 + 1];
                        double t_250 = window[2 * 2];
                        double t_251 = window[2 * 2 + 1];
                        double t_254 = window[1 * 6 + 1 * 2];
                        double t_255 = window[1 * 6 + 1 * 2 + 1];
                        double t_256 = window[1 * 6 + 2 * 2];
                        double t_257 = window[1 * 6 + 2 * 2 + 1];
                        double t_260 = window[2 * 6 + 1 * 2];
                        double t_261 = window[2 * 6 + 1 * 2 + 1];
                        double t_262 = window[2 * 6 + 2 * 2];
                        double t_263 = window[2 * 6 + 2 * 2 + 1];
                        double t_266 = window[3 * 6 + 1 * 2];
                        double t_267 = window[3 * 6 + 1 * 2 + 1];
                        double t_268 = window[3 * 6 + 2 * 2];
                        double t_269 = window[3 * 6 + 2 * 2 + 1];
                        double t_272 = window[4 * 6 + 1 * 2];
                        double t_273 = window[4 * 6 + 1 * 2 + 1];
                        double t_274 = window[4 * 6 + 2 * 2];
                        double t_275 = window[4 * 6 + 2 * 2 + 1];
                        index_t t_278 = row_8 + 3;
                        index_t t_279 = last < t_278 ? last : t_278;
                        double t_246 = window[0];
                        double t_247 = window[1];
                        double t_252 = window[1 * 6];
                        double t_253 = window[1 * 6 + 1];
                        double t_258 = window[2 * 6];
                        double t_259 = window[2 * 6 + 1];
                        double t_264 = window[3 * 6];
                        double t_265 = window[3 * 6 + 1];
                        double t_270 = window[4 * 6];
                        double t_271 = window[4 * 6 + 1];
                        double t_276 = ahead[row_7 * 2];
                        double t_277 = ahead[row_7 * 2 + 1];
                        double t_282 = u_3[t_279 * u_3_s0 + (column_3 + 1)];
                        ahead[row_7 * 2] = u_3[t_279 * u_3_s0 + column_3];
                        ahead[row_7 * 2 + 1] = t_282;
                        double t_311 = 0.25 * (t_252 + t_256 + sides[buffer_1 * 1280 + 1 * 256 + 1 * 128 + left_1] + t_255);
                        double t_330 = 0.25 * (t_258 + t_262 + sides[buffer_1 * 1280 + 2 * 256 + 1 * 128 + left_1] + t_261);
                        double t_349 = 0.25 * (t_264 + t_268 + sides[buffer_1 * 1280 + 3 * 256 + 1 * 128 + left_1] + t_267);
                        double t_368 = 0.25 * (t_270 + t_274 + sides[buffer_1 * 1280 + 4 * 256 + 1 * 128 + left_1] + t_273);
                        double t_377 = 0.25 * (t_271 + t_275 + t_272 + sides[buffer_1 * 1280 + 4 * 256 + right_1]);
                        index_t t_378 = row_8 - 10;
                        double t_292 = 0.25 * (t_246 + t_250 + sides[buffer_1 * 1280 + 1 * 128 + left_1] + t_249);
                        double t_301 = 0.25 * (t_247 + t_251 + t_248 + sides[buffer_1 * 1280 + right_1]);
                        double t_320 = 0.25 * (t_253 + t_257 + t_254 + sides[buffer_1 * 1280 + 1 * 256 + right_1]);
                        double t_339 = 0.25 * (t_259 + t_263 + t_260 + sides[buffer_1 * 1280 + 2 * 256 + right_1]);
                        double t_358 = 0.25 * (t_265 + t_269 + t_266 + sides[buffer_1 * 1280 + 3 * 256 + right_1]);
                        if ((t_378 >= i_origin) & (t_378 < end_2) & (j_thread_3 >= 3) & (j_thread_3 < 125)) {
                            v_3[t_378 * v_3_s0 + column_3] = t_368;
                            v_3[t_378 * v_3_s0 + (column_3 + 1)] = t_377;
                        }
                        window[0] = t_248;
                        window[1] = t_249;
                        window[1 * 2] = t_250;
                        window[1 * 2 + 1] = t_251;
                        window[2 * 2] = t_276;
                        window[2 * 2 + 1] = t_277;
                        index_t t_380 = 1 - buffer_1;
                        sides[t_380 * 1280 + j_thread_3] = t_250;
                        sides[t_380 * 1280 + 1 * 128 + j_thread_3] = t_251;
                        window[1 * 6] = t_254;
                        window[1 * 6 + 1] = t_255;
                        window[1 * 6 + 1 * 2] = t_256;
                        window[1 * 6 + 1 * 2 + 1] = t_257;
                        window[1 * 6 + 2 * 2] = t_292;
                        window[1 * 6 + 2 * 2 + 1] = t_301;
                        index_t t_381 = 1 - buffer_1;
                        sides[t_381 * 1280 + 1 * 256 + j_thread_3] = t_256;
                        sides[t_381 * 1280 + 1 * 256 + 1 * 128 + j_thread_3] = t_257;
                        window[2 * 6] = t_260;
                        window[2 * 6 + 1] = t_261;
                        window[2 * 6 + 1 * 2] = t_262;
                        window[2 * 6 + 1 * 2 + 1] = t_263;
                        window[2 * 6 + 2 * 2] = t_311;
                        window[2 * 6 + 2 * 2 + 1] = t_320;
                        index_t t_382 = 1 - buffer_1;
                        sides[t_382 * 1280 + 2 * 256 + j_thread_3] = t_262;
                        sides[t_382 * 1280 + 2 * 256 + 1 * 128 + j_thread_3] = t_263;
                        window[3 * 6] = t_266;
                        window[3 * 6 + 1] = t_267;
                        window[3 * 6 + 1 * 2] = t_268;
                        window[3 * 6 + 1 * 2 + 1] = t_269;
                        window[3 * 6 + 2 * 2] = t_330;
                        window[3 * 6 + 2 * 2 + 1] = t_339;
                        index_t t_383 = 1 - buffer_1;
                        sides[t_383 * 1280 + 3 * 256 + j_thread_3] = t_268;
                        sides[t_383 * 1280 + 3 * 256 + 1 * 128 + j_thread_3] = t_269;
                        window[4 * 6] = t_272;
                        window[4 * 6 + 1] = t_273;
                        window[4 * 6 + 1 * 2] = t_274;
                        window[4 * 6 + 1 * 2 + 1] = t_275;
                        window[4 * 6 + 2 * 2] = t_349;
                        window[4 * 6 + 2 * 2 + 1] = t_358;
                        index_t t_384 = 1 - buffer_1;
                        sides[t_384 * 1280 + 4 * 256 + j_thread_3] = t_274;
                        sides[t_384 * 1280 + 4 * 256 + 1 * 128 + j_thread_3] = t_275;
                    }
                    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                }
            }
        }
    } else {
        if ((i_low < i_high) & (j_low < j_high)) {
            {
                index_t i_thread_4 = (index_t)get_local_id(1);
                index_t j_thread_4 = (index_t)get_local_id(0);
                window[0] = 0.0;
                window[1] = 0.0;
                window[1 * 2] = 0.0;
                window[1 * 2 + 1] = 0.0;
                window[2 * 2] = 0.0;
                window[2 * 2 + 1] = 0.0;
                sides[j_thread_4] = 0.0;
                sides[1 * 128 + j_thread_4] = 0.0;
                sides[1 * 1280 + j_thread_4] = 0.0;
                sides[1 * 1280 + 1 * 128 + j_thread_4] = 0.0;
                window[1 * 6] = 0.0;
                window[1 * 6 + 1] = 0.0;
                window[1 * 6 + 1 * 2] = 0.0;
                window[1 * 6 + 1 * 2 + 1] = 0.0;
                window[1 * 6 + 2 * 2] = 0.0;
                window[1 * 6 + 2 * 2 + 1] = 0.0;
                sides[1 * 256 + j_thread_4] = 0.0;
                sides[1 * 256 + 1 * 128 + j_thread_4] = 0.0;
                sides[1 * 1280 + 1 * 256 + j_thread_4] = 0.0;
                sides[1 * 1280 + 1 * 256 + 1 * 128 + j_thread_4] = 0.0;
                window[2 * 6] = 0.0;
                window[2 * 6 + 1] = 0.0;
                window[2 * 6 + 1 * 2] = 0.0;
                window[2 * 6 + 1 * 2 + 1] = 0.0;
                window[2 * 6 + 2 * 2] = 0.0;
                window[2 * 6 + 2 * 2 + 1] = 0.0;
                sides[2 * 256 + j_thread_4] = 0.0;
                sides[2 * 256 + 1 * 128 + j_thread_4] = 0.0;
                sides[1 * 1280 + 2 * 256 + j_thread_4] = 0.0;
                sides[1 * 1280 + 2 * 256 + 1 * 128 + j_thread_4] = 0.0;
                window[3 * 6] = 0.0;
                window[3 * 6 + 1] = 0.0;
                window[3 * 6 + 1 * 2] = 0.0;
                window[3 * 6 + 1 * 2 + 1] = 0.0;
                window[3 * 6 + 2 * 2] = 0.0;
                window[3 * 6 + 2 * 2 + 1] = 0.0;
                sides[3 * 256 + j_thread_4] = 0.0;
                sides[3 * 256 + 1 * 128 + j_thread_4] = 0.0;
                sides[1 * 1280 + 3 * 256 + j_thread_4] = 0.0;
                sides[1 * 1280 + 3 * 256 + 1 * 128 + j_thread_4] = 0.0;
                window[4 * 6] = 0.0;
                window[4 * 6 + 1] = 0.0;
                window[4 * 6 + 1 * 2] = 0.0;
                window[4 * 6 + 1 * 2 + 1] = 0.0;
                window[4 * 6 + 2 * 2] = 0.0;
                window[4 * 6 + 2 * 2 + 1] = 0.0;
                sides[4 * 256 + j_thread_4] = 0.0;
                sides[4 * 256 + 1 * 128 + j_thread_4] = 0.0;
                sides[1 * 1280 + 4 * 256 + j_thread_4] = 0.0;
                sides[1 * 1280 + 4 * 256 + 1 * 128 + j_thread_4] = 0.0;
                index_t column_4 = first_1 + j_thread_4 * 2;
                index_t t_386 = last < first ? last : first;
                index_t t_387 = u_3_n0 - 1;
                index_t t_388 = t_387 < t_386 ? t_387 : t_386;
                index_t t_390 = u_3_n1 - 1;
                index_t t_391 = t_390 < column_4 ? t_390 : column_4;
                index_t t_395 = u_3_n0 - 1;
                index_t t_396 = t_395 < t_386 ? t_395 : t_386;
                index_t t_394 = column_4 + 1;
                index_t t_398 = u_3_n1 - 1;
                index_t t_399 = t_398 < t_394 ? t_398 : t_394;
                double t_401 = u_3[(t_396 > 0 ? t_396 : 0) * u_3_s0 + (t_399 > 0 ? t_399 : 0)];
                ahead[0] = u_3[(t_388 > 0 ? t_388 : 0) * u_3_s0 + (t_391 > 0 ? t_391 : 0)];
                ahead[1] = t_401;
                index_t t_402 = first + 1;
                index_t t_403 = last < t_402 ? last : t_402;
                index_t t_404 = u_3_n0 - 1;
                index_t t_405 = t_404 < t_403 ? t_404 : t_403;
                index_t t_407 = u_3_n1 - 1;
                index_t t_408 = t_407 < column_4 ? t_407 : column_4;
                index_t t_412 = u_3_n0 - 1;
                index_t t_413 = t_412 < t_403 ? t_412 : t_403;
                index_t t_411 = column_4 + 1;
                index_t t_415 = u_3_n1 - 1;
                index_t t_416 = t_415 < t_411 ? t_415 : t_411;
                double t_418 = u_3[(t_413 > 0 ? t_413 : 0) * u_3_s0 + (t_416 > 0 ? t_416 : 0)];
                ahead[1 * 2] = u_3[(t_405 > 0 ? t_405 : 0) * u_3_s0 + (t_408 > 0 ? t_408 : 0)];
                ahead[1 * 2 + 1] = t_418;
                index_t t_419 = first + 2;
                index_t t_420 = last < t_419 ? last : t_419;
                index_t t_421 = u_3_n0 - 1;
                index_t t_422 = t_421 < t_420 ? t_421 : t_420;
                index_t t_424 = u_3_n1 - 1;
                index_t t_425 = t_424 < column_4 ? t_424 : column_4;
                index_t t_429 = u_3_n0 - 1;
                index_t t_430 = t_429 < t_420 ? t_429 : t_420;
                index_t t_428 = column_4 + 1;
                index_t t_432 = u_3_n1 - 1;
                index_t t_433 = t_432 < t_428 ? t_432 : t_428;
                double t_435 = u_3[(t_430 > 0 ? t_430 : 0) * u_3_s0 + (t_433 > 0 ? t_433 : 0)];
                ahead[2 * 2] = u_3[(t_422 > 0 ? t_422 : 0) * u_3_s0 + (t_425 > 0 ? t_425 : 0)];
                ahead[2 * 2 + 1] = t_435;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (index_t round_2 = 0; round_2 < rounds_2; round_2++) {
                index_t t_436 = round_2 * 3;
#pragma unroll
                for (index_t row_14 = 0; row_14 < 3; row_14++) {
                    index_t t_437 = t_436 + row_14;
                    {
                        index_t i_thread_5 = (index_t)get_local_id(1);
                        index_t j_thread_5 = (index_t)get_local_id(0);
                        index_t column_5 = first_1 + j_thread_5 * 2;
                        index_t row_15 = first + t_437;
                        index_t buffer_2 = t_437 & 1;
                        index_t t_439 = j_thread_5 - 1;
                        index_t left_2 = 0 > t_439 ? 0 : t_439;
                        index_t t_440 = j_thread_5 + 1;
                        index_t right_2 = 127 < t_440 ? 127 : t_440;
                        double t_443 = window[1 * 2];
                        double t_444 = window[1 * 2 + 1];
                        double t_445 = window[2 * 2];
                        double t_446 = window[2 * 2 + 1];
                        double t_449 = window[1 * 6 + 1 * 2];
                        double t_450 = window[1 * 6 + 1 * 2 + 1];
                        double t_451 = window[1 * 6 + 2 * 2];
                        double t_452 = window[1 * 6 + 2 * 2 + 1];
                        double t_455 = window[2 * 6 + 1 * 2];
                        double t_456 = window[2 * 6 + 1 * 2 + 1];
                        double t_457 = window[2 * 6 + 2 * 2];
                        double t_458 = window[2 * 6 + 2 * 2 + 1];
                        double t_461 = window[3 * 6 + 1 * 2];
                        double t_462 = window[3 * 6 + 1 * 2 + 1];
                        double t_463 = window[3 * 6 + 2 * 2];
                        double t_464 = window[3 * 6 + 2 * 2 + 1];
                        double t_467 = window[4 * 6 + 1 * 2];
                        double t_468 = window[4 * 6 + 1 * 2 + 1];
                        double t_469 = window[4 * 6 + 2 * 2];
                        double t_470 = window[4 * 6 + 2 * 2 + 1];
                        index_t t_473 = row_15 + 3;
                        index_t t_474 = last < t_473 ? last : t_473;
                        index_t t_475 = u_3_n0 - 1;
                        index_t t_476 = t_475 < t_474 ? t_475 : t_474;
                        index_t t_478 = u_3_n1 - 1;
                        index_t t_479 = t_478 < column_5 ? t_478 : column_5;
                        index_t t_483 = u_3_n0 - 1;
                        index_t t_484 = t_483 < t_474 ? t_483 : t_474;
                        index_t t_482 = column_5 + 1;
                        index_t t_486 = u_3_n1 - 1;
                        index_t t_487 = t_486 < t_482 ? t_486 : t_482;
                        double t_441 = window[0];
                        double t_442 = window[1];
                        double t_447 = window[1 * 6];
                        double t_448 = window[1 * 6 + 1];
                        double t_453 = window[2 * 6];
                        double t_454 = window[2 * 6 + 1];
                        double t_459 = window[3 * 6];
                        double t_460 = window[3 * 6 + 1];
                        double t_465 = window[4 * 6];
                        double t_466 = window[4 * 6 + 1];
                        double t_471 = ahead[row_14 * 2];
                        double t_472 = ahead[row_14 * 2 + 1];
                        double t_489 = u_3[(t_484 > 0 ? t_484 : 0) * u_3_s0 + (t_487 > 0 ? t_487 : 0)];
                        ahead[row_14 * 2] = u_3[(t_476 > 0 ? t_476 : 0) * u_3_s0 + (t_479 > 0 ? t_479 : 0)];
                        ahead[row_14 * 2 + 1] = t_489;
                        index_t row_16 = row_15 - 2;
                        double t_499 = 0.25 * (t_441 + t_445 + sides[buffer_2 * 1280 + 1 * 128 + left_2] + t_444);
                        bool inside_40 = (row_16 >= i_low) & (row_16 < i_high) & (column_5 >= j_low) & (column_5 < j_high);
                        double t_491 = sides[buffer_2 * 1280 + right_2];
                        double t_502;
                        if (inside_40) {
                            t_502 = t_499;
                        } else {
                            double t_501 = (row_16 >= 0) & (row_16 < v_3_n0) & (column_5 >= 0) & (column_5 < v_3_n1) ? v_3[row_16 * v_3_s0 + column_5] : 0.0;
                            t_502 = t_501;
                        }
                        index_t t_503 = column_5 + 1;
                        double t_511 = 0.25 * (t_442 + t_446 + t_443 + t_491);
                        double t_514;
                        if ((row_16 >= i_low) & (row_16 < i_high) & (t_503 >= j_low) & (t_503 < j_high)) {
                            t_514 = t_511;
                        } else {
                            double t_513 = (row_16 >= 0) & (row_16 < v_3_n0) & (t_503 >= 0) & (t_503 < v_3_n1) ? v_3[row_16 * v_3_s0 + t_503] : 0.0;
                            t_514 = t_513;
                        }
                        index_t row_17 = row_15 - 4;
                        double t_524 = 0.25 * (t_447 + t_451 + sides[buffer_2 * 1280 + 1 * 256 + 1 * 128 + left_2] + t_450);
                        bool inside_61 = (row_17 >= i_low) & (row_17 < i_high) & (column_5 >= j_low) & (column_5 < j_high);
                        double t_516 = sides[buffer_2 * 1280 + 1 * 256 + right_2];
                        double t_532;
                        if (inside_61) {
                            t_532 = t_524;
                        } else {
                            index_t t_525 = u_3_n0 - 1;
                            index_t t_526 = t_525 < row_17 ? t_525 : row_17;
                            index_t t_528 = u_3_n1 - 1;
                            index_t t_529 = t_528 < column_5 ? t_528 : column_5;
                            t_532 = u_3[(t_526 > 0 ? t_526 : 0) * u_3_s0 + (t_529 > 0 ? t_529 : 0)];
                        }
                        index_t t_533 = column_5 + 1;
                        double t_541 = 0.25 * (t_448 + t_452 + t_449 + t_516);
                        double t_549;
                        if ((row_17 >= i_low) & (row_17 < i_high) & (t_533 >= j_low) & (t_533 < j_high)) {
                            t_549 = t_541;
                        } else {
                            index_t t_542 = u_3_n0 - 1;
                            index_t t_543 = t_542 < row_17 ? t_542 : row_17;
                            index_t t_545 = u_3_n1 - 1;
                            index_t t_546 = t_545 < t_533 ? t_545 : t_533;
                            t_549 = u_3[(t_543 > 0 ? t_543 : 0) * u_3_s0 + (t_546 > 0 ? t_546 : 0)];
                        }
                        index_t row_18 = row_15 - 6;
                        double t_559 = 0.25 * (t_453 + t_457 + sides[buffer_2 * 1280 + 2 * 256 + 1 * 128 + left_2] + t_456);
                        bool inside_82 = (row_18 >= i_low) & (row_18 < i_high) & (column_5 >= j_low) & (column_5 < j_high);
                        double t_551 = sides[buffer_2 * 1280 + 2 * 256 + right_2];
                        double t_562;
                        if (inside_82) {
                            t_562 = t_559;
                        } else {
                            double t_561 = (row_18 >= 0) & (row_18 < v_3_n0) & (column_5 >= 0) & (column_5 < v_3_n1) ? v_3[row_18 * v_3_s0 + column_5] : 0.0;
                            t_562 = t_561;
                        }
                        index_t t_563 = column_5 + 1;
                        double t_571 = 0.25 * (t_454 + t_458 + t_455 + t_551);
                        double t_574;
                        if ((row_18 >= i_low) & (row_18 < i_high) & (t_563 >= j_low) & (t_563 < j_high)) {
                            t_574 = t_571;
                        } else {
                            double t_573 = (row_18 >= 0) & (row_18 < v_3_n0) & (t_563 >= 0) & (t_563 < v_3_n1) ? v_3[row_18 * v_3_s0 + t_563] : 0.0;
                            t_574 = t_573;
                        }
                        index_t row_19 = row_15 - 8;
                        double t_584 = 0.25 * (t_459 + t_463 + sides[buffer_2 * 1280 + 3 * 256 + 1 * 128 + left_2] + t_462);
                        bool inside_103 = (row_19 >= i_low) & (row_19 < i_high) & (column_5 >= j_low) & (column_5 < j_high);
                        double t_576 = sides[buffer_2 * 1280 + 3 * 256 + right_2];
                        double t_592;
                        if (inside_103) {
                            t_592 = t_584;
                        } else {
                            index_t t_585 = u_3_n0 - 1;
                            index_t t_586 = t_585 < row_19 ? t_585 : row_19;
                            index_t t_588 = u_3_n1 - 1;
                            index_t t_589 = t_588 < column_5 ? t_588 : column_5;
                            t_592 = u_3[(t_586 > 0 ? t_586 : 0) * u_3_s0 + (t_589 > 0 ? t_589 : 0)];
                        }
                        index_t t_593 = column_5 + 1;
                        double t_601 = 0.25 * (t_460 + t_464 + t_461 + t_576);
                        double t_609;
                        if ((row_19 >= i_low) & (row_19 < i_high) & (t_593 >= j_low) & (t_593 < j_high)) {
                            t_609 = t_601;
                        } else {
                            index_t t_602 = u_3_n0 - 1;
                            index_t t_603 = t_602 < row_19 ? t_602 : row_19;
                            index_t t_605 = u_3_n1 - 1;
                            index_t t_606 = t_605 < t_593 ? t_605 : t_593;
                            t_609 = u_3[(t_603 > 0 ? t_603 : 0) * u_3_s0 + (t_606 > 0 ? t_606 : 0)];
                        }
                        index_t row_20 = row_15 - 10;
                        double t_619 = 0.25 * (t_465 + t_469 + sides[buffer_2 * 1280 + 4 * 256 + 1 * 128 + left_2] + t_468);
                        bool inside_124 = (row_20 >= i_low) & (row_20 < i_high) & (column_5 >= j_low) & (column_5 < j_high);
                        double t_611 = sides[buffer_2 * 1280 + 4 * 256 + right_2];
                        double t_622;
                        if (inside_124) {
                            t_622 = t_619;
                        } else {
                            double t_621 = (row_20 >= 0) & (row_20 < v_3_n0) & (column_5 >= 0) & (column_5 < v_3_n1) ? v_3[row_20 * v_3_s0 + column_5] : 0.0;
                            t_622 = t_621;
                        }
                        index_t t_623 = column_5 + 1;
                        double t_631 = 0.25 * (t_466 + t_470 + t_467 + t_611);
                        double t_634;
                        if ((row_20 >= i_low) & (row_20 < i_high) & (t_623 >= j_low) & (t_623 < j_high)) {
                            t_634 = t_631;
                        } else {
                            double t_633 = (row_20 >= 0) & (row_20 < v_3_n0) & (t_623 >= 0) & (t_623 < v_3_n1) ? v_3[row_20 * v_3_s0 + t_623] : 0.0;
                            t_634 = t_633;
                        }
                        index_t t_635 = row_15 - 10;
                        if ((t_635 >= i_origin) & (t_635 < end_2) & (j_thread_5 >= 3) & (j_thread_5 < 125)) {
                            if ((column_5 >= j_low) & (column_5 < j_high)) {
                                v_3[t_635 * v_3_s0 + column_5] = t_622;
                            }
                            index_t t_636 = column_5 + 1;
                            if ((t_636 >= j_low) & (t_636 < j_high)) {
                                v_3[t_635 * v_3_s0 + t_636] = t_634;
                            }
                        }
                        window[0] = t_443;
                        window[1] = t_444;
                        window[1 * 2] = t_445;
                        window[1 * 2 + 1] = t_446;
                        window[2 * 2] = t_471;
                        window[2 * 2 + 1] = t_472;
                        index_t t_637 = 1 - buffer_2;
                        sides[t_637 * 1280 + j_thread_5] = t_445;
                        sides[t_637 * 1280 + 1 * 128 + j_thread_5] = t_446;
                        window[1 * 6] = t_449;
                        window[1 * 6 + 1] = t_450;
                        window[1 * 6 + 1 * 2] = t_451;
                        window[1 * 6 + 1 * 2 + 1] = t_452;
                        window[1 * 6 + 2 * 2] = t_502;
                        window[1 * 6 + 2 * 2 + 1] = t_514;
                        index_t t_638 = 1 - buffer_2;
                        sides[t_638 * 1280 + 1 * 256 + j_thread_5] = t_451;
                        sides[t_638 * 1280 + 1 * 256 + 1 * 128 + j_thread_5] = t_452;
                        window[2 * 6] = t_455;
                        window[2 * 6 + 1] = t_456;
                        window[2 * 6 + 1 * 2] = t_457;
                        window[2 * 6 + 1 * 2 + 1] = t_458;
                        window[2 * 6 + 2 * 2] = t_532;
                        window[2 * 6 + 2 * 2 + 1] = t_549;
                        index_t t_639 = 1 - buffer_2;
                        sides[t_639 * 1280 + 2 * 256 + j_thread_5] = t_457;
                        sides[t_639 * 1280 + 2 * 256 + 1 * 128 + j_thread_5] = t_458;
                        window[3 * 6] = t_461;
                        window[3 * 6 + 1] = t_462;
                        window[3 * 6 + 1 * 2] = t_463;
                        window[3 * 6 + 1 * 2 + 1] = t_464;
                        window[3 * 6 + 2 * 2] = t_562;
                        window[3 * 6 + 2 * 2 + 1] = t_574;
                        index_t t_640 = 1 - buffer_2;
                        sides[t_640 * 1280 + 3 * 256 + j_thread_5] = t_463;
                        sides[t_640 * 1280 + 3 * 256 + 1 * 128 + j_thread_5] = t_464;
                        window[4 * 6] = t_467;
                        window[4 * 6 + 1] = t_468;
                        window[4 * 6 + 1 * 2] = t_469;
                        window[4 * 6 + 1 * 2 + 1] = t_470;
                        window[4 * 6 + 2 * 2] = t_592;
                        window[4 * 6 + 2 * 2 + 1] = t_609;
                        index_t t_641 = 1 - buffer_2;
                        sides[t_641 * 1280 + 4 * 256 + j_thread_5] = t_469;
                        sides[t_641 * 1280 + 4 * 256 + 1 * 128 + j_thread_5] = t_470;
                    }
                    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                }
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void jacobi_2(const __global char *restrict u_4_memory,
        int64_t u_4_offset,
        int64_t u_4_n0_given,
        int64_t u_4_n1_given,
        int64_t u_4_s0_given,
        __global char *restrict v_4_memory,
        int64_t v_4_offset,
        int64_t v_4_n0_given,
        int64_t v_4_n1_given,
        int64_t v_4_s0_given,
        int64_t t_656,
        int64_t t_657,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2,
        int64_t j_offset_given_2,
        int64_t j_extent_given_2) {
    __global double *u_4 = AT(double, u_4_memory, u_4_offset);
    index_t u_4_n0 = (index_t)u_4_n0_given;
    index_t u_4_n1 = (index_t)u_4_n1_given;
    index_t u_4_s0 = (index_t)(u_4_s0_given >> 3);
    __global double *v_4 = AT(double, v_4_memory, v_4_offset);
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
    index_t j_first_1 = j_low_1 - j_low_1 % 2;
    index_t i_block_1 = (index_t)get_group_id(1);
    /* line 20 */
    index_t j_block_1 = (index_t)get_group_id(0);
    /* line 19 */
    index_t i_origin_1 = i_block_1 * 16 + i_low_1;
    /* line 20 */
    index_t j_origin_1 = j_block_1 * 64 + j_first_1;
    /* line 19 */
    bool inside_152 = ((((int64_t)(size_t)u_4 | (int64_t)u_4_s0 * 8) & 15) == 0) & (((int64_t)(size_t)v_4 | (int64_t)v_4_s0 * 8) & 15) == 0;
    if (inside_152) {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t j_thread_6 = (index_t)get_local_id(0);
        index_t j_4 = j_origin_1 + j_thread_6 * 2;
        bool inside_157 = (i_origin_1 + i_thread_6 * 2 + 1 < i_high_1) & (j_4 >= j_low_1) & (j_4 + 1 < j_high_1);
        if (inside_157) {
            index_t j_6 = j_origin_1 + j_thread_6 * 2;
            index_t j_7 = j_6 + 1;
            index_t i_6 = i_origin_1 + i_thread_6 * 2;
            index_t i_7 = i_6 + 1;
            /* line 21 */
            double2 run_5 = vload2(0, AT(double, u_4, (int64_t)((i_6 - 1) * u_4_s0 + j_6) * 8));
            double2 run_6 = vload2(0, AT(double, u_4, (int64_t)((i_6 + 1) * u_4_s0 + j_6) * 8));
            double2 run_7 = vload2(0, AT(double, u_4, (int64_t)(i_6 * u_4_s0 + j_6) * 8));
            double2 run_8 = vload2(0, AT(double, u_4, (int64_t)((i_7 - 1) * u_4_s0 + j_6) * 8));
            double2 run_9 = vload2(0, AT(double, u_4, (int64_t)((i_7 + 1) * u_4_s0 + j_6) * 8));
            double2 run_10 = vload2(0, AT(double, u_4, (int64_t)(i_7 * u_4_s0 + j_6) * 8));
            double2 run_11 = (double2)(0.25 * (run_5.x + run_6.x + u_4[i_6 * u_4_s0 + (j_6 - 1)] + run_7.y), 0.25 * (run_5.y + run_6.y + run_7.x + u_4[i_6 * u_4_s0 + (j_7 + 1)]));
            double t_691 = u_4[i_7 * u_4_s0 + (j_6 - 1)];
            double t_696 = u_4[i_7 * u_4_s0 + (j_7 + 1)];
            vstore2(run_11, 0, AT(double, v_4, (int64_t)(i_6 * v_4_s0 + j_6) * 8));
            double2 run_12 = (double2)(0.25 * (run_8.x + run_9.x + t_691 + run_10.y), 0.25 * (run_8.y + run_9.y + run_10.x + t_696));
            vstore2(run_12, 0, AT(double, v_4, (int64_t)(i_7 * v_4_s0 + j_6) * 8));
        } else {
            if (i_origin_1 + i_thread_6 * 2 + 1 < i_high_1) {
                for (index_t point = 0; point < 2; point++) {
                    index_t j_9 = j_origin_1 + j_thread_6 * 2 + point;
                    if ((j_9 >= j_low_1) & (j_9 < j_high_1)) {
                        index_t i_10 = i_origin_1 + i_thread_6 * 2;
                        index_t i_11 = i_10 + 1;
                        /* line 21 */
                        double t_733 = u_4[(i_10 - 1) * u_4_s0 + j_9] + u_4[(i_10 + 1) * u_4_s0 + j_9] + u_4[i_10 * u_4_s0 + (j_9 - 1)];
                        double t_737 = u_4[(i_11 - 1) * u_4_s0 + j_9] + u_4[(i_11 + 1) * u_4_s0 + j_9] + u_4[i_11 * u_4_s0 + (j_9 - 1)];
                        double t_739 = 0.25 * (t_737 + u_4[i_11 * u_4_s0 + (j_9 + 1)]);
                        v_4[i_10 * v_4_s0 + j_9] = 0.25 * (t_733 + u_4[i_10 * u_4_s0 + (j_9 + 1)]);
                        v_4[i_11 * v_4_s0 + j_9] = t_739;
                    }
                }
            } else {
                for (index_t point_1 = 0; point_1 < 2; point_1++) {
                    index_t i_13 = i_origin_1 + i_thread_6 * 2 + point_1;
                    if (i_13 < i_high_1) {
                        for (index_t point_2 = 0; point_2 < 2; point_2++) {
                            index_t j_11 = j_origin_1 + j_thread_6 * 2 + point_2;
                            if ((j_11 >= j_low_1) & (j_11 < j_high_1)) {
                                /* line 21 */
                                double t_749 = u_4[(i_13 - 1) * u_4_s0 + j_11] + u_4[(i_13 + 1) * u_4_s0 + j_11] + u_4[i_13 * u_4_s0 + (j_11 - 1)];
                                v_4[i_13 * v_4_s0 + j_11] = 0.25 * (t_749 + u_4[i_13 * u_4_s0 + (j_11 + 1)]);
                            }
                        }
                    }
                }
            }
        }
    } else {
        index_t i_thread_7 = (index_t)get_local_id(1);
        index_t j_thread_7 = (index_t)get_local_id(0);
        for (index_t point_3 = 0; point_3 < 1; point_3++) {
            index_t j_13 = j_origin_1 + point_3 * 2 * 32 + j_thread_7;
            index_t j_15 = j_origin_1 + (point_3 * 2 + 1) * 32 + j_thread_7;
            if ((j_13 < j_high_1) & (j_low_1 < j_high_1)) {
                if (i_origin_1 + i_thread_7 * 2 + 1 < i_high_1) {
                    index_t t_760 = j_high_1 - 1;
                    index_t t_761 = t_760 < j_13 ? t_760 : j_13;
                    index_t t_762 = t_761 > j_low_1 ? t_761 : j_low_1;
                    bool inside_172 = (j_13 >= j_low_1) & (j_13 < j_high_1);
                    index_t t_763 = j_high_1 - 1;
                    index_t t_764 = t_763 < j_15 ? t_763 : j_15;
                    index_t t_765 = t_764 > j_low_1 ? t_764 : j_low_1;
                    bool inside_175 = (j_15 >= j_low_1) & (j_15 < j_high_1);
                    index_t i_16 = i_origin_1 + i_thread_7 * 2;
                    index_t i_17 = i_16 + 1;
                    /* line 21 */
                    double t_800 = u_4[(i_16 - 1) * u_4_s0 + t_762] + u_4[(i_16 + 1) * u_4_s0 + t_762] + u_4[i_16 * u_4_s0 + (t_762 - 1)];
                    double t_802 = 0.25 * (t_800 + u_4[i_16 * u_4_s0 + (t_762 + 1)]);
                    double t_804 = u_4[(i_16 - 1) * u_4_s0 + t_765] + u_4[(i_16 + 1) * u_4_s0 + t_765] + u_4[i_16 * u_4_s0 + (t_765 - 1)];
                    double t_806 = 0.25 * (t_804 + u_4[i_16 * u_4_s0 + (t_765 + 1)]);
                    double t_808 = u_4[(i_17 - 1) * u_4_s0 + t_762] + u_4[(i_17 + 1) * u_4_s0 + t_762] + u_4[i_17 * u_4_s0 + (t_762 - 1)];
                    double t_810 = 0.25 * (t_808 + u_4[i_17 * u_4_s0 + (t_762 + 1)]);
                    double t_812 = u_4[(i_17 - 1) * u_4_s0 + t_765] + u_4[(i_17 + 1) * u_4_s0 + t_765] + u_4[i_17 * u_4_s0 + (t_765 - 1)];
                    double t_814 = 0.25 * (t_812 + u_4[i_17 * u_4_s0 + (t_765 + 1)]);
                    /* line 19 */
                    if (inside_172) {
                        /* line 21 */
                        v_4[i_16 * v_4_s0 + t_762] = t_802;
                    }
                    if (inside_175) {
                        /* line 21 */
                        v_4[i_16 * v_4_s0 + t_765] = t_806;
                    }
                    if (inside_172) {
                        /* line 21 */
                        v_4[i_17 * v_4_s0 + t_762] = t_810;
                    }
                    if (inside_175) {
                        /* line 21 */
                        v_4[i_17 * v_4_s0 + t_765] = t_814;
                    }
                } else {
                    if ((j_13 >= j_low_1) & (j_13 < j_high_1)) {
                        for (index_t point_4 = 0; point_4 < 2; point_4++) {
                            index_t i_19 = i_origin_1 + i_thread_7 * 2 + point_4;
                            if (i_19 < i_high_1) {
                                /* line 21 */
                                double t_823 = u_4[(i_19 - 1) * u_4_s0 + j_13] + u_4[(i_19 + 1) * u_4_s0 + j_13] + u_4[i_19 * u_4_s0 + (j_13 - 1)];
                                v_4[i_19 * v_4_s0 + j_13] = 0.25 * (t_823 + u_4[i_19 * u_4_s0 + (j_13 + 1)]);
                            }
                        }
                    }
                    if ((j_15 >= j_low_1) & (j_15 < j_high_1)) {
                        for (index_t point_5 = 0; point_5 < 2; point_5++) {
                            index_t i_21 = i_origin_1 + i_thread_7 * 2 + point_5;
                            if (i_21 < i_high_1) {
                                /* line 21 */
                                double t_836 = u_4[(i_21 - 1) * u_4_s0 + j_15] + u_4[(i_21 + 1) * u_4_s0 + j_15] + u_4[i_21 * u_4_s0 + (j_15 - 1)];
                                v_4[i_21 * v_4_s0 + j_15] = 0.25 * (t_836 + u_4[i_21 * u_4_s0 + (j_15 + 1)]);
                            }
                        }
                    }
                }
            }
        }
    }
}
