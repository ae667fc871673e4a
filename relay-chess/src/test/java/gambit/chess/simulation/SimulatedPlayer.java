package gambit.chess.simulation;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A player: a key, some connections, and recently sent events. */
final class SimulatedPlayer {
  private static final int MOST_SENT = 8;
  private static final List<String> TIMES = List.of("60", "180+2", "1/30", "1/600", "");

  final PubKey key;
  final List<SimulatedConnection> sockets = new ArrayList<>();
  final List<Event> sent = new ArrayList<>();

  /** The time control that this player searches for, as the tag has it; empty without one. */
  final String time;

  /** Whether this player mostly searches for rated games. */
  final boolean isRated;

  boolean ephemeral;
  @Nullable EventId lastGame;

  SimulatedPlayer(PubKey key, RandomGenerator chance) {
    this.key = key;
    this.time = TIMES.get(chance.nextInt(TIMES.size()));
    this.ephemeral = chance.nextBoolean();
    this.isRated = chance.nextBoolean();
  }

  void remember(Event event) {
    if (sent.size() == MOST_SENT) {
      sent.remove(0);
    }
    sent.add(event);
  }
}
