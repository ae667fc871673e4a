package gambit.chess.session.lobby;

import gambit.chess.game.FinishedGame;
import gambit.chess.game.Termination;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.StepCause;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.StoredEvents;
import gambit.core.model.PubKey;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The ways in which players find an opponent: searches, invites, rematches. Owned by the chess
 * lane.
 */
public final class Matchmaking {
  private final Searches searches;
  private final Invites invites;
  private final Rematches rematches;
  private final LobbyState lobby;

  /**
   * Matchmaking without players.
   *
   * @param stored has the games that ended before a restart
   * @param isRefused whether the relay refuses a player's events, perhaps only since the search
   * @param lots draws the colours
   */
  public Matchmaking(
      SessionContext context,
      Games games,
      ReturningPlayers returning,
      StoredEvents stored,
      Predicate<PubKey> isRefused,
      RandomGenerator lots) {
    GameFactory factory = new GameFactory(context, lots);
    this.searches = new Searches(context, games, returning, isRefused, factory);
    this.invites = new Invites(context, games, searches, isRefused, factory);
    this.rematches = new Rematches(context, games, invites, stored);
    this.lobby = new LobbyState(context, games, searches.queues(), invites.pending());
  }

  /** Searches for any opponent. */
  public Searches searches() {
    return searches;
  }

  /** Invites, open or to one opponent. */
  public Invites invites() {
    return invites;
  }

  /** Rematches, and the last game of each player. */
  public Rematches rematches() {
    return rematches;
  }

  /** The published state of searches and invites. */
  public LobbyState lobby() {
    return lobby;
  }

  /**
   * Adds to the announcements of a game's end the note that the opponent of a player who has left
   * it searches again.
   */
  public void gameEnding(
      GameSession game, FinishedGame over, StepCause cause, Announcements announcements) {
    if (over.termination() == Termination.ABORTED) {
      cause.leaver().ifPresent(leaver -> searches.noteNextSearch(game, leaver, announcements));
    }
  }

  /**
   * Remembers a finished game for a rematch; the opponent of a player who left it searches again.
   */
  public void gameEnded(GameSession game, FinishedGame over, StepCause cause) {
    rematches.gameEnded(game, over);
    if (over.termination() == Termination.ABORTED) {
      cause.leaver().ifPresent(leaver -> searches.searchAgain(game, leaver));
    }
  }
}
