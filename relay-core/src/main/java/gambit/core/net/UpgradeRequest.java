package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A well-formed request for a WebSocket at {@code /} (RFC 6455, section 4.1). Most clients send one
 * as their first bytes, all at once: {@link #read} reads it without Netty's HTTP codec, which would
 * take a quarter of the CPU of the first thousands of connections. Immutable.
 *
 * @param key of the client, in Base64
 * @param extensions the values of the header {@code Sec-WebSocket-Extensions}
 * @param forwardedFor the values of the header {@code X-Forwarded-For}
 */
record UpgradeRequest(String key, List<String> extensions, List<String> forwardedFor) {
  static final String VERSION = "13";
  static final String FORWARDED_FOR = "X-Forwarded-For";

  /** The most bytes that are read here; the rest of a longer request may not have arrived. */
  private static final int MAX_BYTES = 4096;

  private static final byte[] REQUEST_LINE = ascii("GET / HTTP/1.1\r\n");
  private static final byte[] HOST = ascii("host");
  private static final byte[] UPGRADE = ascii("upgrade");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] KEY = ascii("sec-websocket-key");
  private static final byte[] VERSION_HEADER = ascii("sec-websocket-version");
  private static final byte[] EXTENSIONS = ascii("sec-websocket-extensions");
  private static final byte[] FORWARDED = ascii("x-forwarded-for");

  /** Headers that change what a request means, or who sends it. */
  private static final List<byte[]> LEFT_TO_HTTP =
      List.of(
          ascii("content-length"),
          ascii("transfer-encoding"),
          ascii("expect"),
          ascii("authorization"));

  private static final byte[] WEBSOCKET = ascii("websocket");
  private static final byte[] KEEP_ALIVE_AND_UPGRADE = ascii("keep-alive, upgrade");

  /** Sixteen bytes in Base64 are 22 characters and two equal signs. */
  private static final int KEY_LENGTH = 24;

  private static final int KEY_CHARACTERS = 22;
  private static final byte DELETE = 0x7f; // the control character

  /** The request that Netty's codec has read; its headers are those of a well-formed one. */
  static UpgradeRequest of(HttpHeaders headers) {
    return new UpgradeRequest(
        headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY),
        headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS),
        headers.getAll(FORWARDED_FOR));
  }

  static boolean isKey(String key) {
    return isKey(key.getBytes(StandardCharsets.ISO_8859_1), 0, key.length());
  }

  /**
   * Reads the request with which the bytes begin. Null, and nothing is read, if it is incomplete,
   * or anything about it is unusual: Netty's codec then reads it.
   */
  static @Nullable UpgradeRequest read(ByteBuf in) {
    byte[] bytes = new byte[Math.min(MAX_BYTES, in.readableBytes())];
    in.getBytes(in.readerIndex(), bytes);
    Reader reader = new Reader(bytes);
    UpgradeRequest request = reader.read();
    if (request != null) {
      in.skipBytes(reader.at);
    }
    return request;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean isKey(byte[] bytes, int begin, int end) {
    if (end - begin != KEY_LENGTH || bytes[end - 1] != '=' || bytes[end - 2] != '=') {
      return false;
    }
    for (int i = begin; i < begin + KEY_CHARACTERS; i++) {
      if (!isLetterOrDigit(bytes[i]) && bytes[i] != '+' && bytes[i] != '/') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
  }

  /** Reads one request. Few steps a byte: the first thousand requests are interpreted. */
  private static final class Reader {
    private final byte[] bytes;
    private int at; // the next byte; in the end, the first one after the request
    private int nameEnd; // of the header that is read, as the next two
    private int valueBegin;
    private int valueEnd;
    private int hosts;
    private int upgrades;
    private int connections;
    private int versions;
    private @Nullable String key;
    private List<String> extensions = List.of();
    private List<String> forwardedFor = List.of();

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    @Nullable UpgradeRequest read() {
      if (!is(REQUEST_LINE, 0, Math.min(REQUEST_LINE.length, bytes.length))) {
        return null;
      }
      at = REQUEST_LINE.length;
      while (at < bytes.length && bytes[at] != '\r') {
        int begin = at;
        if (!takeHeader() || !use(begin)) {
          return null;
        }
      }
      at += 2;
      boolean isComplete =
          at <= bytes.length
              && bytes[at - 1] == '\n'
              && hosts == 1
              && upgrades == 1
              && connections == 1
              && versions == 1;
      return key == null || !isComplete ? null : new UpgradeRequest(key, extensions, forwardedFor);
    }

    /** Takes a line; false if it is incomplete, or not a name and a value in printable ASCII. */
    private boolean takeHeader() {
      while (at < bytes.length && (isLetterOrDigit(bytes[at]) || bytes[at] == '-')) {
        at++;
      }
      nameEnd = at;
      if (at == bytes.length || bytes[at] != ':') {
        return false;
      }
      at++;
      while (at < bytes.length && bytes[at] == ' ') {
        at++;
      }
      valueBegin = at;
      while (at < bytes.length && bytes[at] >= ' ' && bytes[at] != DELETE) {
        at++;
      }
      valueEnd = at;
      while (valueEnd > valueBegin && bytes[valueEnd - 1] == ' ') {
        valueEnd--;
      }
      at += 2;
      return at <= bytes.length && bytes[at - 2] == '\r' && bytes[at - 1] == '\n';
    }

    /** False if Netty must read the request. */
    private boolean use(int begin) {
      if (is(HOST, begin, nameEnd)) {
        hosts++;
      } else if (is(UPGRADE, begin, nameEnd)) {
        upgrades++;
        return is(WEBSOCKET, valueBegin, valueEnd);
      } else if (is(CONNECTION, begin, nameEnd)) {
        connections++;
        return is(UPGRADE, valueBegin, valueEnd)
            || is(KEEP_ALIVE_AND_UPGRADE, valueBegin, valueEnd);
      } else if (is(VERSION_HEADER, begin, nameEnd)) {
        versions++;
        return VERSION.equals(value());
      } else if (is(KEY, begin, nameEnd)) {
        boolean isOnly = key == null;
        key = value();
        return isOnly && isKey(bytes, valueBegin, valueEnd);
      } else if (is(EXTENSIONS, begin, nameEnd)) {
        extensions = with(extensions);
      } else if (is(FORWARDED, begin, nameEnd)) {
        forwardedFor = with(forwardedFor);
      } else {
        for (byte[] name : LEFT_TO_HTTP) {
          if (is(name, begin, nameEnd)) {
            return false;
          }
        }
      }
      return nameEnd > begin;
    }

    private List<String> with(List<String> values) {
      List<String> more = new ArrayList<>(values);
      more.add(value());
      return more;
    }

    private String value() {
      return new String(bytes, valueBegin, valueEnd - valueBegin, StandardCharsets.US_ASCII);
    }

    /** Whether that part is the text, whose letters may be of the other case there. */
    private boolean is(byte[] text, int begin, int end) {
      if (end - begin != text.length) {
        return false;
      }
      for (int i = 0; i < text.length; i++) {
        byte b = bytes[begin + i];
        byte lower = b >= 'A' && b <= 'Z' && text[i] >= 'a' ? (byte) (b + 'a' - 'A') : b;
        if (lower != text[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
