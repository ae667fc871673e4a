package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Request;
import gambit.chess.game.Playing;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The positions in which it is a player's turn, so that a legal move can be told from anything else
 * before it has been handled, and no limit of rate holds it up. Written by the chess lane, asked
 * from any thread; one entry a player.
 */
final class AwaitedMoves {
  private final Map<PubKey, Position> inTurn = new ConcurrentHashMap<>();
  private final List<Dialect> dialects;

  AwaitedMoves(List<Dialect> dialects) {
    this.dialects = dialects;
  }

  /** A game is going to stand so: before that is stored, as the answer may come at once then. */
  void decided(GameRef ref, Playing game) {
    inTurn.put(ref.player(game.turn()), game.position());
  }

  /** A game stands so: the other side is not awaited any more. */
  void settled(GameRef ref, Playing game) {
    Side waiting = game.turn().opponent();
    inTurn.remove(ref.player(waiting));
    decided(ref, game);
  }

  /** A game is over. */
  void ended(GameRef ref) {
    for (Side side : Side.values()) {
      inTurn.remove(ref.player(side));
    }
  }

  /** Whether the event is a legal move of its author, if its author is who it says. */
  boolean isAwaited(Event event) {
    Position position = inTurn.get(event.pubkey());
    return position != null
        && dialects.stream()
            .filter(dialect -> dialect.mayBe(event))
            .anyMatch(
                dialect ->
                    dialect.read(event).orElse(null) instanceof Request.Play play
                        && play.written().in(position).flatMap(position::play).isPresent());
  }
}
