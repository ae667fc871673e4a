package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.GameRows;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The turns of the running games on a follower of a cluster, by the leader's rows: rate limits and
 * bounds of this node do not apply to moves of the player in turn, so that the leader decides on
 * them as on those of its own clients ({@link AwaitedMoves}). This node does not know the position,
 * so a move need not be legal; as at the leader, at most {@link AwaitedMoves#MAX_PER_TURN} events
 * are exempt in a turn. Any thread; one entry for each game.
 */
final class FollowedTurns {
  private final AnnouncedGames games;
  private final Map<EventId, Side> first = new ConcurrentHashMap<>();
  private final Map<EventId, Turn> turns = new ConcurrentHashMap<>();

  /** The turn after a number of plies, and the number of events that are still exempt. */
  private record Turn(int plies, AtomicInteger left) {}

  /**
   * No turns.
   *
   * @param games the running games
   */
  FollowedTurns(AnnouncedGames games) {
    this.games = games;
  }

  /** The terms of a game are known. */
  void gameStarted(GameRows.Terms terms) {
    first.put(terms.ref().id(), terms.first());
  }

  /** A game has so many plies now; the allowance begins again if it had another number. */
  void gameChanged(EventId game, int plies) {
    turns.compute(
        game,
        (id, before) ->
            before != null && before.plies() == plies
                ? before
                : new Turn(plies, new AtomicInteger(AwaitedMoves.MAX_PER_TURN)));
  }

  void gameEnded(EventId game) {
    first.remove(game);
    turns.remove(game);
  }

  /** Forgets all games. */
  void clear() {
    first.clear();
    turns.clear();
  }

  /**
   * Whether an event is a move of a player in turn, and exempt; its signature is not checked yet.
   *
   * @param event interprets the event; called only if its author has a running game
   */
  boolean isAwaited(PubKey author, Supplier<PlayerEvent> event) {
    if (!games.isPlaying(author)) {
      return false;
    }
    PlayerEvent interpreted = event.get();
    Turn turn = turn(interpreted);
    return turn != null
        && turn.left().get() > 0
        && interpreted.content() instanceof PlayerEvent.Content.Asks asks
        && asks.request() instanceof Request.Play;
  }

  /** Counts an exempt event whose signature is verified. */
  void count(PlayerEvent event) {
    Turn turn = turn(event);
    if (turn != null) {
      turn.left().decrementAndGet();
    }
  }

  /** The author's turn in the game that an event names, else in the only one with the turn. */
  private @Nullable Turn turn(PlayerEvent event) {
    PubKey author = event.event().pubkey();
    Optional<String> named = event.game();
    if (named.isPresent()) {
      return Hex.isLowerCase(named.get(), 64) ? turn(author, EventId.ofHex(named.get())) : null;
    }
    List<EventId> own =
        games.of(author).stream()
            .map(GameRef::id)
            .filter(game -> turn(author, game) != null)
            .toList();
    return own.size() == 1 ? turn(author, own.get(0)) : null;
  }

  private @Nullable Turn turn(PubKey author, EventId id) {
    Side begins = first.get(id);
    Turn turn = turns.get(id);
    GameRef game = games.get(id);
    if (begins == null || turn == null || game == null) {
      return null;
    }
    Side side = turn.plies() % 2 == 0 ? begins : begins.opponent();
    return game.player(side).equals(author) ? turn : null;
  }
}
