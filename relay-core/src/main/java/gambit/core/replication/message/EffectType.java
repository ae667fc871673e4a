package gambit.core.replication.message;

/** The types of effects; the place of each is its code and never changes. */
@SuppressWarnings(
    "EnumOrdinal") // after a release, constants are only added at the end, with a new version
public enum EffectType {
  BROADCAST,
  MULTICAST,
  OUTPUT_REPORT,
  SUBSCRIPTION_CHECK,
  CURRENT,
  STATE_REMOVAL,
  ANSWER,
  LATE_OK,
  LOGIN_REQUEST,
  OUTCOME,
  STATE,
  STATES_END;

  private static final EffectType[] ALL = values();

  public void write(BinaryOutput out) {
    out.putByte(ordinal());
  }

  public static EffectType read(BinaryInput in) {
    return in.takeOneOf(ALL);
  }
}
