package gambit.core.replication;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A follower of a test: its connections and submissions, and what it was asked to do. */
final class FakeLocalClients implements LocalClients {
  private final long node;
  private final RemoteReports leader;
  private final Map<Long, FakeConnection> connections = new HashMap<>();
  private final List<Submission> pending = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();

  /** A node that reports to a leader. */
  FakeLocalClients(long node, RemoteReports leader) {
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

  @Override
  public long node() {
    return node;
  }

  @Override
  public @Nullable ClientConnection connection(long number) {
    return connections.get(number);
  }

  @Override
  public @Nullable ClientConnection receiver(long number) {
    return connections.get(number);
  }

  @Override
  public @Nullable Submission answered(long connection, EventId id) {
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
  public void report(long number, boolean isSent) {
    leader.report(node, number, isSent);
  }

  @Override
  public void settled(long request, WriteOutcome outcome) {
    calls.add("settled " + request + " " + outcome);
  }

  @Override
  public void statesArrived() {
    calls.add("states arrived");
  }

  @Override
  public Signer signer() {
    return Keys.of("relay");
  }
}
