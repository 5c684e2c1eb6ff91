/* What takes the place of other helpers under fastmath: functions of float32 with errors of 2 to 4 units in the last place. */

/* Replaces: __builtin_tanf __builtin_atan2f __builtin_sinhf __builtin_coshf __builtin_erfcf __builtin_hypotf
   __builtin_powf */

#define __builtin_tanf tanf

#define __builtin_atan2f atan2f

#define __builtin_sinhf sinhf

#define __builtin_coshf coshf

#define __builtin_erfcf erfcf

#define __builtin_hypotf hypotf

#define __builtin_powf powf
