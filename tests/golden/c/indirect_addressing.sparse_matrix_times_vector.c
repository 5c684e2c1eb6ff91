/* sparse_matrix_times_vector, indirect_addressing.py:101 */

static int32_t sparse_matrix_times_vector_i(const weft_runtime *runtime, weft_fault *fault, int64_t *restrict start,
                                            int64_t *restrict column, int64_t column_n0, double *restrict value,
                                            int64_t value_n0, double *restrict x, int64_t x_n0, double *restrict out,
                                            int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 104 */
        int64_t t_3 = start[i];
        int64_t t_4 = start[i + 1];
        double s_2_2;
        if ((t_3 >= 0) & (value_n0 >= t_4) & (column_n0 >= t_4)) {
            double s = 0.0;
            int64_t k_next = t_3;
#if HAS_GATHERS
            if (k_next < t_4) {
                float64x8 s_sums = splat_float64x8(-0.0);
                for (; k_next < t_4; k_next += 8) {
                    uint8_t on = lanes_on(t_4 - k_next);
                    float64x8 t = some_float64x8(&value[k_next], on);
                    int64x8 t_2 = some_int64x8(&column[k_next], on);
                    int64x8 t_5 = __builtin_convertvector(t_2, int64x8);
                    uint8_t inside = inside_int64x8(t_5, x_n0) & on;
                    float64x8 t_6 = gather_some_float64x8(&x[0], t_5, inside);
                    float64x8 s_2 = fma_float64x8(t, t_6, s_sums);
                    if (UNLIKELY(inside != on)) {
                        double s_lanes[8];
                        for (int lane = 0; lane < 8; lane++) s_lanes[lane] = s_sums[lane];
                        int count = (int)weft_left(k_next, t_4, 8);
                        for (int lane = 0; lane < count; lane++) {
                            const int64_t k = k_next + lane;
                            /* line 105 */
                            int64_t t_7 = column[k];
                            int64_t place = rarely_from_end(t_7, x_n0);
                            if (UNLIKELY((uint64_t)place >= (uint64_t)x_n0)) {
                                return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i}, {.i = k}});
                            }
                            s_lanes[lane] = fma_float64(value[k], x[place], s_lanes[lane]);
                        }
                        for (int lane = 0; lane < 8; lane++) s_sums[lane] = s_lanes[lane];
                        continue;
                    }
                    s_sums = blend_float64x8(on, s_2, s_sums);
                }
                s = s + sum_float64x8(s_sums);
            }
#else
            if (k_next < t_4 && t_4 - k_next >= 4) {
                int64_t k_last = t_4 - 4;
                double s_lanes[4];
                for (int lane = 0; lane < 4; lane++) s_lanes[lane] = -0.0;
                for (; k_next <= k_last; k_next += 4) {
                    for (int lane = 0; lane < 4; lane++) {
                        const int64_t k = k_next + lane;
                        int64_t t_7 = column[k];
                        int64_t place_2 = rarely_from_end(t_7, x_n0);
                        if (UNLIKELY((uint64_t)place_2 >= (uint64_t)x_n0)) {
                            return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i}, {.i = k}});
                        }
                        s_lanes[lane] = fma_float64(value[k], x[place_2], s_lanes[lane]);
                    }
                }
                s_lanes[0] = s_lanes[0] + s_lanes[2];
                s_lanes[1] = s_lanes[1] + s_lanes[3];
                s_lanes[0] = s_lanes[0] + s_lanes[1];
                s = s + s_lanes[0];
            }
#endif
            for (int64_t k = k_next; k < t_4; k++) {
                int64_t t_7 = column[k];
                int64_t place_3 = rarely_from_end(t_7, x_n0);
                if (UNLIKELY((uint64_t)place_3 >= (uint64_t)x_n0)) {
                    return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i}, {.i = k}});
                }
                s = fma_float64(value[k], x[place_3], s);
            }
            s_2_2 = s;
        } else {
            double s_5 = 0.0;
            int64_t k_next_2 = t_3;
            if (k_next_2 < t_4 && t_4 - k_next_2 >= 4) {
                int64_t k_last_2 = t_4 - 4;
                double s_5_lanes[4];
                for (int lane = 0; lane < 4; lane++) s_5_lanes[lane] = -0.0;
                for (; k_next_2 <= k_last_2; k_next_2 += 4) {
                    for (int lane = 0; lane < 4; lane++) {
                        const int64_t k_1 = k_next_2 + lane;
                        /* line 105 */
                        int64_t place_4 = rarely_from_end(k_1, value_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)value_n0)) {
                            return weft_raise(fault, 2, i, 4, (weft_value[]){{.i = k_1}, {.i = value_n0}, {.i = i}, {.i = k_1}});
                        }
                        int64_t place_5 = rarely_from_end(k_1, column_n0);
                        if (UNLIKELY((uint64_t)place_5 >= (uint64_t)column_n0)) {
                            return weft_raise(fault, 3, i, 4, (weft_value[]){{.i = k_1}, {.i = column_n0}, {.i = i}, {.i = k_1}});
                        }
                        int64_t t_25 = column[place_5];
                        int64_t place_6 = rarely_from_end(t_25, x_n0);
                        if (UNLIKELY((uint64_t)place_6 >= (uint64_t)x_n0)) {
                            return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_25}, {.i = x_n0}, {.i = i}, {.i = k_1}});
                        }
                        s_5_lanes[lane] = fma_float64(value[place_4], x[place_6], s_5_lanes[lane]);
                    }
                }
                s_5_lanes[0] = s_5_lanes[0] + s_5_lanes[2];
                s_5_lanes[1] = s_5_lanes[1] + s_5_lanes[3];
                s_5_lanes[0] = s_5_lanes[0] + s_5_lanes[1];
                s_5 = s_5 + s_5_lanes[0];
            }
            for (int64_t k_1 = k_next_2; k_1 < t_4; k_1++) {
                int64_t place_7 = rarely_from_end(k_1, value_n0);
                if (UNLIKELY((uint64_t)place_7 >= (uint64_t)value_n0)) {
                    return weft_raise(fault, 2, i, 4, (weft_value[]){{.i = k_1}, {.i = value_n0}, {.i = i}, {.i = k_1}});
                }
                int64_t place_8 = rarely_from_end(k_1, column_n0);
                if (UNLIKELY((uint64_t)place_8 >= (uint64_t)column_n0)) {
                    return weft_raise(fault, 3, i, 4, (weft_value[]){{.i = k_1}, {.i = column_n0}, {.i = i}, {.i = k_1}});
                }
                int64_t t_25 = column[place_8];
                int64_t place_9 = rarely_from_end(t_25, x_n0);
                if (UNLIKELY((uint64_t)place_9 >= (uint64_t)x_n0)) {
                    return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_25}, {.i = x_n0}, {.i = i}, {.i = k_1}});
                }
                s_5 = fma_float64(value[place_7], x[place_9], s_5);
            }
            s_2_2 = s_5;
        }
        /* line 106 */
        out[i] = s_2_2;
    }
    return WEFT_OK;
}

static int32_t sparse_matrix_times_vector_i_ahead(const weft_runtime *runtime, weft_fault *fault,
                                                  int64_t *restrict start, int64_t *restrict column,
                                                  int64_t column_n0, double *restrict value, int64_t value_n0,
                                                  double *restrict x, int64_t x_n0, double *restrict out,
                                                  int64_t begin, int64_t end, double *restrict out_old0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_2 = begin; i_2 < end; i_2++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 104 */
        int64_t t_3 = start[i_2];
        int64_t t_4 = start[i_2 + 1];
        double s_2_2;
        if ((t_3 >= 0) & (value_n0 >= t_4) & (column_n0 >= t_4)) {
            double s = 0.0;
            int64_t k_next_3 = t_3;
#if HAS_GATHERS
            if (k_next_3 < t_4) {
                float64x8 s_sums_2 = splat_float64x8(-0.0);
                for (; k_next_3 < t_4; k_next_3 += 8) {
                    uint8_t on_2 = lanes_on(t_4 - k_next_3);
                    float64x8 t_8 = some_float64x8(&value[k_next_3], on_2);
                    int64x8 t_9 = some_int64x8(&column[k_next_3], on_2);
                    int64x8 t_10 = __builtin_convertvector(t_9, int64x8);
                    uint8_t inside_2 = inside_int64x8(t_10, x_n0) & on_2;
                    float64x8 t_11 = gather_some_float64x8(&x[0], t_10, inside_2);
                    float64x8 s_3 = fma_float64x8(t_8, t_11, s_sums_2);
                    if (UNLIKELY(inside_2 != on_2)) {
                        double s_lanes[8];
                        for (int lane = 0; lane < 8; lane++) s_lanes[lane] = s_sums_2[lane];
                        int count_2 = (int)weft_left(k_next_3, t_4, 8);
                        for (int lane = 0; lane < count_2; lane++) {
                            const int64_t k_2 = k_next_3 + lane;
                            /* line 105 */
                            int64_t t_7 = column[k_2];
                            int64_t place_10 = rarely_from_end(t_7, x_n0);
                            if (UNLIKELY((uint64_t)place_10 >= (uint64_t)x_n0)) {
                                return weft_raise(fault, 1, i_2, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i_2}, {.i = k_2}});
                            }
                            s_lanes[lane] = fma_float64(value[k_2], x[place_10], s_lanes[lane]);
                        }
                        for (int lane = 0; lane < 8; lane++) s_sums_2[lane] = s_lanes[lane];
                        continue;
                    }
                    s_sums_2 = blend_float64x8(on_2, s_3, s_sums_2);
                }
                s = s + sum_float64x8(s_sums_2);
            }
#else
            if (k_next_3 < t_4 && t_4 - k_next_3 >= 4) {
                int64_t k_last_3 = t_4 - 4;
                double s_lanes[4];
                for (int lane = 0; lane < 4; lane++) s_lanes[lane] = -0.0;
                for (; k_next_3 <= k_last_3; k_next_3 += 4) {
                    for (int lane = 0; lane < 4; lane++) {
                        const int64_t k_2 = k_next_3 + lane;
                        int64_t t_7 = column[k_2];
                        int64_t place_11 = rarely_from_end(t_7, x_n0);
                        if (UNLIKELY((uint64_t)place_11 >= (uint64_t)x_n0)) {
                            return weft_raise(fault, 1, i_2, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i_2}, {.i = k_2}});
                        }
                        s_lanes[lane] = fma_float64(value[k_2], x[place_11], s_lanes[lane]);
                    }
                }
                s_lanes[0] = s_lanes[0] + s_lanes[2];
                s_lanes[1] = s_lanes[1] + s_lanes[3];
                s_lanes[0] = s_lanes[0] + s_lanes[1];
                s = s + s_lanes[0];
            }
#endif
            for (int64_t k_2 = k_next_3; k_2 < t_4; k_2++) {
                int64_t t_7 = column[k_2];
                int64_t place_12 = rarely_from_end(t_7, x_n0);
                if (UNLIKELY((uint64_t)place_12 >= (uint64_t)x_n0)) {
                    return weft_raise(fault, 1, i_2, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i_2}, {.i = k_2}});
                }
                s = fma_float64(value[k_2], x[place_12], s);
            }
            s_2_2 = s;
        } else {
            double s_5 = 0.0;
            int64_t k_next_4 = t_3;
            if (k_next_4 < t_4 && t_4 - k_next_4 >= 4) {
                int64_t k_last_4 = t_4 - 4;
                double s_5_lanes[4];
                for (int lane = 0; lane < 4; lane++) s_5_lanes[lane] = -0.0;
                for (; k_next_4 <= k_last_4; k_next_4 += 4) {
                    for (int lane = 0; lane < 4; lane++) {
                        const int64_t k_1_2 = k_next_4 + lane;
                        /* line 105 */
                        int64_t place_13 = rarely_from_end(k_1_2, value_n0);
                        if (UNLIKELY((uint64_t)place_13 >= (uint64_t)value_n0)) {
                            return weft_raise(fault, 2, i_2, 4, (weft_value[]){{.i = k_1_2}, {.i = value_n0}, {.i = i_2}, {.i = k_1_2}});
                        }
                        int64_t place_14 = rarely_from_end(k_1_2, column_n0);
                        if (UNLIKELY((uint64_t)place_14 >= (uint64_t)column_n0)) {
                            return weft_raise(fault, 3, i_2, 4, (weft_value[]){{.i = k_1_2}, {.i = column_n0}, {.i = i_2}, {.i = k_1_2}});
                        }
                        int64_t t_25 = column[place_14];
                        int64_t place_15 = rarely_from_end(t_25, x_n0);
                        if (UNLIKELY((uint64_t)place_15 >= (uint64_t)x_n0)) {
                            return weft_raise(fault, 1, i_2, 4, (weft_value[]){{.i = t_25}, {.i = x_n0}, {.i = i_2}, {.i = k_1_2}});
                        }
                        s_5_lanes[lane] = fma_float64(value[place_13], x[place_15], s_5_lanes[lane]);
                    }
                }
                s_5_lanes[0] = s_5_lanes[0] + s_5_lanes[2];
                s_5_lanes[1] = s_5_lanes[1] + s_5_lanes[3];
                s_5_lanes[0] = s_5_lanes[0] + s_5_lanes[1];
                s_5 = s_5 + s_5_lanes[0];
            }
            for (int64_t k_1_2 = k_next_4; k_1_2 < t_4; k_1_2++) {
                int64_t place_16 = rarely_from_end(k_1_2, value_n0);
                if (UNLIKELY((uint64_t)place_16 >= (uint64_t)value_n0)) {
                    return weft_raise(fault, 2, i_2, 4, (weft_value[]){{.i = k_1_2}, {.i = value_n0}, {.i = i_2}, {.i = k_1_2}});
                }
                int64_t place_17 = rarely_from_end(k_1_2, column_n0);
                if (UNLIKELY((uint64_t)place_17 >= (uint64_t)column_n0)) {
                    return weft_raise(fault, 3, i_2, 4, (weft_value[]){{.i = k_1_2}, {.i = column_n0}, {.i = i_2}, {.i = k_1_2}});
                }
                int64_t t_25 = column[place_17];
                int64_t place_18 = rarely_from_end(t_25, x_n0);
                if (UNLIKELY((uint64_t)place_18 >= (uint64_t)x_n0)) {
                    return weft_raise(fault, 1, i_2, 4, (weft_value[]){{.i = t_25}, {.i = x_n0}, {.i = i_2}, {.i = k_1_2}});
                }
                s_5 = fma_float64(value[place_16], x[place_18], s_5);
            }
            s_2_2 = s_5;
        }
        /* line 106 */
        out_old0[i_2 - begin] = out[i_2];
        out[i_2] = s_2_2;
    }
    return WEFT_OK;
}

static int32_t sparse_matrix_times_vector_i_undo(double *restrict out, int64_t begin, int64_t end,
                                                 double *restrict out_old0) {
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i_3 = i_first; i_3 < i_last; i_3++) {
            /* line 106 */
            out[i_3] = out_old0[i_3 - begin];
        }
    }
    return WEFT_OK;
}

struct sparse_matrix_times_vector_i {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t *start;
    int64_t *column;
    int64_t column_n0;
    double *value;
    int64_t value_n0;
    double *x;
    int64_t x_n0;
    double *out;
};

static int32_t sparse_matrix_times_vector_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct sparse_matrix_times_vector_i *c = context;
    (void)part;
    int32_t status = sparse_matrix_times_vector_i(c->runtime, c->fault, c->start, c->column, c->column_n0, c->value, c->value_n0, c->x, c->x_n0, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

struct sparse_matrix_times_vector_i_saved {
    double out_old0[4088];
};

static int32_t sparse_matrix_times_vector_i_tentative(void *context, int64_t begin, int64_t end, int64_t part, void *memory,
                                                      weft_fault *fault) {
    struct sparse_matrix_times_vector_i *c = context;
    (void)part;
    struct sparse_matrix_times_vector_i_saved *saved = memory;
    return sparse_matrix_times_vector_i_ahead(c->runtime, fault, c->start, c->column, c->column_n0, c->value, c->value_n0, c->x, c->x_n0, c->out, begin, end, saved->out_old0);
}

static void sparse_matrix_times_vector_i_undone(void *context, int64_t begin, int64_t end, void *memory) {
    struct sparse_matrix_times_vector_i *c = context;
    struct sparse_matrix_times_vector_i_saved *saved = memory;
    sparse_matrix_times_vector_i_undo(c->out, begin, end, saved->out_old0);
}

static int32_t sparse_matrix_times_vector_body(const weft_runtime *runtime, weft_fault *fault,
                                               int64_t *restrict start, int64_t *restrict column, int64_t column_n0,
                                               double *restrict value, int64_t value_n0, double *restrict x,
                                               int64_t x_n0, double *restrict out, int64_t out_n0) {
    /* line 102 */
    struct sparse_matrix_times_vector_i i_loop = {WEFT_OK, runtime, fault, start, column, column_n0, value, value_n0, x, x_n0, out};
    double work = (double)out_n0 * 11.28;
    if (runtime->is_shared(work)) {
        i_loop.status = runtime->undoing(sparse_matrix_times_vector_i_tentative, sparse_matrix_times_vector_i_undone, NULL, &i_loop, 0, out_n0, 0, 4088, work, fault);
    } else {
        runtime->parallel(sparse_matrix_times_vector_i_piece, &i_loop, 0, out_n0, 0, work);
    }
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_sparse_matrix_times_vector(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                         weft_fault *fault) {
    int64_t *start = (int64_t *)arguments[0].view->data;
    int64_t start_n0 = arguments[0].view->shape[0];
    int64_t *column = (int64_t *)arguments[1].view->data;
    int64_t column_n0 = arguments[1].view->shape[0];
    double *value = (double *)arguments[2].view->data;
    int64_t value_n0 = arguments[2].view->shape[0];
    double *x = (double *)arguments[3].view->data;
    int64_t x_n0 = arguments[3].view->shape[0];
    double *out = (double *)arguments[4].view->data;
    int64_t out_n0 = arguments[4].view->shape[0];
    /* line 101 */
    if (!((start_n0 >= 1 + out_n0) | (0 >= out_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = sparse_matrix_times_vector_body(runtime, fault, start, column, column_n0, value, value_n0, x, x_n0, out, out_n0);
    return status > 0 ? fault->site : status;
}
