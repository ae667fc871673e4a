package gambit.chess.session;

import gambit.chess.dialect.InviteTerms;
import gambit.chess.game.TimeControl;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.SessionContext;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits of games that a player may have at once: one live game and some slow ones, or the
 * maximum of {@link SimultaneousGames}, of which those with players at one address are a part. Slow
 * games, which go on without connections, are bounded in all, too, and by the inviters' addresses.
 * Owned by the chess lane.
 */
final class GameLimits {
  /** The number of running games from which on no slow game begins. */
  static final int MAX_GAMES = 20_000;

  /**
   * The maximum of slow games with inviters at one address, of those that began since the start.
   */
  static final int MAX_SLOW_FROM_ADDRESS = 500;

  private final SessionContext context;
  private final SimultaneousGames several;
  private final Games games;

  /** The inviters' addresses of running games; not kept over restarts. */
  private final Map<GameSession, ClientAddress> inviters = new HashMap<>();

  GameLimits(SessionContext context, Games games) {
    this.context = context;
    this.several = context.settings().simultaneousGames();
    this.games = games;
  }

  /** The objection to a further game of the player who requests it. */
  Optional<Reason> objectionTo(PubKey player, TimeControl time) {
    return objection(player, time, "you are playing", "you have");
  }

  /** The objection to a further game of the author of an invite that is being accepted. */
  Optional<Reason> objectionToInviter(PubKey author, TimeControl time) {
    return objection(author, time, "who invites you is playing", "who invites you has");
  }

  /**
   * The objection to a new invite to a player. Most may be invited while playing, and decide later.
   * Those with a maximum of their own accept at once, so that an invite beyond it would wait for
   * nobody knows how long.
   */
  Optional<Reason> objectionToInvited(PubKey player, TimeControl time) {
    return several.includes(player)
        ? objection(player, time, "", "who you invite has")
        : Optional.empty();
  }

  /** The objection to a rated game of a player with a maximum of their own. */
  Optional<Reason> objectionToRated(InviteTerms terms, PubKey author, @Nullable PubKey opponent) {
    boolean isOfSeveral =
        several.includes(author) || (opponent != null && several.includes(opponent));
    if (!terms.isRated()) {
      return Optional.empty();
    }
    return isOfSeveral
        ? Optional.of(Reason.invalid("a player with several live games plays no rated ones"))
        : context.ratings().objection();
  }

  private Optional<Reason> objection(PubKey player, TimeControl time, String playing, String has) {
    List<GameSession> own = games.of(player);
    if (several.includes(player)) {
      return own.size() < several.max()
          ? Optional.empty()
          : Optional.of(full(has, several.max() + " games"));
    }
    long count = own.stream().filter(it -> it.ref().isSlow() == time.isSlow()).count();
    int max = time.isSlow() ? context.settings().slowGames() : 1;
    if (count < max) {
      return Optional.empty();
    } else if (max == 0) {
      return Optional.of(Reason.restricted("slow games are switched off here"));
    }
    return Optional.of(time.isSlow() ? full(has, max + " slow games") : Reason.invalid(playing));
  }

  private static Reason full(String has, String games) {
    return Reason.restricted(has + " " + games + ", the maximum, try again later");
  }

  /** Remembers the address of the inviter of a game that is about to begin. */
  void begins(GameSession game, @Nullable ClientAddress inviter) {
    if (inviter != null) {
      inviters.put(game, inviter);
    }
  }

  void ended(GameSession game) {
    inviters.remove(game);
  }

  /** The objection to a further game of a player with several against inviters at one address. */
  Optional<Reason> objectionToAddress(
      PubKey invited, @Nullable ClientAddress inviter, TimeControl time, String has) {
    if (!several.includes(invited) || inviter == null) {
      return Optional.empty();
    }
    long count =
        games.of(invited).stream()
            .filter(it -> inviter.equals(inviters.get(it)))
            .filter(it -> it.game().control().mayTakeHours() == time.mayTakeHours())
            .count();
    return count < several.maxFromAddress()
        ? Optional.empty()
        : Optional.of(
            Reason.invalid(has + " the maximum of such games with players at one address"));
  }

  /** The objection to a further slow game of anybody. */
  Optional<Reason> objectionToSlowGame(TimeControl time, @Nullable ClientAddress inviter) {
    if (!time.isSlow()) {
      return Optional.empty();
    } else if (games.size() >= MAX_GAMES) {
      return Optional.of(Reason.rateLimited("too many games, try again"));
    }
    long slowFromAddress =
        inviters.entrySet().stream()
            .filter(it -> it.getValue().equals(inviter) && it.getKey().ref().isSlow())
            .count();
    return slowFromAddress >= MAX_SLOW_FROM_ADDRESS
        ? Optional.of(Reason.rateLimited("too many slow games from one address, try again"))
        : Optional.empty();
  }
}
