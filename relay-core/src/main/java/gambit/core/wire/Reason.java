package gambit.core.wire;

import java.util.Locale;

/**
 * The reason of a refusal. Its text form is NIP-01's machine-readable prefix, a colon and a text
 * for people.
 */
public record Reason(Prefix prefix, String text) {

  /**
   * The prefixes of NIP-01, NIP-42 and NIP-77, and {@code unsupported}, which NIP-01's examples
   * use.
   */
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
