package gambit.core.replication;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.replication.message.BinaryOutput;
import gambit.core.replication.message.Effect;
import gambit.core.replication.message.EffectType;
import gambit.core.replication.message.EntryEvents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Splits the leader's output into that for its own clients and the effects on other nodes, which
 * {@link OutputDecoder} reads there. One thread.
 *
 * <p>Connections to other nodes that have closed are left out.
 */
@SuppressWarnings("EnumOrdinal") // constants are only added at the end, with a new version
final class OutputEncoder {
  private static final LimitedLog LOG = LimitedLog.of(OutputEncoder.class);
  private static final byte[] NONE = {};
  private static final int INITIAL_BYTES = 4096;

  /**
   * The parts of some output.
   *
   * @param local delivered by this node's live lane; it has no connection of another node
   * @param parts the effects, each part for an entry; one empty part if no other node does anything
   */
  record Split(List<Outgoing> local, List<byte[]> parts) {}

  private final RemoteReports reports;
  private final int partBytes;
  private final BinaryOutput out = new BinaryOutput(INITIAL_BYTES);
  private final EntryEvents events = new EntryEvents();
  private final Splitter splitter = new Splitter();
  private List<Outgoing> local = List.of();

  /**
   * An encoder.
   *
   * @param maxEntryBytes the most bytes of an entry, which has room for much more than one output
   */
  OutputEncoder(RemoteReports reports, int maxEntryBytes) {
    this.reports = reports;
    this.partBytes = maxEntryBytes / 4 * 3; // the output that ends a part exceeds this
  }

  /**
   * Splits output.
   *
   * @param added the events that the group of the first part's entry adds, in its order
   * @param recordBytes the size of that group
   */
  Split split(List<Outgoing> output, List<Event> added, int recordBytes) {
    List<byte[]> parts = new ArrayList<>(1);
    int room = partBytes - recordBytes;
    out.clear();
    events.begin(added);
    List<Outgoing> kept = new ArrayList<>(output.size());
    local = kept;
    for (int i = 0; i < output.size(); i++) {
      output.get(i).accept(splitter);
      if (out.size() > 0 && out.size() >= room) {
        parts.add(out.toArray());
        out.clear();
        events.begin(List.of());
        room = partBytes;
      }
    }
    local = List.of();
    if (out.size() > 0 || parts.isEmpty()) {
      parts.add(out.size() == 0 ? NONE : out.toArray());
    }
    return new Split(kept, parts);
  }

  private void begin(EffectType type) {
    type.write(out);
  }

  private void begin(EffectType type, long node) {
    begin(type);
    out.putLong(node);
  }

  private static boolean isRemote(ClientConnection connection) {
    return connection instanceof RemoteConnection;
  }

  private static boolean isRemote(Fallback fallback) {
    return isRemote(fallback.to());
  }

  /** The fallbacks of this node. */
  private static List<Fallback> localOf(List<Fallback> fallbacks) {
    return fallbacks.stream().noneMatch(OutputEncoder::isRemote)
        ? fallbacks
        : fallbacks.stream().filter(it -> !isRemote(it)).toList();
  }

  private void putState(Outgoing.Current current, LazilySignedEvent state) {
    out.putText(current.key());
    out.putNumber(current.kind());
    out.putIds(current.about());
    out.putFlag(current.ends());
    out.putEvent(state.unsigned());
  }

  private void putEffect(Effect effect) {
    if (effect instanceof Effect.Answer answer) {
      begin(EffectType.ANSWER, answer.node());
      out.putNumber(answer.connection());
      out.putOk(answer.ok());
    } else if (effect instanceof Effect.LateOk late) {
      begin(EffectType.LATE_OK, late.node());
      out.putNumber(late.connection());
      out.putOk(late.ok());
    } else if (effect instanceof Effect.LoginRequest request) {
      begin(EffectType.LOGIN_REQUEST, request.node());
      out.putNumber(request.connection());
    } else if (effect instanceof Effect.Outcome outcome) {
      begin(EffectType.OUTCOME, outcome.node());
      out.putNumber(outcome.request());
      out.putByte(outcome.outcome().ordinal());
    } else if (effect instanceof Effect.State state) {
      begin(EffectType.STATE, state.node());
      putState(state.state(), state.state().state().get());
    } else if (effect instanceof Effect.StatesEnd end) {
      begin(EffectType.STATES_END, end.node());
    } else {
      throw new IllegalArgumentException("unknown effect: " + effect);
    }
  }

  /** Has a part of an output that goes to each of several nodes. */
  private static final class Targets {
    private final List<RemoteConnection> connections = new ArrayList<>(2);
    private final List<Fallback> fallbacks = new ArrayList<>(2);
    private final List<Long> nodes = new ArrayList<>(2);

    void add(RemoteConnection connection) {
      if (connection.isOpen()) {
        connections.add(connection);
        addNode(connection.node());
      }
    }

    void add(Fallback fallback) {
      if (fallback.to() instanceof RemoteConnection connection && connection.isOpen()) {
        fallbacks.add(fallback);
        addNode(connection.node());
      }
    }

    private void addNode(long node) {
      if (!nodes.contains(node)) {
        nodes.add(node);
      }
    }
  }

  /** Writes the connections of one node. */
  private void putConnections(List<RemoteConnection> connections, long node) {
    out.putNumber(connections.stream().filter(it -> it.node() == node).count());
    for (RemoteConnection connection : connections) {
      if (connection.node() == node) {
        out.putNumber(connection.number());
      }
    }
  }

  /** Writes the fallbacks of one node. */
  private void putFallbacks(List<Fallback> fallbacks, long node) {
    out.putNumber(fallbacks.stream().filter(it -> isOf(node, it)).count());
    for (Fallback fallback : fallbacks) {
      if (fallback.to() instanceof RemoteConnection connection && connection.node() == node) {
        out.putNumber(connection.number());
        out.putNumber(fallback.number());
      }
    }
  }

  private static boolean isOf(long node, Fallback fallback) {
    return fallback.to() instanceof RemoteConnection connection && connection.node() == node;
  }

  /** Splits each type of output. */
  private final class Splitter implements Outgoing.OutputVisitor {
    @Override
    public void answer(Outgoing.Answer answer) {
      if (answer.to().connection() instanceof RemoteConnection to) {
        putEffect(new Effect.Answer(to.node(), to.number(), answer.ok()));
      } else {
        local.add(answer);
      }
    }

    @Override
    public void lateOk(Outgoing.LateOk late) {
      if (late.to() instanceof RemoteConnection to) {
        putEffect(new Effect.LateOk(to.node(), to.number(), late.ok()));
      } else {
        local.add(late);
      }
    }

    @Override
    public void broadcast(Outgoing.Broadcast broadcast) {
      begin(EffectType.BROADCAST);
      events.write(broadcast.event(), out);
      List<Fallback> localFallbacks = localOf(broadcast.fallbacks());
      if (localFallbacks == broadcast.fallbacks()) {
        out.putNumber(0);
        local.add(broadcast);
        return;
      }
      Targets remote = new Targets();
      broadcast.fallbacks().forEach(remote::add);
      out.putNumber(remote.nodes.size());
      for (long node : remote.nodes) {
        out.putLong(node);
        putFallbacks(remote.fallbacks, node);
      }
      local.add(new Outgoing.Broadcast(broadcast.event(), localFallbacks));
    }

    @Override
    public void multicast(Outgoing.Multicast multicast) {
      if (multicast.to().stream().noneMatch(OutputEncoder::isRemote)
          && multicast.fallbacks().stream().noneMatch(OutputEncoder::isRemote)) {
        local.add(multicast);
        return;
      }
      Targets remote = new Targets();
      Set<ClientConnection> localTo = splitOff(remote, multicast.to());
      multicast.fallbacks().forEach(remote::add);
      List<Fallback> localFallbacks = localOf(multicast.fallbacks());
      boolean isReported = multicast.isReported();
      boolean hasLocal =
          !localTo.isEmpty() || !localFallbacks.isEmpty() || (isReported && remote.nodes.isEmpty());
      Consumer<Boolean> whetherSent =
          new AnyReport(remote.nodes.size() + (hasLocal ? 1 : 0), multicast.whetherSent());
      for (long node : remote.nodes) {
        begin(EffectType.MULTICAST, node);
        events.write(multicast.event(), out);
        putConnections(remote.connections, node);
        putFallbacks(remote.fallbacks, node);
        out.putNumber(isReported ? reports.expect(node, whetherSent) : 0);
      }
      if (hasLocal) {
        local.add(
            isReported
                ? new Outgoing.Multicast(multicast.event(), localTo, localFallbacks, whetherSent)
                : new Outgoing.Multicast(multicast.event(), localTo, localFallbacks));
      }
    }

    @Override
    public void outputReport(Outgoing.OutputReport report) {
      if (report.of().stream().noneMatch(OutputEncoder::isRemote)) {
        local.add(report);
        return;
      }
      Targets remote = new Targets();
      Set<ClientConnection> localOf = splitOff(remote, report.of());
      Consumer<Boolean> first =
          new AnyReport(
              remote.nodes.size() + (localOf.isEmpty() ? 0 : 1),
              isSent -> {
                if (isSent) {
                  report.whenSent().run();
                }
              });
      for (long node : remote.nodes) {
        begin(EffectType.OUTPUT_REPORT, node);
        putConnections(remote.connections, node);
        out.putNumber(reports.expect(node, first));
      }
      if (!localOf.isEmpty()) {
        local.add(new Outgoing.OutputReport(localOf, () -> first.accept(true)));
      }
    }

    /** Returns this node's connections, and adds the others. */
    private Set<ClientConnection> splitOff(Targets remote, Set<ClientConnection> connections) {
      Set<ClientConnection> kept = new HashSet<>();
      for (ClientConnection connection : connections) {
        if (connection instanceof RemoteConnection other) {
          remote.add(other);
        } else {
          kept.add(connection);
        }
      }
      return kept;
    }

    @Override
    public void subscriptionCheck(Outgoing.SubscriptionCheck check) {
      begin(EffectType.SUBSCRIPTION_CHECK);
      events.write(check.event(), out);
      local.add(check);
    }

    @Override
    public void current(Outgoing.Current current) {
      LazilySignedEvent state;
      try {
        state = current.state().get();
      } catch (RuntimeException e) { // the rest of the batch does not depend on it
        LOG.error("A state could not be made; this is a bug", e);
        return;
      }
      begin(EffectType.CURRENT);
      putState(current, state);
      local.add(
          new Outgoing.Current(
              current.key(), current.kind(), current.about(), () -> state, current.ends()));
    }

    @Override
    public void stateRemoval(Outgoing.StateRemoval removal) {
      begin(EffectType.STATE_REMOVAL);
      out.putText(removal.key());
      out.putNumber(removal.kind());
      local.add(removal);
    }

    @Override
    public void elsewhere(Outgoing.Elsewhere elsewhere) {
      if (elsewhere.effect() instanceof Effect effect) {
        putEffect(effect);
      } else {
        throw new IllegalArgumentException("unknown effect: " + elsewhere.effect());
      }
    }
  }
}
