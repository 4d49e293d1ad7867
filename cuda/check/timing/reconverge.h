// Where the lanes that a branch parts come together again: at its immediate postdominator, the first instruction that all ways from
// it to the end have in common. The algorithm is Cooper, Harvey and Kennedy's ("A Simple, Fast Dominance Algorithm", 2001), on the
// graph with its edges turned.

#pragma once

#include <vector>

#include "../ptx/program.h"

namespace timing {

using ptx::u32;

// Of each instruction; the number of instructions stands for the kernel's end.
inline std::vector<u32> reconvergence(const std::vector<ptx::Instruction>& code) {
  u32 end = static_cast<u32>(code.size());
  std::vector<std::vector<u32>> after(end + 1), before(end + 1);
  auto edge = [&](u32 from, u32 to) {
    after[from].push_back(to);
    before[to].push_back(from);
  };
  for (u32 n = 0; n < end; n++) {
    bool branch = code[n].op == ptx::Op::BRA, leaves = code[n].op == ptx::Op::RET || code[n].op == ptx::Op::TRAP;
    if (branch) edge(n, code[n].target);
    if (leaves) edge(n, end);
    if ((!branch && !leaves) || code[n].guard >= 0) edge(n, n + 1);
  }
  // Postorder of the turned graph, from the end.
  std::vector<u32> order, place(end + 1, ~0u);
  std::vector<std::pair<u32, size_t>> stack{{end, 0}};
  std::vector<bool> seen(end + 1);
  seen[end] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < before[node].size()) {
      u32 other = before[node][next++];
      if (!seen[other]) seen[other] = true, stack.push_back({other, 0});
    } else {
      place[node] = static_cast<u32>(order.size());
      order.push_back(node);
      stack.pop_back();
    }
  }
  std::vector<u32> found(end + 1, ~0u);
  found[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size(); i-- > 0;) {
      u32 node = order[i], best = ~0u;
      if (node == end) continue;
      for (u32 other : after[node]) {
        if (found[other] == ~0u) continue;
        if (best == ~0u) {
          best = other;
          continue;
        }
        u32 a = best, b = other;
        while (a != b) {
          while (place[a] < place[b]) a = found[a];
          while (place[b] < place[a]) b = found[b];
        }
        best = a;
      }
      if (best != found[node]) found[node] = best, changed = true;
    }
  }
  return found;
}

}  // namespace timing
