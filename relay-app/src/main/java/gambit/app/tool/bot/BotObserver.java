package gambit.app.tool.bot;

import java.time.Duration;

public interface BotObserver {
  /** The bot is connected and has resumed its games; called again after each reconnection. */
  default void connected(int runningGames) {}

  default void disconnected(String reason) {}

  default void gameBegan(String description) {}

  default void gameEnded(String description) {}

  /**
   * A move was chosen.
   *
   * @param source {@code own}, {@code uci}, {@code book} for a known opening, or {@code fallback}
   *     for a move of the own engine because the UCI engine has failed
   * @param time the time that it took, without waiting for a thread
   */
  default void moveChosen(String source, Duration time) {}

  /** The relay has sent a notice; its text is printable and of limited length. */
  default void noticed(String text) {}

  /**
   * The relay has refused an event of the bot. Refusals as {@code invalid}, which other players can
   * cause, are left out, and with the notices there are at most ten in a minute.
   *
   * @param reason printable and of limited length
   */
  default void refused(String what, String reason) {}
}
