package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.model.EventId;
import gambit.core.store.StoredEvent;
import gambit.core.testkit.Keys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A follower of a test: its connections and submissions, and what it was asked to do. */
final class FakeLocalClients extends LeaderLink {
  private final long node;
  private final RemoteReports leader;
  private final Map<Long, FakeConnection> connections = new HashMap<>();
  private final List<Submission> pending = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();

  /** A node that reports to a leader. */
  FakeLocalClients(long node, RemoteReports leader) {
    super(new EntryApplierTest.SilentBus(), node, Optional::empty, InstantSource.system());
    this.node = node;
    this.leader = leader;
  }

  FakeConnection open(long number) {
    FakeConnection connection = new FakeConnection("node " + node + " connection " + number);
    connections.put(number, connection);
    return connection;
  }

  void forwarded(Submission submission) {
    pending.add(submission);
  }

  /** Returns what it was asked to do since the last call. */
  List<String> takeCalls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  long node() {
    return node;
  }

  /** Reads an entry's effects as this node. */
  List<Outgoing> decode(byte[] effects, List<StoredEvent> added) {
    List<Outgoing> output = new ArrayList<>();
    new OutputDecoder(node, this, Keys.of("relay"))
        .decode(effects, added, output, new ArrayList<>());
    return output;
  }

  @Override
  Optional<ClientConnection> connection(long number) {
    return Optional.ofNullable(connections.get(number));
  }

  @Override
  Optional<ClientConnection> receiver(long number) {
    return connection(number);
  }

  @Override
  @Nullable Submission answered(long connection, EventId id) {
    for (Iterator<Submission> all = pending.iterator(); all.hasNext(); ) {
      Submission each = all.next();
      if (each.event().id().equals(id) && each.connection() == connections.get(connection)) {
        all.remove();
        return each;
      }
    }
    return null;
  }

  @Override
  void report(long number, boolean isSent) {
    leader.report(node, number, isSent);
  }

  @Override
  ForwardedCommit settled(long request) {
    return new ForwardedCommit(
        Commit.of(List.of()),
        outcome -> {
          calls.add("settled " + request + " " + outcome);
          return List.of();
        },
        outcome -> {});
  }

  @Override
  void statesArrived() {
    calls.add("states arrived");
  }
}
