// Faults that tests ask for, but for those of memory (rmm.h). See README.md.

#pragma once

namespace cudf_double {

// The n-th view that Java makes of buffers, from now on, cannot be made; 0: each can.
void fail_view(long n);
// Whether it is this one's turn.
bool is_view_to_fail();

}  // namespace cudf_double
