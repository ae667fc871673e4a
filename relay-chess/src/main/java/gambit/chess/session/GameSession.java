package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.Playing;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One running game in the relay: who plays, how it stands, and what waits for the step that is
 * being committed. The chess lane's only.
 *
 * <p>A game has at most one uncommitted step; what comes meanwhile waits, bounded by what may be
 * under way of each connection.
 */
final class GameSession {
  private static final long NEVER = Long.MAX_VALUE;

  private final GameRef ref;
  private final Connects[] connects;
  private final long[] graceEnds = {NEVER, NEVER};
  private final Deque<Runnable> inbox = new ArrayDeque<>();
  private final List<EventId> plies = new ArrayList<>();
  private Playing game;
  private boolean committing = true;

  /** A game whose first event is being committed. */
  GameSession(GameRef ref, Playing game, Connects white, Connects black) {
    this.ref = ref;
    this.game = game;
    this.connects = new Connects[] {white, black};
  }

  GameRef ref() {
    return ref;
  }

  Playing game() {
    return game;
  }

  Connects connects(Side side) {
    return connects[side.ordinal()];
  }

  Side sideOf(PubKey player) {
    return ref.sideOf(player);
  }

  PubKey opponentOf(PubKey player) {
    return ref.player(sideOf(player).opponent());
  }

  /** The events of the moves so far, in order. */
  List<EventId> plies() {
    return plies;
  }

  /** A side has nobody connected; its grace ends then (epoch milliseconds). */
  void leave(Side side, long graceEnds) {
    this.graceEnds[side.ordinal()] = graceEnds;
  }

  /** A side is there again. */
  void comeBack(Side side) {
    graceEnds[side.ordinal()] = NEVER;
  }

  boolean isGone(Side side) {
    return graceEnds[side.ordinal()] != NEVER;
  }

  long graceEnds(Side side) {
    return graceEnds[side.ordinal()];
  }

  boolean isCommitting() {
    return committing;
  }

  /** A step has been decided; until it is settled the game does not move on. */
  void beginCommit() {
    committing = true;
  }

  /** The step has become the game. */
  void advance(Playing next) {
    game = next;
  }

  /** The step is settled, one way or the other. */
  void endCommit() {
    committing = false;
  }

  /** Lets something wait for the step that is being committed. */
  void await(Runnable task) {
    inbox.add(task);
  }

  /** Runs what waits, until a step has to be committed again. */
  void runWaiting() {
    while (!committing && !inbox.isEmpty()) {
      inbox.remove().run();
    }
  }
}
