package gambit.app.command.cluster;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An author who publishes numbered notes at random nodes, each after the one before it was
 * accepted: an unanswered one is sent again, also at other nodes. So the order of the notes in the
 * log is that of their numbers. Has a thread.
 */
final class Author {
  /** The kind of the notes. */
  static final int KIND = 1;

  private static final int ANSWER_SECONDS = 4;
  private static final int EVENTS_AT_A_NODE = 200;

  private final Load load;
  private final int number;
  private final Signer signer;
  private final Random random;
  private final Map<String, Long> accepted = new ConcurrentHashMap<>(); // numbers by id
  private volatile long sent = -1; // the newest number
  private volatile long acknowledged = -1;

  /** An author who has published nothing. */
  Author(Load load, int number, long seed) {
    this.load = load;
    this.number = number;
    this.signer = Keys.of("author " + number);
    this.random = new Random(seed);
  }

  String pubkey() {
    return signer.pubkey().hex();
  }

  /** The number of the newest note that was sent. */
  long sent() {
    return sent;
  }

  /** The number of the newest note that was accepted. */
  long acknowledged() {
    return acknowledged;
  }

  /** The ids of all accepted notes. */
  java.util.Set<String> acceptedIds() {
    return accepted.keySet();
  }

  /** Publishes until the load ends. */
  void run() {
    Event unanswered = null;
    while (load.isPublishing() || (unanswered != null && load.isRunning())) {
      RelayNode node = load.anyNode(random);
      try (NodeClient client = new NodeClient(node.url(), message -> {})) {
        for (int i = 0; i < EVENTS_AT_A_NODE && load.isPublishing() || unanswered != null; i++) {
          if (unanswered == null) {
            unanswered = next();
            sent++;
          }
          NodeClient.Answer answer =
              client.publish(unanswered).get(ANSWER_SECONDS, TimeUnit.SECONDS);
          if (!answer.isAccepted()) {
            requireRefusalOfANode(answer);
            load.pause(100);
            break;
          }
          accepted.put(unanswered.id().hex(), sent);
          load.accepted(node, unanswered);
          acknowledged = sent;
          unanswered = null;
          load.pause(load.pauseOfAuthors());
        }
      } catch (CompletionException | ExecutionException | TimeoutException e) {
        load.pause(50);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void requireRefusalOfANode(NodeClient.Answer answer) {
    if (!answer.text().startsWith("error: this relay cannot reach its cluster")) {
      load.violations().add("a note was refused: " + answer.text());
    }
  }

  private Event next() {
    String content = (sent + 1) + " " + "x".repeat(random.nextInt(1_000));
    Tags tags = new Tags(List.of(List.of("author", "" + number)));
    return signer.sign(System.currentTimeMillis() / 1000, KIND, tags, content);
  }
}
