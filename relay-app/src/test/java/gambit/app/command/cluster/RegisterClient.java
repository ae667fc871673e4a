package gambit.app.command.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.command.cluster.RegisterHistory.Operation;
import gambit.app.command.cluster.RegisterHistory.Type;
import gambit.app.command.cluster.RegisterHistory.Version;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client of one node that writes or reads registers, one operation after the other. All clients
 * use the same register, and go on to the next one after some writes. Has a thread.
 */
final class RegisterClient {
  private static final Signer AUTHOR = Keys.of("registers");
  private static final int KIND = 30_078;
  private static final int WRITES_PER_REGISTER = 16;
  private static final int ANSWER_SECONDS = 8;
  private static final int MOST_PAUSE_MILLIS = TestEffort.of(240, 60);
  private static final int WRITES_PER_SECOND_OF_AGE = 2; // so some are equally old
  private static final int MOST_SECONDS_LATE = 3; // so some are older than the newest

  /** What all clients share. */
  static final class Shared {
    private final RegisterHistory history = new RegisterHistory();
    private final Violations violations;
    private final AtomicLong writes = new AtomicLong();
    private final long start = System.currentTimeMillis() / 1000 - 1_000_000;
    private volatile boolean isRunning = true;

    Shared(Violations violations) {
      this.violations = violations;
    }

    RegisterHistory history() {
      return history;
    }

    /** Ends all clients after their operations. */
    void end() {
      isRunning = false;
    }
  }

  private final Shared shared;
  private final RelayNode node;
  private final int nodeNumber;
  private final int number;
  private final Type type;
  private final Random random;
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private long reads;

  RegisterClient(Shared shared, RelayNode node, int nodeNumber, int number, Type type, long seed) {
    this.shared = shared;
    this.node = node;
    this.nodeNumber = nodeNumber;
    this.number = number;
    this.type = type;
    this.random = new Random(seed);
  }

  /** Operates until the end. */
  void run() {
    try {
      while (shared.isRunning) {
        messages.clear();
        try (NodeClient client = new NodeClient(node.url(), messages::add)) {
          boolean isAnswered = true;
          while (shared.isRunning && isAnswered) {
            long register = shared.writes.get() / WRITES_PER_REGISTER;
            isAnswered = type == Type.WRITE ? write(client, register) : read(client, register);
            TimeUnit.MILLISECONDS.sleep(isAnswered ? random.nextInt(MOST_PAUSE_MILLIS) : 50);
          }
        } catch (CompletionException e) {
          TimeUnit.MILLISECONDS.sleep(50);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes a version; false if the node does not answer, or takes no events now. */
  private boolean write(NodeClient client, long register) throws InterruptedException {
    long time =
        shared.start
            + shared.writes.getAndIncrement() / WRITES_PER_SECOND_OF_AGE
            - random.nextInt(MOST_SECONDS_LATE + 1);
    Tags tags = new Tags(List.of(List.of("d", "" + register)));
    Event event = AUTHOR.sign(time, KIND, tags, number + " " + random.nextLong());
    long call = System.nanoTime();
    try {
      NodeClient.Answer answer = client.publish(event).get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (!answer.isAccepted()) { // it had no effect, or a read finds an unknown version
        return false;
      }
      boolean isSuperseded = answer.text().startsWith("duplicate: a newer version");
      if (!isSuperseded && !answer.text().isEmpty()) {
        shared.violations.add("a new version was answered " + answer.text());
      }
      add(register, call, System.nanoTime(), event, isSuperseded ? "superseded" : "stored");
      return true;
    } catch (ExecutionException | TimeoutException | CompletionException e) {
      add(register, call, RegisterHistory.OPEN, event, "unknown");
      return false;
    }
  }

  private void add(long register, long call, long end, Event event, String outcome) {
    Version version = new Version(event.createdAt(), event.id().hex());
    shared.history.add(
        new Operation(nodeNumber, number, Type.WRITE, register, call, end, version, outcome));
  }

  /** Reads a register; false if the node does not answer, or takes no events now. */
  private boolean read(NodeClient client, long register) throws InterruptedException {
    long call = System.nanoTime();
    if (type == Type.SYNCED_READ && !sync(client)) {
      return false;
    }
    String subscription = "r" + ++reads;
    client.send(
        "[\"REQ\",\""
            + subscription
            + "\",{\"kinds\":["
            + KIND
            + "],\"authors\":[\""
            + AUTHOR.pubkey().hex()
            + "\"],\"#d\":[\""
            + register
            + "\"]}]");
    Version found = Version.NONE;
    while (true) {
      JsonNode message = next(client);
      if (message == null || message.get(0).asText().equals("CLOSED")) {
        return false;
      }
      if (!message.get(1).asText().equals(subscription)) {
        continue; // an event that came to the subscription before
      }
      if (message.get(0).asText().equals("EOSE")) {
        client.send("[\"CLOSE\",\"" + subscription + "\"]");
        break;
      }
      JsonNode event = message.get(2);
      Version version = new Version(event.get("created_at").asLong(), event.get("id").asText());
      if (version.isNewerThan(found)) { // one that is stored meanwhile may come before EOSE, too
        found = version;
      }
    }
    shared.history.add(
        new Operation(nodeNumber, number, type, register, call, System.nanoTime(), found, null));
    return true;
  }

  /** The next message; null if none comes. */
  private @Nullable JsonNode next(NodeClient client) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    JsonNode message = null;
    while (message == null && !client.hasEnded() && System.nanoTime() < deadline) {
      message = messages.poll(100, TimeUnit.MILLISECONDS);
    }
    return message;
  }

  /** Publishes an event: what the node applies before its answer includes all earlier writes. */
  private boolean sync(NodeClient client) throws InterruptedException {
    String content = "sync " + random.nextLong();
    Event event = AUTHOR.sign(System.currentTimeMillis() / 1000, 1, Tags.NONE, content);
    try {
      return client.publish(event).get(ANSWER_SECONDS, TimeUnit.SECONDS).isAccepted();
    } catch (ExecutionException | TimeoutException | CompletionException e) {
      return false;
    }
  }
}
