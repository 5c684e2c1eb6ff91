#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

typedef unsigned int uint32_t;

HELPER void copy_late_8(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int64_t *)to = *(const int64_t *)from;
#endif
}

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef int int32_t;

typedef int32_t index_t;

#if __CUDA_ARCH__ >= 800
#define wait_late(count) asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(count) : "memory")
#else
#define wait_late(count)
#endif

extern "C" __global__ __launch_bounds__(256, 2) void matrix_product_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        const char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0_given,
        int64_t b_1_n1_given,
        int64_t b_1_s0_given,
        char *__restrict__ c_1_memory,
        int64_t c_1_offset,
        int64_t c_1_n0_given,
        int64_t c_1_n1_given,
        int64_t c_1_s0_given,
        int64_t a_dim0_1,
        int64_t b_dim1_1,
        int64_t a_dim1_given,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    index_t b_1_n0 = (index_t)b_1_n0_given;
    index_t b_1_n1 = (index_t)b_1_n1_given;
    index_t b_1_s0 = (index_t)(b_1_s0_given >> 3);
    double *c_1 = AT(double, c_1_memory, c_1_offset);
    index_t c_1_n0 = (index_t)c_1_n0_given;
    index_t c_1_n1 = (index_t)c_1_n1_given;
    index_t c_1_s0 = (index_t)(c_1_s0_given >> 3);
    index_t a_dim1_1 = (index_t)a_dim1_given;
    index_t i_offset_1 = (index_t)i_offset_given;
    index_t i_extent_1 = (index_t)i_extent_given;
    index_t j_offset_1 = (index_t)j_offset_given;
    index_t j_extent_1 = (index_t)j_extent_given;
    /* line 128 */
    index_t j_first_1 = j_offset_1 - j_offset_1 % 2;
    index_t i_block_1 = (index_t)blockIdx.y;
    /* line 129 */
    index_t j_block_1 = (index_t)blockIdx.x;
    /* line 128 */
    index_t i_origin_1 = i_block_1 * 128 + i_offset_1;
    /* line 129 */
    index_t j_origin_1 = j_block_1 * 64 + j_first_1;
    /* line 128 */
    double s_11[32];
    __shared__ __align__(16) double a_tile_1[2080];
    double a_held_1[4];
    __shared__ __align__(16) double b_tile_1[1024];
    double b_held_1[2];
    if ((i_origin_1 < i_extent_1) & (j_origin_1 < j_extent_1)) {
        index_t trip_1 = 0 > a_dim1_1 ? 0 : a_dim1_1;
        index_t tiles_1 = trip_1 / 8;
        index_t left_1 = trip_1 - tiles_1 * 8;
        bool inside_43 = ((((int64_t)c_1 | (int64_t)c_1_s0 * 8) & 15) == 0) & (((int64_t)a_1 | (int64_t)a_1_s0 * 8) & 15) == 0;
        bool inside_45 = inside_43 & (((int64_t)b_1 | (int64_t)b_1_s0 * 8) & 15) == 0 & (int64_t)j_offset_1 % 2 == 0;
        if (inside_45 & (int64_t)j_extent_1 % 2 == 0) {
            {
                index_t i_thread_14 = (index_t)threadIdx.y;
                index_t j_thread_14 = (index_t)threadIdx.x;
#pragma unroll
                for (index_t point_19 = 0; point_19 < 8; point_19++) {
#pragma unroll
                    for (index_t point_20 = 0; point_20 < 4; point_20++) {
                        s_11[point_19 * 4 + point_20] = 0.0;
                    }
                }
                if (tiles_1 > 0) {
                    index_t thread_59 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1307 = i_origin_1 + thread_59 / 4;
                    index_t t_1306 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_1305 = thread_59 % 4 * 2;
                    double2 run_56 = *(double2 *)(AT(double, a_1, (int64_t)((t_1306 < t_1307 ? t_1306 : t_1307) * a_1_s0 + t_1305) * 8));
                    /* line 128 */
                    a_held_1[0] = run_56.x;
                    a_held_1[1] = run_56.y;
                    index_t t_1316 = i_origin_1 + thread_59 / 4 + 64;
                    index_t t_1314 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_1313 = thread_59 % 4 * 2;
                    double2 run_57 = *(double2 *)(AT(double, a_1, (int64_t)((t_1314 < t_1316 ? t_1314 : t_1316) * a_1_s0 + t_1313) * 8));
                    /* line 128 */
                    a_held_1[2] = run_57.x;
                    a_held_1[3] = run_57.y;
                    index_t thread_60 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1325 = j_origin_1 + thread_60 % 32 * 2;
                    index_t t_1324 = j_extent_1 - 2;
                    /* line 132 */
                    index_t t_1326 = t_1324 < t_1325 ? t_1324 : t_1325;
                    double2 run_58 = *(double2 *)(AT(double, b_1, (int64_t)(thread_60 / 32 * b_1_s0 + t_1326) * 8));
                    /* line 128 */
                    b_held_1[0] = run_58.x;
                    b_held_1[1] = run_58.y;
                    index_t thread_61 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1331 = thread_61 / 4;
                    index_t t_1332 = thread_61 % 4 * 2;
                    double t_1334 = a_held_1[1];
                    a_tile_1[t_1332 * 130 + t_1331] = a_held_1[0];
                    a_tile_1[(t_1332 + 1) * 130 + t_1331] = t_1334;
                    index_t t_1338 = thread_61 % 4 * 2;
                    index_t t_1341 = thread_61 / 4 + 64;
                    double t_1340 = a_held_1[3];
                    a_tile_1[t_1338 * 130 + t_1341] = a_held_1[2];
                    a_tile_1[(t_1338 + 1) * 130 + t_1341] = t_1340;
                    index_t thread_62 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1346 = thread_62 % 32 * 2;
                    *(double2 *)(&b_tile_1[thread_62 / 32 * 64 + t_1346]) = make_double2(b_held_1[0], b_held_1[1]);
                }
            }
            __syncthreads();
            index_t v_carried_4 = 0;
            for (index_t tile_2 = 0; tile_2 < tiles_1; tile_2++) {
                index_t t_1349 = v_carried_4 + 1;
                index_t buffer_4 = t_1349 == 2 ? 0LL : t_1349;
                index_t t_1350 = tile_2 * 8;
                bool inside_53 = tile_2 + 1 < tiles_1;
                {
                    index_t i_thread_15 = (index_t)threadIdx.y;
                    index_t j_thread_15 = (index_t)threadIdx.x;
                    if (inside_53) {
                        index_t t_1352 = t_1350 + 8;
                        index_t thread_63 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1359 = i_origin_1 + thread_63 / 4;
                        index_t t_1358 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_1357 = t_1352 + thread_63 % 4 * 2;
                        double2 run_60 = *(double2 *)(AT(double, a_1, (int64_t)((t_1358 < t_1359 ? t_1358 : t_1359) * a_1_s0 + t_1357) * 8));
                        /* line 128 */
                        a_held_1[0] = run_60.x;
                        a_held_1[1] = run_60.y;
                        index_t t_1369 = i_origin_1 + thread_63 / 4 + 64;
                        index_t t_1367 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_1366 = t_1352 + thread_63 % 4 * 2;
                        double2 run_61 = *(double2 *)(AT(double, a_1, (int64_t)((t_1367 < t_1369 ? t_1367 : t_1369) * a_1_s0 + t_1366) * 8));
                        /* line 128 */
                        a_held_1[2] = run_61.x;
                        a_held_1[3] = run_61.y;
                        index_t thread_64 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1379 = j_origin_1 + thread_64 % 32 * 2;
                        index_t t_1378 = j_extent_1 - 2;
                        /* line 132 */
                        index_t t_1380 = t_1378 < t_1379 ? t_1378 : t_1379;
                        double2 run_62 = *(double2 *)(AT(double, b_1, (int64_t)((t_1352 + thread_64 / 32) * b_1_s0 + t_1380) * 8));
                        /* line 128 */
                        b_held_1[0] = run_62.x;
                        b_held_1[1] = run_62.y;
                    }
                    index_t t_1384 = (i_thread_15 * 16 + j_thread_15) % 32;
                    index_t t_1394 = (i_thread_15 * 16 + j_thread_15) / 32 / 2 * 4 + t_1384 / 8;
                    index_t t_1403 = (i_thread_15 * 16 + j_thread_15) / 32 % 2 * 8 + t_1384 % 8;
#pragma unroll
                    for (index_t within_4 = 0; within_4 < 8; within_4++) {
                        double a_tile_part_4[8];
                        double b_tile_part_4[4];
                        index_t t_1404 = t_1394 * 2;
                        double2 run_63 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1404]);
                        a_tile_part_4[0] = run_63.x;
                        a_tile_part_4[1] = run_63.y;
                        index_t t_1408 = t_1394 * 2 + 32;
                        double2 run_64 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1408]);
                        a_tile_part_4[2] = run_64.x;
                        a_tile_part_4[3] = run_64.y;
                        index_t t_1412 = t_1394 * 2 + 64;
                        double2 run_65 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1412]);
                        a_tile_part_4[4] = run_65.x;
                        a_tile_part_4[5] = run_65.y;
                        index_t t_1416 = t_1394 * 2 + 96;
                        double2 run_66 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1416]);
                        a_tile_part_4[6] = run_66.x;
                        a_tile_part_4[7] = run_66.y;
                        index_t t_1419 = t_1403 * 2;
                        double2 run_67 = *(double2 *)(&b_tile_1[v_carried_4 * 512 + within_4 * 64 + t_1419]);
                        b_tile_part_4[0] = run_67.x;
                        b_tile_part_4[1] = run_67.y;
                        index_t t_1423 = t_1403 * 2 + 32;
                        double2 run_68 = *(double2 *)(&b_tile_1[v_carried_4 * 512 + within_4 * 64 + t_1423]);
                        b_tile_part_4[2] = run_68.x;
                        b_tile_part_4[3] = run_68.y;
#pragma unroll
                        for (index_t point_23 = 0; point_23 < 8; point_23++) {
#pragma unroll
                            for (index_t point_24 = 0; point_24 < 4; point_24++) {
                                /* line 132 */
                                double s_12 = fma_float64(a_tile_part_4[point_23], b_tile_part_4[point_24], s_11[point_23 * 4 + point_24]);
                                /* line 128 */
                                s_11[point_23 * 4 + point_24] = s_12;
                            }
                        }
                    }
                    if (inside_53) {
                        index_t thread_68 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1433 = thread_68 / 4;
                        index_t t_1434 = thread_68 % 4 * 2;
                        double t_1436 = a_held_1[1];
                        a_tile_1[buffer_4 * 1040 + t_1434 * 130 + t_1433] = a_held_1[0];
                        a_tile_1[buffer_4 * 1040 + (t_1434 + 1) * 130 + t_1433] = t_1436;
                        index_t t_1440 = thread_68 % 4 * 2;
                        index_t t_1443 = thread_68 / 4 + 64;
                        double t_1442 = a_held_1[3];
                        a_tile_1[buffer_4 * 1040 + t_1440 * 130 + t_1443] = a_held_1[2];
                        a_tile_1[buffer_4 * 1040 + (t_1440 + 1) * 130 + t_1443] = t_1442;
                        index_t thread_69 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1448 = thread_69 % 32 * 2;
                        *(double2 *)(&b_tile_1[buffer_4 * 512 + thread_69 / 32 * 64 + t_1448]) = make_double2(b_held_1[0], b_held_1[1]);
                    }
                }
                __syncthreads();
                v_carried_4 = buffer_4;
            }
            if (left_1 > 0) {
                index_t t_1451 = tiles_1 * 8;
                {
                    index_t i_thread_16 = (index_t)threadIdx.y;
                    index_t j_thread_16 = (index_t)threadIdx.x;
#pragma unroll 1
                    for (index_t piece_8 = 0; piece_8 < 4; piece_8++) {
                        index_t thread_70 = i_thread_16 * 16 + j_thread_16;
                        index_t t_1455 = thread_70 / 8 + piece_8 * 32;
                        index_t t_1456 = thread_70 % 8;
                        index_t t_1457 = i_origin_1 + t_1455;
                        index_t t_1459 = i_extent_1 - 1;
                        index_t t_1458 = t_1451 + t_1456;
                        index_t t_1461 = a_dim1_1 - 1;
                        index_t t_1462 = t_1461 < t_1458 ? t_1461 : t_1458;
                        /* line 132 */
                        double t_1464 = a_1[(t_1459 < t_1457 ? t_1459 : t_1457) * a_1_s0 + (t_1462 > t_1451 ? t_1462 : t_1451)];
                        /* line 128 */
                        a_tile_1[t_1456 * 130 + t_1455] = t_1464;
                    }
#pragma unroll 1
                    for (index_t piece_9 = 0; piece_9 < 2; piece_9++) {
                        index_t thread_71 = i_thread_16 * 16 + j_thread_16;
                        index_t t_1468 = thread_71 / 64 + piece_9 * 4;
                        index_t t_1469 = thread_71 % 64;
                        index_t t_1470 = j_origin_1 + t_1469;
                        index_t t_1472 = j_extent_1 - 1;
                        index_t t_1473 = t_1472 < t_1470 ? t_1472 : t_1470;
                        index_t t_1471 = t_1451 + t_1468;
                        index_t t_1475 = a_dim1_1 - 1;
                        index_t t_1476 = t_1475 < t_1471 ? t_1475 : t_1471;
                        /* line 132 */
                        double t_1478 = b_1[(t_1476 > t_1451 ? t_1476 : t_1451) * b_1_s0 + (t_1473 > j_offset_1 ? t_1473 : j_offset_1)];
                        /* line 128 */
                        b_tile_1[t_1468 * 64 + t_1469] = t_1478;
                    }
                }
                __syncthreads();
                {
                    index_t i_thread_17 = (index_t)threadIdx.y;
                    index_t j_thread_17 = (index_t)threadIdx.x;
                    index_t t_1480 = (i_thread_17 * 16 + j_thread_17) % 32;
                    index_t t_1490 = (i_thread_17 * 16 + j_thread_17) / 32 / 2 * 4 + t_1480 / 8;
                    index_t t_1499 = (i_thread_17 * 16 + j_thread_17) / 32 % 2 * 8 + t_1480 % 8;
#pragma unroll 1
                    for (index_t within_5 = 0; within_5 < left_1; within_5++) {
                        double a_tile_part_5[8];
                        double b_tile_part_5[4];
                        index_t t_1500 = t_1490 * 2;
                        double2 run_70 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1500]);
                        a_tile_part_5[0] = run_70.x;
                        a_tile_part_5[1] = run_70.y;
                        index_t t_1504 = t_1490 * 2 + 32;
                        double2 run_71 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1504]);
                        a_tile_part_5[2] = run_71.x;
                        a_tile_part_5[3] = run_71.y;
                        index_t t_1508 = t_1490 * 2 + 64;
                        double2 run_72 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1508]);
                        a_tile_part_5[4] = run_72.x;
                        a_tile_part_5[5] = run_72.y;
                        index_t t_1512 = t_1490 * 2 + 96;
                        double2 run_73 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1512]);
                        a_tile_part_5[6] = run_73.x;
                        a_tile_part_5[7] = run_73.y;
                        index_t t_1515 = t_1499 * 2;
                        double2 run_74 = *(double2 *)(&b_tile_1[within_5 * 64 + t_1515]);
                        b_tile_part_5[0] = run_74.x;
                        b_tile_part_5[1] = run_74.y;
                        index_t t_1519 = t_1499 * 2 + 32;
                        double2 run_75 = *(double2 *)(&b_tile_1[within_5 * 64 + t_1519]);
                        b_tile_part_5[2] = run_75.x;
                        b_tile_part_5[3] = run_75.y;
#pragma unroll
                        for (index_t point_25 = 0; point_25 < 8; point_25++) {
#pragma unroll
                            for (index_t point_26 = 0; point_26 < 4; point_26++) {
                                /* line 132 */
                                double s_13 = fma_float64(a_tile_part_5[point_25], b_tile_part_5[point_26], s_11[point_25 * 4 + point_26]);
                                /* line 128 */
                                s_11[point_25 * 4 + point_26] = s_13;
                            }
                        }
                    }
                }
                __syncthreads();
            }
            {
                index_t i_thread_18 = (index_t)threadIdx.y;
                index_t j_thread_18 = (index_t)threadIdx.x;
                index_t t_1528 = (i_thread_18 * 16 + j_thread_18) % 32;
                index_t t_1538 = (i_thread_18 * 16 + j_thread_18) / 32 / 2 * 4 + t_1528 / 8;
                index_t t_1547 = (i_thread_18 * 16 + j_thread_18) / 32 % 2 * 8 + t_1528 % 8;
#pragma unroll
                for (index_t point_27 = 0; point_27 < 8; point_27++) {
                    index_t i_15 = i_origin_1 + t_1538 * 2 + point_27 / 2 * 32 + point_27 % 2;
                    if (i_15 < i_extent_1) {
                        index_t j_39 = j_origin_1 + t_1547 * 2;
                        double t_1553 = s_11[point_27 * 4];
                        double t_1554 = s_11[point_27 * 4 + 1];
                        if (j_39 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_39) * 8)) = make_double2(t_1553, t_1554);
                        }
                        index_t j_42 = j_origin_1 + t_1547 * 2 + 32;
                        double t_1556 = s_11[point_27 * 4 + 2];
                        double t_1557 = s_11[point_27 * 4 + 3];
                        if (j_42 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_42) * 8)) = make_double2(t_1556, t_1557);
                        }
                    }
                }
            }
            __syncthreads();
        } else {
            {
                index_t i_thread_19 = (index_t)threadIdx.y;
                index_t j_thread_19 = (index_t)threadIdx.x;
#pragma unroll
                for (index_t point_28 = 0; point_28 < 8; point_28++) {
#pragma unroll
                    for (index_t point_29 = 0; point_29 < 4; point_29++) {
                        s_11[point_28 * 4 + point_29] = 0.0;
                    }
                }
            }
            __syncthreads();
            if (left_1 > 0) {
                {
                    index_t i_thread_20 = (index_t)threadIdx.y;
                    index_t j_thread_20 = (index_t)threadIdx.x;
#pragma unroll 1
                    for (index_t piece_10 = 0; piece_10 < 4; piece_10++) {
                        index_t thread_81 = i_thread_20 * 16 + j_thread_20;
                        index_t t_1590 = thread_81 / 8 + piece_10 * 32;
                        index_t t_1591 = thread_81 % 8;
                        index_t t_1592 = i_origin_1 + t_1590;
                        index_t t_1593 = i_extent_1 - 1;
                        index_t t_1595 = a_dim1_1 - 1;
                        index_t t_1596 = t_1595 < t_1591 ? t_1595 : t_1591;
                        /* line 128 */
                        copy_late_8(&a_tile_1[t_1591 * 130 + t_1590], AT(double, a_1, (int64_t)((t_1593 < t_1592 ? t_1593 : t_1592) * a_1_s0 + (t_1596 > 0 ? t_1596 : 0)) * 8));
                    }
#pragma unroll 1
                    for (index_t piece_11 = 0; piece_11 < 2; piece_11++) {
                        index_t thread_82 = i_thread_20 * 16 + j_thread_20;
                        index_t t_1602 = thread_82 / 64 + piece_11 * 4;
                        index_t t_1603 = thread_82 % 64;
                        index_t t_1604 = j_origin_1 + t_1603;
                        index_t t_1605 = j_extent_1 - 1;
                        index_t t_1606 = t_1605 < t_1604 ? t_1605 : t_1604;
                        index_t t_1608 = a_dim1_1 - 1;
                        index_t t_1609 = t_1608 < t_1602 ? t_1608 : t_1602;
                        /* line 128 */
                        copy_late_8(&b_tile_1[t_1602 * 64 + t_1603], AT(double, b_1, (int64_t)((t_1609 > 0 ? t_1609 : 0) * b_1_s0 + (t_1606 > j_offset_1 ? t_1606 : j_offset_1)) * 8));
                    }
                }
                wait_late(0);
                __syncthreads();
                {
                    index_t i_thread_21 = (index_t)threadIdx.y;
                    index_t j_thread_21 = (index_t)threadIdx.x;
                    index_t t_1613 = (i_thread_21 * 16 + j_thread_21) % 32;
                    index_t t_1623 = (i_thread_21 * 16 + j_thread_21) / 32 / 2 * 4 + t_1613 / 8;
                    index_t t_1632 = (i_thread_21 * 16 + j_thread_21) / 32 % 2 * 8 + t_1613 % 8;
#pragma unroll 1
                    for (index_t within_6 = 0; within_6 < left_1; within_6++) {
                        double a_tile_part_6[8];
                        double b_tile_part_6[4];
                        index_t t_1633 = t_1623 * 2;
                        double2 run_78 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1633]);
                        a_tile_part_6[0] = run_78.x;
                        a_tile_part_6[1] = run_78.y;
                        index_t t_1637 = t_1623 * 2 + 32;
                        double2 run_79 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1637]);
                        a_tile_part_6[2] = run_79.x;
                        a_tile_part_6[3] = run_79.y;
                        index_t t_1641 = t_1623 * 2 + 64;
                        double2 run_80 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1641]);
                        a_tile_part_6[4] = run_80.x;
                        a_tile_part_6[5] = run_80.y;
                        index_t t_1645 = t_1623 * 2 + 96;
                        double2 run_81 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1645]);
                        a_tile_part_6[6] = run_81.x;
                        a_tile_part_6[7] = run_81.y;
                        index_t t_1648 = t_1632 * 2;
                        double2 run_82 = *(double2 *)(&b_tile_1[within_6 * 64 + t_1648]);
                        b_tile_part_6[0] = run_82.x;
                        b_tile_part_6[1] = run_82.y;
                        index_t t_1652 = t_1632 * 2 + 32;
                        double2 run_83 = *(double2 *)(&b_tile_1[within_6 * 64 + t_1652]);
                        b_tile_part_6[2] = run_83.x;
                        b_tile_part_6[3] = run_83.y;
#pragma unroll
                        for (index_t point_32 = 0; point_32 < 8; point_32++) {
#pragma unroll
                            for (index_t point_33 = 0; point_33 < 4; point_33++) {
                                /* line 132 */
                                double s_14 = fma_float64(a_tile_part_6[point_32], b_tile_part_6[point_33], s_11[point_32 * 4 + point_33]);
                                /* line 128 */
                                s_11[point_32 * 4 + point_33] = s_14;
                            }
                        }
                    }
                }
                __syncthreads();
            }
            {
                index_t i_thread_22 = (index_t)threadIdx.y;
                index_t j_thread_22 = (index_t)threadIdx.x;
                if (tiles_1 > 0) {
                    index_t thread_86 = i_thread_22 * 16 + j_thread_22;
                    index_t t_1660 = thread_86 % 8;
                    index_t t_1661 = thread_86 / 8;
                    index_t t_1662 = i_origin_1 + t_1661;
                    index_t t_1664 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1660 * 130 + t_1661], AT(double, a_1, (int64_t)((t_1664 < t_1662 ? t_1664 : t_1662) * a_1_s0 + (left_1 + t_1660)) * 8));
                    index_t t_1667 = thread_86 % 8;
                    index_t t_1668 = thread_86 / 8;
                    index_t t_1670 = i_origin_1 + t_1668 + 32;
                    index_t t_1672 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1667 * 130 + (t_1668 + 32)], AT(double, a_1, (int64_t)((t_1672 < t_1670 ? t_1672 : t_1670) * a_1_s0 + (left_1 + t_1667)) * 8));
                    index_t t_1676 = thread_86 % 8;
                    index_t t_1677 = thread_86 / 8;
                    index_t t_1679 = i_origin_1 + t_1677 + 64;
                    index_t t_1681 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1676 * 130 + (t_1677 + 64)], AT(double, a_1, (int64_t)((t_1681 < t_1679 ? t_1681 : t_1679) * a_1_s0 + (left_1 + t_1676)) * 8));
                    index_t t_1685 = thread_86 % 8;
                    index_t t_1686 = thread_86 / 8;
                    index_t t_1688 = i_origin_1 + t_1686 + 96;
                    index_t t_1690 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1685 * 130 + (t_1686 + 96)], AT(double, a_1, (int64_t)((t_1690 < t_1688 ? t_1690 : t_1688) * a_1_s0 + (left_1 + t_1685)) * 8));
                    index_t thread_87 = i_thread_22 * 16 + j_thread_22;
                    index_t t_1695 = thread_87 % 64;
                    index_t t_1696 = thread_87 / 64;
                    index_t t_1697 = j_origin_1 + t_1695;
                    index_t t_1699 = j_extent_1 - 1;
                    index_t t_1700 = t_1699 < t_1697 ? t_1699 : t_1697;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_1696 * 64 + t_1695], AT(double, b_1, (int64_t)((left_1 + t_1696) * b_1_s0 + (t_1700 > j_offset_1 ? t_1700 : j_offset_1)) * 8));
                    index_t t_1703 = thread_87 % 64;
                    index_t t_1704 = thread_87 / 64;
                    index_t t_1705 = j_origin_1 + t_1703;
                    index_t t_1708 = j_extent_1 - 1;
                    index_t t_1709 = t_1708 < t_1705 ? t_1708 : t_1705;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_1704 + 4) * 64 + t_1703], AT(double, b_1, (int64_t)((left_1 + t_1704 + 4) * b_1_s0 + (t_1709 > j_offset_1 ? t_1709 : j_offset_1)) * 8));
                }
            }
            wait_late(0);
            __syncthreads();
            index_t v_carried_5 = 0;
            index_t v_carried_6 = 1;
            for (index_t tile_3 = 0; tile_3 < tiles_1; tile_3++) {
                index_t t_1715 = v_carried_5 + 1;
                index_t t_1716 = v_carried_6 + 1;
                index_t t_1717 = tile_3 + 1;
                index_t t_1718 = tiles_1 - 1;
                index_t t_1719 = t_1718 < t_1717 ? t_1718 : t_1717;
                {
                    index_t i_thread_23 = (index_t)threadIdx.y;
                    index_t j_thread_23 = (index_t)threadIdx.x;
                    index_t t_1721 = left_1 + t_1719 * 8;
                    index_t thread_88 = i_thread_23 * 16 + j_thread_23;
                    index_t t_1723 = thread_88 % 8;
                    index_t t_1724 = thread_88 / 8;
                    index_t t_1725 = i_origin_1 + t_1724;
                    index_t t_1727 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1723 * 130 + t_1724], AT(double, a_1, (int64_t)((t_1727 < t_1725 ? t_1727 : t_1725) * a_1_s0 + (t_1721 + t_1723)) * 8));
                    index_t t_1730 = thread_88 % 8;
                    index_t t_1731 = thread_88 / 8;
                    index_t t_1733 = i_origin_1 + t_1731 + 32;
                    index_t t_1735 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1730 * 130 + (t_1731 + 32)], AT(double, a_1, (int64_t)((t_1735 < t_1733 ? t_1735 : t_1733) * a_1_s0 + (t_1721 + t_1730)) * 8));
                    index_t t_1739 = thread_88 % 8;
                    index_t t_1740 = thread_88 / 8;
                    index_t t_1742 = i_origin_1 + t_1740 + 64;
                    index_t t_1744 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1739 * 130 + (t_1740 + 64)], AT(double, a_1, (int64_t)((t_1744 < t_1742 ? t_1744 : t_1742) * a_1_s0 + (t_1721 + t_1739)) * 8));
                    index_t t_1748 = thread_88 % 8;
                    index_t t_1749 = thread_88 / 8;
                    index_t t_1751 = i_origin_1 + t_1749 + 96;
                    index_t t_1753 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1748 * 130 + (t_1749 + 96)], AT(double, a_1, (int64_t)((t_1753 < t_1751 ? t_1753 : t_1751) * a_1_s0 + (t_1721 + t_1748)) * 8));
                    index_t thread_89 = i_thread_23 * 16 + j_thread_23;
                    index_t t_1758 = thread_89 % 64;
                    index_t t_1759 = thread_89 / 64;
                    index_t t_1760 = j_origin_1 + t_1758;
                    index_t t_1762 = j_extent_1 - 1;
                    index_t t_1763 = t_1762 < t_1760 ? t_1762 : t_1760;
                    /* line 128 */
                    copy_late_8(&b_tile_1[v_carried_6 * 512 + t_1759 * 64 + t_1758], AT(double, b_1, (int64_t)((t_1721 + t_1759) * b_1_s0 + (t_1763 > j_offset_1 ? t_1763 : j_offset_1)) * 8));
                    index_t t_1766 = thread_89 % 64;
                    index_t t_1767 = thread_89 / 64;
                    index_t t_1768 = j_origin_1 + t_1766;
                    index_t t_1771 = j_extent_1 - 1;
                    index_t t_1772 = t_1771 < t_1768 ? t_1771 : t_1768;
                    /* line 128 */
                    copy_late_8(&b_tile_1[v_carried_6 * 512 + (t_1767 + 4) * 64 + t_1766], AT(double, b_1, (int64_t)((t_1721 + t_1767 + 4) * b_1_s0 + (t_1772 > j_offset_1 ? t_1772 : j_offset_1)) * 8));
                    index_t t_1777 = (i_thread_23 * 16 + j_thread_23) % 32;
                    index_t t_1787 = (i_thread_23 * 16 + j_thread_23) / 32 / 2 * 4 + t_1777 / 8;
                    index_t t_1796 = (i_thread_23 * 16 + j_thread_23) / 32 % 2 * 8 + t_1777 % 8;
#pragma unroll
                    for (index_t within_7 = 0; within_7 < 8; within_7++) {
                        double a_tile_part_7[8];
                        double b_tile_part_7[4];
                        index_t t_1797 = t_1787 * 2;
                        double2 run_84 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1797]);
                        a_tile_part_7[0] = run_84.x;
                        a_tile_part_7[1] = run_84.y;
                        index_t t_1801 = t_1787 * 2 + 32;
                        double2 run_85 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1801]);
                        a_tile_part_7[2] = run_85.x;
                        a_tile_part_7[3] = run_85.y;
                        index_t t_1805 = t_1787 * 2 + 64;
                        double2 run_86 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1805]);
                        a_tile_part_7[4] = run_86.x;
                        a_tile_part_7[5] = run_86.y;
                        index_t t_1809 = t_1787 * 2 + 96;
                        double2 run_87 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1809]);
                        a_tile_part_7[6] = run_87.x;
                        a_tile_part_7[7] = run_87.y;
                        index_t t_1812 = t_1796 * 2;
                        double2 run_88 = *(double2 *)(&b_tile_1[v_carried_5 * 512 + within_7 * 64 + t_1812]);
                        b_tile_part_7[0] = run_88.x;
                        b_tile_part_7[1] = run_88.y;
                        index_t t_1816 = t_1796 * 2 + 32;
                        double2 run_89 = *(double2 *)(&b_tile_1[v_carried_5 * 512 + within_7 * 64 + t_1816]);
                        b_tile_part_7[2] = run_89.x;
                        b_tile_part_7[3] = run_89.y;
#pragma unroll
                        for (index_t point_34 = 0; point_34 < 8; point_34++) {
#pragma unroll
                            for (index_t point_35 = 0; point_35 < 4; point_35++) {
                                /* line 132 */
                                double s_15 = fma_float64(a_tile_part_7[point_34], b_tile_part_7[point_35], s_11[point_34 * 4 + point_35]);
                                /* line 128 */
                                s_11[point_34 * 4 + point_35] = s_15;
                            }
                        }
                    }
                }
                wait_late(0);
                __syncthreads();
                v_carried_5 = t_1715 == 2 ? 0LL : t_1715;
                v_carried_6 = t_1716 == 2 ? 0LL : t_1716;
            }
            {
                index_t i_thread_24 = (index_t)threadIdx.y;
                index_t j_thread_24 = (index_t)threadIdx.x;
                index_t t_1825 = (i_thread_24 * 16 + j_thread_24) % 32;
                index_t t_1835 = (i_thread_24 * 16 + j_thread_24) / 32 / 2 * 4 + t_1825 / 8;
                index_t t_1844 = (i_thread_24 * 16 + j_thread_24) / 32 % 2 * 8 + t_1825 % 8;
#pragma unroll
                for (index_t point_36 = 0; point_36 < 8; point_36++) {
                    index_t i_21 = i_origin_1 + t_1835 * 2 + point_36 / 2 * 32 + point_36 % 2;
                    if (i_21 < i_extent_1) {
#pragma unroll
                        for (index_t point_37 = 0; point_37 < 4; point_37++) {
                            index_t j_49 = j_origin_1 + t_1844 * 2 + point_37 / 2 * 32 + point_37 % 2;
                            if ((j_49 >= j_offset_1) & (j_49 < j_extent_1)) {
                                /* line 133 */
                                c_1[i_21 * c_1_s0 + j_49] = s_11[point_36 * 4 + point_37];
                            }
                        }
                    }
                }
            }
            __syncthreads();
        }
    }
}
