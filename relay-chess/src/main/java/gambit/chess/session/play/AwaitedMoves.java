package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.chess.game.Playing;
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
 * The moves that the relay waits for: the legal ones of each player in turn, so that they can be
 * told from anything else before they are handled, and no limit of rate holds them up. Of those
 * that name another game or ply none is awaited, and of those that are refused for other reasons
 * only so many in a turn. Written by the chess lane, asked from any thread; one entry a player.
 */
public final class AwaitedMoves {
  /** In one turn, of verified events: one is played, the others came too late or to no avail. */
  public static final int MOST = 16;

  private static final class Turn {
    private final GameRef ref;
    private final Playing game;
    private final AtomicInteger left = new AtomicInteger(MOST);

    private Turn(GameRef ref, Playing game) {
      this.ref = ref;
      this.game = game;
    }
  }

  private final Map<PubKey, Turn> turns = new ConcurrentHashMap<>();

  /** A game is going to stand so: before that is stored, as the answer may come at once then. */
  public void decided(GameRef ref, Playing game) {
    turns.compute(
        ref.player(game.turn()),
        (player, turn) -> turn != null && turn.game.equals(game) ? turn : new Turn(ref, game));
  }

  /** A game stands so: the other side is not awaited any more. */
  public void settled(GameRef ref, Playing game) {
    Side waiting = game.turn().opponent();
    turns.remove(ref.player(waiting));
    decided(ref, game);
  }

  /** A game is over. */
  public void ended(GameRef ref) {
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

  /** Counts an event that was one and is going to be handled now; false for one too many. */
  public boolean takes(Event event) {
    Turn turn = turns.get(event.pubkey());
    return turn != null && turn.left.getAndDecrement() > 0;
  }

  private static Optional<LegalMove> legalMove(PlayerEvent event, Turn turn) {
    Position position = turn.game.position();
    boolean isForTurn =
        event.game().filter(it -> !it.equals(turn.ref.id().hex())).isEmpty()
            && event.state().stale(turn.game, state -> true).isEmpty();
    return isForTurn
            && event.content() instanceof PlayerEvent.Content.Asks asks
            && asks.request() instanceof Request.Play play
        ? play.written().in(position).flatMap(move -> LegalMove.of(position, move))
        : Optional.empty();
  }
}
