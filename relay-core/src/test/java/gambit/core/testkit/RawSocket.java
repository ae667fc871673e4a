package gambit.core.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** A client that sends arbitrary bytes: HTTP requests and WebSocket frames of any kind. */
public final class RawSocket implements AutoCloseable {
  /** An upgrade request (RFC 6455). */
  public static final String UPGRADE =
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  /** Bits and opcodes of the first byte of a frame. This bit marks the last frame of a message. */
  public static final int FINAL = 0x80;

  public static final int RSV1 = 0x40;
  public static final int CONTINUATION = 0x0;
  public static final int TEXT = 0x1;
  public static final int BINARY = 0x2;
  public static final int CLOSE = 0x8;
  public static final int PING = 0x9;
  public static final int PONG = 0xa;

  private static final int TIMEOUT_MS = (int) Client.TIMEOUT.toMillis();
  private static final String ACCEPT_VALUE = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");
  private static final byte[] DEFLATE_TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  /**
   * A frame from the relay: the first byte, with the final bit, the reserved bits and the opcode,
   * and the payload.
   */
  public record ReceivedFrame(int firstByte, byte[] payload) {
    public int opcode() {
      return firstByte & 15;
    }

    /** Whether the frame is compressed (RFC 7692, section 6). */
    public boolean isCompressed() {
      return (firstByte & RSV1) != 0;
    }

    /** The text, inflated if it is compressed, without context from earlier messages. */
    public String text() {
      return new String(isCompressed() ? inflated() : payload, StandardCharsets.UTF_8);
    }

    private byte[] inflated() {
      Inflater inflater = new Inflater(true);
      try {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(payload);
        in.writeBytes(DEFLATE_TAIL);
        inflater.setInput(in.toByteArray());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        for (int more = inflater.inflate(piece); more > 0; more = inflater.inflate(piece)) {
          out.write(piece, 0, more);
        }
        return out.toByteArray();
      } catch (DataFormatException e) {
        throw new AssertionError("the compressed frame cannot be inflated", e);
      } finally {
        inflater.end();
      }
    }

    /** The status code of a close frame. */
    public int closeCode() {
      return (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
    }
  }

  private final Socket socket;
  private final DataInputStream in;

  public RawSocket(URI url) throws IOException {
    this(url, 0);
  }

  /** A connection through a socket that is connected, of TLS perhaps. */
  public RawSocket(Socket connected) throws IOException {
    socket = connected;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  private RawSocket(URI url, int receiveBuffer) throws IOException {
    socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** A connection after the WebSocket handshake and the challenge (NIP-42). */
  public static RawSocket upgraded(URI url) throws IOException {
    return upgraded(new RawSocket(url));
  }

  /** The same with a small receive buffer, which fills quickly while nobody reads. */
  public static RawSocket withSmallReceiveBuffer(URI url) throws IOException {
    return upgraded(new RawSocket(url, 4096));
  }

  /** The same with negotiated compression (RFC 7692). */
  public static RawSocket compressing(URI url) throws IOException {
    RawSocket raw = new RawSocket(url);
    raw.write(upgradeWith("Sec-WebSocket-Extensions: permessage-deflate"));
    if (!raw.readUpgradeAnswer().contains("permessage-deflate")) {
      throw new AssertionError("no compression");
    }
    return raw;
  }

  private static RawSocket upgraded(RawSocket raw) throws IOException {
    raw.write(UPGRADE);
    raw.sendFrame(FINAL | PING, new byte[0]); // the relay sends the challenge after a first frame
    raw.readSwitch();
    ReceivedFrame first = raw.read();
    ReceivedFrame second = raw.read();
    requireChallenge(first.opcode() == PONG ? second : first);
    return raw;
  }

  /** {@link #UPGRADE} with further headers. */
  public static String upgradeWith(String... headers) {
    return UPGRADE.replace("\r\n\r\n", "\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
  }

  /** Reads the answer to the handshake and the challenge after it; returns the answer. */
  public String readUpgradeAnswer() throws IOException {
    String head = readSwitch();
    requireChallenge(read());
    return head;
  }

  private String readSwitch() throws IOException {
    String head = readHead();
    if (!head.startsWith("HTTP/1.1 101 ") || !head.contains(ACCEPT_VALUE)) {
      throw new AssertionError("no upgrade: " + head);
    }
    return head;
  }

  private static void requireChallenge(ReceivedFrame greeting) {
    if (!greeting.text().startsWith("[\"AUTH\",")) {
      throw new AssertionError("no challenge: " + greeting.text());
    }
  }

  public void write(String ascii) throws IOException {
    write(ascii.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Sends a masked frame: {@link #maskedFrame}. */
  public void sendFrame(int first, byte[] payload) throws IOException {
    write(maskedFrame(first, payload));
  }

  /** A masked frame; the first byte is the final bit, the reserved bits and the opcode. */
  public static byte[] maskedFrame(int first, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(first);
    if (payload.length < 126) {
      out.write(0x80 | payload.length);
    } else if (payload.length < 65536) {
      out.write(0x80 | 126);
      out.write(payload.length >> 8);
      out.write(payload.length);
    } else {
      out.write(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) payload.length >> shift));
      }
    }
    byte[] mask = {1, 2, 3, 4};
    out.writeBytes(mask);
    for (int i = 0; i < payload.length; i++) {
      out.write(payload[i] ^ mask[i % 4]);
    }
    return out.toByteArray();
  }

  /** Closes the sending direction only. */
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  public void sendText(String text) throws IOException {
    sendFrame(FINAL | TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The status line and headers of an answer. */
  public String readHead() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  /** Reads the body of an answer with that head. */
  public byte[] readBody(String head) throws IOException {
    Matcher length = LENGTH.matcher(head);
    return in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
  }

  public ReceivedFrame read() throws IOException {
    int first = in.readUnsignedByte();
    int length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = (int) in.readLong();
    }
    return new ReceivedFrame(first, in.readNBytes(length));
  }

  /** Reads a close frame, which must be the next and last frame, and returns its status code. */
  public int readCloseAndEnd() throws IOException {
    ReceivedFrame close = read();
    if (close.firstByte() != (FINAL | CLOSE)) {
      throw new AssertionError("not a close frame: " + close.firstByte() + " " + close.text());
    }
    if (!isAtEnd()) {
      throw new AssertionError("more bytes after the close frame " + close.closeCode());
    }
    return close.closeCode();
  }

  /** Sends a small REQ and returns whether its EOSE is the next frame. */
  public boolean isServed() throws IOException {
    sendText("[\"REQ\",\"served?\",{\"limit\":0}]");
    return read().text().equals("[\"EOSE\",\"served?\"]");
  }

  /** The next text; pings before it are skipped and not answered. */
  public String nextText() throws IOException {
    ReceivedFrame frame = read();
    while (frame.opcode() == PING) {
      frame = read();
    }
    return frame.text();
  }

  /** The status code with which the relay closes; frames before it are skipped. */
  public int awaitClose() throws IOException {
    ReceivedFrame frame = read();
    while (frame.opcode() != CLOSE) {
      frame = read();
    }
    return frame.closeCode();
  }

  /** Whether there are unread bytes. */
  public boolean hasUnreadBytes() throws IOException {
    return in.available() > 0;
  }

  /** Whether the relay has closed the connection without sending more. */
  public boolean isAtEnd() throws IOException {
    return in.read() < 0;
  }

  /** Whether the relay has ended or reset the connection without sending more than an alert. */
  public boolean isEndedOrReset() {
    try {
      return in.readNBytes(100).length < 100;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Resets the connection. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
