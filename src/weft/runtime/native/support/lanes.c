/* The lanes of a device: see `lanes.h`. */
#include "lanes.h"
#include "driver.h"
#include <string.h>

void weft_lanes_init(weft_lanes *lanes, const weft_driver *driver, void *state) {
    memset(lanes, 0, sizeof *lanes);
    lanes->driver = driver;
    lanes->state = state;
    pthread_mutex_init(&lanes->lock, NULL);
}

/* Sets a point behind all that is queued in a lane. An older point that it replaces is waited for no more: whoever asks for
   its work gets a later one. */
static int add_point(weft_lanes *lanes, int number, const char *low, const char *high) {
    weft_lane *lane = &lanes->lanes[number];
    int next = (lane->newest + 1) % WEFT_POINTS;
    weft_point *point = &lane->points[next];
    int status = lanes->driver->record(lanes->state, number, &point->event);
    if (status) {
        point->number = 0;
        return status;
    }
    point->number = lane->queued;
    memcpy(point->seen, lane->seen, sizeof point->seen);
    point->low = low;
    point->high = high;
    lane->newest = next;
    return 0;
}

/* The first point behind some work; made where there is none. */
static int point_behind(weft_lanes *lanes, int number, uint64_t wanted, const weft_point **found) {
    weft_lane *lane = &lanes->lanes[number];
    int status = lane->points[lane->newest].number < wanted ? add_point(lanes, number, NULL, NULL) : 0;
    if (status) return status;
    *found = &lane->points[lane->newest];
    for (int k = 0; k < WEFT_POINTS; k++)
        if (lane->points[k].number >= wanted && lane->points[k].number < (*found)->number) *found = &lane->points[k];
    return 0;
}

static int come_after(weft_lanes *lanes, int number, int other, uint64_t wanted) {
    const weft_driver *driver = lanes->driver;
    weft_lane *lane = &lanes->lanes[number];
    int elsewhere = number == WEFT_KERNELS && driver->is_adopted && driver->is_adopted(lanes->state);
    if (wanted <= lanes->lanes[other].done || (!elsewhere && wanted <= lane->seen[other])) return 0;
    const weft_point *point;
    int status = point_behind(lanes, other, wanted, &point);
    if (!status) status = driver->order(lanes->state, number, point->event);
    if (status || elsewhere) return status;
    for (int k = 0; k < WEFT_LANES; k++)
        if (lane->seen[k] < point->seen[k]) lane->seen[k] = point->seen[k];
    lane->seen[other] = point->number;
    return 0;
}

uint64_t weft_lanes_meeting(weft_lanes *lanes, int number, const char *low, const char *high) {
    pthread_mutex_lock(&lanes->lock);
    const weft_lane *lane = &lanes->lanes[number];
    uint64_t oldest = lane->points[(lane->newest + 1) % WEFT_POINTS].number, last = oldest ? oldest - 1 : 0;
    for (int k = 0; k < WEFT_POINTS; k++) {
        const weft_point *point = &lane->points[k];
        if (point->number > last && point->low < high && low < point->high) last = point->number;
    }
    pthread_mutex_unlock(&lanes->lock);
    return last;
}

/* Copies of the two directions that meet on the host: the host may be copying itself, so it waits for the earlier one. */
static int finish_meeting(weft_lanes *lanes, const weft_work *work) {
    if (work->high <= work->low) return 0;
    int other = work->lane == WEFT_IN ? WEFT_OUT : WEFT_IN;
    return weft_lanes_reach(lanes, other, weft_lanes_meeting(lanes, other, work->low, work->high));
}

int weft_lanes_order(weft_lanes *lanes, const weft_work *work) {
    uint64_t wanted[WEFT_LANES] = {0};
    int status = finish_meeting(lanes, work);
    if (status) return status;
    pthread_mutex_lock(&lanes->lock);
    for (int k = 0; k < work->count; k++) {
        const weft_touch *touch = &work->touches[k];
        const uint64_t *last = touch->writes ? touch->use->used : touch->use->written;
        for (int lane = 0; lane < WEFT_LANES; lane++)
            if (last[lane] > wanted[lane]) wanted[lane] = last[lane];
    }
    for (int lane = 0; !status && lane < WEFT_LANES; lane++)
        if (lane != work->lane) status = come_after(lanes, work->lane, lane, wanted[lane]);
    pthread_mutex_unlock(&lanes->lock);
    return status;
}

/* A point follows every copy; one after kernels is made when somebody waits for them. */
int weft_lanes_note(weft_lanes *lanes, weft_work *work) {
    pthread_mutex_lock(&lanes->lock);
    work->number = ++lanes->lanes[work->lane].queued;
    for (int k = 0; k < work->count; k++) {
        weft_use *use = work->touches[k].use;
        use->used[work->lane] = work->number;
        if (work->touches[k].writes) use->written[work->lane] = work->number;
    }
    int status = work->lane == WEFT_KERNELS ? 0 : add_point(lanes, work->lane, work->low, work->high);
    pthread_mutex_unlock(&lanes->lock);
    return status;
}

int weft_lanes_follow(weft_lanes *lanes, int lane, weft_lanes *others, int other) {
    pthread_mutex_lock(&others->lock);
    const weft_lane *before = &others->lanes[other];
    int status = add_point(others, other, NULL, NULL);
    if (!status) status = lanes->driver->order(lanes->state, lane, before->points[before->newest].event);
    pthread_mutex_unlock(&others->lock);
    return status;
}

int weft_lanes_join(weft_lanes *lanes) {
    pthread_mutex_lock(&lanes->lock);
    int status = come_after(lanes, WEFT_KERNELS, WEFT_IN, lanes->lanes[WEFT_IN].queued);
    if (!status) status = come_after(lanes, WEFT_KERNELS, WEFT_OUT, lanes->lanes[WEFT_OUT].queued);
    pthread_mutex_unlock(&lanes->lock);
    return status;
}

int weft_lanes_mark(weft_lanes *lanes, int lane, uint64_t *number) {
    pthread_mutex_lock(&lanes->lock);
    *number = lanes->lanes[lane].queued;
    int is_marked = lanes->lanes[lane].points[lanes->lanes[lane].newest].number == *number;
    int status = is_marked ? 0 : add_point(lanes, lane, NULL, NULL);
    pthread_mutex_unlock(&lanes->lock);
    return status;
}

uint64_t weft_lanes_queued(weft_lanes *lanes, int lane) {
    pthread_mutex_lock(&lanes->lock);
    uint64_t queued = lanes->lanes[lane].queued;
    pthread_mutex_unlock(&lanes->lock);
    return queued;
}

int weft_lanes_is_done(weft_lanes *lanes, int lane, uint64_t number) {
    pthread_mutex_lock(&lanes->lock);
    int is_done = number <= lanes->lanes[lane].done;
    pthread_mutex_unlock(&lanes->lock);
    return is_done;
}

/* The work up to these numbers is done. */
static void finished(weft_lanes *lanes, const uint64_t numbers[WEFT_LANES]) {
    pthread_mutex_lock(&lanes->lock);
    for (int k = 0; k < WEFT_LANES; k++)
        if (lanes->lanes[k].done < numbers[k]) lanes->lanes[k].done = numbers[k];
    pthread_mutex_unlock(&lanes->lock);
}

/* The event is kept while the host waits: another thread may replace the point meanwhile. */
int weft_lanes_reach(weft_lanes *lanes, int lane, uint64_t number) {
    const weft_driver *driver = lanes->driver;
    const weft_point *point;
    uint64_t event = 0, reached[WEFT_LANES];
    int status = 0;
    pthread_mutex_lock(&lanes->lock);
    int waits = number > lanes->lanes[lane].done;
    if (waits && !(status = point_behind(lanes, lane, number, &point))) {
        event = point->event;
        memcpy(reached, point->seen, sizeof reached);
        reached[lane] = point->number;
        status = driver->keep(lanes->state, event);
    }
    pthread_mutex_unlock(&lanes->lock);
    if (!waits || status) return status;
    status = driver->finish(lanes->state, event);
    if (!status) finished(lanes, reached);
    return status;
}
