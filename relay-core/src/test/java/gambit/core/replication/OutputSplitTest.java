package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.rate.ClientAddress;
import gambit.core.store.StoredEvent;
import gambit.core.testkit.Keys;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random output of a leader for its own clients and for those of two followers, some of whose
 * connections have closed: each node delivers what the obvious model says, in the leader's order,
 * and each callback is called as if all clients were connected to one node.
 */
class OutputSplitTest {
  private static final Signer RELAY = Keys.of("relay");
  private static final Event NOTE = Keys.of("alice").sign(1, 1, Tags.NONE, "note");
  private static final List<Long> FOLLOWERS = List.of(-5L, 7L);
  private static final int CONNECTIONS = 4;

  @Property(tries = 70)
  void eachNodeDeliversItsPartInOrder(@ForAll long seed) {
    Cluster cluster = new Cluster(seed);
    for (int batch = 0; batch < 2; batch++) { // the encoder is used again
      cluster.addBatch();
      OutputEncoder.Split split = cluster.encoder.split(cluster.output, cluster.added, 0);
      assertThat(DescribedOutput.of(split.local()))
          .isEqualTo(DescribedOutput.expected(cluster.output, null));
      for (FakeLocalClients side : cluster.sides) {
        assertThat(DescribedOutput.of(cluster.decode(split, side)))
            .isEqualTo(DescribedOutput.expected(cluster.output, side));
        assertThat(side.takeCalls()).isEqualTo(expectedCalls(cluster.output, side));
      }
    }
  }

  private static List<String> expectedCalls(List<Outgoing> output, FakeLocalClients side) {
    List<String> calls = new ArrayList<>();
    for (Outgoing each : output) {
      if (each instanceof Effect.Outcome outcome && outcome.node() == side.node()) {
        calls.add("settled " + outcome.request() + " " + outcome.outcome());
      }
    }
    return calls;
  }

  @Property(tries = 70)
  void eachCallbackIsCalledOnceWithTheOutcomeOfAllNodes(@ForAll long seed) {
    Cluster cluster = new Cluster(seed);
    cluster.addBatch();
    OutputEncoder.Split split = cluster.encoder.split(cluster.output, cluster.added, 0);
    List<Outgoing> delivered = new ArrayList<>(split.local());
    cluster.sides.forEach(side -> delivered.addAll(cluster.decode(split, side)));
    cluster.random.shuffle(delivered);
    delivered.forEach(OutputSplitTest::callBack);
    FOLLOWERS.forEach(cluster.reports::nodeGone);
    assertThat(cluster.reported).containsExactlyInAnyOrderElementsOf(cluster.expectedReports());
    assertThat(cluster.reports.size()).isZero();
  }

  private static void callBack(Outgoing delivered) {
    boolean isSent = DescribedOutput.of(List.of(delivered)).stream().anyMatch(it -> isSent(it));
    if (delivered instanceof Outgoing.Multicast multicast) {
      multicast.whetherSent().accept(isSent);
    } else if (delivered instanceof Outgoing.OutputReport report && isSent) {
      report.whenSent().run();
    }
  }

  /** Whether a part of an output reaches a client: as good as by chance, for some descriptions. */
  private static boolean isSent(String description) {
    return description.hashCode() % 2 == 0;
  }

  @Property(tries = 300)
  void damagedEffectsAreReadOrRefused(@ForAll long seed) {
    Cluster cluster = new Cluster(seed);
    cluster.addBatch();
    OutputEncoder.Split split = cluster.encoder.split(cluster.output, cluster.added, 0);
    byte[] damaged = cluster.random.damaged(split.parts().get(0));
    for (FakeLocalClients side : cluster.sides) {
      try {
        List<Outgoing> read = side.decode(damaged, cluster.stored());
        assertThat(DescribedOutput.of(read)).doesNotContainNull();
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching(".+");
      }
    }
  }

  /** Three nodes and a batch of the leader's output. */
  private static final class Cluster {
    private final RandomValues random;
    private final RemoteReports reports = new RemoteReports(0);
    private final OutputEncoder encoder;
    private final List<FakeLocalClients> sides = new ArrayList<>();
    private final List<ClientConnection> connections = new ArrayList<>();
    private final List<Event> added = new ArrayList<>();
    private final List<Outgoing> output = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private final List<Supplier<Outgoing>> types =
        List.of(
            this::answer,
            () -> new Outgoing.LateOk(connection(), ok(event())),
            () -> new Outgoing.Broadcast(event(), fallbacks()),
            () -> new Outgoing.Multicast(event(), receivers(), fallbacks()),
            this::reportedMulticast,
            this::outputReport,
            () -> new Outgoing.SubscriptionCheck(event()),
            this::current,
            () -> new Outgoing.StateRemoval(random().text(), random().below(65_536)),
            this::effect);

    Cluster(long seed) {
      random = new RandomValues(new Random(seed));
      encoder = new OutputEncoder(reports, 64 << random.below(16)); // of one part, or of several
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(new FakeConnection("local " + i));
      }
      for (long node : FOLLOWERS) {
        FakeLocalClients side = new FakeLocalClients(node, reports);
        sides.add(side);
        for (long number = 1; number <= CONNECTIONS; number++) {
          addConnection(side, number);
        }
      }
    }

    /** The first has closed; that the second has, the leader does not know yet. */
    private void addConnection(FakeLocalClients side, long number) {
      RemoteConnection connection =
          new RemoteConnection(
              new Effect.Client(side.node(), number), new ClientAddress(false, 1), false, it -> {});
      connections.add(connection);
      if (number == 1) {
        connection.close();
      } else if (number > 2) {
        side.open(number);
      }
    }

    private RandomValues random() {
      return random;
    }

    void addBatch() {
      added.clear();
      added.addAll(random.list(5, random::event));
      output.clear();
      output.addAll(random.list(12, () -> types.get(random.below(types.size())).get()));
    }

    List<StoredEvent> stored() {
      return added.stream().map(event -> new StoredEvent(1, event, 1)).toList();
    }

    List<Outgoing> decode(OutputEncoder.Split split, FakeLocalClients side) {
      List<Outgoing> decoded = new ArrayList<>();
      for (byte[] part : split.parts()) {
        List<StoredEvent> added = part == split.parts().get(0) ? stored() : List.of();
        decoded.addAll(side.decode(part, added));
      }
      return decoded;
    }

    List<String> expectedReports() {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < output.size(); i++) {
        List<Outgoing> one = List.of(output.get(i));
        boolean isSent =
            Stream.concat(
                    DescribedOutput.expected(one, null).stream(),
                    sides.stream().flatMap(it -> DescribedOutput.expected(one, it).stream()))
                .anyMatch(OutputSplitTest::isSent);
        if (one.get(0) instanceof Outgoing.Multicast multicast && multicast.isReported()) {
          expected.add(multicast.event() + " " + isSent);
        } else if (one.get(0) instanceof Outgoing.OutputReport && isSent) {
          expected.add("output report");
        }
      }
      return expected;
    }

    /** An event of the group, one that was seen before, or another. */
    private Event event() {
      if (!added.isEmpty() && random.flag()) {
        return added.get(random.below(added.size()));
      }
      return random.below(3) == 0 ? NOTE : random.event();
    }

    private ClientConnection connection() {
      return connections.get(random.below(connections.size()));
    }

    private Set<ClientConnection> receivers() {
      return random.set(4, this::connection);
    }

    private List<Fallback> fallbacks() {
      return random.list(4, () -> new Fallback(connection(), random.below(300)));
    }

    private Ok ok(Event event) {
      return switch (random.below(4)) {
        case 0 -> Ok.accepted(event, random.text());
        case 1 -> Ok.duplicate(event, Reason.duplicate(random.text()));
        case 2 -> Ok.refused(event, Reason.blocked(random.text()));
        default -> Ok.refused(random.text(), Reason.invalid(random.text()));
      };
    }

    private Outgoing answer() {
      Event event = random.event();
      ClientConnection from = connection();
      for (FakeLocalClients side : sides) {
        if (from instanceof RemoteConnection remote && remote.client().node() == side.node()) {
          side.connection(remote.client().number())
              .ifPresent(there -> side.forwarded(submission(event, there)));
        }
      }
      return new Outgoing.Answer(submission(event, from), Ok.accepted(event, random.text()));
    }

    private Submission submission(Event event, ClientConnection connection) {
      return new Submission(event, connection, Instant.EPOCH, false, false, it -> {});
    }

    private Outgoing reportedMulticast() {
      Event event = event();
      return new Outgoing.Multicast(
          event, receivers(), fallbacks(), isSent -> reported.add(event + " " + isSent));
    }

    private Outgoing outputReport() {
      return new Outgoing.OutputReport(receivers(), () -> reported.add("output report"));
    }

    private Outgoing.Current current() {
      LazilySignedEvent state =
          RELAY.signLazily(
              random.natural(),
              20_302,
              new Tags(List.of(List.of("d", random.text()))),
              random.text());
      return new Outgoing.Current(
          random.text(), 20_302, random.set(4, random::key), () -> state, random.flag());
    }

    private Effect effect() {
      long node = FOLLOWERS.get(random.below(FOLLOWERS.size()));
      long connection = 1 + random.below(CONNECTIONS);
      return switch (random.below(3)) {
        case 0 -> new Effect.LateOk(new Effect.Client(node, connection), ok(event()));
        case 1 ->
            new Effect.Outcome(
                node,
                random.number(),
                WriteOutcome.values()[random.below(WriteOutcome.values().length)]);
        default -> {
          Outgoing.Current state = current();
          yield new Effect.Current(node, state, state.state().get().unsigned());
        }
      };
    }
  }
}
