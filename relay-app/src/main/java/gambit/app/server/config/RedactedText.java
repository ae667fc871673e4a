package gambit.app.server.config;

import java.util.regex.Pattern;

/** Text of the operator as errors and logs print it: on one line, not too long, without secrets. */
public final class RedactedText {
  private static final int MAX_LENGTH = 120;

  /** A secret key (NIP-19), also in a longer text. */
  private static final Pattern SECRET_KEY = Pattern.compile("(?i)nsec1[0-9a-z]+");

  private RedactedText() {}

  static String of(String text) {
    String line = withoutSecretKeys(text).strip().replaceAll("\\s+|\\p{Cntrl}", " ");
    return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
  }

  /** A text as it is, but without secret keys (NIP-19). */
  public static String withoutSecretKeys(String text) {
    return SECRET_KEY.matcher(text).replaceAll("nsec1… (not shown)");
  }
}
