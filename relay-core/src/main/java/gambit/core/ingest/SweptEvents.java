package gambit.core.ingest;

/**
 * Numbers of events that a sweep has removed. Immutable.
 *
 * @param vanished of authors who have requested to vanish
 * @param expired whose expiration time has passed
 * @param unwanted beyond the retention of the operator, by age or size
 */
record SweptEvents(int vanished, int expired, int unwanted) {
  static final SweptEvents NONE = new SweptEvents(0, 0, 0);

  int total() {
    return vanished + expired + unwanted;
  }

  SweptEvents plus(SweptEvents other) {
    return new SweptEvents(
        vanished + other.vanished, expired + other.expired, unwanted + other.unwanted);
  }
}
