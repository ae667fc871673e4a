package gambit.chess.dialect;

import gambit.chess.game.Playing;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An event as its dialect's reader has interpreted it. Immutable.
 *
 * @param dialect whose reader it was
 * @param content what the event asks for, if it asks for anything
 * @param bindingRule what the event may do over a connection that is not bound to its author
 * @param game the game that the event names, in hex: it must not have an effect on another
 * @param state the state of the game that the event was written for
 */
public record PlayerEvent(
    Event event,
    Dialect dialect,
    Content content,
    BindingRule bindingRule,
    Optional<String> game,
    TargetState state) {

  /** What an event asks for, or why it asks for nothing. */
  public sealed interface Content {

    /** Handles this content. */
    <R> R accept(ContentVisitor<R> visitor);

    /** A request. */
    record Asks(Request request) implements Content {
      @Override
      public <R> R accept(ContentVisitor<R> visitor) {
        return visitor.asks(this);
      }
    }

    /**
     * Almost a word of the dialect: refused with a hint, whoever has sent it, without any effect.
     *
     * @param hint names the right word
     */
    record Mistyped(Reason hint) implements Content {
      @Override
      public <R> R accept(ContentVisitor<R> visitor) {
        return visitor.mistyped(this);
      }
    }

    /**
     * No word of the dialect.
     *
     * @param fault names the words that there are
     */
    record Malformed(Reason fault) implements Content {
      @Override
      public <R> R accept(ContentVisitor<R> visitor) {
        return visitor.malformed(this);
      }
    }
  }

  /** The effect of an event over a connection that is not bound to its author. */
  public enum BindingRule {
    /** It has an effect, and binds the connection. */
    BINDS,
    /** It may resume its author's running game, and binds the connection if it is granted. */
    BINDS_IF_GRANTED,
    /** It is refused. */
    REQUIRES_BOUND
  }

  /** The state of a game that an event was written for, as far as it names one. */
  public interface TargetState {
    /** Any state. */
    TargetState ANY = (game, isCurrent) -> Optional.empty();

    /**
     * Why the event is meant for another state of the game than the current one.
     *
     * @param isCurrent whether a state with that id, in hex, was published since the last ply
     */
    Optional<Reason> stale(Playing game, Predicate<String> isCurrent);

    /**
     * Why the event, over a connection that is not bound, may have been meant for another game of
     * its author: anybody who has captured it could have sent it.
     *
     * @param isCurrent as for {@link #stale}
     */
    default Optional<Reason> doubtful(Playing game, Predicate<String> isCurrent) {
      return Optional.empty();
    }
  }
}
