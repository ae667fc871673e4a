package gambit.app.bench;

import gambit.core.model.EventId;

/** The filters of a REQ, and what must be found. Immutable. */
final class BenchQuery {
  private final String filters;
  private final long[] expected;
  private final boolean isOrdered;

  /**
   * A query.
   *
   * @param filters JSON objects separated by commas
   * @param expected the {@linkplain EventId#prefix prefixes} of the ids, newest first
   * @param isOrdered whether they must arrive in this order: they need not for several filters, or
   *     for ids, where NIP-01 asks for no order
   */
  BenchQuery(String filters, long[] expected, boolean isOrdered) {
    this.filters = filters;
    this.expected = expected.clone();
    this.isOrdered = isOrdered;
  }

  String filters() {
    return filters;
  }

  /** The number of events that must be found. */
  int size() {
    return expected.length;
  }

  /** The key of the event at this place, from 0. */
  long expected(int place) {
    return expected[place];
  }

  boolean isOrdered() {
    return isOrdered;
  }
}
