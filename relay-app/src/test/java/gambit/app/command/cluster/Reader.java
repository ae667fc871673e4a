package gambit.app.command.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Queries accepted notes: the node that has accepted one has it at once, any other in the end. Has
 * a thread.
 */
final class Reader {
  private static final int ANSWER_SECONDS = 4;
  private static final Duration LAG = Duration.ofMinutes(2);

  private final Load load;
  private final Random random;
  private volatile long found;

  Reader(Load load, long seed) {
    this.load = load;
    this.random = new Random(seed);
  }

  /** Queries until the load ends. */
  void run() {
    while (load.isRunning()) {
      RelayNode node = load.anyNode(random);
      BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
      try (NodeClient client = new NodeClient(node.url(), messages::add)) {
        for (int i = 0; i < 50 && load.isRunning() && !client.hasEnded(); i++) {
          Load.Accepted some = load.anyAccepted(random);
          if (some != null && !check(client, messages, node, some)) {
            break;
          }
          load.pause(load.pauseOfAuthors() * 2);
        }
      } catch (CompletionException e) {
        load.pause(50);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Queries a note until it is found; false if the node does not answer. */
  private boolean check(
      NodeClient client, BlockingQueue<JsonNode> messages, RelayNode node, Load.Accepted some)
      throws InterruptedException {
    long deadline = System.nanoTime() + LAG.toNanos();
    while (load.isRunning()) {
      client.send("[\"REQ\",\"one\",{\"ids\":[\"" + some.id() + "\"]}]");
      List<JsonNode> answer = until(messages);
      if (answer.isEmpty()) {
        return false;
      }
      if (answer.size() > 1) {
        found++;
        return true;
      }
      if (some.node() == node || System.nanoTime() > deadline) {
        load.violations()
            .add(some.id() + ", accepted by " + some.node().name() + ", is not at " + node.name());
        return true;
      }
      load.pause(20);
    }
    return false;
  }

  /** The messages up to EOSE; none if the node does not answer. */
  private static List<JsonNode> until(BlockingQueue<JsonNode> messages)
      throws InterruptedException {
    List<JsonNode> answer = new ArrayList<>();
    while (true) {
      JsonNode message = messages.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (message == null || message.get(0).asText().equals("CLOSED")) {
        return List.of();
      }
      answer.add(message);
      if (message.get(0).asText().equals("EOSE")) {
        return answer;
      }
    }
  }

  long found() {
    return found;
  }
}
