package gambit.chess.session.play;

import gambit.chess.game.OngoingGame;
import gambit.core.model.EventId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a running game that survives a restart. Each step replaces it when it is committed.
 * Immutable.
 *
 * @param plies the ids of the move events
 * @param proposal the proof of the open proposal ({@code Dialect.evidence}), or null
 */
public record GameSnapshot(OngoingGame game, List<EventId> plies, @Nullable List<String> proposal) {
  public GameSnapshot {
    plies = List.copyOf(plies);
  }

  public List<EventId> pliesWith(EventId move) {
    return Stream.concat(plies.stream(), Stream.of(move)).toList();
  }
}
