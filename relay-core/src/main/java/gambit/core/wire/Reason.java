package gambit.core.wire;

import java.util.Locale;

/** The reason of a refusal: a machine-readable prefix of NIP-01, and a text for people. */
public record Reason(Prefix prefix, String text) {

  /** Of NIP-01, NIP-42 and NIP-77; {@code unsupported} is in examples of NIP-01. */
  public enum Prefix {
    DUPLICATE,
    POW,
    BLOCKED,
    RATE_LIMITED,
    INVALID,
    RESTRICTED,
    MUTE,
    ERROR,
    AUTH_REQUIRED,
    UNSUPPORTED,
    CLOSED;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String word() {
      return word;
    }
  }

  public static Reason invalid(String text) {
    return new Reason(Prefix.INVALID, text);
  }

  public static Reason error(String text) {
    return new Reason(Prefix.ERROR, text);
  }

  public static Reason duplicate(String text) {
    return new Reason(Prefix.DUPLICATE, text);
  }

  public static Reason restricted(String text) {
    return new Reason(Prefix.RESTRICTED, text);
  }

  public static Reason blocked(String text) {
    return new Reason(Prefix.BLOCKED, text);
  }

  public static Reason pow(String text) {
    return new Reason(Prefix.POW, text);
  }

  public static Reason authRequired(String text) {
    return new Reason(Prefix.AUTH_REQUIRED, text);
  }

  public static Reason rateLimited(String text) {
    return new Reason(Prefix.RATE_LIMITED, text);
  }

  public static Reason unsupported(String text) {
    return new Reason(Prefix.UNSUPPORTED, text);
  }

  public static Reason closed(String text) {
    return new Reason(Prefix.CLOSED, text);
  }

  @Override
  public String toString() {
    return prefix.word() + ": " + text;
  }
}
