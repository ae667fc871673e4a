package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.CanonicalJson;
import gambit.core.model.Hex;
import gambit.core.model.JsonStrings;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A strict, single-pass scanner of JSON in UTF-8 (RFC 8259). It validates UTF-8, refuses raw
 * control characters, lone surrogates, duplicate keys and leading zeros, and puts strings into
 * canonical form while reading them; one that is canonical already is not copied.
 *
 * <p>No method throws: after the first {@link #fail}, every call returns at once, and {@link
 * #error} states what is wrong. Used by one thread for one frame.
 */
final class JsonScanner {
  /** Maximum nesting depth, which bounds the recursion; an event needs 4. */
  static final int MAX_DEPTH = 8;

  /** The bytes after the backslash of the escapes that canonical strings have, without numeric. */
  private static final String NAMED_ESCAPES = "\"\\bfnrt";

  /** The digits that every number of that length may have in a long. */
  static final int LONG_DIGITS = 18;

  private static final String NUMBER_BYTES = "+-.0123456789Ee";
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:[.][0-9]++)?(?:[Ee][+-]?[0-9]++)?");

  /** Instead of a byte at the end of the input. */
  private static final int NOTHING = -1;

  private final byte[] in;
  private final int end;
  private int at;
  private @Nullable String error;
  private @Nullable Reason refusal;

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

  /** Fails because the message breaks a rule, although it may be JSON. */
  void refuse(Reason why) {
    if (error == null) {
      refusal = why;
      fail(why.text());
    }
  }

  /** The reason of {@link #refuse}; null if nothing has failed, or what failed is not JSON. */
  @Nullable Reason refusal() {
    return refusal;
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

  /** Consumes the byte if it is the next one, and appends it. */
  boolean take(char wanted, CanonicalJson out) {
    if (!take(wanted)) {
      return false;
    }
    out.add(at - 1, at);
    return true;
  }

  void expect(char wanted, CanonicalJson out) {
    if (!take(wanted, out)) {
      fail("malformed JSON");
    }
  }

  /** An empty canonical form of the value that is next. */
  CanonicalJson begin() {
    peek();
    return new CanonicalJson(in, at);
  }

  void expectEnd() {
    if (peek() >= 0) {
      fail("trailing bytes after the message");
    }
  }

  /**
   * Reads an integer without sign, fraction, exponent or leading zero; the highest long for more
   * than 18 digits. Refuses anything else, with its name {@code what}, and returns -1.
   */
  long takeNaturalNumber(String what, int maxDigits) {
    int first = peek();
    long value = 0;
    int from = at;
    while (at < end && in[at] >= '0' && in[at] <= '9') {
      value = at - from < LONG_DIGITS ? value * 10 + (in[at] - '0') : Long.MAX_VALUE;
      at++;
      if (at - from > maxDigits) {
        refuse(Reason.invalid(what + " is too large"));
        return -1;
      }
    }
    int next = at < end ? in[at] : ' ';
    boolean number = at > from && next != '.' && next != 'e' && next != 'E';
    if (!number || (first == '0' && at - from > 1)) {
      refuse(Reason.invalid(what + " must be a non-negative integer"));
      return -1;
    }
    return value;
  }

  CanonicalJson takeString() {
    CanonicalJson out = begin();
    takeString(out);
    return out;
  }

  /** Reads a string and appends it to {@code out} with its quotes. */
  void takeString(CanonicalJson out) {
    expect('"');
    int from = at - 1; // of the bytes that are not appended yet
    while (!failed()) {
      skipPlain();
      int b = at < end ? in[at] : NOTHING;
      if (b == '"') {
        at++;
        out.add(from, at);
        return;
      } else if (b == '\\' && isCanonicalEscape()) {
        at += 2;
      } else if (b == '\\') {
        out.add(from, at);
        at++;
        takeEscape(out.copy());
        from = at;
      } else if (at == end) {
        fail("unterminated string");
      } else if (b >= 0) {
        fail("raw control character in a string");
      } else {
        int length = Utf8.sequenceLength(in, at, end);
        if (length == 0) {
          fail("not UTF-8");
        }
        at += length;
      }
    }
  }

  /** Skips bytes that stand for themselves in a string: ASCII without controls and escapes. */
  private void skipPlain() {
    int next = at;
    while (next < end && in[next] >= 0x20 && in[next] != '"' && in[next] != '\\') {
      next++;
    }
    at = next;
  }

  /** Whether the escape that is next is the canonical form of its character. */
  private boolean isCanonicalEscape() {
    return at + 1 < end && NAMED_ESCAPES.indexOf(in[at + 1]) >= 0;
  }

  /** Reads a string and decodes it; an empty text after a failure. */
  String takeText() {
    CanonicalJson text = takeString();
    return failed() ? "" : text.decode();
  }

  /** Reads an escape, after its backslash, that is not the canonical form of its character. */
  private void takeEscape(ByteBuilder out) {
    int escape = at < end ? in[at++] : -1;
    switch (escape) {
      case '/' -> out.add('/');
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
        refuse(Reason.invalid("lone surrogate in a string"));
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
      case '"' -> takeString();
      case '[' -> takeElements(() -> skipValue(depth + 1));
      case '{' -> takeFields(name -> skipValue(depth + 1));
      case 't' -> skipWord("true");
      case 'f' -> skipWord("false");
      case 'n' -> skipWord("null");
      default -> skipNumber();
    }
  }

  /** Reads an array; the task reads one element. */
  void takeElements(Runnable takeElement) {
    expect('[');
    if (!take(']')) {
      do {
        takeElement.run();
      } while (take(','));
      expect(']');
    }
  }

  /** Reads an object without duplicate keys; the consumer of a key reads its value. */
  void takeFields(Consumer<String> takeValue) {
    expect('{');
    if (!take('}')) {
      Set<String> keys = new HashSet<>();
      do {
        String key = takeText();
        if (!keys.add(key)) {
          fail("duplicate key");
        }
        expect(':');
        if (!failed()) {
          takeValue.accept(key);
        }
      } while (take(','));
      expect('}');
    }
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
    int from = at;
    while (at < end && NUMBER_BYTES.indexOf(in[at]) >= 0) {
      at++;
    }
    if (!NUMBER.matcher(new String(in, from, at - from, StandardCharsets.US_ASCII)).matches()) {
      fail("malformed JSON");
    }
  }
}
