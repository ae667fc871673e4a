package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The legal moves that the relay waits for: those of each player whose turn it is. They are
 * recognized before they are handled, and rate limits do not apply to them. A move that names
 * another game or ply is not awaited, and of moves that are refused for other reasons at most
 * {@link #MAX_PER_TURN} are awaited in a turn. Written by the chess lane, read by any thread; one
 * entry for each player.
 */
public final class AwaitedMoves {
  /** The maximum of verified events in a turn. One is played, the others are refused. */
  public static final int MAX_PER_TURN = 16;

  private static final class Turn {
    private final GameRef ref;
    private final OngoingGame game;
    private final AtomicInteger left = new AtomicInteger(MAX_PER_TURN);

    private Turn(GameRef ref, OngoingGame game) {
      this.ref = ref;
      this.game = game;
    }
  }

  private final Map<PubKey, Turn> turns = new ConcurrentHashMap<>();

  /**
   * Awaits the moves of a game that is being committed, since its player may answer as soon as it
   * is committed.
   */
  public void gameDecided(GameRef ref, OngoingGame game) {
    turns.compute(
        ref.player(game.turn()),
        (player, turn) -> turn != null && turn.game.equals(game) ? turn : new Turn(ref, game));
  }

  /** Awaits the moves of a committed game, and no longer those of its other side. */
  public void gameCommitted(GameRef ref, OngoingGame game) {
    Side waiting = game.turn().opponent();
    turns.remove(ref.player(waiting));
    gameDecided(ref, game);
  }

  /** Awaits no more moves of a game. */
  public void gameEnded(GameRef ref) {
    for (Side side : Side.values()) {
      turns.remove(ref.player(side));
    }
  }

  /**
   * The legal move in an event, if the relay waits for it; the signature is not checked yet.
   *
   * @param event interprets the event; called only if the relay waits for a move of its author
   */
  public Optional<LegalMove> legalMove(PubKey author, Supplier<PlayerEvent> event) {
    Turn turn = turns.get(author);
    return turn != null && turn.left.get() > 0 ? legalMove(event.get(), turn) : Optional.empty();
  }

  /** Counts an awaited event that is about to be handled; false if the maximum is reached. */
  public boolean count(Event event) {
    Turn turn = turns.get(event.pubkey());
    return turn != null && turn.left.getAndDecrement() > 0;
  }

  private static Optional<LegalMove> legalMove(PlayerEvent event, Turn turn) {
    Position position = turn.game.position();
    boolean isForTurn =
        event.game().filter(it -> !it.equals(turn.ref.id().hex())).isEmpty()
            && event.state().objection(turn.game, state -> true).isEmpty();
    return isForTurn
            && event.content() instanceof PlayerEvent.Content.Asks asks
            && asks.request() instanceof Request.Play play
        ? play.written().in(position).flatMap(move -> LegalMove.of(position, move))
        : Optional.empty();
  }
}
