package gambit.core.net;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A client that writes its own bytes: HTTP by hand, WebSocket frames of any kind. */
final class RawSocket implements AutoCloseable {
  private static final int PATIENCE_MS = 10_000;

  /** A frame from the relay. */
  record Received(int opcode, byte[] payload) {
    String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    /** The code of a close frame. */
    int closeCode() {
      return (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
    }
  }

  private final Socket socket;
  private final DataInputStream in;

  RawSocket(URI url) throws IOException {
    socket = new Socket(url.getHost(), url.getPort());
    socket.setSoTimeout(PATIENCE_MS);
    in = new DataInputStream(socket.getInputStream());
  }

  /** A connection on which the WebSocket handshake is done. */
  static RawSocket upgraded(URI url) throws IOException {
    RawSocket raw = new RawSocket(url);
    raw.write(
        "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    String head = raw.readHead();
    if (!head.startsWith("HTTP/1.1 101 ") || !head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")) {
      throw new AssertionError("no upgrade: " + head);
    }
    return raw;
  }

  void write(String ascii) throws IOException {
    write(ascii.getBytes(StandardCharsets.ISO_8859_1));
  }

  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** A masked frame; the first byte is the final bit, the reserved bits and the opcode. */
  void frame(int first, byte[] payload) throws IOException {
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
    out.write(mask);
    for (int i = 0; i < payload.length; i++) {
      out.write(payload[i] ^ mask[i % 4]);
    }
    write(out.toByteArray());
  }

  void text(String text) throws IOException {
    frame(0x81, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The status line and headers of an answer. */
  String readHead() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  byte[] readBody(String head) throws IOException {
    String length =
        head.toLowerCase(java.util.Locale.ROOT).replaceAll("(?s).*content-length: (\\d+).*", "$1");
    return in.readNBytes(Integer.parseInt(length));
  }

  Received read() throws IOException {
    int opcode = in.readUnsignedByte() & 15;
    int length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = (int) in.readLong();
    }
    return new Received(opcode, in.readNBytes(length));
  }

  /** Tells whether the relay has closed the connection, with nothing more on it. */
  boolean isAtEnd() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
