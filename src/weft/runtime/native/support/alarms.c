/* Time limits of calls: see `alarms.h`. */
#define _GNU_SOURCE
#include "alarms.h"
#include "ledger.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t changed;
static weft_alarm *alarms;
static int started;
static double sleeps_until; /* when the thread looks next */

static void prepare(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
}

/* Compiled loops read the flag as a volatile integer, which is all that they need and which sanitizers call a race. */
__attribute__((no_sanitize_thread)) static void ring(double now) {
    for (; alarms && alarms->deadline <= now; alarms = alarms->next) {
        alarms->is_over = 1;
        *alarms->stop = 1;
    }
}

static void *watch(void *ignored) {
    (void)ignored;
    pthread_mutex_lock(&lock);
    for (;;) {
        ring(weft_now());
        sleeps_until = alarms ? alarms->deadline : INFINITY;
        if (!alarms) pthread_cond_wait(&changed, &lock);
        else {
            double whole = floor(alarms->deadline);
            struct timespec time = {(time_t)whole, (long)(1e9 * (alarms->deadline - whole))};
            pthread_cond_timedwait(&changed, &lock, &time);
        }
    }
    return NULL;
}

/* A forked child has no such thread, and none of the calls that its parent was in. */
static void begin_anew(void) {
    pthread_mutex_init(&lock, NULL);
    prepare();
    alarms = NULL;
    started = 0;
}

/* Signals are for the threads that Python knows. */
static int start(void) {
    if (started) return 0;
    static int is_watched;
    if (!is_watched) is_watched = !pthread_atfork(NULL, NULL, begin_anew);
    sigset_t every, before;
    pthread_t thread;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    int failed = pthread_create(&thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) pthread_detach(thread);
    started = !failed;
    return failed;
}

/* Puts an alarm among the others, `after` seconds from now. */
static int add(weft_alarm *alarm, double after) {
    static const double MOST = 1e9; /* seconds: times are kept in numbers that can be waited for */
    alarm->deadline = weft_now() + (after < MOST ? after : MOST);
    pthread_mutex_lock(&lock);
    int failed = start();
    if (!failed) {
        weft_alarm **place = &alarms;
        while (*place && (*place)->deadline <= alarm->deadline) place = &(*place)->next;
        alarm->next = *place;
        *place = alarm;
        if (alarm->deadline < sleeps_until) pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

int weft_set_alarm(weft_alarm *alarm, double seconds, volatile int *stop) {
    pthread_once(&once, prepare);
    alarm->seconds = seconds;
    alarm->stop = stop;
    alarm->is_over = 0;
    return add(alarm, seconds);
}

void weft_end_alarm(weft_alarm *alarm) {
    pthread_mutex_lock(&lock);
    weft_alarm **place = &alarms;
    while (*place && *place != alarm) place = &(*place)->next;
    if (*place) *place = alarm->next;
    pthread_mutex_unlock(&lock);
}

void weft_pause_alarm(weft_alarm *alarm) {
    for (double now = weft_now(); alarm; alarm = alarm->outer) {
        weft_end_alarm(alarm);
        alarm->left = alarm->deadline - now;
    }
}

void weft_resume_alarm(weft_alarm *alarm) {
    for (; alarm; alarm = alarm->outer)
        if (!alarm->is_over) add(alarm, alarm->left);
}
