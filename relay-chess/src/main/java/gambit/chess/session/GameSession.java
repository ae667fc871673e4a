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
 * <p>A game has at most one uncommitted step; commands that come meanwhile wait, at most so many
 * for each player.
 */
final class GameSession {
  /** Commands of one player that may wait. */
  static final int WAITING = 16;

  private final GameRef ref;
  private final Connects[] connects;
  private final int[] waiting = new int[2];
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

  /** Lets a player's command wait; false when too many of that player's do. */
  boolean await(Side side, Runnable command) {
    if (waiting[side.ordinal()] == WAITING) {
      return false;
    }
    waiting[side.ordinal()]++;
    inbox.add(
        () -> {
          waiting[side.ordinal()]--;
          command.run();
        });
    return true;
  }

  /** Lets something of the relay's own wait. */
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
