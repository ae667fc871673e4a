package gambit.app.tool.client;

import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import java.time.Duration;

/** Forwards news to a listener, and logs its exceptions: they must not end the client's thread. */
final class GuardedListener implements PlayerListener {
  private static final LimitedLog LOG = LimitedLog.of(GuardedListener.class);

  private final PlayerListener listener;
  private final Runnable onGame;

  /**
   * Wraps a listener.
   *
   * @param onGame called before the listener when a game of the player begins or is resumed
   */
  GuardedListener(PlayerListener listener, Runnable onGame) {
    this.listener = listener;
    this.onGame = onGame;
  }

  private static void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.error("The listener of a player has failed", e);
    }
  }

  @Override
  public void connected(RelayInfo relay) {
    guard(() -> listener.connected(relay));
  }

  @Override
  public void disconnected(String reason, Duration delay) {
    guard(() -> listener.disconnected(reason, delay));
  }

  @Override
  public void gameBegan(GameView game) {
    onGame.run();
    guard(() -> listener.gameBegan(game));
  }

  @Override
  public void gameChanged(GameView game) {
    guard(() -> listener.gameChanged(game));
  }

  @Override
  public void gameEnded(GameView game) {
    guard(() -> listener.gameEnded(game));
  }

  @Override
  public void gameRecorded(GameView game) {
    guard(() -> listener.gameRecorded(game));
  }

  @Override
  public void invited(ReceivedInvite invite) {
    guard(() -> listener.invited(invite));
  }

  @Override
  public void inviteRejected(Event rejection) {
    guard(() -> listener.inviteRejected(rejection));
  }

  @Override
  public void inviteExpired(Event notification) {
    guard(() -> listener.inviteExpired(notification));
  }

  @Override
  public void commented(GameView game, Event comment) {
    guard(() -> listener.commented(game, comment));
  }

  @Override
  public void noticed(String text) {
    guard(() -> listener.noticed(text));
  }
}
