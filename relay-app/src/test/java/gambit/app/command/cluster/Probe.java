package gambit.app.command.cluster;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Publishes events at a node until one is accepted. */
final class Probe {
  private static final Signer AUTHOR = Keys.of("probe");
  private static final AtomicLong NUMBER = new AtomicLong();

  private Probe() {}

  /** Waits until all these nodes accept events; returns how long that took since a moment. */
  static Duration awaitVerdicts(List<RelayNode> nodes, long since, Duration most) {
    for (RelayNode node : nodes) {
      awaitVerdict(node, since + most.toNanos());
    }
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private static void awaitVerdict(RelayNode node, long deadline) {
    String last = "no connection";
    while (System.nanoTime() < deadline) {
      try (NodeClient client = new NodeClient(node.url(), message -> {})) {
        while (System.nanoTime() < deadline) {
          NodeClient.Answer answer = client.publish(event()).get(15, TimeUnit.SECONDS);
          if (answer.isAccepted()) {
            return;
          }
          last = answer.text();
          TimeUnit.MILLISECONDS.sleep(50);
        }
      } catch (CompletionException | ExecutionException | TimeoutException e) {
        last = e.toString();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      pause();
    }
    throw new AssertionError(node.name() + " accepts no events: " + last);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Event event() {
    String content = "probe " + NUMBER.incrementAndGet();
    return AUTHOR.sign(System.currentTimeMillis() / 1000, 30_001, Tags.NONE, content);
  }
}
