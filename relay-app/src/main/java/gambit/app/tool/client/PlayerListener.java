package gambit.app.tool.client;

import gambit.core.model.Event;
import java.time.Duration;

/**
 * Receives the news of a {@link PlayerClient}, one at a time on the client's thread. An
 * implementation must return quickly: while it runs, the client reads nothing.
 */
public interface PlayerListener {

  /** The client is connected and has resumed its games; called again after each reconnection. */
  default void connected(RelayInfo relay) {}

  /** The connection is lost or cannot be made; the client tries again after the delay. */
  default void disconnected(String reason, Duration delay) {}

  /** A game of this player has begun, or a running one is resumed that this client did not know. */
  default void gameBegan(GameView game) {}

  /** A followed game or a game of this player has changed: a move, clocks, a proposal, presence. */
  default void gameChanged(GameView game) {}

  /** A game has ended; its record may follow in {@link #gameChanged}. */
  default void gameEnded(GameView game) {}

  default void invited(ReceivedInvite invite) {}

  default void inviteRejected(Event rejection) {}

  default void inviteExpired(Event notification) {}

  /** Somebody has commented on a followed game; the content is text of a stranger. */
  default void commented(GameView game, Event comment) {}

  /** A state (kind 20302) of the player's game of kind 30, which the client does not keep. */
  default void jesterState(Event state) {}

  default void noticed(String text) {}
}
