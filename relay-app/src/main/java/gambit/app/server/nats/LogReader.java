package gambit.app.server.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.PullRequestOptions;
import io.nats.client.Subscription;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.support.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of a stream in order, from one number on. A server sends them ahead, as many
 * bytes as two requests ask for at most. Only a call of {@link #read} sends a request, so a reader
 * that nobody uses costs nothing. It ends silently when its server does; the caller that detects
 * this creates another one. Owned by one thread at a time.
 */
final class LogReader implements AutoCloseable {
  /** The bytes that a request asks for, unless an entry may be larger. */
  static final int REQUEST_BYTES = 4 << 20;

  /** More than the bytes of a message around its payload, as the server counts them. */
  private static final int MESSAGE_OVERHEAD = 1 << 10;

  /** More messages than the bytes of a request have room for. */
  private static final int REQUEST_MESSAGES = 1_000_000;

  private static final Duration REQUEST_TIME = Duration.ofSeconds(20);

  private static final Duration LOSS_TIME = REQUEST_TIME.plusSeconds(2);

  /** The most bytes and entries that are returned at once, except for the last entry. */
  private static final int MAX_BYTES = 4 << 20;

  private static final int MAX_ENTRIES = 1000;

  /** The time to create it: at another server, if the first one has gone and NATS does not know. */
  private static final Duration CREATION_TIMEOUT = Duration.ofSeconds(1);

  /** A server deletes a reader without requests after this time. */
  private static final Duration INACTIVITY = Duration.ofSeconds(10);

  private static final int REQUEST_TIMED_OUT = 408;
  private static final int CONFLICT = 409;
  private static final String REQUEST_FULL = "Message Size Exceeds MaxBytes";

  private static final Duration NO_WAIT = Duration.ofNanos(1);

  private final Connection connection;
  private final long reconnects;
  private final String requestSubject;
  private final String inbox; // followed by the number of a request
  private final Subscription messages;
  private final long requestBytes;
  private final Map<String, Long> requests = new HashMap<>(); // when each counts as lost, by inbox
  private long requestCount;
  private long bytesSinceRequest;
  private long usedAt = System.nanoTime();
  private long next;
  private @Nullable Message held; // the first of the next result

  /** Entries are missing between those that were read and those that arrive. */
  static final class Gap extends Exception {}

  /** Starts to read at an entry, or at the oldest one if that is newer. */
  LogReader(Connection connection, String stream, long from)
      throws IOException, JetStreamApiException {
    ConsumerConfiguration place =
        ConsumerConfiguration.builder()
            .deliverPolicy(DeliverPolicy.ByStartSequence)
            .startSequence(from)
            .ackPolicy(AckPolicy.None)
            .memStorage(true)
            .numReplicas(1)
            .inactiveThreshold(INACTIVITY)
            .build();
    this.connection = connection;
    reconnects = connection.getStatistics().getReconnects();
    requestBytes = Math.max(REQUEST_BYTES, connection.getMaxPayload() + MESSAGE_OVERHEAD);
    String name =
        connection
            .jetStreamManagement(NatsConnection.jetStream(CREATION_TIMEOUT))
            .addOrUpdateConsumer(stream, place)
            .getName();
    requestSubject = "$JS.API.CONSUMER.MSG.NEXT." + stream + "." + name;
    inbox = connection.createInbox() + ".";
    messages = connection.subscribe(inbox + "*");
    next = from;
  }

  long next() {
    return next;
  }

  /** Whether its server may have forgotten it: the connection is new, or it was not used lately. */
  boolean mayBeForgotten() {
    return connection.getStatistics().getReconnects() != reconnects
        || (requests.isEmpty() && System.nanoTime() - usedAt > INACTIVITY.toNanos() / 2);
  }

  /**
   * The next entries; none if none has arrived for that time.
   *
   * @throws Gap if what has arrived is not the next entry
   * @throws IOException if the server has ended the reader
   */
  List<byte[]> read(Duration wait) throws Gap, InterruptedException, IOException {
    long now = System.nanoTime();
    requests.values().removeIf(lostAt -> lostAt - now < 0);
    List<byte[]> entries = new ArrayList<>();
    int bytes = 0;
    Message message = next(wait);
    while (message != null) {
      if (message.metaData().streamSequence() != next) {
        if (entries.isEmpty()) {
          throw new Gap();
        }
        held = message;
        break;
      }
      next++;
      byte[] entry = message.getData();
      entries.add(entry);
      bytes += entry.length;
      boolean isFull = bytes >= MAX_BYTES || entries.size() == MAX_ENTRIES;
      message = isFull ? null : next(NO_WAIT);
    }
    usedAt = System.nanoTime();
    return entries;
  }

  private @Nullable Message next(Duration wait) throws InterruptedException, IOException {
    if (held != null) {
      Message first = held;
      held = null;
      return first;
    }
    long deadline = System.nanoTime() + wait.toNanos();
    long left = wait.toNanos();
    while (left > 0) {
      requestIfDue();
      Message message = messages.nextMessage(Duration.ofNanos(left));
      if (message == null) {
        return null;
      }
      if (!message.isStatusMessage()) {
        bytesSinceRequest += message.getData().length + MESSAGE_OVERHEAD;
        return message;
      }
      end(message.getSubject(), message.getStatus());
      left = Math.max(1, deadline - System.nanoTime());
    }
    return null;
  }

  /** Asks for more if no request is left, or one of which half may have arrived. */
  private void requestIfDue() {
    boolean isHalf = requests.size() == 1 && bytesSinceRequest >= requestBytes / 2;
    if (requests.isEmpty() || isHalf) {
      String own = inbox + ++requestCount;
      PullRequestOptions request =
          PullRequestOptions.builder(REQUEST_MESSAGES)
              .maxBytes(requestBytes)
              .expiresIn(REQUEST_TIME)
              .build();
      connection.publish(requestSubject, own, request.serialize());
      requests.put(own, System.nanoTime() + LOSS_TIME.toNanos());
      bytesSinceRequest = 0;
    }
  }

  /** The server has ended a request, because it is full or has waited for its time, or all. */
  private void end(String request, Status status) throws IOException {
    boolean isExpected =
        status.getCode() == REQUEST_TIMED_OUT
            || (status.getCode() == CONFLICT && status.getMessage().contains(REQUEST_FULL));
    if (!isExpected) {
      throw new IOException("the server has ended the reader: " + status.getMessageWithCode());
    }
    requests.remove(request);
  }

  @Override
  public void close() {
    try {
      messages.unsubscribe();
    } catch (IllegalStateException e) {
      // the connection is lost, and with it the reader
    }
  }
}
