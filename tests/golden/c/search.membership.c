/* membership, search.py:152 */

static int32_t membership_i(const weft_runtime *runtime, int64_t *restrict x, int64_t *restrict members,
                            int64_t members_n0, uint8_t *restrict out, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 154 */
        out[i] = false;
        /* line 155 */
        bool alive_1 = true;
        for (int64_t j = 0; j < members_n0; j++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 156 */
            bool alive;
            if (members[j] == x[i]) {
                /* line 157 */
                out[i] = true;
                alive = false;
            } else {
                alive = true;
            }
            alive_1 = alive;
            if (!alive_1) break;
        }
    }
    return WEFT_OK;
}

struct membership_i {
    int32_t status;
    const weft_runtime *runtime;
    int64_t *x;
    int64_t *members;
    int64_t members_n0;
    uint8_t *out;
};

static int32_t membership_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct membership_i *c = context;
    (void)part;
    int32_t status = membership_i(c->runtime, c->x, c->members, c->members_n0, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t membership_body(const weft_runtime *runtime, int64_t *restrict x, int64_t x_n0,
                               int64_t *restrict members, int64_t members_n0, uint8_t *restrict out) {
    /* line 153 */
    struct membership_i i_loop = {WEFT_OK, runtime, x, members, members_n0, out};
    runtime->parallel(membership_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * (2.04 + (double)members_n0 * (1.22)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_membership(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                         weft_fault *fault) {
    int64_t *x = (int64_t *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    int64_t *members = (int64_t *)arguments[1].view->data;
    int64_t members_n0 = arguments[1].view->shape[0];
    uint8_t *out = (uint8_t *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    /* line 152 */
    if (!(out_n0 >= x_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = membership_body(runtime, x, x_n0, members, members_n0, out);
    return status > 0 ? fault->site : status;
}
