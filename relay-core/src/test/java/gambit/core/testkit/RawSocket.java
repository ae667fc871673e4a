package gambit.core.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A client that writes its own bytes: HTTP by hand, WebSocket frames of any kind. */
public final class RawSocket implements AutoCloseable {
  /** A request for the upgrade, as RFC 6455 has it. */
  public static final String UPGRADE =
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PATIENCE_MS = 20_000;

  /** A frame from the relay. */
  public record Received(int opcode, byte[] payload) {
    public String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    /** The code of a close frame. */
    public int closeCode() {
      return (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
    }
  }

  private final Socket socket;
  private final DataInputStream in;

  public RawSocket(URI url) throws IOException {
    this(url, 0);
  }

  private RawSocket(URI url, int receiveBuffer) throws IOException {
    socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** A connection on which the WebSocket handshake is done and the challenge has come (NIP-42). */
  public static RawSocket upgraded(URI url) throws IOException {
    return upgraded(new RawSocket(url));
  }

  /** The same with a socket that takes little while nobody reads. */
  public static RawSocket sleeper(URI url) throws IOException {
    return upgraded(new RawSocket(url, 4096));
  }

  private static RawSocket upgraded(RawSocket raw) throws IOException {
    raw.write(UPGRADE);
    String head = raw.readHead();
    if (!head.startsWith("HTTP/1.1 101 ") || !head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")) {
      throw new AssertionError("no upgrade: " + head);
    }
    String greeting = raw.read().text();
    if (!greeting.startsWith("[\"AUTH\",")) {
      throw new AssertionError("no challenge: " + greeting);
    }
    return raw;
  }

  public void write(String ascii) throws IOException {
    write(ascii.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Sends a masked frame: {@link #encoded}. */
  public void frame(int first, byte[] payload) throws IOException {
    write(encoded(first, payload));
  }

  /** A masked frame; the first byte is the final bit, the reserved bits and the opcode. */
  public static byte[] encoded(int first, byte[] payload) {
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

  /** Says that nothing more comes, without going. */
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  public void text(String text) throws IOException {
    frame(0x81, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The status line and headers of an answer. */
  public String readHead() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  public byte[] readBody(String head) throws IOException {
    String length =
        head.toLowerCase(java.util.Locale.ROOT).replaceAll("(?s).*content-length: (\\d+).*", "$1");
    return in.readNBytes(Integer.parseInt(length));
  }

  public Received read() throws IOException {
    int opcode = in.readUnsignedByte() & 15;
    int length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = (int) in.readLong();
    }
    return new Received(opcode, in.readNBytes(length));
  }

  /** The next text; pings in between are passed over and not answered. */
  public String nextText() throws IOException {
    Received frame = read();
    while (frame.opcode() == PING) {
      frame = read();
    }
    return frame.text();
  }

  /** The code with which the relay closes; what comes before is passed over. */
  public int awaitClose() throws IOException {
    Received frame = read();
    while (frame.opcode() != CLOSE) {
      frame = read();
    }
    return frame.closeCode();
  }

  /** Whether something has come that was not read yet. */
  public boolean hasAnswer() throws IOException {
    return in.available() > 0;
  }

  /** Tells whether the relay has closed the connection, with nothing more on it. */
  public boolean isAtEnd() throws IOException {
    return in.read() < 0;
  }

  /** Ends with a reset instead of a goodbye. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
