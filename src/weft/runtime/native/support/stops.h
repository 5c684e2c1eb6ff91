/* Flags by which programs are told to stop, where devices can read them too: in memory that no copy of the process shares. */
#ifndef WEFT_STOPS_H
#define WEFT_STOPS_H
#include <stddef.h>

enum { WEFT_STOPS = 64, WEFT_STOP_BYTES = 64 /* from one to the next */ };

/* That nobody sets; and that of calls on the main thread, which Ctrl-C sets. */
enum { WEFT_NEVER, WEFT_MAIN };

/* A flag by its number. */
volatile int *weft_stop(int number);

/* A flag that nobody else has, which is not set; NULL where there is none left. */
volatile int *weft_take_stop(void);
void weft_give_stop(volatile int *flag);

/* The memory that they are in. */
void *weft_stop_memory(size_t *bytes);
#endif
