package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MoveEventIds;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.random.RandomGenerator;

/**
 * Creates games that are about to begin, and draws their colours by lot. Owned by the chess lane.
 */
public final class GameFactory {
  private final SessionContext context;
  private final RandomGenerator lots;

  /**
   * Creates games.
   *
   * @param lots draws the colours
   */
  public GameFactory(SessionContext context, RandomGenerator lots) {
    this.context = context;
    this.lots = lots;
  }

  /** Draws a lot, which decides the colours. */
  boolean draw() {
    return lots.nextBoolean();
  }

  /** A player of a game, and the events to be answered with the colour. */
  record Entrant(PubKey player, ColourNotifications colourNotifications) {}

  /** A game that is about to begin, and its first event. */
  record NewGame(GameSession session, Event found) {}

  /**
   * Creates a game before its first move.
   *
   * @param isPaired whether two searches were paired, rather than an invite accepted
   */
  NewGame create(
      Entrant white, Entrant black, TimeControl time, Position initial, boolean isPaired) {
    long now = context.now();
    Event found = context.relay().gameIsFound(white.player(), black.player(), time, initial, now);
    OngoingGame playing =
        OngoingGame.start(
            initial,
            time,
            context.settings().firstMoveLimit().toMillis(),
            context.settings().lagAllowance().toMillis(),
            now);
    GameRef ref = new GameRef(found.id(), seat(white.player()), seat(black.player()));
    GameSession session =
        new GameSession(
            ref,
            new GameSnapshot(playing, MoveEventIds.NONE, null),
            white.colourNotifications(),
            black.colourNotifications(),
            isPaired);
    return new NewGame(session, found);
  }

  private GameRef.Seat seat(PubKey player) {
    Dialect spoken = context.bindings().dialectOf(player);
    return new GameRef.Seat(player, spoken == null ? context.dialects().get(0) : spoken);
  }
}
