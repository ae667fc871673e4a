package gambit.chess.session.play;

import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.rules.Side;
import gambit.chess.session.runtime.SessionContext;

/**
 * Remembers the games of which something was announced to a side whose connections were not all
 * known, so that it is shown on those that an earlier leader of the cluster has bound and that are
 * restored later, or whose node counted as gone for some time. Two numbers for each running game.
 * Owned by the chess lane.
 */
final class MissedAnnouncements {
  /** The time after a change of the leader in which connections are restored. */
  private static final long RESTORATION_MILLIS = 10_000;

  /** The time in which the connections of a player of one node are restored. */
  private static final long TOGETHER_MILLIS = 1_000;

  private final SessionContext context;
  private long restoringUntil;

  MissedAnnouncements(SessionContext context) {
    this.context = context;
  }

  /** This node has just taken over from another one: connections are being restored. */
  void beginRestoration() {
    restoringUntil = context.now() + RESTORATION_MILLIS;
  }

  /** The game is about to be announced to both sides. */
  void startAnnounced(GameSession game) {
    for (Side side : Side.values()) {
      announced(game, side);
    }
  }

  /** A step is about to be announced to a side, unless its dialect follows states instead. */
  void stepAnnounced(GameSession game, Side side) {
    if (!game.ref().dialect(side).traits().has(Trait.FOLLOWS_STATES)) {
      announced(game, side);
    }
  }

  private void announced(GameSession game, Side side) {
    if (!context.bindings().isPresent(game.ref().player(side))) {
      game.missedUntil(side, GameSession.NEVER);
    } else if (context.now() < restoringUntil) {
      game.missedUntil(side, Math.max(game.missedUntil(side), restoringUntil));
    }
  }

  /** Whether a connection of a side that is restored now has missed an announcement. */
  boolean isMissed(GameSession game, Side side) {
    return context.now() < game.missedUntil(side);
  }

  /** The game is shown to a side: only connections that are restored at once have missed it. */
  void shown(GameSession game, Side side) {
    long atMost = Math.max(restoringUntil, context.now() + TOGETHER_MILLIS);
    game.missedUntil(side, Math.min(game.missedUntil(side), atMost));
  }
}
