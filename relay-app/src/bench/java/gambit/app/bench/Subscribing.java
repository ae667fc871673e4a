package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.common.SafeText;
import gambit.app.tool.client.RelayFailure;
import java.time.Duration;
import java.util.List;
import java.util.ListIterator;
import java.util.concurrent.CompletableFuture;

/** Opens and ends subscriptions, and waits until the relay has done so. */
final class Subscribing {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Matches nothing. */
  private static final String NOTHING = "{\"ids\":[\"" + "0".repeat(64) + "\"]}";

  private Subscribing() {}

  /** Opens the subscriptions of each client one after another, each until its EOSE. */
  static void open(BenchClients loop, List<BenchClient> clients, List<List<String>> filters)
      throws RelayFailure {
    int all = filters.stream().mapToInt(List::size).sum();
    if (all == 0) {
      return;
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    int[] missing = {all};
    for (int i = 0; i < clients.size(); i++) {
      BenchClient client = clients.get(i);
      ListIterator<String> wanted = filters.get(i).listIterator();
      Runnable next =
          () -> {
            if (wanted.hasNext()) {
              client.send("[\"REQ\",\"sub" + wanted.nextIndex() + "\"," + wanted.next() + "]");
            }
          };
      listen(
          client,
          done,
          message -> {
            if (message.verb() == Verb.EOSE) {
              next.run();
              if (--missing[0] == 0) {
                done.complete(null);
              }
            }
          });
      loop.execute(next);
    }
    BenchClients.await(done, TIMEOUT.plusMillis(10L * all), "Subscriptions cannot be opened");
  }

  private static void listen(
      BenchClient client, CompletableFuture<?> done, BenchClient.Listener listener) {
    client.listen(
        new BenchClient.Listener() {
          @Override
          public void received(Message message) {
            if (message.verb() == Verb.CLOSED || message.verb() == Verb.NOTICE) {
              ended("The relay refused a subscription: " + SafeText.of(message.text()));
            } else {
              listener.received(message);
            }
          }

          @Override
          public void ended(String reason) {
            done.completeExceptionally(new RelayFailure(reason));
          }
        });
  }

  /**
   * Waits until each client has received everything sent to it so far. Events that arrive meanwhile
   * are one too many.
   */
  static void settle(BenchClients loop, List<BenchClient> clients, Totals totals)
      throws RelayFailure {
    CompletableFuture<Void> done = new CompletableFuture<>();
    int[] missing = {clients.size()};
    for (BenchClient client : clients) {
      listen(
          client,
          done,
          message -> {
            if (message.verb() == Verb.EVENT) {
              totals.wrong("an event twice: " + SafeText.of(message.text()));
            } else if (message.verb() == Verb.EOSE && message.name().equals("end")) {
              client.send("[\"CLOSE\",\"end\"]");
              if (--missing[0] == 0) {
                done.complete(null);
              }
            }
          });
      client.send("[\"REQ\",\"end\"," + NOTHING + "]");
    }
    if (!clients.isEmpty()) {
      BenchClients.await(done, TIMEOUT, "A subscription is not answered");
    }
  }
}
