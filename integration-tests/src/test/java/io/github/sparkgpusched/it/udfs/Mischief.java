package io.github.sparkgpusched.it.udfs;

/** What a hostile UDF does, at one row or at many. */
enum Mischief {
  THROWS_CHECKED(When.ONCE),
  THROWS_UNCHECKED(When.ONCE),
  THROWS_ERROR(When.ONCE),
  THROWS_INTERRUPTED(When.ONCE),
  THROWS_WITHOUT_WORDS(When.ONCE),
  THROWS_WHAT_CANNOT_BE_SENT(When.ONCE),
  THROWS_WHAT_CANNOT_BE_TOLD(When.ONCE),
  IS_NOT_IMPLEMENTED(When.ONCE),
  LACKS_A_CLASS(When.ONCE),
  RECURSES(When.ONCE),
  OUT_OF_MEMORY(When.ONCE),
  SLEEPS(When.OFTEN),
  ALLOCATES(When.OFTEN),
  STARTS_THREADS(When.OFTEN),
  INTERRUPTS_ITSELF(When.OFTEN),
  USES_SPARK(When.ALWAYS),
  ADDS_LISTENERS(When.OFTEN),
  CHANGES_ITS_THREAD(When.OFTEN),
  COUNTS_IN_A_STATIC(When.ALWAYS),
  IS_NOT_DETERMINISTIC(When.ALWAYS),
  CHANGES_ITS_ARGUMENT(When.ALWAYS),
  LOCKS(When.ALWAYS),
  GIVES_NULL(When.OFTEN),
  GIVES_ANOTHER_TYPE(When.ONCE),
  FAILS_TO_INITIALIZE(When.ONCE),
  HASH_CODE_THROWS(When.NOT_IN_A_CALL),
  EQUALS_THROWS(When.NOT_IN_A_CALL),
  TO_STRING_THROWS(When.NOT_IN_A_CALL),
  CANNOT_BE_WRITTEN(When.NOT_IN_A_CALL),
  CANNOT_BE_READ(When.NOT_IN_A_CALL),
  IS_NOT_SERIALIZABLE(When.NOT_IN_A_CALL);

  /** In which calls it comes. */
  private enum When {
    ONCE,
    OFTEN,
    ALWAYS,
    NOT_IN_A_CALL
  }

  private static final long OFTEN = 50;

  private final When when;

  Mischief(When when) {
    this.when = when;
  }

  /** Whether it comes in the call for a row, if it is to come at another or at the same. */
  boolean comesAt(long row, long at) {
    return switch (when) {
      case ONCE -> row == at;
      case OFTEN -> row % OFTEN == at % OFTEN;
      case ALWAYS -> true;
      case NOT_IN_A_CALL -> false;
    };
  }

  /**
   * True if it does otherwise where there is no task: it, or its error, cannot be sent, it asks for
   * its task, or it interrupts its thread.
   */
  boolean isOfTasks() {
    return switch (this) {
      case CANNOT_BE_WRITTEN,
          CANNOT_BE_READ,
          IS_NOT_SERIALIZABLE,
          THROWS_WHAT_CANNOT_BE_SENT,
          USES_SPARK,
          ADDS_LISTENERS,
          INTERRUPTS_ITSELF ->
          true;
      default -> false;
    };
  }

  /**
   * True if any row of those that run at once may be the first to fail, with words of its own; or
   * if only Spark's words come back, which have numbers of stages.
   */
  boolean failsWithAnyWords() {
    return this == FAILS_TO_INITIALIZE
        || this == GIVES_ANOTHER_TYPE
        || this == THROWS_WHAT_CANNOT_BE_SENT;
  }
}
