package gambit.core.model;

/** Kind numbers, and the storage rules of their ranges (NIP-01, "Kinds"). */
public final class Kind {
  public static final int MAX = 65_535;

  /** An encrypted direct message (NIP-04). */
  public static final int DIRECT_MESSAGE = 4;

  public static final int DELETION = 5;

  /** The seal around an unsigned event (NIP-59). */
  public static final int SEAL = 13;

  /** A private message, which is only sent in a gift wrap (NIP-17). */
  public static final int PRIVATE_MESSAGE = 14;

  public static final int VANISH = 62;

  /** A repost of an event of any kind but 1 (NIP-18). */
  public static final int GENERIC_REPOST = 16;

  /** A gift wrap (NIP-59): encrypted for the recipient in its {@code p} tag. */
  public static final int GIFT_WRAP = 1059;

  /** An ephemeral gift wrap, which is not stored (NIP-59). */
  public static final int EPHEMERAL_GIFT_WRAP = 21_059;

  /** A login (NIP-42), valid in an AUTH message only. */
  public static final int CLIENT_AUTH = 22_242;

  /** A request to join the relay with an invite code (NIP-43). */
  public static final int JOIN_REQUEST = 28_934;

  /** A request to leave the relay (NIP-43). */
  public static final int LEAVE_REQUEST = 28_936;

  /** What an application keeps for its user (NIP-78). */
  public static final int APPLICATION_DATA = 30_078;

  private Kind() {}

  /** Whether events of this kind are gift wraps, stored or ephemeral (NIP-59). */
  public static boolean isGiftWrap(int kind) {
    return kind == GIFT_WRAP || kind == EPHEMERAL_GIFT_WRAP;
  }

  /** Whether events of this kind repost another one, which may be in their content (NIP-18). */
  public static boolean isRepost(int kind) {
    return kind == 6 || kind == 16;
  }

  /** Whether only the newest event of an author and kind is stored. */
  public static boolean isReplaceable(int kind) {
    return kind == 0 || kind == 3 || (kind >= 10_000 && kind < 20_000);
  }

  /** Whether events are delivered to current subscriptions and never stored. */
  public static boolean isEphemeral(int kind) {
    return kind >= 20_000 && kind < 30_000;
  }

  /** Whether only the newest event of an author, kind and {@code d} tag is stored. */
  public static boolean isAddressable(int kind) {
    return kind >= 30_000 && kind < 40_000;
  }
}
