// From a `__device__` function of one row, and its SQL types, to the kernels that call it for the rows of a job.
//
// The text of a module is (README.md, "A module's text"):
//
//   #include "gpusched/udf.cuh"
//   #line 1 "levenshtein.cu"
//   ... the author's source ...
//   GPUSCHED_UDF(levenshtein, false, gpusched::Int, gpusched::Bytes, gpusched::Bytes)
//   GPUSCHED_KERNELS(levenshtein)
//
// or, where the source has its function in steps, GPUSCHED_STEP_UDF.

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
GPUSCHED_PURE auto takes(int) -> decltype(F::gpusched_call(unevaluated<P>()...), true) {
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
    static_assert(Same<decltype(F::gpusched_call(parameters..., Flag{&flags.null}, Flag{&flags.for_host})), RETURNED>::VALUE,
                  "the CUDA function returns another type than its SQL result becomes: see cuda/udf/README.md");
    return F::gpusched_call(parameters..., Flag{&flags.null}, Flag{&flags.for_host});
  } else if constexpr (takes<F, P..., Flag>(0)) {
    static_assert(Same<decltype(F::gpusched_call(parameters..., Flag{&flags.null})), RETURNED>::VALUE,
                  "the CUDA function returns another type than its SQL result becomes: see cuda/udf/README.md");
    return F::gpusched_call(parameters..., Flag{&flags.null});
  } else {
    static_assert(takes<F, P...>(0),
                  "the CUDA function does not take the parameters that its SQL arguments become (in steps: FUNCTION_done does not "
                  "take its state), then, for a string result, 'unsigned char* out, int capacity', and then, if it wants them, 'bool* is_null' or "
                  "'bool* is_null, bool* for_host': see cuda/udf/README.md");
    static_assert(Same<decltype(F::gpusched_call(parameters...)), RETURNED>::VALUE,
                  "the CUDA function returns another type than its SQL result becomes: see cuda/udf/README.md");
    return F::gpusched_call(parameters...);
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

// Calls F with a row's parameters, and stores what it returns.
template <class F, class RESULT>
struct CallAndStore {
  const Column& result;
  i64 row;

  template <class... P>
  GPUSCHED_FN void operator()(P... parameters) const {
    call_and_store<F, RESULT>(result, row, parameters...);
  }
};

// Gathers a row's parameters, column by column, and then calls `receiver` with them.
template <bool TAKES_NULLS, class... ARGUMENTS>
struct Gather;

template <bool TAKES_NULLS>
struct Gather<TAKES_NULLS> {
  // 0 if no row of any column is null.
  GPUSCHED_FN static u64 may_be_null(const Column*) { return 0; }
  GPUSCHED_FN static bool any_null(const Column*, i64) { return false; }
  GPUSCHED_FN static bool fits(const Column*, i64) { return true; }
  template <class Receiver, class... P>
  GPUSCHED_FN static void row(const Receiver& receiver, const Column*, i64, P... parameters) {
    receiver(parameters...);
  }
};

template <bool TAKES_NULLS, class ARGUMENT, class... REST>
struct Gather<TAKES_NULLS, ARGUMENT, REST...> {
  using Next = Gather<TAKES_NULLS, REST...>;

  GPUSCHED_FN static u64 may_be_null(const Column* argument) {
    return argument->validity | Next::may_be_null(argument + 1);
  }
  GPUSCHED_FN static bool any_null(const Column* argument, i64 row) {
    return argument->is_null(row) || Next::any_null(argument + 1, row);
  }
  GPUSCHED_FN static bool fits(const Column* argument, i64 row) {
    return (argument->is_null(row) || ARGUMENT::fits(*argument, row)) && Next::fits(argument + 1, row);
  }
  template <class Receiver, class... P>
  GPUSCHED_FN static void row(const Receiver& receiver, const Column* argument, i64 row, P... parameters) {
    bool null = TAKES_NULLS && argument->is_null(row);
    if constexpr (ARGUMENT::PARAMETERS == 2) {
      with_flag(receiver, argument, row, null, parameters..., ARGUMENT::first(*argument, row, null),
                ARGUMENT::second(*argument, row, null));
    } else {
      with_flag(receiver, argument, row, null, parameters..., ARGUMENT::first(*argument, row, null));
    }
  }
  template <class Receiver, class... P>
  GPUSCHED_FN static void with_flag(const Receiver& receiver, const Column* argument, i64 row, bool null, P... parameters) {
    if constexpr (TAKES_NULLS) {
      Next::row(receiver, argument + 1, row, parameters..., Exact<bool>{null});
    } else {
      (void)null;
      Next::row(receiver, argument + 1, row, parameters...);
    }
  }
};

// Where a job's columns are, and what they say of all its rows.
template <bool TAKES_NULLS, class... ARGUMENTS>
struct Columns {
  const Column* columns;  // the result, the guard, the arguments
  bool all_called;        // no guard, and no column that may have nulls

  template <class Ctx>
  GPUSCHED_FN static Columns of(Ctx& ctx, Job<Ctx>& job) {
    const Column* columns = (const Column*)(u64)ctx.get(job.columns);
    u64 any = columns[1].values;
    if constexpr (!TAKES_NULLS) any |= Gather<TAKES_NULLS, ARGUMENTS...>::may_be_null(columns + 2);
    return {columns, any == 0};
  }

  // True if the function is not to be called for a row: its result is written then.
  GPUSCHED_FN bool needs_no_call(i64 row) const {
    using Row = Gather<TAKES_NULLS, ARGUMENTS...>;
    const Column& guard = columns[1];
    const Column* arguments = columns + 2;
    bool null = false;
    if (!all_called) {
      bool skipped = guard.values != 0 && (guard.is_null(row) || guard.value<u8>(row) == 0);
      null = skipped || (!TAKES_NULLS && Row::any_null(arguments, row));
    }
    if (!null && Row::fits(arguments, row)) return false;
    ((u8*)columns[0].validity)[row] = null ? ROW_NULL : ROW_FOR_HOST;
    return true;
  }

  template <class Receiver>
  GPUSCHED_FN void gather(const Receiver& receiver, i64 row) const {
    Gather<TAKES_NULLS, ARGUMENTS...>::row(receiver, columns + 2, row);
  }
};

// Makes the body of a job's rows. F::gpusched_call is the author's function.
template <class F, bool TAKES_NULLS, class RESULT, class... ARGUMENTS>
struct Udf {
  struct Body {
    Columns<TAKES_NULLS, ARGUMENTS...> of;

    GPUSCHED_FN void operator()(i64 row) const {
      if (!of.needs_no_call(row)) of.gather(CallAndStore<F, RESULT>{of.columns[0], row}, row);
    }
  };

  template <class Ctx>
  GPUSCHED_FN Body operator()(Ctx& ctx, Job<Ctx>& job) const {
    return {Columns<TAKES_NULLS, ARGUMENTS...>::of(ctx, job)};
  }
};

// A row's state, as a parameter.
template <class STATE>
struct StateOf {
  STATE& state;
  GPUSCHED_FN operator STATE&() const { return state; }
};

// Calls F::init with a row's state and parameters.
template <class F>
struct Init {
  typename F::State& state;

  template <class... P>
  GPUSCHED_FN void operator()(P... parameters) const {
    using State = StateOf<typename F::State>;
    static_assert(takes<typename F::Init, State, P...>(0),
                  "FUNCTION_init does not take 'FUNCTION_state&' and then the parameters that the function's SQL arguments "
                  "become: see cuda/udf/README.md");
    F::Init::gpusched_call(State{state}, parameters...);
  }
};

// Likewise for a function that is written in steps: F has its state and its three functions.
template <class F, bool TAKES_NULLS, class RESULT, class... ARGUMENTS>
struct StepUdf {
  using State = typename F::State;

  struct Body {
    Columns<TAKES_NULLS, ARGUMENTS...> of;

    // False if the row has its result already.
    GPUSCHED_FN bool begin(State& state, i64 row) const {
      if (of.needs_no_call(row)) return false;
      of.gather(Init<F>{state}, row);
      return true;
    }
    // False if it was the row's last one.
    GPUSCHED_FN bool step(State& state) const {
      using OfState = StateOf<State>;
      static_assert(takes<typename F::Step, OfState>(0),
                    "FUNCTION_step does not take 'FUNCTION_state&' alone: see cuda/udf/README.md");
      static_assert(Same<decltype(F::Step::gpusched_call(OfState{state})), bool>::VALUE,
                    "FUNCTION_step returns no bool, false after the row's last step: see cuda/udf/README.md");
      return F::Step::gpusched_call(OfState{state});
    }
    GPUSCHED_FN void end(State& state, i64 row) const {
      call_and_store<typename F::Done, RESULT>(of.columns[0], row, StateOf<State>{state});
    }
  };

  template <class Ctx>
  GPUSCHED_FN Body operator()(Ctx& ctx, Job<Ctx>& job) const {
    return {Columns<TAKES_NULLS, ARGUMENTS...>::of(ctx, job)};
  }
};

}  // namespace gpusched

// NAME becomes a type whose `gpusched_call` is FUNCTION. These stand behind an author's text, which may have any names and macros but ours.
#define GPUSCHED_CALL(NAME, FUNCTION)                                                                       \
  struct NAME {                                                                                             \
    template <class... GPUSCHED_P>                                                                          \
    GPUSCHED_FN static auto gpusched_call(GPUSCHED_P... gpusched_p) -> decltype(FUNCTION(gpusched_p...)) {  \
      return FUNCTION(gpusched_p...);                                                                       \
    }                                                                                                       \
  };

// FUNCTION, whether it takes nulls, then the SQL types: of the result, of each argument. Defines FUNCTION_udf.
#define GPUSCHED_UDF(FUNCTION, TAKES_NULLS, ...)       \
  GPUSCHED_CALL(gpusched_##FUNCTION##_call, FUNCTION)  \
  using FUNCTION##_udf = gpusched::Udf<gpusched_##FUNCTION##_call, TAKES_NULLS, __VA_ARGS__>;

// Likewise for FUNCTION_state, FUNCTION_init, FUNCTION_step and FUNCTION_done.
#define GPUSCHED_STEP_UDF(FUNCTION, TAKES_NULLS, ...)   \
  struct gpusched_##FUNCTION##_calls {                  \
    using State = FUNCTION##_state;                     \
    GPUSCHED_CALL(Init, FUNCTION##_init)                \
    GPUSCHED_CALL(Step, FUNCTION##_step)                \
    GPUSCHED_CALL(Done, FUNCTION##_done)                \
  };                                                    \
  using FUNCTION##_udf = gpusched::StepUdf<gpusched_##FUNCTION##_calls, TAKES_NULLS, __VA_ARGS__>;

#ifdef __CUDACC__

namespace gpusched {

// Threads of a block: eight warps.
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
