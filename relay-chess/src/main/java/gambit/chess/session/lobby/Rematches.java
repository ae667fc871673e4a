package gambit.chess.session.lobby;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Request;
import gambit.chess.dialect.Terms;
import gambit.chess.game.Over;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The last game of each player: it may be followed by a rematch, and late events about it are
 * answered with its end. The chess lane's only; bounded, the oldest give way.
 */
public final class Rematches {
  private static final int MAX_GAMES = 20_000;

  private static final Reason NOT_THE_LAST_GAME =
      Reason.invalid("the e tag does not name your last game");
  private static final Reason NOT_THE_OPPONENT =
      Reason.invalid("the p tag does not name the opponent of that game");

  /** The last game of a player. */
  private record Last(GameRef ref, TimeControl time, Position initial, Over over) {}

  /**
   * A game that is over.
   *
   * @param how in words: its termination, and the result if there is one
   */
  public record Ended(GameRef ref, String how) {}

  private final SessionContext context;
  private final Games games;
  private final Invites invites;
  private final Map<PubKey, Last> lastGames =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PubKey, Last> eldest) {
          return size() > MAX_GAMES;
        }
      };

  Rematches(SessionContext context, Games games, Invites invites) {
    this.context = context;
    this.games = games;
    this.invites = invites;
  }

  /** Remembers a game that is over. */
  void over(GameSession game, Over over) {
    Last last = new Last(game.ref(), game.game().control(), game.game().initial(), over);
    for (PubKey player : game.players()) {
      lastGames.remove(player);
      lastGames.put(player, last);
    }
  }

  /**
   * How the game ended that an event is about.
   *
   * @param named the game that it names, in hex; if it names none, it is about the player's last
   *     game as long as the event may have been signed before its end was known
   */
  public Optional<Ended> ended(PubKey player, Optional<String> named) {
    Last last = lastGames.get(player);
    if (last == null) {
      return Optional.empty();
    }
    Over over = last.over();
    long untilKnown = over.endedAt() + context.settings().maxClockSkew().toMillis();
    boolean isMeant =
        named
            .map(it -> it.equals(last.ref().id().hex()))
            .orElse(games.of(player) == null && context.now() < untilKnown);
    String result = over.result() == Result.NONE ? "" : ", " + over.result().text();
    return isMeant
        ? Optional.of(new Ended(last.ref(), over.termination().word() + result))
        : Optional.empty();
  }

  /** Invites the opponent of the last game, or accepts such an invite. */
  public void rematch(
      PlayerRequest request, Request.Rematch rematch, Consumer<PlayerRequest> again) {
    EventId id = rematch.game();
    Optional<Challenge> asked = invites.rematch(id, request.player(), request.arrival());
    Last last = lastGames.get(request.player());
    if (asked.isPresent()) { // also of a game that was over before a restart
      if (namesOther(rematch, asked.get().author())) {
        context.refuse(request, NOT_THE_OPPONENT);
      } else {
        invites.accept(request, asked.get(), again);
      }
    } else if (last == null || !last.ref().id().equals(id)) {
      context.refuse(request, NOT_THE_LAST_GAME);
    } else {
      inviteAgain(request, rematch, last);
    }
  }

  /** Invites the opponent of a game to another one, with the colours swapped. */
  private void inviteAgain(PlayerRequest request, Request.Rematch rematch, Last last) {
    Side side = last.ref().sideOf(request.player());
    PubKey opponent = last.ref().player(side.opponent());
    long now = context.now() / 1000;
    Optional<Reason> objection =
        namesOther(rematch, opponent)
            ? Optional.of(NOT_THE_OPPONENT)
            : rematch.expiration().objection(now);
    if (objection.isPresent()) {
      context.refuse(request, objection.get());
      return;
    }
    long expiresAt = Terms.endOfRematch(rematch.expiration(), now);
    Terms terms = new Terms(opponent, side.opponent(), last.time(), last.initial(), expiresAt);
    invites.propose(request, terms, last.ref().id());
  }

  private static boolean namesOther(Request.Rematch rematch, PubKey opponent) {
    return rematch.opponent().filter(it -> !it.equals(opponent.hex())).isPresent();
  }
}
