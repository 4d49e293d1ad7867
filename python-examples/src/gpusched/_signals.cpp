// What runs a function's rows in a Python worker, which goes on though the function ends by a signal: an integer that is divided by zero, memory that is not
// there. In a file of its own: names of its headers are none of the author's.
#include <csetjmp>
#include <csignal>

namespace {
constexpr int SIGNALS[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL};
constexpr int COUNT = sizeof(SIGNALS) / sizeof(SIGNALS[0]);

thread_local sigjmp_buf before_rows;
thread_local volatile bool in_rows = false;

void caught(int signal_number) {
  if (in_rows) siglongjmp(before_rows, signal_number);
  std::signal(signal_number, SIG_DFL);  // another thread's: it comes again, and does what it would have done
}
}  // namespace

// Of the author's text: sets *row to each row before it.
extern "C" void gpusched_loop(long long rows, const void* const* columns, void* results, volatile long long* row);

// The row that ended by a signal, which is told, or -1.
extern "C" long long gpusched_rows(long long rows, const void* const* columns, void* results, int* signal_number) {
  struct sigaction now = {}, old[COUNT];
  now.sa_handler = caught;
  sigemptyset(&now.sa_mask);
  volatile long long row = 0;
  for (int i = 0; i < COUNT; i++) sigaction(SIGNALS[i], &now, &old[i]);
  *signal_number = sigsetjmp(before_rows, 1);
  if (*signal_number == 0) {
    in_rows = true;
    gpusched_loop(rows, columns, results, &row);
  }
  in_rows = false;
  for (int i = 0; i < COUNT; i++) sigaction(SIGNALS[i], &old[i], nullptr);
  return *signal_number == 0 ? -1 : row;
}
