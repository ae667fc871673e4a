package gambit.app.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.testkit.Client;
import gambit.core.testkit.RawSocket;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A connection on which a thread sends all bytes at once, while another one reads the answers. */
final class FloodingConnection implements AutoCloseable {
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xa;

  private final RawSocket socket;
  private final Thread sender;

  /** Connects and starts to send. */
  FloodingConnection(URI url, byte[] bytes) throws IOException {
    this(url, challenge -> bytes);
  }

  /** Connects, and sends bytes that depend on the challenge (NIP-42). */
  FloodingConnection(URI url, Function<String, byte[]> bytes) throws IOException {
    socket = new RawSocket(url);
    socket.write(RawSocket.UPGRADE);
    socket.readHead();
    byte[] all = bytes.apply(Client.parse(socket.read().text()).path(1).asText());
    sender = new Thread(() -> send(all), "flood");
    sender.start();
  }

  private void send(byte[] bytes) {
    try {
      socket.write(bytes);
    } catch (IOException e) {
      // The relay has closed the connection; its last answers are still read.
    }
  }

  /**
   * Reads this number of answers and counts each kind: the verb with the reason, if any; a pong; or
   * the status code of a close frame.
   */
  Map<String, Integer> answers(int count) throws IOException {
    Map<String, Integer> answers = new TreeMap<>();
    for (int missing = count; missing > 0; ) {
      RawSocket.ReceivedFrame frame = socket.read();
      if (frame.opcode() != PING) {
        answers.merge(summary(frame), 1, Integer::sum);
        missing--;
      }
    }
    return answers;
  }

  /** Reads the answers up to the EOSE of a subscription and counts each kind. */
  Map<String, Integer> answersUpTo(String subscription) throws IOException {
    String end = "[\"EOSE\",\"" + subscription + "\"]";
    Map<String, Integer> answers = new TreeMap<>();
    RawSocket.ReceivedFrame frame = socket.read();
    while (!frame.text().equals(end)) {
      answers.merge(summary(frame), 1, Integer::sum);
      frame = socket.read();
    }
    return answers;
  }

  private static String summary(RawSocket.ReceivedFrame frame) {
    if (frame.opcode() == PONG) {
      return "pong";
    }
    if (frame.opcode() == CLOSE) {
      return "close " + frame.closeCode();
    }
    JsonNode message = Client.parse(frame.text());
    String verb = message.path(0).asText();
    return switch (verb) {
      case "OK" -> verb + " " + message.path(2) + " " + message.path(3).asText();
      case "CLOSED" -> verb + " " + message.path(2).asText();
      case "NOTICE" -> verb + " " + message.path(1).asText();
      default -> verb;
    };
  }

  /** Whether the relay has closed the connection, with nothing more on it. */
  boolean isAtEnd() throws IOException {
    return socket.isAtEnd();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    try {
      sender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
