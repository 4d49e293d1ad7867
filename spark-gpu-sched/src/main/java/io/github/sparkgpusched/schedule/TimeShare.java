package io.github.sparkgpusched.schedule;

/**
 * What a batch method or a device takes for a row, over what the row takes in place. They are
 * compared where rows in place come just before a batch; rows may differ from their neighbours, so
 * the median of the last comparisons counts. Task thread only.
 */
final class TimeShare {
  private final InPlacePrice inPlace;
  private final LastMedian shares = new LastMedian();

  /**
   * @param known what other tasks have seen, or 0
   */
  TimeShare(InPlacePrice inPlace, double known) {
    this.inPlace = inPlace;
    if (known > 0) {
      // Counts twice, as others have seen more than this task soon will.
      shares.add(known);
      shares.add(known);
    }
  }

  boolean isKnown() {
    return shares.count() > 0;
  }

  /** 0 while unknown. */
  double get() {
    return shares.median();
  }

  /**
   * Of rows of which both are known.
   *
   * @param nanos that a row took
   * @param price what it would have taken in place
   */
  void compared(double nanos, double price) {
    shares.add(nanos / price);
  }

  /**
   * What the rows of a batch would have taken in place.
   *
   * @param nanos that each took
   * @param fresh whether rows in place were timed just before: they are compared then. Otherwise
   *     the batch says what rows take in place now
   */
  double priceInPlace(double nanos, boolean fresh) {
    if (fresh || !isKnown()) {
      compared(nanos, inPlace.callNanos());
      return nanos / get();
    }
    double price = nanos / get();
    inPlace.batched(price);
    return price;
  }
}
