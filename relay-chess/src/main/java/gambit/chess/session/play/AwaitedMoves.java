package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
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
 * The legal moves that the relay waits for: those of each player in each game in which it is the
 * player's turn. They are recognized before they are handled, and rate limits do not apply to them.
 * A move that names another game or ply is not awaited. Of moves that are refused for other
 * reasons, at most {@link #MAX_PER_TURN} are awaited in a turn. Any thread; the steps of a game
 * follow each other. One entry for each game.
 */
public final class AwaitedMoves {
  /** The maximum of verified events in a turn. One is played, the others are refused. */
  public static final int MAX_PER_TURN = 16;

  private static final class Turn {
    private final Side side;
    private final int plies;
    private final @Nullable OngoingGame game; // null at a follower
    private final AtomicInteger left = new AtomicInteger(MAX_PER_TURN);

    private Turn(Side side, int plies, @Nullable OngoingGame game) {
      this.side = side;
      this.plies = plies;
      this.game = game;
    }
  }

  private final KnownGames games;

  /** By game: the turn of the committed state, and that of a state that is being committed. */
  private final Map<EventId, List<Turn>> turns = new ConcurrentHashMap<>();

  AwaitedMoves(KnownGames games) {
    this.games = games;
  }

  /**
   * Awaits the moves of a game that is being committed, too: they may come right after the commit.
   */
  void gameDecided(GameRef ref, OngoingGame game) {
    turns.compute(
        ref.id(),
        (id, known) -> {
          Turn turn = turn(known, game);
          if (known != null) {
            for (Turn other : known) {
              if (other.side != turn.side) {
                return List.of(other, turn);
              }
            }
          }
          return List.of(turn);
        });
  }

  /** Awaits the moves of a committed game only; before the commit is announced. */
  void gameCommitted(GameRef ref, OngoingGame game) {
    turns.compute(ref.id(), (id, known) -> List.of(turn(known, game)));
  }

  private static Turn turn(@Nullable List<Turn> known, OngoingGame game) {
    if (known != null) {
      for (Turn turn : known) {
        if (game.equals(turn.game)) {
          return turn;
        }
      }
    }
    return new Turn(game.turn(), game.plies(), game);
  }

  /** Awaits the moves of a game of the leader; the bound begins again with each ply. */
  void gameFollowed(EventId game, int plies, Side turn) {
    turns.compute(
        game,
        (id, known) ->
            known != null && known.get(0).plies == plies
                ? known
                : List.of(new Turn(turn, plies, null)));
  }

  void gameEnded(EventId game) {
    turns.remove(game);
  }

  void clear() {
    turns.clear();
  }

  /**
   * The legal move in an event, if the relay waits for it; the signature is not checked yet.
   *
   * @param event interprets the event; called only if the relay waits for a move of its author,
   *     perhaps several times
   */
  public Optional<LegalMove> legalMove(PubKey author, Supplier<PlayerEvent> event) {
    Turn turn = openTurn(author, event);
    return turn == null || turn.game == null ? Optional.empty() : legalMove(event.get(), turn.game);
  }

  /** Whether a follower waits for the move in an event; otherwise as {@link #legalMove}. */
  public boolean isMoveInTurn(PubKey author, Supplier<PlayerEvent> event) {
    return openTurn(author, event) != null && event.get().request() instanceof Request.Play;
  }

  /** The turn for which an event may be, or null. */
  private @Nullable Turn openTurn(PubKey author, Supplier<PlayerEvent> event) {
    for (GameRef game : games.of(author)) {
      Turn any = turn(author, game.id());
      if (any != null && any.left.get() > 0) {
        Turn turn = turn(author, event.get().game());
        return turn != null && turn.left.get() > 0 ? turn : null;
      }
    }
    return null;
  }

  /** Counts an awaited event that is about to be handled; false if the maximum is reached. */
  public boolean count(PlayerEvent event) {
    Turn turn = turn(event.event().pubkey(), event.game());
    return turn != null && turn.left.getAndDecrement() > 0;
  }

  private @Nullable Turn turn(PubKey author, Optional<String> named) {
    if (named.isPresent()) {
      return Hex.isLowerCase(named.get(), 64) ? turn(author, EventId.ofHex(named.get())) : null;
    }
    GameRef game = GameRef.unnamed(games.of(author), GameRef::isSlow);
    return game == null ? null : turn(author, game.id());
  }

  private @Nullable Turn turn(PubKey player, EventId id) {
    GameRef game = games.get(id);
    if (game != null) {
      for (Turn turn : turns.getOrDefault(id, List.of())) {
        if (game.player(turn.side).equals(player)) {
          return turn;
        }
      }
    }
    return null;
  }

  private static Optional<LegalMove> legalMove(PlayerEvent event, OngoingGame game) {
    Position position = game.position();
    return event.state().objection(game, state -> true).isEmpty()
            && event.request() instanceof Request.Play play
        ? play.written().in(position).flatMap(move -> LegalMove.of(position, move))
        : Optional.empty();
  }
}
