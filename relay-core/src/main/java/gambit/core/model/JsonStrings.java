package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * Canonical JSON strings: exactly {@code \n \" \\ \r \t \b \f} have these named escapes, other
 * control characters become lower-case {@code \}{@code u00xx}, and everything else is verbatim
 * UTF-8 (NIP-01, "Events and signatures").
 */
public final class JsonStrings {
  private static final String NAMED_ESCAPES = "btnfr";
  private static final String NAMED_CONTROLS = "\b\t\n\f\r"; // in the same order

  private static final String[] CHARACTERS =
      IntStream.range(0, 0x80).mapToObj(Character::toString).toArray(String[]::new);

  private JsonStrings() {}

  /** Appends the text with its quotes. */
  public static void append(ByteBuilder out, String text) {
    out.add('"');
    int length = text.length();
    int at = 0;
    while (at < length && text.charAt(at) < 0x80) {
      int plain = plainEnd(text, at);
      out.addAscii(text, at, plain);
      at = plain;
      if (at < length && text.charAt(at) < 0x80) {
        appendEscaped(out, text.charAt(at++));
      }
    }
    if (at < length) {
      for (byte b : text.substring(at).getBytes(StandardCharsets.UTF_8)) {
        appendEscaped(out, b);
      }
    }
    out.add('"');
  }

  /** The end of the ASCII characters from a position that are written verbatim. */
  private static int plainEnd(String text, int from) {
    int length = text.length();
    int end = from;
    while (end < length && isPlain(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
  }

  public static byte[] encode(String text) {
    ByteBuilder out = new ByteBuilder(text.length() + 2);
    append(out, text);
    return out.finish();
  }

  /** Appends one byte of UTF-8 text, escaped if required. */
  public static void appendEscaped(ByteBuilder out, int b) {
    switch (b) {
      case '"' -> out.add('\\', '"');
      case '\\' -> out.add('\\', '\\');
      case '\n' -> out.add('\\', 'n');
      case '\r' -> out.add('\\', 'r');
      case '\t' -> out.add('\\', 't');
      case '\b' -> out.add('\\', 'b');
      case '\f' -> out.add('\\', 'f');
      default -> {
        if (b >= 0 && b < 0x20) {
          out.add('\\', 'u');
          out.add('0', '0');
          out.add(Hex.DIGITS[b >> 4], Hex.DIGITS[b & 15]);
        } else {
          out.add(b);
        }
      }
    }
  }

  /** Decodes the canonical string, with its quotes, between two positions of an array. */
  public static String decode(byte[] json, int from, int to) {
    if (to - from == 3 && json[from + 1] >= 0) {
      return CHARACTERS[json[from + 1]];
    }
    if (!hasEscape(json, from, to)) {
      return new String(json, from + 1, to - from - 2, StandardCharsets.UTF_8);
    }
    ByteBuilder out = new ByteBuilder(to - from);
    appendDecoded(out, json, from + 1, to - 1, true);
    return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
  }

  private static boolean hasEscape(byte[] json, int from, int to) {
    for (int i = from; i < to; i++) {
      if (json[i] == '\\') {
        return true;
      }
    }
    return false;
  }

  /** Copies canonical JSON with decoded {@code \}{@code u00xx}, and named escapes on demand. */
  public static void appendDecoded(
      ByteBuilder out, byte[] json, int from, int to, boolean decodeNamed) {
    int at = from;
    while (at < to) {
      byte b = json[at++];
      if (b != '\\') {
        out.add(b);
        continue;
      }
      byte escape = json[at++];
      if (escape == 'u') {
        out.add(Hex.lowerCaseValue(json[at + 2]) << 4 | Hex.lowerCaseValue(json[at + 3]));
        at += 4;
      } else if (decodeNamed) {
        int name = NAMED_ESCAPES.indexOf(escape);
        out.add(name < 0 ? escape : NAMED_CONTROLS.charAt(name));
      } else {
        out.add('\\', escape);
      }
    }
  }
}
