/* Bytes that are in several memories: see `storage.h`. */
#include "storage.h"
#include "host_memory.h"
#include "driver.h"
#include "ledger.h"
#include "mirror.h"
#include <stdlib.h>
#include <string.h>

void weft_storage_init(weft_storage *storage, size_t bytes, int zeros) {
    memset(storage, 0, sizeof *storage);
    storage->bytes = bytes;
    storage->zeros = zeros;
    pthread_mutex_init(&storage->lock, NULL);
}

/* Waits until no copy to a device reads the host's memory any more. */
static int finish_sending(weft_storage *storage) {
    int status = 0;
    for (int k = 0; !status && k < storage->count; k++) {
        weft_copy *copy = &storage->copies[k];
        if (copy->sending && !(status = copy->device->finish_sent(copy->device, copy->sending))) copy->sending = 0;
        if (status) storage->failed = copy->device;
    }
    return status;
}

void weft_storage_hold(weft_storage *storage) { __atomic_add_fetch(&storage->holders, 1, __ATOMIC_ACQ_REL); }

void weft_storage_let_go(weft_storage *storage) { __atomic_sub_fetch(&storage->holders, 1, __ATOMIC_ACQ_REL); }

/* Gives the memory of a copy back. */
static int drop(weft_storage *storage, weft_copy *copy) {
    int status = copy->device->release(copy->device, copy->address);
    weft_leave(copy->resident);
    *copy = storage->copies[--storage->count];
    return status;
}

/* It may be on its way home, to make room for another. */
void weft_storage_free(weft_storage *storage) {
    pthread_mutex_lock(&storage->lock);
    finish_sending(storage);
    while (storage->count) {
        weft_copy *copy = &storage->copies[storage->count - 1];
        if (copy->foreign) copy->device->settle(copy->device);
        drop(storage, copy);
    }
    if (storage->host) weft_host_release(storage->host);
    free(storage->copies);
    weft_storage_forget_parts(storage);
    pthread_mutex_unlock(&storage->lock);
    pthread_mutex_destroy(&storage->lock);
}

static weft_copy *find(const weft_storage *storage, const weft_device *device) {
    for (int k = 0; k < storage->count; k++)
        if (storage->copies[k].device == device) return &storage->copies[k];
    return NULL;
}

/* The copy on a device, made where there is none. */
static int make(weft_storage *storage, const weft_device *device, weft_copy **made) {
    if ((*made = find(storage, device))) return weft_use_resident((*made)->resident), 0;
    weft_copy *copies = realloc(storage->copies, (size_t)(storage->count + 1) * sizeof *copies);
    if (!copies) return WEFT_NO_HOST_MEMORY;
    storage->copies = copies;
    weft_copy copy = {.device = device};
    int status = device->allocate(device, storage->bytes ? storage->bytes : 1, &copy.address);
    if (status) return status;
    if (!(copy.resident = weft_reside(storage, device, storage->bytes))) {
        device->release(device, copy.address);
        return WEFT_NO_HOST_MEMORY;
    }
    copies[storage->count] = copy;
    *made = &copies[storage->count++];
    return 0;
}

static int make_host(weft_storage *storage) {
    if (!storage->host) storage->host = weft_host_allocate(storage->bytes);
    return storage->host ? 0 : WEFT_NO_HOST_MEMORY;
}

static int fetch(weft_storage *storage, weft_copy *from) {
    int status = make_host(storage);
    if (!status) status = finish_sending(storage);
    if (status) return status;
    status = from->device->copy_out(from->device, storage->host, from->address, 0, storage->bytes);
    if (!status) status = from->device->finish_copies(from->device);
    if (status) storage->failed = from->device;
    else storage->host_current = 1;
    return status;
}

static int send(weft_storage *storage, weft_copy *to) {
    int status = to->device->copy_in(to->device, to->address, 0, storage->host, storage->bytes);
    if (status) return status;
    to->current = 1;
    to->sending = to->device->sent(to->device);
    return 0;
}

static weft_copy *current_copy(const weft_storage *storage) {
    for (int k = 0; k < storage->count; k++)
        if (storage->copies[k].current) return &storage->copies[k];
    return NULL;
}

static int refresh_host(weft_storage *storage) {
    if (storage->host_current) return 0;
    weft_copy *from = current_copy(storage);
    if (from) return fetch(storage, from);
    int status = make_host(storage);
    if (!status && storage->zeros) memset(storage->host, 0, storage->bytes);
    if (!status) storage->host_current = 1;
    return status;
}

/* From one device to another, where there is a way between them. */
static int fetch_across(weft_storage *storage, weft_copy *to) {
    weft_copy *from = current_copy(storage);
    if (!from || !storage->bytes) return WEFT_NOT_DIRECT;
    int status = to->device->copy_across(to->device, to->address, from->device, from->address, storage->bytes);
    if (!status) to->current = 1;
    return status;
}

/* From one device to another directly, or by way of the host. */
static int refresh_copy(weft_storage *storage, weft_copy *to) {
    if (to->current) return 0;
    if (storage->host_current || current_copy(storage)) {
        int status = fetch_across(storage, to);
        if (status != WEFT_NOT_DIRECT) return status;
        status = refresh_host(storage);
        return status ? status : send(storage, to);
    }
    int status = storage->zeros ? to->device->clear(to->device, to->address, storage->bytes) : 0;
    if (!status) to->current = 1;
    return status;
}

static void trust_only(weft_storage *storage, const weft_device *place) {
    weft_storage_forget_parts(storage);
    storage->host_current = !place;
    for (int k = 0; k < storage->count; k++) storage->copies[k].current = storage->copies[k].device == place;
}

/* Brings the order into which loans put things: waits for others who may be writing, and trusts nobody else. */
static int settle_loans(weft_storage *storage) {
    if (storage->loans) trust_only(storage, NULL);
    for (int k = 0; k < storage->count; k++) {
        weft_copy *copy = &storage->copies[k];
        if (!copy->loans && !copy->foreign) continue;
        int status = copy->device->settle(copy->device);
        if (status) return status;
        copy->foreign = copy->loans > 0;
        trust_only(storage, copy->device);
    }
    return 0;
}

static int acquire(weft_storage *storage, const weft_device *place, int writes, uint64_t *address) {
    int status = settle_loans(storage);
    weft_copy *copy = NULL;
    if (!status) status = place ? make(storage, place, &copy) : refresh_host(storage);
    if (!status && copy) status = refresh_copy(storage, copy);
    if (!status && !place && writes) status = finish_sending(storage);
    *address = copy ? copy->address : (uint64_t)(size_t)storage->host;
    return status;
}

/* The host changes what passed through a device, or sees what was written there. */
static void look(weft_storage *storage, const weft_device *place, int writes) {
    if (!place && (writes || storage->passed > 1)) storage->passed = 0;
}

static uint64_t places_of(const weft_storage *storage) {
    uint64_t places = (uint64_t)storage->host_current;
    for (int k = 0; k < storage->count; k++)
        if (storage->copies[k].current) places += (uint64_t)(size_t)storage->copies[k].device;
    return places;
}

uint64_t weft_storage_places(weft_storage *storage) {
    pthread_mutex_lock(&storage->lock);
    uint64_t places = places_of(storage);
    pthread_mutex_unlock(&storage->lock);
    return places;
}

/* Most arrays of short calls have never been on a device, and taking the lock of each would be a tenth of such a call. Who
   asks while another thread moves the array may be told either. */
int weft_storage_places_now(weft_storage *storage, uint64_t *places) {
    if (!__atomic_load_n(&storage->count, __ATOMIC_RELAXED)) {
        *places = (uint64_t)__atomic_load_n(&storage->host_current, __ATOMIC_RELAXED);
        return 1;
    }
    if (pthread_mutex_trylock(&storage->lock)) return 0;
    *places = places_of(storage);
    pthread_mutex_unlock(&storage->lock);
    return 1;
}

int weft_storage_acquire(weft_storage *storage, const weft_device *place, int writes, uint64_t *address) {
    if (place) weft_storage_hold(storage);
    pthread_mutex_lock(&storage->lock);
    storage->failed = NULL;
    int status = acquire(storage, place, writes, address);
    look(storage, place, writes);
    pthread_mutex_unlock(&storage->lock);
    if (place) weft_storage_let_go(storage);
    return status;
}

/* The copy on a device where nobody else can see or change the bytes but through the storage. It is locked. */
static weft_copy *only_copy(const weft_storage *storage, const weft_device *place) {
    weft_copy *copy = find(storage, place);
    return copy && storage->count == 1 && !storage->loans && !storage->views && !copy->loans && !copy->foreign ? copy : NULL;
}

int weft_storage_is_there(weft_storage *storage, const weft_device *place, uint64_t *address) {
    if (!place || pthread_mutex_trylock(&storage->lock)) return 0;
    const weft_copy *copy = only_copy(storage, place);
    int is_there = copy && copy->current;
    if (is_there) {
        weft_use_resident(copy->resident);
        storage->failed = NULL;
        *address = copy->address;
    }
    pthread_mutex_unlock(&storage->lock);
    return is_there;
}

int weft_storage_has_written(weft_storage *storage, const weft_device *place) {
    if (!place || pthread_mutex_trylock(&storage->lock)) return 0;
    int is_noted = only_copy(storage, place) != NULL;
    if (is_noted) {
        trust_only(storage, place);
        storage->zeros = 0;
    }
    pthread_mutex_unlock(&storage->lock);
    return is_noted;
}

/* Whoever looks without asking again sees what was written: lenders, and holders of NumPy views. */
static int show(weft_storage *storage, const weft_device *place) {
    weft_present_cause.reason = "a NumPy array that shows it is alive";
    int status = place && storage->views ? refresh_host(storage) : 0;
    weft_present_cause.reason = "it is lent to another library";
    for (int k = 0; !status && k < storage->count; k++) {
        weft_copy *copy = &storage->copies[k];
        if (!copy->loans) continue;
        status = refresh_copy(storage, copy);
        if (!status) status = copy->device->wait(copy->device);
        copy->sending = 0;
    }
    weft_present_cause.reason = NULL;
    return status;
}

int weft_storage_wrote(weft_storage *storage, const weft_device *place) {
    pthread_mutex_lock(&storage->lock);
    trust_only(storage, place);
    storage->zeros = 0;
    int status = show(storage, place);
    pthread_mutex_unlock(&storage->lock);
    return status;
}

uint64_t weft_storage_address(weft_storage *storage, const weft_device *device) {
    pthread_mutex_lock(&storage->lock);
    const weft_copy *copy = find(storage, device);
    uint64_t address = copy ? copy->address : 0;
    pthread_mutex_unlock(&storage->lock);
    return address;
}

int weft_storage_is_away(weft_storage *storage, const weft_device *device) {
    pthread_mutex_lock(&storage->lock);
    int is_away = !find(storage, device);
    pthread_mutex_unlock(&storage->lock);
    return is_away;
}

int weft_storage_may_pass(weft_storage *storage) {
    pthread_mutex_lock(&storage->lock);
    int may = !storage->passed && !storage->loans && !storage->zeros && !current_copy(storage);
    for (int k = 0; k < storage->count; k++) may &= !storage->copies[k].loans && !storage->copies[k].foreign;
    pthread_mutex_unlock(&storage->lock);
    return may;
}

void weft_storage_passed(weft_storage *storage, int written) {
    pthread_mutex_lock(&storage->lock);
    storage->passed = written ? 2 : 1;
    pthread_mutex_unlock(&storage->lock);
}

int weft_storage_leave(weft_storage *storage, const weft_device *device) {
    pthread_mutex_lock(&storage->lock);
    weft_copy *copy = find(storage, device);
    int status = 0, stays = !copy || copy->foreign || !storage->host_current;
    stays |= __atomic_load_n(&storage->holders, __ATOMIC_ACQUIRE) > 0;
    if (!stays && !(status = finish_sending(storage))) status = drop(storage, copy);
    pthread_mutex_unlock(&storage->lock);
    return status;
}

/* Whether nothing is lost with a copy: the bytes are elsewhere, or nobody has written any. */
static int is_spare(const weft_storage *storage, const weft_copy *copy) {
    int spare = !copy->current || storage->host_current || storage->zeros;
    for (int k = 0; k < storage->count; k++) spare |= &storage->copies[k] != copy && storage->copies[k].current;
    return spare;
}

int weft_storage_give_up(weft_storage *storage, const weft_device *device, size_t *freed) {
    if (__atomic_load_n(&storage->holders, __ATOMIC_ACQUIRE)) return 0;
    int status = settle_loans(storage);
    weft_copy *copy = find(storage, device);
    if (!status && copy && !is_spare(storage, copy)) status = fetch(storage, copy);
    if (!status) status = finish_sending(storage);
    if (status || !copy) return status;
    *freed = storage->bytes ? storage->bytes : 1;
    return drop(storage, copy);
}

int weft_storage_save(weft_storage *storage, const weft_device *device, uint64_t *saved) {
    pthread_mutex_lock(&storage->lock); /* it is held */
    weft_copy *copy = find(storage, device);
    int status = device->allocate(device, storage->bytes ? storage->bytes : 1, saved);
    if (!status && storage->bytes) status = device->copy_within(device, *saved, copy->address, 0, storage->bytes);
    pthread_mutex_unlock(&storage->lock);
    return status;
}

int weft_storage_unsave(weft_storage *storage, const weft_device *device, uint64_t saved, int restores) {
    pthread_mutex_lock(&storage->lock);
    weft_copy *copy = find(storage, device);
    int status = 0;
    if (restores && storage->bytes) status = device->copy_within(device, copy->address, saved, 0, storage->bytes);
    int released = device->release(device, saved);
    pthread_mutex_unlock(&storage->lock);
    return status ? status : released;
}

void weft_storage_spoiled(weft_storage *storage, const weft_device *device) {
    pthread_mutex_lock(&storage->lock);
    weft_copy *copy = find(storage, device);
    weft_storage_forget_parts(storage);
    int elsewhere = storage->host_current;
    for (int k = 0; k < storage->count; k++)
        if (&storage->copies[k] != copy && storage->copies[k].current) elsewhere = 1;
    if (copy && elsewhere) copy->current = 0;
    pthread_mutex_unlock(&storage->lock);
}

static int is_lent_elsewhere(const weft_storage *storage, const weft_device *place) {
    if (place && storage->loans) return 1;
    for (int k = 0; k < storage->count; k++)
        if (storage->copies[k].device != place && storage->copies[k].loans) return 1;
    return 0;
}

int weft_storage_lend(weft_storage *storage, const weft_device *place, int writes, uint64_t *address) {
    if (place) weft_storage_hold(storage);
    pthread_mutex_lock(&storage->lock);
    storage->failed = NULL;
    int status = writes && is_lent_elsewhere(storage, place) ? WEFT_LENT : acquire(storage, place, writes, address);
    look(storage, place, writes);
    if (!status && place) status = place->join(place);
    if (!status && place && writes) {
        weft_copy *copy = find(storage, place);
        copy->loans++;
        copy->foreign = 1;
    }
    if (!status && !place) {
        storage->views++;
        storage->loans += writes;
    }
    if (!status && writes) storage->zeros = 0;
    pthread_mutex_unlock(&storage->lock);
    if (status && place) weft_storage_let_go(storage);
    return status;
}

void weft_storage_end_writing(weft_storage *storage) {
    pthread_mutex_lock(&storage->lock);
    trust_only(storage, NULL);
    storage->loans--;
    pthread_mutex_unlock(&storage->lock);
}

void weft_storage_end_loan(weft_storage *storage, const weft_device *place, int writes) {
    pthread_mutex_lock(&storage->lock);
    if (writes) trust_only(storage, place);
    if (place) find(storage, place)->loans -= writes;
    else {
        storage->views--;
        storage->loans -= writes;
    }
    pthread_mutex_unlock(&storage->lock);
    if (place) weft_storage_let_go(storage);
}
