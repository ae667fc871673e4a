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
final class DescribedOutput implements Outgoing.OutputVisitor {
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
            && follower.connection(remote.client().number()) != null
        : follower == null;
  }

  private static List<String> lines(List<Outgoing> output, DescribedOutput description) {
    output.forEach(it -> it.accept(description));
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

  @Override
  public void answer(Outgoing.Answer answer) {
    if (isHere.test(answer.to().connection())) {
      lines.add("answer " + answer.to().event() + Names.of(answer.to().connection()) + answer.ok());
    }
  }

  @Override
  public void lateOk(Outgoing.LateOk late) {
    if (isHere.test(late.to())) {
      lines.add("late OK " + Names.of(late.to()) + late.ok());
    }
  }

  @Override
  public void broadcast(Outgoing.Broadcast broadcast) {
    lines.add("broadcast " + broadcast.event() + fallbacks(broadcast.fallbacks()));
  }

  @Override
  public void multicast(Outgoing.Multicast multicast) {
    String receivers = names(multicast.to()) + fallbacks(multicast.fallbacks());
    if (!receivers.equals("[][]")) {
      lines.add("multicast " + multicast.event() + receivers);
    }
  }

  @Override
  public void outputReport(Outgoing.OutputReport report) {
    String of = names(report.of());
    if (!of.equals("[]")) {
      lines.add("report " + of);
    }
  }

  @Override
  public void subscriptionCheck(Outgoing.SubscriptionCheck check) {
    lines.add("check " + check.event());
  }

  @Override
  public void current(Outgoing.Current it) {
    Event unsigned = it.state().get().unsigned();
    lines.add(state(it.key(), it.kind(), it.about(), it.ends(), unsigned));
  }

  private static String state(
      String key, int kind, Set<PubKey> about, boolean ends, Event unsigned) {
    return "state %s %s %s %s %s"
        .formatted(key, kind, about.stream().sorted().toList(), ends, unsigned);
  }

  @Override
  public void stateRemoval(Outgoing.StateRemoval removal) {
    lines.add("removal " + removal);
  }

  @Override
  public void elsewhere(Outgoing.Elsewhere elsewhere) {
    if (!isWhole) {
      throw new AssertionError("delivered by no node: " + elsewhere);
    }
    if (follower != null && elsewhere.effect() instanceof Effect effect) {
      at(follower, effect);
    }
  }

  private void at(FakeLocalClients side, Effect effect) {
    if (effect instanceof Effect.Current it && it.node() == side.node()) {
      lines.add(state(it.key(), it.kind(), it.about(), it.ends(), it.event()));
    } else if (effect instanceof Effect.LateOk it && it.to().node() == side.node()) {
      ClientConnection to = side.connection(it.to().number());
      if (to != null) {
        lines.add("late OK " + to + it.ok());
      }
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
