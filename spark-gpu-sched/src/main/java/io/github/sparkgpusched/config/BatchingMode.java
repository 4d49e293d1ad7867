package io.github.sparkgpusched.config;

/** When rows are collected into batches. */
public enum BatchingMode {
  /** When that is expected to be faster. */
  AUTO,
  /** Always. */
  ALWAYS,
  /** Never: each row is computed where it is. */
  NEVER
}
