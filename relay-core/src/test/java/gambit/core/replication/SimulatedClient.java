package gambit.core.replication;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.RelayMessage.Ok;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A client that publishes, subscribes and plays at one node after another. What was not answered
 * when a connection is lost, it sends again over the next one.
 */
final class SimulatedClient {
  private static final int MAX_UNANSWERED = 6;
  private static final int ACTION_MICROS = 300_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final int number;
  private final List<Event> unanswered = new ArrayList<>();
  private @Nullable SimulatedConnection connection;
  private boolean isConnecting;
  private boolean hasSeat;
  private int lastMove;

  SimulatedClient(Simulation world, int number) {
    this.world = world;
    this.random = world.random();
    this.number = number;
  }

  /** Does something now, and again later. */
  void act() {
    SimulatedConnection current = connection;
    if (current == null) {
      connect(world.machines().get(random.nextInt(world.machines().size())));
    } else if (!world.isCalm()) {
      act(current);
    }
    world.schedule().after(1 + random.nextInt(ACTION_MICROS), null, this::act);
  }

  /** Connects to a machine's relay, unless it is connecting. */
  void connect(SimulatedMachine machine) {
    SimulatedRelay relay = machine.relay();
    if (isConnecting || relay == null) {
      return;
    }
    isConnecting = true;
    relay.after(
        200,
        () -> {
          if (relay.accepts() && connection == null) {
            SimulatedConnection accepted =
                new SimulatedConnection(relay, this, world.nextConnection());
            relay.add(accepted);
            connection = accepted;
            unanswered.forEach(accepted::publish);
          }
        });
    world.schedule().after(50_000, null, () -> isConnecting = false);
  }

  /** Whether it is connected. */
  boolean isConnected() {
    return connection != null;
  }

  /** Publishes an event, if it is connected. */
  void publish(Event event) {
    if (connection != null) {
      publish(connection, event);
    }
  }

  private void act(SimulatedConnection current) {
    int choice = random.nextInt(100);
    if (choice < 55 && unanswered.size() < MAX_UNANSWERED) {
      publish(current, nextEvent());
    } else if (choice < 75) {
      if (current.subscriptions().size() < 2) {
        current.subscribe(List.of(filter()));
      } else if (random.nextInt(3) == 0) {
        current.unsubscribe(current.subscriptions().get(0));
      }
    } else if (choice < 80) {
      current.disconnect();
    } else if (choice < 90) {
      commit(current.relay());
    }
  }

  private void publish(SimulatedConnection current, Event event) {
    if (!unanswered.contains(event)) {
      unanswered.add(event);
      current.publish(event);
    }
  }

  private Event nextEvent() {
    int choice = random.nextInt(10);
    if (choice < 5) {
      return SimulatedEvents.stored(random);
    } else if (choice < 6) {
      return SimulatedEvents.ephemeral(random);
    }
    return hasSeat || choice < 8 ? SimulatedEvents.move(random) : SimulatedEvents.join(number);
  }

  private Filter filter() {
    return switch (random.nextInt(3)) {
      case 0 -> new Filter(null, null, null, Map.of(), null, null, null);
      case 1 ->
          new Filter(
              null, null, Set.of(1, 20_001, SimulatedEvents.STATE), Map.of(), null, null, null);
      default ->
          new Filter(
              null,
              Set.of(SimulatedEvents.author(random).pubkey()),
              null,
              Map.of(),
              null,
              null,
              null);
    };
  }

  /** A feature of its node commits a row. */
  private void commit(SimulatedRelay relay) {
    SimulatedCommit commit = new SimulatedCommit(relay, world.nextCommit());
    world.add(commit);
    relay.after(0, () -> relay.store(commit.commit(), commit::outcome, commit::settled));
  }

  /** It hears the verdict on an event. */
  void answered(Event event, Ok ok) {
    unanswered.remove(event);
    if (event.kind() == SimulatedEvents.JOIN && ok.accepted() && !hasSeat) {
      hasSeat = true;
      lastMove = -1;
    }
  }

  /** It is told of a move, or of their number. */
  void notified(Ok ok) {
    world.trace(() -> this + " is told " + ok.text() + " " + ok.id());
    if (!hasSeat) {
      return;
    }
    int told = Integer.parseInt(ok.text());
    if (ok.id().equals(CounterGame.STATE)) {
      if (told < lastMove) {
        throw new Violation(Invariant.GAMES_DO_NOT_FORK, this + " is set back to move " + told);
      }
    } else {
      if (told != lastMove + 1) {
        throw new Violation(
            Invariant.EXACTLY_ONCE_AND_IN_ORDER,
            this + " is told of move " + told + " after " + lastMove);
      }
      world.check().toldOfMove(this, told, ok.id());
    }
    lastMove = told;
  }

  /** A connection has ended. */
  void disconnected(SimulatedConnection ended) {
    world.trace(() -> ended + " is disconnected");
    if (connection == ended) {
      connection = null;
      hasSeat = false;
    }
  }

  /** What it still waits for. */
  Optional<String> unrecovered() {
    if (!unanswered.isEmpty()) {
      return Optional.of(this + " waits for verdicts");
    }
    return hasSeat && lastMove != world.check().moves()
        ? Optional.of(this + " has not been told of every move")
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "client " + number;
  }
}
