// From a `__device__` function of one row, and its SQL types, to the kernels that call it for the rows of a job.
//
// The text of a module is (README.md, "A module's text"):
//
//   #include "gpusched/udf.cuh"
//   #line 1 "levenshtein.cu"
//   ... the author's source ...
//   GPUSCHED_UDF(levenshtein, false, gpusched::Int, gpusched::Bytes, gpusched::Bytes)
//   GPUSCHED_KERNELS(levenshtein)

#ifndef GPUSCHED_UDF_CUH
#define GPUSCHED_UDF_CUH

#include "columns.cuh"
#include "kernel.cuh"
#ifdef __CUDACC__
#include "device_context.cuh"
#endif

namespace gpusched {

#ifdef __CUDACC__
template <class T>
__device__ T&& unevaluated();
#else
template <class T>
T&& unevaluated();
#endif

template <class F, class... P>
GPUSCHED_PURE auto takes(int) -> decltype(F::call(unevaluated<P>()...), true) {
  return true;
}
template <class F, class... P>
GPUSCHED_PURE bool takes(long) {
  return false;
}

// What a function says of a row beside its result, through pointers that may follow its parameters: the first is
// `bool* is_null`, the second `bool* for_host`.
struct Flags {
  bool null = false;
  bool for_host = false;
};

// Calls F with the flags that it takes: two, one or none.
template <class F, class RETURNED, class... P>
GPUSCHED_FN RETURNED call_with_flags(Flags& flags, P... parameters) {
  using Flag = Exact<bool*>;
  if constexpr (takes<F, P..., Flag, Flag>(0)) {
    static_assert(Same<decltype(F::call(parameters..., Flag{&flags.null}, Flag{&flags.for_host})), RETURNED>::VALUE,
                  "the CUDA function returns another type than its SQL result becomes: see cuda/udf/README.md");
    return F::call(parameters..., Flag{&flags.null}, Flag{&flags.for_host});
  } else if constexpr (takes<F, P..., Flag>(0)) {
    static_assert(Same<decltype(F::call(parameters..., Flag{&flags.null})), RETURNED>::VALUE,
                  "the CUDA function returns another type than its SQL result becomes: see cuda/udf/README.md");
    return F::call(parameters..., Flag{&flags.null});
  } else {
    static_assert(takes<F, P...>(0),
                  "the CUDA function does not take the parameters that its SQL arguments become, then, for a string "
                  "result, 'unsigned char* out, int capacity', and then, if it wants them, 'bool* is_null' or "
                  "'bool* is_null, bool* for_host': see cuda/udf/README.md");
    static_assert(Same<decltype(F::call(parameters...)), RETURNED>::VALUE,
                  "the CUDA function returns another type than its SQL result becomes: see cuda/udf/README.md");
    return F::call(parameters...);
  }
}

// Calls F with what has been gathered from the columns, and stores what it returns.
template <class F, class RESULT, class... P>
GPUSCHED_FN void call_and_store(const Column& result, i64 row, P... parameters) {
  Flags flags;
  if constexpr (Same<RESULT, Bytes>::VALUE) {
    u64 offset = (u64)row * result.slot_bytes;
    int capacity = (int)result.slot_bytes;
    int length = call_with_flags<F, int>(flags, parameters..., Exact<u8*>{(u8*)(result.heap + offset)},
                                         Exact<int>{capacity});
    flags.for_host = flags.for_host || length < 0 || length > capacity;
    if (!flags.for_host) result.set(row, Extent{offset, (u32)length, 0});
  } else {
    using Value = typename RESULT::Parameter;
    Value value = call_with_flags<F, Value>(flags, parameters...);
    if (!flags.null && !flags.for_host) result.set(row, (typename RESULT::Stored)value);
  }
  ((u8*)result.validity)[row] = flags.for_host ? ROW_FOR_HOST : flags.null ? ROW_NULL : ROW_VALID;
}

// Gathers a row's parameters, column by column.
template <class F, bool TAKES_NULLS, class RESULT, class... ARGUMENTS>
struct Gather;

template <class F, bool TAKES_NULLS, class RESULT>
struct Gather<F, TAKES_NULLS, RESULT> {
  GPUSCHED_FN static bool any_null(const Column*, i64) { return false; }
  GPUSCHED_FN static bool fits(const Column*, i64) { return true; }
  template <class... P>
  GPUSCHED_FN static void row(const Column& result, const Column*, i64 row, P... parameters) {
    call_and_store<F, RESULT>(result, row, parameters...);
  }
};

template <class F, bool TAKES_NULLS, class RESULT, class ARGUMENT, class... REST>
struct Gather<F, TAKES_NULLS, RESULT, ARGUMENT, REST...> {
  using Next = Gather<F, TAKES_NULLS, RESULT, REST...>;

  GPUSCHED_FN static bool any_null(const Column* argument, i64 row) {
    return argument->is_null(row) || Next::any_null(argument + 1, row);
  }
  GPUSCHED_FN static bool fits(const Column* argument, i64 row) {
    return (argument->is_null(row) || ARGUMENT::fits(*argument, row)) && Next::fits(argument + 1, row);
  }
  template <class... P>
  GPUSCHED_FN static void row(const Column& result, const Column* argument, i64 row, P... parameters) {
    bool null = TAKES_NULLS && argument->is_null(row);
    if constexpr (ARGUMENT::PARAMETERS == 2) {
      with_flag(result, argument, row, null, parameters..., ARGUMENT::first(*argument, row, null),
                ARGUMENT::second(*argument, row, null));
    } else {
      with_flag(result, argument, row, null, parameters..., ARGUMENT::first(*argument, row, null));
    }
  }
  template <class... P>
  GPUSCHED_FN static void with_flag(const Column& result, const Column* argument, i64 row, bool null, P... parameters) {
    if constexpr (TAKES_NULLS) {
      Next::row(result, argument + 1, row, parameters..., Exact<bool>{null});
    } else {
      (void)null;
      Next::row(result, argument + 1, row, parameters...);
    }
  }
};

// Makes the body of a job's rows. F::call is the author's function.
template <class F, bool TAKES_NULLS, class RESULT, class... ARGUMENTS>
struct Udf {
  struct Body {
    const Column* columns;

    GPUSCHED_FN void operator()(i64 row) const {
      using Row = Gather<F, TAKES_NULLS, RESULT, ARGUMENTS...>;
      const Column& result = columns[0];
      const Column& guard = columns[1];
      const Column* arguments = columns + 2;
      bool skipped = guard.values != 0 && (guard.is_null(row) || guard.value<u8>(row) == 0);
      if (skipped || (!TAKES_NULLS && Row::any_null(arguments, row))) {
        ((u8*)result.validity)[row] = ROW_NULL;
      } else if (!Row::fits(arguments, row)) {
        ((u8*)result.validity)[row] = ROW_FOR_HOST;
      } else {
        Row::row(result, arguments, row);
      }
    }
  };

  template <class Ctx>
  GPUSCHED_FN Body operator()(Ctx& ctx, Job<Ctx>& job) const {
    return {(const Column*)(u64)ctx.get(job.columns)};
  }
};

}  // namespace gpusched

// FUNCTION, whether it takes nulls, then the SQL types: of the result, of each argument. Defines FUNCTION_udf.
#define GPUSCHED_UDF(FUNCTION, TAKES_NULLS, ...)                             \
  struct FUNCTION##_call {                                                   \
    template <class... P>                                                    \
    GPUSCHED_FN static auto call(P... p) -> decltype(FUNCTION(p...)) {       \
      return FUNCTION(p...);                                                 \
    }                                                                        \
  };                                                                         \
  using FUNCTION##_udf = gpusched::Udf<FUNCTION##_call, TAKES_NULLS, __VA_ARGS__>;

#ifdef __CUDACC__

namespace gpusched {

// Threads of a block: a scheduler warp and seven that compute.
constexpr u32 BLOCK_THREADS = 256;
// Without a number of blocks a multiprocessor, ptxas spills to keep registers down on sm_90.
constexpr u32 MIN_BLOCKS = 2;

template <int CLUSTER, class Bodies>
__device__ __forceinline__ void kernel(const Grid<DeviceContext<CLUSTER>>& grid) {
  __shared__ Block<DeviceContext<CLUSTER>> block;
  DeviceContext<CLUSTER> ctx;
  run_kernel(ctx, grid, block, Bodies{});
}

}  // namespace gpusched

#define GPUSCHED_KERNEL(FUNCTION, CLUSTER, ATTRIBUTE)                                              \
  extern "C" __global__ void __launch_bounds__(gpusched::BLOCK_THREADS, gpusched::MIN_BLOCKS) ATTRIBUTE \
      FUNCTION##_c##CLUSTER(const __grid_constant__ gpusched::Grid<gpusched::DeviceContext<CLUSTER>> grid) { \
    gpusched::kernel<CLUSTER, FUNCTION##_udf>(grid);                                               \
  }

// Kernels FUNCTION_c1 and, where the architecture has clusters, FUNCTION_c2, _c4 and _c8; the number is of blocks a
// cluster. Their one parameter is the grid, by value.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define GPUSCHED_KERNELS(FUNCTION) GPUSCHED_KERNEL(FUNCTION, 1, )
#else
#define GPUSCHED_KERNELS(FUNCTION)                          \
  GPUSCHED_KERNEL(FUNCTION, 1, )                            \
  GPUSCHED_KERNEL(FUNCTION, 2, __cluster_dims__(2, 1, 1))   \
  GPUSCHED_KERNEL(FUNCTION, 4, __cluster_dims__(4, 1, 1))   \
  GPUSCHED_KERNEL(FUNCTION, 8, __cluster_dims__(8, 1, 1))
#endif

#endif

#endif
