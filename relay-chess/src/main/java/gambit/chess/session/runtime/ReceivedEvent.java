package gambit.chess.session.runtime;

import gambit.chess.dialect.PlayerEvent;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Position;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A player's event and its interpretation, as the event loop hands them to the chess lane.
 * Immutable.
 *
 * @param legal the legal move in it, if the relay has waited for that; else null
 */
public record ReceivedEvent(
    Submission submission, PlayerEvent interpreted, @Nullable LegalMove legal) {

  public Event event() {
    return submission.event();
  }

  /** Its move, if that is known to be legal in a position. */
  public Optional<LegalMove> legalIn(Position position) {
    return Optional.ofNullable(legal).filter(it -> it.before() == position);
  }
}
