package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MoveEventIds;
import gambit.chess.session.lobby.SearchQueues.Paired;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.random.RandomGenerator;

/**
 * Creates games that are about to begin, and draws their colours by lot. Owned by the chess lane.
 */
final class GameFactory {
  private final SessionContext context;
  private final RandomGenerator lots;

  /**
   * Creates games.
   *
   * @param lots draws the colours
   */
  GameFactory(SessionContext context, RandomGenerator lots) {
    this.context = context;
    this.lots = lots;
  }

  /** Draws a lot, which decides the colours. */
  boolean draw() {
    return lots.nextBoolean();
  }

  /** The first event of a game. */
  Event gameIsFound(Paired white, Paired black, TimeControl time, Position initial, long now) {
    return context.relay().gameIsFound(white.player(), black.player(), time, initial, now);
  }

  /**
   * Creates the session of a game.
   *
   * @param found its first event
   * @param isPaired whether two searches were paired, rather than an invite accepted
   */
  GameSession make(Event found, Paired white, Paired black, OngoingGame playing, boolean isPaired) {
    GameRef ref = new GameRef(found.id(), seat(white.player()), seat(black.player()));
    GameSnapshot snapshot = new GameSnapshot(playing, MoveEventIds.NONE, null);
    return new GameSession(
        ref, snapshot, white.colourNotifications(), black.colourNotifications(), isPaired);
  }

  /** A game before its first move. */
  OngoingGame start(TimeControl time, Position initial, long now) {
    return OngoingGame.start(
        initial,
        time,
        context.settings().firstMoveLimit().toMillis(),
        context.settings().lagAllowance().toMillis(),
        now);
  }

  private GameRef.Seat seat(PubKey player) {
    Dialect spoken = context.bindings().dialectOf(player);
    return new GameRef.Seat(player, spoken == null ? context.dialects().get(0) : spoken);
  }
}
