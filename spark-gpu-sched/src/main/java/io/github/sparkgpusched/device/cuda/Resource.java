package io.github.sparkgpusched.device.cuda;

/** What the edges guard. */
enum Resource {
  /** Page-locked host memory with a block's arguments. */
  STAGING,
  /** Device memory with a block's arguments, status, results and queues. */
  BLOCK,
  /** Page-locked host memory with a block's results, status and load table. */
  RESULTS
}
