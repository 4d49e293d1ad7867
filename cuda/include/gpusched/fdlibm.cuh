// The functions of java.lang.StrictMath for UDFs: strict_sin(x) and so on give the bits that StrictMath.sin(x) gives. (NaNs
// are NaNs; which of them is not said.) StrictMath is fdlibm 5.3 by definition, and so is this, function by function; CUDA's
// own sin, exp and pow are other algorithms, and differ in the last bits. A module includes it if its source says "strict_".
//
// Needs arithmetic as it is written: --fmad=false on the device, -ffp-contract=off on the host.
//
//   one argument    sin cos tan asin acos atan exp expm1 log log10 log1p sqrt cbrt sinh cosh tanh
//   two arguments   atan2(y, x) pow(x, y) hypot(x, y)

#ifndef GPUSCHED_FDLIBM_CUH
#define GPUSCHED_FDLIBM_CUH

#include "fdlibm_arc.cuh"
#include "fdlibm_bits.cuh"
#include "fdlibm_exp.cuh"
#include "fdlibm_log.cuh"
#include "fdlibm_pow.cuh"
#include "fdlibm_root.cuh"
#include "fdlibm_trig.cuh"

#endif
