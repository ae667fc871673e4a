package gambit.chess.session.lobby;

import gambit.chess.game.TimeControl;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.SimultaneousGames;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limit of games that a player may have at once: one, or that of {@link SimultaneousGames}, of
 * which those with players at one address are a part. Owned by the chess lane.
 */
final class GameLimits {
  private final SimultaneousGames settings;
  private final Games games;

  /** The inviters' addresses of running games of players with several; not kept over restarts. */
  private final Map<EventId, ClientAddress> inviters = new HashMap<>();

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

  /** Remembers the address of the inviter of a game that is about to begin. */
  void begins(EventId game, PubKey invited, @Nullable ClientAddress inviter) {
    if (settings.includes(invited) && inviter != null) {
      Set<EventId> running =
          games.of(invited).stream().map(GameSession::id).collect(Collectors.toSet());
      inviters.keySet().removeIf(id -> !running.contains(id));
      inviters.put(game, inviter);
    }
  }

  /** The objection to a further game of a player with several against inviters at one address. */
  Optional<Reason> objectionToAddress(
      PubKey invited, @Nullable ClientAddress inviter, TimeControl time, String has) {
    if (!settings.includes(invited) || inviter == null) {
      return Optional.empty();
    }
    long count =
        games.of(invited).stream()
            .filter(it -> inviter.equals(inviters.get(it.id())))
            .filter(it -> it.game().control().mayTakeHours() == time.mayTakeHours())
            .count();
    return count < settings.maxFromAddress()
        ? Optional.empty()
        : Optional.of(
            Reason.invalid(has + " the maximum of such games with players at one address"));
  }
}
