package gambit.chess.session.lobby;

import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.SimultaneousGames;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.Optional;

/**
 * The limit of games that a player may have at once: one, or that of {@link SimultaneousGames}.
 * Owned by the chess lane.
 */
final class GameLimits {
  private final SimultaneousGames settings;
  private final Games games;

  GameLimits(SimultaneousGames settings, Games games) {
    this.settings = settings;
    this.games = games;
  }

  /** The objection to a further game of the player who requests it. */
  Optional<Reason> objectionTo(PubKey player) {
    return objection(player, "you are playing", "you have");
  }

  /** The objection to a further game of the author of an invite that is being accepted. */
  Optional<Reason> objectionToInviter(PubKey author) {
    return objection(author, "who invites you is playing", "who invites you has");
  }

  /**
   * The objection to a new invite to a player. Somebody with one game at a time may be invited
   * while playing, and decides later. The others accept at once, so that an invite beyond their
   * limit would wait for nobody knows how long.
   */
  Optional<Reason> objectionToInvited(PubKey player) {
    return settings.includes(player)
        ? objection(player, "", "who you invite has")
        : Optional.empty();
  }

  private Optional<Reason> objection(PubKey player, String playing, String has) {
    int max = settings.maxOf(player);
    if (games.of(player).size() < max) {
      return Optional.empty();
    }
    return Optional.of(
        settings.includes(player)
            ? Reason.restricted(has + " " + max + " games, the maximum, try again later")
            : Reason.invalid(playing));
  }
}
