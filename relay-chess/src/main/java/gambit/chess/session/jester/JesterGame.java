package gambit.chess.session.jester;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.OpenLobby;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.GameSnapshot;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A game of kind 30 that is not over. It begins when the second player has moved; before, the seat
 * of that player is free. Immutable.
 *
 * @param ref the seats; {@link #FREE} for a free one
 * @param isChallenge whether the free seat is for one player only
 * @param isElsewhere whether its start was imported, or mirrored from another relay
 */
record JesterGame(GameRef ref, GameSnapshot snapshot, boolean isChallenge, boolean isElsewhere) {
  /** A key that nobody has: no point of the curve has this coordinate. */
  static final PubKey FREE = new PubKey(new byte[32]);

  private static final int CHALLENGE = 1;
  private static final int ELSEWHERE = 2;

  /**
   * A game before its first move.
   *
   * @param dialect stands in the seats, to which no notification is addressed
   */
  static JesterGame start(
      EventId id,
      PubKey author,
      Side side,
      boolean isChallenge,
      boolean isElsewhere,
      Dialect dialect,
      long now) {
    GameRef.Seat own = new GameRef.Seat(author, dialect);
    GameRef.Seat free = new GameRef.Seat(FREE, dialect);
    boolean isWhite = side == Side.WHITE;
    GameRef ref = new GameRef(id, isWhite ? own : free, isWhite ? free : own, true, null);
    OngoingGame game = OngoingGame.start(Position.initial(), TimeControl.UNTIMED, 0, 0, now);
    return new JesterGame(ref, new GameSnapshot(game, List.of(), null), isChallenge, isElsewhere);
  }

  static JesterGame restored(GameRows.StoredGame stored) {
    return new JesterGame(
        stored.ref(),
        stored.snapshot(),
        (stored.note() & CHALLENGE) != 0,
        (stored.note() & ELSEWHERE) != 0);
  }

  EventId id() {
    return ref.id();
  }

  OngoingGame game() {
    return snapshot.game();
  }

  boolean hasBegun() {
    return players().size() == 2;
  }

  List<PubKey> players() {
    return Stream.of(ref.white().player(), ref.black().player())
        .filter(player -> !player.equals(FREE))
        .toList();
  }

  /**
   * Whether the lobby lists it: it is open to anybody, and its author is a client of this relay.
   */
  boolean isListed() {
    return !hasBegun() && !isChallenge && !isElsewhere;
  }

  /** The author of the start, while the other seat is free. */
  PubKey author() {
    return players().get(0);
  }

  @Nullable Side sideOf(PubKey player) {
    return ref.isPlayer(player) ? ref.sideOf(player) : null;
  }

  JesterGame with(GameSnapshot next) {
    return new JesterGame(ref, next, isChallenge, isElsewhere);
  }

  JesterGame joinedBy(PubKey player) {
    GameRef.Seat joined = new GameRef.Seat(player, ref.white().dialect());
    boolean isWhite = ref.white().player().equals(FREE);
    GameRef seated =
        new GameRef(
            ref.id(), isWhite ? joined : ref.white(), isWhite ? ref.black() : joined, true, null);
    return new JesterGame(seated, snapshot, isChallenge, isElsewhere);
  }

  List<String> tag() {
    return isElsewhere ? List.of("dialect", "jester", "elsewhere") : List.of("dialect", "jester");
  }

  OpenLobby.Start open() {
    return new OpenLobby.Start(id(), author(), ref.sideOf(author()));
  }

  List<Row> rowsOfStart(GameRows rows) {
    int note = (isChallenge ? CHALLENGE : 0) | (isElsewhere ? ELSEWHERE : 0);
    return rows.rowsOfStart(ref, snapshot, List.of(), note);
  }
}
