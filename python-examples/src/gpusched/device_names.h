// Taken away from a function's text, after all includes: device code has none of these.
#define std device_code_has_no_std
#define int8_t device_code_has_no_int8_t
#define int16_t device_code_has_no_int16_t
#define int32_t device_code_has_no_int32_t
#define int64_t device_code_has_no_int64_t
#define uint8_t device_code_has_no_uint8_t
#define uint16_t device_code_has_no_uint16_t
#define uint32_t device_code_has_no_uint32_t
#define uint64_t device_code_has_no_uint64_t
#define isnanf device_code_has_no_isnanf
#undef HUGE_VAL
#undef INFINITY
#undef NAN
#undef RAND_MAX
#undef M_1_PI
#undef M_2_PI
#undef M_2_SQRTPI
#undef M_E
#undef M_LN10
#undef M_LN2
#undef M_LOG10E
#undef M_LOG2E
#undef M_PI
#undef M_PI_2
#undef M_PI_4
#undef M_SQRT1_2
#undef M_SQRT2
