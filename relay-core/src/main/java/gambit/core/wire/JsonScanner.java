package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.Hex;
import gambit.core.model.JsonStrings;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/**
 * A strict, single-pass scanner of JSON in UTF-8 (RFC 8259) for EVENT messages. It validates UTF-8,
 * refuses raw control characters, lone surrogates and leading zeros, and writes strings in
 * canonical form while reading them.
 *
 * <p>No method throws: after the first {@link #fail}, every call returns at once, and {@link
 * #error} states what is wrong. Used by one thread for one frame.
 */
final class JsonScanner {
  /** Maximum nesting depth, which bounds the recursion; an event needs 4. */
  static final int MAX_DEPTH = 8;

  private final byte[] in;
  private final int end;
  private int at;
  private @Nullable String error;

  JsonScanner(byte[] in, int length) {
    this.in = in;
    this.end = length;
  }

  @Nullable String error() {
    return error;
  }

  boolean failed() {
    return error != null;
  }

  void fail(String why) {
    if (error == null) {
      error = why;
      at = end;
    }
  }

  /** The next byte that is not white space, without consuming it; -1 at the end. */
  int peek() {
    while (at < end) {
      byte b = in[at];
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
        return b & 0xff;
      }
      at++;
    }
    return -1;
  }

  /** Consumes the byte if it is the next one. */
  boolean take(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) {
      fail("malformed JSON");
    }
  }

  void expectEnd() {
    if (peek() >= 0) {
      fail("trailing bytes after the message");
    }
  }

  /**
   * Reads an integer without sign, fraction, exponent or leading zero; fails and returns -1
   * otherwise.
   */
  long takeNaturalNumber(String what) {
    int first = peek();
    long value = 0;
    int from = at;
    while (at < end && in[at] >= '0' && in[at] <= '9') {
      value = value * 10 + (in[at++] - '0');
      if (at - from > 18) {
        fail(what + " is too large");
        return -1;
      }
    }
    int next = at < end ? in[at] : ' ';
    boolean number = at > from && next != '.' && next != 'e' && next != 'E';
    if (!number || (first == '0' && at - from > 1)) {
      fail(what + " must be a non-negative integer");
      return -1;
    }
    return value;
  }

  /** Reads a string and appends it to {@code out} in canonical form with its quotes. */
  void takeString(ByteBuilder out) {
    expect('"');
    out.add('"');
    while (!failed()) {
      if (at >= end) {
        fail("unterminated string");
        return;
      }
      int b = in[at];
      if (b == '"') {
        at++;
        out.add('"');
        return;
      } else if (b == '\\') {
        at++;
        takeEscape(out);
      } else if (b >= 0x20) {
        int from = at++;
        while (at < end && isPlain(in[at])) {
          at++;
        }
        out.add(in, from, at);
      } else if (b >= 0) {
        fail("raw control character in a string");
      } else {
        int length = Utf8.sequenceLength(in, at, end);
        if (length == 0) {
          fail("not UTF-8");
          return;
        }
        out.add(in, at, at + length);
        at += length;
      }
    }
  }

  /** Whether a byte stands for itself in a string: ASCII without controls and escapes. */
  private static boolean isPlain(byte b) {
    return b >= 0x20 && b != '"' && b != '\\';
  }

  /** Reads a string and decodes it; an empty text after a failure. */
  String takeText() {
    peek();
    int plainEnd = at + 1;
    while (plainEnd < end && isPlain(in[plainEnd])) {
      plainEnd++;
    }
    if (plainEnd < end && in[at] == '"' && in[plainEnd] == '"') {
      String text = new String(in, at + 1, plainEnd - at - 1, StandardCharsets.ISO_8859_1);
      at = plainEnd + 1;
      return text;
    }
    ByteBuilder text = new ByteBuilder(72);
    takeString(text);
    return failed() ? "" : JsonStrings.decode(text.array(), 0, text.size());
  }

  /** The bytes of the string that is next, if it is that number of plain lower-case hex digits. */
  byte @Nullable [] takeHex(int digits) {
    if (peek() != '"' || at + digits + 2 > end || in[at + 1 + digits] != '"') {
      return null;
    }
    byte[] bytes = Hex.bytes(in, at + 1, digits);
    if (bytes != null) {
      at += digits + 2;
    }
    return bytes;
  }

  private void takeEscape(ByteBuilder out) {
    int escape = at < end ? in[at++] : -1;
    switch (escape) {
      case '"', '\\', '/' -> JsonStrings.appendEscaped(out, escape);
      case 'b' -> JsonStrings.appendEscaped(out, '\b');
      case 'f' -> JsonStrings.appendEscaped(out, '\f');
      case 'n' -> JsonStrings.appendEscaped(out, '\n');
      case 'r' -> JsonStrings.appendEscaped(out, '\r');
      case 't' -> JsonStrings.appendEscaped(out, '\t');
      case 'u' -> takeUnicodeEscape(out);
      default -> fail("unknown escape in a string");
    }
  }

  private void takeUnicodeEscape(ByteBuilder out) {
    int unit = takeFourHexDigits();
    if (unit < 0) {
      fail("malformed \\u escape");
    } else if (unit < 0x80) {
      JsonStrings.appendEscaped(out, unit);
    } else if (!Character.isSurrogate((char) unit)) {
      Utf8.append(out, unit);
    } else {
      boolean pair =
          Character.isHighSurrogate((char) unit)
              && at + 1 < end
              && in[at] == '\\'
              && in[at + 1] == 'u';
      at += pair ? 2 : 0;
      int low = pair ? takeFourHexDigits() : -1;
      if (low < 0 || !Character.isLowSurrogate((char) low)) {
        fail("lone surrogate in a string");
        return;
      }
      Utf8.append(out, Character.toCodePoint((char) unit, (char) low));
    }
  }

  private int takeFourHexDigits() {
    if (at + 4 > end) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Hex.lowerCaseValue(in[at] >= 'A' && in[at] <= 'F' ? in[at] + 32 : in[at]);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
      at++;
    }
    return value;
  }

  /** Skips any value and checks it as strictly; {@code depth} is its nesting depth. */
  void skipValue(int depth) {
    if (depth > MAX_DEPTH) {
      fail("JSON nested too deep");
      return;
    }
    switch (peek()) {
      case '"' -> takeString(new ByteBuilder(32));
      case '[' -> {
        expect('[');
        if (!take(']')) {
          do {
            skipValue(depth + 1);
          } while (take(','));
          expect(']');
        }
      }
      case '{' -> skipObject(depth);
      case 't' -> skipWord("true");
      case 'f' -> skipWord("false");
      case 'n' -> skipWord("null");
      default -> skipNumber();
    }
  }

  private void skipObject(int depth) {
    var keys = new HashSet<String>();
    expect('{');
    if (take('}')) {
      return;
    }
    do {
      peek();
      ByteBuilder key = new ByteBuilder(32);
      takeString(key);
      if (!failed() && !keys.add(JsonStrings.decode(key.array(), 0, key.size()))) {
        fail("duplicate key");
      }
      expect(':');
      skipValue(depth + 1);
    } while (take(','));
    expect('}');
  }

  private void skipWord(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at >= end || in[at++] != word.charAt(i)) {
        fail("malformed JSON");
        return;
      }
    }
  }

  private void skipNumber() {
    if (at < end && in[at] == '-') {
      at++;
    }
    boolean leadingZero = at < end && in[at] == '0';
    int digits = skipDigits();
    boolean good = digits == 1 || (digits > 1 && !leadingZero);
    if (at < end && in[at] == '.') {
      at++;
      good &= skipDigits() > 0;
    }
    if (at < end && (in[at] == 'e' || in[at] == 'E')) {
      at++;
      if (at < end && (in[at] == '+' || in[at] == '-')) {
        at++;
      }
      good &= skipDigits() > 0;
    }
    if (!good) {
      fail("malformed JSON");
    }
  }

  private int skipDigits() {
    int from = at;
    while (at < end && in[at] >= '0' && in[at] <= '9') {
      at++;
    }
    return at - from;
  }
}
