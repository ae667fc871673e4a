package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A line for each output that one node delivers, apart from its callbacks; the obvious model of the
 * split, when it is given the whole output.
 */
final class DescribedOutput {
  private final List<String> lines = new ArrayList<>();
  private final Predicate<ClientConnection> isHere;
  private final @Nullable FakeLocalClients follower;
  private final boolean isWhole;

  private DescribedOutput(
      Predicate<ClientConnection> isHere, @Nullable FakeLocalClients follower, boolean isWhole) {
    this.isHere = isHere;
    this.follower = follower;
    this.isWhole = isWhole;
  }

  /** Describes what a node has. */
  static List<String> of(List<Outgoing> output) {
    return lines(output, new DescribedOutput(connection -> true, null, false));
  }

  /**
   * Describes what a node should have of the leader's whole output.
   *
   * @param follower the node, or null for the leader
   */
  static List<String> expected(List<Outgoing> output, @Nullable FakeLocalClients follower) {
    return lines(
        output, new DescribedOutput(connection -> isAt(follower, connection), follower, true));
  }

  private static boolean isAt(@Nullable FakeLocalClients follower, ClientConnection connection) {
    return connection instanceof RemoteConnection remote
        ? follower != null
            && remote.client().node() == follower.node()
            && follower.connection(remote.client().number()).isPresent()
        : follower == null;
  }

  private static List<String> lines(List<Outgoing> output, DescribedOutput description) {
    output.forEach(description::describe);
    return description.lines;
  }

  private String names(Collection<ClientConnection> connections) {
    return connections.stream().filter(isHere).map(Names::of).sorted().toList().toString();
  }

  private String fallbacks(List<Fallback> fallbacks) {
    return fallbacks.stream()
        .filter(it -> isHere.test(it.to()))
        .map(it -> Names.of(it.to()) + " as " + it.number())
        .toList()
        .toString();
  }

  private void describe(Outgoing output) {
    if (output instanceof Outgoing.Answer it) {
      if (isHere.test(it.to().connection())) {
        lines.add("answer " + it.to().event() + Names.of(it.to().connection()) + it.ok());
      }
    } else if (output instanceof Outgoing.LateOk it) {
      if (isHere.test(it.to())) {
        lines.add("late OK " + Names.of(it.to()) + it.ok());
      }
    } else if (output instanceof Outgoing.Broadcast it) {
      lines.add("broadcast " + it.event() + fallbacks(it.fallbacks()));
    } else if (output instanceof Outgoing.Multicast it) {
      String receivers = names(it.to()) + fallbacks(it.fallbacks());
      if (!receivers.equals("[][]")) {
        lines.add("multicast " + it.event() + receivers);
      }
    } else if (output instanceof Outgoing.OutputReport it) {
      String of = names(it.of());
      if (!of.equals("[]")) {
        lines.add("report " + of);
      }
    } else if (output instanceof Outgoing.SubscriptionCheck it) {
      lines.add("check " + it.event());
    } else if (output instanceof Outgoing.Current it) {
      Event unsigned = it.state().get().unsigned();
      lines.add(state(it.key(), it.kind(), it.about(), it.ends(), unsigned));
    } else if (output instanceof Outgoing.StateRemoval it) {
      lines.add("removal " + it);
    } else if (isWhole && output instanceof Effect effect) {
      if (follower != null) {
        at(follower, effect);
      }
    } else {
      throw new AssertionError("delivered by no node: " + output);
    }
  }

  private static String state(
      String key, int kind, Set<PubKey> about, boolean ends, Event unsigned) {
    return "state %s %s %s %s %s"
        .formatted(key, kind, about.stream().sorted().toList(), ends, unsigned);
  }

  private void at(FakeLocalClients side, Effect effect) {
    if (effect instanceof Effect.Current it && it.node() == side.node()) {
      lines.add(state(it.key(), it.kind(), it.about(), it.ends(), it.event()));
    } else if (effect instanceof Effect.LateOk it && it.to().node() == side.node()) {
      side.connection(it.to().number()).ifPresent(to -> lines.add("late OK " + to + it.ok()));
    }
  }

  /** The names of connections, the same on the leader and on the connection's node. */
  private static final class Names {
    static String of(ClientConnection connection) {
      return connection instanceof RemoteConnection remote
          ? "node " + remote.client().node() + " connection " + remote.client().number()
          : connection.toString();
    }
  }
}
