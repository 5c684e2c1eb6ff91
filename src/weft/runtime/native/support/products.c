/* Products of matrices, by the vendor's library or by their kernels: what was chosen is remembered, and measured on demand. */
#include "products.h"
#include "device_state.h"
#include <string.h>

weft_way (*weft_choose_product)(const weft_device *, const weft_product *, weft_algorithm *);

/* The own way of the product that is asked about. */
static _Thread_local struct {
    weft_own_way own;
    void *given;
} asked;

enum { ALIGNMENT = 256 };

static weft_product without_places(const weft_product *product) {
    weft_product key;
    memset(&key, 0, sizeof key);
    key.size = product->size;
    key.kernel = product->kernel;
    key.freedom = product->freedom;
    memcpy(key.extents, product->extents, sizeof key.extents);
    memcpy(key.strides, product->strides, sizeof key.strides);
    for (int k = 0; k < 3; k++) key.places[k] = product->places[k] % ALIGNMENT;
    return key;
}

/* What was chosen for a product; NULL: nothing yet. */
static weft_chosen_product *recall(weft_products *products, const weft_product *key) {
    for (int k = 0; k < WEFT_KNOWN_PRODUCTS; k++) {
        weft_chosen_product *known = &products->chosen[k];
        if (known->way != WEFT_UNDECIDED && !memcmp(&known->product, key, sizeof *key)) return known;
    }
    return NULL;
}

/* Takes the place of the oldest choice. */
static void remember(device_state *self, const weft_product *key, weft_way way, void *prepared) {
    weft_products *products = &self->products;
    weft_chosen_product *place = &products->chosen[products->next];
    products->next = (products->next + 1) % WEFT_KNOWN_PRODUCTS;
    if (place->prepared) self->driver->forget(self->state, place->prepared);
    memcpy(&place->product, key, sizeof *key);
    place->prepared = prepared;
    place->way = way;
}

static int is_adopted(device_state *self) { return self->driver->is_adopted && self->driver->is_adopted(self->state); }

/* What it touches of the pool's memory. */
static weft_work work_of(device_state *self, const weft_product *product, weft_touch touches[3]) {
    weft_work work = {.lane = WEFT_KERNELS, .touches = touches};
    for (int k = 0; k < 3; k++) {
        weft_use *use = weft_pool_use(&self->pool, product->places[k]);
        if (use) touches[work.count++] = (weft_touch){use, k == 0};
    }
    return work;
}

/* Queues a product behind the kernels so far. */
static int queue(const weft_device *device, const weft_product *product, void *prepared) {
    device_state *self = device->state;
    weft_touch touches[3];
    weft_work work = work_of(self, product, touches);
    int meets = is_adopted(self), status = weft_device_ready(self);
    if (!status && meets) status = self->driver->meet(self->state);
    if (!status) status = weft_lanes_order(&self->lanes, &work);
    if (status) return status;
    weft_event event = weft_begin_event(device, WEFT_LAUNCH, 0, product->kernel, 0);
    status = self->driver->multiply(self->state, prepared, product->places);
    if (!status && meets) status = self->driver->meet(self->state);
    return weft_end_event(device, &event, status ? status : weft_note_work(self, &work, product->kernel));
}

/* Asks how a product is computed; where the library does not take these very sizes, in its own way. */
static void decide(const weft_device *device, const weft_product *product, const weft_product *key) {
    device_state *self = device->state;
    weft_algorithm algorithm;
    void *prepared = NULL;
    weft_way way = weft_choose_product(device, product, &algorithm);
    if (way == WEFT_BY_LIBRARY && self->driver->prepare(self->state, product, &algorithm, &prepared)) way = WEFT_OWN_WAY;
    pthread_mutex_lock(&self->products.lock);
    if (way != WEFT_UNDECIDED) remember(self, key, way, prepared);
    pthread_mutex_unlock(&self->products.lock);
}

/* By the library, if that was chosen: 1; in the own way: 0; not yet known: -1. */
static int by_library(const weft_device *device, const weft_product *product, const weft_product *key, int *status) {
    weft_products *products = &((device_state *)device->state)->products;
    pthread_mutex_lock(&products->lock);
    const weft_chosen_product *known = recall(products, key);
    int library = known ? known->way == WEFT_BY_LIBRARY : -1;
    if (library == 1) *status = queue(device, product, known->prepared);
    pthread_mutex_unlock(&products->lock);
    return library;
}

int weft_multiply(const weft_device *device, const weft_product *product, weft_own_way own, void *given) {
    device_state *self = device->state;
    if (!self->driver->multiply || !weft_choose_product || self->forked) return own(given);
    weft_product key = without_places(product);
    int status = 0, library = by_library(device, product, &key, &status);
    if (library < 0) {
        asked.own = own;
        asked.given = given;
        decide(device, product, &key);
        asked.own = NULL;
        library = by_library(device, product, &key, &status);
    }
    return library == 1 && !status ? 0 : own(given);
}

/* Runs a product in a way several times: what is prepared, or the own way of the product that is asked about. */
static int run(const weft_device *device, const weft_product *product, void *prepared, int runs) {
    int status = 0;
    for (int k = 0; !status && k < runs; k++)
        status = prepared ? queue(device, product, prepared) : asked.own ? asked.own(asked.given) : WEFT_NOT_OURS;
    return status ? status : weft_device_ready(device->state);
}

static int time_runs(const weft_device *device, const weft_product *product, void *prepared, int runs, double *seconds) {
    device_state *self = device->state;
    uint64_t first = 0, second = 0;
    int status = run(device, product, prepared, 1);
    if (!status) status = self->driver->mark(self->state, WEFT_KERNELS, &first);
    if (!status) status = run(device, product, prepared, runs);
    if (!status) status = self->driver->mark(self->state, WEFT_KERNELS, &second);
    if (!status) status = self->driver->between(self->state, first, second, seconds);
    else if (first) self->driver->reach(self->state, first);
    *seconds /= runs;
    return status;
}

int weft_time_product(const weft_device *device, const weft_product *product, const weft_algorithm *algorithm, int runs,
                      double *seconds) {
    device_state *self = device->state;
    void *prepared = NULL;
    int status = algorithm ? self->driver->prepare(self->state, product, algorithm, &prepared) : 0;
    if (!status) status = time_runs(device, product, prepared, runs, seconds);
    if (prepared) self->driver->forget(self->state, prepared);
    return status;
}

int weft_find_algorithms(const weft_device *device, const weft_product *product, weft_algorithm *found, int most, int *count) {
    device_state *self = device->state;
    *count = 0;
    return self->driver->find_algorithms ? self->driver->find_algorithms(self->state, product, found, most, count) : 0;
}
