// How a warp computes the rows of the chunks that it has claimed: row by row, or in steps.
//
// In steps, a lane whose row has ended begins another one while its neighbours go on with theirs, so the lanes of a warp are busy
// whatever their rows cost. Ends are looked for now and then: between two looks each lane does up to `span` steps. A look costs what it
// takes to store results and begin rows, however few; until the next one, lanes whose rows have ended are idle. It costs least where
// that waiting is worth about a look. So the span follows what is found: shorter when lanes have waited much, longer when they have
// waited little. Where rows are long, few lanes are waited for.

#ifndef GPUSCHED_STEPS_CUH
#define GPUSCHED_STEPS_CUH

#include "tally.cuh"

namespace gpusched {

// The rows of a hand, chunks of one job.
struct Hand {
  i64 first;
  u32 rows;
  u32 chunk_rows;

  template <class Ctx>
  GPUSCHED_FN static Hand of(Ctx& ctx, Job<Ctx>& job, u64 hand) {
    u32 chunk_rows = ctx.get(job.chunk_rows);
    u64 before = (u64)place_of(range_from(hand)) * chunk_rows;
    u64 there = ctx.get(job.rows) - before;
    u64 wanted = (u64)range_size(hand) * chunk_rows;
    return {(i64)(ctx.get(job.first_row) + before), (u32)(wanted < there ? wanted : there), chunk_rows};
  }

  // What is left of the hand if rows up to the end of the chunk that has been begun are computed, and no more: those are then `rows`.
  GPUSCHED_FN u64 cut(u64 hand, u32 begun) {
    u32 chunks = (begun - 1) / chunk_rows + 1;
    u64 rest = range_of(range_from(hand) + chunks, range_until(hand));
    if (rest != 0) rows = chunks * chunk_rows;
    return rest;
  }
};

// Row by row: each lane one row, and then each lane the next. If that takes too long by `pace`, what has not been begun by then is
// left: the answer.
template <class Ctx, class Body, class Rhythm>
GPUSCHED_FN u64 compute_rows(Ctx& ctx, const Body& body, Hand rows, u64 hand, const Rhythm& pace, Tally<Ctx>& tally) {
  u64 rest = 0;
  u32 row = ctx.lane();
  GPUSCHED_LOOP
  for (u32 begun = ctx.lanes();; begun += ctx.lanes()) {
    if (row < rows.rows) body(rows.first + row);
    if (begun >= rows.rows) break;
    row += ctx.lanes();
    if (rest == 0 && pace.late(ctx)) {
      rest = rows.cut(hand, begun);
      if (begun >= rows.rows) break;
    }
  }
  tally.add(range_size(hand) - range_size(rest), rows.rows);
  return rest;
}

// The work of a warp whose function has no steps: nothing is left between two hands.
template <class Ctx, class Bodies>
class RowWork {
 public:
  GPUSCHED_FN bool is_busy(Ctx&) const { return false; }

  template <class Rhythm>
  GPUSCHED_FN u64 compute(Ctx& ctx, const Grid<Ctx>&, Job<Ctx>& job, const Bodies& bodies, u64 hand, const Rhythm& pace,
                          Tally<Ctx>& tally) {
    return compute_rows(ctx, bodies(ctx, job), Hand::of(ctx, job, hand), hand, pace, tally);
  }
};

// The work of a warp whose function has steps. Rows that are not ended go on from one hand of a job to the next.
template <class Ctx, class Bodies>
class StepWork {
 public:
  // True if a lane has a row. All lanes get the answer.
  GPUSCHED_FN bool is_busy(Ctx& ctx) const { return ctx.ballot(phase_ != NO_ROW) != 0; }

  // Begins all rows of a hand, and ends those that end meanwhile; without a hand, 0, ends all that have been begun. As compute_rows,
  // otherwise. In the form of rows no lane begins one before all have ended theirs.
  template <class Rhythm>
  GPUSCHED_FN u64 compute(Ctx& ctx, const Grid<Ctx>& grid, Job<Ctx>& job, const Bodies& bodies, u64 hand, const Rhythm& pace,
                          Tally<Ctx>& tally) {
    Hand rows = Hand::of(ctx, job, hand);
    auto body = bodies(ctx, job);
    // Until all rows have ended.
    u32 steps = hand == 0 || grid.settings.form == ROWS ? ALL : span_;
    // Lanes that have looked for a row, in turns; without a hand, the turn after next is the last.
    u32 enough = hand == 0 ? ctx.lanes() : rows.rows;
    u64 rest = 0;
    u32 begun = 0;
    u32 idle = ctx.ballot(phase_ != GOES_ON);
    GPUSCHED_LOOP
    for (;;) {
      if (phase_ != GOES_ON) {
        if (phase_ == ENDED) body.end(state_, row_);
        phase_ = NO_ROW;
        u32 next = begun + ctx.before(idle);
        if (next < rows.rows) {
          row_ = rows.first + next;
          if (body.begin(state_, row_)) phase_ = GOES_ON;
        }
      }
      begun += ctx.count(idle);
      if (begun >= enough) break;
      u32 waited;
      GPUSCHED_LOOP
      do {
        go_on(body, steps);
        idle = ctx.ballot(phase_ != GOES_ON);
        waited = ctx.count(idle) * steps;
        // Nor is anything looked for where no lane has ended its row.
        if (steps == ALL) continue;
        if (waited > MUCH) {
          if (steps > 1) steps -= (steps + 3) / 4;
        } else if (waited <= LITTLE) {
          if (steps < MOST_SPAN) steps += steps / 4 + 1;
          // Only where rows cost more than those before may the hand be late, and only once a row of it has begun.
          if (waited <= NEXT_TO_NOTHING && rest == 0 && begun != 0 && pace.late(ctx)) {
            rest = rows.cut(hand, begun);
            enough = rows.rows;
          }
        }
      } while (idle == 0 && begun < enough);
    }
    if (steps != ALL) span_ = steps;
    tally.add(range_size(hand) - range_size(rest), rows.rows);
    return rest;
  }

 private:
  static constexpr u32 MOST_SPAN = 1u << 20;
  // Lanes that have ended, times steps of the span: about twice the steps that lanes have waited for the look.
  static constexpr u32 MUCH = 48, LITTLE = 16, NEXT_TO_NOTHING = 5;
  // Of a lane's row: it has none, it is to store its result, it has steps left.
  static constexpr u32 NO_ROW = 0, ENDED = 1, GOES_ON = 2;

  template <class Body>
  GPUSCHED_FN void go_on(const Body& body, u32 steps) {
    if (phase_ != GOES_ON) return;
    GPUSCHED_LOOP
    do {
      if (!body.step(state_)) {
        phase_ = ENDED;
        break;
      }
    } while (--steps != 0);
  }

  // This lane's.
  typename Bodies::State state_;
  i64 row_ = 0;
  u32 phase_ = NO_ROW;
  // Steps between two looks; the same in all lanes.
  u32 span_ = 1;
};

template <class Bodies>
GPUSCHED_PURE auto has_steps(int) -> decltype(sizeof(typename Bodies::State), true) {
  return true;
}
template <class Bodies>
GPUSCHED_PURE bool has_steps(long) {
  return false;
}

template <class Ctx, class Bodies, bool STEPS>
struct Work {
  using Type = RowWork<Ctx, Bodies>;
};
template <class Ctx, class Bodies>
struct Work<Ctx, Bodies, true> {
  using Type = StepWork<Ctx, Bodies>;
};
template <class Ctx, class Bodies>
using WorkOf = typename Work<Ctx, Bodies, has_steps<Bodies>(0)>::Type;

}  // namespace gpusched

#endif
