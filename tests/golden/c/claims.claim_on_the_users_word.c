/* claim_on_the_users_word, claims.py:30 */

static int32_t claim_on_the_users_word_i(const weft_runtime *runtime, weft_fault *fault, int64_t *restrict index_2,
                                         double *restrict x, double *restrict out, int64_t out_n0, int64_t begin,
                                         int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    for (int64_t i = begin; i < end; i++) {
        /* line 32 */
        int64_t t_3 = index_2[i];
        int64_t place = rarely_from_end(t_3, out_n0);
        if (UNLIKELY((uint64_t)place >= (uint64_t)out_n0)) {
            return weft_raise(fault, 1, i, 3, (weft_value[]){{.i = t_3}, {.i = out_n0}, {.i = i}});
        }
        out[place] = x[i] + 1.0;
    }
    return WEFT_OK;
}

static int32_t claim_on_the_users_word_i_ahead(const weft_runtime *runtime, weft_fault *fault,
                                               int64_t *restrict index_2, int64_t out_n0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t i_next = begin;
    while (i_next < end) {
        if (out_n0 > 0) {
            int64_t bad = 0;
            int count = (int)weft_left(i_next, end, 1024);
            ONE_BY_ONE
            for (int lane = 0; lane < count; lane++) {
                const int64_t i_2 = i_next + lane;
                /* line 32 */
                int64_t t_2 = index_2[i_2];
                int64_t place_2 = from_end(t_2, out_n0);
                bool outside = (uint64_t)place_2 >= (uint64_t)out_n0;
                bad |= outside;
            }
            if (LIKELY(!bad)) {
                i_next += count;
                continue;
            }
        }
        const int64_t i_end = i_next + weft_left(i_next, end, 1024);
        for (int64_t i_2 = i_next; i_2 < i_end; i_2++) {
            /* line 32 */
            int64_t t_2 = index_2[i_2];
            int64_t place_3 = rarely_from_end(t_2, out_n0);
            if (UNLIKELY((uint64_t)place_3 >= (uint64_t)out_n0)) {
                return weft_raise(fault, 1, i_2, 3, (weft_value[]){{.i = t_2}, {.i = out_n0}, {.i = i_2}});
            }
        }
        i_next = i_end;
    }
    return WEFT_OK;
}

struct claim_on_the_users_word_i {
    int32_t status;
    int64_t turn;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t *index_2;
    double *x;
    double *out;
    int64_t out_n0;
};

static int32_t claim_on_the_users_word_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct claim_on_the_users_word_i *c = context;
    (void)part;
    int32_t status = claim_on_the_users_word_i(c->runtime, c->fault, c->index_2, c->x, c->out, c->out_n0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t claim_on_the_users_word_i_in_turn(void *context, int64_t begin, int64_t end, int64_t part) {
    struct claim_on_the_users_word_i *c = context;
    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);
    if (status) return status;
    weft_fault fault = {0};
    status = claim_on_the_users_word_i_ahead(c->runtime, &fault, c->index_2, c->out_n0, begin, end);
    if (!c->runtime->await_turn(&c->turn, begin, &c->status)) return WEFT_INTERRUPTED;
    if (LIKELY(!status)) {
        __atomic_store_n(&c->turn, end, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
        if (status < 0) return status;
        end = fault.iteration + 1;
    }
    return claim_on_the_users_word_i_piece(context, begin, end, part);
}

static int32_t claim_on_the_users_word_body(const weft_runtime *runtime, weft_fault *fault,
                                            int64_t *restrict index_2, int64_t index_2_n0, double *restrict x,
                                            double *restrict out, int64_t out_n0) {
    /* line 31 */
    struct claim_on_the_users_word_i i_loop = {WEFT_OK, 0, runtime, fault, index_2, x, out, out_n0};
    double work = (double)index_2_n0 * 0.51;
    if (runtime->is_shared(work)) {
        runtime->in_order(claim_on_the_users_word_i_in_turn, &i_loop, 0, index_2_n0, 0, 8192, work);
    } else {
        runtime->parallel(claim_on_the_users_word_i_piece, &i_loop, 0, index_2_n0, 0, work);
    }
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_claim_on_the_users_word(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                      weft_fault *fault) {
    int64_t *index_2 = (int64_t *)arguments[0].view->data;
    int64_t index_2_n0 = arguments[0].view->shape[0];
    double *x = (double *)arguments[1].view->data;
    int64_t x_n0 = arguments[1].view->shape[0];
    double *out = (double *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    /* line 30 */
    if (!(x_n0 >= index_2_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = claim_on_the_users_word_body(runtime, fault, index_2, index_2_n0, x, out, out_n0);
    return status > 0 ? fault->site : status;
}
