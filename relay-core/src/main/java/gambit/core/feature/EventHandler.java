package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.wire.Reason;
import java.util.Optional;

/** Handles events of some kinds, which the relay neither stores nor delivers. On event loops. */
public interface EventHandler {
  /** The answer to a request that was handled before: the same event has an effect once. */
  Reason ALREADY_HANDLED = Reason.duplicate("already handled, sign a new event to repeat it");

  /**
   * Claims an event that this handler may handle. Called before limits and the signature are
   * checked, so it must be cheap, such as a look at the kind.
   */
  Optional<ClaimedEvent> claim(Event event);

  /**
   * Whether imported events of a kind are given to this handler, too: by default those that remove
   * others, which may concern what it keeps.
   */
  default boolean takesImported(int kind) {
    return kind == Kind.DELETION || kind == Kind.VANISH;
  }

  /** An event that a handler has claimed. Confined to one event loop. */
  interface ClaimedEvent {
    /**
     * Whether the relay waits for exactly this event, so that no rate limit applies to it and it
     * has room where others have none. Called before the signature is checked, so it must be cheap.
     */
    default boolean isAwaited() {
      return false;
    }

    /**
     * Whether the event is a request. If it is stored already, it is answered with {@link
     * #ALREADY_HANDLED}, since its sender may have meant a second one.
     */
    default boolean isRequest() {
      return false;
    }

    /** The verified event was forwarded to the leader of a cluster, whose handler handles it. */
    default void forwarded(ClientConnection connection) {}

    /**
     * Handles the event, whose signature has been verified: the handler must send its answer, or
     * pass it on ({@link Submission#pass}). If it throws, the event is refused with {@code error:}.
     */
    void handle(Submission submission);
  }
}
