package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Position;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A player's request on the chess lane. Immutable.
 *
 * @param legal the legal move in it, if the relay has waited for that; else null
 * @param before the binding of its author and its connection before the request
 */
public record PlayerRequest(
    Submission submission,
    PlayerEvent interpreted,
    @Nullable LegalMove legal,
    ConnectionBindings.BindingState before) {

  public Dialect dialect() {
    return interpreted.dialect();
  }

  public Event event() {
    return submission.event();
  }

  public EventId id() {
    return event().id();
  }

  public PubKey player() {
    return event().pubkey();
  }

  /** The time of arrival in epoch milliseconds. */
  public long arrival() {
    return submission.arrivedAt().toEpochMilli();
  }

  /** The answer if what it asks for cannot be committed. */
  public List<Outgoing> refusals(WriteOutcome outcome) {
    return List.of(submission.refused(outcome.reason()));
  }

  public Optional<LegalMove> legalIn(Position position) {
    return Optional.ofNullable(legal).filter(it -> it.before() == position);
  }

  /** The event of this request, if its dialect notifies of the colour; else none. */
  public ColourNotifications colourNotifications() {
    ColourNotifications colourNotifications = new ColourNotifications();
    if (dialect().has(Trait.CONFIRMS_COLOURS)) {
      colourNotifications.add(submission.connection(), id());
    }
    return colourNotifications;
  }
}
