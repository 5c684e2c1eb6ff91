/* Time limits of calls: one thread sets the stop flags of calls whose time is over. */
#ifndef WEFT_ALARMS_H
#define WEFT_ALARMS_H

typedef struct weft_alarm weft_alarm;

/* Lives in the frame of the call, between `weft_set_alarm` and `weft_end_alarm`. */
struct weft_alarm {
    double seconds, deadline, left; /* `left` while it is paused */
    volatile int *stop;
    volatile int is_over;
    weft_alarm *next;  /* of all calls, by their deadlines */
    weft_alarm *outer; /* of the same thread: of a call in which this one happens */
};

/* Sets `stop` when the time is over. Non-zero where there can be no thread for that. */
int weft_set_alarm(weft_alarm *alarm, double seconds, volatile int *stop);

/* The flag is left alone from now on. */
void weft_end_alarm(weft_alarm *alarm);

/* What passes between these two does not count; also not for the alarms of calls around. */
void weft_pause_alarm(weft_alarm *alarm);
void weft_resume_alarm(weft_alarm *alarm);
#endif
