/* fourier_transform, realistic_algorithms.py:23 */

static int32_t fourier_transform_start(const weft_runtime *runtime, complex128 *restrict y, int64_t half_2,
                                       int64_t t_6, double t_14, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = half_2;
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t start_index = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 34 */
        int64_t start = start_index * t_6;
        for (int64_t k_first = first, k_last = first_whole(&y[start + first], 16, first, last); k_first < last; k_first = k_last, k_last = last) {
            INDEPENDENT
            for (int64_t k = k_first; k < k_last; k++) {
                /* line 36 */
                double angle = -3.141592653589793 * (double)k / t_14;
                /* line 37 */
                int64_t t_16 = start + k;
                int64_t t_17 = t_16 + half_2;
                complex128 turned = mul_complex128(y[t_17], ((complex128){cos_float64(angle), sin_float64(angle)}));
                /* line 38 */
                complex128 upper = y[t_16];
                /* line 39 */
                y[t_16] = add_complex128(upper, turned);
                /* line 40 */
                y[t_17] = sub_complex128(upper, turned);
            }
        }
    }
    return WEFT_OK;
}

struct fourier_transform_start {
    int32_t status;
    const weft_runtime *runtime;
    complex128 *y;
    int64_t half_2;
    int64_t t_6;
    double t_14;
};

static int32_t fourier_transform_start_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct fourier_transform_start *c = context;
    (void)part;
    int32_t status = fourier_transform_start(c->runtime, c->y, c->half_2, c->t_6, c->t_14, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t fourier_transform_start_2(const weft_runtime *runtime, weft_fault *fault, complex128 *restrict y,
                                         int64_t y_n0, int64_t half_2, int64_t t_6, double t_51, int64_t begin,
                                         int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    int64_t width_2 = half_2;
    for (int64_t row_2 = begin / width_2; row_2 * width_2 < end; row_2++) {
        const int64_t start_index_1 = row_2;
        int64_t first_2 = max_int64(begin - row_2 * width_2, 0);
        int64_t last_2 = min_int64(end - row_2 * width_2, width_2);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 34 */
        int64_t start_1 = start_index_1 * t_6;
        for (int64_t k_1 = first_2; k_1 < last_2; k_1++) {
            /* line 36 */
            double angle_1 = -3.141592653589793 * (double)k_1 / t_51;
            /* line 37 */
            int64_t t_52 = start_1 + k_1;
            int64_t t_53 = t_52 + half_2;
            if (UNLIKELY((uint64_t)t_53 >= (uint64_t)y_n0)) {
                return weft_raise(fault, 8, row_2 * width_2 + k_1, 4, (weft_value[]){{.i = t_53}, {.i = y_n0}, {.i = start_1}, {.i = k_1}});
            }
            complex128 turned_1 = mul_complex128(y[t_53], ((complex128){cos_float64(angle_1), sin_float64(angle_1)}));
            /* line 38 */
            if (UNLIKELY((uint64_t)t_52 >= (uint64_t)y_n0)) {
                return weft_raise(fault, 9, row_2 * width_2 + k_1, 4, (weft_value[]){{.i = t_52}, {.i = y_n0}, {.i = start_1}, {.i = k_1}});
            }
            complex128 upper_1 = y[t_52];
            /* line 39 */
            if (UNLIKELY((uint64_t)t_52 >= (uint64_t)y_n0)) {
                return weft_raise(fault, 10, row_2 * width_2 + k_1, 4, (weft_value[]){{.i = t_52}, {.i = y_n0}, {.i = start_1}, {.i = k_1}});
            }
            y[t_52] = add_complex128(upper_1, turned_1);
            /* line 40 */
            if (UNLIKELY((uint64_t)t_53 >= (uint64_t)y_n0)) {
                return weft_raise(fault, 11, row_2 * width_2 + k_1, 4, (weft_value[]){{.i = t_53}, {.i = y_n0}, {.i = start_1}, {.i = k_1}});
            }
            y[t_53] = sub_complex128(upper_1, turned_1);
        }
    }
    return WEFT_OK;
}

static int32_t fourier_transform_start_2_ahead(const weft_runtime *runtime, weft_fault *fault,
                                               complex128 *restrict y, int64_t y_n0, int64_t half_2, int64_t t_6,
                                               int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over_2 = weft_is_over(fault, begin);
    if (UNLIKELY(over_2)) {
        return over_2;
    }
    int64_t width_3 = half_2;
    for (int64_t row_3 = begin / width_3; row_3 * width_3 < end; row_3++) {
        const int64_t start_index_1_2 = row_3;
        int64_t first_3 = max_int64(begin - row_3 * width_3, 0);
        int64_t last_3 = min_int64(end - row_3 * width_3, width_3);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 34 */
        int64_t start_1 = start_index_1_2 * t_6;
        int64_t k_next = first_3;
        while (k_next < last_3) {
            if (y_n0 > 0) {
                int64_t bad = 0;
                int count = (int)weft_left(k_next, last_3, 1024);
                ONE_BY_ONE
                for (int lane = 0; lane < count; lane++) {
                    const int64_t k_1_2 = k_next + lane;
                    /* line 37 */
                    int64_t t_52 = start_1 + k_1_2;
                    int64_t t_53 = t_52 + half_2;
                    bool outside = (uint64_t)t_53 >= (uint64_t)y_n0;
                    bad |= outside;
                    complex128 t_54 = y[(outside ? 0 : t_53)];
                    /* line 38 */
                    bool outside_2 = (uint64_t)t_52 >= (uint64_t)y_n0;
                    bad |= outside_2;
                    complex128 upper_1 = y[(outside_2 ? 0 : t_52)];
                    /* line 39 */
                    bool outside_3 = (uint64_t)t_52 >= (uint64_t)y_n0;
                    bad |= outside_3;
                    /* line 40 */
                    bool outside_4 = (uint64_t)t_53 >= (uint64_t)y_n0;
                    bad |= outside_4;
                }
                if (LIKELY(!bad)) {
                    k_next += count;
                    continue;
                }
            }
            const int64_t k_end = k_next + weft_left(k_next, last_3, 1024);
            for (int64_t k_1_2 = k_next; k_1_2 < k_end; k_1_2++) {
                /* line 37 */
                int64_t t_52 = start_1 + k_1_2;
                int64_t t_53 = t_52 + half_2;
                if (UNLIKELY((uint64_t)t_53 >= (uint64_t)y_n0)) {
                    return weft_raise(fault, 8, row_3 * width_3 + k_1_2, 4, (weft_value[]){{.i = t_53}, {.i = y_n0}, {.i = start_1}, {.i = k_1_2}});
                }
                complex128 t_54 = y[t_53];
                /* line 38 */
                if (UNLIKELY((uint64_t)t_52 >= (uint64_t)y_n0)) {
                    return weft_raise(fault, 9, row_3 * width_3 + k_1_2, 4, (weft_value[]){{.i = t_52}, {.i = y_n0}, {.i = start_1}, {.i = k_1_2}});
                }
                complex128 upper_1 = y[t_52];
                /* line 39 */
                if (UNLIKELY((uint64_t)t_52 >= (uint64_t)y_n0)) {
                    return weft_raise(fault, 10, row_3 * width_3 + k_1_2, 4, (weft_value[]){{.i = t_52}, {.i = y_n0}, {.i = start_1}, {.i = k_1_2}});
                }
                /* line 40 */
                if (UNLIKELY((uint64_t)t_53 >= (uint64_t)y_n0)) {
                    return weft_raise(fault, 11, row_3 * width_3 + k_1_2, 4, (weft_value[]){{.i = t_53}, {.i = y_n0}, {.i = start_1}, {.i = k_1_2}});
                }
            }
            k_next = k_end;
        }
    }
    return WEFT_OK;
}

struct fourier_transform_start_2 {
    int32_t status;
    int64_t turn;
    const weft_runtime *runtime;
    weft_fault *fault;
    complex128 *y;
    int64_t y_n0;
    int64_t half_2;
    int64_t t_6;
    double t_51;
};

static int32_t fourier_transform_start_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct fourier_transform_start_2 *c = context;
    (void)part;
    int32_t status = fourier_transform_start_2(c->runtime, c->fault, c->y, c->y_n0, c->half_2, c->t_6, c->t_51, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t fourier_transform_start_2_in_turn(void *context, int64_t begin, int64_t end, int64_t part) {
    struct fourier_transform_start_2 *c = context;
    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);
    if (status) return status;
    weft_fault fault = {0};
    status = fourier_transform_start_2_ahead(c->runtime, &fault, c->y, c->y_n0, c->half_2, c->t_6, begin, end);
    if (!c->runtime->await_turn(&c->turn, begin, &c->status)) return WEFT_INTERRUPTED;
    if (LIKELY(!status)) {
        __atomic_store_n(&c->turn, end, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
        if (status < 0) return status;
        end = fault.iteration + 1;
    }
    return fourier_transform_start_2_piece(context, begin, end, part);
}

static int32_t fourier_transform_body(const weft_runtime *runtime, weft_fault *fault, complex128 *restrict x,
                                      int64_t x_n0, complex128 *restrict y, int64_t y_n0, int64_t bits) {
    volatile int *const stop = runtime->stop;
    /* line 25 */
    for (int64_t i = 0; i < x_n0; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 28 */
        int64_t place = 0;
        int64_t rest = i;
        for (int64_t length = 0; length < bits; length++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 29 */
            int64_t t;
            if (UNLIKELY(mul_overflows(place, 2, &t))) {
                return weft_raise(fault, 1, 0, 4, (weft_value[]){{.i = place}, {.i = 2}, {.i = i}, {.i = length}});
            }
            int64_t t_1 = rest & 1;
            int64_t place_1;
            if (UNLIKELY(add_overflows(t, t_1, &place_1))) {
                return weft_raise(fault, 2, 0, 4, (weft_value[]){{.i = t}, {.i = t_1}, {.i = i}, {.i = length}});
            }
            /* line 30 */
            place = place_1;
            rest = floordiv_by_positive_int64(rest, 2);
        }
        /* line 31 */
        int64_t place_2 = rarely_from_end(place, y_n0);
        if (UNLIKELY((uint64_t)place_2 >= (uint64_t)y_n0)) {
            return weft_raise(fault, 3, 0, 3, (weft_value[]){{.i = place}, {.i = y_n0}, {.i = i}});
        }
        y[place_2] = x[i];
    }
    /* line 34 */
    int64_t t_8 = 0 - x_n0;
    bool t_35 = y_n0 <= 1073741824;
    /* line 33 */
    int64_t half_2 = 1;
    while (half_2 < x_n0) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 34 */
        int64_t t_6;
        if (UNLIKELY(mul_overflows(2, half_2, &t_6))) {
            return weft_raise(fault, 4, 0, 2, (weft_value[]){{.i = 2}, {.i = half_2}});
        }
        if (t_6 == 0) {
            return weft_raise(fault, 5, 0, 0, NULL);
        }
        if (UNLIKELY(t_6 == 0)) {
            return weft_raise(fault, 6, 0, 2, (weft_value[]){{.i = t_8}, {.i = t_6}});
        }
        if (UNLIKELY(division_overflows(t_8, t_6))) {
            return weft_raise(fault, 6, 0, 2, (weft_value[]){{.i = t_8}, {.i = t_6}});
        }
        int64_t t_9 = python_floordiv(t_8, t_6);
        int64_t t_10;
        if (UNLIKELY(sub_overflows(0, t_9, &t_10))) {
            return weft_raise(fault, 7, 0, 2, (weft_value[]){{.i = 0}, {.i = t_9}});
        }
        bool t_37 = (t_9 <= 1073741824) & (t_9 >= -1073741824) & (half_2 >= -1073741824) & t_35;
        bool t_48 = (t_37 ? y_n0 + half_2 * (t_9 * 2) >= 0 : false) & (t_37 ? y_n0 + half_2 + half_2 * (t_9 * 2) >= 0 : false);
        if (t_48) {
            /* line 36 */
            double t_14 = (double)half_2;
            /* line 34 */
            int64_t trips = weft_rectangle(weft_trips(0, t_10), weft_trips(0, half_2));
            struct fourier_transform_start start_index_loop = {WEFT_OK, runtime, y, half_2, t_6, t_14};
            runtime->parallel(fourier_transform_start_piece, &start_index_loop, 0, trips, 0, (double)trips * 5.92);
            if (UNLIKELY(start_index_loop.status)) {
                return start_index_loop.status;
            }
        } else {
            /* line 36 */
            double t_51 = (double)half_2;
            /* line 34 */
            int64_t trips_2 = weft_rectangle(weft_trips(0, t_10), weft_trips(0, half_2));
            struct fourier_transform_start_2 start_index_loop_2 = {WEFT_OK, 0, runtime, fault, y, y_n0, half_2, t_6, t_51};
            double work = (double)trips_2 * 5.92;
            if (runtime->is_shared(work)) {
                runtime->in_order(fourier_transform_start_2_in_turn, &start_index_loop_2, 0, trips_2, 0, 8192, work);
            } else {
                runtime->parallel(fourier_transform_start_2_piece, &start_index_loop_2, 0, trips_2, 0, work);
            }
            if (UNLIKELY(start_index_loop_2.status)) {
                return start_index_loop_2.status;
            }
        }
        half_2 = t_6;
    }
    return WEFT_OK;
}

int32_t enter_fourier_transform(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                weft_fault *fault) {
    complex128 *x = (complex128 *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    complex128 *y = (complex128 *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    int64_t bits = arguments[2].i;
    /* line 23 */
    bool t_24 = (x_n0 <= 1073741824) & (bits <= 72057594037927936L) & (bits >= -72057594037927936L);
    if (!(t_24)) return WEFT_OTHER_VARIANT;
    int32_t status = fourier_transform_body(runtime, fault, x, x_n0, y, y_n0, bits);
    return status > 0 ? fault->site : status;
}
