package io.github.sparkgpusched.config;

/** Whether the RAPIDS Accelerator is given calls to compute. */
public enum RapidsMode {
  /** Where it executes queries and a call has a function for GPUs. */
  AUTO,
  /** Never. */
  OFF
}
