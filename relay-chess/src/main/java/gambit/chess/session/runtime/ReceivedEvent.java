package gambit.chess.session.runtime;

import gambit.chess.dialect.PlayerEvent;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Position;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A player's event as it comes to the chess lane: it was interpreted once, on its event loop.
 * Immutable.
 *
 * @param legal its move, if it was found to be a legal one that the relay waits for
 */
public record ReceivedEvent(
    Submission submission, PlayerEvent interpreted, @Nullable LegalMove legal) {

  public Event event() {
    return submission.event();
  }

  /** Its move, if it was found to be legal in that position. */
  public Optional<LegalMove> legalIn(Position position) {
    return Optional.ofNullable(legal).filter(it -> it.before() == position);
  }
}
