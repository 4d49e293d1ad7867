package io.github.sparkgpusched.it.udfs;

/** What a hostile UDF does, at one row or at many. */
enum Mischief {
  THROWS_CHECKED,
  THROWS_UNCHECKED,
  THROWS_ERROR,
  IS_NOT_IMPLEMENTED,
  LACKS_A_CLASS,
  RECURSES,
  OUT_OF_MEMORY,
  SLEEPS,
  ALLOCATES,
  STARTS_THREADS,
  INTERRUPTS_ITSELF,
  USES_SPARK,
  COUNTS_IN_A_STATIC,
  IS_NOT_DETERMINISTIC,
  CHANGES_ITS_ARGUMENT,
  LOCKS,
  GIVES_NULL,
  GIVES_ANOTHER_TYPE,
  FAILS_TO_INITIALIZE,
  HASH_CODE_THROWS,
  EQUALS_THROWS,
  TO_STRING_THROWS,
  CANNOT_BE_WRITTEN,
  CANNOT_BE_READ,
  IS_NOT_SERIALIZABLE;

  /** True if any row of those that run at once may be the first to fail, with words of its own. */
  boolean failsWithAnyWords() {
    return this == FAILS_TO_INITIALIZE || this == GIVES_ANOTHER_TYPE;
  }
}
