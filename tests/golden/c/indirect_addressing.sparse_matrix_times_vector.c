/* sparse_matrix_times_vector, indirect_addressing.py:101 */

static int32_t sparse_matrix_times_vector_i(const weft_runtime *runtime, weft_fault *fault, int64_t *restrict start,
                                            int64_t *restrict column, int64_t column_n0, double *restrict value,
                                            int64_t value_n0, double *restrict x, int64_t x_n0, double *restrict out,
                                            int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 104 */
        int64_t t_3 = start[i];
        int64_t t_4 = start[i + 1];
        double s_2;
        if ((t_3 >= 0) & (value_n0 >= t_4) & (column_n0 >= t_4)) {
            double s = 0.0;
            int64_t k_next = t_3;
            while (k_next < t_4) {
                if (t_4 - k_next >= 32 && x_n0 > 0) {
                    int bad = 0;
                    double s_lanes[32];
                    for (int lane = 0; lane < 32; lane++) s_lanes[lane] = -0.0;
                    ONE_BY_ONE
                    for (int lane = 0; lane < 32; lane++) {
                        const int64_t k = k_next + lane;
                        /* line 105 */
                        int64_t t_7 = column[k];
                        int64_t place = from_end(t_7, x_n0);
                        bool outside = (uint64_t)place >= (uint64_t)x_n0;
                        bad |= outside;
                        s_lanes[lane] = fma_float64(value[k], x[(outside ? 0 : place)], s_lanes[lane]);
                    }
                    if (LIKELY(!bad)) {
                        for (int half = 16; half > 0; half /= 2) {
                            for (int lane = 0; lane < half; lane++) {
                                s_lanes[lane] = s_lanes[lane] + s_lanes[lane + half];
                            }
                        }
                        s = s + s_lanes[0];
                        k_next += 32;
                        continue;
                    }
                }
                const int64_t k_end = min_int64(k_next + 32, t_4);
                for (int64_t k = k_next; k < k_end; k++) {
                    /* line 105 */
                    int64_t t_7 = column[k];
                    int64_t place_2 = from_end(t_7, x_n0);
                    if (UNLIKELY((uint64_t)place_2 >= (uint64_t)x_n0)) {
                        return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_7}, {.i = x_n0}, {.i = i}, {.i = k}});
                    }
                    s = fma_float64(value[k], x[place_2], s);
                }
                k_next += 32;
            }
            s_2 = s;
        } else {
            double s_5 = 0.0;
            int64_t k_next_2 = t_3;
            while (k_next_2 < t_4) {
                if (t_4 - k_next_2 >= 32 && column_n0 > 0 && value_n0 > 0 && x_n0 > 0) {
                    int bad = 0;
                    double s_5_lanes[32];
                    for (int lane = 0; lane < 32; lane++) s_5_lanes[lane] = -0.0;
                    ONE_BY_ONE
                    for (int lane = 0; lane < 32; lane++) {
                        const int64_t k_1 = k_next_2 + lane;
                        /* line 105 */
                        int64_t place_3 = from_end(k_1, value_n0);
                        bool outside_2 = (uint64_t)place_3 >= (uint64_t)value_n0;
                        bad |= outside_2;
                        int64_t place_4 = from_end(k_1, column_n0);
                        bool outside_3 = (uint64_t)place_4 >= (uint64_t)column_n0;
                        bad |= outside_3;
                        int64_t t_25 = column[(outside_3 ? 0 : place_4)];
                        int64_t place_5 = from_end(t_25, x_n0);
                        bool outside_4 = (uint64_t)place_5 >= (uint64_t)x_n0;
                        bad |= outside_4;
                        double s_6 = fma_float64(value[(outside_2 ? 0 : place_3)], x[(outside_4 ? 0 : place_5)], s_5_lanes[lane]);
                        s_5_lanes[lane] = s_6;
                    }
                    if (LIKELY(!bad)) {
                        for (int half = 16; half > 0; half /= 2) {
                            for (int lane = 0; lane < half; lane++) {
                                s_5_lanes[lane] = s_5_lanes[lane] + s_5_lanes[lane + half];
                            }
                        }
                        s_5 = s_5 + s_5_lanes[0];
                        k_next_2 += 32;
                        continue;
                    }
                }
                const int64_t k_end_2 = min_int64(k_next_2 + 32, t_4);
                for (int64_t k_1 = k_next_2; k_1 < k_end_2; k_1++) {
                    /* line 105 */
                    int64_t place_6 = from_end(k_1, value_n0);
                    if (UNLIKELY((uint64_t)place_6 >= (uint64_t)value_n0)) {
                        return weft_raise(fault, 2, i, 4, (weft_value[]){{.i = k_1}, {.i = value_n0}, {.i = i}, {.i = k_1}});
                    }
                    int64_t place_7 = from_end(k_1, column_n0);
                    if (UNLIKELY((uint64_t)place_7 >= (uint64_t)column_n0)) {
                        return weft_raise(fault, 3, i, 4, (weft_value[]){{.i = k_1}, {.i = column_n0}, {.i = i}, {.i = k_1}});
                    }
                    int64_t t_25 = column[place_7];
                    int64_t place_8 = from_end(t_25, x_n0);
                    if (UNLIKELY((uint64_t)place_8 >= (uint64_t)x_n0)) {
                        return weft_raise(fault, 1, i, 4, (weft_value[]){{.i = t_25}, {.i = x_n0}, {.i = i}, {.i = k_1}});
                    }
                    s_5 = fma_float64(value[place_6], x[place_8], s_5);
                }
                k_next_2 += 32;
            }
            s_2 = s_5;
        }
        /* line 106 */
        out[i] = s_2;
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

static void sparse_matrix_times_vector_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct sparse_matrix_times_vector_i *c = context;
    (void)part;
    int32_t status = sparse_matrix_times_vector_i(c->runtime, c->fault, c->start, c->column, c->column_n0, c->value, c->value_n0, c->x, c->x_n0, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t sparse_matrix_times_vector_body(const weft_runtime *runtime, weft_fault *fault,
                                               int64_t *restrict start, int64_t *restrict column, int64_t column_n0,
                                               double *restrict value, int64_t value_n0, double *restrict x,
                                               int64_t x_n0, double *restrict out, int64_t out_n0) {
    /* line 102 */
    struct sparse_matrix_times_vector_i i_loop = {WEFT_OK, runtime, fault, start, column, column_n0, value, value_n0, x, x_n0, out};
    runtime->parallel(sparse_matrix_times_vector_i_piece, &i_loop, 0, out_n0, 0, (double)out_n0 * 18.75);
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
