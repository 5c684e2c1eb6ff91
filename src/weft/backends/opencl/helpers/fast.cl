/* What takes the place of other helpers under fastmath: functions of float32 with errors of 2 to 4 units in the last place. */

/* Replaces: __builtin_cbrtf __builtin_expf __builtin_exp2f __builtin_expm1f __builtin_logf __builtin_log2f
   __builtin_log10f __builtin_log1pf __builtin_sinf __builtin_cosf __builtin_asinf __builtin_acosf __builtin_sinhf
   __builtin_coshf __builtin_hypotf */

#define __builtin_cbrtf cbrt

#define __builtin_expf exp

#define __builtin_exp2f exp2

#define __builtin_expm1f expm1

#define __builtin_logf log

#define __builtin_log2f log2

#define __builtin_log10f log10

#define __builtin_log1pf log1p

#define __builtin_sinf sin

#define __builtin_cosf cos

#define __builtin_asinf asin

#define __builtin_acosf acos

#define __builtin_sinhf sinh

#define __builtin_coshf cosh

#define __builtin_hypotf hypot
