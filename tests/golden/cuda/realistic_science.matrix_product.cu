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
                    index_t t_1303 = i_origin_1 + thread_59 / 4;
                    index_t t_1302 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_1301 = thread_59 % 4 * 2;
                    double2 run_56 = *(double2 *)(AT(double, a_1, (int64_t)((t_1302 < t_1303 ? t_1302 : t_1303) * a_1_s0 + t_1301) * 8));
                    /* line 128 */
                    a_held_1[0] = run_56.x;
                    a_held_1[1] = run_56.y;
                    index_t t_1312 = i_origin_1 + thread_59 / 4 + 64;
                    index_t t_1310 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_1309 = thread_59 % 4 * 2;
                    double2 run_57 = *(double2 *)(AT(double, a_1, (int64_t)((t_1310 < t_1312 ? t_1310 : t_1312) * a_1_s0 + t_1309) * 8));
                    /* line 128 */
                    a_held_1[2] = run_57.x;
                    a_held_1[3] = run_57.y;
                    index_t thread_60 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1321 = j_origin_1 + thread_60 % 32 * 2;
                    index_t t_1320 = j_extent_1 - 2;
                    /* line 132 */
                    index_t t_1322 = t_1320 < t_1321 ? t_1320 : t_1321;
                    double2 run_58 = *(double2 *)(AT(double, b_1, (int64_t)(thread_60 / 32 * b_1_s0 + t_1322) * 8));
                    /* line 128 */
                    b_held_1[0] = run_58.x;
                    b_held_1[1] = run_58.y;
                    index_t thread_61 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1327 = thread_61 / 4;
                    index_t t_1328 = thread_61 % 4 * 2;
                    double t_1330 = a_held_1[1];
                    a_tile_1[t_1328 * 130 + t_1327] = a_held_1[0];
                    a_tile_1[(t_1328 + 1) * 130 + t_1327] = t_1330;
                    index_t t_1334 = thread_61 % 4 * 2;
                    index_t t_1337 = thread_61 / 4 + 64;
                    double t_1336 = a_held_1[3];
                    a_tile_1[t_1334 * 130 + t_1337] = a_held_1[2];
                    a_tile_1[(t_1334 + 1) * 130 + t_1337] = t_1336;
                    index_t thread_62 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1342 = thread_62 % 32 * 2;
                    *(double2 *)(&b_tile_1[thread_62 / 32 * 64 + t_1342]) = make_double2(b_held_1[0], b_held_1[1]);
                }
            }
            __syncthreads();
            index_t v_carried_4 = 0;
            for (index_t tile_2 = 0; tile_2 < tiles_1; tile_2++) {
                index_t t_1345 = v_carried_4 + 1;
                index_t buffer_4 = t_1345 == 2 ? 0LL : t_1345;
                index_t t_1346 = tile_2 * 8;
                bool inside_53 = tile_2 + 1 < tiles_1;
                {
                    index_t i_thread_15 = (index_t)threadIdx.y;
                    index_t j_thread_15 = (index_t)threadIdx.x;
                    if (inside_53) {
                        index_t t_1348 = t_1346 + 8;
                        index_t thread_63 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1355 = i_origin_1 + thread_63 / 4;
                        index_t t_1354 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_1353 = t_1348 + thread_63 % 4 * 2;
                        double2 run_60 = *(double2 *)(AT(double, a_1, (int64_t)((t_1354 < t_1355 ? t_1354 : t_1355) * a_1_s0 + t_1353) * 8));
                        /* line 128 */
                        a_held_1[0] = run_60.x;
                        a_held_1[1] = run_60.y;
                        index_t t_1365 = i_origin_1 + thread_63 / 4 + 64;
                        index_t t_1363 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_1362 = t_1348 + thread_63 % 4 * 2;
                        double2 run_61 = *(double2 *)(AT(double, a_1, (int64_t)((t_1363 < t_1365 ? t_1363 : t_1365) * a_1_s0 + t_1362) * 8));
                        /* line 128 */
                        a_held_1[2] = run_61.x;
                        a_held_1[3] = run_61.y;
                        index_t thread_64 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1375 = j_origin_1 + thread_64 % 32 * 2;
                        index_t t_1374 = j_extent_1 - 2;
                        /* line 132 */
                        index_t t_1376 = t_1374 < t_1375 ? t_1374 : t_1375;
                        double2 run_62 = *(double2 *)(AT(double, b_1, (int64_t)((t_1348 + thread_64 / 32) * b_1_s0 + t_1376) * 8));
                        /* line 128 */
                        b_held_1[0] = run_62.x;
                        b_held_1[1] = run_62.y;
                    }
                    index_t t_1380 = (i_thread_15 * 16 + j_thread_15) % 32;
                    index_t t_1390 = (i_thread_15 * 16 + j_thread_15) / 32 / 2 * 4 + t_1380 / 8;
                    index_t t_1399 = (i_thread_15 * 16 + j_thread_15) / 32 % 2 * 8 + t_1380 % 8;
#pragma unroll
                    for (index_t within_4 = 0; within_4 < 8; within_4++) {
                        double a_tile_part_4[8];
                        double b_tile_part_4[4];
                        index_t t_1400 = t_1390 * 2;
                        double2 run_63 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1400]);
                        a_tile_part_4[0] = run_63.x;
                        a_tile_part_4[1] = run_63.y;
                        index_t t_1404 = t_1390 * 2 + 32;
                        double2 run_64 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1404]);
                        a_tile_part_4[2] = run_64.x;
                        a_tile_part_4[3] = run_64.y;
                        index_t t_1408 = t_1390 * 2 + 64;
                        double2 run_65 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1408]);
                        a_tile_part_4[4] = run_65.x;
                        a_tile_part_4[5] = run_65.y;
                        index_t t_1412 = t_1390 * 2 + 96;
                        double2 run_66 = *(double2 *)(&a_tile_1[v_carried_4 * 1040 + within_4 * 130 + t_1412]);
                        a_tile_part_4[6] = run_66.x;
                        a_tile_part_4[7] = run_66.y;
                        index_t t_1415 = t_1399 * 2;
                        double2 run_67 = *(double2 *)(&b_tile_1[v_carried_4 * 512 + within_4 * 64 + t_1415]);
                        b_tile_part_4[0] = run_67.x;
                        b_tile_part_4[1] = run_67.y;
                        index_t t_1419 = t_1399 * 2 + 32;
                        double2 run_68 = *(double2 *)(&b_tile_1[v_carried_4 * 512 + within_4 * 64 + t_1419]);
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
                        index_t t_1428 = thread_68 / 4;
                        index_t t_1429 = thread_68 % 4 * 2;
                        double t_1431 = a_held_1[1];
                        a_tile_1[buffer_4 * 1040 + t_1429 * 130 + t_1428] = a_held_1[0];
                        a_tile_1[buffer_4 * 1040 + (t_1429 + 1) * 130 + t_1428] = t_1431;
                        index_t t_1435 = thread_68 % 4 * 2;
                        index_t t_1438 = thread_68 / 4 + 64;
                        double t_1437 = a_held_1[3];
                        a_tile_1[buffer_4 * 1040 + t_1435 * 130 + t_1438] = a_held_1[2];
                        a_tile_1[buffer_4 * 1040 + (t_1435 + 1) * 130 + t_1438] = t_1437;
                        index_t thread_69 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1443 = thread_69 % 32 * 2;
                        *(double2 *)(&b_tile_1[buffer_4 * 512 + thread_69 / 32 * 64 + t_1443]) = make_double2(b_held_1[0], b_held_1[1]);
                    }
                }
                __syncthreads();
                v_carried_4 = buffer_4;
            }
            if (left_1 > 0) {
                index_t t_1446 = tiles_1 * 8;
                {
                    index_t i_thread_16 = (index_t)threadIdx.y;
                    index_t j_thread_16 = (index_t)threadIdx.x;
#pragma unroll 1
                    for (index_t piece_8 = 0; piece_8 < 4; piece_8++) {
                        index_t thread_70 = i_thread_16 * 16 + j_thread_16;
                        index_t t_1450 = thread_70 / 8 + piece_8 * 32;
                        index_t t_1451 = thread_70 % 8;
                        index_t t_1452 = i_origin_1 + t_1450;
                        index_t t_1454 = i_extent_1 - 1;
                        index_t t_1453 = t_1446 + t_1451;
                        index_t t_1456 = a_dim1_1 - 1;
                        index_t t_1457 = t_1456 < t_1453 ? t_1456 : t_1453;
                        /* line 132 */
                        double t_1459 = a_1[(t_1454 < t_1452 ? t_1454 : t_1452) * a_1_s0 + (t_1457 > t_1446 ? t_1457 : t_1446)];
                        /* line 128 */
                        a_tile_1[t_1451 * 130 + t_1450] = t_1459;
                    }
#pragma unroll 1
                    for (index_t piece_9 = 0; piece_9 < 2; piece_9++) {
                        index_t thread_71 = i_thread_16 * 16 + j_thread_16;
                        index_t t_1463 = thread_71 / 64 + piece_9 * 4;
                        index_t t_1464 = thread_71 % 64;
                        index_t t_1465 = j_origin_1 + t_1464;
                        index_t t_1467 = j_extent_1 - 1;
                        index_t t_1468 = t_1467 < t_1465 ? t_1467 : t_1465;
                        index_t t_1466 = t_1446 + t_1463;
                        index_t t_1470 = a_dim1_1 - 1;
                        index_t t_1471 = t_1470 < t_1466 ? t_1470 : t_1466;
                        /* line 132 */
                        double t_1473 = b_1[(t_1471 > t_1446 ? t_1471 : t_1446) * b_1_s0 + (t_1468 > j_offset_1 ? t_1468 : j_offset_1)];
                        /* line 128 */
                        b_tile_1[t_1463 * 64 + t_1464] = t_1473;
                    }
                }
                __syncthreads();
                {
                    index_t i_thread_17 = (index_t)threadIdx.y;
                    index_t j_thread_17 = (index_t)threadIdx.x;
                    index_t t_1475 = (i_thread_17 * 16 + j_thread_17) % 32;
                    index_t t_1485 = (i_thread_17 * 16 + j_thread_17) / 32 / 2 * 4 + t_1475 / 8;
                    index_t t_1494 = (i_thread_17 * 16 + j_thread_17) / 32 % 2 * 8 + t_1475 % 8;
#pragma unroll 1
                    for (index_t within_5 = 0; within_5 < left_1; within_5++) {
                        double a_tile_part_5[8];
                        double b_tile_part_5[4];
                        index_t t_1495 = t_1485 * 2;
                        double2 run_70 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1495]);
                        a_tile_part_5[0] = run_70.x;
                        a_tile_part_5[1] = run_70.y;
                        index_t t_1499 = t_1485 * 2 + 32;
                        double2 run_71 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1499]);
                        a_tile_part_5[2] = run_71.x;
                        a_tile_part_5[3] = run_71.y;
                        index_t t_1503 = t_1485 * 2 + 64;
                        double2 run_72 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1503]);
                        a_tile_part_5[4] = run_72.x;
                        a_tile_part_5[5] = run_72.y;
                        index_t t_1507 = t_1485 * 2 + 96;
                        double2 run_73 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1507]);
                        a_tile_part_5[6] = run_73.x;
                        a_tile_part_5[7] = run_73.y;
                        index_t t_1510 = t_1494 * 2;
                        double2 run_74 = *(double2 *)(&b_tile_1[within_5 * 64 + t_1510]);
                        b_tile_part_5[0] = run_74.x;
                        b_tile_part_5[1] = run_74.y;
                        index_t t_1514 = t_1494 * 2 + 32;
                        double2 run_75 = *(double2 *)(&b_tile_1[within_5 * 64 + t_1514]);
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
                index_t t_1522 = (i_thread_18 * 16 + j_thread_18) % 32;
                index_t t_1532 = (i_thread_18 * 16 + j_thread_18) / 32 / 2 * 4 + t_1522 / 8;
                index_t t_1541 = (i_thread_18 * 16 + j_thread_18) / 32 % 2 * 8 + t_1522 % 8;
#pragma unroll
                for (index_t point_27 = 0; point_27 < 8; point_27++) {
                    index_t i_15 = i_origin_1 + t_1532 * 2 + point_27 / 2 * 32 + point_27 % 2;
                    if (i_15 < i_extent_1) {
                        index_t j_39 = j_origin_1 + t_1541 * 2;
                        double t_1547 = s_11[point_27 * 4];
                        double t_1548 = s_11[point_27 * 4 + 1];
                        if (j_39 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_39) * 8)) = make_double2(t_1547, t_1548);
                        }
                        index_t j_42 = j_origin_1 + t_1541 * 2 + 32;
                        double t_1550 = s_11[point_27 * 4 + 2];
                        double t_1551 = s_11[point_27 * 4 + 3];
                        if (j_42 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_42) * 8)) = make_double2(t_1550, t_1551);
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
                        index_t t_1584 = thread_81 / 8 + piece_10 * 32;
                        index_t t_1585 = thread_81 % 8;
                        index_t t_1586 = i_origin_1 + t_1584;
                        index_t t_1587 = i_extent_1 - 1;
                        index_t t_1589 = a_dim1_1 - 1;
                        index_t t_1590 = t_1589 < t_1585 ? t_1589 : t_1585;
                        /* line 128 */
                        copy_late_8(&a_tile_1[t_1585 * 130 + t_1584], AT(double, a_1, (int64_t)((t_1587 < t_1586 ? t_1587 : t_1586) * a_1_s0 + (t_1590 > 0 ? t_1590 : 0)) * 8));
                    }
#pragma unroll 1
                    for (index_t piece_11 = 0; piece_11 < 2; piece_11++) {
                        index_t thread_82 = i_thread_20 * 16 + j_thread_20;
                        index_t t_1596 = thread_82 / 64 + piece_11 * 4;
                        index_t t_1597 = thread_82 % 64;
                        index_t t_1598 = j_origin_1 + t_1597;
                        index_t t_1599 = j_extent_1 - 1;
                        index_t t_1600 = t_1599 < t_1598 ? t_1599 : t_1598;
                        index_t t_1602 = a_dim1_1 - 1;
                        index_t t_1603 = t_1602 < t_1596 ? t_1602 : t_1596;
                        /* line 128 */
                        copy_late_8(&b_tile_1[t_1596 * 64 + t_1597], AT(double, b_1, (int64_t)((t_1603 > 0 ? t_1603 : 0) * b_1_s0 + (t_1600 > j_offset_1 ? t_1600 : j_offset_1)) * 8));
                    }
                }
                wait_late(0);
                __syncthreads();
                {
                    index_t i_thread_21 = (index_t)threadIdx.y;
                    index_t j_thread_21 = (index_t)threadIdx.x;
                    index_t t_1607 = (i_thread_21 * 16 + j_thread_21) % 32;
                    index_t t_1617 = (i_thread_21 * 16 + j_thread_21) / 32 / 2 * 4 + t_1607 / 8;
                    index_t t_1626 = (i_thread_21 * 16 + j_thread_21) / 32 % 2 * 8 + t_1607 % 8;
#pragma unroll 1
                    for (index_t within_6 = 0; within_6 < left_1; within_6++) {
                        double a_tile_part_6[8];
                        double b_tile_part_6[4];
                        index_t t_1627 = t_1617 * 2;
                        double2 run_78 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1627]);
                        a_tile_part_6[0] = run_78.x;
                        a_tile_part_6[1] = run_78.y;
                        index_t t_1631 = t_1617 * 2 + 32;
                        double2 run_79 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1631]);
                        a_tile_part_6[2] = run_79.x;
                        a_tile_part_6[3] = run_79.y;
                        index_t t_1635 = t_1617 * 2 + 64;
                        double2 run_80 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1635]);
                        a_tile_part_6[4] = run_80.x;
                        a_tile_part_6[5] = run_80.y;
                        index_t t_1639 = t_1617 * 2 + 96;
                        double2 run_81 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1639]);
                        a_tile_part_6[6] = run_81.x;
                        a_tile_part_6[7] = run_81.y;
                        index_t t_1642 = t_1626 * 2;
                        double2 run_82 = *(double2 *)(&b_tile_1[within_6 * 64 + t_1642]);
                        b_tile_part_6[0] = run_82.x;
                        b_tile_part_6[1] = run_82.y;
                        index_t t_1646 = t_1626 * 2 + 32;
                        double2 run_83 = *(double2 *)(&b_tile_1[within_6 * 64 + t_1646]);
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
                    index_t t_1653 = thread_86 % 8;
                    index_t t_1654 = thread_86 / 8;
                    index_t t_1655 = i_origin_1 + t_1654;
                    index_t t_1657 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1653 * 130 + t_1654], AT(double, a_1, (int64_t)((t_1657 < t_1655 ? t_1657 : t_1655) * a_1_s0 + (left_1 + t_1653)) * 8));
                    index_t t_1660 = thread_86 % 8;
                    index_t t_1661 = thread_86 / 8;
                    index_t t_1663 = i_origin_1 + t_1661 + 32;
                    index_t t_1665 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1660 * 130 + (t_1661 + 32)], AT(double, a_1, (int64_t)((t_1665 < t_1663 ? t_1665 : t_1663) * a_1_s0 + (left_1 + t_1660)) * 8));
                    index_t t_1669 = thread_86 % 8;
                    index_t t_1670 = thread_86 / 8;
                    index_t t_1672 = i_origin_1 + t_1670 + 64;
                    index_t t_1674 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1669 * 130 + (t_1670 + 64)], AT(double, a_1, (int64_t)((t_1674 < t_1672 ? t_1674 : t_1672) * a_1_s0 + (left_1 + t_1669)) * 8));
                    index_t t_1678 = thread_86 % 8;
                    index_t t_1679 = thread_86 / 8;
                    index_t t_1681 = i_origin_1 + t_1679 + 96;
                    index_t t_1683 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1678 * 130 + (t_1679 + 96)], AT(double, a_1, (int64_t)((t_1683 < t_1681 ? t_1683 : t_1681) * a_1_s0 + (left_1 + t_1678)) * 8));
                    index_t thread_87 = i_thread_22 * 16 + j_thread_22;
                    index_t t_1688 = thread_87 % 64;
                    index_t t_1689 = thread_87 / 64;
                    index_t t_1690 = j_origin_1 + t_1688;
                    index_t t_1692 = j_extent_1 - 1;
                    index_t t_1693 = t_1692 < t_1690 ? t_1692 : t_1690;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_1689 * 64 + t_1688], AT(double, b_1, (int64_t)((left_1 + t_1689) * b_1_s0 + (t_1693 > j_offset_1 ? t_1693 : j_offset_1)) * 8));
                    index_t t_1696 = thread_87 % 64;
                    index_t t_1697 = thread_87 / 64;
                    index_t t_1698 = j_origin_1 + t_1696;
                    index_t t_1701 = j_extent_1 - 1;
                    index_t t_1702 = t_1701 < t_1698 ? t_1701 : t_1698;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_1697 + 4) * 64 + t_1696], AT(double, b_1, (int64_t)((left_1 + t_1697 + 4) * b_1_s0 + (t_1702 > j_offset_1 ? t_1702 : j_offset_1)) * 8));
                }
            }
            wait_late(0);
            __syncthreads();
            index_t v_carried_5 = 0;
            index_t v_carried_6 = 1;
            for (index_t tile_3 = 0; tile_3 < tiles_1; tile_3++) {
                index_t t_1708 = v_carried_5 + 1;
                index_t t_1709 = v_carried_6 + 1;
                index_t t_1710 = tile_3 + 1;
                index_t t_1711 = tiles_1 - 1;
                index_t t_1712 = t_1711 < t_1710 ? t_1711 : t_1710;
                {
                    index_t i_thread_23 = (index_t)threadIdx.y;
                    index_t j_thread_23 = (index_t)threadIdx.x;
                    index_t t_1714 = left_1 + t_1712 * 8;
                    index_t thread_88 = i_thread_23 * 16 + j_thread_23;
                    index_t t_1716 = thread_88 % 8;
                    index_t t_1717 = thread_88 / 8;
                    index_t t_1718 = i_origin_1 + t_1717;
                    index_t t_1720 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1716 * 130 + t_1717], AT(double, a_1, (int64_t)((t_1720 < t_1718 ? t_1720 : t_1718) * a_1_s0 + (t_1714 + t_1716)) * 8));
                    index_t t_1723 = thread_88 % 8;
                    index_t t_1724 = thread_88 / 8;
                    index_t t_1726 = i_origin_1 + t_1724 + 32;
                    index_t t_1728 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1723 * 130 + (t_1724 + 32)], AT(double, a_1, (int64_t)((t_1728 < t_1726 ? t_1728 : t_1726) * a_1_s0 + (t_1714 + t_1723)) * 8));
                    index_t t_1732 = thread_88 % 8;
                    index_t t_1733 = thread_88 / 8;
                    index_t t_1735 = i_origin_1 + t_1733 + 64;
                    index_t t_1737 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1732 * 130 + (t_1733 + 64)], AT(double, a_1, (int64_t)((t_1737 < t_1735 ? t_1737 : t_1735) * a_1_s0 + (t_1714 + t_1732)) * 8));
                    index_t t_1741 = thread_88 % 8;
                    index_t t_1742 = thread_88 / 8;
                    index_t t_1744 = i_origin_1 + t_1742 + 96;
                    index_t t_1746 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[v_carried_6 * 1040 + t_1741 * 130 + (t_1742 + 96)], AT(double, a_1, (int64_t)((t_1746 < t_1744 ? t_1746 : t_1744) * a_1_s0 + (t_1714 + t_1741)) * 8));
                    index_t thread_89 = i_thread_23 * 16 + j_thread_23;
                    index_t t_1751 = thread_89 % 64;
                    index_t t_1752 = thread_89 / 64;
                    index_t t_1753 = j_origin_1 + t_1751;
                    index_t t_1755 = j_extent_1 - 1;
                    index_t t_1756 = t_1755 < t_1753 ? t_1755 : t_1753;
                    /* line 128 */
                    copy_late_8(&b_tile_1[v_carried_6 * 512 + t_1752 * 64 + t_1751], AT(double, b_1, (int64_t)((t_1714 + t_1752) * b_1_s0 + (t_1756 > j_offset_1 ? t_1756 : j_offset_1)) * 8));
                    index_t t_1759 = thread_89 % 64;
                    index_t t_1760 = thread_89 / 64;
                    index_t t_1761 = j_origin_1 + t_1759;
                    index_t t_1764 = j_extent_1 - 1;
                    index_t t_1765 = t_1764 < t_1761 ? t_1764 : t_1761;
                    /* line 128 */
                    copy_late_8(&b_tile_1[v_carried_6 * 512 + (t_1760 + 4) * 64 + t_1759], AT(double, b_1, (int64_t)((t_1714 + t_1760 + 4) * b_1_s0 + (t_1765 > j_offset_1 ? t_1765 : j_offset_1)) * 8));
                    index_t t_1770 = (i_thread_23 * 16 + j_thread_23) % 32;
                    index_t t_1780 = (i_thread_23 * 16 + j_thread_23) / 32 / 2 * 4 + t_1770 / 8;
                    index_t t_1789 = (i_thread_23 * 16 + j_thread_23) / 32 % 2 * 8 + t_1770 % 8;
#pragma unroll
                    for (index_t within_7 = 0; within_7 < 8; within_7++) {
                        double a_tile_part_7[8];
                        double b_tile_part_7[4];
                        index_t t_1790 = t_1780 * 2;
                        double2 run_84 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1790]);
                        a_tile_part_7[0] = run_84.x;
                        a_tile_part_7[1] = run_84.y;
                        index_t t_1794 = t_1780 * 2 + 32;
                        double2 run_85 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1794]);
                        a_tile_part_7[2] = run_85.x;
                        a_tile_part_7[3] = run_85.y;
                        index_t t_1798 = t_1780 * 2 + 64;
                        double2 run_86 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1798]);
                        a_tile_part_7[4] = run_86.x;
                        a_tile_part_7[5] = run_86.y;
                        index_t t_1802 = t_1780 * 2 + 96;
                        double2 run_87 = *(double2 *)(&a_tile_1[v_carried_5 * 1040 + within_7 * 130 + t_1802]);
                        a_tile_part_7[6] = run_87.x;
                        a_tile_part_7[7] = run_87.y;
                        index_t t_1805 = t_1789 * 2;
                        double2 run_88 = *(double2 *)(&b_tile_1[v_carried_5 * 512 + within_7 * 64 + t_1805]);
                        b_tile_part_7[0] = run_88.x;
                        b_tile_part_7[1] = run_88.y;
                        index_t t_1809 = t_1789 * 2 + 32;
                        double2 run_89 = *(double2 *)(&b_tile_1[v_carried_5 * 512 + within_7 * 64 + t_1809]);
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
                v_carried_5 = t_1708 == 2 ? 0LL : t_1708;
                v_carried_6 = t_1709 == 2 ? 0LL : t_1709;
            }
            {
                index_t i_thread_24 = (index_t)threadIdx.y;
                index_t j_thread_24 = (index_t)threadIdx.x;
                index_t t_1817 = (i_thread_24 * 16 + j_thread_24) % 32;
                index_t t_1827 = (i_thread_24 * 16 + j_thread_24) / 32 / 2 * 4 + t_1817 / 8;
                index_t t_1836 = (i_thread_24 * 16 + j_thread_24) / 32 % 2 * 8 + t_1817 % 8;
#pragma unroll
                for (index_t point_36 = 0; point_36 < 8; point_36++) {
                    index_t i_21 = i_origin_1 + t_1827 * 2 + point_36 / 2 * 32 + point_36 % 2;
                    if (i_21 < i_extent_1) {
#pragma unroll
                        for (index_t point_37 = 0; point_37 < 4; point_37++) {
                            index_t j_49 = j_origin_1 + t_1836 * 2 + point_37 / 2 * 32 + point_37 % 2;
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
