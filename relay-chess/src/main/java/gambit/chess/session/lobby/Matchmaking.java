package gambit.chess.session.lobby;

import gambit.chess.game.Over;
import gambit.chess.game.Termination;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.StepCause;
import gambit.chess.session.runtime.SessionContext;
import java.util.random.RandomGenerator;

/** How players find each other: by searches, by invites and by rematches. The chess lane's only. */
public final class Matchmaking {
  private final Searching searching;
  private final Invites invites;
  private final Rematches rematches;

  /**
   * A lobby without players.
   *
   * @param lots draws the colours
   */
  public Matchmaking(
      SessionContext context, Games games, ReturningPlayers returning, RandomGenerator lots) {
    GameFactory factory = new GameFactory(context, lots);
    this.searching = new Searching(context, games, returning, factory);
    this.invites = new Invites(context, games, searching, factory);
    this.rematches = new Rematches(context, games, invites);
  }

  /** The players who search. */
  public Searching searching() {
    return searching;
  }

  /** The invites. */
  public Invites invites() {
    return invites;
  }

  /** The last games, and the rematches of them. */
  public Rematches rematches() {
    return rematches;
  }

  /** A game is over. */
  public void over(GameSession game, Over over, StepCause cause) {
    rematches.over(game, over);
    if (over.termination() == Termination.ABORTED) {
      cause.leaver().ifPresent(leaver -> searching.searchAgain(game, leaver));
    }
  }
}
