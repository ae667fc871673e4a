package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.tool.client.RelayFailure;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Publishes single events. */
final class PublishedEvent {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private PublishedEvent() {}

  /** Publishes an event, and returns when the relay has accepted it. */
  static void publish(BenchClient client, Event event) throws RelayFailure {
    CompletableFuture<Void> accepted = new CompletableFuture<>();
    client.listen(
        new BenchClient.Listener() {
          @Override
          public void received(Message message) {
            if (message.verb() == Verb.OK && message.isAccepted()) {
              accepted.complete(null);
            } else if (message.verb() == Verb.OK) {
              ended(message.text());
            }
          }

          @Override
          public void ended(String reason) {
            accepted.completeExceptionally(new RelayFailure(reason));
          }
        });
    client.send("[\"EVENT\"," + event + "]");
    BenchClients.await(accepted, TIMEOUT, "An event is not answered");
  }
}
