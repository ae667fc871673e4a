package gambit.chess.dialect;

import gambit.chess.game.OngoingGame;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A player's event as the reader of its dialect has interpreted it. Immutable.
 *
 * @param game the id in hex of the only game on which the event may have an effect, if it names one
 */
public record PlayerEvent(
    Event event,
    Dialect dialect,
    Request request,
    BindingRule bindingRule,
    Optional<String> game,
    TargetState state) {

  public boolean isRequest() {
    return !(request instanceof Request.None);
  }

  /** The effect of an event over a connection that is not bound to its author. */
  public enum BindingRule {
    /** It has an effect, and binds the connection. */
    BINDS,
    /** It may resume its author's running game, and binds the connection if it is granted. */
    BINDS_IF_GRANTED,
    REQUIRES_BOUND
  }

  /** The state of a game for which an event was written, as far as the event names one. */
  public interface TargetState {
    TargetState ANY = (game, isCurrent) -> Optional.empty();

    /** Whether the event names a state by its id, and so its game. */
    default boolean isNamed(Predicate<String> isCurrent) {
      return false;
    }

    /**
     * The objection to an event that was written for another state than the current one.
     *
     * @param isCurrent whether a state with a given id, in hex, was published since the last ply
     */
    Optional<Reason> objection(OngoingGame game, Predicate<String> isCurrent);

    /**
     * The objection to an event over a connection that is not bound to its author. Anybody who has
     * captured the event may have sent it, so it must not be one for another game of its author.
     */
    default Optional<Reason> objectionIfUnbound(OngoingGame game, Predicate<String> isCurrent) {
      return Optional.empty();
    }
  }
}
