package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks once for stored events, outside of measurements. */
final class StoredEvents {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private StoredEvents() {}

  /** The keys of the events that a filter finds, in the order of the relay. */
  static List<Long> find(BenchClient client, String filter) throws BenchFailure {
    List<Long> found = new ArrayList<>();
    CompletableFuture<List<Long>> done = new CompletableFuture<>();
    client.listen(
        new BenchClient.Listener() {
          @Override
          public void received(Message message) {
            if (message.verb() == Verb.EVENT) {
              found.add(message.eventKey());
            } else if (message.verb() == Verb.EOSE) {
              client.send("[\"CLOSE\",\"find\"]");
              done.complete(found);
            } else if (message.verb() == Verb.CLOSED || message.verb() == Verb.NOTICE) {
              ended("The relay refused a REQ: " + Printable.of(message.text()));
            }
          }

          @Override
          public void ended(String reason) {
            done.completeExceptionally(new BenchFailure(reason));
          }
        });
    client.send("[\"REQ\",\"find\"," + filter + "]");
    return BenchClients.await(done, TIMEOUT, "The relay does not answer a REQ");
  }
}
