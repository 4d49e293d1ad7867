// The memory of a kernel (../host_grid.h), as the machine knows it.

#pragma once

#include "../host_grid.h"
#include "memory.h"

namespace ptx {

template <class T>
void add_all(DeviceMemory& memory, const std::string& name, const std::vector<T>& cells) {
  if (!cells.empty()) memory.add(name, cells.data(), cells.size() * sizeof(T));
}

template <class Ctx>
void add_grid(const check::HostGrid<Ctx>& grid, DeviceMemory& memory) {
  add_all(memory, "the far queues", grid.far);
  add_all(memory, "the load table", grid.table);
  add_all(memory, "the mirror", grid.mirror);
  add_all(memory, "the jobs", grid.jobs);
  memory.add("the cursor", &grid.cursor, sizeof(grid.cursor));
  if (grid.grid.ring != nullptr) {
    memory.add("the ring", &grid.ring, sizeof(grid.ring));
    add_all(memory, "the ring's slots", grid.slots);
    add_all(memory, "the ring's copies of columns", grid.columns);
    memory.add("the ring's control", &grid.control, sizeof(grid.control));
  }
}

}  // namespace ptx
