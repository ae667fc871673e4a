package gambit.core.model;

/** What the ranges of kind numbers mean for storage (NIP-01, "Kinds"). */
public final class Kind {
  public static final int MAX = 65_535;

  /** An encrypted direct message (NIP-04). */
  public static final int DIRECT_MESSAGE = 4;

  /** A deletion request (NIP-09). */
  public static final int DELETION = 5;

  /** A request to vanish (NIP-62). */
  public static final int VANISH = 62;

  /** A gift wrap (NIP-59): sealed for whom its {@code p} tag names. */
  public static final int GIFT_WRAP = 1059;

  /** A gift wrap that is not to be stored (NIP-59). */
  public static final int EPHEMERAL_GIFT_WRAP = 21_059;

  /** A login (NIP-42), which means something in an AUTH message only. */
  public static final int CLIENT_AUTH = 22_242;

  private Kind() {}

  /** Sealed for whom its {@code p} tag names, stored or not (NIP-59). */
  public static boolean isGiftWrap(int kind) {
    return kind == GIFT_WRAP || kind == EPHEMERAL_GIFT_WRAP;
  }

  /** Hands on another event, which may be embedded in its content (NIP-18). */
  public static boolean isRepost(int kind) {
    return kind == 6 || kind == 16;
  }

  /** Only the newest event of a pubkey and kind is kept. */
  public static boolean isReplaceable(int kind) {
    return kind == 0 || kind == 3 || (kind >= 10_000 && kind < 20_000);
  }

  /** Delivered to who listens now, never stored. */
  public static boolean isEphemeral(int kind) {
    return kind >= 20_000 && kind < 30_000;
  }

  /** Only the newest event of a pubkey, kind and {@code d} tag is kept. */
  public static boolean isAddressable(int kind) {
    return kind >= 30_000 && kind < 40_000;
  }
}
