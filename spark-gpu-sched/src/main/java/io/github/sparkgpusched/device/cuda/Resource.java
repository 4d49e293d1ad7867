package io.github.sparkgpusched.device.cuda;

/** What the edges guard. */
enum Resource {
  /** Page-locked host memory with a block's arguments. */
  STAGING,
  /** Device memory with a block's arguments, results and status. */
  BLOCK,
  /** Page-locked host memory with a block's results and status. */
  RESULTS
}
