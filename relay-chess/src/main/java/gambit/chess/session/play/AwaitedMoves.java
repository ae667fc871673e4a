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
import java.util.ArrayList;
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
 * A move that names another game or ply is not awaited, nor is one that names no game if the player
 * is in turn in several. Of moves that are refused for other reasons, at most {@link #MAX_PER_TURN}
 * are awaited in a turn. Any thread; the steps of a game follow each other. One entry for each
 * player.
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

    private boolean isOf(EventId id) {
      return ref.id().equals(id);
    }

    private boolean isUsedUp() {
      return left.get() <= 0;
    }
  }

  private final Map<PubKey, List<Turn>> turns = new ConcurrentHashMap<>(); // usually one

  /**
   * Awaits the moves of a game that is being committed, since its player may answer as soon as it
   * is committed.
   */
  public void gameDecided(GameRef ref, OngoingGame game) {
    turns.compute(ref.player(game.turn()), (player, before) -> with(before, ref, game));
  }

  private static List<Turn> with(@Nullable List<Turn> before, GameRef ref, OngoingGame game) {
    if (before == null) {
      return List.of(new Turn(ref, game));
    }
    Turn known = turnOf(before, ref.id());
    if (known != null && known.game.equals(game)) {
      return before;
    }
    List<Turn> turns = new ArrayList<>(before);
    if (known != null) {
      turns.remove(known);
    }
    turns.add(new Turn(ref, game));
    return List.copyOf(turns);
  }

  /** The turn of a game, or null. */
  private static @Nullable Turn turnOf(List<Turn> turns, EventId game) {
    for (Turn turn : turns) {
      if (turn.isOf(game)) {
        return turn;
      }
    }
    return null;
  }

  /**
   * Awaits the moves of a committed game, and no longer those of its other side; before the commit
   * is announced.
   */
  public void gameCommitted(GameRef ref, OngoingGame game) {
    remove(ref, game.turn().opponent());
    gameDecided(ref, game);
  }

  /** Awaits no more moves of a game. */
  public void gameEnded(GameRef ref) {
    for (Side side : Side.values()) {
      remove(ref, side);
    }
  }

  private void remove(GameRef ref, Side side) {
    turns.computeIfPresent(
        ref.player(side),
        (player, before) -> {
          Turn known = turnOf(before, ref.id());
          if (known == null) {
            return before;
          } else if (before.size() == 1) {
            return null;
          }
          List<Turn> rest = new ArrayList<>(before);
          rest.remove(known);
          return List.copyOf(rest);
        });
  }

  /**
   * The legal move in an event, if the relay waits for it; the signature is not checked yet.
   *
   * @param event interprets the event; called only if the relay waits for a move of its author
   */
  public Optional<LegalMove> legalMove(PubKey author, Supplier<PlayerEvent> event) {
    List<Turn> own = turns.getOrDefault(author, List.of());
    if (areUsedUp(own)) {
      return Optional.empty();
    }
    PlayerEvent interpreted = event.get();
    Turn turn = turn(own, interpreted);
    return turn == null || turn.isUsedUp() ? Optional.empty() : legalMove(interpreted, turn);
  }

  private static boolean areUsedUp(List<Turn> turns) {
    for (Turn turn : turns) {
      if (!turn.isUsedUp()) {
        return false;
      }
    }
    return true;
  }

  /** Counts an awaited event that is about to be handled; false if the maximum is reached. */
  public boolean count(PlayerEvent event) {
    Turn turn = turn(turns.getOrDefault(event.event().pubkey(), List.of()), event);
    return turn != null && turn.left.getAndDecrement() > 0;
  }

  /** The turn that an event is about: in the game that it names, else the author's only one. */
  private static @Nullable Turn turn(List<Turn> own, PlayerEvent event) {
    Optional<String> named = event.game();
    if (named.isEmpty()) {
      return own.size() == 1 ? own.get(0) : null;
    }
    return Hex.isLowerCase(named.get(), 64) ? turnOf(own, EventId.ofHex(named.get())) : null;
  }

  private static Optional<LegalMove> legalMove(PlayerEvent event, Turn turn) {
    Position position = turn.game.position();
    return event.state().objection(turn.game, state -> true).isEmpty()
            && event.content() instanceof PlayerEvent.Content.Asks asks
            && asks.request() instanceof Request.Play play
        ? play.written().in(position).flatMap(move -> LegalMove.of(position, move))
        : Optional.empty();
  }
}
