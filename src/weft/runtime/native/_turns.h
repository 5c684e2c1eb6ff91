/* Calls under a limit of a device's memory take turns: what one of them has in use there is room that another lacks. A thread
   that has its turn keeps it in calls within calls; a step in Python lets others have theirs meanwhile. */
#ifndef WEFT_TURNS_H
#define WEFT_TURNS_H

/* With Python's lock held. 0 with a Python error set, where a signal handler raised while this waited. */
int take_turn(void);
void end_turn(void);

/* Around a step in Python; `resume_turn` is given what `pause_turn` gave, and waits whatever comes. */
int pause_turn(void);
void resume_turn(int paused);

int prepare_turns(void);
#endif
