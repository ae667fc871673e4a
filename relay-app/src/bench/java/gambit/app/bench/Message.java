package gambit.app.bench;

import gambit.core.model.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * A message of a relay, of which only what is asked for is parsed, because parsing takes CPU from
 * the relay beside it. It may be used while the listener is called. Spaces may be between the
 * values of a message, and the fields of an event in any order.
 */
final class Message {
  private static final ByteBuf ID =
      Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("\"id\":", StandardCharsets.US_ASCII));

  private static final int ID_DIGITS = 64;
  private static final int KEY_DIGITS = 16;

  private final Verb verb;
  private final ByteBuf text;

  /** What a message is, recognized by its first letters. */
  enum Verb {
    EVENT,
    OK,
    EOSE,
    CLOSED,
    NOTICE,
    COUNT,
    AUTH,
    PONG,
    OTHER
  }

  private Message(Verb verb, ByteBuf text) {
    this.verb = verb;
    this.text = text;
  }

  static Message of(ByteBuf text) {
    int at = afterQuote(text, text.readerIndex());
    return new Message(
        at < 0 || at + 2 > text.writerIndex()
            ? Verb.OTHER
            : verb((char) text.getByte(at), (char) text.getByte(at + 1)),
        text);
  }

  static Message pong(ByteBuf payload) {
    return new Message(Verb.PONG, payload);
  }

  private static Verb verb(char first, char second) {
    return switch (first) {
      case 'E' -> second == 'V' ? Verb.EVENT : Verb.EOSE;
      case 'O' -> Verb.OK;
      case 'C' -> second == 'L' ? Verb.CLOSED : Verb.COUNT;
      case 'N' -> Verb.NOTICE;
      case 'A' -> Verb.AUTH;
      default -> Verb.OTHER;
    };
  }

  Verb verb() {
    return verb;
  }

  /** The key of the event's id, in an EVENT; -1 if there is none. */
  long eventKey() {
    int found = ByteBufUtil.indexOf(ID, text);
    return found < 0
        ? -1
        : keyAt(text, afterQuote(text, text.readerIndex() + found + ID.readableBytes()));
  }

  /** The key of the id that an OK answers; -1 if there is none. */
  long answeredKey() {
    return keyAt(text, afterVerb());
  }

  /** The name of the subscription, or the text of a NOTICE. */
  String name() {
    int from = afterVerb();
    int to = from < 0 ? -1 : text.indexOf(from, text.writerIndex(), (byte) '"');
    return to < 0 ? "" : text.toString(from, to - from, StandardCharsets.UTF_8);
  }

  /** Whether an OK accepts its event. */
  boolean isAccepted() {
    int at = afterVerb() + ID_DIGITS + 1;
    while (at < text.writerIndex() && (text.getByte(at) == ',' || text.getByte(at) == ' ')) {
      at++;
    }
    return at < text.writerIndex() && text.getByte(at) == 't';
  }

  /** Whether an OK or CLOSED has a text that begins so. */
  boolean hasReason(String prefix) {
    return text().contains("\"" + prefix);
  }

  /** The whole message. */
  String text() {
    return text.toString(StandardCharsets.UTF_8);
  }

  /**
   * The first 64 bits of the id of hexadecimal digits that begins here, by which answers are
   * recognized; -1 if there is none.
   */
  private static long keyAt(ByteBuf text, int from) {
    if (from < 0 || from + KEY_DIGITS > text.writerIndex()) {
      return -1;
    }
    long key = 0;
    for (int i = from; i < from + KEY_DIGITS; i++) {
      int digit = Hex.lowerCaseValue(text.getByte(i));
      if (digit < 0) {
        return -1;
      }
      key = key << 4 | digit;
    }
    return key;
  }

  private int afterVerb() {
    int verbEnd = afterQuote(text, afterQuote(text, text.readerIndex()));
    return verbEnd < 0 ? -1 : afterQuote(text, verbEnd);
  }

  /** The place after the next quotation mark; negative if there is none. */
  private static int afterQuote(ByteBuf text, int from) {
    int at = from < 0 ? -1 : text.indexOf(from, text.writerIndex(), (byte) '"');
    return at < 0 ? -1 : at + 1;
  }
}
