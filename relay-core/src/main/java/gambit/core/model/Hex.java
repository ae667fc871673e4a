package gambit.core.model;

/** Strict lower-case hex, the only hex of NIP-01. */
public final class Hex {
  private Hex() {}

  /** Whether the text consists of exactly that number of lower-case hex digits. */
  public static boolean isLowerCase(CharSequence text, int digits) {
    if (text.length() != digits) {
      return false;
    }
    for (int i = 0; i < digits; i++) {
      if (lowerCaseValue(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The value of a lower-case hex digit, or -1. */
  public static int lowerCaseValue(int c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }
}
