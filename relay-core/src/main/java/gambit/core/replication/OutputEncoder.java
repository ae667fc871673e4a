package gambit.core.replication;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.replication.Effect.Client;
import gambit.core.replication.Effect.NumberedClient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Splits the leader's output into that for its own clients and the effects on other nodes, which
 * {@link OutputDecoder} reads there. One thread.
 *
 * <p>Connections to other nodes that have closed are left out.
 */
final class OutputEncoder {
  private static final LimitedLog LOG = LimitedLog.of(OutputEncoder.class);

  /**
   * The parts of some output.
   *
   * @param local delivered by this node's live lane; it has no connection of another node
   * @param parts the effects, each part for an entry; one empty part if no other node does anything
   */
  record Split(List<Outgoing> local, List<byte[]> parts) {}

  private final RemoteReports reports;
  private final int partBytes;
  private final EffectCodec effects = new EffectCodec();
  private List<Outgoing> local = List.of();

  /** Entries have room for much more than one output. */
  OutputEncoder(RemoteReports reports, int maxEntryBytes) {
    this.reports = reports;
    this.partBytes = maxEntryBytes / 4 * 3; // the output that ends a part exceeds this
  }

  /** Splits output; the first part's entry has a group of that size, which adds those events. */
  Split split(List<Outgoing> output, List<Event> added, int recordBytes) {
    List<byte[]> parts = new ArrayList<>(1);
    int room = partBytes - recordBytes;
    effects.begin(added);
    List<Outgoing> kept = new ArrayList<>(output.size());
    local = kept;
    for (Outgoing each : output) {
      split(each);
      if (effects.size() > 0 && effects.size() >= room) {
        parts.add(effects.toArray());
        effects.begin(List.of());
        room = partBytes;
      }
    }
    local = List.of();
    if (effects.size() > 0 || parts.isEmpty()) {
      parts.add(effects.toArray());
    }
    return new Split(kept, parts);
  }

  private static boolean isHere(ClientConnection connection) {
    return !(connection instanceof RemoteConnection);
  }

  private static List<Fallback> here(List<Fallback> fallbacks) {
    return fallbacks.stream().allMatch(it -> isHere(it.to()))
        ? fallbacks
        : fallbacks.stream().filter(it -> isHere(it.to())).toList();
  }

  private static Set<ClientConnection> here(Set<ClientConnection> connections) {
    Set<ClientConnection> here = new HashSet<>(connections);
    here.removeIf(it -> !isHere(it));
    return here;
  }

  /** A client of another node, while its connection is open. */
  private static Optional<Client> other(ClientConnection connection) {
    return connection instanceof RemoteConnection it && it.isOpen()
        ? Optional.of(it.client())
        : Optional.empty();
  }

  private static List<Client> others(Set<ClientConnection> connections) {
    return connections.stream().flatMap(it -> other(it).stream()).toList();
  }

  private static List<NumberedClient> others(List<Fallback> fallbacks) {
    return fallbacks.stream()
        .flatMap(it -> other(it.to()).map(to -> new NumberedClient(to, it.number())).stream())
        .toList();
  }

  private void split(Outgoing output) {
    if (output instanceof Outgoing.Answer it) {
      if (it.to().connection() instanceof RemoteConnection to) {
        effects.write(new Effect.Answer(to.client(), it.ok()));
      } else {
        local.add(it);
      }
    } else if (output instanceof Outgoing.LateOk it) {
      if (it.to() instanceof RemoteConnection to) {
        effects.write(new Effect.LateOk(to.client(), it.ok()));
      } else {
        local.add(it);
      }
    } else if (output instanceof Outgoing.Broadcast it) {
      effects.write(new Effect.Broadcast(it.event(), others(it.fallbacks())));
      local.add(new Outgoing.Broadcast(it.event(), here(it.fallbacks())));
    } else if (output instanceof Outgoing.Multicast it) {
      multicast(it);
    } else if (output instanceof Outgoing.OutputReport it) {
      report(it);
    } else if (output instanceof Outgoing.SubscriptionCheck it) {
      effects.write(new Effect.SubscriptionCheck(it.event()));
      local.add(it);
    } else if (output instanceof Outgoing.Current it) {
      current(it);
    } else if (output instanceof Outgoing.StateRemoval it) {
      effects.write(new Effect.StateRemoval(it.key(), it.kind()));
      local.add(it);
    } else if (output instanceof Effect effect) {
      effects.write(effect);
    } else {
      throw new IllegalArgumentException("unknown output: " + output);
    }
  }

  private void multicast(Outgoing.Multicast multicast) {
    Set<ClientConnection> to = here(multicast.to());
    List<Fallback> fallbacks = here(multicast.fallbacks());
    List<Client> otherTo = others(multicast.to());
    List<NumberedClient> otherFallbacks = others(multicast.fallbacks());
    Set<Long> nodes = Effect.nodes(otherTo, otherFallbacks);
    boolean hasLocal = !to.isEmpty() || !fallbacks.isEmpty() || nodes.isEmpty();
    Consumer<Boolean> whetherSent = multicast.whetherSent();
    long report = 0;
    if (multicast.isReported() && !nodes.isEmpty()) {
      if (hasLocal) {
        nodes.add(RemoteReports.HERE);
      }
      long number = reports.expect(nodes, whetherSent);
      report = number;
      whetherSent = isSent -> reports.report(RemoteReports.HERE, number, isSent);
    }
    if (!nodes.isEmpty()) {
      effects.write(new Effect.Multicast(multicast.event(), otherTo, otherFallbacks, report));
    }
    if (hasLocal) {
      local.add(new Outgoing.Multicast(multicast.event(), to, fallbacks, whetherSent));
    }
  }

  private void report(Outgoing.OutputReport report) {
    List<Client> others = others(report.of());
    Set<ClientConnection> here = here(report.of());
    if (others.isEmpty()) {
      local.add(new Outgoing.OutputReport(here, report.whenSent()));
      return;
    }
    AtomicBoolean isSentYet = new AtomicBoolean();
    Consumer<Boolean> first =
        isSent -> {
          if (isSent && !isSentYet.getAndSet(true)) {
            report.whenSent().run();
          }
        };
    long number = reports.expect(Effect.nodes(others, List.of()), first);
    effects.write(new Effect.OutputReport(others, number));
    local.add(new Outgoing.OutputReport(here, () -> first.accept(true)));
  }

  private void current(Outgoing.Current current) {
    LazilySignedEvent state;
    try {
      state = current.state().get();
    } catch (RuntimeException e) { // the rest of the batch does not depend on it
      LOG.error("A state could not be made; this is a bug", e);
      return;
    }
    effects.write(new Effect.Current(0, current, state.unsigned()));
    local.add(
        new Outgoing.Current(
            current.key(), current.kind(), current.about(), () -> state, current.ends()));
  }
}
