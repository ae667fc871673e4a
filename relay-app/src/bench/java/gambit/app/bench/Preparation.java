package gambit.app.bench;

import gambit.app.common.SafeText;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a relay stores the data set and nothing else of the data set's time. One thread.
 */
final class Preparation {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 8;
  private static final int UNDER_WAY = 64;
  private static final int SAMPLE = 50;
  private static final int NEWEST = 100;

  private final BenchClients clients;
  private final DataSet data;
  private final Oracle oracle;
  private final Consumer<String> out;

  Preparation(BenchClients clients, DataSet data, Oracle oracle, Consumer<String> out) {
    this.clients = clients;
    this.data = data;
    this.oracle = oracle;
    this.out = out;
  }

  /**
   * Publishes the data set unless it is stored.
   *
   * @param file where it is kept; null for nowhere
   */
  void run(@Nullable Path file) throws RelayFailure {
    run(file, null);
  }

  /**
   * Publishes the data set unless it is stored.
   *
   * @param server whose CPU is counted; null to count none
   * @return what was counted after the {@linkplain DataSet#uncounted first} events; empty if the
   *     data set is stored
   */
  Totals run(@Nullable Path file, @Nullable ServerProcess server) throws RelayFailure {
    Totals counted = new Totals();
    try (RelaySession session = RelaySession.connect(clients.relay(), TIMEOUT)) {
      if (data.size() > 0 && !isStored(session)) {
        load(file, server, counted);
      }
      if (data.size() > 0 && !isStored(session)) {
        throw new RelayFailure("The relay has answered OK true for events that it does not serve.");
      }
      requireNothingElse(session);
    }
    return counted;
  }

  /** The keys of the events that a filter finds, in the order of the relay. */
  static List<Long> find(RelaySession session, String filter) throws RelayFailure {
    List<Long> found = new ArrayList<>();
    boolean[] isServed = {false};
    int notices = session.notices();
    String id =
        session.subscribe(
            filter,
            message -> {
              switch (message.verb()) {
                case "EVENT" -> message.event().ifPresent(event -> found.add(event.id().prefix()));
                case "EOSE" -> isServed[0] = true;
                default -> throw refused("" + message);
              }
            });
    while (!isServed[0]) {
      if (!session.step(TIMEOUT)) {
        throw new RelayFailure(
            "The relay does not answer a REQ: no answer within " + TIMEOUT.toSeconds() + " s.");
      } else if (session.notices() > notices) {
        throw refused(session.notice());
      }
    }
    session.unsubscribe(id);
    return found;
  }

  private static RelayFailure refused(String text) {
    return new RelayFailure("The relay refused a REQ: " + SafeText.of(text));
  }

  private record Connected(List<BenchClient> clients) implements AutoCloseable {
    @Override
    public void close() {
      Bench.close(clients);
    }
  }

  private boolean isStored(RelaySession session) throws RelayFailure {
    List<Integer> ranks = new ArrayList<>();
    int count = Math.min(SAMPLE, oracle.size());
    for (int i = 0; i < count; i++) {
      ranks.add((int) ((long) i * (oracle.size() - 1) / Math.max(1, count - 1)));
    }
    Set<Long> wanted =
        ranks.stream().map(rank -> oracle.from(rank, 1)[0]).collect(Collectors.toSet());
    String ids =
        ranks.stream().map(rank -> "\"" + oracle.id(rank) + "\"").collect(Collectors.joining(","));
    return new HashSet<>(find(session, "{\"ids\":[" + ids + "]}")).equals(wanted);
  }

  private void load(@Nullable Path file, @Nullable ServerProcess server, Totals counted)
      throws RelayFailure {
    long begun = System.nanoTime();
    int[] published = {0};
    try (Connected publishers = new Connected(clients.connect(CONNECTIONS))) {
      data.forEach(
          file,
          (drafts, json) -> {
            Totals portion = publish(publishers.clients(), drafts, json, server);
            if (published[0] >= data.uncounted()) {
              counted.add(portion);
            }
            published[0] += drafts.size();
          });
    }
    out.accept(
        String.format(
            "Loaded %,d events in %.0f s.", data.size(), (System.nanoTime() - begun) / 1e9));
  }

  private Totals publish(
      List<BenchClient> publishers,
      List<Draft> drafts,
      List<String> json,
      @Nullable ServerProcess server)
      throws RelayFailure {
    Iterator<String> texts = json.iterator();
    Iterator<Draft> next = drafts.iterator();
    Publishing publishing =
        new Publishing(
            () -> next.hasNext() ? SignedEvent.of(next.next(), texts.next()) : null,
            event -> oracle.isSuperseded(event.key()));
    Loop loop =
        new Loop(clients, Amount.ofOperations(drafts.size()).pacing(0), publishing, new Totals());
    publishing.listen(publishers, List.of(), loop);
    loop.run(publishers, UNDER_WAY, server);
    return loop.totals();
  }

  /** Fails if the newest events of the data set's time are not the data set's. */
  private void requireNothingElse(RelaySession session) throws RelayFailure {
    String newest = "{\"until\":" + DataSet.END + ",\"limit\":" + NEWEST + "}";
    List<Long> found = find(session, newest);
    Set<Long> expected = new HashSet<>();
    for (long key : oracle.from(0, NEWEST)) {
      expected.add(key);
    }
    if (!new HashSet<>(found).equals(expected)) {
      throw new RelayFailure(
          "The relay stores other events than the data set, so its answers cannot be checked. It"
              + " must be empty, or have been loaded with the same --seed and --events.");
    }
  }
}
